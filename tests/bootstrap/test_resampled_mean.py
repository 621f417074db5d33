"""Bootstrap means without resampling: against binomials, convolutions and resampling itself."""

import numpy as np
import pytest
from scipy import stats

from errlab import bootstrap
from errlab._numerics.resampled_mean import WAIT, MeanLimit


@pytest.mark.parametrize(("n", "errors"), [(5000, 70), (20_000, 3), (100_000, 37_000)])
def test_it_is_the_binomial_where_losses_are_0_and_1(n, errors):
    limit = MeanLimit((np.arange(n) < errors) * 1.0)
    law = stats.binom(n, errors / n)
    counts = np.arange(*law.ppf([1e-6, 1 - 1e-6]))
    middle = (law.cdf(counts) + law.cdf(counts - 1)) / 2  # half of an atom's mass on either side
    found = [limit.below(k / n) for k in counts]
    # three errors make a law of few, large atoms; their steps are smoothed
    assert found == pytest.approx(middle, abs=2e-3 if errors > 3 else 0.02)


def test_it_is_the_convolution_where_losses_have_three_values():
    n, shares = 3000, np.array([0.5, 0.2, 0.3])
    sums = np.abs(np.fft.irfft(np.fft.rfft(shares, 2 * n + 2) ** n, 2 * n + 2))[: 2 * n + 1]
    total = np.cumsum(sums)
    limit = MeanLimit(np.repeat([0.0, 0.5, 1.0], (n * shares).astype(int)))
    found = [limit.below(k / (2 * n)) for k in range(2200, 2601)]
    assert found == pytest.approx(total[2200:2601] - sums[2200:2601] / 2, abs=1e-4)


@pytest.mark.parametrize(
    "method", [bootstrap.percentile_interval, bootstrap.bca_interval], ids=["percentile", "BCa"]
)
def test_intervals_of_graded_losses_do_not_notice_which_way_they_came(method):
    losses = np.random.default_rng(3).beta(0.4, 3, 2500)
    drawn = method(losses, resamples=WAIT // 2500, rng=0)
    limit = method(losses, resamples=WAIT // 2500 + 1)
    assert limit == method(losses, resamples=10**9)  # no draw is left
    # a quantile of 8,000 draws has the standard error 0.03 of theirs
    assert tuple(limit) == pytest.approx(tuple(drawn), abs=0.12 * losses.std() / 50)
    assert tuple(limit) != tuple(drawn)


def test_equal_losses_are_a_point():
    assert bootstrap.percentile_interval(np.full(3000, 0.25)) == (0.25, 0.25)
    assert MeanLimit(np.full(9, 0.5)).below(0.5) == 0.5


@pytest.mark.slow
def test_a_few_large_losses_among_small_ones():
    rng = np.random.default_rng(6)
    losses = np.append(np.ones(3), rng.random(5000) / 1000)
    drawn = [losses[rng.integers(5003, size=(1000, 5003))].mean(1) for _ in range(20)]
    low, high = bootstrap.percentile_interval(losses)
    # 20,000 draws; the law is lumpy, the largest step of its distribution function is smoothed
    assert (np.concatenate(drawn) < low).mean() == pytest.approx(0.025, abs=0.01)
    assert (np.concatenate(drawn) > high).mean() == pytest.approx(0.025, abs=0.01)


@pytest.mark.slow
def test_a_million_losses_keep_inside_one_block():
    losses = np.random.default_rng(7).beta(1, 5, 1_000_000)
    low, high = bootstrap.percentile_interval(losses)
    half = stats.norm.ppf(0.975) * losses.std() / 1000
    assert (low, high) == pytest.approx((losses.mean() - half, losses.mean() + half), abs=1e-6)


def test_far_from_the_mean_nothing_is_left():
    """More than twelve standard errors off, where the series would begin anew."""
    limit = MeanLimit((np.arange(400) < 40) * 1.0)  # a standard error of 0.015
    assert limit.below(0.1 + 13 * limit.error) == pytest.approx(1, abs=1e-9)
    assert limit.below(0.1 + 24 * limit.error) == pytest.approx(1, abs=1e-9)
    assert limit.below(0.1 - 24 * limit.error) == pytest.approx(0, abs=1e-9)
