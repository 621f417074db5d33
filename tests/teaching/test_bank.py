"""The questions that students don't have: right numbers, and no copy that they could read."""

import re
import tarfile
import tomllib
from pathlib import Path

import numpy as np
import pytest
from test_student import contents, leaks, squeezed

import errlab
import lms
from errlab_book import quiz

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "teaching" / "bank").glob("*.toml"))
ENTRIES = [e for path in FILES for e in tomllib.loads(path.read_text("utf-8"))["question"]]
NAMES = {name: getattr(errlab, name) for name in errlab.__all__} | {"np": np}
NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?")


def test_forty_questions_two_to_seven_for_each_chapter_and_none_is_asked_twice():
    assert all(2 <= len(quiz.load(path).questions) <= 7 for path in FILES)
    assert all(choice["why"] for entry in ENTRIES for choice in entry["choice"])
    names = {question.text for item in lms.quizzes() for question in item.questions}
    calls = [entry["text"] for entry in ENTRIES]
    assert len({*names, *calls}) == len(names) + len(calls)


def test_every_number_is_computed():
    """A number in an explanation or a right choice is in the question, or computed here."""
    for entry in ENTRIES:
        message = [choice["why"] for choice in entry["choice"]]
        message += [choice["text"] for choice in entry["choice"] if choice.get("right")]
        names = entry.get("numbers", {})
        words = {number for text in message for number in NUMBER.findall(text)}
        # 0 and 1 are values of a loss, not answers
        options = {*NUMBER.findall(entry["text"]), "0", "1"}
        assert words - options <= set(names), (entry["text"], "neither given nor computed")
        assert set(names) <= words | options, (entry["text"], "computed and not said")
        for number, expression in names.items():
            decimals = len(number.partition(".")[2])
            value = float(eval(expression, NAMES))
            assert f"{value:,.{decimals}f}" == number, (entry["text"], value)


@pytest.fixture(scope="module")
def bank():
    """Everything that mustn't be published: questions and explanations."""
    secret = {e["text"] for e in ENTRIES} | {c["why"] for e in ENTRIES for c in e["choice"]}
    return {squeezed(text) for text in secret}


@pytest.mark.slow
def test_nothing_of_the_bank_is_in_what_packages_are_built_from(sources, bank):
    assert leaks(contents(sources.rglob("*")), bank) == []


@pytest.mark.nightly
def test_nothing_of_the_bank_is_in_the_packages(built, bank):
    assert leaks(contents(built.glob("*.whl")), bank) == []
    for path in built.glob("*.tar.gz"):
        with tarfile.open(path) as sdist:
            # file by file, because Python 3.11.2 and 3.12 need different arguments for `extractall`
            members = [member for member in sdist if member.isfile()]
            files = [(one.name, sdist.extractfile(one).read()) for one in members]
            assert leaks(files, bank) == []
