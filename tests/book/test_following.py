"""In a live kernel a picture follows the reader's functions, and reports their errors."""

import os
import re
from queue import Empty

import pytest
from jupyter_client.manager import start_new_kernel

pytestmark = pytest.mark.slow

WAIT = 60
VIEW = "application/vnd.jupyter.widget-view+json"
BUILD = """
def half(n):
    return n / 2

def share(errors, n):
    return {}(errors) / n
"""
EXPLORE = "from errlab_book import explore\nexplore(share, errors=[1, 2, 3, 4])"
PICTURE = EXPLORE.replace("4])", "4], n=[100])")


class Kernel:
    """A kernel and the state of its widgets, read from the widgets' messages."""

    def __init__(self):
        self.manager, self.client = start_new_kernel(env={**os.environ, "ERRLAB_OUTPUT": "live"})
        self.held = {}
        self.updated = {}

    def run(self, code, cell):
        """Run a cell as JupyterLab does, with its id; return its output."""
        message = self.client.session.msg("execute_request", {
            "code": code, "silent": False, "store_history": True, "user_expressions": {},
            "allow_stdin": False, "stop_on_error": True,
        }, metadata={"cellId": cell})  # fmt: skip
        self.client.shell_channel.send(message)
        output = []
        while True:
            try:
                got = self.client.get_iopub_msg(timeout=WAIT)
            except Empty:
                pytest.fail(f"the kernel said nothing for {WAIT} seconds")
            content = got["content"]
            if got["msg_type"] == "update_display_data":
                self.updated[content["transient"]["display_id"]] = content
            if got["msg_type"] in ("comm_open", "comm_msg"):
                state = self.held.setdefault(content["comm_id"], {})
                state.update(content["data"].get("state", {}))
            if got["parent_header"].get("msg_id") != message["header"]["msg_id"]:
                continue
            # the style and script of an explorer come as an output of their own
            page = content.get("data", {}).get("text/html", "")
            alone = page.startswith("<style") and "<svg" not in page
            if got["msg_type"] == "display_data" and not alone:
                output.append(content)
            if got["msg_type"] == "error":
                output.append({"error": f"{content['ename']}: {content['evalue']}"})
            if got["msg_type"] == "status" and content["execution_state"] == "idle":
                # ipykernel 7.2 may lose a request that is sent before this reply
                while not self.replied(message):
                    pass
                return output

    def replied(self, message):
        """Whether the next reply of the kernel is to this message."""
        reply = self.client.get_shell_msg(timeout=WAIT)
        return reply["parent_header"].get("msg_id") == message["header"]["msg_id"]

    def text(self, output):
        """Return the text of the picture that an explorer displays."""
        view = output["data"][VIEW]
        texts, todo = [], [view["model_id"]]
        while todo:
            state = self.held[todo.pop()]
            todo += [one.removeprefix("IPY_MODEL_") for one in state.get("children", [])]
            if re.search("class=.errlab-(figure|mistake)", state.get("value", "")):
                texts.append(state["value"])
        (text,) = texts
        return text


@pytest.fixture
def kernel():
    kernel = Kernel()
    yield kernel
    kernel.client.stop_channels()
    kernel.manager.shutdown_kernel(now=True)


def said(kernel, output):
    """Return the sentence of a picture."""
    return re.search(r'aria-label="([^"]*)"', kernel.text(output))[1]


