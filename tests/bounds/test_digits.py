"""The ends of the binary and the bounded bounds, to the last digit, against mpmath and a loop."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from errlab import bounds

FILE = Path(__file__).parents[1] / "data" / "digits.txt"
TABLE = dict([*pd.read_csv(FILE, sep=" ", comment="#").groupby("key")])


@pytest.mark.parametrize("key", TABLE)
def test_both_ends_to_the_last_digit(key):
    rows = TABLE[key]
    data = {name: rows[name].to_numpy() for name in ("errors", "n", "delta")}
    for side in ("lower", "upper"):
        off = (getattr(bounds, side)(key, **data) - rows[side]).abs()
        wrong = off > rows[f"near_{side}"] * rows[side] + 1e-45
        assert not wrong.any(), rows[wrong]


@pytest.mark.parametrize("side", ["upper", "lower"])
def test_both_ends_of_betting_meet_the_capital(side):
    # a loop that computes the capital at the end itself
    for n, scale in ((30, 1), (200, 1), (4000, 1), (4000, 0.01)):
        losses = np.random.default_rng(5).beta(1, 3, n) * scale
        end = getattr(bounds, side)("BET", losses=losses, order="given", delta=0.05)
        gain, rest = (1 - losses, 1 - end) if side == "upper" else (losses, end)
        wealth, best, mean_sum, square_sum, var = 0.0, 0.0, 0.5, 0.25, 0.25
        for i, g in enumerate(gain):
            stake = min(np.sqrt(2 * np.log(20) / (n * var)), 0.75 / rest)
            wealth += np.log1p(stake * (g - rest))
            best = max(best, wealth)
            mean_sum += g
            square_sum += (g - mean_sum / (i + 2)) ** 2
            var = square_sum / (i + 2)
        assert best == pytest.approx(np.log(20), rel=1e-9), (n, scale)
