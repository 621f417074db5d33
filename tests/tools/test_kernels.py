"""Kernels that are forked: each as new as one that was started, and gone when it is done."""

import os
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import kernels  # noqa: E402
import notebooks  # noqa: E402

pytestmark = pytest.mark.slow
ASK = """import os, signal, sys
import numpy as np
import errlab
print(os.getpid(), os.getcwd(), os.environ["ERRLAB_OUTPUT"])
print(sys.argv[0].endswith("kernels.py"), [p for p in sys.path if p.endswith("tools")])
print(hasattr(errlab, "left"), np.random.get_state()[2], signal.getsignal(signal.SIGINT))
print(os.system("exit 3") >> 8)
"""
LEAVE = "errlab.left = np.random.seed(1)"


def answers(folder, cells):
    """What a notebook of such cells prints, line by line, in words."""
    folder.mkdir()
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbformat.write(made, folder / "one.ipynb")
    shown = notebooks.run(folder / "one.ipynb", "book")
    return "".join(output.text for output in shown.cells[0].outputs).splitlines()


def test_no_chapter_meets_what_another_has_left(tmp_path):
    first = answers(tmp_path / "a", [ASK, LEAVE])
    second = answers(tmp_path / "b", [ASK])
    assert first[1:] == second[1:]
    assert first[1].endswith("[]")
    assert first[2].startswith("False")
    assert first[3] == "3"
    for name, said in (("a", first), ("b", second)):
        pid, folder, mode = said[0].split()
        assert (folder, mode) == (str(tmp_path / name), "book")
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)
    assert first[0].split()[0] != second[0].split()[0]


def test_a_kernel_that_dies_is_noticed(tmp_path):
    with pytest.raises(Exception, match="died"):
        answers(tmp_path / "a", ["import os\nos._exit(1)"])


@pytest.mark.skipif(not kernels.FORKS, reason="kernels start as usual here")
def test_one_process_serves_all():
    assert kernels.warm() is kernels.warm()
    assert not kernels.warm()._process.poll()
