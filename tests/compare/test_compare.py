"""Comparisons of counts: McNemar, paired intervals, independent error rates, several classifiers.

References: enumeration, statsmodels 0.15, published tables.
"""

import inspect
import pickle
import warnings
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.stats import contingency_tables
from statsmodels.stats import proportion as sm

from errlab import compare
from errlab.compare import (
    COMPARISONS,
    mcnemar,
    mcnemar_size,
    mcnemar_table,
    paired_difference,
    two_proportions,
)
from errlab.compare._mcnemar import METHODS as MCNEMAR

TABLES = [(a, m - a) for m in range(61) for a in range(m + 1)]
A = np.array([a for a, _ in TABLES])
B = np.array([b for _, b in TABLES])
CAVO = [[59, 6], [16, 80]]  # Cavo et al. 2012, in Fagerland, Lydersen & Laake 2014


def enumerated(a, b, weight):
    """Sum the probabilities of more extreme outcomes, and `weight` times those of equal ones."""
    m = a + b
    extreme = [abs(2 * k - m) for k in range(m + 1)]
    total = sum(comb(m, k) for k in range(m + 1) if extreme[k] > abs(a - b))
    equal = sum(comb(m, k) for k in range(m + 1) if extreme[k] == abs(a - b))
    return (total + weight * equal) / 2**m


def test_exact_and_mid_p_are_full_enumerations():
    exact = [enumerated(a, b, 1) for a, b in TABLES]
    middle = [enumerated(a, b, 0.5) if a + b else 1.0 for a, b in TABLES]
    np.testing.assert_allclose(mcnemar(A, B, method="exact").pvalue, exact, rtol=1e-12)
    np.testing.assert_allclose(mcnemar(A, B, method="mid-p").pvalue, middle, rtol=1e-12)


@pytest.mark.parametrize("method", MCNEMAR)
def test_mcnemar_is_symmetric_and_right_for_ties_and_nothing(method):
    p = mcnemar(A, B, method=method).pvalue
    np.testing.assert_allclose(p, mcnemar(B, A, method=method).pvalue, rtol=1e-13)
    assert (p >= 0).all()
    assert (p <= 1).all()
    assert mcnemar(0, 0, method=method).pvalue == 1.0
    assert mcnemar(0, 0, method=method).interval == (-1, 1)
    if method != "mid-p":
        assert (p[A == B] == 1).all()


@pytest.mark.parametrize(
    ("method", "options"),
    [
        ("exact", {"exact": True}),
        ("chi2", {"exact": False, "correction": False}),
        ("chi2-corrected", {"exact": False, "correction": True}),
    ],
)
def test_mcnemar_agrees_with_statsmodels(method, options):
    # statsmodels 0.15 gives 1/m for the corrected statistic of a tie, so ties are left out there
    for a, b in [t for t in TABLES[1::11] if t[0] != t[1]]:
        other = contingency_tables.mcnemar([[0, a], [b, 0]], **options)
        mine = mcnemar(a, b, method=method)
        assert mine.statistic == pytest.approx(other.statistic, rel=1e-12)
        assert mine.pvalue == pytest.approx(other.pvalue, rel=1e-11)


@pytest.mark.parametrize("counts", [(6, 16), (1, 9), (0, 7), (40, 41)])
@pytest.mark.parametrize(
    ("method", "peer"), [("exact", "exact"), ("z", "wilson"), ("chi2-corrected", "wilsoncc")]
)
def test_limits_are_those_of_scipy_for_the_share_of_the_discordant(counts, method, peer):
    share = stats.binomtest(counts[0], sum(counts)).proportion_ci(method=peer)
    interval = mcnemar(*counts, method=method).interval
    assert interval == pytest.approx((2 * share.low - 1, 2 * share.high - 1), abs=1e-12)


def test_exact_stays_exact_for_a_million_discordant_cases():
    a, b = 499_000, 501_000
    assert mcnemar(a, b).pvalue == pytest.approx(2 * stats.binom.cdf(a, a + b, 0.5), rel=1e-10)
    assert mcnemar(0, 1000).pvalue == pytest.approx(2.0**-999, rel=1e-12)
    assert mcnemar(0, 10**10, method="chi2").statistic == 1e10  # its square exceeds int64


@pytest.mark.parametrize("method", MCNEMAR)
def test_size_equals_enumeration(method):
    for m in (0, 1, 5, 6, 17, 50):
        k = np.arange(m + 1)
        rejected = mcnemar(k, m - k, method=method).pvalue <= 0.05
        expected = stats.binom.pmf(k, m, 0.5) @ rejected
        assert mcnemar_size(m, method=method) == pytest.approx(expected, abs=1e-14)


