"""Two lines are printed, everything else is in the details; no caution is hidden."""

import itertools
import json
import math
import re

import numpy as np
import pytest
from examples import APART, GRADED, GROUPED, GROUPS, OTHERS, PLAIN, ROC, ZERO, A
from tables import DATA
from test_values import pair
from words import whole

import errlab
from errlab_book.figures import record


def test_two_lines_of_few_words_and_all_the_rest_in_the_details():
    for results, words in ((PLAIN, 45), ([*GROUPED, APART], 60), (ROC, 60)):
        for result in results:
            printed = str(result)
            assert len(printed.splitlines()) == 2
            assert len(printed.split()) <= words, result
            for warning in result.warnings():
                assert printed.startswith(warning) or f" {warning} " in printed
            text = " ".join(whole(result).split())
            for part in (*result.sentences(), *result.conditions()):
                assert " ".join(part.split()) in text
            message = json.loads(result.to_json())
            assert message["claim"] == " ".join(printed.split("\n"))
            assert message["warnings"] == result.warnings()
            assert message["conditions"] == result.conditions()
            assert message["evidence"]["method"]
            page = result._repr_html_()
            assert page.index("<strong>") < page.index("<details>") < page.index("This holds if")


@pytest.mark.slow
def test_every_report_says_its_guarantee_and_has_a_picture_of_its_interval():
    for result in (*PLAIN[:8], *GROUPED[:4]):  # the others are the same with another method
        assert result.guarantee in ("exact", "finite sample", "asymptotic", "none proven")
        assert result.guarantee in " ".join(result.sentences())
        assert json.loads(result.to_json())["guarantee"] == result.guarantee
        ax = result.plot()
        low, high = ax.get_xlim()
        assert low <= result.low < result.high <= high
        assert record(ax)


def test_a_coverage_below_the_claim_stands_first():
    results = [*PLAIN, *GROUPED, *ROC]
    weak = [r for r in results if r.evidence.weakness]
    strong = [r for r in results[len(PLAIN) :] if r.evidence.coverage and not r.evidence.weakness]
    assert weak
    assert strong
    for result in weak:
        assert str(result).startswith(result.evidence.weakness)
    for result in strong:
        assert f"at least {result.evidence.percent}" in str(result)
    # a weak bound comes first even beside a strong test
    pair = errlab.report(**GRADED, scores_b=OTHERS, method="t")
    assert pair.warnings()[:1] == ([pair.evidence.weakness or pair.a.evidence.weakness])


def test_where_groups_are_equal_one_mean_is_told():
    equal = errlab.report(ZERO[:100], A[:100], groups=np.arange(100) // 10)
    assert "counts alike" not in whole(equal)
    unequal = errlab.report(ZERO, A, groups=GROUPS)
    assert "counts alike" not in str(unequal)
    assert "counts alike" in unequal.details
    assert "counts alike" in str(APART)  # with unequal groups the two means differ


# --- The report of two classifiers: verdict, p-value and interval agree, in numbers and in print.


MARGINS = np.genfromtxt(DATA / "margins.txt", dtype=str, delimiter="|", autostrip=True)


@pytest.mark.slow
def test_non_inferiority():
    for *counts, size, verdict, words in MARGINS:
        margin, counts = float(size), list(map(int, counts))
        result = pair(*counts, margin=margin, names=("old", "new"))
        assert result.verdict == verdict, counts
        assert words in result.reading
        assert (result.low >= -margin) == result.within_margin
        assert result.within_margin == (verdict in ("better", "not worse") or "no more" in words)
        assert "the margin was chosen before the test" in whole(result)
        message = json.loads(result.to_json())
        assert (message["verdict"], message["margin"]) == (verdict, margin)
        # without a margin, the same test only says which one is better
        plain = pair(*counts)
        assert (plain.low, plain.high, plain.pvalue) == (result.low, result.high, result.pvalue)
        assert plain.verdict in (verdict, "cannot tell")
    assert "worse by the margin" in record(result.plot())


@pytest.mark.slow
def test_the_picture_says_what_the_text_says():
    result = pair(12, 10, 25_000)
    observed = re.search(r": (\S+) percentage points", result.sentences()[0]).group(1)
    assert f"on this test, {observed}" in record(result.plot())
    single = errlab.report(errors=37_072, n=10**6)
    text = record(single.plot())
    assert "error rate on the test, 3.707%" in text
    assert f"at most {math.ceil(single.upper * 1e5) / 1e3}%" in text


# --- The report of scores: laws, and the bets; known values are in data/values.txt.


@pytest.mark.slow
def test_a_report_of_scores_means_the_same_whatever_they_are():
    """A single score of 0.5 once turned the error's low and high into those of the score."""
    for last, better, groups in itertools.product(
        (0, 0.5), (True, False), (None, np.arange(100) // 5)
    ):
        scores = [1] * 90 + [0] * 9 + [last]
        options = {"higher_is_better": better, "groups": groups}
        report = errlab.report(scores=scores, **options)
        assert report.estimate == pytest.approx(np.mean(scores))
        assert report.low < report.estimate < report.high
        assert (report.bound < report.estimate) == better
        assert ("at least" in whole(report)) == better
        other = errlab.report(scores=scores, scores_b=scores[::-1], **options)
        assert (other.a.estimate, other.b.estimate) == pytest.approx([np.mean(scores)] * 2)
        one = errlab.report(scores=scores, scores_b=[0] * 100, **options)
        assert one.difference == pytest.approx(np.mean(scores))  # A minus B
        assert one.low < one.difference < one.high
        assert one.verdict == ("worse" if better else "better")
        assert f"of A minus that of B in {one.n} examples" in whole(one)


def test_the_p_value_of_a_graded_pair_is_that_of_the_bets():
    """Waudby-Smith and Ramdas (2024), one side at half of delta; equal gains have no order."""
    n, gain = 40, 0.3
    stakes, gains, capital = [], [0.5], 0.0
    for _ in range(n):
        # the earlier gains, preceded by an imaginary gain of 1/2 with variance 1/4
        means = np.cumsum(gains) / np.arange(1, len(gains) + 1)
        variance = (0.25 + sum((gains[1:] - means[1:]) ** 2)) / len(gains)
        stakes.append(np.sqrt(2 * np.log(2 / 0.05) / (n * variance)))
        gains.append((1 + gain) / 2)
        capital += np.log1p(min(stakes[-1], 0.75 / 0.5) * (gains[-1] - 0.5))
    # some stakes are below the limit, and others would be above it
    assert stakes[0] < 1 < 1.5 < stakes[-1]
    a = np.linspace(0.1, 0.6, n)
    assert errlab.report(scores=a, scores_b=a + gain).pvalue == pytest.approx(2 * np.exp(-capital))
