"""Coverage: the exact sums against brute force, and the `rigorous` flag of every bound."""

from itertools import product

import numpy as np
import pytest
from marks import nightly
from scipy.stats import binom

from errlab import bounds, coverage
from errlab._numerics.roots import Probability, normal_quantile
from errlab.bounds import BOUNDS
from errlab.bounds._bound import bound
from errlab.coverage._exact import SIDES

DELTAS = (0.01, 0.05, 0.1, 0.5)
ROUNDING = 1e-12
FROM_MEAN = [key for key, entry in BOUNDS.items() if entry.needs != "losses"]
FROM_LOSSES = [key for key, entry in BOUNDS.items() if entry.needs == "losses"]
SHORT = range(1, 9)  # for these sizes, all sequences of losses can be enumerated


# --- the flag -----------------------------------------------------------------------------------


def lowest_excess(key, side="upper", sizes=range(1, 201)):
    """Return the exact minimum of coverage minus 1 - delta; on short samples if order matters.

    The result includes n, delta and the true error of that minimum.
    """
    if BOUNDS[key].needs != "losses":
        results = []
        for n in sizes:
            for delta in DELTAS:
                lowest, error = coverage.worst(key, n, delta=delta, side=side)
                results.append((lowest - (1 - delta), f"{n = }, {delta = }, {error = }"))
        return min(results)
    errors = np.linspace(0, 1, 401)[:, np.newaxis]
    excess = [
        (coverage.exact(key, errors, np.array(SHORT), delta=delta, side=side) - (1 - delta)).min()
        for delta in DELTAS
    ]
    return min(excess), f"n in {SHORT}"


def law_of_the_flag(key):
    """A bound covers at least 1 - delta for all 0/1 losses if, and only if, it claims to."""
    excess, where = lowest_excess(key)
    assert (excess >= -ROUNDING) == BOUNDS[key].rigorous, where


# bounds that are found by a search, so by day only a few sizes are tested
SEARCHED = ("BEN", "BLA")


@pytest.mark.slow
@pytest.mark.parametrize("key", nightly(BOUNDS, *SEARCHED))
def test_the_rigorous_flag_is_true(key):
    law_of_the_flag(key)


@pytest.mark.parametrize("key", SEARCHED)
@pytest.mark.parametrize("side", SIDES)
def test_rigorous_bounds_that_are_searched_for(key, side):
    excess, where = lowest_excess(key, side, sizes=(1, 2, 3, 10, 33))
    assert excess >= -ROUNDING, where


RIGOROUS = [key for key, entry in BOUNDS.items() if entry.rigorous]


@pytest.mark.parametrize("key", nightly(RIGOROUS, *SEARCHED))
@pytest.mark.parametrize("side", ["lower", "two-sided"])
def test_rigorous_bounds_are_so_below_and_on_both_sides(key, side):
    excess, where = lowest_excess(key, side, sizes=(1, 2, 3, 10, 57, 200))
    assert excess >= -ROUNDING, where


@pytest.mark.slow
@pytest.mark.parametrize("key", [k for k in FROM_MEAN if BOUNDS[k].loss == "bounded"])
@pytest.mark.parametrize("delta", [0.01, 0.05, 0.2, 0.5, 0.9])
def test_rigorous_on_two_point_losses(key, delta):
    probabilities = np.r_[np.geomspace(1e-4, 0.1, 80), np.linspace(0.1, 1, 200)]
    for low, high in product((0.0, 0.2, 0.5), (0.5, 1.0)):
        if low == high:
            continue
        for n in (2, 3, 5, 10, 30, 100):
            share = np.arange(n + 1) / n
            var = (high - low) ** 2 * share * (1 - share)
            upper = bounds.upper(key, low + (high - low) * share, n, delta=delta, var=var)
            # the coverage is lowest for a true error just above a value of the bound
            jumps = (upper - low) / (high - low) + 1e-13
            q = np.r_[probabilities, jumps[(jumps > 0) & (jumps < 1)]][:, np.newaxis]
            holds = low + (high - low) * q <= upper
            covers = (holds * binom.pmf(np.arange(n + 1), n, q)).sum(axis=1)
            assert covers.min() >= 1 - delta - 1e-10


@pytest.mark.parametrize("key", FROM_LOSSES)
def test_rigorous_on_sequences_of_two_point_losses(key):
    for low, high in ((0.0, 0.5), (0.2, 1.0), (0.5, 1.0)):
        for n in (1, 4, 8):
            ones = np.array(list(product((0, 1), repeat=n)))
            for delta in (0.05, 0.5):
                upper = bounds.upper(key, losses=low + (high - low) * ones, delta=delta)
                for q in np.linspace(0, 1, 101):
                    law = q ** ones.sum(axis=1) * (1 - q) ** (n - ones.sum(axis=1))
                    assert law[low + (high - low) * q <= upper].sum() >= 1 - delta - ROUNDING


