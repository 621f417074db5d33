"""The ranking of bounds: which bounds compete, and in which order."""

import numpy as np
import pytest

from errlab import bounds
from errlab.bounds import BOUNDS, applicable, rank, tightest


@pytest.mark.parametrize("loss", ["binary", "bounded"])
@pytest.mark.parametrize("rigorous", [True, False])
@pytest.mark.parametrize("losses", [True, False])
def test_only_bounds_that_hold_and_can_be_computed_compete(loss, rigorous, losses):
    keys = applicable(loss, rigorous=rigorous, losses=losses)
    assert set(keys) == {
        key
        for key, b in BOUNDS.items()
        if not (loss == "bounded" and b.loss == "binary")
        and not (rigorous and not b.rigorous)
        and not (b.needs == "losses" and not losses)
    }


@pytest.mark.parametrize("var", [None, 0.01])
@pytest.mark.parametrize(("mean", "n"), [(0, 10), (0.1, 200), (0.9, 10), (1, 3)])
def test_ranked_by_value(mean, n, var):
    if var is not None and mean * (1 - mean) < var:
        var = 0.0
    result = rank(mean, n, var=var, loss="binary", rigorous=False)
    values = [entry.upper for entry in result]
    assert values == sorted(values) or np.allclose(values, sorted(values), atol=2e-9)
    for entry in result:
        assert entry.upper == bounds.upper(entry.key, mean, n, var=var)
        assert entry.rigorous == BOUNDS[entry.key].rigorous


def test_with_the_losses_betting_competes():
    losses = np.random.default_rng(0).beta(1, 9, 200)
    assert rank(losses=losses)[0].key == "BET"
    assert "BET" not in [entry.key for entry in rank(losses.mean(), 200, var=losses.var())]


def test_tightest_equals_the_first_of_the_ranking():
    keys = applicable("bounded")
    means, sizes = np.linspace(0, 1, 9), np.array([[2], [10], [200]])
    result = tightest(keys, means, sizes)
    assert result.shape == (3, 9)
    for (i, j), key in np.ndenumerate(result):
        best = rank(means[j], int(sizes[i, 0]))[0]
        assert bounds.upper(key, means[j], sizes[i, 0]) == pytest.approx(best.upper, abs=2e-9)
