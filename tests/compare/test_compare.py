"""Comparisons of counts: McNemar, paired intervals, independent error rates, several classifiers.

References: enumeration, statsmodels 0.15; published tables are in data/values.txt.
"""

import inspect
import pickle
from math import comb

import numpy as np
import pytest
from inputs import inputs
from scipy import optimize, stats
from statsmodels.stats import contingency_tables
from statsmodels.stats import proportion as sm

from errlab import compare
from errlab.compare import COMPARISONS, mcnemar, paired_difference, two_proportions
from errlab.compare._mcnemar import METHODS as MCNEMAR

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
