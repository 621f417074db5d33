"""The decks in a real browser, at 1280 x 720: all can be read, and each slide asks or shows."""

import re

import pytest
from browser import ROOT

pytestmark = pytest.mark.site
NAMES = sorted(path.stem for path in (ROOT / "teaching" / "decks").glob("*.ipynb"))

# Of a picture its words and its frame; a line may end outside, where the frame hides it.
LOOK = """() => Reveal.getSlides().map((slide, number) => {
  Reveal.slide(number);
  const seen = [...slide.querySelectorAll('*')].filter(e =>
    e.getClientRects().length && !e.closest('aside, .errlab-said') && !e.matches('svg :not(text)'));
  const text = seen.filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()));
  const scale = ({a, b}) => Math.hypot(a, b);  // of a picture, whose words may be turned
  const size = e => parseFloat(getComputedStyle(e).fontSize)
    * scale(e.getScreenCTM?.() ?? {a: 1, b: 0});
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
    tab = visit(decks / f"{name}.slides.html")  # no script may fail, and no other host be asked
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


def test_there_is_a_deck_for_each_week_with_chapters():
    syllabus = (ROOT / "book" / "syllabus.md").read_text("utf-8")
    assert {f"week{week}" for week in re.findall(r"^\| (\d+) \| \[", syllabus, re.M)} <= {*NAMES}
