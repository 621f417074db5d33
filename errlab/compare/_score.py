"""Score tests and intervals of proportions, shared by the comparisons of counts."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from errlab._core.checks import FloatArray, FloatOrArray
from errlab._core.interval import Interval
from errlab._numerics.roots import NONE, Probability, bisect, largest_root, normal_quantile, ratio

BoolArray = NDArray[np.bool_]


class Proportion(NamedTuple):
    """An observed rate, and its number of examples."""

    rate: FloatArray
    n: FloatOrArray

    @property
    def variance(self) -> FloatArray:
        """The estimated variance of the rate."""
        return np.asarray(self.rate * (1 - self.rate) / self.n)


def two_sided(z: FloatArray) -> FloatArray:
    """Return the two-sided standard normal p-value."""
    return np.asarray(2 * special.ndtr(-np.abs(z)))


def half_tail(k: FloatArray, m: FloatArray) -> FloatArray:
    """Return P(X <= k) for X ~ Bin(m, 1/2), k from -1 on."""
    # scipy's bdtr loses three digits for large m; the incomplete beta function doesn't
    return np.asarray(special.betainc(np.maximum(m - k, 1), np.maximum(k + 1, NONE), 0.5))


def over_error(gap: FloatArray, variance: FloatArray) -> FloatArray:
    """Return gap / standard error; 0 for no gap, infinite for a gap without variance."""
    return ratio(gap, np.sqrt(variance))


def wilson_limits(p: Proportion, z: FloatOrArray) -> Interval[FloatArray]:
    """Return the two-sided Wilson interval of a proportion for the quantile `z` (survey Eq. 19)."""
    # (L - p)^2 = (z^2 / n) L (1 - L); the lower end is the complement of this root for 1 - p
    a = np.square(z) / p.n
    rate = Probability.of(p.rate)
    return Interval(largest_root(rate.mirrored, a).complement, largest_root(rate, a).value)


def score_interval(
    score: Callable[[FloatArray], FloatArray], estimate: FloatArray, delta: float
) -> Interval[FloatArray]:
    """Return all differences that the score test doesn't reject, by bisection on each side."""
    z = normal_quantile(delta / 2)
    # the estimate is never rejected, and differences lie in [-1, 1]
    one = np.ones_like(estimate)
    ends = (bisect(lambda d: np.abs(score(d)) <= z, estimate, end) for end in (-one, one))
    return Interval(*ends)
