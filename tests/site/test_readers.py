"""What readers do on a page, and what they see then, step by step: data/readers.txt."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from browser import ROOT, probe, reload, violations
from labs_in_browser import CASES, drawing, drawn, lab, near
from matplotlib.figure import Figure
from playwright.sync_api import Keyboard, Locator, Page, expect
from tables import sections

from errlab import bounds
from errlab.statements.scale import RATES
from errlab_book import explore, guess, labs, show
from errlab_book.exercises import EXERCISES
from errlab_book.labs import ranks

pytestmark = pytest.mark.site

SECTIONS = dict(sections("readers.txt"))
PROGRESS = (ROOT / "book" / "_static" / "progress.js").read_text("utf-8")
OPTIONS = {
    "still": {"reduced_motion": "reduce"},
    "phone": {"width": 390},
    "noscript": {"java_script_enabled": False},
    "clipboard": {"permissions": ["clipboard-read", "clipboard-write"]},
}


def growing(n):
    ax = Figure(figsize=(4, 3)).subplots()
    ax.plot([0, n], [0, 2 * n], label="twice")
    return ax


def coin(folds=1):
    """A guess that folds so many blocks."""
    choices = {"yes": "So it was.", "no": "It was heads."}
    return guess("Heads?", answer="yes", choices=choices, folds=folds).html()


def asked(folds=1):
    return f'<div class="cell">{coin(folds)}<div class="errlab-explorer">Explorer</div></div>'


def part(name):
    """Return a part of a page."""
    if name in labs.LABS:
        return drawn(name)
    if name in EXERCISES:
        return EXERCISES[name].html()
    starts = {"n": 2, "k": 20}
    parts = {
        "figure": lambda: show(drawing(), alt="Two panels.").html(),
        "growing": lambda: explore(growing, n=[1, 2, 3, 4]).html(),
        "two": lambda: explore(lambda n, k: n + k, n=range(1, 6), k=[10, 20], start=starts).html(),
        "progress": lambda: f"<script defer>{PROGRESS}</script>",
        "climb50": lambda: drawn("climb", cases=50),
        "coin": coin,
        "asked": asked,
        "asked3": lambda: asked(3),
        "asked99": lambda: asked(99),
    }
    return parts[name]()


def upper(errors, cases, delta=0.05):
    return bounds.clopper_pearson(errors / cases, cases, delta=delta)


def grouped(name):
    """A table of predictions with four rows for each value of this column."""
    return f"{name},y_true,y_pred\n" + "".join(f"{i // 4},0,0\n" for i in range(40))


def darc():
    """The better one of two networks on a board."""
    return next(p for p in lab("ranks").found.pairs if (p.a, p.b) == ("darc", "nas"))


def one(mark=","):
    """A table of predictions with 7 errors in 200."""
    return ("y_true,y_pred\n" + "0,0\n" * 193 + "0,1\n" * 7).replace(",", mark)


NAMES = {
    "one": one,
    "pasted": labs.Predictions(text=one()),
    "sure": labs.Predictions(text=one(), confidence=99),
    "three": labs.Claim(errors=3, cases=150).report,
    "twelve": labs.Claim(errors=12, cases=300),
    "RATES": RATES,
    "labs": labs,
    "ranks": ranks,
    "exercises": EXERCISES,
    "upper": upper,
    "grouped": grouped,
    "darc": darc,
}


def press(place: Locator | Keyboard, keys: str) -> None:
    for key in keys.split():
        place.press(key)


# with the place on the page, and the argument
STEPS: dict[str, Callable[[Locator, str], Any]] = {
    "fill": lambda place, text: place.fill(text),
    "press": press,
    "file": lambda place, content: place.set_input_files(chosen(content)),
    "click": lambda place, _: place.click(),
    "choose": lambda place, option: place.select_option(option),
    "text": lambda place, words: expect(place).to_contain_text(words),
    "exactly": lambda place, words: expect(place).to_have_text(words),
    "value": lambda place, text: expect(place).to_have_value(text),
    "attribute": lambda place, pair: expect(place).to_have_attribute(*pair.split(" = ")),
    "count": lambda place, number: expect(place).to_have_count(int(number)),
    "visible": lambda place, _: expect(place).to_be_visible(),
    "hidden": lambda place, _: expect(place).to_be_hidden(),
    "focused": lambda place, _: expect(place).to_be_focused(),
}


def chosen(content):
    """A file of these bytes."""
    return {"name": "x.csv", "mimeType": "text/csv", "buffer": content.encode("latin-1")}


# with the page, and what the line says
PAGE_STEPS: dict[str, Callable[[Page, str, str], Any]] = {
    "keys": lambda tab, _, keys: press(tab.keyboard, keys),
    # as long as a step that is read would take to set its lab
    "wait": lambda tab, *_: tab.wait_for_timeout(200),
    "store": lambda tab, *pair: tab.evaluate("pair => localStorage.setItem(...pair)", pair),
    "reload": lambda tab, *_: reload(tab),
    "print": lambda tab, *_: tab.emulate_media(media="print"),
    "unanswered": lambda tab, _, board: tab.evaluate(probe("unanswered"), board),
    "holds": lambda tab, truth, _: tab.wait_for_function(f"() => Boolean({truth})"),
}


def take(tab, step, place, argument):
    """Do what a line says, or check that it holds."""
    if step in STEPS:
        STEPS[step](tab.locator(place), argument)
    elif step == "run":
        assert tab.locator(place).first.evaluate(probe(argument)) in (None, True)
    elif step in PAGE_STEPS:
        PAGE_STEPS[step](tab, place, argument)
    elif step == "axe":
        assert violations(tab) == []
    elif step == "number":
        assert float(tab.locator(place).get_attribute("data-value")) == near(float(argument))
    elif step == "copied":
        assert tab.evaluate("navigator.clipboard.readText()") == argument
    else:
        assert step == "marks", f"no step {step}"
        marks = tab.locator(place).evaluate(probe("marks"))
        assert "; ".join(words for *_, words in marks) == argument


def opened(line, html, visit, request):
    """Open the page that the first line of a section names."""
    parts, options = [], {}
    for name in line.split()[1:]:
        if name.startswith("#"):
            options["anchor"] = name
        elif name in OPTIONS:
            options |= OPTIONS[name]
        elif name.endswith(".html"):
            parts.append(request.getfixturevalue("site") / name)
        else:
            parts.append(part(name))
    if "ranks" in line:
        ranks.write_scripts(request.getfixturevalue("tmp_path"))
    return visit(*parts, *html, **options)


def filled(text, x, braces=r"\{(.+?)\}"):
    """Return a text with its values."""
    return re.sub(braces, lambda match: str(eval(match[1], NAMES | {"x": x})), text)


@pytest.mark.parametrize("title", SECTIONS)
def test_readers(title, visit, request):
    lines, rows = SECTIONS[title], [""]
    if lines[0].startswith("for "):
        rows, lines = CASES[lines[0].split()[1]], lines[1:]
    html = [line for line in lines if line.startswith("<")]
    steps = [line for line in lines[1:] if line not in html]
    tab = None
    for x in rows:
        if tab is None or "{x" in lines[0]:
            tab = opened(filled(lines[0], x), html, visit, request)
        for line in steps:
            step, _, rest = line.partition(" ")
            place, _, argument = rest.partition(" | ")
            try:
                take(tab, step, filled(place.strip(), x, r"\{(x.*?)\}"), filled(argument, x))
            except AssertionError as error:
                raise AssertionError(f"{line} ({x}): {error}") from None
