"""Every bound against other libraries, its definition and closed forms; the ranking of bounds."""

from itertools import product

import numpy as np
import pytest
from marks import slow
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from errlab import bounds, coverage
from errlab.bounds import BOUNDS, applicable, rank, tightest

# what statsmodels 0.15.0 calls them
NAMES = ("NOR normal", "WIL wilson", "CP beta", "AC agresti_coull", "JEF jeffreys")
FROM_MEAN = [key for key, entry in BOUNDS.items() if entry.needs != "losses"]


@pytest.mark.parametrize("name", NAMES)
def test_binary_bounds_agree_with_statsmodels(name):
    key, method = name.split()
    for n, delta in product((1, 2, 10, 57, 200, 1000), (1e-6, 0.01, 0.05, 0.2, 0.45, 0.9)):
        k = np.arange(n + 1)
        expected = proportion_confint(k, n, alpha=2 * delta, method=method)  # two-sided
        ends = [side(key, k / n, n, delta=delta) for side in (bounds.lower, bounds.upper)]
        np.testing.assert_allclose(ends, expected, atol=1e-10, err_msg=f"{n = }, {delta = }")


@pytest.mark.parametrize("key", slow(FROM_MEAN, "BLA"))
def test_errors_stand_for_their_mean_and_each_end_of_an_interval_has_its_part_of_delta(key):
    errors, n = np.array([[0], [3], [10]]), np.array([10, 200])
    share = 1 if BOUNDS[key].two_sided else 2
    for delta in (0.05, [0.05], [[0.01], [0.1], [0.3]]):
        ends = bounds.interval(key, errors=errors, n=n, delta=delta)
        np.testing.assert_array_equal(ends, bounds.interval(key, errors / n, n, delta=delta))
        for end, side in zip(ends, (bounds.lower, bounds.upper), strict=True):
            part = np.divide(delta, share)
            from_errors = side(key, errors=errors, n=n, delta=part)
            np.testing.assert_array_equal(from_errors, side(key, errors / n, n, delta=part))
            np.testing.assert_allclose(end, from_errors, rtol=1e-13)
            assert type(side(key, errors=7, n=200)) is float
            assert side(key, errors=7.0, n=200) == side(key, 7 / 200, 200)


@pytest.mark.parametrize("key", [key for key in BOUNDS if BOUNDS[key].loss == "binary"])
def test_a_bound_for_losses_of_0_and_1_refuses_graded_ones(key):
    message = f"bound '{key}' is for losses of 0 and 1, got 0.25; .* BET, or T_HOE"
    for function in (bounds.upper, bounds.lower, bounds.interval):
        with pytest.raises(ValueError, match=message):
            function(key, losses=[0, 1, 0.25, 1])
        assert np.all(np.isfinite(function(key, losses=[False, True, True])))


# --- Blaker's interval --------------------------------------------------------------------------


def acceptability(x, n, rates):
    """Return Blaker's acceptability: the smaller tail, and no likelier outcomes opposite."""
    k, rates = np.arange(n + 1), rates[:, None]
    tails = np.minimum(stats.binom.cdf(k, n, rates), stats.binom.sf(k - 1, n, rates))
    no_likelier = tails <= tails[:, [x]] * (1 + 1e-9)
    return (stats.binom.pmf(k, n, rates) * no_likelier).sum(axis=1)


def test_blakers_interval_is_the_hull_of_what_the_definition_accepts():
    rates = np.linspace(0, 1, 4001)
    for x, n, delta in ((0, 9, 0.05), (4, 11, 0.05), (7, 30, 0.2), (2, 40, 0.01)):
        ends = bounds.interval("BLA", errors=x, n=n, delta=delta)
        accepted = rates[acceptability(x, n, rates) > delta]
        assert tuple(ends) == pytest.approx((accepted.min(), accepted.max()), abs=1 / 4000)


@pytest.mark.slow
def test_blakers_interval_covers_and_is_shorter_than_clopper_pearsons():
    for n in (50, 200):
        low, high = bounds.interval("BLA", errors=np.arange(n + 1), n=n)
        first, last = bounds.interval("CP", errors=np.arange(n + 1), n=n)
        assert (first <= low + 1e-12).all()
        assert (high <= last + 1e-12).all()
        assert 0.02 < 1 - (high - low).mean() / (last - first).mean() < 0.08
        assert coverage.worst("BLA", n, side="two-sided").coverage >= 0.95


# --- the ranking --------------------------------------------------------------------------------


def test_only_bounds_that_hold_and_can_be_computed_compete():
    for loss, rigorous, losses in product(("binary", "bounded"), (True, False), (True, False)):
        keys = applicable(loss, rigorous=rigorous, losses=losses)
        assert set(keys) == {
            key
            for key, b in BOUNDS.items()
            if not (loss == "bounded" and b.loss == "binary")
            and not (rigorous and not b.rigorous)
            and not (b.needs == "losses" and not losses)
        }


def test_ranked_by_value():
    for (mean, n), var in product(((0, 10), (0.1, 200), (0.9, 10), (1, 3)), (None, 0.01)):
        var = None if var is None else min(var, mean * (1 - mean))
        ranking = rank(mean, n, var=var, loss="binary", rigorous=False)
        values = [entry.upper for entry in ranking]
        assert values == pytest.approx(sorted(values), abs=2e-9)
        for entry in ranking:
            assert entry.upper == bounds.upper(entry.key, mean, n, var=var)
            assert entry.rigorous == BOUNDS[entry.key].rigorous


def test_tightest_equals_the_first_of_the_ranking():
    means, sizes = np.linspace(0, 1, 9), np.array([[2], [10], [200]])
    keys = tightest(applicable("bounded"), means, sizes)
    assert keys.shape == (3, 9)
    for (i, j), key in np.ndenumerate(keys):
        first = rank(means[j], int(sizes[i, 0]))[0].upper
        assert bounds.upper(key, means[j], sizes[i, 0]) == pytest.approx(first, abs=2e-9)
