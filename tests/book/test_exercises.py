"""Exercises: right answers, mistakes with their own messages, and the data sent to a page."""

import json
import re

import numpy as np
import pytest
from marks import slow

from errlab_book import answers, exercises

KEYS = list(exercises.EXERCISES)
LONG = ["2.6", "3.7", "5.7", "5.8", "15.4", "10.4", "13.6", "14.5", "16.4", "6.5", "11.4"]
CASES = slow(KEYS, *LONG)


def answer_of(key):
    return exercises.EXERCISES[key].answer()


def parts(key):
    """Return the right answer, one value for each part."""
    return list(answer_of(key)) if exercises.EXERCISES[key].parts else [answer_of(key)]


@pytest.mark.parametrize("key", CASES)
def test_every_exercise_knows_right_from_wrong(key):
    entry = exercises.EXERCISES[key]
    answer = answer_of(key)
    assert exercises.check(key, answer).right is True
    assert exercises.check(key, ...).right is None
    if isinstance(answer, str):
        assert answer in entry.choices
        assert exercises.check(key, "nonsense").right is False
    else:
        off = np.asarray(answer, dtype=float) + 2 * entry.tolerance + 0.01
        assert exercises.check(key, off).right is False
    assert exercises.check(key, object()).right is False
    assert entry.answer.__doc__, "the question"
    assert len({*entry.hints, ""}) == 3, "two hints"
    assert [exercises.hint(key, n) for n in (1, 2)] == list(entry.hints)


@pytest.mark.parametrize("key", CASES)
def test_each_mistake_is_wrong_and_has_its_own_message(key):
    entry = exercises.EXERCISES[key]
    right = parts(key)
    for text, value in entry.wrong.items():
        values = np.broadcast_to(np.asarray(value), len(right))
        words = [entry.fault(part, value) for part, value in enumerate(values)]
        assert text in words
        assert all(s in (text, None) for s in words), "another mistake has the same value"
        message = exercises.check(key, values if entry.parts else values[0]).message
        assert text[1:] in message
        assert re.match(r"not yet\. [^a-z]", message), "a sentence begins with a capital"


@pytest.mark.parametrize("key", CASES)
def test_no_check_gives_the_answer_away(key):
    entry, answer = exercises.EXERCISES[key], answer_of(key)
    if np.ndim(answer) == 0 and not isinstance(answer, str):
        forms = {f"{float(answer):.{digits}g}" for digits in (3, 4, 6)}
        for text in (*entry.hints, *entry.mistakes):
            assert not forms & set(re.findall(r"[\d.]*\d", text.replace(",", ""))), text
    if isinstance(answer, str):
        assert len(entry.mistakes) == len(entry.choices) - 1, "each wrong choice says why"


@pytest.mark.parametrize("key", CASES)
def test_the_page_holds_no_answer(key):
    entry = exercises.EXERCISES[key]
    page = entry.html().replace(answers.script(), "")
    data = json.loads(re.search(r'data-check="([^"]*)"', page).group(1).replace("&quot;", '"'))
    assert set(data) == {"key", "asks", "step", "parts"}
    for part, value in zip(data["parts"], parts(key), strict=True):
        assert part["right"]
        assert all(re.fullmatch(r"[0-9a-f]{8}", mark) for mark in part["right"])
        if not isinstance(value, str) and not float(value * 1000).is_integer():
            assert f"{value:.4f}"[1:] not in page


