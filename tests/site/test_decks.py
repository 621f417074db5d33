"""The decks in a real browser, at 1280 x 720: all is legible, and each slide asks or shows."""

import re

import nbformat
import pytest
from browser import ROOT

pytestmark = pytest.mark.site
NAMES = sorted(path.stem for path in (ROOT / "teaching" / "decks").glob("*.ipynb"))

# Texts and frame of each picture; lines may extend beyond the frame, which clips them.
LOOK = """() => Reveal.getSlides().map((slide, number) => {
  Reveal.slide(number);
  const seen = [...slide.querySelectorAll('*')].filter(e =>
    e.getClientRects().length && !e.closest('aside, .errlab-said') && !e.matches('svg :not(text)'));
  const text = seen.filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()));
  const scale = ({a, b}) => Math.hypot(a, b);  // of a picture, whose words may be turned
  const size = e => parseFloat(getComputedStyle(e).fontSize)
    * (e.getScreenCTM ? scale(e.getScreenCTM() ?? {a: 1, b: 0}) : e.currentCSSZoom ?? 1);
  const cut = seen.filter(e => {
    const box = e.getBoundingClientRect();
    return box.left < 0 || box.top < 0 || box.right > 1280 || box.bottom > 720;
  });
  return {
    cut: cut.map(e => e.outerHTML.slice(0, 80)),
    small: text.filter(e => size(e) < 20).map(e => `${size(e).toFixed(1)}: ${e.textContent}`),
    reason: text.some(e => e.closest('svg') || /[?\\d]/.test(e.textContent)),
    formulas: slide.querySelectorAll('math').length,
    notes: slide.querySelector('aside.notes')?.textContent ?? '',
    title: slide.querySelector('h1, h2')?.textContent ?? '',
  };
})"""


@pytest.mark.parametrize("name", NAMES)
def test_a_deck_can_be_read_and_each_slide_asks_or_shows_something(visit, decks, name):
    tab = visit(decks / f"{name}.slides.html")  # fails on script errors and foreign hosts
    tab.set_viewport_size({"width": 1280, "height": 720})
    slides = tab.evaluate(LOOK)
    assert 1 < len(slides) <= 15
    assert sum(slide["formulas"] for slide in slides) <= 1
    for slide in slides:
        assert slide["cut"] == [], slide["title"]
        assert slide["small"] == [], slide["title"]
        assert slide["reason"], slide["title"]
        assert "Say." in slide["notes"], slide["title"]
        assert "Goes wrong." in slide["notes"], slide["title"]


@pytest.mark.parametrize("name", ["week1", "week4"])
def test_a_clicker_turns_the_page_where_a_control_was_touched(visit, decks, name):
    tab = visit(decks / f"{name}.slides.html")
    place = "Reveal.getIndices().h"
    touched = "Reveal.getSlides().map(s => Boolean(s.querySelector('input, button, select')))"
    numbers = [i for i, found in enumerate(tab.evaluate(touched)) if found]
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