def test_table_counts_who_is_wrong_and_fixes_the_sign():
    y = ["a"] * 10
    pred_a = ["b"] * 3 + ["a"] * 7  # wrong on 3
    pred_b = ["b"] * 1 + ["a"] * 7 + ["b"] * 2  # wrong on 3, one of them together with A
    table = mcnemar_table(y, pred_a, pred_b)
    np.testing.assert_array_equal(table, [[1, 2], [2, 5]])
    better_b = mcnemar_table(y, pred_a, ["a"] * 10)  # B makes no error
    assert better_b[0, 1] == 3  # n01: A wrong, B right
    assert mcnemar(better_b[0, 1], better_b[1, 0]).estimate > 0
    assert paired_difference(better_b).estimate == pytest.approx(0.3)
    assert two_proportions(3, 10, 0, 10).estimate == pytest.approx(0.3)
    assert "B is better" in mcnemar(30, 3).reading
    assert "A is better" in mcnemar(3, 30).reading
    assert "Neither" in mcnemar(3, 4).reading


@pytest.mark.parametrize("table", [CAVO, [[3, 9], [1, 20]], [[30, 1], [2, 9]], [[0, 4], [5, 30]]])
def test_newcombe_from_its_definition(table):
    # Newcombe, Stat. Med. 17 (1998) 2635-2650, method 10; Wilson's intervals from statsmodels
    (n00, n01), (n10, n11) = table
    n = n00 + n01 + n10 + n11
    (low_a, high_a), (low_b, high_b) = (
        sm.proportion_confint(k, n, method="wilson") for k in (n00 + n01, n00 + n10)
    )
    p_a, p_b = (n00 + n01) / n, (n00 + n10) / n
    top = n00 * n11 - n01 * n10
    if top > 0:
        top = max(top - n / 2, 0)
    phi = top / np.sqrt((n00 + n01) * (n10 + n11) * (n00 + n10) * (n01 + n11))
    arms = [
        np.sqrt(one**2 - 2 * phi * one * other + other**2)
        for one, other in ((p_a - low_a, high_b - p_b), (high_a - p_a, p_b - low_b))
    ]
    expected = (p_a - p_b - arms[0], p_a - p_b + arms[1])
    assert paired_difference(table, method="newcombe").interval == pytest.approx(
        expected, abs=1e-12
    )


PAIRS = [(7, 34, 1, 34), (0, 10, 3, 20), (17, 100, 20, 100), (56, 70, 48, 80), (5, 5, 0, 7)]


