"""Cases: every page has a source and states its counts, and all derived numbers are right."""

import importlib
import re
from math import comb, sqrt
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from scipy.stats import beta, norm

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


def page(name):
    """Return the parts of a page: its counts, its text and figures, and its folded sources."""
    cells = nbformat.read(ROOT / "book" / "cases" / f"{name}.ipynb", as_version=4).cells
    output = [o.get("data", {}) for cell in cells for o in cell.get("outputs", [])]
    message = ["".join(d.get("text/markdown", d.get("text/plain", ""))) for d in output]
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    before, sources = text.removesuffix("</details>").split("<summary>Sources</summary>")
    message = re.sub(r"\s+", " ", " ".join([before, *message]))
    counts = importlib.import_module(f"errlab_book.pages.case_{name}").COUNTS
    return SimpleNamespace(counts=counts, said=message, text=text, sources=sources)


def exact(errors, n):
    """Give Clopper and Pearson's 95% interval in per cent, by quantiles of the beta."""
    low = beta.ppf(0.025, errors, n - errors + 1)
    return 100 * low, 100 * beta.ppf(0.975, errors + 1, n - errors)


def rounded(low, high, digits=1):
    """Round an interval outward, as it is printed."""
    scale = 10**digits
    ends = np.floor(low * scale) / scale, np.ceil(high * scale) / scale
    return " to ".join(f"{end:.{digits}f}%" for end in ends)


def test_there_are_at_least_six_cases_and_all_are_listed():
    contents = (ROOT / "_toc.yml").read_text("utf-8").split()
    index = (ROOT / "book" / "cases" / "index.md").read_text("utf-8")
    assert len(PAGES) >= 6
    assert [p.stem for p in PAGES if f"book/cases/{p.stem}" not in contents] == []
    assert [p.stem for p in PAGES if f"]({p.name})" not in index] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_case_names_its_source_its_chapter_and_its_counts(path):
    case = page(path.stem)
    entries = (ROOT / "book" / "references.bib").read_text("utf-8")
    keys = re.findall(r"\{cite:[pt]\}`([\w,]+)`", case.sources)
    assert keys
    assert [k for group in keys for k in group.split(",") if f"{{{k}," not in entries] == []
    assert "](../../notebooks/" in case.text
    text = set(re.findall(r"\d+(?:\.\d+)?", case.said.replace(",", "")))
    lines = [n for n in numbers(case.counts) if str(n) not in text]
    assert [n for n in lines if f"{n:.6f}" not in text] == []


def test_imagenet():
    case = page("imagenet")
    old, *new = case.counts["ResNet-50"]
    assert old / 50_000 == 0.2387
    assert [count / 10_000 for count in new] == [0.3667, 0.273, 0.2191]
    assert rounded(*exact(old, 50_000), digits=2) in case.said
    columns = list(zip(*case.counts.values(), strict=True))
    assert [list(column) for column in columns] == [sorted(column) for column in columns], "order"
    for network, *sets in case.counts.values():
        worse = [100 * (count / 10_000 - network / 50_000) for count in sets]
        assert 11 < worse[0] < 13
        assert 2 < worse[1] < 4
        assert -3.5 < worse[2] < -1


def test_duplicates():
    case = page("duplicates")
    pairs = list(case.counts.values())
    before, after = case.counts["WRN-28-10"]
    interval = exact(before, 10_000)
    assert rounded(*interval) in case.said
    assert interval[1] < after / 100
    assert [b for _, b in sorted(pairs)] == sorted(b for _, b in pairs)
    assert all(200 < b - a < 400 for a, b in pairs)
    assert f"the {after - before} additional" in case.said
    assert f"at least {253 / 959:.0%}" in case.said
    assert 0.209 < before / (10_000 - 959) <= 0.21
    assert "more than 21.0%" in case.said


def test_credit():
    case = page("credit")
    counts = case.counts
    public = [area for area, _, _ in counts.values()]
    assert public == sorted(public, reverse=True)
    assert sum(final <= 10 for _, _, final in counts.values()) == 5
    assert counts[1][2] == 9
    assert f"{100 * (public[0] - public[9]):.2f} points" in case.said
    # normal scores of equal variance with that area, and DeLong's variance on one such board
    rng, n = np.random.default_rng(0), round(0.3 * 101_503)
    sick = np.arange(n) < round(0.06684 * n)
    scores = rng.normal(size=n) + sqrt(2) * norm.ppf(public[0]) * sick
    error = sqrt(metrics.delong(sick, scores).covariance)
    assert 1.96 * error == pytest.approx(0.008, abs=0.0007)
    assert "±0.8 points" in case.said


def test_sepsis():
    case = page("sepsis")
    n, sepsis, missed, alarms = map(case.counts.get, ("stays", "sepsis", "missed", "alarms"))
    caught = sepsis - missed
    assert (round(missed / sepsis, 2), round(alarms / n, 2)) == (0.67, 0.18)  # as printed
    assert f"{caught} and missed" in case.said
    assert rounded(*exact(caught, sepsis)) in case.said
    assert rounded(*exact(caught, alarms)) in case.said
    right = n - missed - (alarms - caught)
    assert f"{right / n:.1%}" in case.said
    assert f"{1 - sepsis / n:.1%}" in case.said
    assert right < n - sepsis, "an alarm that never rings is right more often"
    assert round((alarms - caught) / caught) == 7


