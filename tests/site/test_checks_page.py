"""Exercises, quizzes, guesses and progress in a real browser, on a page opened from a file."""

import functools

import lxml.html
import numpy as np
import pytest
from browser import CHAPTERS, ROOT, VIEWS, probe, set_view, violations
from labs_in_browser import CASES
from playwright.sync_api import expect

from errlab_book import exercises, guess, quiz

KEYS = list(exercises.EXERCISES)

pytestmark = pytest.mark.site


@functools.cache
def field(key):
    """Return an exercise as HTML; it computes its answer and the known mistakes."""
    return exercises.EXERCISES[key].html()


def all_said(tab, tries):
    """Return what the page says to each of these answers, ``(key, values)``."""
    typed = [[f"check-{key.replace('.', '-')}", list(map(str, values))] for key, values in tries]
    return tab.evaluate(probe("answer"), typed)


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
    got_all = all_said(visit(*map(field, keys)), tries)
    for (key, values), got in zip(tries, got_all, strict=True):
        entry = exercises.EXERCISES[key]
        python = exercises.check(key, values if entry.parts else values[0])
        assert got.startswith("\u2713" if python.right else "\u2717"), (key, values)
        message = python.message.lower().removeprefix("not yet. ")
        if not message.endswith(entry.hints[0].lower()):  # the hint is beside the field
            assert got[2:].lower() == message, (key, values)


COIN = guess("Heads?", answer="yes", choices={"yes": "So it was.", "no": "It was heads."})
SHARE = guess("Which share?", answer="46%", value=0.46, within=0.02)


def test_axe_and_width(visit):
    whole = quiz.load(ROOT / "book" / "quizzes" / "review3.toml")
    tab = visit(*map(field, ["3.1", "3.3", "1.2", "13.4", "1.4"]), COIN, SHARE, whole)
    all_said(tab, [("3.1", ["0.4"]), ("1.2", ["50%", "35%"])])
    for folded in tab.locator("summary").all():
        folded.click()
    for width, scheme in VIEWS:
        set_view(tab, width, scheme)
        assert violations(tab) == []
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_numbers_are_compared_and_words_unveiled_as_python_says(visit):
    rng = np.random.default_rng(0)
    questions = ((0.462, 0.02), (27.0, 3.0), (-1.5, 0.25))
    tab = visit(*(guess("How much?", answer=f"≈ {v:g}", value=v, within=w) for v, w in questions))
    for place, (value, within) in enumerate(questions):
        answer = tab.get_by_label("Your guess").nth(place)
        box = tab.locator(".errlab-guess [aria-live]").nth(place)
        for typed in [value, value + 0.9 * within, value - 1.6 * within, *rng.normal(value, 1, 3)]:
            answer.fill(f"{typed:.6f}")
            answer.press("Enter")
            sign = "✓" if abs(typed - value) <= within else "✗"
            expect(box).to_have_text(f"{sign} You guessed {typed:.6f}; it is ≈ {value:g}.")


def test_the_built_chapters_hold_the_fields(site):
    """Every exercise of the chapters in the book."""
    forms = "//form[@class='errlab-check']/@data-answer"
    there = {key for page in CHAPTERS for key in lxml.html.parse(site / page).xpath(forms)}
    numbers = {page[10:12] for page in CHAPTERS}
    assert there == {key for key in KEYS if f"{key.split('.')[0]:0>2}" in numbers}
