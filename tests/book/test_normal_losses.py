"""The survey's own simulation, which draws normal values instead of losses."""

import numpy as np
import pytest
from marks import slow
from scipy.stats import norm

from errlab import bounds
from errlab_book.normal_losses import simulate_normal


@pytest.mark.parametrize(("error", "n"), [(0.01, 10), (0.1, 20), (0.5, 10)])
def test_shares_outside_are_those_of_the_normal_law(error, n):
    sigma = np.sqrt(error * (1 - error))
    result = simulate_normal("HOE", error, n, repeats=20_000, rng=1)
    for share, spread in ((result.losses_outside, sigma), (result.means_outside, sigma / n**0.5)):
        right = norm.cdf(0, error, spread) + norm.sf(1, error, spread)
        assert share == pytest.approx(right, abs=0.012)


def test_the_spread_of_a_draw_is_known_to_a_thousandth():
    # four million draws, in which a standard deviation 1% too large is five standard errors off
    sigma = np.sqrt(0.1 * 0.9)
    result = simulate_normal("HOE", 0.1, 4000, repeats=1000, rng=4)
    right = norm.cdf(0, 0.1, sigma) + norm.sf(1, 0.1, sigma)
    assert abs(result.losses_outside - right) < 4 * np.sqrt(right * (1 - right) / 4e6)


@pytest.mark.parametrize("outside", ["clip", "drop"])
@pytest.mark.parametrize("error", [0, 1])
def test_without_spread_no_draw_lies_outside(error, outside):
    assert simulate_normal("HOE", error, 10, outside=outside, repeats=5, rng=0) == (1, 0, 0)


@pytest.mark.parametrize("outside", ["clip", "drop"])
@pytest.mark.parametrize(("error", "n"), slow([(0.25, 20), (0.02, 200)], (0.02, 200)))
def test_coverage_is_a_normal_tail(error, n, outside):
    # the bound grows with the mean, so it covers from the mean on at which it equals the true error
    grid = np.linspace(0, 1, 20_001)
    upper = bounds.upper("T_HOE", grid, n)
    sigma = np.sqrt(error * (1 - error) / n)
    lowest = np.interp(error, upper, grid) if upper[0] < error else 0.0
    holds, below, above = norm.sf(lowest, error, sigma), norm.cdf(0, error, sigma), 0.0
    right = holds if outside == "clip" else (holds - above) / (1 - below)
    result = simulate_normal("T_HOE", error, n, outside=outside, repeats=40_000, rng=2)
    assert result.coverage == pytest.approx(right, abs=0.004)


@pytest.mark.slow
def test_clipping_or_dropping_matters():
    clipped, dropped = (
        simulate_normal("T_HOE", 0.02, 200, outside=o, repeats=20_000, rng=3)
        for o in ("clip", "drop")
    )
    assert dropped.coverage > clipped.coverage + 0.01


def test_no_test_set_is_left():
    seed = next(s for s in range(40) if np.random.default_rng(s).normal(0.001, 0.0316) < 0)
    with pytest.raises(ValueError, match="must leave a test set"):
        simulate_normal("HOE", 0.001, 1, outside="drop", repeats=1, rng=seed)