READ = {
    "0.035": 0.035,
    " 3.5 % ": 0.035,
    "7/200": 0.035,
    "0,035": 0.035,
    ".5": 0.5,
    "\u22120.2": -0.2,
    "2e-3": 0.002,
    "1,244": 1.244,
    "11,513,000": 11513000,
    "1 - 0.5^2": 0.75,
    "-2**2": -4,
    "2^3^2 / (1+1)": 256,
    "100*(1-0,5)%": 0.5,
    "~0.03": 0.03,
    "sqrt(6)": 6**0.5,
    "2 * Sqrt((1/10 + 10/20)/(1/10)) / 2": 6**0.5,
    "np.sqrt(9)^2": 9,
    "2^math.sqrt(4)": 4,
    "\u221a6": 6**0.5,
    "\u221a(3+6)": 3,
    "-sqrt(2,25)": -1.5,
    "3 \u00d7 8 \u00f7 2": 12,
    "\u2248 3%": 0.03,
    "= 0.03": 0.03,
    "p = 0.03": 0.03,
    "about 7/200": 0.035,
    "299 examples": 299,
    "~299 test examples.": 299,
    "n=459": 459,
}
PERCENT = {"3 percent": 0.03, "3.5 per cent": 0.035, "about 3 pct": 0.03}
NOT_READ = ["3 thousand", "3 thousand examples", "cases", "~", "=", "2 = 3", "percent", "a lot"]
NOT_READ += ["", "x", "1/0", "%", "nan", "inf", "1e999", "1.2.3", "2(3)", "(1", "1-", "9^9^9"]
NOT_READ += ["sqrt", "sqrt 6", "sqrt()", "sqrt(-1)", "sqrt((0-8)^.5)", "2sqrt(6)", "sqrt(6)(2)"]
NOT_READ += ["sqrt(**2)", "sqrt(*2)", "((0-8)^.5)^0", "1/1e999", "exp(1)", "np.sqr(2)", "\u221a"]


def test_numbers_are_read_as_readers_write_them():
    assert {text: answers.read(text) for text in READ} == {
        t: (v, "%" in t) for t, v in READ.items()
    }
    for text, value in PERCENT.items():
        assert answers.read(text) == (value, True)
    assert answers.read("1.244 examples", count=True) == (1244, False)
    for text in ("1,244", "1 244"):
        assert answers.read(text, count=True) == (1244, False)
    assert [text for text in (*NOT_READ, "(0-8)^0.5") if answers.read(text) is not None] == []


# Mistakes that exercises needn't list: per cent for a fraction, complement, sign, off by one.
@pytest.mark.parametrize(
    ("key", "answer", "right", "words"),
    [
        ("3.1", "2.95%", True, "right."),
        ("9.3", "sqrt(6)", True, "right."),
        ("3.1", "2.95", False, "percentage"),
        ("3.1", "0.0295%", False, "percent sign is one too many"),
        ("3.1", "97.05%", False, "complement"),
        ("3.1", "-0.0295", False, "sign"),
        ("3.1", "4", False, "between 0 and 1"),
        ("3.1", "soon", False, "cannot be read"),
        ("3.1", "0.4", False, "which true error"),
        ("16.4", "149", True, "right."),
        ("16.4", 149.0, True, "right."),
        ("16.4", 148, False, "off by one"),
        ("16.4", "150%", False, "not a percentage"),
        ("16.4", 149.4, False, "depends on n alone"),
        ("1.2", [0.3, 0.35], False, "0/1 loss"),
        ("1.2", ["50%", 0.2], False, "soft loss"),
        ("1.2", 0.5, False, "a list of 2 numbers"),
        ("1.2", ["50%", "7/20"], True, "right."),
    ],
)
def test_common_mistakes_have_messages(key, answer, right, words):
    verdict = exercises.check(key, answer)
    assert verdict.right is right
    assert words.lower() in verdict.message.lower()


@pytest.mark.parametrize("key", ["3.1", "9.3", "10.4"])
def test_an_answer_is_right_within_its_tolerance_and_a_step(key):
    entry, answer = exercises.EXERCISES[key], float(answer_of(key))
    for factor, right in ((0.0, True), (0.85, True), (-0.85, True), (1.3, False), (-1.3, False)):
        assert exercises.check(key, answer + factor * entry.tolerance).right is right


def test_a_count_that_is_off_by_one_either_way_has_its_message():
    messages = {-1: "", 1: ""}  # some exercises have their own message for these mistakes
    for key in [k for k in KEYS if k not in LONG and exercises.EXERCISES[k].asks == "count"]:
        for step in messages:
            messages[step] += exercises.check(key, parts(key)[0] + step).message
    assert all("Off by one" in text for text in messages.values())


def test_a_page_shows_the_field_only_in_the_book(monkeypatch):
    unanswered, right = exercises.check("3.1", ...), exercises.check("3.1", answer_of("3.1"))
    for mode, output in (("book", True), ("live", False), ("record", False)):
        monkeypatch.setenv("ERRLAB_OUTPUT", mode)
        assert bool(unanswered._repr_html_()) is output
        assert right._repr_html_() is None
    assert repr(unanswered).startswith("Exercise 3.1: no answer yet.")
