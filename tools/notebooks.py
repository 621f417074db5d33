"""Execute notebooks in parallel and store them: as text records, or for the book.

``python tools/notebooks.py store [NOTEBOOK ...]`` executes in record mode and writes the text
outputs back into ``notebooks/``. ``execute(paths, folder, mode)`` is what the book build uses.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbclient
import nbformat

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def run(path: Path, mode: str) -> nbformat.NotebookNode:
    """Execute one notebook in its own kernel, in the given output mode."""
    notebook = nbformat.read(path, as_version=4)
    environment = {**os.environ, "ERRLAB_OUTPUT": mode, "OMP_NUM_THREADS": "1"}
    client = nbclient.NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": path.parent}},
        extra_arguments=["--log-level=ERROR"],  # it would warn of its port on this machine
    )
    try:
        client.execute(env=environment)
    except nbclient.exceptions.CellExecutionError as error:
        raise SystemExit(f"{path.name}: a cell failed\n{error}") from None
    return tidy(notebook)


def tidy(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Keep what the source and the outputs say; drop what changes from run to run."""
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    notebook.nbformat_minor = 5
    executed = 0
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02d}"
        cell.metadata = {"tags": cell.metadata["tags"]} if cell.metadata.get("tags") else {}
        if cell.cell_type == "code":
            executed += 1
            cell.execution_count = executed  # nbval compares no cell without a number
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = executed
    return notebook


def execute(
    paths: Iterable[Path], folder: Path, mode: str, done: Callable[[Path], None] | None = None
) -> None:
    """Execute notebooks side by side, one a core, and write them to `folder`.

    Each is written whole or not at all; then `done` is called with its path.
    """
    folder.mkdir(parents=True, exist_ok=True)

    def one(path: Path) -> None:
        text = nbformat.writes(run(path, mode))
        half = folder / f"{path.name}.part"
        half.write_text(text + "\n", "utf-8")
        half.replace(folder / path.name)
        print(f"  {path.name}", flush=True)
        if done is not None:
            done(path)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, paths))


def main(arguments: list[str]) -> int:
    """Store the named notebooks, or all of them."""
    if not arguments or arguments[0] != "store":
        print(__doc__)
        return 2
    paths = [Path(a).resolve() for a in arguments[1:]] or sorted(NOTEBOOKS.glob("*.ipynb"))
    execute(paths, NOTEBOOKS, "record")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
