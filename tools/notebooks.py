"""Execute notebooks in parallel and store them: as text records, or for the book.

``python tools/notebooks.py store [NOTEBOOK ...]`` executes in record mode and writes the text
outputs back into ``notebooks/``, and what each frame of an explorer shows into ``tests/records/``,
where no reader looks for answers. ``execute(paths, folder, mode)`` is what the book build uses.
``python tools/notebooks.py fold [NOTEBOOK ...]`` executes nothing: it folds in JupyterLab what the
book folds.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# nbformat draws in jsonschema, which would spend more than a second on the grammars of addresses
# that no notebook holds; jsonschema does without them.
sys.modules.setdefault("rfc3987_syntax", None)

import nbclient
import nbformat

import course
import kernels
from errlab.book import words

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
RECORDS = ROOT / "tests" / "records"
FOLDED = {"hide-input", "hide-cell", "remove-input", "remove-cell"}  # tags
AUDIT = "audit"  # the tag of a cell that judges what the sources say; see sources.py
SAYS_NOTHING = {"solution": "# Solution", AUDIT: "# Audit"}  # what JupyterLab shows of such a cell
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def run(path: Path, mode: str, keep: Path | None = None, frames: int = 3) -> nbformat.NotebookNode:
    """Execute one notebook in its own kernel, in the given output mode.

    Its figures go to the file `keep`, with so many frames of each explorer (0: all); see keep.py.
    """
    notebook = nbformat.read(path, as_version=4)
    if keep is not None:
        globals_ = {"TARGET": str(keep), "FRAMES": frames}
        program = str(ROOT / "tools" / "keep.py")
        first = f"__kept__ = __import__('runpy').run_path({program!r}, {globals_!r})"
        notebook.cells.insert(0, nbformat.v4.new_code_cell(first))
    environment = {**os.environ, **kernels.BUSY, "ERRLAB_OUTPUT": mode}
    environment["ERRLAB_LANGUAGE"] = language()
    client = nbclient.NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": path.parent}},
        coalesce_streams=True,
        extra_arguments=["--log-level=ERROR"],  # it would warn of its port on this machine
    )
    kernels.prepare(client)
    try:
        client.execute(env=environment)
    except nbclient.exceptions.CellExecutionError as error:
        raise SystemExit(f"{path.name}: a cell failed\n{error}") from None
    if keep is not None:
        del notebook.cells[0]
    return tidy(notebook)


def language() -> str:
    """Return the language of the course, or English where errlab has no table of its words."""
    if not (ROOT / course.NAME).exists():
        return "en"
    wanted = str(course.read(ROOT).get("language", "en"))
    return wanted if wanted in words.languages() else "en"


def frames(notebook: nbformat.NotebookNode) -> list[list[str]]:
    """Take the lists of frames out of the outputs of a notebook that was run in record mode."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    found = [output.metadata.pop("errlab", None) for output in outputs if "metadata" in output]
    return [list(entry["frames"]) for entry in found if entry]


def store(path: Path) -> None:
    """Execute one notebook and store its text outputs, and the frames of its explorers."""
    notebook = run(path, "record")
    lists = frames(notebook)
    if lists or NOTEBOOKS in path.parents:  # pages of book/ have no explorers
        RECORDS.mkdir(exist_ok=True)
        text = json.dumps(lists, indent=1, ensure_ascii=False)
        write(RECORDS / f"{path.stem}.json", text + "\n")
    write(path, nbformat.writes(notebook) + "\n")


def tidy(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Keep what the source and the outputs say; drop what changes from run to run."""
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    notebook.nbformat_minor = 5
    executed = 0
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02d}"
        cell.metadata = {"tags": cell.metadata["tags"]} if cell.metadata.get("tags") else {}
        fold(cell)
        if cell.cell_type == "code":
            executed += 1
            cell.execution_count = executed  # nbval compares no cell without a number
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = executed
    return notebook


def fold(cell: nbformat.NotebookNode) -> None:
    """Fold a cell in JupyterLab as the book folds it.

    JupyterLab shows the first line of a folded cell, so a solution or an audit begins with a line
    that says nothing.
    """
    tags = set(cell.metadata.get("tags", []))
    if cell.cell_type != "code" or not tags & FOLDED:
        return
    cell.metadata["jupyter"] = {"source_hidden": True}
    for tag in SAYS_NOTHING.keys() & tags:
        cell.metadata["jupyter"]["outputs_hidden"] = True
        if not cell.source.startswith(SAYS_NOTHING[tag]):
            cell.source = f"{SAYS_NOTHING[tag]}\n{cell.source}"


def lesson(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """Return the cells of a chapter that are for its readers."""
    return [cell for cell in notebook.cells if AUDIT not in cell.metadata.get("tags", [])]


def every() -> list[Path]:
    """Return all notebooks: the chapters, and what there is of them in other languages."""
    return [*sorted(NOTEBOOKS.glob("*.ipynb")), *sorted(NOTEBOOKS.glob("[a-z][a-z]/*.ipynb"))]


def refold(path: Path) -> None:
    """Fold the cells of a stored notebook."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        fold(cell)
    write(path, nbformat.writes(notebook) + "\n")


def execute(
    paths: Iterable[Path], folder: Path, mode: str, done: Callable[[Path], None] | None = None
) -> None:
    """Execute notebooks side by side, one a core, and write them to `folder`.

    Each is written whole or not at all; then `done` is called with its path. The figures stand
    beside it, for the tests that change them.
    """
    folder.mkdir(parents=True, exist_ok=True)

    def one(path: Path) -> None:
        shown = run(path, mode, keep=folder / f"{path.stem}.figures")
        write(folder / path.name, nbformat.writes(shown) + "\n")
        if done is not None:
            done(path)

    each(paths, one)


def write(target: Path, text: str) -> None:
    """Write a file whole or not at all."""
    half = target.with_name(f"{target.name}.part")
    half.write_text(text, "utf-8")
    half.replace(target)


def each(paths: Iterable[Path], do: Callable[[Path], None]) -> None:
    """Do something with each notebook, side by side, and say which is ready.

    The long ones, which take longest, come first: so no core has to wait for another at the end.
    """

    def one(path: Path) -> None:
        do(path)
        print(f"  {path.name}", flush=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, sorted(paths, key=lambda path: -path.stat().st_size)))


def main(arguments: list[str]) -> int:
    """Store or fold the named notebooks, or all of them."""
    actions = {"store": store, "fold": refold}
    if not arguments or arguments[0] not in actions:
        print(__doc__)
        return 2
    paths = [Path(a).resolve() for a in arguments[1:]] or every()
    each(paths, actions[arguments[0]])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
