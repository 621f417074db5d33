"""Quizzes and guesses: answers favour no position, pages contain no key, bad files are refused."""

import collections
import html
import re
from pathlib import Path

import pytest

import errlab_site
import lms
from errlab_book import answers, guess, quiz

ROOT = Path(__file__).parents[2]
QUIZZES = lms.quizzes()
QUESTIONS = [q for part in QUIZZES for q in part.questions]
APART = [q for part in lms.quizzes(lms.BANK) for q in part.questions]
quizzes = pytest.mark.parametrize("whole", QUIZZES, ids=lambda part: part.name)


@pytest.mark.parametrize(("questions", "lowest"), [(QUESTIONS, 60), (APART, 40)])
def test_no_place_is_favoured(questions, lowest):
    places = collections.Counter(
        [choice.right for choice in q.shown()].index(True) for q in questions if len(q.choices) == 3
    )
    number = sum(places.values())
    assert number >= lowest
    # A position that is always chosen must be right in a third of the questions, within two
    # standard errors.
    for place in range(3):
        assert abs(places[place] / number - 1 / 3) <= 2 * (2 / 9 / number) ** 0.5, places


@pytest.mark.parametrize("questions", [QUESTIONS, APART])
def test_the_longest_is_not_the_right_one_more_often_than_by_chance(questions):
    longest = [max(q.choices, key=lambda c: len(c.text)).right for q in questions]
    assert 0.1 <= sum(longest) / len(longest) <= 0.4


def test_the_order_is_by_lot_and_always_the_same():
    again = [q for entry in lms.quizzes() for q in entry.questions]
    assert [q.shown() for q in again] == [q.shown() for q in QUESTIONS]
    assert sum(q.shown() != list(q.choices) for q in QUESTIONS) > len(QUESTIONS) / 2
    assert all(sorted(q.shown(), key=str) == sorted(q.choices, key=str) for q in QUESTIONS)


@quizzes
def test_the_page_holds_no_key_in_clear(whole):
    body = whole.html().partition("<script")[0]
    assert "right" not in re.sub(r'(>|value=")[^"<]*', "", body)
    whys = [choice.why for q in whole.questions for choice in q.choices]
    assert [why for why in whys if why in html.unescape(body)] == []
    assert len(re.findall(r'data-key="[0-9a-f]{8}"', body)) == len(whole.questions)


@quizzes
def test_a_sealed_quiz_is_the_same_quiz_without_its_key(whole, tmp_path):
    target = tmp_path / f"{whole.name}.toml"
    target.write_text(whole.sealed().toml(), "utf-8")
    sealed = quiz.load(target)
    assert sealed.html() == whole.html()
    assert "right =" not in target.read_text("utf-8")
    assert [c.why for q in whole.questions for c in q.choices if c.why in str(sealed)] == []
    for number, question in enumerate(sealed.questions, 1):
        whys = {c.text: c.why for c in whole.questions[number - 1].choices}
        for choice in question.choices:
            key = f"{whole.name} {number} {choice.text}"
            assert choice.why == answers.veil(whys[choice.text], key)
    target.write_text(whole.toml(), "utf-8")
    assert quiz.load(target) == whole


GOOD = {"answer": "a", "choices": {"a": "Yes.", "b": "No."}}


def test_a_guess_lists_its_choices_without_the_answer():
    assert repr(guess("Q?", **GOOD)).startswith("Guess: Q?\n  ( ) a\n  ( ) b\nkey: ")
    assert 'data-right="a"' not in guess("Q?", **GOOD).html(), "no key in clear"
    number = guess("*How* many `n`?", answer="3", value=3, within=1)
    assert repr(number).startswith("Guess: *How* many `n`?\nkey: ")
    assert "<em>How</em> many <code>n</code>?" in number.html()


def test_neither_the_answer_nor_what_is_said_to_it_can_be_read_on_the_page():
    share = guess("Which share?", answer="46.2%", value=0.462, within=0.02).html()
    form = share[: share.index("<script")]
    assert not re.search(r"46|0\.02(?!\d)", re.sub(r'="[\w ]*"', "", form))
    choice = guess("Heads?", answer="yes", choices={"yes": "So it was.", "no": "Not so."}).html()
    assert "So it was" not in choice
    assert "Not so" not in choice


def test_a_quiz_comes_with_the_package_unless_a_file_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shipped = quiz.load("03_binary_bounds")
    assert shipped == quiz.load("quizzes/03_binary_bounds.toml")
    (tmp_path / "03_binary_bounds.toml").write_text(QUIZZES[0].toml(), "utf-8")
    assert quiz.load("03_binary_bounds.toml").questions == QUIZZES[0].questions


def test_a_formula_in_a_question_becomes_mathml_on_the_page():
    choices = (quiz.Choice("$k/n$ & more", "Yes.", right=True), quiz.Choice("5 $", "No."))
    page = quiz.Quiz("odd", (quiz.Question(r"How large is $\sqrt{a < b}$?", choices),)).html()
    output = errlab_site.typeset(page)
    assert output.count("<math ") == 2
    assert "<msqrt>" in output
    assert 'value="$k/n$ &amp; more"' in output, "what is compared stays"
    assert errlab_site.typeset(output) == output


def test_no_explanation_holds_a_formula():
    assert [c.why for q in [*QUESTIONS, *APART] for c in q.choices if "$" in c.why] == []
