"""A mark shows its value to pointer and keyboard; a figure's data are a table and a file."""

import csv
import io
import re

import numpy as np
import pytest
from browser import set_view, violations
from labs_in_browser import lab
from matplotlib.figure import Figure
from playwright.sync_api import expect

from errlab_book import explore, labs, show

pytestmark = [pytest.mark.site, pytest.mark.slow]

MARKS = """host => { const { marks } = errlabMarks.marksOf(host);
  return marks.map(({ at, text }) => [...at, text]); }"""
ON_SCREEN = """host => { const { svg, marks } = errlabMarks.marksOf(host);
  return marks.map(mark => errlabMarks.onScreen(svg, mark)); }"""
SLIDER = "Values of this figure"


def drawing():
    """Curves on a logarithmic axis, bars with names and percentages, a line across a panel."""
    figure = Figure(figsize=(6, 3), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.plot([1, 10, 100], [3.0, 2.0, 1.0], "o-", label="CP")
    left.scatter([5, 50], [1.25, 2.75])
    left.axvline(20)
    left.set(xscale="log", xlabel="$n$", ylabel="errors")
    right.barh(["SVM", "forest"], [0.125, 0.0625])
    right.xaxis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
    return figure


USES = """host => Array.from(host.querySelectorAll('use'), use =>
  [Number(use.getAttribute('x')), Number(use.getAttribute('y'))])"""
BARS = """host => Array.from(host.querySelectorAll('path'), path => path.getAttribute('d'))
  .filter(d => /^M [^z]*z\\s*$/.test(d))"""


def test_each_mark_lies_where_it_is_drawn_and_says_its_numbers(visit):
    tab = visit(show(drawing(), alt="Two panels."))
    host = tab.locator(".errlab-picture")
    marks, uses = host.evaluate(MARKS), host.evaluate(USES)
    for x, y, _ in marks[:5]:  # Matplotlib has drawn a marker there
        assert min(np.hypot(x - across, y - up) for across, up in uses) < 0.02
    bars = [np.array(re.findall(r"[\d.]+", d), float).reshape(-1, 2) for d in host.evaluate(BARS)]
    for x, y, _ in marks[5:]:  # the middle of the end of a bar
        assert any(
            abs(x - bar[:, 0].max()) < 0.02
            and abs(y - bar[:, 1].min() / 2 - bar[:, 1].max() / 2) < 0.02
            for bar in bars
        )
    assert [mark[2] for mark in marks] == [
        "CP: n: 1, errors: 3",
        "CP: n: 10, errors: 2",
        "CP: n: 100, errors: 1",
        "dots: n: 5, errors: 1.25",
        "dots: n: 50, errors: 2.75",
        "bars: 12.5%, SVM",
        "bars: 6.25%, forest",
    ]


def test_pointer_and_keys_tell_a_mark(visit):
    tab = visit(show(drawing(), alt="Two panels."))
    host, tip = tab.locator(".errlab-picture"), tab.locator(".errlab-tip")
    places = host.evaluate(ON_SCREEN)
    tab.mouse.move(*places[1])
    expect(tip).to_have_text("CP: n: 10, errors: 2")
    tab.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    tab.mouse.move(1, 1)
    slider = tab.get_by_role("slider", name=SLIDER)
    tab.keyboard.press("Tab")
    expect(slider).to_be_focused()
    for key, words in [
        ("ArrowRight", "CP: n: 10, errors: 2"),
        ("ArrowDown", "dots: n: 5, errors: 1.25"),
        ("End", "bars: 6.25%, forest"),
        ("ArrowUp", "dots: n: 5, errors: 1.25"),
        ("Home", "CP: n: 1, errors: 3"),
    ]:
        tab.keyboard.press(key)
        expect(tip).to_have_text(words)
        expect(slider).to_have_attribute("aria-valuetext", words)
    assert violations(tab) == []
    tab.keyboard.press("Tab")
    expect(tip).to_have_count(0)


def test_a_value_by_keyboard_stays_when_the_page_scrolls(visit):
    tab = visit(show(drawing(), alt="Two panels."))
    tab.set_viewport_size({"width": 1280, "height": 200})
    tab.get_by_role("slider", name=SLIDER).focus()
    tab.keyboard.press("End")
    ring = tab.locator(".errlab-ring")
    before = ring.bounding_box()["y"]
    down = tab.evaluate("() => { const y = scrollY; scrollBy(0, -30); return y - scrollY; }")
    assert down > 0
    tab.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    assert ring.bounding_box()["y"] == pytest.approx(before + down, abs=1)
    expect(tab.locator(".errlab-tip")).to_have_text("bars: 6.25%, forest")


@pytest.mark.parametrize("view", [(1280, "light"), (390, "dark")])
def test_data_is_a_table_and_a_file(view, visit):
    tab = visit(show(drawing(), alt="Two panels."), width=view[0])
    set_view(tab, *view)
    tab.get_by_text("Data of this figure").click()
    expect(tab.locator(".errlab-numbers")).to_be_visible()
    rows = tab.locator(".errlab-numbers tr").evaluate_all(
        "rows => rows.map(row => Array.from(row.cells, cell => cell.textContent))"
    )
    assert rows[0] == ["panel", "series", "x", "y"]
    assert rows[1] == ["1", "CP", "1", "3"]
    assert ["1", "line", "20", ""] in rows, "a line across a panel has no number along itself"
    assert rows[-1] == ["2", "bars", "0.0625", "forest"]
    with tab.expect_download() as saved:
        tab.get_by_role("link", name="Save as CSV").click()
    text = saved.value.path().read_text("utf-8")
    assert list(csv.reader(io.StringIO(text))) == rows
    assert violations(tab) == []


def test_several_open_tables_are_accessible(visit):
    tab = visit(*[show(drawing(), alt="Two panels.")] * 2)
    for summary in tab.get_by_text("Data of this figure").all():
        summary.click()
    expect(tab.locator(".errlab-numbers")).to_have_count(2)
    assert violations(tab) == []


def test_without_scripts_the_numbers_are_there_as_text(visit):
    tab = visit(show(drawing(), alt="Two panels."), java_script_enabled=False)
    tab.get_by_text("Data of this figure").click()
    assert "1,CP,10,2\n" in tab.locator(".errlab-data pre").inner_text()


def growing(n):
    ax = Figure(figsize=(4, 3)).subplots()
    ax.plot([0, n], [0, 2 * n], label="twice")
    return ax


def test_marks_and_table_follow_an_explorer(visit):
    tab = visit(explore(growing, n=[1, 2, 3, 4]))
    expect(tab.locator(".errlab-explorer")).to_have_attribute("data-state", "ready")
    tab.get_by_text("Data of this figure").click()
    for n in (4, 2):
        tab.locator(".errlab-control input").fill(str(n - 1))
        expect(tab.locator(".errlab-numbers td").last).to_have_text(str(2 * n))
        marks = tab.locator(".errlab-picture").evaluate(MARKS)
        assert [words for *_, words in marks] == ["twice: 0, 0", f"twice: {n}, {2 * n}"]


def test_an_explorer_has_an_address(visit):
    tab = visit(explore(growing, n=[1, 2, 3, 4]), anchor="#growing=3")
    box = tab.locator(".errlab-explorer")
    expect(box).to_have_attribute("data-frame", "2")
    tab.locator(".errlab-control input").fill("3")
    tab.wait_for_function("location.hash === '#growing=4'")
    tab.get_by_role("button", name="Reset").click()
    tab.wait_for_function("location.hash === ''")
    tab.evaluate("location.hash = '#growing=2'")
    expect(box).to_have_attribute("data-frame", "1")


def test_a_lab_and_an_explorer_share_the_address(visit):
    tab = visit(explore(growing, n=[1, 2, 3, 4]), lab("claim"), anchor="#k=2&growing=3")
    expect(tab.locator(".errlab-explorer")).to_have_attribute("data-frame", "2")
    field = tab.locator('[name="errors"]')
    expect(field).to_have_value("2")
    field.fill("5")
    tab.wait_for_function("location.hash.includes('k=5') && location.hash.includes('growing=3')")


STATES = {
    "bag": {"balls": 3000},
    "climb": {"submitted": "00000,11111,10101", "cases": 5},
    "misses": {"drawn": 12},
    "winner": {"sets": 2, "models": 5},
}


@pytest.mark.parametrize("name", sorted({*labs.LABS} - {"ranks"}))
def test_the_marks_of_a_lab_have_values(name, visit):
    tab = visit(lab(name, **STATES.get(name, {})))
    marks = tab.locator(".lab-figure").first.evaluate(MARKS)
    assert len(marks) >= 3
    assert all(np.isfinite(place).all() and re.search(r"\d", text) for *place, text in marks)
    slider = tab.get_by_role("slider", name=SLIDER).first
    slider.focus()
    tab.keyboard.press("End")
    expect(tab.locator(".errlab-tip")).to_have_text(marks[-1][2])
    assert violations(tab) == []


def test_a_lab_tells_the_numbers_of_errlab(visit):
    made = lab("claim", errors=3, cases=150)
    tab = visit(made)
    words = [text for *_, text in tab.locator(".lab-figure").first.evaluate(MARKS)]
    report = made.report
    number = re.compile(r"([\d.]+)%")
    found = [float(number.search(text)[1]) / 100 for text in words]
    assert found == pytest.approx([0.02, report.upper, report.low, report.high], abs=1e-3)
    assert [text.partition(":")[0] for text in words] == [
        "test error", "one-sided, at most", "two-sided, from", "two-sided, to",
    ]  # fmt: skip
