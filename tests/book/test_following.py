"""In a live kernel a picture follows the reader's functions, and reports their errors."""

import os
import re

import nbclient
import nbformat
import pytest

pytestmark = pytest.mark.slow

VIEW = "application/vnd.jupyter.widget-view+json"
BUILD = """
def half(n):
    return n / 2

def share(errors, n):
    return {}(errors) / n
"""
EXPLORE = "from errlab_book import explore\nexplore(share, errors=[1, 2, 3, 4])"
PICTURE = EXPLORE.replace("4])", "4], n=[100])")


class Kernel(nbclient.NotebookClient):
    """A kernel that runs cells, and follows the widgets and outputs that they have shown."""

    def run(self, code):
        """Run a cell; return its output, without the style and script of an explorer."""
        cell = nbformat.v4.new_code_cell(code)
        self.nb.cells.append(cell)
        self.execute_cell(cell, len(self.nb.cells) - 1)
        return [
            output
            for output in cell.outputs
            if VIEW in output.get("data", {}) or output.get("data", {}).get("text/plain")
        ]

    def text(self, output):
        """Return the text of the picture that an explorer displays."""
        states = [self.widget_state[output.data[VIEW]["model_id"]]]
        for state in states:
            children = [one.removeprefix("IPY_MODEL_") for one in state.get("children", [])]
            states += map(self.widget_state.get, children)
        texts = [state.get("value", "") for state in states]
        (text,) = [text for text in texts if re.search("class=.errlab-(figure|mistake)", text)]
        return text

    def ends(self, *outputs):
        """Return the value with which the sentence of each picture ends."""
        sentences = [re.search(r'aria-label="([^"]*)"', self.text(one))[1] for one in outputs]
        return [float(sentence.rpartition("= ")[2]) for sentence in sentences]


@pytest.fixture(scope="module")
def kernel():
    kernel = Kernel(nbformat.v4.new_notebook(), timeout=60)
    with kernel.setup_kernel(env={**os.environ, "ERRLAB_OUTPUT": "live"}):
        yield kernel


def test_pictures_follow_what_is_edited(kernel):
    kernel.run(BUILD.format("half"))
    (first,) = kernel.run(PICTURE)
    (second,) = kernel.run(PICTURE.replace("100", "10"))
    assert kernel.ends(first, second) == [0.005, 0.05]

    # a saved notebook keeps a picture with words
    assert first.data["image/png"].startswith("iVBOR")
    assert first.metadata["image/png"]["alt"].endswith("share(errors=1, n=100) = 0.005")

    # edit the function itself
    kernel.run(BUILD.format("float"))
    assert kernel.ends(first, second) == [0.01, 0.1]

    # edit only a helper
    kernel.run(BUILD.format("half"))
    kernel.run("def half(n):\n    return n / 4")
    assert kernel.ends(first, second) == [0.0025, 0.025]

    # a mistake shows a message in both pictures, which disappears once it is fixed
    kernel.run("def half(n):\n    return m / 4")
    for picture in (first, second):
        words = kernel.text(picture)
        assert "NameError: name &#x27;m&#x27; is not defined" in words
        assert "<code>return m / 4</code>" in words
        assert "half, line 2" in words
    # from the start, too, it is a message and no traceback
    (third,) = kernel.run(PICTURE.replace("100", "20"))
    assert "NameError" in kernel.text(third)
    kernel.run("def half(n):\n    return n / 5")
    assert kernel.ends(first, third) == [0.002, 0.01]

    # change a number that the function reads from the notebook
    kernel.run("scale = 2\ndef half(n):\n    return n / scale")
    kernel.run("scale = 8")
    assert kernel.ends(second) == [0.0125]

    # a cell that defines nothing redraws nothing
    before = kernel.text(first)
    kernel.run("calls = 0\nprint('hello')")
    assert kernel.text(first) == before


def test_three_runs_of_a_cell_are_one_picture(kernel):
    kernel.run(BUILD.format("half") + "\ncalls = []\n")
    kernel.run("def draw(errors):\n    calls.append(errors)\n    return share(errors, 100)")
    for _ in range(3):
        (last,) = kernel.run(EXPLORE.replace("share", "draw"))
    kernel.run("calls.clear()")
    kernel.run("def share(errors, n):\n    return errors")
    (number,) = kernel.run("len(calls)")
    # one picture, with the current number and the three other points of its curve
    assert number.data["text/plain"] == "4"
    assert kernel.ends(last) == [1]


BETS = """
import numpy as np
from errlab_book.chapters import watching as chapter

def capital(losses, mean, stake):
    return np.cumprod(1 + stake * (mean - losses))
"""


def test_a_picture_without_sliders_follows_what_is_edited(kernel):
    """An output that is updated changes where it is stored, in the cell that has shown it."""
    kernel.run(BETS)
    (first,) = kernel.run("chapter.capital(capital)")
    before = first.data["text/plain"]
    kernel.run(BETS.replace("1 + stake", "1 + 0.5 * stake"))
    after = first.data["text/plain"]
    assert "<svg" in first.data["text/html"]
    assert after.startswith("Caption: ")
    assert after != before
    # neither the title nor the description may tell what the chapter's function would do
    assert "What to see: Never rich, so an error of" in after
    assert "is ruled out" not in after
    kernel.run(BETS.replace("stake *", "stakes *"))
    assert "NameError: name &#x27;stakes&#x27; is not defined" in first.data["text/html"]
    kernel.run(BETS)
    assert first.data["text/plain"] == before

    # a run of the cell replaces the picture, and only the new one follows
    kernel.run(BETS.replace("stake *", "stakes *"))
    # below it are figures that mistakes before it left open
    second, *_ = kernel.run("chapter.capital(capital)")
    assert "NameError" in second.data["text/html"]
    left = dict(first.data)
    kernel.run(BETS.replace("1 + stake", "1 + 0.5 * stake"))
    assert second.data["text/plain"] == after
    assert first.data == left
