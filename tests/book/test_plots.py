"""Plots of bounded losses show the values of the formulas."""

import re

import numpy as np
import pytest

from errlab import bounds
from errlab_book import outward
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
