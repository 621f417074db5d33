"""Plots of bounded losses draw what the formulas say."""

import re

import numpy as np
import pytest

from errlab import bounds
from errlab.book.plots import bounded

EVEN = (np.arange(40) + 0.5) / 40
SAMPLES = {"0 or 1": (EVEN > 0.75) * 1.0, "uniform": EVEN / 2, "all alike": np.full(40, 0.25)}


def test_only_losses_of_0_and_1_reach_the_chord():
    chord, curve, *marks = bounded.plot_chord(SAMPLES, h=3.0).lines
    level = {}
    for mark in marks:
        x, y = np.ravel(mark.get_data())
        on_chord = np.interp(x, *chord.get_data())
        on_curve = np.interp(x, *curve.get_data())
        level[mark.get_label()] = (y - on_curve) / (on_chord - on_curve)
    assert level["0 or 1"] == pytest.approx(1, abs=1e-3)
    assert 0.05 < level["uniform"] < 0.6
    assert level["all alike"] == pytest.approx(0, abs=1e-3)


def test_the_bill_of_maurer_and_pontil_is_its_price_and_a_line_in_s():
    ax = bounded.plot_price_of_variance(mean=0.25, n=200)
    s, whole = ax.lines[0].get_data()
    price = 7 * np.log(40) / (3 * 199)  # Eq. 41
    assert whole[0] - 0.25 == pytest.approx(price)
    assert np.diff(whole) / np.diff(s) == pytest.approx(np.sqrt(2 * np.log(40) / 199))


@pytest.mark.parametrize("delta", [0.05, 0.01])
def test_the_gambler_rules_out_what_is_above_the_betting_bound(delta):
    losses = np.random.default_rng(2).beta(10, 30, 150)
    bound = bounds.upper("BET", losses=losses, delta=delta, order="given")
    level, *paths = bounded.plot_capital(
        losses, [bound - 1e-3, bound, bound + 1e-3], delta=delta
    ).lines
    highest = [path.get_ydata().max() * delta for path in paths]
    assert level.get_ydata()[0] == pytest.approx(1 / delta)
    assert highest[0] < 1 < highest[2]
    assert highest[1] == pytest.approx(1, abs=1e-6)


def test_what_more_knowledge_is_worth_is_what_the_mean_alone_would_need():
    losses = SAMPLES["uniform"]
    said = [text.get_text() for text in bounded.plot_known(losses)[1].texts]
    cases = int(re.search(r"as from ([\d,]+) cases", said[2]).group(1).replace(",", ""))
    bet = bounds.upper("BET", losses=losses)
    assert bounds.tight_hoeffding(losses.mean(), cases + 1) < bet
    assert bounds.tight_hoeffding(losses.mean(), cases - 1) > bet
    assert f"{bet:.1%}" in said[2]
