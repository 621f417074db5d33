"""Sizes of test sets: against enumeration, published sizes, and the tests for which they are."""

import numpy as np
import pytest
import scipy

import errlab
from errlab import bounds, compare
from errlab.compare._fay_lumbard import margin_pvalue, melded
from errlab.compare._power import margin_power


def test_the_width_is_reached_and_one_case_fewer_does_not():
    for error in (0.0, 0.03, 0.258, 0.5, 0.9, 1.0):
        plan = errlab.plan(error=error, half_width=0.05, delta=0.1)
        ends = [bounds.interval("CP", error, plan.n - fewer, delta=0.1) for fewer in (0, 1)]
        reach, fewer = (max(error - low, high - error) for low, high in ends)
        assert reach <= 0.05 < fewer
        # the same for accuracy, but 1 - 0.258 and 0.742 differ in the last digit
        other = errlab.plan(error=1 - error, half_width=0.05, delta=0.1)
        assert plan.n == pytest.approx(other.n, abs=1)


def test_the_power_is_reached_and_one_case_fewer_does_not():
    result = errlab.plan(difference=0.04, disagree=0.12, power=0.8)
    assert result.n == compare.sample_size(lambda n: compare.mcnemar_power(n, 0.08, 0.04))
    assert result.power == compare.mcnemar_power(result.n, 0.08, 0.04) >= 0.8
    assert compare.mcnemar_power(result.n - 1, 0.08, 0.04) < 0.8
    assert errlab.plan(difference=-0.04, disagree=0.12).n == result.n
    # for a target: the largest number of errors whose exact bound is at most the target
    size = errlab.plan(error=0.03, max_error=0.05).n
    power, fewer = (
        scipy.stats.binom.cdf(
            (bounds.upper("CP", errors=range(60), n=n) <= 0.05).sum() - 1, n, 0.03
        )
        for n in (size, size - 1)
    )
    assert power >= 0.8 > fewer


def test_the_size_is_close_to_connors():
    """Connor 1987, Eq. 2: the normal approximation; the exact test needs slightly more examples."""
    z, beta = scipy.stats.norm.isf([0.025, 0.2])
    for gap, either in ((0.05, 0.2), (0.02, 0.1), (0.1, 0.3)):
        normal = (z * np.sqrt(either) + beta * np.sqrt(either - gap**2)) ** 2 / gap**2
        assert 1 < errlab.plan(difference=gap, disagree=either).n / normal < 1.1


@pytest.mark.slow
def test_the_power_of_a_margin_is_the_sum_over_all_tables():
    for n, p01, p10, margin in (
        (25, 0.1, 0.1, 0.2), (40, 0.15, 0.05, 0.05), (25, 0.0, 0.05, 0.3), (20, 0.5, 0.4, 0.4),
    ):  # fmt: skip
        x, y = np.indices((n + 1, n + 1)).reshape(2, -1)
        x, y = x[x + y <= n], y[x + y <= n]
        mass = scipy.stats.multinomial.pmf(np.c_[x, y, n - x - y], n, [p01, p10, 1 - p01 - p10])
        low = melded(x.astype(float), y.astype(float), np.full(len(x), float(n)), delta=0.05).low
        result = margin_power(n, p01, p10, margin=margin)
        assert result == pytest.approx(mass[low >= -margin].sum(), abs=1e-9)


@pytest.mark.slow
def test_a_margin_is_claimed_as_the_interval_says_and_not_too_often():
    for n in (5, 40, 300):
        for m in (0, 1, n // 3, n):
            x, size = np.arange(m + 1.0), np.full(m + 1, float(n))
            low = melded(x, m - x, size, delta=0.05).low
            for d in (0.01, 0.1, 0.7):
                assert ((margin_pvalue(x, m - x, size, d) <= 0.05) == (low >= -d)).all()
    for n in (30, 100, 400):
        for p01 in (0.0, 0.05, 0.2):
            assert margin_power(n, p01, p01 + 0.1, margin=0.1) <= 0.025
    assert margin_power(50, 0, 0, margin=0.1) == 1.0  # 50 examples, of which none is discordant
    assert margin_power(20, 0, 0, margin=0.1) == 0.0


@pytest.mark.slow
def test_the_plan_of_a_margin_reaches_its_power():
    worse, result, better = (
        errlab.plan(margin=0.05, disagree=0.1, difference=d, power=0.9) for d in (-0.02, None, 0.02)
    )
    assert margin_power(result.n, 0.05, 0.05, margin=0.05) == result.power >= 0.9
    assert margin_power(result.n - 1, 0.05, 0.05, margin=0.05) < 0.9
    assert better.n < result.n < worse.n
