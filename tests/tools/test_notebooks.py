"""Storing notebooks stops if displaying a result fails, and names the cell and the error."""

import nbformat
import pytest

import notebooks

BAD = """
class Bad:
    def _ipython_display_(self):
        raise ValueError("no picture")
Bad()
"""


@pytest.mark.slow
def test_what_cannot_show_itself_stops_it_with_cell_and_error(tmp_path):
    cells = [nbformat.v4.new_markdown_cell("text"), nbformat.v4.new_code_cell(BAD)]
    path = tmp_path / "bad.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    with pytest.raises(RuntimeError, match=r"bad\.ipynb, cell 1: ValueError: no picture"):
        notebooks.run(path)
