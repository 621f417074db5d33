"""Exercises, quizzes, guesses and progress in a real browser, on a page opened from a file."""

import functools

import lxml.html
import numpy as np
import pytest
from browser import CHAPTERS, ROOT, VIEWS, probe, reload, set_view, violations
from labs_in_browser import CASES
from playwright.sync_api import expect

from errlab_book import exercises, guess, quiz

KEYS = list(exercises.EXERCISES)
SCRIPT = (ROOT / "book" / "_static" / "progress.js").read_text(encoding="utf-8")

pytestmark = pytest.mark.site


@functools.cache
def field(key):
    return exercises.EXERCISES[key].html()


def all_said(tab, tries):
    """Return what the page says to each of these answers, ``(key, values)``."""
    asked = [[f"check-{key.replace('.', '-')}", list(map(str, values))] for key, values in tries]
    return tab.evaluate(probe("answer"), asked)


def said(tab, key, *values):
    return all_said(tab, [(key, values)])[0]


def attempts(key, rng):
    """Answers to type: right ones, known mistakes, percentages, near misses, and all kinds."""
    entry = exercises.EXERCISES[key]
    if entry.asks == "choice":
        return [[choice] for choice in entry.choices]
    right = np.atleast_1d(entry.answer()).astype(float)
    numbers = [right, 100 * right, 1 - right, right + 1, -right]
    numbers += [np.broadcast_to(np.asarray(v), len(right)) for v in entry.wrong.values()]
    numbers += [right + entry.tolerance * away for away in (*rng.uniform(-2, 2, 6), 40)]
    typed = [[repr(float(v)) for v in values] for values in numbers]
    percent = [f"{100 * v!r}%" for v in right.tolist()]
    return [*typed, percent, *([text] * len(right) for text in CASES["answers"])]


@pytest.mark.parametrize("keys", [KEYS[::4], pytest.param(KEYS, marks=pytest.mark.nightly)])
def test_the_page_says_what_python_says(keys, visit):
    rng = np.random.default_rng(3)
    tries = [(key, values) for key in keys for values in attempts(key, rng)]
    for (key, values), got in zip(tries, all_said(visit(*map(field, keys)), tries), strict=True):
        entry = exercises.EXERCISES[key]
        python = exercises.check(key, values if entry.parts else values[0])
        assert got.startswith("\u2713" if python.right else "\u2717"), (key, values)
        message = python.message.lower().removeprefix("not yet. ")
        if not message.endswith(entry.hints[0].lower()):  # the hint is beside the field
            assert got[2:].lower() == message, (key, values)


def test_by_keyboard_and_aloud(visit):
    tab = visit(field("3.1"), field("3.3"))
    answer, box = tab.get_by_label("Your answer to 3.1"), tab.locator("#check-3-1 [aria-live]")
    answer.press("Enter")
    expect(box).to_have_text("No answer yet.")
    tab.keyboard.type("3.62 %")
    tab.keyboard.press("Enter")
    expect(box).to_contain_text("two-sided")
    assert answer.get_attribute("aria-invalid") == "true"
    for name in ("Check answer 3.1", "Hint", "Second hint"):
        tab.keyboard.press("Tab")
        assert tab.evaluate("document.activeElement.textContent") == name
        if "int" in name:
            tab.keyboard.press("Enter")
    hints = tab.locator("#check-3-1 details p").all_inner_texts()
    assert hints == list(exercises.EXERCISES["3.1"].hints)
    for key in ("Tab", "Space", "ArrowDown"):
        tab.keyboard.press(key)
    assert tab.locator("#check-3-3 [aria-live]").inner_text() == "", "moving answers nothing"
    # where nothing may be stored, it works as well
    tab.evaluate("Object.defineProperty(window, 'localStorage', {get() { throw new Error(); }})")
    assert said(tab, "3.1", "2.95%") == "\u2713 Right."


