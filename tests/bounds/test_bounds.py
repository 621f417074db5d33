"""Every bound against other libraries, 50-digit arithmetic and closed forms."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

import errlab
from errlab import bounds
from errlab.bounds import BOUNDS

TABLE_1 = ["NOR", "WIL", "CP", "CHE", "GUT", "BER", "MAU", "CRF", "T_HOE", "HOE"]
STATSMODELS = {
    "NOR": "normal",
    "WIL": "wilson",
    "CP": "beta",
    "AC": "agresti_coull",
    "JEF": "jeffreys",
}
FROM_MEAN = [key for key, entry in BOUNDS.items() if entry.needs != "losses"]


def test_the_registry_is_in_the_order_of_table_1():
    assert list(BOUNDS)[: len(TABLE_1) + 2] == [*TABLE_1, "AC", "JEF"]


@pytest.mark.parametrize("key", STATSMODELS)
@pytest.mark.parametrize("n", [1, 2, 10, 57, 200, 1000])
@pytest.mark.parametrize("delta", [1e-6, 0.01, 0.05, 0.2, 0.45, 0.9])
def test_binary_bounds_agree_with_statsmodels(key, n, delta):
    # statsmodels 0.15.0, proportion_confint, two-sided at 2 delta
    k = np.arange(n + 1)
    low, high = proportion_confint(k, n, alpha=2 * delta, method=STATSMODELS[key])
    np.testing.assert_allclose(bounds.upper(key, k / n, n, delta=delta), high, atol=1e-10)
    np.testing.assert_allclose(bounds.lower(key, k / n, n, delta=delta), low, atol=1e-10)


def test_maurer_pontil_and_guttman_take_the_variance():
    losses = np.array([0.1, 0.4, 0.35, 0.8, 0.05, 0.3])
    n, mean, unbiased = len(losses), losses.mean(), losses.var(ddof=1)
    level = np.log(2 / 0.05)
    expected = mean + np.sqrt(2 * unbiased * level / n) + 7 * level / (3 * (n - 1))
    assert min(expected, 1) == pytest.approx(bounds.upper("MAU", losses=losses))
    n = 4000
    expected = mean + np.sqrt(2 * unbiased * level / n) + 7 * level / (3 * (n - 1))
    actual = bounds.maurer_pontil(mean, n, var=unbiased * (n - 1) / n)
    assert actual == pytest.approx(expected, rel=1e-12)
    mean, var, a = 0.2, 0.01, np.sqrt(2 / (n * (n - 1) * 0.05))
    guttman = bounds.guttman(mean, n, var=var)
    right = var / (n - 1) + guttman * (1 - guttman) * a  # Eq. 36
    assert (guttman - mean) ** 2 == pytest.approx(right, rel=1e-10)
    for key in ("GUT", "MAU"):
        assert BOUNDS[key].needs == "var"
        assert bounds.upper(key, 0.2, n, var=0.01) < bounds.upper(key, 0.2, n)
        full = bounds.upper(key, 0.2, n, var=0.16)
        assert bounds.upper(key, 0.2, n) == pytest.approx(full, rel=1e-12)


# --- counts -------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", FROM_MEAN)
def test_errors_stand_for_their_mean(key):
    errors, n = np.array([[0], [3], [10]]), np.array([10, 200])
    for side in (bounds.upper, bounds.lower):
        np.testing.assert_array_equal(
            side(key, errors=errors, n=n, delta=0.1), side(key, errors / n, n, delta=0.1)
        )
        assert type(side(key, errors=7, n=200)) is float
        assert side(key, errors=7.0, n=200) == side(key, 7 / 200, 200)
    ends = bounds.interval(key, errors=errors, n=n, delta=[[0.1], [0.2], [0.3]])
    np.testing.assert_array_equal(
        ends, bounds.interval(key, errors / n, n, delta=[[0.1], [0.2], [0.3]])
    )


@pytest.mark.parametrize("key", FROM_MEAN)
@pytest.mark.parametrize("delta", [0.05, [0.05], [[0.01], [0.1]]])
def test_an_interval_is_the_lower_and_the_upper_bound_at_half_the_level_each(key, delta):
    share = 1 if BOUNDS[key].two_sided else 2
    for data in ({"errors": 7, "n": 200}, {"mean": [0.1, 0.4], "n": 30}):
        low, high = bounds.interval(key, **data, delta=delta)
        half = np.divide(delta, share)
        np.testing.assert_allclose(low, bounds.lower(key, **data, delta=half), rtol=1e-13)
        np.testing.assert_allclose(high, bounds.upper(key, **data, delta=half), rtol=1e-13)


def test_seven_errors_in_200():
    # statsmodels 0.15.0: proportion_confint(7, 200, method="beta"), and method="wilson"
    np.testing.assert_allclose(
        bounds.interval("CP", errors=7, n=200), (0.0141855258984, 0.070780998351), rtol=1e-9
    )
    np.testing.assert_allclose(
        bounds.interval("WIL", errors=7, n=200), (0.0170555420086, 0.0704706115223), rtol=1e-9
    )


def test_a_large_count_is_not_rounded():
    # with 3 right ones among 1e15 examples, 1 - mean has one digit less
    n = 10**15
    upper = bounds.upper("CP", errors=n - 3, n=n)
    right = bounds.lower("CP", errors=3, n=n)
    assert abs(upper - (1 - right)) <= 2**-53
    assert right == pytest.approx(0.81769e-15, rel=1e-5)  # qgamma(0.05, 3) / n


@pytest.mark.parametrize("key", [key for key in BOUNDS if BOUNDS[key].loss == "binary"])
def test_a_bound_for_losses_of_0_and_1_refuses_graded_ones(key):
    message = f"bound '{key}' is for losses of 0 and 1, got 0.25; .* BET, or T_HOE"
    for function in (bounds.upper, bounds.lower, bounds.interval):
        with pytest.raises(ValueError, match=message):
            function(key, losses=[0, 1, 0.25, 1])
        assert np.all(np.isfinite(function(key, losses=[False, True, True])))


# --- the order of the losses --------------------------------------------------------------------


@pytest.mark.slow
def test_betting_does_not_take_a_sorted_file_for_a_random_one():
    # the worst order is that of a benchmark that gets harder: all errors at the end
    losses = np.repeat([0.0, 1.0], [170, 30])
    low, high = bounds.interval("BET", losses=losses)
    assert low < 0.15 < high
    ends = np.array([bounds.interval("BET", losses=losses, rng=seed) for seed in range(200)])
    assert ((ends[:, 0] < 0.15) & (ends[:, 1] > 0.15)).mean() >= 0.95


def test_an_unlucky_order_that_was_drawn_is_no_reason_to_refuse():
    """The probability of such an order is part of delta, so honest draws can have it, too."""
    losses = np.empty(100)
    # the same losses, sorted
    losses[np.random.default_rng(0).permutation(100)] = np.repeat([0.0, 1.0], 50)
    low, high = bounds.interval("BET", losses=losses)
    assert 0 < low <= 0.5 <= high < 1
    assert low < high
    assert "two-sided 95% interval" in str(errlab.report(scores=losses * 0.998 + 0.001))


def test_the_order_of_betting_is_fixed_by_its_rng():
    losses = np.random.default_rng(3).beta(1, 4, (2, 150))
    first = bounds.betting(losses)
    np.testing.assert_array_equal(first, bounds.betting(losses))
    np.testing.assert_array_equal(first, bounds.upper("BET", losses=losses, rng=0))
    assert (first != bounds.betting(losses, rng=1)).all()
    shuffled = losses[:, np.random.default_rng(0).permutation(150)]
    np.testing.assert_array_equal(first, bounds.betting(shuffled, order="given"))
    low, high = bounds.interval("BET", losses=losses)
    np.testing.assert_array_equal(high, bounds.upper("BET", losses=losses, delta=0.025))
    np.testing.assert_array_equal(low, bounds.lower("BET", losses=losses, delta=0.025))
