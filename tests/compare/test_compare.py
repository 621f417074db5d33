"""Comparisons of counts, folds and data sets: verdict, p-value and interval agree.

References: enumeration, statsmodels 0.15; published tables are in data/values.txt.
"""

import inspect
import itertools
import pickle
import re
from math import comb

import mpmath as mp
import numpy as np
import pytest
import scipy
from fuzz import Nearest
from marks import nightly
from scipy import optimize, stats
from sklearn.dummy import DummyClassifier
from statsmodels.stats import contingency_tables
from statsmodels.stats import proportion as sm
from tables import DATA, sections
from test_values import exact

from errlab import compare
from errlab.compare import COMPARISONS, mcnemar, paired_difference, two_proportions
from errlab.compare import _result as result
from errlab.compare._mcnemar import METHODS as MCNEMAR
from errlab_book.plots.data_sets import iman_davenport, plot_average_ranks, rank_alarms

N01, N10 = (grid.ravel() for grid in np.meshgrid(np.arange(26), np.arange(26)))


def tables(n, both=0.3):
    """Every table with n01, n10 <= 25 that fits in n; both are wrong on a fraction of the rest."""
    inside = n >= N01 + N10
    n01, n10 = N01[inside], N10[inside]
    rest = n - n01 - n10
    n00 = np.round(both * rest).astype(int)
    return np.moveaxis(np.array([[n00, n01], [n10, rest - n00]]), -1, 0)


def all_of(n, m):
    """Every pair of errors in n and in m examples."""
    a, b = np.meshgrid(np.arange(n + 1), np.arange(m + 1))
    return a, np.full(a.shape, n), b, np.full(b.shape, m)


def inputs(takes):
    """Yield the arguments of each line of a section."""
    names = {**globals(), "rng": np.random.default_rng(1)}
    for line in dict(sections("comparisons.txt"))[takes]:
        if re.match(r"[\w, ]+ = ", line):
            exec(line, names)
        else:
            yield eval(line, names)


# --- McNemar, paired intervals, independent error rates, several classifiers


TABLES = [(a, m - a) for m in range(61) for a in range(m + 1)]
A, B = np.transpose(TABLES)


def enumerated(a, b, weight):
    """Sum the probabilities of more extreme outcomes, and `weight` times those of equal ones."""
    m = a + b
    extreme = [abs(2 * k - m) for k in range(m + 1)]
    total = sum(comb(m, k) for k in range(m + 1) if extreme[k] > abs(a - b))
    equal = sum(comb(m, k) for k in range(m + 1) if extreme[k] == abs(a - b))
    return (total + weight * equal) / 2**m


@pytest.mark.slow
def test_mcnemars_p_is_an_enumeration_or_that_of_statsmodels_and_of_scipys_limits():
    exact = [enumerated(a, b, 1) for a, b in TABLES]
    middle = [enumerated(a, b, 0.5) if a + b else 1.0 for a, b in TABLES]
    np.testing.assert_allclose(mcnemar(A, B, method="exact").pvalue, exact, rtol=1e-12)
    np.testing.assert_allclose(mcnemar(A, B, method="mid-p").pvalue, middle, rtol=1e-12)
    for method, options in (
        ("exact", {"exact": True}),
        ("chi2", {"exact": False, "correction": False}),
        ("chi2-corrected", {"exact": False, "correction": True}),
    ):
        # statsmodels 0.15 gives 1/m for the corrected statistic of a tie, so ties are left out
        for a, b in [t for t in TABLES[1::11] if t[0] != t[1]]:
            other = contingency_tables.mcnemar([[0, a], [b, 0]], **options)
            result = mcnemar(a, b, method=method)
            assert result.statistic == pytest.approx(other.statistic, rel=1e-12), method
            assert result.pvalue == pytest.approx(other.pvalue, rel=1e-11), method
    peers = {"exact": "exact", "z": "wilson", "chi2-corrected": "wilsoncc"}
    for method, peer in peers.items():
        for counts in ((6, 16), (1, 9), (0, 7), (40, 41)):
            share = stats.binomtest(counts[0], sum(counts)).proportion_ci(method=peer)
            expected = pytest.approx((2 * share.low - 1, 2 * share.high - 1), abs=1e-12)
            assert mcnemar(*counts, method=method).interval == expected, method


