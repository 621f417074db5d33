"""Chapters in a real JupyterLab: Run All twice, edit a picture's function, save, render."""

import re

import nbformat
import pytest
from browser import ROOT, probe
from lab_server import RUN_MS, open_notebook, run
from marks import nightly
from nbconvert import HTMLExporter

pytestmark = [pytest.mark.site, pytest.mark.slow]

# by day the cells up to the first picture that follows a function, and a lab
WHOLE = ("",)
SHORT = (
    "from math", "chapter.same_scores", "def mcnemar", "chapter.discordant", "Each error that",
    "chapter.pair", "p stays",
)  # fmt: skip
NIGHT = [(name, WHOLE) for name in ("10_comparing_two", "03_binary_bounds", "08_bootstrap")]
CHAPTERS = nightly([("10_comparing_two", SHORT), *NIGHT], *NIGHT)


def driven(path):
    """Return the index and text of the cell that defines a picture's function, and its name."""
    sources = [cell.source for cell in nbformat.read(path, 4).cells]
    for call in re.finditer(r"^chapter\.\w+\((\w+)", "\n".join(sources), re.MULTILINE):
        for number, text in enumerate(sources):
            if re.search(rf"^def {call[1]}\(", text, re.MULTILINE):
                return number, text, call[1]
    raise AssertionError(f"no picture of {path.name} is driven by a function of the notebook")


def run_all(tab):
    """Run all cells, and wait until the last one has run."""
    tab.evaluate(probe("command"), "notebook:run-all-cells")
    tab.wait_for_function(probe("idle"), timeout=2 * RUN_MS)
    tab.wait_for_function(probe("ran"))


@pytest.mark.parametrize(("name", "begins"), CHAPTERS)
def test_a_chapter_is_live_as_it_is_on_the_site(chromium, jupyter, name, begins):
    folder, server = jupyter
    notebook = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", 4)
    notebook.cells = [cell for cell in notebook.cells if cell.source.startswith(begins)]
    nbformat.write(notebook, folder / f"{name}.ipynb")
    tab = open_notebook(chromium, server, f"{name}.ipynb")
    errors = []
    # labs are tested elsewhere, because anywidget may give up waiting on a busy machine
    tab.on("pageerror", lambda e: None if "[anywidget]" in str(e) else errors.append(str(e)))
    number, text, function = driven(folder / f"{name}.ipynb")
    for _ in range(2):
        run_all(tab)
        state = tab.evaluate(probe("notebook"))
        assert state["folded"] >= state["guesses"] == state["offered"]
        assert state["open"] == state["bare"] == 0

    tab.locator("form.errlab-guess [data-show]").first.click()
    tab.wait_for_function(probe("unfolded"), arg=state["folded"])

    broken = f"def {function}(*arguments, **options):\n    raise ValueError('tried')"
    tab.evaluate(probe("edit"), [number, broken])
    run(tab, number)
    mistake = tab.locator(".errlab-mistake", has_text="ValueError: tried")
    mistake.first.wait_for(state="attached")
    tab.evaluate(probe("edit"), [number, text])
    run(tab, number)
    mistake.first.wait_for(state="detached")

    tab.evaluate(probe("command"), "docmanager:save")  # returns once the notebook is saved
    tab.close()
    assert errors == []
    check_saved(folder / f"{name}.ipynb")


def check_saved(path):
    """In a saved notebook, each explorer has a picture with text, for readers without a kernel."""
    cells = nbformat.read(path, 4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    views = [o for o in outputs if "Explorer of" in o.get("data", {}).get("text/plain", "")]
    assert views
    assert all(o.metadata["image/png"]["alt"] for o in views)
    page, _ = HTMLExporter().from_filename(str(path))
    assert page.count("data:image/png;base64") >= len(views)
