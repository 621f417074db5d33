"""Quizzes and guesses: answers favour no position, pages contain no key, bad files are refused."""

import html
import re
from collections import Counter

import pytest

import errlab_site
import lms
from errlab_book import answers, guess, quiz

QUIZZES = lms.quizzes()
QUESTIONS = [q for part in QUIZZES for q in part.questions]
APART = [q for part in lms.quizzes(lms.BANK) for q in part.questions]
quizzes = pytest.mark.parametrize("whole", QUIZZES, ids=lambda part: part.name)


def test_neither_a_place_nor_the_longest_is_favoured():
    for questions, lowest in ((QUESTIONS, 60), (APART, 40)):
        three = [q.shown() for q in questions if len(q.choices) == 3]
        places = Counter([choice.right for choice in choices].index(True) for choices in three)
        assert len(three) >= lowest
        # A position that is always chosen must be right in a third of the questions, within two
        # standard errors.
        for place in range(3):
            assert abs(places[place] / len(three) - 1 / 3) <= 2 * (2 / 9 / len(three)) ** 0.5
        longest = [max(q.choices, key=lambda c: len(c.text)).right for q in questions]
        assert 0.1 <= sum(longest) / len(longest) <= 0.4


def test_the_order_is_by_lot_and_always_the_same():
    again = [q.shown() for entry in lms.quizzes() for q in entry.questions]
    assert again == [q.shown() for q in QUESTIONS]
    assert sum(q.shown() != list(q.choices) for q in QUESTIONS) > len(QUESTIONS) / 2
    assert all(sorted(q.shown(), key=str) == sorted(q.choices, key=str) for q in QUESTIONS)


@quizzes
def test_the_page_holds_no_key_in_clear(whole):
    body = whole.html().partition("<script")[0]
    assert "right" not in re.sub(r'(>|value=")[^"<]*', "", body)
    choices = [choice for q in whole.questions for choice in q.choices]
    assert [c.why for c in choices if c.why in html.unescape(body)] == []
    assert [c.why for c in choices if "$" in c.why] == [], "an explanation holds no formula"
    assert len(re.findall(r'data-key="[0-9a-f]{8}"', body)) == len(whole.questions)


@quizzes
def test_a_sealed_quiz_is_the_same_quiz_without_its_key(whole):
    text = whole.sealed().toml()
    sealed = quiz.parse(text, whole.name)
    assert sealed.html() == whole.html()
    assert "right =" not in text
    for number, question in enumerate(whole.questions, 1):
        # in the page's order, because in a file the right choice is often the first
        choices = sealed.questions[number - 1].choices
        for choice, open_choice in zip(choices, question.shown(), strict=True):
            key = f"{whole.name} {number} {choice.text}"
            assert choice.text == open_choice.text
            assert choice.why == answers.veil(open_choice.why, key)
    assert quiz.parse(whole.toml(), whole.name) == whole


def test_neither_the_answer_nor_what_is_said_to_it_can_be_read_on_the_page():
    choice = guess("Q?", answer="a", choices={"a": "So it was.", "b": "Not so."})
    assert repr(choice).startswith("Guess: Q?\n  ( ) a\n  ( ) b\nkey: ")
    assert not re.search('data-right="a"|So it was|Not so', choice.html())
    share = guess("*How* many `n`?", answer="46.2%", value=0.462, within=0.02)
    assert repr(share).startswith("Guess: *How* many `n`?\nkey: ")
    form = share.html().partition("<script")[0]
    assert "<em>How</em> many <code>n</code>?" in form
    assert not re.search(r"46|0\.02(?!\d)", re.sub(r'="[\w ]*"', "", form))


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
    assert [c.why for q in APART for c in q.choices if "$" in c.why] == []
