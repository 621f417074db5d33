"""A mark shows its value to pointer and keyboard; a figure's data are a table and a file."""

import csv
import io
import re

import numpy as np
import pytest
from browser import probe, set_view, violations
from labs_in_browser import CASES, drawing, drawn, root
from playwright.sync_api import expect

from errlab_book import labs, show

pytestmark = [pytest.mark.site, pytest.mark.slow]

SLIDER = "Values of this figure"


def test_each_mark_lies_where_it_is_drawn_and_says_its_numbers(visit):
    tab = visit(show(drawing(), alt="Two panels."))
    host = tab.locator(".errlab-picture")
    marks, uses, bars = (host.evaluate(probe(name)) for name in ("marks", "uses", "bars"))
    for x, y, _ in marks[:5]:  # Matplotlib has drawn a marker there
        assert min(np.hypot(x - across, y - up) for across, up in uses) < 0.02
    corners = [np.array(re.findall(r"[\d.]+", d), float).reshape(-1, 2) for d in bars]
    # the middles of the ends of bars
    middles = [(bar[:, 0].max(), bar[:, 1].min() / 2 + bar[:, 1].max() / 2) for bar in corners]
    for x, y, _ in marks[5:]:
        assert min(max(abs(x - across), abs(y - up)) for across, up in middles) < 0.02


def test_a_pointer_tells_a_mark_and_a_key_one_that_stays(visit):
    tab = visit(show(drawing(), alt="Two panels."))
    host, tip = tab.locator(".errlab-picture"), tab.locator(".errlab-tip")
    tab.mouse.move(*host.evaluate(probe("onScreen"))[1])
    expect(tip).to_have_text("CP: n: 10, errors: 2")
    tab.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    tab.mouse.move(1, 1)
    slider = tab.get_by_role("slider", name=SLIDER)
    tab.set_viewport_size({"width": 1280, "height": 200})
    slider.focus()
    tab.keyboard.press("End")
    ring = tab.locator(".errlab-ring")
    before = ring.bounding_box()["y"]
    down = tab.evaluate("() => { const y = scrollY; scrollBy(0, -30); return y - scrollY; }")
    assert down > 0
    tab.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    assert ring.bounding_box()["y"] == pytest.approx(before + down, abs=1)
    expect(tip).to_have_text("bars: 6.25%, forest")


def test_data_is_a_table_and_a_file_and_text_without_scripts(visit):
    tab = visit(*[show(drawing(), alt="Two panels.")] * 2)
    for summary in tab.get_by_text("Data of this figure").all():
        summary.click()
    table = tab.locator(".errlab-numbers")
    expect(table).to_have_count(2)
    expect(table.first).to_be_visible()
    rows = table.first.locator("tr").evaluate_all(
        "rows => rows.map(row => Array.from(row.cells, cell => cell.textContent))"
    )
    assert rows[0] == ["panel", "series", "x", "y"]
    assert rows[1] == ["1", "CP", "1", "3"]
    assert ["1", "line", "20", ""] in rows, "a line across a panel has no number along itself"
    assert rows[-1] == ["2", "bars", "0.0625", "forest"]
    with tab.expect_download() as saved:
        tab.get_by_role("link", name="Save as CSV").first.click()
    text = saved.value.path().read_text("utf-8")
    assert list(csv.reader(io.StringIO(text))) == rows
    for width, scheme in ((1280, "light"), (390, "dark")):
        set_view(tab, width, scheme)
        assert violations(tab) == []


def test_the_marks_of_a_lab_have_values(visit):
    names = sorted({*labs.LABS} - {"ranks"})
    tab = visit(*(drawn(name, **CASES["full"].get(name, {})) for name in names))
    for name in names:
        box = root(tab, name)
        marks = box.locator(".lab-figure").first.evaluate(probe("marks"))
        assert len(marks) >= 3, name
        assert all(np.isfinite(place).all() and re.search(r"\d", text) for *place, text in marks)
        box.get_by_role("slider", name=SLIDER).first.press("End")
        expect(tab.locator(".errlab-tip")).to_have_text(marks[-1][2])
    assert violations(tab) == []
