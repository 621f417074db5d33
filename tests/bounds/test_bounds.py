"""Every bound against other libraries, 50-digit arithmetic and closed forms."""

import mpmath as mp
import numpy as np
import pytest
from scipy.stats import binom
from statsmodels.stats.proportion import proportion_confint

from errlab import bounds
from errlab.bounds import BOUNDS
from errlab.bounds.bounded import bernstein, chebyshev

TABLE_1 = ["NOR", "WIL", "CP", "CHE", "GUT", "BER", "MAU", "CRF", "T_HOE", "HOE"]
STATSMODELS = {
    "NOR": "normal",
    "WIL": "wilson",
    "CP": "beta",
    "AC": "agresti_coull",
    "JEF": "jeffreys",
}
FROM_MEAN = [key for key, entry in BOUNDS.items() if entry.needs != "losses"]


def exactly(value):
    return mp.mpf(float(value))


def normal_quantile(delta):
    with mp.workdps(50):
        return float(mp.sqrt(2) * mp.erfinv(1 - 2 * exactly(delta)))


def tight_hoeffding_50_digits(mean, n, delta):
    """Bisection on the divergence, 50 digits."""
    with mp.workdps(50):
        p, t = exactly(mean), -mp.log(exactly(delta)) / n
        low, high = p, mp.mpf(1)
        for _ in range(190):
            q = (low + high) / 2
            divergence = -(1 - p) * mp.log((1 - q) / (1 - p)) if p < 1 else mp.mpf(0)
            divergence -= p * mp.log(q / p) if p > 0 else 0
            low, high = (q, high) if divergence <= t else (low, q)
        return high


def test_the_registry_is_in_the_order_of_table_1():
    assert list(BOUNDS)[: len(TABLE_1) + 2] == [*TABLE_1, "AC", "JEF"]


@pytest.mark.parametrize("key", STATSMODELS)
@pytest.mark.parametrize("n", [1, 2, 10, 57, 200, 1000])
@pytest.mark.parametrize("delta", [1e-6, 0.01, 0.05, 0.2, 0.45])
def test_binary_bounds_agree_with_statsmodels(key, n, delta):
    # statsmodels 0.15.0, proportion_confint, two-sided at 2 delta
    k = np.arange(n + 1)
    low, high = proportion_confint(k, n, alpha=2 * delta, method=STATSMODELS[key])
    np.testing.assert_allclose(bounds.upper(key, k / n, n, delta=delta), high, atol=1e-10)
    np.testing.assert_allclose(bounds.lower(key, k / n, n, delta=delta), low, atol=1e-10)


@pytest.mark.parametrize("n", [1, 10, 200, 10**6, 10**9])
@pytest.mark.parametrize("delta", [1e-12, 0.05, 0.9])
def test_tight_hoeffding_to_nine_digits(n, delta):
    for mean in {0.0, 1 / n, 0.25, 0.5, 0.999, 1 - 1 / n, 1.0}:
        expected = tight_hoeffding_50_digits(mean, n, delta)
        actual = bounds.tight_hoeffding(mean, n, delta=delta)
        assert abs(actual / expected - 1) < 1e-9, mean
        assert abs(actual / expected - 1) < 1e-14, f"9 digits hold, not 14, at {mean}"


@pytest.mark.parametrize(("n", "k"), [(1, 0), (10, 0), (10, 3), (50, 49), (200, 7)])
@pytest.mark.parametrize("delta", [1e-6, 0.05, 0.5, 0.9])
def test_defining_equations_hold(n, k, delta):
    mean = k / n
    cp = bounds.clopper_pearson(mean, n, delta=delta)
    assert binom.cdf(k, n, cp) == pytest.approx(delta, rel=1e-8)  # Eq. 25
    wilson = bounds.wilson(mean, n, delta=delta)
    z = normal_quantile(delta)
    assert wilson - mean == pytest.approx(z * np.sqrt(wilson * (1 - wilson) / n), abs=1e-12)
    big_a = z**2 / n
    root = np.sign(z) * np.sqrt(big_a * (big_a + 4 * mean * (1 - mean)))  # z times Eq. 22
    assert wilson - mean == pytest.approx(((1 - 2 * mean) * big_a + root) / (2 + 2 * big_a))


@pytest.mark.parametrize("n", [2, 3, 10, 200])
@pytest.mark.parametrize("delta", [1e-3, 0.05, 0.5, 0.9])
def test_quadratic_bounds_solve_their_inequalities(n, delta):
    mean = np.linspace(0, 1, 41)
    var = 0.6 * mean * (1 - mean)
    che = chebyshev(mean, n, delta=delta)
    np.testing.assert_allclose((che - mean) ** 2, che * (1 - che) / (n * delta), atol=1e-12)
    gut = bounds.guttman(mean, n, delta=delta, var=var)
    right = var / (n - 1) + gut * (1 - gut) * np.sqrt(2 / (n * (n - 1) * delta))  # Eq. 36
    inside = gut < 1
    np.testing.assert_allclose(((gut - mean) ** 2)[inside], right[inside], atol=1e-12)
    ber = bernstein(mean, n, delta=delta)
    t = np.log(1 / delta) / n
    right = mean + np.sqrt(2 * t * ber * (1 - ber)) + t / 3  # Eq. 40
    np.testing.assert_allclose(ber, np.minimum(right, 1), atol=1e-12)