@pytest.mark.parametrize("method", MCNEMAR)
def test_mcnemar_is_symmetric_right_for_ties_and_nothing_and_has_its_size(method):
    p = mcnemar(A, B, method=method).pvalue
    np.testing.assert_allclose(p, mcnemar(B, A, method=method).pvalue, rtol=1e-13)
    assert ((p >= 0) & (p <= 1)).all()
    assert mcnemar(0, 0, method=method).pvalue == 1.0
    assert mcnemar(0, 0, method=method).interval == (-1, 1)
    if method != "mid-p":
        assert (p[A == B] == 1).all()
    for m in (0, 1, 5, 6, 17, 50):
        k = np.arange(m + 1)
        expected = stats.binom.pmf(k, m, 0.5) @ (mcnemar(k, m - k, method=method).pvalue <= 0.05)
        assert compare.mcnemar_size(m, method=method) == pytest.approx(expected, abs=1e-14)


def test_newcombe_from_its_definition():
    # Newcombe, Stat. Med. 17 (1998) 2635-2650, method 10; Wilson's intervals from statsmodels
    cavo = [[59, 6], [16, 80]]  # Cavo et al. 2012, in Fagerland, Lydersen & Laake 2014
    for table in (cavo, [[3, 9], [1, 20]], [[30, 1], [2, 9]], [[0, 4], [5, 30]]):
        (n00, n01), (n10, n11) = table
        n = n00 + n01 + n10 + n11
        p_a, p_b = (n00 + n01) / n, (n00 + n10) / n
        (low_a, high_a), (low_b, high_b) = (
            sm.proportion_confint(k, n, method="wilson") for k in (n00 + n01, n00 + n10)
        )
        top = n00 * n11 - n01 * n10
        if top > 0:
            top = max(top - n / 2, 0)
        phi = top / np.sqrt((n00 + n01) * (n10 + n11) * (n00 + n10) * (n01 + n11))
        below, above = (
            np.sqrt(one**2 - 2 * phi * one * other + other**2)
            for one, other in ((p_a - low_a, high_b - p_b), (high_a - p_a, p_b - low_b))
        )
        expected = pytest.approx((p_a - p_b - below, p_a - p_b + above), abs=1e-12)
        assert paired_difference(table, method="newcombe").interval == expected, table


