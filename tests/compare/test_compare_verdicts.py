"""A comparison's verdict and interval come from one test, and its sentence claims no more."""

import mpmath as mp
import numpy as np
import pytest
from inputs import N01, N10, inputs, tables
from scipy import stats
from tables import sections
from test_values import exact

from errlab import compare
from errlab.compare import COMPARISONS, mcnemar, paired_difference
from errlab.compare import _result as result

LEVELS = (1e-9, 0.001, 0.01, 0.05, 0.0625, 0.3, 0.9)
MANY = {name[5:] for name, _ in sections("comparisons.txt") if name.startswith("many ")}
WITH_BOTH = [
    key
    for key, entry in COMPARISONS.items()
    if entry.takes in MANY and key != "bayesian_correlated_t"
]
# Methods that take seconds, so by day only every 18th input is tested,
# at three levels.
HEAVY = (
    "paired_difference-exact", "mcnemar-mid-p", "mcnemar-unconditional", "grouped_betting",
    "two_proportions-pooled",
)  # fmt: skip


def stepped(keys):
    """Return each key with the step between its inputs."""
    day = [(key, 18 if key in HEAVY else 1) for key in keys]
    return day + [pytest.param(k, 1, marks=pytest.mark.nightly) for k in keys if k in HEAVY]


def test_every_other_comparison_has_no_p_value_or_no_interval():
    for key in set(COMPARISONS) - set(WITH_BOTH):
        *_, args = inputs(COMPARISONS[key].takes)
        result = COMPARISONS[key].function(*args, **COMPARISONS[key].extra)
        assert result.pvalue is None or result.interval is None, key


def assert_agree(result, delta):
    """The interval excludes 0 exactly if p rejects; an undefined interval excludes nothing."""
    low, high = result.interval
    np.testing.assert_array_equal(np.isnan(low) | (low > 0) | (high < 0), result.pvalue <= delta)


@pytest.fixture
def moved(monkeypatch):
    """Return how far rounding has moved an end across 0, relative to the interval's width."""
    distances = []
    settle = result.settle

    def watched(outcome, *others):
        settled = settle(outcome, *others)
        finite = np.isfinite(outcome.low) & np.isfinite(outcome.high)
        width = np.where(finite, outcome.high, 1) - np.where(finite, outcome.low, 0)
        for before, after in zip(outcome, settled, strict=True):
            changed = np.isfinite(after) & (after != before)
            scale = np.where(width[changed] > 0, width[changed], 1)
            distances.extend(np.abs(after[changed] - before[changed]) / scale)
        return settled

    monkeypatch.setattr(result, "settle", watched)
    yield
    assert max(distances, default=0.0) < 1e-9, "an end is put on its side of 0 by rounding alone"


@pytest.mark.slow
@pytest.mark.usefixtures("moved")
@pytest.mark.parametrize(("key", "step"), stepped(WITH_BOTH))
def test_the_interval_excludes_0_if_and_only_if_the_test_rejects(key, step):
    entry = COMPARISONS[key]
    for data in inputs(f"many {entry.takes}"):
        data = [column[::step] if np.ndim(column) else column for column in data]
        for delta in LEVELS if step == 1 else LEVELS[1::2]:
            result = entry.function(*data, delta=delta, **entry.extra)
            assert_agree(result, delta)
            if key not in ("five_by_two_cv_f", "mcnemar-mid-p"):
                assert not np.isnan(result.interval.low).any(), "no interval"


SMALL = {
    "counts": (N01[::3], N10[::3]), "table": (tables(60)[::3],), "small table": (tables(14)[::9],),
    "two test sets": (N01[::3], 26, N10[::3], 40),
}  # fmt: skip
COUNTED = [key for key in WITH_BOTH if COMPARISONS[key].takes in SMALL]


@pytest.mark.slow
@pytest.mark.usefixtures("moved")
@pytest.mark.parametrize(("key", "step"), stepped(COUNTED))
def test_a_level_that_is_the_p_value_itself(key, step):
    """The test rejects at p = delta and not just above, and the interval agrees."""
    data = SMALL[COMPARISONS[key].takes]
    if step > 1:  # every second table of those that take long
        data = [column[::2] if np.ndim(column) else column for column in data]
    function = COMPARISONS[key].function
    pvalues = np.unique(function(*data).pvalue)
    for p in pvalues[(pvalues > 1e-9) & (pvalues < 0.7)][:: 20 * step]:
        for delta in (p, np.nextafter(p, 0), np.nextafter(p, 1), p * (1 - 1e-6), p * (1 + 1e-6)):
            assert_agree(function(*data, delta=float(delta)), delta)