COIN = guess("Heads?", answer="yes", choices={"yes": "So it was.", "no": "It was heads."})
SHARE = guess("Which share?", answer="46%", value=0.46, within=0.02)


def test_axe_and_width(visit):
    whole = quiz.load(ROOT / "book" / "quizzes" / "review3.toml")
    tab = visit(*map(field, ["3.1", "3.3", "1.2", "13.4", "1.4"]), COIN, SHARE, whole)
    said(tab, "3.1", "0.4")
    said(tab, "1.2", "50%", "35%")
    for folded in tab.locator("summary").all():
        folded.click()
    for width, scheme in VIEWS:
        set_view(tab, width, scheme)
        assert violations(tab) == []
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def explained(asked, more="", rest=""):
    """A cell with a guess, the cell that explains it with `more`, and the rest of a page."""
    return (
        f'<div class="cell">{asked.html()}<div class="errlab-explorer">Explorer</div></div>'
        f'<div class="cell" id="why"><p>The explanation.</p>{more}</div>{rest}'
    )


def test_the_explanation_opens_after_the_guess(visit):
    tab = visit(explained(COIN))
    why, box = tab.locator("#why"), tab.locator(".errlab-guess [aria-live]")
    assert not why.is_visible()
    tab.get_by_role("button", name="Guess").click()
    assert box.inner_text() == "No answer yet."
    assert not why.is_visible()
    tab.get_by_label("no").focus()
    tab.keyboard.press("Space")
    tab.keyboard.press("Enter")
    assert why.is_visible()
    assert box.inner_text() == "\u2717 You guessed: no. It was heads."
    reload(tab)
    assert why.is_visible(), "what was guessed stays"


def test_on_paper_and_without_scripts_all_is_open_and_there_is_no_field(visit):
    tab = visit(explained(COIN))
    tab.emulate_media(media="print")
    assert tab.locator("#why").is_visible()
    tab = visit(explained(COIN), field("3.1"), java_script_enabled=False)
    assert tab.locator("#why").is_visible()
    assert not tab.get_by_role("button", name="Guess").is_visible()
    assert not tab.locator("#check-3-1 input").is_visible()
    tab.locator("summary").first.click()
    assert tab.locator("#check-3-1 details p").first.is_visible()


def folding(blocks):
    return guess(
        "Tails?", answer="no", choices={"yes": "It was heads.", "no": "Yes."}, folds=blocks
    )


FORMULA = '<div class="math">x</div><p id="rest">where x is known.</p><p id="next">Then on.</p>'
PICTURE = """<p id="more">More.</p><div class="cell" id="drawn"><details><summary>move</summary>
</details></div><p id="next">Next.</p>"""
SECTION = '<section id="end"><h2>What could have been said</h2><p>Heads.</p></section>'
# the guess and what follows it; what is folded of that, and what is not
FOLDS = [
    # a figure or report is folded with its explanation, and what asks is not
    (explained(COIN, '<details class="errlab-data"><summary>Data</summary></details>'), "why", ""),
    (explained(COIN, "<details><summary>Evidence and conditions</summary></details>"), "why", ""),
    (explained(COIN, "<form><p>What asks stands by itself.</p></form>"), "", "why"),
    # a formula and the rest of its sentence are folded with what leads to them
    (explained(COIN, rest=FORMULA), "why rest", "next"),
    (explained(COIN, rest=FORMULA.replace('div class="math"', 'div class="math" id="x"')), "x", ""),
    # as many blocks as the guess says; of a case all that follows, over headings
    (explained(folding(3), rest=PICTURE), "why more drawn", "next"),
    (explained(folding(99), rest=SECTION), "why end", ""),
]


def test_a_guess_folds_what_explains_it(visit):
    for fragment, folded, others in FOLDS:
        tab = visit(fragment)
        for name in folded.split():
            assert not tab.locator(f"#{name}").is_visible(), (fragment, name)
        for name in others.split():
            assert tab.locator(f"#{name}").is_visible(), (fragment, name)
        if "Tails" in fragment:
            tab.get_by_role("button", name="Show anyway").click()
            for name in folded.split():
                assert tab.locator(f"#{name}").is_visible(), (fragment, name)


