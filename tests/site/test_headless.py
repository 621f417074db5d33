"""What the browser tests take for settled or for the same is so: planted faults are found.

Needs a Chromium; without one it is skipped, loudly.
"""

import warnings

import pytest
from headless import CHROMIUM, QUICK_AXE, SETTLED, violations

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
@media (min-width: 601px) {{ .late {{ display: none; }} }}
.gone {{ display: none; }} .unseen {{ visibility: hidden; }} .pale {{ color: #aaa; }}
.framed::before {{ content: ''; position: absolute; inset: 0; background: #fff; }}
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
    "a neighbour's ground": '<div style="position: relative"><p>Words</p><i class="over" '
    'style="background: #555; z-index: -1"></i></div>',
    "in what scrolls": '<pre tabindex="0" style="width: 90px; overflow: auto">'
    f'<b style="color: #aaa">Words</b>{" that are there" * 9}</pre>',
}
# The first of these is of no account, or axe cannot tell; that says nothing of the second.
FIRSTS = {
    "one letter": '<p class="pale">W</p>',
    "no letter": '<p class="pale">(!)</p>',
    "emoji": '<p class="pale">\N{GRINNING FACE}</p>',
    "without a name": '<p class="pale" aria-hidden="true">Words</p>',
    "inert": '<div inert><p class="pale">Words</p></div>',
    "switched off": '<label><p class="pale">Words</p><input disabled></label>',
    "folded": '<details><summary>More</summary><p class="pale">Words</p></details>',
    "outside": '<div style="margin-left: -900px"><p class="pale">Words</p></div>',
    "cut off": '<div style="overflow: hidden; height: 0"><p class="pale">Words</p></div>',
    "framed": '<div class="framed"><p class="pale">Words</p></div>',
    "covered": '<div style="position: relative"><p class="pale" style="position: static">Words</p>'
    '<i style="position: absolute; inset: 0"></i></div>',
    "on a picture": '<div style="background: linear-gradient(#fff, #eee)"><p class="pale">A</p>'
    "</div>",
    "on a neighbour": '<div style="position: relative"><p class="pale">Words</p>'
    '<i class="over" style="z-index: -1; background: #111"></i></div>',
}
# A dark box that can be read, and words that have left it.
LEFT = "".join(
    '<div style="background: #333; color: #eee; position: relative; height: 30px; margin: 50px">'
    f'<b style="position: absolute; top: {top}px">Words</b></div>'
    for top in (0, 40)
)
LINK = "link-in-text-block"  # the quick way only suspects it
# What no shortcut may drop because it stands in words or figures: the rule that finds it.
MEANT = {
    "no such attribute": ("aria-valid-attr", 'Words <span aria-foo="x">are</span>'),
    "no such role": ("aria-roles", 'Words <em role="foo">are</em>'),
    "an order of its own": ("tabindex", 'Words <span tabindex="5">are</span>'),
    "no such language": ("valid-lang", 'Words <span lang="nope">are</span>'),
    "spaced": (
        "avoid-inline-spacing",
        'Words <b style="word-spacing: 2px !important">are</b>',
    ),
    "a checkbox": ("aria-required-attr", '<span role="checkbox" aria-label="x">x</span>'),
    "an empty button": ("button-name", '<button><span class="x"></span></button>'),
    "a hidden name": ("link-name", '<a href="#x"><span class="gone">Gone</span></a>'),
    "an unseen label": ("label", '<label><i class="unseen">x</i> <input></label>'),
    "a nested button": (
        "nested-interactive",
        '<span role="button" tabindex="0"><em>x <a href="#x">y</a></em></span>',
    ),
    "hidden, with focus": ("aria-hidden-focus", '<i aria-hidden="true"><a href="#x">y</a></i>'),
    "a picture": ("image-alt", 'Words <em><img src="data:,"></em>'),
    "a figure": ("svg-img-alt", '<svg><g role="img"><path d="M 0 0"/></g></svg>'),
    "a shape": ("aria-valid-attr", '<svg><g><path aria-foo="x" d="M 0 0"/></g></svg>'),
    "a shape with focus": ("tabindex", '<svg><g tabindex="5"><path d="M 0 0"/></g></svg>'),
    "no heading": ("empty-heading", "</p><h2><span></span></h2><p>"),
    "loose in a list": ("list", "</p><ul><span>Loose</span><li>Item</li></ul><p>"),
    "loose in definitions": ("definition-list", "</p><dl><em>Loose</em></dl><p>"),
    "code that scrolls": (
        "scrollable-region-focusable",
        f'</p><pre style="width: 50px; overflow: auto">{"<b>long</b> " * 9}</pre><p>',
    ),
    "a link by colour": (
        LINK,
        'Words that are <a href="#x" style="color: #444; text-decoration: none">so</a>, really',
    ),
    "outside of all": ("region", "</p></main><pre><span>Outside</span></pre><main><p>"),
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


def ids(found):
    return {line.split(": ")[1] for line in found}


@pytest.mark.parametrize(
    "fault",
    [*FAULTS.values(), SIZES, WEIGHTS, BOXES, LEFT],
    ids=[*FAULTS, "size", "bold", "box", "left"],
)
def test_words_that_cannot_be_read_are_found_among_those_that_can(show, fault):
    tab = show(20 * WORDS, fault + 20 * WORDS)
    found = violations(tab)
    counts = tab.evaluate("axeCounts")
    assert counts["evaluated"] < 10 < counts["words"]
    assert found == violations(tab, quick=False)
    assert len(found) == 1 or "shadow" in fault, found


@pytest.mark.parametrize("first", FIRSTS.values(), ids=FIRSTS)
def test_the_first_of_its_look_does_not_answer_for_all_where_it_is_of_no_account(show, first):
    tab = show(first, '<p class="pale" id="last">Words</p>')
    assert ids(violations(tab)) == {"color-contrast"}
    tab.evaluate("document.getElementById('last').className = ''")
    assert violations(tab) == []


@pytest.mark.parametrize(("rule", "fault"), MEANT.values(), ids=MEANT)
def test_what_is_meant_is_found_in_words_and_figures(show, rule, fault):
    tab = show(WORDS, f"<p>{fault}</p>")
    assert rule in ids(violations(tab))
    assert rule in tab.evaluate("axeCounts.violations") or rule == LINK


def test_what_is_shown_only_later_is_found_then(show):
    meant = [(rule, fault) for rule, fault in MEANT.values() if rule != "region"]
    faults = "".join(f"<p>{fault}</p>" for _, fault in meant) + '<p class="pale">Words</p>'
    tab = show(20 * WORDS, f'<div class="late">{faults}</div>')
    assert violations(tab) == []
    tab.set_viewport_size({"width": 390, "height": 900})
    assert ids(violations(tab)) >= {"color-contrast", *(rule for rule, _ in meant)}
    assert {*tab.evaluate("axeCounts.violations")} >= {rule for rule, _ in meant} - {LINK}


def test_a_look_is_known_on_the_next_page_and_no_other_look_is(show):
    assert violations(show(WORDS, "")) == []
    tab = show(WORDS, "")
    assert violations(tab) == []
    assert tab.evaluate("axeCounts.words") > tab.evaluate("axeCounts.evaluated") == 0
    assert violations(tab, runOnly=["color-contrast"]) == []
    for changed in ("color: #aaa", "background: #777", "opacity: 0.4"):
        tab.evaluate("changed => { document.body.style = changed; }", changed)
        assert ids(violations(tab, runOnly=["color-contrast"])) == {"color-contrast"}, changed


def test_what_is_folded_is_read_when_it_is_unfolded(show):
    tab = show('<details><summary>More</summary><p class="pale">Words</p></details>', "")
    assert violations(tab) == []
    tab.evaluate("document.querySelector('details').open = true")
    assert ids(violations(tab)) == {"color-contrast"}


@pytest.mark.parametrize(
    "words",
    [
        "<dialog open>{}</dialog>",
        '<iframe title="Words"></iframe>{}',
        '<div><template shadowrootmode="open">{}</template></div>',
    ],
    ids=["dialog", "frame", "shadow"],
)
def test_where_axe_goes_other_ways_it_is_asked_for_all(show, words):
    tab = show("", "")
    tab.evaluate(
        "words => document.querySelector('h1').insertAdjacentElement('afterend',"
        "Document.parseHTMLUnsafe(words).body.firstElementChild)",
        words.format('<p style="color: #aaa">Words</p>'),
    )
    assert violations(tab) == violations(tab, quick=False)


def test_a_part_is_left_out_only_where_this_is_asked(show):
    tab = show('<article><p class="pale">Words</p></article>', WORDS)
    around = {"context": {"exclude": ["article"]}, "runOnly": ["color-contrast"]}
    assert violations(tab, **around) == []
    assert len(violations(tab)) == 1
    assert len(violations(tab, context="article")) == 1
    assert violations(tab, context="h1") == []
    tab = show("<article><p>Words</p></article>", '<p class="pale">Words</p>')
    assert len(violations(tab, **around)) == 1
    assert violations(tab, context="article") == []


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
    assert tab.evaluate("axeCounts.evaluated") < 5
    assert tab.evaluate("axeCounts.words") > 20


def test_a_block_that_scrolls_and_cannot_be_reached_is_not_settled(show):
    tab = show(f"<pre style='width: 100px; overflow: auto'>{'long ' * 50}</pre>", "")
    assert not tab.evaluate(SETTLED)
    tab.evaluate("document.querySelector('pre').tabIndex = 0")
    assert tab.evaluate(SETTLED)
    tab.evaluate("document.querySelector('pre').textContent = 'short'")
    assert not tab.evaluate(SETTLED)


def test_axe_is_as_it_was_after_it_was_asked_the_quick_way(show):
    """The program changes functions of axe and of the page while it runs; they must be there."""
    state = """() => [axe._audit.checks['color-contrast'].evaluate, document.createTreeWalker,
      axe._audit.checks['link-in-text-block'].evaluate, axe._audit.noHtml,
      axe._audit.rules.find(({id}) => id === 'color-contrast').matches,
      Object.getOwnPropertyDescriptor(Node.prototype, 'childNodes').get].map(String)"""
    tab = show(WORDS, "")
    violations(tab, quick=False)
    before = tab.evaluate(state)
    assert "function" in before[0]
    tab.evaluate(QUICK_AXE)
    assert violations(tab) == []
    assert tab.evaluate(state) == before
