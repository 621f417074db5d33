"""A comparison's verdict and interval come from one test, and its sentence claims no more."""

import pickle
import warnings

import mpmath as mp
import numpy as np
import pytest
from marks import slow
from numpy.testing import assert_allclose
from scipy import stats

from errlab import compare
from errlab.compare import COMPARISONS, mcnemar, paired_difference
from errlab.compare import _result as result
from errlab.compare._fay_lumbard import melded

N01, N10 = (grid.ravel() for grid in np.meshgrid(np.arange(26), np.arange(26)))
LEVELS = (1e-9, 0.001, 0.01, 0.05, 0.0625, 0.3, 0.9)


def tables(n, both=0.3):
    """Every table with n01, n10 <= 25 that fits in n; both are wrong on a fraction of the rest."""
    inside = n >= N01 + N10
    n01, n10 = N01[inside], N10[inside]
    rest = n - n01 - n10
    n00 = np.round(both * rest).astype(int)
    return np.moveaxis(np.array([[n00, n01], [n10, rest - n00]]), -1, 0)


def inputs(takes):
    """Return inputs for a comparison: all small ones, then random ones."""
    rng = np.random.default_rng(1)
    assert takes in TAKES
    if takes == "counts":
        yield N01, N10
        yield rng.integers(0, 3000, (2, 300))
    elif takes == "table":
        yield from ((tables(n, both),) for n, both in ((26, 0), (26, 1), (50, 0.3), (300, 0.3)))
        yield (rng.integers(0, 4, (300, 2, 2)) + np.array([[0, 0], [0, 1]]),)
        yield (rng.integers(0, 4000, (100, 2, 2)),)
    elif takes == "small table":
        yield (tables(12)[::2],)
        yield (rng.integers(0, 40, (15, 2, 2)),)
    elif takes == "two test sets":
        for n, m in ((1, 1), (5, 5), (12, 30), (1, 40)):
            a, b = np.meshgrid(np.arange(n + 1), np.arange(m + 1))
            yield a, np.full(a.shape, n), b, np.full(b.shape, m)
        sizes = rng.integers(1, 5000, (2, 300))
        errors = rng.integers(0, sizes + 1)
        yield errors[0], sizes[0], errors[1], sizes[1]
    elif takes == "paired losses":
        yield rng.random((2, 300, 5))
        yield rng.integers(0, 2, (2, 300, 8))
    elif takes == "grouped losses":
        yield rng.random((2, 300, 8))
        yield rng.integers(0, 2, (2, 300, 8))
    elif takes == "fold differences":
        yield from ((rng.normal(0.5, 1, (200, k)),) for k in (2, 3, 10, 100))
        yield (rng.integers(-2, 3, (300, 4)) / 10,)
        yield (rng.normal(1, 1, (100, 4)) * 1e150,)
    elif takes == "5x2 differences":
        yield (rng.normal(0.5, 1, (500, 5, 2)) / 10,)
        yield (rng.integers(-1, 3, (500, 5, 2)) / 10,)


TAKES = (
    "counts", "table", "small table", "two test sets", "paired losses", "grouped losses",
    "fold differences", "5x2 differences",
)  # fmt: skip
WITH_BOTH = [
    key
    for key, entry in COMPARISONS.items()
    if entry.takes in TAKES and key != "bayesian_correlated_t"
]


# Methods that take seconds, so by day only every 18th input is tested.
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
        entry = COMPARISONS[key]
        data = {
            "loss matrix": [[0, 1], [1, 1]],
            "errors over data sets": [[0.1, 0.3, 0.2], [0.0, 0.2, 0.4]],
        }.get(entry.takes, [0.1, 0.3, 0.2])
        result = entry.function(data, **entry.extra)
        assert result.pvalue is None or result.interval is None


def excludes_0(interval):
    """Whether 0 lies outside; an undefined interval excludes nothing."""
    return np.isnan(interval.low) | (interval.low > 0) | (interval.high < 0)


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
    return distances


@pytest.mark.slow
@pytest.mark.parametrize(("key", "step"), stepped(WITH_BOTH))
def test_the_interval_excludes_0_if_and_only_if_the_test_rejects(key, step, moved):
    entry = COMPARISONS[key]
    for data in inputs(entry.takes):
        data = [column[::step] for column in data]
        for delta in LEVELS:
            result = entry.function(*data, delta=delta, **entry.extra)
            rejects = result.pvalue <= delta
            np.testing.assert_array_equal(excludes_0(result.interval), rejects)
            # the interval is empty exactly if p rejects without a direction
            none = np.isnan(result.interval.low)
            assert not (none & ~rejects).any()
            if key not in ("five_by_two_cv_f", "mcnemar-mid-p"):
                assert not none.any()
    assert max(moved, default=0.0) < 1e-9, "an end is put on its side of 0 by rounding alone"


