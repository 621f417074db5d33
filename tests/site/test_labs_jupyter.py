"""Labs in a real JupyterLab: Python gets what readers type, and changes what they see."""

import re

import nbformat
import pytest
from browser import violations
from lab_server import RUN_MS, open_notebook, run
from playwright.sync_api import expect

pytestmark = [pytest.mark.site, pytest.mark.slow]

CELLS = [
    "from errlab_book import labs\nlab = labs.Claim(errors=7, cases=200)",
    "lab",
    "lab",
    'print("Python has", lab.errors, "of", lab.cases)',
    "lab.errors = 11",
    "labs.Misses(cases=20)",
    "labs.Predictions()",
]


@pytest.fixture(scope="module")
def tab(jupyter, chromium):
    """Open a notebook and run all of its cells but the one that sets a trait."""
    folder, server = jupyter
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in CELLS])
    notebook.metadata["kernelspec"] = {"display_name": "Python 3", "name": "python3"}
    nbformat.write(notebook, folder / "labs.ipynb")
    tab = open_notebook(chromium, server, "labs.ipynb")
    for number in (0, 1, 2, 3, 5, 6):
        run(tab, number)
    tab.wait_for_selector('[name="errors"]', timeout=RUN_MS)
    yield tab
    tab.close()


CELLS_NOW = "() => [...window.jupyterapp.shell.currentWidget.content.model.cells].map(c => c.id)"


def python_has(tab):
    """Ask the kernel for the counts."""
    cell = tab.locator(".jp-Notebook .jp-CodeCell").nth(3)
    run(tab, 3)
    text = cell.locator(".jp-OutputArea-output").first.inner_text()
    return tuple(int(number) for number in re.findall(r"\d+", text))


def fields(tab, name):
    return tab.locator(f'.errlab-lab [name="{name}"]')


def test_python_reads_what_is_typed_and_two_views_stay_in_step(tab):
    for number in (0, 1, 2):  # anew, whatever another test has typed
        run(tab, number)
    assert fields(tab, "errors").count() == 2
    assert python_has(tab) == (7, 200)
    fields(tab, "errors").nth(0).fill("3")
    expect(fields(tab, "errors").nth(1)).to_have_value("3")
    fields(tab, "cases").nth(1).fill("150")
    expect(fields(tab, "cases").nth(0)).to_have_value("150")
    # a reader's typing reaches the kernel without pressing a button
    assert any(python_has(tab) == (3, 150) for _ in range(100))


def test_python_sets_what_is_seen(tab):
    run(tab, 4)
    for place in (0, 1):
        expect(fields(tab, "errors").nth(place)).to_have_value("11")
    upper = tab.locator('[data-out="upper"]')
    assert upper.nth(0).get_attribute("data-value") == upper.nth(1).get_attribute("data-value")


def test_what_cannot_be_never_reaches_python(tab):
    before = python_has(tab)
    fields(tab, "errors").nth(0).fill("999999")
    expect(tab.locator(".lab-wrong").first).to_contain_text("whole number")
    assert python_has(tab) == before
    fields(tab, "errors").nth(0).fill(str(before[0]))


@pytest.mark.parametrize("control", [".lab-copy", "summary", "[data-add='1']", "[type='file']"])
def test_a_key_on_a_control_is_no_command_of_the_notebook(tab, control):
    """In command mode `d d` deletes a cell and `b` adds one."""
    before = tab.evaluate(CELLS_NOW)
    for keys in ("dd", "b"):
        tab.locator(f".errlab-lab {control}").first.focus()
        for key in keys:
            tab.keyboard.press(key)
    assert tab.evaluate(CELLS_NOW) == before


def test_buttons_work_with_a_kernel(tab):
    box = tab.locator(".errlab-lab", has=tab.locator("[data-add]"))
    box.get_by_role("button", name="Draw 100").click()
    expect(box.locator(".lab-count")).to_contain_text("of 100", timeout=RUN_MS)


@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_axe_finds_no_violation_in_the_notebook(tab, theme):
    tab.evaluate(
        "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme
    )
    light = "true" if theme.endswith("Light") else "false"
    tab.wait_for_selector(f'body[data-jp-theme-light="{light}"]', timeout=RUN_MS, state="attached")
    tab.wait_for_function("document.getAnimations().every(a => a.playState === 'finished')")
    assert violations(tab, context=".errlab-lab") == []
