"""Plots of bounded losses show the values of the formulas."""

import re

import numpy as np
import pytest
from scipy.stats import norm

from errlab import bounds
from errlab_book import outward
from errlab_book.normal_losses import OUTSIDE, simulate_normal
from errlab_book.plots import bounded

EVEN = (np.arange(40) + 0.5) / 40


@pytest.mark.parametrize("delta", [0.05, 0.01])
def test_the_gambler_rules_out_what_is_above_the_betting_bound(delta):
    losses = np.random.default_rng(2).beta(10, 30, 150)
    bound = bounds.upper("BET", losses=losses, delta=delta, order="given")
    highest = []
    for error in (bound - 1e-3, bound, bound + 1e-3):
        level, _, gambler = bounded.plot_capital(losses, error, stake=0.1, delta=delta).lines
        highest.append(gambler.get_ydata().max() * delta)
    assert level.get_ydata()[0] == pytest.approx(1 / delta)
    assert highest[0] < 1 < highest[2]
    assert highest[1] == pytest.approx(1, abs=1e-6)


def test_what_more_knowledge_is_worth_is_what_the_mean_alone_would_need():
    losses = EVEN / 2
    message = [text.get_text() for text in bounded.plot_known(losses)[1].texts]
    cases = int(re.search(r"as from ([\d,]+)", message[2]).group(1).replace(",", ""))
    bet = bounds.upper("BET", losses=losses)
    assert bounds.tight_hoeffding(losses.mean(), cases + 1) < bet
    assert bounds.tight_hoeffding(losses.mean(), cases - 1) > bet
    assert outward(bet) in message[2]


def test_a_loss_of_1_takes_the_stake_and_no_more():
    _, you, _ = bounded.plot_capital([1.0, 0.3], 0.3, stake=0.25).lines
    assert you.get_ydata() == pytest.approx([1, 0.75, 0.75])


# --- The survey's own simulation, which draws normal values instead of losses.


def share_outside(error, spread):
    return norm.cdf(0, error, spread) + norm.sf(1, error, spread)


def test_shares_outside_are_those_of_the_normal_law():
    for error, n in ((0.01, 10), (0.1, 20), (0.5, 10)):
        sigma = np.sqrt(error * (1 - error))
        _, *shares = simulate_normal("HOE", error, n, repeats=20_000, rng=1)
        right = [share_outside(error, sigma), share_outside(error, sigma / n**0.5)]
        assert shares == pytest.approx(right, abs=0.012), error
    for outside in OUTSIDE:  # without spread there is none
        for error in (0, 1):
            result = simulate_normal("HOE", error, 10, outside=outside, repeats=5, rng=0)
            assert result == (1, 0, 0)


@pytest.mark.slow
def test_the_spread_of_a_draw_is_known_to_a_thousandth():
    # four million draws, in which a standard deviation 1% too large is five standard errors off
    result = simulate_normal("HOE", 0.1, 4000, repeats=1000, rng=4)
    right = share_outside(0.1, np.sqrt(0.1 * 0.9))
    assert abs(result.losses_outside - right) < 4 * np.sqrt(right * (1 - right) / 4e6)


@pytest.mark.slow
def test_coverage_is_a_normal_tail():
    # the bound grows with the mean, so it covers from the mean on at which it equals the true error
    grid = np.linspace(0, 1, 20_001)
    for error, n in ((0.25, 20), (0.02, 200)):
        upper = bounds.upper("T_HOE", grid, n)
        sigma = np.sqrt(error * (1 - error) / n)
        lowest = np.interp(error, upper, grid) if upper[0] < error else 0.0
        holds, below = norm.sf(lowest, error, sigma), norm.cdf(0, error, sigma)
        right = {"clip": holds, "drop": holds / (1 - below)}
        coverage = {
            outside: simulate_normal(
                "T_HOE", error, n, outside=outside, repeats=40_000, rng=2
            ).coverage
            for outside in OUTSIDE
        }
        assert coverage == pytest.approx(right, abs=0.004), error
    assert coverage["drop"] > coverage["clip"] + 0.01, "it matters"