@pytest.mark.parametrize("counts", PAIRS)
def test_two_proportions_agree_with_statsmodels(counts):
    # statsmodels 0.15: newcomb, wald and the pooled z test
    newcombe, normal, pooled = (
        two_proportions(*counts, method=m) for m in ("newcombe", "normal", "pooled")
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = sm.confint_proportions_2indep(*counts, method="newcomb")
        wald = np.clip(sm.confint_proportions_2indep(*counts, method="wald"), -1, 1)
    assert newcombe.interval == pytest.approx(expected, abs=1e-12)
    # without variance their interval is a point, whereas ours is the whole range
    flat = {counts[0] / counts[1], counts[2] / counts[3]} <= {0, 1}
    assert normal.interval == ((-1, 1) if flat else pytest.approx(wald, abs=1e-12))
    a, n, b, m = counts
    z, p = sm.proportions_ztest([a, b], [n, m])
    assert (pooled.statistic, pooled.pvalue) == pytest.approx((z, p), rel=1e-10)


@pytest.mark.parametrize("counts", [c for c in PAIRS if 0 < c[0] < c[1] and c[2]])
def test_pooled_interval_solves_the_score_equation(counts):
    # fitted here, because statsmodels' score fit isn't the maximum unless the difference is 0
    a, n, b, m = counts
    for d in two_proportions(*counts, method="pooled").interval:

        def negative(q, d=d):
            p = q + d
            likelihood = stats.binom.logpmf(a, n, p) + stats.binom.logpmf(b, m, q)
            return -likelihood

        bounds = (max(0, -d) + 1e-9, min(1, 1 - d) - 1e-9)
        q = optimize.minimize_scalar(negative, bounds=bounds, method="bounded").x
        error = np.sqrt((q + d) * (1 - q - d) / n + q * (1 - q) / m)
        assert abs(a / n - b / m - d) / error == pytest.approx(1.959964, abs=1e-4)


def test_two_proportions_without_variance():
    for counts in ((0, 10, 0, 20), (0, 10, 20, 20)):
        flat = two_proportions(*counts, method="normal")
        assert (flat.statistic, flat.pvalue, *flat.interval) == (0, 1, -1, 1)
    assert two_proportions(0, 10, 0, 20, method="pooled").pvalue == 1
    low, high = two_proportions(0, 10, 0, 20).interval
    assert low < -0.1 < 0.2 < high


def test_cochran_q_agrees_with_statsmodels_and_with_mcnemar():
    losses = np.random.default_rng(0).random((60, 4)) < [0.2, 0.3, 0.3, 0.5]
    other = contingency_tables.cochrans_q(losses.astype(int))
    mine = compare.cochran_q(losses)
    assert mine.statistic == pytest.approx(other.statistic, rel=1e-12)
    assert mine.pvalue == pytest.approx(other.pvalue, rel=1e-12)
    assert (mine.estimate, mine.interval) == (None, None)
    pair = losses[:, :2]
    n01, n10 = (pair[:, 0] & ~pair[:, 1]).sum(), (pair[:, 1] & ~pair[:, 0]).sum()
    two = compare.cochran_q(pair)
    assert two.pvalue == pytest.approx(mcnemar(n01, n10, method="chi2").pvalue, rel=1e-12)
    same = compare.cochran_q(np.repeat(losses[:, :1], 3, axis=1))
    assert (same.statistic, same.pvalue) == (0, 1)


SAMPLES: dict[str, Any] = {
    "counts": [((0, 0), {}), ((3, 9), {}), ((0, 50), {})],
    "table": [(([[0, 0], [0, 5]],), {}), ((CAVO,), {}), (([[0, 9], [0, 0]],), {})],
    "small table": [(([[0, 0], [0, 5]],), {}), ((CAVO,), {}), (([[0, 9], [0, 0]],), {})],
    "two test sets": [((0, 5, 0, 5), {}), ((0, 5, 5, 5), {}), ((3, 9, 4, 30), {})],
    "paired losses": [(([1, 0, 1], [1, 0, 1]), {}), (([0.3, 1, 0.2], [0, 0.5, 0.4]), {})],
    "grouped losses": [
        (([1, 0] * 4, [1, 0] * 4), {}),
        (([0.3, 1, 0.2, 0.5] * 2, [0, 0.5, 0.4, 0.5] * 2), {}),
        (([1] * 8, [0] * 8), {}),
    ],
    "5x2 differences": [((np.zeros((5, 2)),), {}), ((np.arange(10.0).reshape(5, 2) / 50,), {})],
    "fold differences": [(([0.0, 0.0],), {}), (([0.1, 0.2, 0.1],), {}), (([0.1] * 3,), {})],
    "loss matrix": [(([[0, 1], [0, 1]],), {}), (([[0, 0], [1, 1]],), {})],
    "differences over data sets": [(([0.1, 0.0],), {}), ((np.arange(-5.0, 60) / 100,), {})],
    "errors over data sets": [
        (([[0.1, 0.2, 0.2], [0.0, 0.0, 0.0]],), {}),
        ((np.tile([0.1, 0.2, 0.3, 0.4], (60, 1)),), {}),
    ],
}


@pytest.mark.parametrize("entry", COMPARISONS.values(), ids=lambda entry: entry.key)
def test_help_and_source_show_what_comes_back_and_the_formula(entry):
    """`help` shows the class of the result, and `??` shows the formula's code."""
    function = getattr(entry.function, "func", entry.function)
    args, options = SAMPLES[entry.takes][-1]
    returned = entry.function(*args, **options, **entry.extra)
    assert inspect.signature(function).return_annotation == type(returned).__name__
    source = inspect.getsource(function)
    assert f"def {function.__name__}(" in source
    assert "return" in source
    assert "checks.one_delta" not in source, "that of the decorator"


@pytest.mark.parametrize("key", COMPARISONS)
def test_every_registered_comparison_has_its_words_and_a_clean_result(key):
    entry = COMPARISONS[key]
    doc = getattr(entry.function, "func", entry.function).__doc__
    for section in ("Parameters", "Returns", "Raises", "References", "Examples"):
        assert f"{section}\n" in doc
    assert entry.name
    assert entry.equations
    for args, options in SAMPLES[entry.takes]:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            result = entry.function(*args, **options, **entry.extra)
            reading = result.reading
        assert result.method == key
        assert reading.endswith(".")
        # the registered guarantee is that for every input; for few data sets there is a stronger
        # one
        assert f"guarantee: {result.guarantee}" in reading
        if entry.sample != "many data sets":
            assert result.guarantee == entry.guarantee
        assert COMPARISONS[result.method] is entry
        assert reading.count(". ") == 0
        assert not np.isnan(result.statistic)
        assert pickle.loads(pickle.dumps(result)).interval == result.interval
        if result.pvalue is not None:
            assert 0 <= result.pvalue <= 1
        if result.interval is not None:
            low, high = result.interval
            assert low <= result.estimate <= high
