"""What is handed out: notebooks to download, and for students all of it without an answer.

``python tools/handout.py students`` writes their notebooks to ``_build/student/notebooks``, with a
wheel of errlab beside them that holds digests in place of answers, and all of it as a zip.
`tools/book.py` calls it for each edition, so that its download buttons lead to its own notebooks.
``python tools/handout.py lab`` writes the copy that ``make lab`` opens, to ``_build/lab``.
``python tools/handout.py setup`` gives the notebooks of the checkout the first cell that installs
errlab from the address in `_config.yml`, or takes it away where there is none.

An exercise and a quiz check themselves in the students' copy too: with digests, and explanations
that are veiled with the choice they belong to. So nothing that is handed out can be read or
searched for an answer. It can be tried, though, and somebody who can program tries fast: these
answers are for learning, and worth no marks.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import nbformat
from pybtex.database import Entry, parse_file

import course
import notebooks
import publish

ROOT = notebooks.ROOT
ANSWERS = "errlab/book/exercises"
FOLDED = re.compile(r"There are\s+two\s+hints, and a solution is folded under each\.")
CITE = re.compile(r"(\s*)\{{1,2}cite:(\w+)\}{1,2}`([^`]*)`")  # doubled in an f-string
INSTALL = '''# Installs errlab where it is missing.
from importlib.util import find_spec
from pathlib import Path

if find_spec("errlab") is None:
    beside = [f"{path}[book]" for path in Path().glob("errlab-*.whl")]
    for errlab_from in [*beside, *{address!r}][:1]:
        %pip install -q "{errlab_from}"'''


def install_cell(address: str, *, wheel: bool = False) -> nbformat.NotebookNode | None:
    """Return the cell that installs errlab where it is missing; None with nowhere to get it from.

    Parameters
    ----------
    address : str
        What pip is given; empty where nobody has set it.
    wheel : bool
        Whether the notebook is handed out with a wheel beside it.
    """
    if not (address or wheel):
        return None
    source = INSTALL.replace("{address!r}", repr([address] if address else []))
    cell = nbformat.v4.new_code_cell(source, metadata={"tags": ["remove-cell", "install"]})
    notebooks.fold(cell)
    cell.id = "install"
    return cell


@cache
def references() -> dict[str, Entry]:
    """Return the entries of the bibliography."""
    return dict(parse_file(str(ROOT / "book" / "references.bib")).entries)


def cited(text: str) -> str:
    """Write citations as text: JupyterLab knows no citation role.

    Examples
    --------
    >>> cited("Clopper and Pearson {cite:p}`clopper1934use`.")
    'Clopper and Pearson (Clopper & Pearson 1934).'
    """

    def names(key: str) -> tuple[str, str]:
        entry = references()[key]
        people = entry.persons.get("author") or entry.persons.get("editor") or []
        last = [" ".join(person.last_names).strip("{}") for person in people]
        who = f"{last[0]} et al." if len(last) > 2 else " & ".join(last)
        return who, entry.fields.get("year", "n.d.")

    def replaced(match: re.Match[str]) -> str:
        space, role, keys = match.groups()
        known = [names(key.strip()) for key in keys.split(",")]
        if role == "t":
            return space + ", ".join(f"{who} ({year})" for who, year in known)
        return f"{space}({'; '.join(' '.join(pair) for pair in known)})"

    return CITE.sub(replaced, text)


def handout(
    notebook: nbformat.NotebookNode, edition: str, address: str = ""
) -> nbformat.NotebookNode:
    """Return a chapter as it is downloaded: no outputs, citations as text, errlab installed.

    Students get it without solutions, with a wheel beside it.
    """
    student = edition == "student"
    cells = []
    for cell in notebooks.lesson(notebook):
        tags = cell.metadata.get("tags", [])
        if "install" in tags or (student and "solution" in tags):
            continue
        cell.source = cited(cell.source)
        if student:
            cell.source = FOLDED.sub("There are two hints for each.", cell.source)
        if cell.cell_type == "code":
            cell.outputs = []
            cell.execution_count = None
            notebooks.fold(cell)
        cells.append(cell)
    first = install_cell(address, wheel=student)
    notebook.cells = [first, *cells] if first else cells
    return notebook


def copies(paths: Iterable[Path], edition: str, known: dict[str, str]) -> dict[str, str]:
    """Return the notebooks of an edition as they are downloaded, by their names."""
    texts = ((path, course.renumbered(path.read_text("utf-8"), path.stem)) for path in paths)
    read = ((path.name, nbformat.reads(text, as_version=4)) for path, text in texts)
    return {
        name: nbformat.writes(handout(notebook, edition, known["install"])) + "\n"
        for name, notebook in read
    }


def sealed_quiz(text: str, name: str) -> str:
    """Return the text of a quiz's file with its key sealed."""
    from errlab.book import quiz

    return quiz.parse(text, name).sealed().toml()