def test_two_numbers():
    case = page("two_numbers")
    rate = {}
    for who, (hit, alarm, miss, quiet) in case.counts.items():
        for key, count, n in (("right", hit, hit + alarm), ("alarms", alarm, alarm + quiet)):
            rate[who, key] = count / n
            low, high = exact(count, n)
            assert f"{count / n:.1%} ({rounded(low, high)})" in case.said
        rate[who, "caught"] = hit / (hit + miss)
        rate[who, "again"] = (hit + miss) / (hit + alarm + miss + quiet)
        assert f"{rate[who, 'again']:.1%}" in case.said
    # Chouldechova's equation 2.6, which relates the four rates of a group
    for who in case.counts:
        odds, precision = rate[who, "again"], rate[who, "right"]
        alarms = odds / (1 - odds) * (1 - precision) / precision * rate[who, "caught"]
        assert alarms == pytest.approx(rate[who, "alarms"])
    ratio = np.divide(*(p / (1 - p) for p in (rate["black", "again"], rate["white", "again"])))
    assert f"{ratio:.2f} times as many" in case.said
    assert f"from 23.5% to {ratio * rate['white', 'alarms']:.0%}" in case.said
    # a normal interval of the difference of two rates, to compare with Newcombe's
    for key, ends in (("alarms", (18.2, 24.6)), ("right", (-0.1, 7.8))):
        b, w = rate["black", key], rate["white", key]
        n_b, n_w = (2174, 854) if key == "right" else (1795, 1488)
        half = 1.96 * sqrt(b * (1 - b) / n_b + w * (1 - w) / n_w)
        assert (100 * (b - w - half), 100 * (b - w + half)) == pytest.approx(ends, abs=0.15)
        assert f"{ends[0]:+.1f} to {ends[1]:+.1f}" in case.said


def test_first_place():
    case = page("first_place")
    p = {}
    for name, (solved, first, this) in case.counts.items():
        assert solved == 372 + first - this
        m, fewer = first + this, min(first, this)
        p[name] = min(1, 2 * sum(comb(m, k) for k in range(fewer + 1)) / 2**m)
        assert f"{p[name]:.4f}" in case.said
    second, third, _ = p.values()
    assert second == 1
    assert 0.02 < third < 0.05
    assert "does not show that either is better" in case.said
    needed = (norm.ppf(0.975) + norm.ppf(0.8)) ** 2 * (57 / 500) / (1 / 500) ** 2
    assert f"{5_000 * round(needed / 5_000):,} tasks" in case.said


def test_repositories():
    case = page("repositories")
    tasks, failed = np.array(list(case.counts.values())).T
    n, rate = tasks.sum(), failed.sum() / tasks.sum()
    assert (n, failed.sum(), len(tasks)) == (500, 128, 12)
    sums = failed - rate * tasks
    effect = (sums**2 / (1 - tasks / n)).sum() / n**2 / (rate * (1 - rate) / (n - 1))
    assert f"design effect is {effect:.1f}" in case.said
    plain, sandwich = rate * (1 - rate) / (n - 1), sums**2 / n**2
    jackknifed = (sandwich / (1 - tasks / n) ** 2).sum() / plain
    lowest = sandwich.sum() / plain
    assert f"from {lowest:.1f} to {jackknifed:.1f}" in case.said
    assert f"worth {n / jackknifed:.0f} to {n / lowest:.0f} tasks" in case.said
    assert f"count as {n / effect:.0f}" in case.said
    assert f"as much as {n**2 / (tasks**2).sum():.1f} of equal size" in case.said
    assert rounded(*exact(128, 500)) in case.said


def test_nineteen():
    case = page("nineteen")
    table = studies.load("laber_murphy_tables")
    row = dict(zip(table["columns"], table["tables"]["coverage 50"]["heart"], strict=True))
    ran = [e for e in studies.load("small_samples")["settings"] if e["setting"]["n"] == 50]
    again = next(e for e in ran if e["setting"]["data"] == "heart")
    assert case.counts == {"printed": 1_000 * row["K"], "ours": 1_000 * again["summary"]["K"]}
    assert again["repeats"] == 1_000
    printed, ours = (exact(count, 1_000) for count in case.counts.values())
    assert rounded(*printed) in case.said
    assert rounded(*ours) in case.said
    assert f"{ours[0] - printed[1]:.0f} points between them" in case.said


def test_what_a_chapter_says_of_a_case_stands_on_its_page():
    missing = {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        paragraphs = [part for cell in cells for part in re.split(r"\n\n|(?<=\.)\s", cell.source)]
        match = [
            (re.search(r"\]\(\.\./book/cases/(\w+)\.ipynb", part), part) for part in paragraphs
        ]
        for name, first in ((link[1], part) for link, part in match if link):
            text = page(name).said + " " + " ".join(map(str, numbers(page(name).counts)))
            message = re.findall(r"\d[\d.,]*\d", first.replace("ResNet-50", ""))
            missing[path.stem] = [n for n in message if n not in text]
    assert missing
    assert not any(missing.values()), missing