COUNTS = ("counts", "table", "small table", "two test sets")
COUNTED = [k for k in WITH_BOTH if COMPARISONS[k].takes in COUNTS]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "step"), stepped(COUNTED))
def test_a_level_that_is_the_p_value_itself(key, step, moved):
    """The test rejects at p = delta and not just above, and the interval agrees."""
    entry = COMPARISONS[key]
    data = {
        "counts": (N01[::3], N10[::3]),
        "table": (tables(60)[::3],),
        "small table": (tables(20)[::9],),
        "two test sets": (N01[::3], 26, N10[::3], 40),
    }[entry.takes]
    pvalues = np.unique(entry.function(*data).pvalue)
    for p in pvalues[(pvalues > 1e-9) & (pvalues < 0.7)][:: 20 * step]:
        for delta in (p, np.nextafter(p, 0), np.nextafter(p, 1), p * (1 - 1e-6), p * (1 + 1e-6)):
            result = entry.function(*data, delta=float(delta))
            np.testing.assert_array_equal(excludes_0(result.interval), result.pvalue <= delta)
    assert max(moved, default=0.0) < 1e-9


def test_border_case_by_hand():
    # with 5 against 0, p is exactly 1/16, in floating point too
    table = [[0, 5], [0, 15]]
    assert paired_difference(table, method="exact").pvalue == 0.0625
    low, high = paired_difference(table, method="exact", delta=0.0625).interval
    assert 0 < low < 1e-300 < 0.25 < high
    assert "better" in paired_difference(table, method="exact", delta=0.0625).reading
    assert "interval above 0 to" in repr(paired_difference(table, method="exact", delta=0.0625))


# exact2x2::mcnemarExactDP of R, version 1.7.0 (Fay and Lumbard 2021);
# (n01, n10, n): 95 % interval in percent, p
MCNEMAR_EXACT_DP = {
    (5, 0, 20): (-1.1, 49.1, 0.062),
    (6, 0, 20): (2.0, 54.3, 0.031),
    (7, 1, 100): (-0.4, 13.2, 0.070),
}


@pytest.mark.parametrize("counts", MCNEMAR_EXACT_DP)
def test_fay_and_lumbard_as_in_r(counts):
    n01, n10, n = counts
    low, high, p = MCNEMAR_EXACT_DP[counts]
    result = paired_difference([[0, n01], [n10, n - n01 - n10]], method="exact")
    assert np.multiply(result.interval, 100) == pytest.approx((low, high), abs=0.05)
    assert result.pvalue == pytest.approx(p, abs=6e-4)


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


@pytest.mark.slow
def test_melded_ends_without_a_discordant_case_are_those_of_no_error():
    """Then theta is 1 and the share is Beta(1, n): 1 - s = (delta / 2) ** (1 / n)."""
    n = np.arange(1, 60)
    none = np.zeros(n.size)
    for delta in (0.001, 0.05, 0.1):
        low, high = melded(none, none, n, delta=delta)
        # accurate enough to print 97.5% after one example, not 97.6%
        assert_allclose(high, 1 - (delta / 2) ** (1 / n), rtol=0, atol=1e-13)
        assert_allclose(low, -high)


@pytest.mark.parametrize(
    ("n01", "n10", "n", "delta"),
    [
        (7, 1, 100, 0.05),
        (1, 7, 100, 0.05),  # an interval with an upper end above 0
        (2, 20, 60, 0.05),  # an interval below 0
        (1, 1, 3, 0.5),
        (3, 12, 2000, 1e-6),
        (60, 1, 90, 0.01),
        (1999, 1, 3000, 0.05),  # theta varies less than the share
    ],
)
def test_melded_ends_to_nine_digits(n01, n10, n, delta):
    table = [[0, n01], [n10, n - n01 - n10]]
    high = paired_difference(table, method="exact", delta=delta).interval.high
    with mp.workdps(20):
        high = mp.mpf(high)
        step = abs(high) * mp.mpf("1e-5")
        below, p, above = (melded_pvalue(high + k * step, n01, n10, n) for k in (-1, 0, 1))
        error = (p - mp.mpf(delta) / 2) / ((above - below) / (2 * step))
    assert abs(error) < 1e-10


def test_where_one_factor_is_certain_the_end_is_clopper_pearson():
    def high(n01, n10, n):
        table = [[0, n01], [n10, n - n01 - n10]]
        return paired_difference(table, method="exact").interval.high

    assert high(0, 0, 20) == pytest.approx(stats.beta.ppf(0.975, 1, 20))  # no discordant example
    assert high(9, 0, 20) == pytest.approx(stats.beta.ppf(0.975, 10, 11))  # A alone wrong on all
    # all examples discordant
    assert high(9, 5, 14) == pytest.approx(2 * stats.beta.ppf(0.975, 10, 5) - 1)
    assert high(20, 0, 20) == 1


@pytest.mark.parametrize("n", slow([6, 15, 30], 30))
@pytest.mark.parametrize("delta", [0.05, 0.2])
def test_the_exact_interval_covers(n, delta):
    """Its authors conjecture coverage; this tests every table of n examples on a grid."""
    a, b = (grid.ravel() for grid in np.meshgrid(np.arange(n + 1), np.arange(n + 1)))
    a, b = a[a + b <= n], b[a + b <= n]
    interval = paired_difference(
        np.moveaxis(np.array([[0 * a, a], [b, n - a - b]]), -1, 0), method="exact", delta=delta
    ).interval
    for share in np.linspace(0.05, 1, 20):
        for theta in np.linspace(0, 1, 21):
            weight = stats.binom.pmf(a + b, n, share) * stats.binom.pmf(a, a + b, theta)
            true = share * (2 * theta - 1)
            assert weight @ (interval.low > true + 1e-12) <= delta / 2 + 1e-12
            assert weight @ (interval.high < true - 1e-12) <= delta / 2 + 1e-12


