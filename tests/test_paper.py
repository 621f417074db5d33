"""Every number of the article, of README and of its pictures, recomputed."""

import re
from functools import cache
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
from errlab.datasets import load_board
from errlab_book.figures import record

ROOT = Path(__file__).parents[1]
PAPER = (ROOT / "book/paper/paper.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")


def said(pattern, text=PAPER):
    """Return the numbers in the only passage that matches."""
    (result,) = re.findall(pattern, re.sub(r"\s+", " ", text))
    return tuple(result) if isinstance(result, tuple) else result


@cache
def board():
    cifar = load_board("cifar10")
    return (
        errlab.models(scores=cifar.table("test"), higher_is_better=False),
        {name: row.mean() for name, row in cifar.table("new_v4").items()},
    )


def test_the_claim():
    errors, n = map(int, said(r"made (\d+) errors in (\d+) test examples\. What"))
    assert float(said(r'usual answer is "([\d.]+)%"')) == pytest.approx(100 * errors / n)
    bound = 100 * errlab.bounds.upper("CP", errors=errors, n=n)
    printed = float(said(r"confidence it is at most ([\d.]+)%"))
    assert printed - 0.1 < bound <= printed, "rounded up"


def test_how_often_the_textbook_interval_holds():
    n, error, coverage = said(
        r"with (\d+) examples and a true error of (\d+)% it contains the truth in (\d+)%"
    )
    k = np.arange(int(n) + 1)
    share, p = k / int(n), int(error) / 100
    width = stats.norm.ppf(0.975) * np.sqrt(share * (1 - share) / int(n))
    inside = stats.binom.pmf(k, int(n), p)[np.abs(share - p) <= width].sum()
    assert int(coverage) == round(100 * inside)


@pytest.mark.slow
def test_the_board():
    result, new = board()
    models, images, pairs, different, last = said(
        r"predictions of (\d+) networks on the same ([\d,]+) images .*?: of (\d+) pairs, (\d+) can "
        r"be told apart, .*? any rank from 1 to (\d+)"
    )
    assert int(models) == len(result.models)
    assert images == f"{len(next(iter(load_board('cifar10').table('test').values()))):,}"
    assert (int(pairs), int(different)) == (len(result.pairs), len(result.different))
    assert int(last) == result.models[0].last
    assert result.models[0].first == 1
    left, rest, of = map(
        int, said(r"all (\d+) error rates are outside .*? (\d+) of (\d+) ranks are inside")
    )
    rank = {name: 1 + sum(other < alone for other in new.values()) for name, alone in new.items()}
    assert left == sum(not m.low <= new[m.name] <= m.high for m in result.models)
    assert rest == sum(m.first <= rank[m.name] <= m.last for m in result.models)
    assert of == len(result.models)
    assert said(r"any rank from 1 to (\d+)", README) == last


def test_the_book_is_as_long_as_the_article_says():
    assert said(r"a book of (\d+) chapters") == str(len(CHAPTERS))
    parts = re.findall(r"\b(\d+) to (\d+)\b", said(r"(Chapters 1 to .*?the\sreport)\."))
    numbers = [n for low, high in parts for n in range(int(low), int(high) + 1)]
    assert numbers == list(range(1, len(CHAPTERS) + 1))
    weeks = (ROOT / "book" / "syllabus.md").read_text("utf-8")
    assert said(r"a course of (\w+) weeks") == "ten"
    assert max(int(week) for week in re.findall(r"^\| (\d+) \|", weeks, re.MULTILINE)) == 10
    classes = [int(minutes) for minutes in re.findall(r"\| (\d+) minutes \| 1½ hours", weeks)]
    assert said(
        r"(\w+) classes of (\d+) to (\d+) minutes; students prepare each in an hour and a half"
    ) == ("Eight", str(min(classes)), str(max(classes)))
    assert len(classes) == 8


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
    names = set(
        re.findall(r"^@\w+\{(\w+),", (ROOT / "book/paper/paper.bib").read_text(), re.MULTILINE)
    )
    assert cited == names
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