@pytest.mark.parametrize("n", [1, 2, 10, 200, 10**6])
@pytest.mark.parametrize("delta", [1e-12, 0.05, 0.5, 0.9])
def test_closed_forms_without_errors_and_with_errors_only(n, delta):
    zero = {key: bounds.upper(key, 0, n, delta=delta) for key in FROM_MEAN}
    every = {key: bounds.upper(key, 1, n, delta=delta) for key in FROM_MEAN}
    rule = -np.expm1(np.log(delta) / n)
    for key in ("CP", "T_HOE"):
        assert zero[key] == pytest.approx(rule, rel=1e-9)
    assert zero["NOR"] == 0
    assert zero["CHE"] == pytest.approx(1 / (1 + n * delta), rel=1e-12)
    if n > 1:
        a = np.sqrt(2 / (n * (n - 1) * delta))
        assert zero["GUT"] == pytest.approx(a / (1 + a), rel=1e-12)
    if delta <= 0.5:
        z2 = normal_quantile(delta) ** 2
        assert zero["WIL"] == pytest.approx(z2 / (n + z2), rel=1e-9, abs=1e-15)
        assert every["WIL"] == pytest.approx(1, abs=1e-12)
    for key in ("CP", "T_HOE", "CHE", "GUT", "BER", "MAU", "CRF", "HOE"):
        assert every[key] == pytest.approx(1, abs=1e-12)


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
    for key in ("GUT", "MAU"):
        assert BOUNDS[key].needs == "var"
        assert bounds.upper(key, 0.2, n, var=0.01) < bounds.upper(key, 0.2, n)
        full = bounds.upper(key, 0.2, n, var=0.16)
        assert bounds.upper(key, 0.2, n) == pytest.approx(full, rel=1e-12)


@pytest.mark.parametrize("key", ["GUT", "MAU"])
def test_one_case_has_no_sample_variance(key):
    np.testing.assert_array_equal(bounds.upper(key, [0.0, 0.5, 1.0], 1), 1.0)


@pytest.mark.parametrize(
    ("key", "factor"),
    # sqrt(n) (U - p) at p = 1/4, delta = 0.05, in the limit; each from its formula
    [
        ("NOR", 1.6448536269514722 * np.sqrt(3 / 16)),
        ("WIL", 1.6448536269514722 * np.sqrt(3 / 16)),
        ("CP", 1.6448536269514722 * np.sqrt(3 / 16)),
        ("AC", 1.6448536269514722 * np.sqrt(3 / 16)),
        ("JEF", 1.6448536269514722 * np.sqrt(3 / 16)),
        ("T_HOE", np.sqrt(np.log(20) * 3 / 8)),
        ("BER", np.sqrt(np.log(20) * 3 / 8)),
        ("GUT", np.sqrt(3 / 16 * (1 + np.sqrt(40)))),
        ("MAU", np.sqrt(np.log(40) * 3 / 8)),
        ("HOE", np.sqrt(np.log(20) / 2)),
        ("CRF", np.sqrt(np.log(20) / 2)),
        ("CHE", np.sqrt(20 * 3 / 16)),
    ],
)
def test_large_sample_limits(key, factor):
    n = 10**9
    assert np.sqrt(n) * (bounds.upper(key, 0.25, n) - 0.25) == pytest.approx(factor, rel=3e-4)


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
    # 1 - mean has lost the last case: 3 right ones in 1e15 cases
    n = 10**15
    upper = bounds.upper("CP", errors=n - 3, n=n)
    right = bounds.lower("CP", errors=3, n=n)
    assert abs(upper - (1 - right)) <= 2**-53
    assert right == pytest.approx(0.81769e-15, rel=1e-5)  # qgamma(0.05, 3) / n
    with pytest.raises(ValueError, match=r"errors must be below 2\*\*53"):
        bounds.upper("CP", errors=2**53, n=200)


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        ({"errors": 7, "mean": 0.1, "n": 200}, ValueError, "give errors and n, or mean and n, or"),
        ({"errors": 7}, ValueError, "give errors and n, or mean and n, or losses"),
        ({"errors": 7, "n": 200, "var": 0.01}, ValueError, "give var with mean, not with errors"),
        ({"errors": 7, "losses": [0, 1]}, ValueError, "give losses by themselves"),
        ({"n": 2, "losses": [0, 1]}, ValueError, "give losses by themselves"),
        ({"errors": [1, 9], "n": [5, 5]}, ValueError, "errors must be at most n = 5, got 9"),
    ],
)
def test_bad_counts(data, error, message):
    for function in (bounds.upper, bounds.lower, bounds.interval):
        with pytest.raises(error, match=message):
            function("CP", **data)


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
    # the worst case of a benchmark that gets harder: all of the errors at the end
    losses = np.repeat([0.0, 1.0], [170, 30])
    low, high = bounds.interval("BET", losses=losses)
    assert low < 0.15 < high
    ends = np.array([bounds.interval("BET", losses=losses, rng=seed) for seed in range(200)])
    assert ((ends[:, 0] < 0.15) & (ends[:, 1] > 0.15)).mean() >= 0.95
    with pytest.raises(ValueError, match=r"empty interval \(low .* above high .*\).*shuffle"):
        bounds.interval("BET", losses=np.repeat([0.0, 1.0], [50, 50]), order="given")


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


def test_rows_of_very_different_losses_are_each_bounded_as_if_alone():
    rng = np.random.default_rng(12)
    rows = [np.zeros(60), np.ones(60), rng.random(60) < 0.02, rng.random(60), rng.beta(0.1, 9, 60)]
    losses = np.array(rows, dtype=float)
    together = bounds.upper("BET", losses=losses)
    alone = [bounds.upper("BET", losses=row) for row in losses]
    assert together == pytest.approx(alone, rel=1e-12)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: bounds.wilson(0.1, 10, var=0.1), r"var must be at most mean\*\(1-mean\) = 0.09"),
        (lambda: bounds.upper("BET", 0.1, 10), "needs losses"),
    ],
)
def test_rules_between_arguments(call, words):
    with pytest.raises(ValueError, match=words):
        call()