@pytest.mark.parametrize(
    "counts", [(7, 34, 1, 34), (0, 10, 3, 20), (17, 100, 20, 100), (56, 70, 48, 80), (5, 5, 0, 7)]
)
def test_two_proportions_agree_with_statsmodels_and_with_the_score_equation(counts):
    # statsmodels 0.15: newcomb, wald and the pooled z test
    newcombe, normal, pooled = (
        two_proportions(*counts, method=m) for m in ("newcombe", "normal", "pooled")
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = sm.confint_proportions_2indep(*counts, method="newcomb")
        wald = np.clip(sm.confint_proportions_2indep(*counts, method="wald"), -1, 1)
    assert newcombe.interval == pytest.approx(expected, abs=1e-12)
    a, n, b, m = counts
    # without variance their interval is a point, whereas ours is the whole range
    flat = {a / n, b / m} <= {0, 1}
    assert normal.interval == ((-1, 1) if flat else pytest.approx(wald, abs=1e-12))
    z, p = sm.proportions_ztest([a, b], [n, m])
    assert (pooled.statistic, pooled.pvalue) == pytest.approx((z, p), rel=1e-10)

    def negative(q, d):
        likelihood = stats.binom.logpmf(a, n, q + d) + stats.binom.logpmf(b, m, q)
        return -likelihood

    # fitted here, because statsmodels' score fit isn't the maximum unless the difference is 0
    for d in pooled.interval if 0 < a < n and b else ():
        limits = (max(0, -d) + 1e-9, min(1, 1 - d) - 1e-9)
        q = optimize.minimize_scalar(negative, args=(d,), bounds=limits, method="bounded").x
        error = np.sqrt((q + d) * (1 - q - d) / n + q * (1 - q) / m)
        assert abs(a / n - b / m - d) / error == pytest.approx(1.959964, abs=1e-4)


def test_cochran_q_agrees_with_statsmodels_and_with_mcnemar():
    losses = np.random.default_rng(0).random((60, 4)) < [0.2, 0.3, 0.3, 0.5]
    other = contingency_tables.cochrans_q(losses.astype(int))
    result = compare.cochran_q(losses)
    assert (result.statistic, result.pvalue) == pytest.approx(
        (other.statistic, other.pvalue), rel=1e-12
    )
    assert (result.estimate, result.interval) == (None, None)
    pair = losses[:, :2]
    n01, n10 = (pair[:, 0] & ~pair[:, 1]).sum(), (pair[:, 1] & ~pair[:, 0]).sum()
    expected = mcnemar(n01, n10, method="chi2").pvalue
    assert compare.cochran_q(pair).pvalue == pytest.approx(expected, rel=1e-12)
    same = compare.cochran_q(np.repeat(losses[:, :1], 3, axis=1))
    assert (same.statistic, same.pvalue) == (0, 1)


@pytest.mark.parametrize("key", COMPARISONS)
def test_every_registered_comparison_has_its_words_its_source_and_a_clean_result(key):
    """`help` shows the class of the result, and `??` shows the formula's code."""
    entry = COMPARISONS[key]
    function = getattr(entry.function, "func", entry.function)
    for section in ("Parameters", "Returns", "Raises", "References", "Examples"):
        assert f"{section}\n" in function.__doc__
    assert entry.name
    assert entry.equations
    for args in inputs(entry.takes):
        result = entry.function(*args, **entry.extra)
        reading = result.reading
        assert COMPARISONS[result.method] is entry
        assert reading.endswith(".")
        assert reading.count(". ") == 0
        # the registered guarantee holds for every input; for few data sets there is a stronger one
        assert f"guarantee: {result.guarantee}" in reading
        if entry.sample != "many data sets":
            assert result.guarantee == entry.guarantee
        assert not np.isnan(result.statistic)
        copy = pickle.loads(pickle.dumps(result))
        assert (copy.interval, copy.reading) == (result.interval, reading)
        assert result.pvalue is None or 0 <= result.pvalue <= 1
        if result.interval is not None:
            assert result.interval.low <= result.estimate <= result.interval.high
    assert inspect.signature(function).return_annotation == type(result).__name__
    source = inspect.getsource(function)
    assert f"def {function.__name__}(" in source
    assert "return" in source
    assert "checks.one_delta" not in source, "that of the decorator"


# --- Laws of comparisons over folds, and one that trains models; values are in values.txt.


SPLIT = {"n_train": 90, "n_test": 10}


FOLD_TESTS = {
    "kfold": compare.kfold_paired_t,
    "corrected": lambda d, **o: compare.corrected_resampled_t(d, **SPLIT, **o),
    "paired": lambda d, **o: compare.paired_t(d, np.zeros_like(d), **o),
    "t": compare.five_by_two_cv_t,
    "F": compare.five_by_two_cv_f,
}


@pytest.mark.parametrize("name", FOLD_TESTS)
def test_no_spread_scale_and_many_fold_tests(name):
    test, shape = FOLD_TESTS[name], (5, 2) if name in "tF" else (7,)
    # constant differences, but for rounding: no small p, and no interval of one point
    equal = np.resize([0.3 - 0.2, 0.2 - 0.1, 0.9 - 0.8], shape)
    for flat in (equal, -equal, *(np.full(shape, value) for value in (0.0, 0.05, -0.3, 1e-9))):
        result = test(flat)
        assert (result.statistic, result.pvalue) == (0, 1)
        assert result.interval == (-np.inf, np.inf)
        assert "Neither" in result.reading
        assert repr(result).startswith("Caution: all differences are equal")
    rng = np.random.default_rng(0)
    d = rng.normal(0.5, 1, shape)
    for factor in (1e-200, 1e200, -3.0):
        one, other = test(d), test(factor * d)
        assert other.pvalue == pytest.approx(one.pvalue, rel=1e-10)
        scaled = sorted(end * factor for end in one.interval)
        assert list(other.interval) == pytest.approx(scaled, rel=1e-9)
    d = rng.normal(0.5, 1, (3, 4, *shape))
    many = test(d)
    for i in np.ndindex(3, 4):
        one = test(d[i])
        assert many.pvalue[i] == pytest.approx(one.pvalue, rel=1e-12)
        low = np.nan if one.interval is None else one.interval.low
        assert many.interval.low[i] == pytest.approx(low, rel=1e-9, nan_ok=True)
    assert isinstance(one.pvalue, float)
    assert "of 12 comparisons" in many.reading


def test_resampled():
    rng = np.random.default_rng(6)
    y = rng.integers(0, 2, 80)
    X = np.column_stack([rng.normal(size=80), rng.normal(size=80) + 3 * y])
    guess, signal = DummyClassifier(), Nearest()
    result = compare.resampled(guess, signal, X, y, rng=0, names=("guess", "signal"))
    assert result.estimate > 0  # A guesses
    assert result.reading.startswith("signal is better")
    assert result.pvalue < 0.05
    assert compare.resampled(guess, signal, X, y, rng=0).statistic == result.statistic
    swapped = compare.resampled(signal, guess, X, y, rng=0)
    assert swapped.estimate == pytest.approx(-result.estimate)
    assert compare.resampled(signal, signal, X, y, rng=0).pvalue == 1


# --- A comparison's verdict and interval come from one test, and its sentence claims no more.


LEVELS = (1e-9, 0.001, 0.01, 0.05, 0.0625, 0.3, 0.9)
MANY = {name[5:] for name, _ in sections("comparisons.txt") if name.startswith("many ")}
WITH_BOTH = [
    key
    for key, entry in COMPARISONS.items()
    if entry.takes in MANY and key != "bayesian_correlated_t"
]
# Methods that take seconds, so by day only every 25th input is tested,
# at three levels.
HEAVY = (
    "paired_difference-exact", "mcnemar-mid-p", "mcnemar-unconditional", "grouped_betting",
    "two_proportions-pooled",
)  # fmt: skip


def stepped(keys):
    """Return each key with the step between its inputs."""
    day = [(key, 25 if key in HEAVY else 1) for key in keys]
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


# --- Many data sets: against scipy, exact posteriors, and laws; Demšar's numbers are in values.txt.


LOSS = 1 - np.loadtxt(DATA / "demsar.txt")


def test_friedman_is_exact_over_all_orders_of_the_rows():
    """At each attainable level it rejects exactly that often, ties or not."""
    tied = [(0, 1, 1), (0, 1, 2), (5, 5, 9), (2, 2, 2)]
    for rows in ([(0, 1, 2)] * 3, [(0, 1, 2, 3)] * 2, tied):
        orders = [set(itertools.permutations(row)) for row in rows[1:]]
        tables = itertools.product(rows[:1], *orders)
        p = np.array([compare.friedman(table, method="holm").pvalue for table in tables])
        for level in np.unique(p.round(12)):
            assert (p <= level + 1e-9).mean() == pytest.approx(level), rows


@pytest.mark.slow
def test_where_all_together_and_a_pair_disagree_it_says_so():
    rng = np.random.default_rng(1)
    cases = set()
    for _ in range(60):
        table = rng.random((9, 5)) + 0.15 * np.arange(5)
        result = compare.friedman(table, method="holm", baseline="0")
        together = result.pvalue <= result.delta
        pair = bool((result.adjusted <= result.delta).any())
        assert ("are not shown to differ" in repr(result)) == (not together)
        assert ("disagree" in repr(result)) == (pair and not together)
        assert len(result.warnings()) == (pair and not together)
        cases.add((together, pair))
        # Nemenyi's verdict is that of its critical difference
        result = compare.friedman(table)
        far = np.abs(result.differences) >= result.critical_difference
        assert ((result.adjusted <= 0.05) == far).all()
    assert {(False, True), (False, False), (True, True)} <= cases


def test_wilcoxon_is_scipys_where_nothing_ties_and_else_sums_over_all_signs():
    rng = np.random.default_rng(1)
    for n, method in ((2, "exact"), (5, "exact"), (12, "exact"), (30, "exact"), (80, "asymptotic")):
        d = rng.normal(0.2, 1, n)
        expected = scipy.stats.wilcoxon(d, method=method)
        result = compare.wilcoxon(d)
        assert (result.statistic, result.pvalue) == pytest.approx(tuple(expected)), n
        assert result.guarantee == method
    d = np.array([1, 1, 2, -2, 3, 3, -1, 4.0])
    ranks = scipy.stats.rankdata(np.abs(d))
    sums = np.array(list(itertools.product([0, 1], repeat=8))) @ ranks
    smaller = min(ranks[d > 0].sum(), ranks[d < 0].sum())
    assert compare.wilcoxon(d).pvalue == pytest.approx(min(2 * (sums <= smaller).mean(), 1))


@pytest.mark.slow
@pytest.mark.parametrize(("k", "n"), nightly([(3, 3), (4, 2)], (4, 2)))
def test_false_alarms_are_counted_over_all_orders(k, n):
    """Every table of ranks is equally likely, so the test is run on each of them."""
    tables = itertools.product(itertools.permutations(range(k)), repeat=n)
    results = [compare.friedman(table) for table in tables]
    statistics = [f.statistic for f in results]
    pvalues = {
        "Friedman, chi-squared": scipy.stats.chi2.sf(statistics, k - 1),
        "Iman and Davenport's F": np.array([iman_davenport(s, n, k)[1] for s in statistics]),
        "Nemenyi, some pair": np.array([f.adjusted.min() for f in results]),
    }
    expected = {name: (values <= 0.05).mean() for name, values in pvalues.items()}
    assert rank_alarms(k, n) == pytest.approx(expected)


def test_lines_of_ranks_meet_where_nemenyi_shows_nothing():
    result = compare.friedman(LOSS)
    lines = plot_average_ranks(result).collections[0].get_paths()
    ends = {tuple(np.round(line.vertices[:, 0], 3)) for line in lines}
    half = result.critical_difference / 2
    assert ends == {(round(r - half, 3), round(r + half, 3)) for r in result.ranks}


class Drawn(np.random.Generator):
    """Two posterior draws: in the first two classifiers are equal, in the second one is ahead."""

    def dirichlet(self, alpha, size=None):
        # weights w_0 of d_0 = 0 and w_1 of d_1 = 1: B wins with 1 - w_0^2, the ROPE with w_0^2
        return np.array([[np.sqrt(0.5), 1 - np.sqrt(0.5)], [0.1, 0.9]])


def test_level_answers_share_a_draw():
    generator = Drawn(np.random.PCG64(0))
    result = compare.bayesian_signed_rank([1.0], rope=0.4, draws=2, rng=generator)
    assert tuple(result.posterior) == pytest.approx((0, 1 / 4, 3 / 4))
