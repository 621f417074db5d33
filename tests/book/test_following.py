"""In a live kernel a picture follows the reader's functions, and reports their errors.

The cells, and what their pictures say, are in `tests/data/following.txt`. By day a shell of this
process runs them, and every night a kernel, whose widgets must also send what they show.
"""

import os
import re
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import nbclient
import nbformat
import pytest
from IPython import InteractiveShell
from IPython.utils.capture import RichOutput, capture_output
from ipywidgets.widgets.widget import _instances
from traitlets.config import Config

from errlab_book import following
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

    def state(self, widget):
        """Return what a widget has sent last."""
        return self.widget_state[widget]


class Shell(InteractiveShell):
    """A shell that runs cells as a kernel does, and updates the outputs that they have shown."""

    shown = ()
    code = ""

    def get_parent(self):
        """Return the message of the running cell."""
        return {"header": {"msg_id": self.execution_count}, "content": {"code": self.code}}

    def run(self, code):
        self.code = code
        with capture_output() as captured:
            ran = self.run_cell(code, store_history=True)
        ran.raise_error()
        # `captured` makes new objects each time
        outputs = captured.outputs or [RichOutput({"text/plain": repr(ran.result)})]
        for new in [output for output in outputs if output.update]:
            for old in [old for old in self.shown if old.transient == new.transient]:
                old.data, old.metadata = new.data, new.metadata
        self.shown = [*self.shown, *outputs]
        return next((o for o in outputs if VIEW in o.data or o.data["text/plain"]), None)

    def state(self, widget):
        return _instances[widget].get_state()


def text_of(kernel, output):
    """Return what an output, or the widgets of an explorer, say now."""
    if VIEW not in output.data:
        page = output.data.get("text/html", "").partition("<details")[0]  # without its source
        return f"{output.data['text/plain']} {page}"
    states = [kernel.state(output.data[VIEW]["model_id"])]
    for state in states:
        children = [one.removeprefix("IPY_MODEL_") for one in state.get("children", [])]
        states += map(kernel.state, children)
    texts = [state.get("value", "") for state in states]
    (text,) = [text for text in texts if re.search("class=.errlab-(figure|mistake)", str(text))]
    return f"{text} {output.metadata} {output.data.get('image/png', 'none')[:5]}"


@pytest.fixture(params=["shell", pytest.param("kernel", marks=pytest.mark.nightly)])
def kernel(request, monkeypatch):
    monkeypatch.setenv("ERRLAB_OUTPUT", "live")
    if request.param == "kernel":
        kernel = Kernel(nbformat.v4.new_notebook(), timeout=60)
        with kernel.setup_kernel(env=dict(os.environ)):
            yield kernel
        return
    # a shell replaces the main module
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(following, "_RUNS", {})
    yield Shell.instance(config=Config(HistoryManager={"enabled": False}))
    Shell.clear_instance()


def test_a_drawing_that_fails_leaves_no_figure_for_a_later_cell():
    first, _ = plt.subplots()
    with pytest.raises(ValueError), closing_half_drawn():
        plt.subplots(0)  # makes a figure, and then no axes
    assert plt.get_fignums() == [first.number]


@pytest.mark.slow
# an edited function may draw far outside of the axes
@pytest.mark.filterwarnings("ignore:constrained_layout not applied")
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
            assert (words in text_of(kernel, pictures[name])) != bool(missing), cell
