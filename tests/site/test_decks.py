"""The decks in a real browser, at 1280 x 720: all is legible, and each slide asks or shows."""

import re

import nbformat
import pytest
from browser import ROOT, probe
from marks import nightly

pytestmark = pytest.mark.site
NAMES = sorted(path.stem for path in (ROOT / "teaching" / "decks").glob("*.ipynb"))


@pytest.mark.parametrize("name", NAMES)
def test_a_deck_can_be_read_and_each_slide_asks_or_shows_something(visit, decks, name):
    tab = visit(decks / f"{name}.slides.html")  # fails on script errors and foreign hosts
    tab.set_viewport_size({"width": 1280, "height": 720})
    slides = tab.evaluate(probe("look"))
    assert 1 < len(slides) <= 15
    assert sum(slide["formulas"] for slide in slides) <= 1
    for slide in slides:
        assert slide["cut"] == [], slide["title"]
        assert slide["small"] == [], slide["title"]
        assert slide["reason"], slide["title"]
        assert "Say." in slide["notes"], slide["title"]
        assert "Goes wrong." in slide["notes"], slide["title"]


@pytest.mark.parametrize("name", nightly(["week1", "week4"], "week4"))
def test_a_clicker_turns_the_page_where_a_control_was_touched(visit, decks, name):
    tab = visit(decks / f"{name}.slides.html")
    place = "Reveal.getIndices().h"
    touched = "Reveal.getSlides().map(s => Boolean(s.querySelector('input, button, select')))"
    numbers = [i for i, yes in enumerate(tab.evaluate(touched)) if yes]
    assert len(numbers) >= 3  # explorers, and a lab
    for number in numbers:
        tab.evaluate(f"Reveal.slide({number})")
        tab.locator("section.present :is(input, button, select):visible").first.focus()
        tab.keyboard.press("PageDown")
        assert tab.evaluate(place) == number + 1
        tab.keyboard.press("PageUp")
        assert tab.evaluate(place) == number


def test_the_answer_of_a_poll_stands_in_any_place():
    headings = [
        cell.source
        for name in NAMES
        for cell in nbformat.read(ROOT / "teaching" / "decks" / f"{name}.ipynb", 4).cells
    ]
    right = re.findall(r"^## ([A-D]): ", "\n".join(headings), re.M)
    assert all(len(right) / 5 < right.count(place) < len(right) / 2 for place in "ABC")


def test_there_is_a_deck_for_each_week_with_chapters():
    syllabus = (ROOT / "book" / "syllabus.md").read_text("utf-8")
    assert {f"week{week}" for week in re.findall(r"^\| (\d+) \| \[", syllabus, re.M)} <= {*NAMES}
