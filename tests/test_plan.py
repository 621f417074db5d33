"""Sizes of test sets: against enumeration, published sizes, and the tests for which they are."""

import numpy as np
import pytest
import scipy

import errlab
from errlab import bounds, compare
from errlab.compare._fay_lumbard import margin_pvalue, melded
from errlab.compare._power import margin_power


def test_the_width_is_reached_and_one_case_fewer_does_not():
    """The size that the review of the library computed for SWE-bench: 1,956 at 25.8 %."""
    n = errlab.plan(error=0.258, half_width=0.02).n
    assert n == 1956
    for error in (0.0, 0.03, 0.258, 0.5, 0.9, 1.0):
        n = errlab.plan(error=error, half_width=0.05, delta=0.1).n

        def reach(size, error=error):
            low, high = bounds.interval("CP", error, size, delta=0.1)
            return max(error - low, high - error)

        assert reach(n) <= 0.05 < reach(n - 1)


def test_the_width_is_the_same_for_accuracy():
    for error in (0.01, 0.2, 0.45):
        sizes = [errlab.plan(error=e, half_width=0.03).n for e in (error, 1 - error)]
        # 1 - 0.45 and 0.55 differ in the last digit
        assert sizes[0] == pytest.approx(sizes[1], abs=1)


def test_the_power_is_reached_and_one_case_fewer_does_not():
    result = errlab.plan(difference=0.04, disagree=0.12, power=0.8)
    assert result.n == compare.sample_size(lambda n: compare.mcnemar_power(n, 0.08, 0.04))
    assert result.power == compare.mcnemar_power(result.n, 0.08, 0.04) >= 0.8
    assert compare.mcnemar_power(result.n - 1, 0.08, 0.04) < 0.8
    assert errlab.plan(difference=-0.04, disagree=0.12).n == result.n


def test_the_size_is_close_to_connors():
    """Connor 1987, Eq. 2: the normal approximation; the exact test needs slightly more examples."""
    z, beta = scipy.stats.norm.isf([0.025, 0.2])
    for gap, either in ((0.05, 0.2), (0.02, 0.1), (0.1, 0.3)):
        normal = (z * np.sqrt(either) + beta * np.sqrt(either - gap**2)) ** 2 / gap**2
        assert 1 < errlab.plan(difference=gap, disagree=either).n / normal < 1.1


def brute_margin(n, p01, p10, margin):
    """All tables, one interval each."""
    x, y = (a.ravel() for a in np.meshgrid(np.arange(n + 1.0), np.arange(n + 1.0)))
    x, y = x[x + y <= n], y[x + y <= n]
    mass = scipy.stats.multinomial.pmf(np.c_[x, y, n - x - y], n, [p01, p10, 1 - p01 - p10])
    return mass[melded(x, y, np.full(x.shape, float(n)), delta=0.05).low >= -margin].sum()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "p01", "p10", "margin"),
    [(40, 0.1, 0.1, 0.2), (60, 0.15, 0.05, 0.05), (25, 0.0, 0.05, 0.3), (30, 0.5, 0.4, 0.4)],
)
def test_the_power_of_a_margin_is_the_sum_over_all_tables(n, p01, p10, margin):
    result = margin_power(n, p01, p10, margin=margin)
    assert result == pytest.approx(brute_margin(n, p01, p10, margin), abs=1e-9)


@pytest.mark.slow
def test_whether_an_end_reaches_the_margin_is_what_the_interval_says():
    for n in (5, 40, 300):
        for m in (0, 1, n // 3, n):
            x = np.arange(m + 1.0)
            size = np.full(m + 1, float(n))
            low = melded(x, m - x, size, delta=0.05).low
            for d in (0.01, 0.1, 0.7):
                assert ((margin_pvalue(x, m - x, size, d) <= 0.05) == (low >= -d)).all()


@pytest.mark.slow
def test_a_margin_is_not_claimed_wrongly_more_often_than_it_may():
    for n in (30, 100, 400):
        for p01 in (0.0, 0.05, 0.2):
            assert margin_power(n, p01, p01 + 0.1, margin=0.1) <= 0.025
    assert margin_power(50, 0, 0, margin=0.1) == 1.0  # 50 examples, of which none is discordant
    assert margin_power(20, 0, 0, margin=0.1) == 0.0


@pytest.mark.slow
def test_the_plan_of_a_margin_reaches_its_power():
    result = errlab.plan(margin=0.05, disagree=0.1, power=0.9)
    assert margin_power(result.n, 0.05, 0.05, margin=0.05) == result.power >= 0.9
    assert margin_power(result.n - 1, 0.05, 0.05, margin=0.05) < 0.9
    worse = errlab.plan(margin=0.05, disagree=0.1, difference=-0.02, power=0.9)
    better = errlab.plan(margin=0.05, disagree=0.1, difference=0.02, power=0.9)
    assert better.n < result.n < worse.n


def test_groups_need_more_cases():
    alone = errlab.plan(difference=0.05, disagree=0.2)
    result = errlab.plan(difference=0.05, disagree=0.2, design_effect=3.4)
    assert result.independent == alone.n
    assert result.n == int(np.ceil(3.4 * alone.n))
    assert "design effect 3.4" in repr(result)
    assert int(result) == result.n
    assert list(range(10_000))[result] == result.n


def test_a_plan_for_a_target_has_its_power_and_one_case_fewer_has_not():
    size = errlab.plan(error=0.03, max_error=0.05).n

    def power(n):
        # the largest number of errors whose exact bound is at most the target
        allowed = max(k for k in range(n) if bounds.upper("CP", errors=k, n=n) <= 0.05)
        return scipy.stats.binom.cdf(allowed, n, 0.03)

    assert power(size) >= 0.8 > power(size - 1)
