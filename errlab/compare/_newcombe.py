"""Newcombe's square-and-add intervals for a difference, from two Wilson intervals.

They are for two test sets (method 10 of his paper on independent proportions), or for the same
examples, on which the errors are correlated (method 10 of the paper on paired proportions).
"""

import numpy as np

from errlab._core.checks import FloatArray, FloatOrArray
from errlab._core.interval import Interval
from errlab._numerics.roots import bisect, normal_quantile
from errlab.compare._score import BoolArray, Proportion, wilson_limits


def newcombe(
    a: Proportion, b: Proportion, phi: FloatOrArray = 0.0, *, delta: float
) -> Interval[FloatArray]:
    """Return the difference, minus the lower and plus the upper distance by square-and-add."""
    z = normal_quantile(delta / 2)
    gap = a.rate - b.rate
    # the upper distance is the lower one after exchanging A and B
    low = gap - lower_arm(a, b, z, phi)
    high = gap + lower_arm(b, a, z, phi)
    return Interval(np.maximum(low, -1), np.minimum(high, 1))


def newcombe_z(a: Proportion, b: Proportion, phi: FloatOrArray = 0.0) -> FloatArray:
    """Return the quantile at which the interval just reaches 0, with the sign of the difference."""
    distance = np.abs(a.rate - b.rate)

    def is_short(part: FloatArray) -> BoolArray:
        return arm_toward_0(a, b, part / (1 - part), phi) < distance

    # substitute z = part / (1 - part), because z is unbounded
    part = bisect(is_short, 0 * distance, np.full_like(distance, 1 - 1e-12))
    return np.asarray(np.sign(a.rate - b.rate) * part / (1 - part))


def arm_toward_0(
    a: Proportion, b: Proportion, z: FloatOrArray, phi: FloatOrArray = 0.0
) -> FloatArray:
    """Return the length of the interval on the side of 0."""
    return np.where(a.rate >= b.rate, lower_arm(a, b, z, phi), lower_arm(b, a, z, phi))


def lower_arm(a: Proportion, b: Proportion, z: FloatOrArray, phi: FloatOrArray = 0.0) -> FloatArray:
    r"""Return the distance from the difference to the lower end (square-and-add).

    .. math:: \sqrt{(p_A - l_A)^2 - 2 \phi (p_A - l_A)(u_B - p_B) + (u_B - p_B)^2}

    with the Wilson intervals (l, u) of the two error rates p, and their correlation phi.
    """
    # the difference is lowest if A's rate is at its lower limit and B's at its upper limit
    below_a = a.rate - wilson_limits(a, z).low
    above_b = wilson_limits(b, z).high - b.rate
    square = below_a**2 - 2 * phi * below_a * above_b + above_b**2
    return np.asarray(np.sqrt(np.maximum(square, 0)))


def correlation(n00: FloatArray, n01: FloatArray, n10: FloatArray, n11: FloatArray) -> FloatArray:
    """Return the correlation of the errors of A and B on the same examples.

    Newcombe subtracts n/2 from its numerator if that is positive, but not below 0.
    """
    product = n00 * n11 - n01 * n10
    n = n00 + n01 + n10 + n11
    product = np.where(product > 0, np.maximum(product - n / 2, 0), product)
    # multiply the roots, because the product of four counts of a million would lose digits
    scale = np.sqrt(n00 + n01) * np.sqrt(n10 + n11) * np.sqrt(n00 + n10) * np.sqrt(n01 + n11)
    return np.asarray(product / np.where(scale > 0, scale, 1.0))
