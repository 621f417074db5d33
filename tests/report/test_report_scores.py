"""The report of scores: laws, and the bets; known values are in data/values.txt."""

import itertools

import numpy as np
import pytest
from words import whole

import errlab


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