# --- exact --------------------------------------------------------------------------------------


def ends(key, side, losses, low, high, delta=0.05):
    """Return both ends for each row of losses; an end that isn't needed keeps its default."""
    if side == "two-sided":
        return bounds.interval(key, losses=losses, delta=delta)
    if side == "upper":
        return low, bounds.upper(key, losses=losses, delta=delta)
    return bounds.lower(key, losses=losses, delta=delta), high


@pytest.mark.parametrize("key", BOUNDS)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("delta", [0.05, 0.7])
def test_exact_equals_brute_enumeration(key, side, delta):
    for n in (1, 2, 6):
        sequences = np.array(list(product((0.0, 1.0), repeat=n)))
        low, high = ends(key, side, sequences, 0, 1, delta=delta)
        for error in (0.0, 0.03, 0.26, 0.5, 0.77, 0.99, 1.0):
            law = np.where(sequences == 1, error, 1 - error).prod(axis=1)
            expected = law[(low <= error) & (error <= high)].sum()
            actual = coverage.exact(key, error, n, delta=delta, side=side)
            assert actual == pytest.approx(expected, abs=1e-12), (n, error)


def test_a_bound_that_falls_in_the_count_is_summed():
    @bound(key="BAD", name="Bad", place=99, equations="none", loss="binary", rigorous=False)
    def bad(sample, delta):
        """A parabola."""
        return Probability.of(4 * sample.mean * sample.complement + 0 * delta)

    try:
        n, errors = 9, np.linspace(0, 1, 31)
        k = np.arange(n + 1)
        upper = 4 * k / n * (1 - k / n)
        expected = [binom.pmf(k[upper >= e], n, e).sum() for e in errors]
        np.testing.assert_allclose(coverage.exact("BAD", errors, n), expected, atol=1e-12)
        with pytest.raises(ValueError, match="never falls as errors are added, got BAD"):
            coverage.worst("BAD", n)
    finally:
        del BOUNDS["BAD"]


@pytest.mark.parametrize("key", ["CP", "T_HOE", "WIL", "BET"])
def test_exact_broadcasts(key):
    error, n = np.array([[0.1], [0.4]]), np.array([5, 12, 5])
    together = coverage.exact(key, error, n, delta=0.1)
    assert together.shape == (2, 3)
    for i, j in np.ndindex(2, 3):
        alone = coverage.exact(key, float(error[i, 0]), int(n[j]), delta=0.1)
        assert type(alone) is float
        assert together[i, j] == alone


# --- width and worst ----------------------------------------------------------------------------


@pytest.mark.parametrize("key", BOUNDS)
@pytest.mark.parametrize("side", SIDES)
def test_expected_width_equals_brute_enumeration(key, side):
    n, error = 6, 0.3
    sequences = np.array(list(product((0.0, 1.0), repeat=n)))
    mean = sequences.mean(axis=1)
    low, high = ends(key, side, sequences, mean, mean)
    law = np.where(sequences == 1, error, 1 - error).prod(axis=1)
    assert coverage.expected_width(key, error, n, side=side) == pytest.approx(law @ (high - low))


@pytest.mark.parametrize("key", FROM_MEAN)
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("n", [1, 3, 20])
def test_worst_is_below_a_fine_grid_and_is_approached(key, side, n):
    result = coverage.worst(key, n, side=side)
    errors = np.r_[np.linspace(0, 1, 4001), result.error]
    assert (coverage.exact(key, errors, n, side=side) >= result.coverage - ROUNDING).all()
    near = np.clip(result.error + np.array([-1e-9, 0, 1e-9]), 0, 1)
    assert coverage.exact(key, near, n, side=side).min() == pytest.approx(result.coverage, abs=1e-6)


def test_worst_within_a_range():
    # n = 10: just above Wilson's bound with no error, z^2/(n + z^2), coverage 1 - (1 - that)^n
    z2 = normal_quantile(0.05) ** 2
    limit = z2 / (10 + z2)
    result = coverage.worst("WIL", 10, within=(0, 0.5))
    assert result.error == pytest.approx(limit)
    assert result.coverage == pytest.approx(1 - (1 - limit) ** 10)
    assert coverage.worst("WIL", 10).coverage < result.coverage
    assert coverage.worst("WIL", 10, within=(0.3, 0.3)).coverage == coverage.exact("WIL", 0.3, 10)
    assert coverage.worst("NOR", 10) == (0, 0)


def test_of_equal_coverages_the_smallest_error_is_the_worst():
    # Clopper-Pearson covers 1 - delta just above each of its values
    for n in (5, 50, 200, 20_000):  # if the last digits of the coverages differ by 2e-12
        result = coverage.worst("CP", n)
        assert result.coverage == pytest.approx(0.95, abs=5e-12)
        assert result.error == pytest.approx(1 - 0.05 ** (1 / n), rel=1e-12)  # CP without errors
