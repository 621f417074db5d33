"""What the intervals of counts share: proportions, the score, and where it reaches a quantile."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from errlab._core.checks import FloatArray
from errlab._core.interval import Interval
from errlab._numerics.roots import bisect, largest_root, normal_quantile, ratio


class Proportion(NamedTuple):
    """An observed rate, and the number of cases that it is the rate of."""

    rate: FloatArray
    n: FloatArray

    @property
    def variance(self) -> FloatArray:
        """Estimated variance of the rate."""
        return np.asarray(self.rate * (1 - self.rate) / self.n)


def z_of(delta: float) -> float:
    """Two-sided standard normal quantile."""
    return float(normal_quantile(delta / 2))


def two_sided(z: FloatArray) -> FloatArray:
    """Two-sided standard normal p-value."""
    return np.asarray(2 * special.ndtr(-np.abs(z)))


def over_error(gap: FloatArray, variance: FloatArray) -> FloatArray:
    """Gap over standard error; 0 for no gap, infinite for a gap without variance."""
    return ratio(gap, np.sqrt(variance))


def wilson_limits(p: Proportion, z: FloatArray | float) -> Interval[FloatArray]:
    """Two-sided Wilson interval of a proportion, from the quantile `z` (survey Eq. 19)."""
    # (L - p)^2 = (z^2 / n) L (1 - L); the lower end is the rest of the same root for 1 - p
    a = np.square(z) / p.n
    return Interval(1 - largest_root(1 - p.rate, a, 0.0), largest_root(p.rate, a, 0.0))


def score_interval(
    score: Callable[[FloatArray], FloatArray], estimate: FloatArray, z: float
) -> Interval[FloatArray]:
    """All differences whose score test does not reject, found by bisection on each side."""

    def kept(d: FloatArray) -> NDArray[np.bool_]:
        return np.abs(score(d)) <= z

    one = np.ones_like(estimate)
    return Interval(bisect(kept, estimate, -one), bisect(kept, estimate, one))


def quantile_at(arm: Callable[[FloatArray], FloatArray], distance: FloatArray) -> FloatArray:
    """Quantile z at which the arm of an interval, ``arm(z)`` long, reaches over a distance."""
    high = np.ones_like(distance)
    # double until the arm is long enough, then bisect; an arm that is cut at 1 may never be
    for _ in range(60):
        short = arm(high) < distance
        if not short.any():
            break
        high = np.where(short, 2 * high, high)
    return np.where(distance > 0, bisect(lambda z: arm(z) < distance, 0 * high, high), 0.0)
