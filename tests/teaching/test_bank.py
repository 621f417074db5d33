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


def test_forty_questions_two_to_seven_for_each_chapter():
    assert len(ENTRIES) >= 40
    assert all(2 <= len(quiz.load(path).questions) <= 7 for path in FILES)
    assert all(choice["why"] for entry in ENTRIES for choice in entry["choice"])


def test_no_question_is_asked_twice():
    names = {question.text for item in lms.quizzes() for question in item.questions}
    calls = [entry["text"] for entry in ENTRIES]
    assert len(names) > 80
    assert len({*names, *calls}) == len(names) + len(calls)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["text"][:40])
def test_every_number_is_computed(entry):
    """A number in an explanation or a right choice is in the question, or computed here."""
    message = [choice["why"] for choice in entry["choice"]]
    message += [choice["text"] for choice in entry["choice"] if choice.get("right")]
    names = entry.get("numbers", {})
    words = {number for text in message for number in NUMBER.findall(text)}
    # 0 and 1 are values of a loss, not answers
    options = {*NUMBER.findall(entry["text"]), "0", "1"}
    assert words - options <= set(names), "neither given nor computed"
    assert set(names) <= words | options, "computed and not said"
    for number, expression in names.items():
        decimals = len(number.partition(".")[2])
        value = float(eval(expression, NAMES))
        assert f"{value:,.{decimals}f}" == number, (number, value)


def found(paths):
    """Return the files that contain anything from the bank, and how many were searched."""
    secret = {e["text"] for e in ENTRIES} | {c["why"] for e in ENTRIES for c in e["choice"]}
    tight = {squeezed(text) for text in secret}
    files = [entry for path in paths for entry in texts(path.name, path.read_bytes())]
    bodies = [(name, squeezed(text)) for name, text in files]
    return [name for name, body in bodies if any(one in body for one in tight)], len(files)


def test_the_search_finds_a_question(tmp_path):
    page = tmp_path / "page.html"
    page.write_text(f"<p>{html.escape(ENTRIES[0]['text'])}</p>", "utf-8")
    assert found([page, FILES[3]]) == ([page.name, FILES[3].name], 2)


@pytest.mark.slow
def test_nothing_of_the_bank_is_in_the_package(built, tmp_path):
    for path in built.glob("*.tar.gz"):
        with tarfile.open(path) as sdist:
            # file by file, because Python 3.11.2 and 3.12 need different arguments for `extractall`
            for member in filter(tarfile.TarInfo.isfile, sdist):
                copy = tmp_path / member.name.replace("/", "-")
                copy.write_bytes(sdist.extractfile(member).read())
    for paths in (built.glob("*.whl"), filter(Path.is_file, tmp_path.rglob("*"))):
        text, searched = found(paths)
        assert text == []
        assert searched > 100
