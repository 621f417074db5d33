"""Score tests and intervals of proportions: what the comparisons of counts share."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from errlab._core.checks import FloatArray, FloatOrArray
from errlab._core.interval import Interval
from errlab._numerics.roots import NONE, Share, bisect, largest_root, normal_quantile, ratio

BoolArray = NDArray[np.bool_]


class Proportion(NamedTuple):
    """An observed rate, and the number of cases that it is the rate of."""

    rate: FloatArray
    n: FloatOrArray

    @property
    def variance(self) -> FloatArray:
        """Estimated variance of the rate."""
        return np.asarray(self.rate * (1 - self.rate) / self.n)


def two_sided(z: FloatArray) -> FloatArray:
    """Two-sided standard normal p-value."""
    return np.asarray(2 * special.ndtr(-np.abs(z)))


def half_tail(k: FloatArray, m: FloatArray) -> FloatArray:
    """P(X <= k) for X ~ Bin(m, 1/2), k from -1 on."""
    # scipy's bdtr loses three digits where m is large, the incomplete beta does not
    return np.asarray(special.betainc(np.maximum(m - k, 1), np.maximum(k + 1, NONE), 0.5))


def over_error(gap: FloatArray, variance: FloatArray) -> FloatArray:
    """Gap over standard error; 0 for no gap, infinite for a gap without variance."""
    return ratio(gap, np.sqrt(variance))


def wilson_limits(p: Proportion, z: FloatOrArray) -> Interval[FloatArray]:
    """Two-sided Wilson interval of a proportion, from the quantile `z` (survey Eq. 19)."""
    # (L - p)^2 = (z^2 / n) L (1 - L); the lower end is the rest of the same root for 1 - p
    a = np.square(z) / p.n
    rate = Share.of(p.rate)
    return Interval(largest_root(rate.mirrored, a).rest, largest_root(rate, a).value)


def score_interval(
    score: Callable[[FloatArray], FloatArray], estimate: FloatArray, delta: float
) -> Interval[FloatArray]:
    """All differences whose score test does not reject, found by bisection on each side."""
    z = normal_quantile(delta / 2)
    # the estimate itself is kept, and no difference lies beyond 1
    one = np.ones_like(estimate)
    ends = (bisect(lambda d: np.abs(score(d)) <= z, estimate, end) for end in (-one, one))
    return Interval(*ends)
