"""Every number of the article, of README and of its pictures, recomputed."""

import re
from pathlib import Path

import numpy as np
import pytest
import yaml
from matplotlib.image import imread
from our_chapters import CHAPTERS
from PIL import Image
from scipy import stats

import errlab
import pictures
from errlab_book.figures import record
from errlab_book.pages import ranks

ROOT = Path(__file__).parents[1]
PAPER = (ROOT / "book/paper/paper.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")


ONE_LINE = " ".join(PAPER.split())


def test_the_claim_and_how_often_the_textbook_interval_holds():
    bound = np.ceil(1000 * errlab.bounds.upper("CP", errors=7, n=200)) / 10  # rounded up
    k = np.arange(201)
    width = stats.norm.ppf(0.975) * np.sqrt(k / 200 * (1 - k / 200) / 200)
    inside = stats.binom.pmf(k, 200, 0.01)[np.abs(k / 200 - 0.01) <= width].sum()
    for phrase in (
        "made 7 errors in 200 test examples. What",
        f'usual answer is "{7 / 200:.1%}"',
        f"confidence it is at most {bound}%",
        f"with 200 examples and a true error of 1% it contains the truth in {inside:.0%}",
    ):
        assert phrase in ONE_LINE


@pytest.mark.slow
def test_the_board():
    """Its numbers are those of the book's page, which test_ranks.py recomputes."""
    result, (error, rank) = ranks.cifar(), ranks.on_new_images()
    leader, n = result.models[0], len(result.models)
    left = sum(not m.low <= error[m.name] <= m.high for m in result.models)
    rest = sum(m.first <= rank[m.name] <= m.last for m in result.models)
    for phrase in (
        f"predictions of {n} networks on the same {len(ranks.old()[leader.name]):,} images",
        f": of {len(result.pairs)} pairs, {len(result.different)} can be told apart",
        f"any rank from {leader.first} to {leader.last}",
        f"all {left} error rates are outside their intervals, whereas {rest} of {n} ranks are",
    ):
        assert phrase in ONE_LINE
    assert f"any rank from {leader.first} to {leader.last}" in README


def test_the_book_is_as_long_as_the_article_says():
    assert f"a book of {len(CHAPTERS)} chapters" in ONE_LINE
    (parts,) = re.findall(r"Chapters 1 to .*?the report\.", ONE_LINE)
    pairs = re.findall(r"\b(\d+) to (\d+)\b", parts)
    numbers = [n for low, high in pairs for n in range(int(low), int(high) + 1)]
    assert numbers == list(range(1, len(CHAPTERS) + 1))
    weeks = (ROOT / "book" / "syllabus.md").read_text("utf-8")
    assert "a course of ten weeks" in ONE_LINE
    assert max(int(week) for week in re.findall(r"^\| (\d+) \|", weeks, re.MULTILINE)) == 10
    classes = [int(minutes) for minutes in re.findall(r"\| (\d+) minutes \| 1½ hours", weeks)]
    assert len(classes) == 8
    lengths = f"Eight classes of {min(classes)} to {max(classes)} minutes"
    assert f"{lengths}; students prepare each in an hour and a half" in ONE_LINE


def test_it_has_the_parts_and_the_length_that_the_journal_asks_for():
    front, body = PAPER.split("---\n", 2)[1:]
    meta = yaml.safe_load(front)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= set(meta)
    assert len(body.split()) <= 1500
    for part in ("Summary", "Statement of need", "Learning objectives", "Instructional design",
                 "The story", "Similar work", "Acknowledgements"):  # fmt: skip
        assert f"\n# {part}" in body
    assert len(re.findall(r"^\*\*.*\?\*\*", body, re.MULTILINE)) == 5
    cited = set(re.findall(r"@(\w+\d{4}\w+)", body))
    entries = (ROOT / "book/paper/paper.bib").read_text("utf-8")
    assert cited == set(re.findall(r"^@\w+\{(\w+),", entries, re.MULTILINE))
    for figure in re.findall(r"!\[[^]]*\]\((\S+)\)", body):
        assert (ROOT / "book/paper" / figure).exists()


@pytest.mark.slow
def test_the_pictures_are_current():
    """Each picture contains the record of its figure; if the figure changes, so does the record."""
    for name, axes in pictures.drawn().items():
        path = ROOT / "book/paper" / f"{name}.png"
        with Image.open(path) as opened:
            assert opened.info["Description"] == record(axes), f"{name}: tools/pictures.py"
        assert imread(path).std() > 0.05
        assert path.stat().st_size < 120_000
        assert f"book/paper/{name}.png" in README
