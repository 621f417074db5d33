"""The questions that students do not have: numbers that are true, and nowhere to be read."""

import html
import os
import re
import tarfile
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest
from test_packaging import built  # noqa: F401

from errlab import bootstrap, bounds, compare, coverage, generalization, holdout, metrics
from errlab.book import quiz

ROOT = Path(__file__).parents[2]
SITE = Path(os.environ.get("ERRLAB_SITE") or ROOT / "_build" / "html")
FILES = sorted((ROOT / "teaching" / "bank").glob("*.toml"))
ENTRIES = [e for path in FILES for e in tomllib.loads(path.read_text("utf-8"))["question"]]
NAMES = {
    "bootstrap": bootstrap,
    "bounds": bounds,
    "compare": compare,
    "coverage": coverage,
    "generalization": generalization,
    "holdout": holdout,
    "metrics": metrics,
    "np": np,
}
NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?")


def test_forty_questions_two_to_four_for_each_chapter():
    assert len(ENTRIES) >= 40
    assert all(2 <= len(quiz.load(path).questions) <= 4 for path in FILES)
    assert all(choice["why"] for entry in ENTRIES for choice in entry["choice"])


def test_no_question_is_asked_twice():
    files = [*ROOT.glob("errlab/book/quizzes/*.toml"), *ROOT.glob("book/quizzes/*.toml")]
    known = {question.text for path in files for question in quiz.load(path).questions}
    asked = [entry["text"] for entry in ENTRIES]
    assert len(known) > 80
    assert len({*known, *asked}) == len(known) + len(asked)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["text"][:40])
def test_every_number_is_computed(entry):
    """What an explanation or the right choice says is given in the question, or computed here."""
    told = [choice["why"] for choice in entry["choice"]]
    told += [choice["text"] for choice in entry["choice"] if choice.get("right")]
    known = entry.get("numbers", {})
    said = {number for text in told for number in NUMBER.findall(text)}
    given = {*NUMBER.findall(entry["text"]), "0", "1"}  # 0 and 1 are losses
    assert said - given <= set(known), "neither given nor computed"
    assert set(known) <= said | given, "computed and not said"
    for number, expression in known.items():
        decimals = len(number.partition(".")[2])
        value = float(eval(expression, NAMES))
        assert f"{value:,.{decimals}f}" == number, (number, value)


def texts(names_and_contents):
    for name, content in names_and_contents:
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            continue
        yield name, re.sub(r"\s+", "", text + html.unescape(re.sub(r"<[^>]*>", "", text)))


def found(names_and_contents):
    """Return the files in which anything of the bank stands, and how many were searched."""
    secret = {e["text"] for e in ENTRIES} | {c["why"] for e in ENTRIES for c in e["choice"]}
    tight = [re.sub(r"\s+", "", text) for text in secret]
    files = [(name, [s for s in tight if s in text]) for name, text in texts(names_and_contents)]
    return [(name, told) for name, told in files if told], len(files)


def test_the_search_finds_a_question():
    page = f"<p>{html.escape(ENTRIES[0]['text'])}</p>".encode()
    assert found([("page.html", page), ("own.toml", FILES[3].read_bytes())])[0]
    assert found([("empty.html", b"<p>nothing</p>")]) == ([], 1)


@pytest.mark.slow
def test_nothing_of_the_bank_is_in_the_package(built):  # noqa: F811
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        told, searched = found([(name, wheel.read(name)) for name in wheel.namelist()])
    assert (told, searched > 100) == ([], True)
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        members = [member for member in sdist.getmembers() if member.isfile()]
        told, searched = found([(m.name, sdist.extractfile(m).read()) for m in members])
    assert (told, searched > 100) == ([], True)