def test_pictures_follow_what_is_edited(kernel):
    kernel.run(BUILD.format("half"), "build")
    (first,) = kernel.run(PICTURE, "picture")
    (second,) = kernel.run(PICTURE.replace("100", "10"), "another of the same name")
    assert said(kernel, first).endswith("= 0.005")
    assert said(kernel, second).endswith("= 0.05")

    # edit the function itself
    kernel.run(BUILD.format("float"), "build")
    assert said(kernel, first).endswith("= 0.01")
    assert said(kernel, second).endswith("= 0.1")

    # edit only a helper
    kernel.run(BUILD.format("half"), "build")
    kernel.run("def half(n):\n    return n / 4", "helper")
    assert said(kernel, first).endswith("= 0.0025")
    assert said(kernel, second).endswith("= 0.025")

    # a mistake shows a message in both pictures, which disappears once it is fixed
    kernel.run("def half(n):\n    return m / 4", "helper")
    for picture in (first, second):
        words = kernel.text(picture)
        assert "NameError: name &#x27;m&#x27; is not defined" in words
        assert "<code>return m / 4</code>" in words
        assert "half, line 2" in words
    kernel.run("def half(n):\n    return n / 5", "helper")
    assert said(kernel, first).endswith("= 0.002")

    # change a number that the function reads from the notebook
    kernel.run("scale = 2\ndef half(n):\n    return n / scale", "helper")
    kernel.run("scale = 8", "scale")
    assert said(kernel, second).endswith("= 0.0125")

    # a cell that defines nothing redraws nothing
    before = kernel.text(first)
    kernel.run("calls = 0\nprint('hello')", "other")
    assert kernel.text(first) == before


def test_three_runs_of_a_cell_are_one_picture(kernel):
    counted = BUILD.format("half") + "\ncalls = []\n"
    kernel.run(counted, "build")
    drawing = "def draw(errors):\n    calls.append(errors)\n    return share(errors, 100)"
    kernel.run(drawing, "draw")
    for _ in range(3):
        (last,) = kernel.run(EXPLORE.replace("share", "draw"), "picture")
    kernel.run("calls.clear()", "clear")
    kernel.run("def share(errors, n):\n    return errors", "edit")
    (number,) = kernel.run("from IPython.display import JSON\ndisplay(JSON([len(calls)]))", "count")
    # one picture, with the current number and the three other points of its curve
    assert number["data"]["application/json"] == [4]
    assert said(kernel, last).endswith("= 1")


def test_a_saved_notebook_keeps_a_picture_with_words(kernel):
    kernel.run(BUILD.format("half"), "build")
    (output,) = kernel.run(PICTURE, "picture")
    assert output["data"]["image/png"].startswith("iVBOR")
    assert output["metadata"]["image/png"]["alt"].endswith("share(errors=1, n=100) = 0.005")


def test_a_mistake_from_the_start_is_no_traceback(kernel):
    kernel.run("def share(errors, n):\n    return errors / m", "build")
    (output,) = kernel.run(PICTURE, "picture")
    assert "NameError" in kernel.text(output)
    kernel.run(BUILD.format("half"), "build")
    assert said(kernel, output).endswith("= 0.005")


BETS = """
import numpy as np
from errlab_book.chapters import watching as chapter

def capital(losses, mean, stake):
    return np.cumprod(1 + stake * (mean - losses))
"""


def test_a_picture_without_sliders_follows_what_is_edited(kernel):
    kernel.run(BETS, "build")
    (first,) = kernel.run("chapter.capital(capital)", "picture")
    place = first["transient"]["display_id"]
    before = first["data"]["text/plain"]
    kernel.run(BETS.replace("1 + stake", "1 + 0.5 * stake"), "build")
    after = kernel.updated[place]["data"]
    assert "<svg" in after["text/html"]
    assert after["text/plain"].startswith("Caption: ")
    assert after["text/plain"] != before
    # neither the title nor the description may tell what the chapter's function would do
    assert "What to see: Never rich, so an error of" in after["text/plain"]
    assert "is ruled out" not in after["text/plain"]
    kernel.run(BETS.replace("stake *", "stakes *"), "build")
    words = kernel.updated[place]["data"]["text/html"]
    assert "NameError: name &#x27;stakes&#x27; is not defined" in words
    kernel.run(BETS, "build")
    assert kernel.updated[place]["data"]["text/plain"] == before

    # a run of the cell replaces the picture, and only the new one follows
    kernel.run(BETS.replace("stake *", "stakes *"), "build")
    (second,) = kernel.run("chapter.capital(capital)", "picture")
    assert "NameError" in second["data"]["text/html"]
    kernel.updated.clear()
    kernel.run(BETS.replace("1 + stake", "1 + 0.5 * stake"), "build")
    assert [*kernel.updated] == [second["transient"]["display_id"]]