def melded_pvalue(d, n01, n10, n):
    """Return P(share (2 theta - 1) >= d) by mpmath, for 0 < m < n and n10 > 0."""
    m = n01 + n10
    # of the share's two beta variables, the one that gives the larger tail
    a, b = (m + 1, n - m) if d > 0 else (m, n - m + 1)

    def integrand(t):
        edge = mp.mpf(1) / 2 + d / (2 * t)
        theta = mp.betainc(n01 + 1, n10, edge, 1, regularized=True)
        return t ** (a - 1) * (1 - t) ** (b - 1) / mp.beta(a, b) * theta

    start = abs(d)  # for a share below it, the product is always closer to 0 than d
    centre, width = mp.mpf(a) / (a + b), mp.sqrt(mp.mpf(a) * b / (a + b) ** 3)
    points = [centre + k * width for k in (-8, -4, -2, 0, 2, 4, 8, 16)]
    total = mp.quad(integrand, sorted({start, mp.mpf(1), *(p for p in points if start < p < 1)}))
    return total + (mp.betainc(a, b, 0, start, regularized=True) if d < 0 else 0)


@pytest.mark.parametrize(
    ("n01", "n10", "n", "delta"),
    [
        (7, 1, 100, 0.05), (1, 7, 100, 0.05), (2, 20, 60, 0.05), (1, 1, 3, 0.5),
        (3, 12, 2000, 1e-6), (60, 1, 90, 0.01),
        (1999, 1, 3000, 0.05),  # theta varies less than the share, and the quadrature is over it
        (100, 1, 800, 0.05),
    ],
)  # fmt: skip
def test_melded_ends_to_nine_digits(n01, n10, n, delta):
    high = exact(n01, n10, n, delta=delta).interval.high
    with mp.workdps(20):
        high = mp.mpf(high)
        step = abs(high) * mp.mpf("1e-5")
        below, p, above = (melded_pvalue(high + k * step, n01, n10, n) for k in (-1, 0, 1))
        error = (p - mp.mpf(delta) / 2) / ((above - below) / (2 * step))
    assert abs(error) < 1e-10


@pytest.mark.parametrize("n", [6, 15, pytest.param(30, marks=pytest.mark.slow)])
def test_the_exact_interval_covers(n):
    """Its authors conjecture coverage; this tests every table of n examples on a grid."""
    a, b = (grid.ravel() for grid in np.meshgrid(np.arange(n + 1), np.arange(n + 1)))
    a, b = a[a + b <= n], b[a + b <= n]
    table = np.moveaxis(np.array([[0 * a, a], [b, n - a - b]]), -1, 0)
    for delta in (0.05, 0.2):
        interval = paired_difference(table, method="exact", delta=delta).interval
        for share in np.linspace(0.05, 1, 20):
            for theta in np.linspace(0, 1, 21):
                weight = stats.binom.pmf(a + b, n, share) * stats.binom.pmf(a, a + b, theta)
                true = share * (2 * theta - 1)
                assert weight @ (interval.low > true + 1e-12) <= delta / 2 + 1e-12
                assert weight @ (interval.high < true - 1e-12) <= delta / 2 + 1e-12


@pytest.mark.parametrize(
    ("n01", "n10", "delta"), [(3, 9, 1e-200), (0, 50, 1e-150), (9, 3, 1 - 1e-16)]
)
def test_extreme_levels_give_numbers(n01, n10, delta):
    for method in ("exact", "tango", "newcombe"):
        table = [[1, n01], [n10, 80]]
        low, high = paired_difference(table, method=method, delta=delta).interval
        assert -1 <= low <= high <= 1, method
    for method in ("exact", "mid-p", "z", "chi2-corrected"):
        assert np.isfinite(mcnemar(n01, n10, method=method, delta=delta).interval).all()
    assert compare.kfold_paired_t([0.1, 0.2, 0.15, 0.3], delta=delta).interval
    assert compare.five_by_two_cv_f(np.arange(10.0).reshape(5, 2), delta=delta).reading
