"""Exercises: right answers, mistakes with their own messages, and the data sent to a page.

How an answer is read, and what is said to common mistakes, is in `tests/data/values.txt`.
"""

import html
import json
import re

import numpy as np
import pytest
from marks import slow

from errlab_book import answers, exercises

KEYS = list(exercises.EXERCISES)
LONG = ["2.6", "3.7", "5.7", "5.8", "15.4", "10.4", "13.6", "14.5", "16.4", "6.5", "11.4"]


@pytest.fixture(params=slow(KEYS, *LONG))
def entry(request):
    return exercises.EXERCISES[request.param]


def parts(entry):
    """Return the right answer, one value for each part."""
    return list(entry.answer()) if entry.parts else [entry.answer()]


def test_every_exercise_knows_right_from_wrong(entry):
    answer = entry.answer()
    wrong = [object()]
    if isinstance(answer, str):
        assert answer in entry.choices
        assert len(entry.mistakes) == len(entry.choices) - 1, "each wrong choice says why"
        wrong.append("nonsense")
    else:
        wrong.append(np.asarray(answer, dtype=float) + 2 * entry.tolerance + 0.01)
    for tried, right in ((answer, True), (..., None), (wrong[0], False), (wrong[1], False)):
        assert exercises.check(entry.key, tried).right is right, tried
    assert entry.answer.__doc__, "the question"
    assert len({*entry.hints, ""}) == 3, "two hints"
    assert [exercises.hint(entry.key, n) for n in (1, 2)] == list(entry.hints)


def test_each_mistake_is_wrong_and_has_its_own_message(entry):
    right = parts(entry)
    for text, value in entry.wrong.items():
        values = np.broadcast_to(np.asarray(value), len(right))
        words = [entry.fault(part, value) for part, value in enumerate(values)]
        assert text in words
        assert all(s in (text, None) for s in words), "another mistake has the same value"
        message = exercises.check(entry.key, values if entry.parts else values[0]).message
        assert text[1:] in message
        assert re.match(r"not yet\. [^a-z]", message), "a sentence begins with a capital"


def test_neither_a_hint_nor_the_page_gives_the_answer_away(entry):
    answer = entry.answer()
    if np.ndim(answer) == 0 and not isinstance(answer, str):
        forms = {f"{float(answer):.{digits}g}" for digits in (3, 4, 6)}
        for text in (*entry.hints, *entry.mistakes):
            assert not forms & set(re.findall(r"[\d.]*\d", text.replace(",", ""))), text
    page = html.unescape(entry.html().replace(answers.script(), ""))
    data = json.loads(re.search(r'data-check="(\{.*\})"', page)[1])
    assert set(data) == {"key", "asks", "step", "parts"}
    for part, value in zip(data["parts"], parts(entry), strict=True):
        assert part["right"]
        assert all(re.fullmatch(r"[0-9a-f]{8}", mark) for mark in part["right"])
        if not isinstance(value, str) and not float(value * 1000).is_integer():
            assert f"{value:.4f}"[1:] not in page


def test_an_answer_is_right_within_its_tolerance_and_a_step():
    for key in ("3.1", "9.3", "10.4"):
        entry = exercises.EXERCISES[key]
        for factor in (0.0, 0.85, -0.85, 1.3, -1.3):
            answer = float(entry.answer()) + factor * entry.tolerance
            assert exercises.check(key, answer).right is (abs(factor) < 1), (key, factor)


def test_a_count_that_is_off_by_one_either_way_has_its_message():
    counts = [e for key, e in exercises.EXERCISES.items() if key not in LONG and e.asks == "count"]
    for step in (-1, 1):  # some exercises have their own message for these mistakes
        messages = [exercises.check(e.key, parts(e)[0] + step).message for e in counts]
        assert any("Off by one" in text for text in messages)


def test_a_page_shows_the_field_only_in_the_book(monkeypatch):
    unanswered, right = exercises.check("3.1", ...), exercises.check("3.1", "2.95%")
    for mode, output in (("book", True), ("live", False), ("record", False)):
        monkeypatch.setenv("ERRLAB_OUTPUT", mode)
        assert bool(unanswered._repr_html_()) is output
        assert right._repr_html_() is None
