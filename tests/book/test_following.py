"""In a live kernel a picture follows the reader's functions, and reports their errors.

The cells, and what their pictures say, are in `tests/data/following.txt`.
"""

import os
import re
from pathlib import Path

import matplotlib.pyplot as plt
import nbclient
import nbformat
import pytest

from errlab_book.widgets import closing_half_drawn

TABLE = Path(__file__).parents[1] / "data" / "following.txt"
SECTIONS = re.split(r"^\[(.+)\]$\n", TABLE.read_text("utf-8"), flags=re.MULTILINE)[1:]
VIEW = "application/vnd.jupyter.widget-view+json"


class Kernel(nbclient.NotebookClient):
    """A kernel that runs cells, and follows the widgets and outputs that they have shown."""

    def run(self, code):
        """Run a cell; return what it shows first, without the style and script of an explorer."""
        cell = nbformat.v4.new_code_cell(code)
        self.nb.cells.append(cell)
        self.execute_cell(cell, len(self.nb.cells) - 1)
        data = [output for output in cell.outputs if "data" in output]
        return next((o for o in data if VIEW in o.data or o.data["text/plain"]), None)

    def text(self, output):
        """Return what an output, or the widgets of an explorer, say now."""
        if VIEW not in output.data:
            page = output.data.get("text/html", "").partition("<details")[0]  # without its source
            return f"{output.data['text/plain']} {page}"
        states = [self.widget_state[output.data[VIEW]["model_id"]]]
        for state in states:
            children = [one.removeprefix("IPY_MODEL_") for one in state.get("children", [])]
            states += map(self.widget_state.get, children)
        texts = [state.get("value", "") for state in states]
        (text,) = [text for text in texts if re.search("class=.errlab-(figure|mistake)", text)]
        return f"{text} {output.metadata} {output.data.get('image/png', 'none')[:5]}"


@pytest.fixture
def kernel():
    kernel = Kernel(nbformat.v4.new_notebook(), timeout=60)
    with kernel.setup_kernel(env={**os.environ, "ERRLAB_OUTPUT": "live"}):
        yield kernel


def test_a_drawing_that_fails_leaves_no_figure_for_a_later_cell():
    first, _ = plt.subplots()
    with pytest.raises(ValueError), closing_half_drawn():
        plt.subplots(0)  # makes a figure, and then no axes
    assert plt.get_fignums() == [first.number]


@pytest.mark.slow
@pytest.mark.parametrize("section", SECTIONS[1::2], ids=SECTIONS[::2])
def test_pictures_follow_what_is_edited(kernel, section):
    pictures = {}
    for cell in section.strip().split("\n\n"):
        code, *checks = cell.split("\n: ")
        output = kernel.run(code)
        if name := re.match(r"# (\w+)", code):
            pictures |= {"before": pictures.get(name[1]), name[1]: output}
        for check in checks:
            name, missing, words = re.fullmatch(r"(\w+) (! )?(.+)", check).groups()
            assert (words in kernel.text(pictures[name])) != bool(missing), cell
