"""The built book on a phone, 390 pixels wide: nothing is cut, and what is in a figure can be read.

Needs the built site (``make book``) and a Chromium; without one of them it is skipped, loudly.
"""

import os
import warnings
from pathlib import Path

import pytest
from headless import CHROMIUM, SETTLED

SITE = Path(os.environ.get("ERRLAB_SITE") or Path(__file__).parent.parent / "_build" / "html")
PAGES = sorted(
    path.relative_to(SITE).as_posix()
    for folder in ("notebooks", "book")
    for path in (SITE / folder).glob("*.html")
)
WIDTH = 390
SMALLEST = 11  # pixels

pytestmark = pytest.mark.site
if CHROMIUM is None or not PAGES:
    missing = "a Chromium" if CHROMIUM is None else "the built site (make book)"
    warnings.simplefilter("default")
    pytest.skip(f"PHONE TESTS SKIPPED: {missing} was not found", allow_module_level=True)

# What is wide either fits, or scrolls in a box of its own that fits and has a bar that stays. A
# box that hides what is too wide for it cuts it.
CUT = """() => {
  const width = document.documentElement.clientWidth, found = [];
  const seen = e => e.getClientRects().length && e.checkVisibility({visibilityProperty: true});
  const name = e => `${e.localName}: ${e.textContent.trim().replace(/\\s+/g, ' ').slice(0, 60)}`;
  for (const e of document.querySelectorAll('article :is(table, math, pre, .errlab-picture svg)')) {
    if (!seen(e)) continue;
    const at = e.getBoundingClientRect();
    const inner = e.localName == 'pre' ? e.scrollWidth : 0;
    let left = at.left, right = Math.max(at.right, at.left + inner);
    for (let box = e; box.localName != 'article'; box = box.parentElement) {
      const overflow = getComputedStyle(box).overflowX, edge = box.getBoundingClientRect();
      const drawn = box.localName == 'svg' || box.namespaceURI.includes('MathML');
      if (overflow == 'visible' || drawn) continue;
      const wide = box.scrollWidth > box.clientWidth + 1;
      if (['auto', 'scroll'].includes(overflow)) {
        const bar = parseFloat(getComputedStyle(box, '::-webkit-scrollbar').height);
        if (wide && !(bar >= 5)) found.push('no bar to see: ' + name(e));
        if (wide) [left, right] = [edge.left, edge.right];
      } else if (right > edge.right + 1 || left < edge.left - 1) {
        found.push('hidden by its box: ' + name(e));
        [left, right] = [edge.left, edge.right];
      }
    }
    if (left < -1 || right > width + 1) found.push('out of the page: ' + name(e));
  }
  return found;
}"""
TEXTS = """() => [...document.querySelectorAll('article svg text')]
  .filter(t => t.getClientRects().length && t.textContent.trim())
  .map(t => {
    const m = t.getScreenCTM(), at = t.getBoundingClientRect();
    const svg = t.ownerSVGElement;
    const frame = svg.getBoundingClientRect();
    const open = getComputedStyle(svg).overflow == 'visible';  // what leaves it is seen
    const [left, right] = open ? [0, innerWidth] : [frame.left, frame.right];
    return [t.textContent, parseFloat(getComputedStyle(t).fontSize) * Math.hypot(m.b, m.d),
            Math.max(left - at.left, at.right - right,
                     frame.top - at.top, at.bottom - frame.bottom)];
  })"""


@pytest.fixture(scope="module")
def tab(browser):
    tab = browser.new_page(viewport={"width": WIDTH, "height": 844})
    yield tab
    tab.close()


@pytest.fixture(scope="module", params=PAGES)
def phone(request, tab):
    tab.goto((SITE / request.param).as_uri())
    tab.evaluate("document.fonts.ready")
    tab.wait_for_function(SETTLED)
    return tab


def test_no_table_formula_code_or_figure_is_cut(phone):
    assert phone.evaluate("document.documentElement.scrollWidth") <= WIDTH
    assert phone.evaluate(CUT) == []


def test_text_in_a_figure_is_large_enough_and_inside(phone):
    found = phone.evaluate(TEXTS)
    assert [(text, size) for text, size, _ in found if size < SMALLEST] == []
    assert [(text, over) for text, _, over in found if over > 1] == []


def test_something_was_measured(browser):
    """The measure sees a table that is hidden, and one that scrolls without a bar."""
    tab = browser.new_page(viewport={"width": WIDTH, "height": 844})  # phone may be open still
    table = "<table style='width: 600px'><tr><td>x</td></tr></table>"
    for box, said in (("hidden", "hidden by its box"), ("auto", "no bar to see")):
        tab.set_content(f"<article><div style='overflow-x: {box}'>{table}</div></article>")
        assert [word.partition(": ")[0] for word in tab.evaluate(CUT)] == [said]
    tab.set_content(f"<article>{table}</article>")
    assert [word.partition(": ")[0] for word in tab.evaluate(CUT)] == ["out of the page"]
    tab.close()
