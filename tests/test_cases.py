"""Cases: every page has a source and states its counts, which are those that the source prints.

test_numbers.py compares the numbers derived from them with the prose.
"""

import importlib
import re
from math import sqrt
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from scipy.stats import binomtest, norm

from errlab import metrics
from errlab_book import studies

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "book" / "cases").glob("*.ipynb"))


def numbers(thing):
    """Return every number in nested dictionaries and tuples."""
    if isinstance(thing, dict):
        return [n for key, value in thing.items() for n in numbers(key) + numbers(value)]
    if isinstance(thing, tuple):
        return [n for value in thing for n in numbers(value)]
    return [] if isinstance(thing, str) else [thing]


def counts_of(name):
    return importlib.import_module(f"errlab_book.pages.case_{name}").COUNTS


def page(name):
    """Return the parts of a page: its counts, its text and figures, and its folded sources."""
    cells = nbformat.read(ROOT / "book" / "cases" / f"{name}.ipynb", as_version=4).cells
    output = [o.get("data", {}) for cell in cells for o in cell.get("outputs", [])]
    message = ["".join(d.get("text/markdown", d.get("text/plain", ""))) for d in output]
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    before, sources = text.removesuffix("</details>").split("<summary>Sources</summary>")
    message = re.sub(r"\s+", " ", " ".join([before, *message]))
    return SimpleNamespace(counts=counts_of(name), said=message, text=text, sources=sources)


def test_a_case_is_listed_and_names_its_source_its_chapter_and_its_counts():
    entries = (ROOT / "book" / "references.bib").read_text("utf-8")
    contents = (ROOT / "_toc.yml").read_text("utf-8").split()
    index = (ROOT / "book" / "cases" / "index.md").read_text("utf-8")
    assert len(PAGES) >= 6
    for path in PAGES:
        case = page(path.stem)
        assert f"book/cases/{path.stem}" in contents
        assert f"]({path.name})" in index
        keys = re.findall(r"\{cite:[pt]\}`([\w,]+)`", case.sources)
        assert keys, path
        assert [k for group in keys for k in group.split(",") if f"{{{k}," not in entries] == []
        assert "](../../notebooks/" in case.text, path
        text = set(re.findall(r"\d+(?:\.\d+)?", case.said.replace(",", "")))
        lines = [n for n in numbers(case.counts) if not text & {str(n), f"{n:.6f}"}]
        assert lines == [], path


def test_the_counts_are_those_of_their_sources():
    old, *new = counts_of("imagenet")["ResNet-50"]
    assert [old / 50_000, *(count / 10_000 for count in new)] == [0.2387, 0.3667, 0.273, 0.2191]
    sepsis = counts_of("sepsis")
    assert round(sepsis["missed"] / sepsis["sepsis"], 2) == 0.67
    assert round(sepsis["alarms"] / sepsis["stays"], 2) == 0.18
    tasks, failed = zip(*counts_of("repositories").values(), strict=True)
    assert (sum(tasks), sum(failed), len(tasks)) == (500, 128, 12)
    table = studies.load("laber_murphy_tables")
    row = dict(zip(table["columns"], table["tables"]["coverage 50"]["heart"], strict=True))
    ran = [e for e in studies.load("small_samples")["settings"] if e["setting"]["n"] == 50]
    again = next(e for e in ran if e["setting"]["data"] == "heart")
    assert again["repeats"] == 1_000
    assert counts_of("nineteen") == {
        "printed": 1_000 * row["K"], "ours": 1_000 * again["summary"]["K"]
    }  # fmt: skip


def test_what_the_pages_say_of_their_counts_without_a_number():
    networks = counts_of("imagenet").values()
    columns = list(zip(*networks, strict=True))
    assert [list(column) for column in columns] == [sorted(column) for column in columns], "order"
    for network, *sets in networks:
        worse = [100 * (count / 10_000 - network / 50_000) for count in sets]
        assert 11 < worse[0] < 13
        assert 2 < worse[1] < 4
        assert -3.5 < worse[2] < -1
    pairs = counts_of("duplicates")
    before, after = pairs["WRN-28-10"]
    assert binomtest(before, 10_000).proportion_ci().high < after / 10_000
    assert [b for _, b in sorted(pairs.values())] == sorted(b for _, b in pairs.values())
    assert all(200 < b - a < 400 for a, b in pairs.values())
    _, _, sepsis, missed, alarms = counts_of("sepsis").values()
    wrong = alarms - (sepsis - missed)
    assert missed + wrong > sepsis, "an alarm that never rings is right more often"
    assert round(wrong / (sepsis - missed)) == 7
    models = counts_of("first_place").values()
    assert all(solved == 372 + first - this for solved, first, this in models)
    second, third, _ = (binomtest(first, first + this).pvalue for _, first, this in models)
    assert second == 1
    assert 0.02 < third < 0.05
    assert "does not show that either is better" in page("first_place").said


def test_the_margin_of_credit_is_that_of_delong_for_normal_scores_of_that_area():
    counts = counts_of("credit")
    public = [area for area, _, _ in counts.values()]
    assert public == sorted(public, reverse=True)
    assert sum(final <= 10 for _, _, final in counts.values()) == 5
    assert counts[1][2] == 9
    rng, n = np.random.default_rng(0), round(0.3 * 101_503)
    sick = np.arange(n) < round(0.06684 * n)
    scores = rng.normal(size=n) + sqrt(2) * norm.ppf(public[0]) * sick
    error = sqrt(metrics.delong(sick, scores).covariance)
    assert 1.96 * error == pytest.approx(0.008, abs=0.0007)


def test_what_a_chapter_says_of_a_case_stands_on_its_page():
    links = 0
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        for part in [part for c in cells for part in re.split(r"\n\n|(?<=\.)\s", c.source)]:
            for name in re.findall(r"\]\(\.\./book/cases/(\w+)\.ipynb", part)[:1]:
                links += 1
                text = page(name).said + " " + " ".join(map(str, numbers(counts_of(name))))
                message = re.findall(r"\d[\d.,]*\d", part.replace("ResNet-50", ""))
                assert [n for n in message if n not in text] == [], path
    assert links