@pytest.mark.parametrize("n", [10**4, 10**6, 10**8, 10**12])
def test_the_exact_interval_of_large_tables(n):
    """Far from 0 and 1 it is the normal interval, except for terms of the order 1/n."""
    n01, n10 = n // 20, n // 25
    result = paired_difference([[0, n01], [n10, n - n01 - n10]], method="exact")
    share, gap = (n01 + n10) / n, (n01 - n10) / n
    half = stats.norm.isf(0.025) * np.sqrt((share - gap**2) / n)
    assert result.interval == pytest.approx((gap - half, gap + half), abs=5 / n)


@pytest.mark.parametrize(
    ("counts", "delta"), [((3, 9), 1e-200), ((0, 50), 1e-150), ((9, 3), 1 - 1e-16)]
)
def test_extreme_levels_give_numbers(counts, delta):
    n01, n10 = counts
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for method in ("exact", "tango", "newcombe"):
            result = paired_difference([[1, n01], [n10, 80]], method=method, delta=delta)
            assert np.isfinite(result.interval).all()
            assert -1 <= result.interval.low <= result.interval.high <= 1
        for method in ("exact", "mid-p", "z", "chi2-corrected"):
            assert np.isfinite(mcnemar(n01, n10, method=method, delta=delta).interval).all()
        assert compare.kfold_paired_t([0.1, 0.2, 0.15, 0.3], delta=delta).interval
        assert compare.five_by_two_cv_f(np.arange(10.0).reshape(5, 2), delta=delta).reading


def test_names_and_html_and_print():
    table = [[0, 6], [0, 14]]
    result = paired_difference(table, method="exact", names=("k-NN", "<forest>"))
    assert repr(result) == str(result)
    value, verdict = repr(result).split("\n")
    assert value.startswith(
        "Only k-NN is wrong on 6 examples, only <forest> on 0: the error of k-NN minus error of "
        "<forest> is 0.3, 95% interval "
    )
    assert verdict == result.reading
    assert verdict.startswith("<forest> is better at level 0.05 (Difference of paired error")
    assert result.names == ("k-NN", "<forest>")
    assert "<p>&lt;forest&gt; is better at level 0.05 (" in result._repr_html_()
    assert pickle.loads(pickle.dumps(result)).reading == result.reading


def test_only_the_exact_mcnemar_tests_are_called_exact():
    exact = {key for key, entry in COMPARISONS.items() if entry.guarantee == "exact"}
    # test_suissa_shuster.py enumerates levels and coverage of the last one
    assert exact == {"mcnemar-exact", "paired_difference-exact", "mcnemar-unconditional"}
    assert mcnemar(1, 6).guarantee == "exact"
    assert mcnemar(1, 6).interval_guarantee == "exact"
    melded = paired_difference([[0, 1], [6, 1]], method="exact")
    assert (melded.guarantee, melded.interval_guarantee) == ("exact", "none proven")
    assert compare.cochran_q([[0, 1], [1, 1]]).interval_guarantee is None


@pytest.mark.parametrize(
    ("n01", "n10", "n"), [(12, 2, 100), (100, 1, 800), (2, 12, 100), (1, 100, 800)]
)
def test_melded_ends_by_a_sum_over_quantiles(n01, n10, n):
    """Fay and Lumbard: P(share (2 theta - 1) > end) = 2.5%, theta over 20,000 quantiles.

    For n01 = 100 and n10 = 1, theta varies less than the share, so the quadrature runs over theta.
    """
    end = paired_difference([[0, n01], [n10, n - n01 - n10]], method="exact").interval.high
    m = n01 + n10
    theta = stats.beta(n01 + 1, n10).ppf((np.arange(20_000) + 0.5) / 20_000)
    share = stats.beta(m + 1, n - m) if end > 0 else stats.beta(m, n - m + 1)
    tilt = 2 * theta - 1
    # share * tilt > end means share > end / tilt, or share < end / tilt if tilt is negative
    quotient = end / tilt
    above = np.where(tilt > 0, share.sf(quotient), share.cdf(quotient))
    assert above.mean() == pytest.approx(0.025, rel=2e-3)


def test_cochrans_q_is_0_where_nobody_differs():
    assert compare.cochran_q([[0, 0, 0], [1, 1, 1]]).pvalue == 1
    # one discordant example: (3 - 1) (3 * 1 - 1) / (3 * 1 - 1) = 2
    assert compare.cochran_q([[1, 0, 0], [1, 1, 1], [0, 0, 0]]).statistic == pytest.approx(2)
    assert compare.cochran_q([[1, 0], [1, 1]]).statistic == 1  # McNemar's (1 - 0)^2 / (1 + 0)
