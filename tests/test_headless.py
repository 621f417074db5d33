"""What the browser tests take for settled or for the same is so: planted faults are found.

Needs a Chromium; without one it is skipped, loudly.
"""

import warnings

import pytest
from headless import CHROMIUM, LOOKS, SETTLED, violations

pytestmark = pytest.mark.site
if CHROMIUM is None:
    warnings.simplefilter("default")
    pytest.skip("TESTS OF LOOKS SKIPPED: no Chromium was found", allow_module_level=True)

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Looks</title><style>
body {{ background: #fff; color: #333; font: 16px sans-serif; }}
p {{ position: relative; height: 30px; width: 300px; }} .under, .over {{ position: absolute; }}
.under, .over {{ inset: 0; background: #444; z-index: -1; }} .over {{ z-index: auto; }}
@media (max-width: 600px) {{ .narrow {{ color: #aaa; }} }}
@media (prefers-color-scheme: dark) {{ .dark {{ color: #aaa; }} }}
.letter::first-letter {{ color: #333; }}
</style></head><body><main><h1>Looks</h1>{}{}</main></body></html>"""
WORDS = "<p>Words that <b>are</b> there</p>"
# Each looks like the words before it but for one thing, and cannot be read.
FAULTS = {
    "colour": '<p style="color: #aaa">Words that are there</p>',
    "ground": '<p style="background: #555">Words that are there</p>',
    "ground of what it is in": '<div style="background: #555"><p>Words that are there</p></div>',
    "opacity": '<p style="opacity: 0.4">Words that are there</p>',
    "opacity of what it is in": '<div style="opacity: 0.4"><p>Words that are there</p></div>',
    "behind": '<p><i class="under"></i>Words that are there</p>',
    "blend": '<div style="background: #555"><p style="mix-blend-mode: multiply">Words</p></div>',
    "shadow": '<p style="text-shadow: 0 0 1px #333">Words that are there</p>',
    "fill": '<p style="-webkit-text-fill-color: #bbb">Words that are there</p>',
    "another ground for one word": '<p>Words <b style="background: #555">are</b> there</p>',
}
SIZES = '<p style="color: #888; font-size: 30px">Large</p><p style="color: #888">Words, small</p>'
BOXES = "".join(
    f'<p><u style="opacity: {faint}; position: absolute; inset: 0; z-index: -1">'
    '<i class="under" style="z-index: 0"></i></u>Words that are there</p>'
    for faint in (0.05, 1)
)
WEIGHTS = """<p style="color: #888; font: bold 20px sans-serif">Large</p>
<p style="color: #888; font: 20px sans-serif">Words, small</p>"""


@pytest.fixture
def show(tabs):
    def show(*parts, width=1000):
        tab = tabs.open("about:blank", width)
        tab.set_content(PAGE.format(*parts))
        return tab

    yield show
    assert tabs.leave()[1] == []


@pytest.mark.parametrize(
    "fault", [*FAULTS.values(), SIZES, WEIGHTS, BOXES], ids=[*FAULTS, "size", "bold", "box"]
)
def test_words_that_cannot_be_read_are_found_among_those_that_can(show, fault):
    tab = show(20 * WORDS, fault + 20 * WORDS)
    found = violations(tab)
    counts = tab.evaluate("axeLooks")
    assert counts["evaluated"] < 10 < counts["asked"]
    assert found == violations(show(20 * WORDS, fault + 20 * WORDS), looks=None)
    assert len(found) == 1 or "shadow" in fault, found


@pytest.mark.parametrize("view", ["narrow", "dark"])
def test_each_view_is_looked_at_anew(show, view):
    tab = show(f'<p class="{view}">Words</p>', f'<p class="{view}">Other words</p>')
    assert violations(tab) == []
    tab.set_viewport_size({"width": 390, "height": 900})
    assert len(violations(tab)) == (2 if view == "narrow" else 0)
    tab.emulate_media(color_scheme="dark")
    assert len(violations(tab)) == 2


FIGURE = '<svg><path d="M 0 0 L 9 9"/><text y="{0}" transform="rotate({0})">Tick</text></svg>'


@pytest.mark.parametrize(
    "words",
    [
        f'<div style="background: linear-gradient(#fff, #eee)">{20 * WORDS}</div>',
        "".join(FIGURE.format(i) for i in range(30)),
    ],
    ids=["gradient", "figure"],
)
def test_what_stands_in_front_of_a_picture_is_asked_once(show, words):
    tab = show(words, "")
    assert violations(tab) == []
    assert tab.evaluate("axeLooks")["evaluated"] < 5
    assert tab.evaluate("axeLooks")["asked"] > 20


def test_other_rules_are_as_they_were(show):
    faults = '<img src="data:,"><p aria-label="x" role="checkbox">x</p><h4>Too deep</h4>'
    found = violations(show(WORDS, faults))
    assert {"image-alt", "aria-required-attr", "heading-order"} <= {f.split(": ")[1] for f in found}
    assert found == violations(show(WORDS, faults), looks=None)


def test_a_block_that_scrolls_and_cannot_be_reached_is_not_settled(show):
    tab = show(f"<pre style='width: 100px; overflow: auto'>{'long ' * 50}</pre>", "")
    assert not tab.evaluate(SETTLED)
    tab.evaluate("document.querySelector('pre').tabIndex = 0")
    assert tab.evaluate(SETTLED)
    tab.evaluate("document.querySelector('pre').textContent = 'short'")
    assert not tab.evaluate(SETTLED)


def test_looks_are_told_apart_by_axe_that_is_pinned(show):
    """The program changes one function of axe, which must be there."""
    tab = show(WORDS, "")
    violations(tab, looks=None)
    assert tab.evaluate("typeof axe._audit.checks['color-contrast'].evaluate") == "function"
    tab.evaluate(LOOKS)
    assert violations(tab) == []
