"""The questions that students don't have: right numbers, and no copy that they could read."""

import html
import re
import tarfile
import tomllib
from pathlib import Path

import numpy as np
import pytest
from test_student import squeezed, texts

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
    assert len(names) > 80
    assert len(calls) >= 40
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


def search(files):
    """Return the names of files that contain anything from the bank, and how many were searched."""
    secret = {e["text"] for e in ENTRIES} | {c["why"] for e in ENTRIES for c in e["choice"]}
    tight = {squeezed(text) for text in secret}
    bodies = [(inner, squeezed(text)) for file in files for inner, text in texts(*file)]
    return [name for name, body in bodies if any(one in body for one in tight)], len(bodies)


def test_the_search_finds_a_question():
    page = f"<p>{html.escape(ENTRIES[0]['text'])}</p>".encode()
    files = [("page.html", page), (FILES[3].name, FILES[3].read_bytes())]
    assert search(files) == (["page.html", FILES[3].name], 2)


def check(files):
    result, searched = search(files)
    assert result == []
    assert searched > 100


@pytest.mark.slow
def test_nothing_of_the_bank_is_in_what_packages_are_built_from(sources):
    check([(p.name, p.read_bytes()) for p in sources.rglob("*") if p.is_file()])


@pytest.mark.nightly
def test_nothing_of_the_bank_is_in_the_packages(built):
    check([(path.name, path.read_bytes()) for path in built.glob("*.whl")])
    for path in built.glob("*.tar.gz"):
        with tarfile.open(path) as sdist:
            # file by file, because Python 3.11.2 and 3.12 need different arguments for `extractall`
            members = [member for member in sdist if member.isfile()]
            check([(one.name, sdist.extractfile(one).read()) for one in members])
