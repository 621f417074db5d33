"""All twenty figures of the survey, drawn as the chapters draw them, in under 30 seconds.

Runs chapters 3 to 6 and times the cells whose caption starts with "Survey, Figure", each with its
conversion to SVG. It is processor time of one process, so that a busy machine does not count.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MPLBACKEND", "agg")
os.environ["ERRLAB_OUTPUT"] = "record"

import re
import time
from pathlib import Path

import nbformat
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
CAPTION = re.compile(r'"Survey, Figure (\d+)\.')
LIMIT = 30


def draw(path: Path) -> dict[int, float]:
    """Run a chapter; return the seconds that each numbered figure took."""
    shell = InteractiveShell.instance()
    shell.reset(new_session=False)
    os.chdir(path.parent)
    seconds = {}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        start = time.process_time()
        with capture_output():
            result = shell.run_cell(cell.source)
        result.raise_error()
        caption = CAPTION.search(cell.source)
        if caption:
            assert "<svg" in result.result.html()
            seconds[int(caption.group(1))] = time.process_time() - start
    return seconds


def main() -> None:
    """Print the seconds of each figure and their sum."""
    seconds: dict[int, float] = {}
    for path in sorted(NOTEBOOKS.glob("0[3-6]_*.ipynb")):
        seconds |= draw(path)
    assert sorted(seconds) == list(range(1, 21)), f"figures drawn: {sorted(seconds)}"
    for number, taken in sorted(seconds.items()):
        print(f"figure {number:2d}  {taken:6.2f} s")
    total = sum(seconds.values())
    print(f"all 20     {total:6.2f} s (at most {LIMIT})")
    assert total < LIMIT


if __name__ == "__main__":
    main()
