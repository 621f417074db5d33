"""Where the seconds go that `make book` spends in chapters: of each kernel, and of its figures.

Each chapter is executed as the book executes it, one after the other. Of its cells the dearest are
named. A second checkout to compare with is run in turn with this one, chapter by chapter:
``python benchmarks/bench_chapters.py [part of a name ...] [--beside FOLDER]``. It needs an
environment of its own in ``FOLDER/.venv``.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ONE = r"""
import json, os, sys
from pathlib import Path
sys.path.insert(0, "tools")
import nbclient, nbformat
try:
    import kernels
except ImportError:
    kernels = None  # an older checkout
code = nbformat.v4.new_code_cell
path = Path(sys.argv[1]).resolve()
notebook = nbformat.read(path, as_version=4)
cells = [code('''
import time as _time
from errlab.book import widgets as _widgets
from errlab.book.figures import _show as _shown
_figures = 0.0
def _timed(draw):
    def drawn(figure):
        global _figures
        start = _time.process_time()
        found = draw(figure)
        _figures += _time.process_time() - start
        return found
    return drawn
_widgets.drawing, _shown.drawing = _timed(_widgets.drawing), _timed(_shown.drawing)
_times = []
for _moment in ("pre_run_cell", "post_run_cell"):
    get_ipython().events.register(_moment, lambda _: _times.append(_time.process_time()))
''')]
numbers = [n for n, cell in enumerate(notebook.cells) if cell.cell_type == "code"]
cells += notebook.cells
cells.append(code('''
import json as _json
print("TIMES" + _json.dumps([_time.process_time(), _figures, _times]))
'''))
notebook.cells = cells
client = nbclient.NotebookClient(
    notebook, timeout=600, resources={"metadata": {"path": path.parent}},
    extra_arguments=["--log-level=ERROR"],
)
if kernels:
    kernels.prepare(client)
client.execute(env={**os.environ, "OMP_NUM_THREADS": "1", "ERRLAB_OUTPUT": "book"})
said = "".join(output.get("text", "") for output in cells[-1].outputs)
total, figures, times = json.loads(said.split("TIMES")[1])
spent = [after - before for before, after in zip(times[1::2], times[2::2])]  # the first cell ended
print(json.dumps([total, figures, dict(zip(numbers, spent))]))
"""


def seconds(root, name):
    """Execute a chapter of a checkout: CPU seconds of its kernel, of its figures, of each cell."""
    command = [root / ".venv" / "bin" / "python", "-c", ONE, f"notebooks/{name}.ipynb"]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    total, figures, cells = json.loads(run.stdout)
    return total, figures, {int(number): value for number, value in cells.items()}


def main():
    """Print a line a chapter, and the sum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--beside", type=Path)
    options = parser.parse_args()
    names = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
    chosen = [name for name in names if any(part in name for part in options.parts or [""])]
    if not chosen:
        sys.exit(f"no chapter's name has {' or '.join(options.parts)} in it")
    head = ["all", "figures", "other", *(["beside"] if options.beside else [])]
    print(f"{'CPU seconds':20s}", *(f"{word:>7s}" for word in head), " the dearest cells")
    sums = [0.0] * len(head)
    for name in chosen:
        total, figures, cells = seconds(ROOT, name)
        row = [total, figures, total - figures]
        if options.beside:
            row.append(seconds(options.beside.resolve(), name)[0])
        dear = sorted(cells, key=cells.get, reverse=True)[:4]
        said = ", ".join(f"{number}: {cells[number]:.1f}" for number in dear)
        print(f"{name:20s}", *(f"{value:7.1f}" for value in row), f" {said}", flush=True)
        sums = [one + more for one, more in zip(sums, row, strict=True)]
    print(f"{'sum':20s}", *(f"{value:7.1f}" for value in sums))
    if options.beside:
        print(f"beside / here: {sums[-1] / sums[0]:.2f}")


if __name__ == "__main__":
    main()