def test_numbers_are_compared_and_words_unveiled_as_python_says(visit):
    rng = np.random.default_rng(0)
    asked = ((0.462, 0.02), (27.0, 3.0), (-1.5, 0.25))
    tab = visit(*(guess("How much?", answer=f"≈ {v:g}", value=v, within=w) for v, w in asked))
    for place, (value, within) in enumerate(asked):
        answer = tab.get_by_label("Your guess").nth(place)
        box = tab.locator(".errlab-guess [aria-live]").nth(place)
        for typed in [value, value + 0.9 * within, value - 1.6 * within, *rng.normal(value, 1, 3)]:
            answer.fill(f"{typed:.6f}")
            answer.press("Enter")
            sign = "✓" if abs(typed - value) <= within else "✗"
            expect(box).to_have_text(f"{sign} You guessed {typed:.6f}; it is ≈ {value:g}.")


PROGRESS = f"""<nav class="bd-links"><a class="reference" href="01_answers.html">One</a>
<a class="reference" href="02_other.html">Two</a></nav>
<section class="errlab-progress" id="errlab-progress" aria-label="Your answers so far" hidden>
<p>Kept here.</p><ul></ul><p><button type="button">Erase my answers</button>
<span aria-live="polite"></span></p></section><script>{SCRIPT}</script>"""


def test_progress_is_kept_shown_and_erased(visit):
    tab = visit(PROGRESS, field("3.1"), field("16.4"), COIN)
    box, links = tab.locator("#errlab-progress"), tab.locator("nav a")
    assert not box.is_visible()
    said(tab, "3.1", "3.62%")
    assert "0/3" in links.first.inner_text()
    said(tab, "3.1", "2.95%")
    said(tab, "16.4", "150")
    reload(tab)
    assert "1/3" in links.first.inner_text()
    assert "/" not in links.nth(1).inner_text()
    assert box.locator("li").inner_text() == "One: 1 of 3 done, 1 tried"
    assert tab.locator("#check-3-1").get_attribute("data-done") == "right"
    said(tab, "3.1", "0.5")
    assert "1/3" in links.first.inner_text(), "right once is right"
    tab.get_by_role("button", name="Erase my answers").click()
    assert box.locator("[aria-live]").inner_text().startswith("Erased.")
    assert tab.evaluate("localStorage.length") == 0
    assert tab.locator("[data-done]").count() == 0
    assert links.first.inner_text() == "One"
    # counts alone can be erased as well
    tab.evaluate("localStorage.setItem('errlab-numbers', '{\"errors\": 12}')")
    reload(tab)
    assert "Counts that you typed" in box.locator("li").inner_text()
    box.get_by_role("button").click()
    assert tab.evaluate("localStorage.length") == 0
    assert box.locator("li").count() == 0


def test_whatever_is_stored_no_page_breaks(visit):
    tab = visit(PROGRESS, field("3.1"), COIN)
    for junk in CASES["kept"]:
        for key in ("errlab", "errlab-numbers"):
            tab.evaluate("([key, junk]) => localStorage.setItem(key, junk)", [key, junk])
        reload(tab)
        assert not tab.locator("#errlab-progress li").count(), junk
        said(tab, "3.1", "2.95%")
        assert tab.locator("#errlab-progress li").inner_text() == "One: 1 of 2 done", junk


def test_the_built_chapters_hold_the_fields(site):
    """Every exercise of the chapters in the book."""
    forms = "//form[@class='errlab-check']/@data-answer"
    there = {key for page in CHAPTERS for key in lxml.html.parse(site / page).xpath(forms)}
    numbers = {page[10:12] for page in CHAPTERS}
    assert there == {key for key in KEYS if f"{key.split('.')[0]:0>2}" in numbers}
