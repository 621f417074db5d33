"""Coverage: the exact sums against brute force, and the `rigorous` flag of every bound."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from errlab import bounds, coverage
from errlab._numerics.roots import Probability
from errlab.bounds import BOUNDS
from errlab.bounds._bound import bound
from errlab.coverage._exact import SIDES

pytestmark = pytest.mark.slow

DELTAS = (0.01, 0.05, 0.1, 0.5)
ROUNDING = 1e-12
FROM_MEAN = [key for key, entry in BOUNDS.items() if entry.needs != "losses"]


# --- the flag -----------------------------------------------------------------------------------


def lowest_excess(key, side, sizes):
    """Return the exact minimum of coverage minus 1 - delta, and where it is."""
    results = []
    for n, delta in product(sizes, DELTAS):
        if BOUNDS[key].needs == "losses":
            errors = np.linspace(0, 1, 401)
            lowest, error = coverage.exact(key, errors, n, delta=delta, side=side).min(), "any"
        else:
            lowest, error = coverage.worst(key, n, delta=delta, side=side)
        results.append((lowest - (1 - delta), f"{side = }, {n = }, {delta = }, {error = }"))
    return min(results)


def law_of_the_flag(key, sizes):
    """A bound covers at least 1 - delta for all 0/1 losses if, and only if, it claims to."""
    if BOUNDS[key].needs == "losses":
        sizes = range(1, 9)  # all sequences are enumerated, because their order matters
    for side in SIDES if BOUNDS[key].rigorous else ("upper",):
        some = [n for n in sizes if side == "upper" or n in (1, 2, 3, 8, 10, 33, 57, 200)]
        excess, where = lowest_excess(key, side, some)
        assert (excess >= -ROUNDING) == BOUNDS[key].rigorous, where


@pytest.mark.parametrize("key", BOUNDS)
def test_the_rigorous_flag_is_true(key):
    searched = key in ("BEN", "BLA")  # so it takes long
    law_of_the_flag(key, (1, 2, 3, 10, 33) if searched else (*range(1, 21), 33, 57, 100, 200))


@pytest.mark.nightly
@pytest.mark.parametrize("key", BOUNDS)
def test_the_rigorous_flag_is_true_for_all_sizes(key):
    law_of_the_flag(key, range(1, 201))


@pytest.mark.parametrize("key", [k for k in FROM_MEAN if BOUNDS[k].loss == "bounded"])
def test_rigorous_on_two_point_losses(key):
    probabilities = np.r_[np.geomspace(1e-4, 0.1, 80), np.linspace(0.1, 1, 200)]
    for delta, n in product((0.01, 0.05, 0.2, 0.5, 0.9), (2, 3, 5, 10, 30, 100)):
        share = np.arange(n + 1) / n
        for low, high in ((0.0, 0.5), (0.0, 1.0), (0.2, 0.5), (0.2, 1.0), (0.5, 1.0)):
            gap = high - low
            var = gap**2 * share * (1 - share)
            upper = bounds.upper(key, low + gap * share, n, delta=delta, var=var)
            # the coverage is lowest for a true error just above a value of the bound
            jumps = (upper - low) / gap + 1e-13
            q = np.r_[probabilities, jumps[(jumps > 0) & (jumps < 1)]][:, np.newaxis]
            chance = binom.pmf(np.arange(n + 1), n, q)
            covers = (chance * (low + gap * q <= upper)).sum(axis=1)
            assert covers.min() >= 1 - delta - 1e-10, (delta, n, low, high)


@pytest.mark.parametrize("key", [key for key in BOUNDS if key not in FROM_MEAN])
def test_rigorous_on_sequences_of_two_point_losses(key):
    q = np.linspace(0, 1, 101)[:, np.newaxis]
    for n, delta, (low, high) in product((1, 4, 8), (0.05, 0.5), ((0, 0.5), (0.2, 1), (0.5, 1))):
        ones = np.array([*product((0, 1), repeat=n)])
        upper = bounds.upper(key, losses=low + (high - low) * ones, delta=delta)
        law = q ** ones.sum(axis=1) * (1 - q) ** (n - ones.sum(axis=1))
        covers = (law * (low + (high - low) * q <= upper)).sum(axis=1)
        assert covers.min() >= 1 - delta - ROUNDING, (n, delta, low, high)


# --- exact --------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", BOUNDS)
def test_coverage_and_width_equal_brute_enumeration(key):
    errors = np.array([0.0, 0.03, 0.26, 0.5, 0.77, 0.99, 1.0])[:, np.newaxis]
    for n, delta in product((1, 2, 6), (0.05, 0.7)):
        losses = np.array([*product((0.0, 1.0), repeat=n)])
        k, options = losses.sum(axis=1), {"losses": losses, "delta": delta}
        chance = errors**k * (1 - errors) ** (n - k)
        upper, lower = bounds.upper(key, **options), bounds.lower(key, **options)
        # the ends that must cover, and those between which the width is measured
        for side, (low, high), (first, last) in (
            ("upper", (0, upper), (k / n, upper)),
            ("lower", (lower, 1), (lower, k / n)),
            ("two-sided", *[bounds.interval(key, **options)] * 2),
        ):
            covers = (chance * ((low <= errors) & (errors <= high))).sum(axis=1)
            result = coverage.exact(key, errors[:, 0], n, delta=delta, side=side)
            assert result == pytest.approx(covers, abs=1e-12), (n, delta, side)
            width = coverage.expected_width(key, errors[:, 0], n, delta=delta, side=side)
            assert width == pytest.approx(chance @ (last - first)), (n, delta, side)


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


def test_exact_broadcasts():
    for key in ("CP", "T_HOE", "WIL", "BET"):
        together = coverage.exact(key, [[0.1], [0.4]], [5, 12, 5], delta=0.1)
        alone = [[coverage.exact(key, e, n, delta=0.1) for n in (5, 12, 5)] for e in (0.1, 0.4)]
        assert type(alone[0][0]) is float
        assert together.tolist() == alone


# --- worst --------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", FROM_MEAN)
def test_worst_is_below_a_fine_grid_and_is_approached(key):
    for side, n in product(SIDES, (1, 3, 20)):
        lowest, error = coverage.worst(key, n, side=side)
        grid = np.r_[np.linspace(0, 1, 4001), error]
        assert (coverage.exact(key, grid, n, side=side) >= lowest - ROUNDING).all()
        near = coverage.exact(key, np.clip([error - 1e-9, error, error + 1e-9], 0, 1), n, side=side)
        assert near.min() == pytest.approx(lowest, abs=1e-6)
