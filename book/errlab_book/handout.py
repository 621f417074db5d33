"""Copy chapters for readers: to download, to work in, and for students without solutions.

``python -m errlab_book.handout notebooks FOLDER`` copies all notebooks of a folder. Existing copies
aren't replaced, because somebody may have worked in them.
"""

import re
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import nbformat

SOLUTION = "solution"  # tag of a cell with a solution
PROMISE = "There are two hints, and a solution is folded under each."
FOLDED = re.compile(r"\s+".join(map(re.escape, PROMISE.split())))
# with doubled braces, because it is in an f-string
CITE = re.compile(r"(\s*)\{{1,2}cite:(\w+)\}{1,2}`([^`]*)`")
# the line below a title that `tools/address.py` writes; it links to the site, which has the
# solutions
WAY_TO_THE_SITE = re.compile(r"\n\n\[Read this page on the site\].*")
# a link to a file that isn't a chapter; only chapters are handed out
AWAY = re.compile(r"\[([^\]\[]+)\]\((?!\w+:|#|[^)/]+\.ipynb)[^)\s]+\)")
REFERENCES = Path(__file__).parents[1] / "references.bib"
INSTALL = """\
from importlib.util import find_spec
from pathlib import Path

if find_spec("errlab_book") is None:
    packages = sorted(map(str, Path().glob("errlab*.whl"))) or {addresses}
    if not packages:
        raise SystemExit(
            "errlab-book is missing: unpack the whole folder that this notebook came in (it is "
            "installed from the two files errlab*.whl there), or install it from its repository."
        )
    packages = " ".join(f'"{package}"' for package in packages)
    %pip install -q {packages}"""


def without_solutions(text: str) -> str:
    """Return a text without mentions of solutions."""
    return FOLDED.sub("There are two hints for each.", text)


@cache
def _cited_as() -> dict[str, tuple[str, str]]:
    """Return authors and year of each entry of the bibliography."""
    from pybtex.database import parse_file

    citations = {}
    for key, entry in parse_file(str(REFERENCES)).entries.items():
        people = entry.persons.get("author") or entry.persons.get("editor") or []
        last = [" ".join(person.last_names).strip("{}") for person in people]
        # of three or more authors only the first, as on the site
        who = f"{last[0]} et al." if len(last) > 2 else " & ".join(last)
        citations[key] = (who, entry.fields.get("year", "n.d."))
    return citations


def cited(text: str) -> str:
    """Replace citations by text, because JupyterLab doesn't know the citation role.

    Examples
    --------
    >>> cited("Clopper and Pearson {cite:p}`clopper1934use`.")
    'Clopper and Pearson (Clopper & Pearson 1934).'
    """

    def replaced(match: re.Match[str]) -> str:
        space, role, keys = match.groups()
        citations = [_cited_as()[key.strip()] for key in keys.split(",")]
        if role == "t":
            return space + ", ".join(f"{who} ({year})" for who, year in citations)
        return f"{space}({'; '.join(' '.join(pair) for pair in citations)})"

    return CITE.sub(replaced, text)


def among_chapters(text: str) -> str:
    """Replace links to pages that aren't handed out by their text.

    Examples
    --------
    >>> among_chapters("See [chapter 2](02_holdout.ipynb#a) and [the audit](../book/x.ipynb).")
    'See [chapter 2](02_holdout.ipynb#a) and the audit.'
    """
    return AWAY.sub(r"\1", text)


def readable(output: Any) -> Any:
    """Return an output with its pictures and text, without records for tests."""
    data = output.get("data", {})
    formats = {kind: data[kind] for kind in ("image/png", "text/markdown") if kind in data}
    if formats:
        output.data = formats
    return None if "key: " in data.get("text/plain", "") and not formats else output


def write(source: Path, target: Path, *, student: bool = False, address: str = "") -> None:
    """Write the reader's copy of a chapter.

    Parameters
    ----------
    source, target : Path
        The stored notebook, and where its copy goes.
    student : bool
        Whether solutions are left out, and what guesses reveal is veiled.
    address : str
        The repository that pip can install errlab from, if there is one.
    """
    notebook = nbformat.read(source, as_version=4)
    git = f"git+{address}"
    addresses = [f"errlab @ {git}", f"errlab-book @ {git}#subdirectory=book"] if address else []
    first = nbformat.v4.new_code_cell(INSTALL.replace("{addresses}", repr(addresses)))
    # folded, because nobody needs to read how errlab is installed
    first.id, first.metadata = "install", {"jupyter": {"source_hidden": True}}
    cells = [first]
    for cell in notebook.cells:
        # replace the old install cell; leave out solutions
        if cell.id == "install" or (student and SOLUTION in cell.metadata.get("tags", [])):
            continue
        if student:
            cell.source = WAY_TO_THE_SITE.sub("", without_solutions(cell.source))
        cell.source = cited(cell.source)
        if cell.cell_type == "markdown":
            cell.source = among_chapters(cell.source)
        if cell.cell_type == "code":
            cell.outputs = [output for output in map(readable, cell.outputs) if output]
            cell.execution_count = None
        cells.append(cell)
    notebook.cells = cells
    nbformat.write(notebook, target)


def main(arguments: Sequence[str]) -> None:
    """Copy the notebooks of one folder to another."""
    source, target = map(Path, arguments)
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.glob("*.ipynb")):
        if not (target / path.name).exists():
            write(path, target / path.name)


if __name__ == "__main__":
    main(sys.argv[1:])