def sealed_tree(folder: Path) -> Path:
    """Write errlab's sources to a folder, with digests in place of every answer."""
    from errlab.book.exercises import EXERCISES

    ignored = shutil.ignore_patterns("__pycache__", "chapter*.py", "*.jsonl")
    shutil.copytree(ROOT / "errlab", folder / "errlab", ignore=ignored)
    for name in ("pyproject.toml", "PACKAGE.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for path in (folder / "errlab" / "book" / "quizzes").glob("*.toml"):
        path.write_text(sealed_quiz(path.read_text("utf-8"), path.stem), "utf-8")
    sealed = [entry.sealed() for entry in EXERCISES.values()]
    target = folder / ANSWERS / "sealed.json"
    target.write_text(json.dumps(sealed, indent=0, ensure_ascii=False), "utf-8")
    return folder


def wheel(source: Path, folder: Path) -> Path:
    """Build a wheel of the sources in a folder without asking the network for anything."""
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*command, str(source)], check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.whl"))


def students(paths: Sequence[Path], build: Path) -> Path:
    """Write the students' notebooks, their wheel and the zip of both; return the zip."""
    folder = build / "notebooks"
    source = build / "errlab"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(source, ignore_errors=True)
    built = wheel(sealed_tree(source), build / "wheel")
    folder.mkdir(parents=True)
    shutil.copy(built, folder)
    known = publish.addresses(publish.settings(), "student")
    for name, text in copies(paths, "student", known).items():
        (folder / name).write_text(text, "utf-8")
    target = build / "notebooks.zip"
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.iterdir()):
            archive.write(path, f"notebooks/{path.name}")
    shutil.rmtree(source)
    return target


def downloads(html: Path, paths: Sequence[Path], edition: str) -> None:
    """Put the notebooks of an edition where its download buttons lead."""
    known = publish.addresses(publish.settings(), edition)
    for path in paths:
        target = html / "_sources" / path.relative_to(notebooks.NOTEBOOKS.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(copies([path], edition, known)[path.name], "utf-8")


def lab(paths: Sequence[Path], folder: Path) -> list[str]:
    """Write a copy to work in, but over no notebook that was changed; return the names of these.

    What was written is remembered by its digest, beside the copies.
    """
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / ".written.json"
    written = json.loads(record.read_text("utf-8")) if record.exists() else {}
    kept = []
    known = publish.addresses(publish.settings())
    for name, text in copies(paths, "reader", known).items():
        target = folder / name
        new = hashlib.sha256(text.encode()).hexdigest()
        if target.exists() and hashlib.sha256(target.read_bytes()).hexdigest() != written.get(name):
            if written.get(name) != new:
                kept.append(name)
            continue
        target.write_bytes(text.encode())
        written[name] = new
    record.write_text(json.dumps(written), "utf-8")
    return kept


def setup(paths: Sequence[Path], address: str) -> None:
    """Give stored notebooks the cell that installs errlab, or take it away."""
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        cells = [c for c in notebook.cells if "install" not in c.metadata.get("tags", [])]
        first = install_cell(address)
        if [first] * bool(first) + cells != notebook.cells:
            notebook.cells = [first, *cells] if first else cells
            notebooks.write(path, nbformat.writes(notebooks.tidy(notebook)) + "\n")


def main(arguments: Sequence[str]) -> int:
    """Do what the first argument says."""
    import book  # which stands on this module

    paths = book.listed()
    known = publish.addresses(publish.settings())
    match list(arguments):
        case ["students"]:
            print(students(paths, ROOT / "_build" / "student"))
        case ["lab"]:
            for name in lab(paths, ROOT / "_build" / "lab"):
                print(f"kept your {name}; there is a newer one: rename yours to get it")
        case ["setup"]:
            setup(paths, known["install"])
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
