"""Blaker's interval: published values, exact coverage, length."""

import numpy as np
import pytest
from scipy import stats

from errlab import bounds

# R package BlakerCI 1.0-6, the examples of its manual pages (binom.blaker.limits)
BLAKER_CI = {
    (3, 10): (0.08726443, 0.61941066),
    (6, 13): (0.2158050, 0.7395922),
    (7, 15): (0.2150187, 0.7096627),
    # PropCIs searches in steps of 1e-4 and overlooks a part: 0.3923
    (29, 99): (0.2097022, 0.3929079),
    (59, 355): (0.1300807, 0.2090809),
    # R package contingencytables, its tests of Blaker_exact_CI_1x2
    (13, 16): (0.5656, 0.9469),
    (1, 100): (0.0005, 0.0513),
}


@pytest.mark.parametrize("counts", BLAKER_CI)
def test_as_in_r(counts):
    errors, n = counts
    digits = 5e-8 if n not in (16, 100) else 6e-5
    interval = bounds.interval("BLA", errors=errors, n=n)
    assert interval == pytest.approx(BLAKER_CI[counts], abs=digits)


def acceptability(x, n, rate):
    """Return Blaker's acceptability: the smaller tail, and no likelier outcomes opposite."""
    k = np.arange(n + 1)
    tails = np.minimum(stats.binom.cdf(k, n, rate), stats.binom.sf(k - 1, n, rate))
    return stats.binom.pmf(k, n, rate)[tails <= tails[x] * (1 + 1e-9)].sum()


@pytest.mark.parametrize(
    ("x", "n", "delta"), [(0, 9, 0.05), (4, 11, 0.05), (7, 30, 0.2), (2, 40, 0.01)]
)
def test_is_the_hull_of_what_the_definition_accepts(x, n, delta):
    low, high = bounds.interval("BLA", errors=x, n=n, delta=delta)
    rates = np.linspace(0, 1, 4001)
    accepted = rates[[acceptability(x, n, rate) > delta for rate in rates]]
    assert accepted.min() == pytest.approx(low, abs=1 / 4000)
    assert accepted.max() == pytest.approx(high, abs=1 / 4000)


@pytest.mark.parametrize("n", [50, 100, 200])
def test_covers_and_is_shorter_than_clopper_pearson(n):
    k = np.arange(n + 1)
    low, high = bounds.interval("BLA", errors=k, n=n)
    first, last = bounds.interval("CP", errors=k, n=n)
    assert (first <= low + 1e-12).all()
    assert (high <= last + 1e-12).all()
    ends = np.concatenate([low, high])
    rates = np.concatenate([np.linspace(0.001, 0.999, 999), ends - 1e-9, ends + 1e-9])
    rates = rates[(rates > 0) & (rates < 1)]
    law = stats.binom.pmf(k, n, rates[:, None])
    inside = (low <= rates[:, None]) & (rates[:, None] <= high)
    assert (law * inside).sum(axis=1).min() >= 0.95
    shorter = 1 - (high - low).mean() / (last - first).mean()
    assert 0.02 < shorter < 0.08
