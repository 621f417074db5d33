"""Numerical methods that several modules share: quantiles, roots, ratios, bisection."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from errlab._core.checks import FloatArray, FloatOrArray, IntArray

Truth = bool | np.bool_ | NDArray[np.bool_]
Number = TypeVar("Number", float, FloatArray)
Whole = NDArray[Any]  # whole numbers, as int or as float
NONE = 1e-300  # replaces a parameter 0, for which the beta distribution is a point mass


class Probability(NamedTuple):
    """A probability and its complement 1 - p, both with full relative precision.

    Near 1 a float has too few digits for its complement, and near 0 the complement has too few for
    the float, so both are stored.
    """

    value: FloatArray
    complement: FloatArray

    @classmethod
    def of(cls, value: FloatArray) -> Probability:
        """Return a probability with the complement computed as 1 - value."""
        return cls(value, 1 - value)

    @property
    def mirrored(self) -> Probability:
        """The complement, as a probability."""
        return Probability(self.complement, self.value)

    def or_one(self, valid: NDArray[np.bool_]) -> Probability:
        """Return the probability where `valid` is true, and 1 elsewhere."""
        return Probability(np.where(valid, self.value, 1.0), np.where(valid, self.complement, 0.0))


def normal_quantile(delta: Number) -> Number:
    """Return the quantile 1 - delta of the standard normal, accurate for small delta.

    A two-sided interval takes ``normal_quantile(delta / 2)``.

    >>> f"{normal_quantile(0.05 / 2):.4f}"
    '1.9600'
    """
    lower: Number = special.ndtri(delta)
    return -lower  # ndtri(1 - delta) would lose the digits of a small delta


def beta_quantile(a: FloatOrArray, b: FloatOrArray, delta: FloatOrArray) -> Probability:
    r"""Return the quantile `delta` of the beta distribution with parameters `a` and `b`.

    This is :math:`x` with :math:`P(X \le x) = \delta` for :math:`X \sim \mathrm{Beta}(a, b)`. Both
    :math:`x` and :math:`1 - x` have a relative error of about 1e-12 for parameters up to 1e5, and
    of 1e-8 up to 1e7. For levels below 1e-100, at which SciPy fails, the quantile is found by
    bisection.

    Parameters
    ----------
    a, b : ndarray
        Parameters, above 0.
    delta : ndarray
        Level, in (0, 1).

    Examples
    --------
    >>> one, two, level = np.array([1.0]), np.array([2.0]), np.array([0.19])
    >>> beta_quantile(one, two, level)  # 1 - (1 - x)^2 = 0.19
    Probability(value=array([0.1]), complement=array([0.9]))
    """
    a, b, delta = np.broadcast_arrays(a, b, delta)
    x = special.betaincinv(a, b, delta)
    x = np.where(np.isnan(x), 0.0, x)
    complement = np.asarray(1 - x)
    # Near 1 the difference is inaccurate; 1 - X has a beta distribution, too.
    near = x > 0.99
    complement[near] = special.betainccinv(b[near], a[near], delta[near])
    # At tiny levels SciPy returns nan or a wrong quantile: its quantile for 1e-300 has a tail of
    # 1e-286.
    far = (delta < 1e-100) & (np.minimum(a, b) > 1e-9) & (a + b < 1e5)
    if far.any():
        parameters, level = (a[far], b[far]), np.log(delta[far])
        mean = a[far] / (a[far] + b[far])

        def below(logarithm: FloatArray) -> Truth:
            # the quantile is below the mean, where the fraction converges
            value = np.minimum(np.exp(logarithm), mean)
            return (value < mean) & (log_beta_cdf(*parameters, value) <= level)

        logarithm = bisect(below, np.full(level.shape, -745.0), np.zeros(level.shape), steps=70)
        x[far], complement[far] = np.exp(logarithm), -np.expm1(logarithm)
    return Probability(x, complement)


def log_beta_cdf(a: FloatArray, b: FloatArray, x: FloatArray) -> FloatArray:
    r"""Return :math:`\log P(X \le x)` for :math:`X \sim \mathrm{Beta}(a, b)` and x below the mean.

    Computed by the continued fraction of Didonato and Morris (1992), which converges there; the
    logarithm doesn't underflow.

    >>> log_beta_cdf(np.array([200.0]), np.array([1.0]), np.array([0.01]))  # 200 log(0.01)
    array([-921.0340372])
    """
    fraction = np.ones_like(x)
    for m in range(200, 0, -1):  # evaluate the fraction from its innermost term
        odd = -(a + m - 1) * (a + b + m - 1) * x / ((a + 2 * m - 2) * (a + 2 * m - 1))
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        fraction = 1 + odd / (1 + even / fraction)
    first: FloatArray = a * np.log(x) + b * np.log1p(-x) - np.log(a) - special.betaln(a, b)
    return first - np.log(fraction)


def binomial_cdf(k: FloatArray | IntArray, n: FloatArray | int, rate: Probability) -> FloatArray:
    """Return P(Bin(n, rate) <= k) for whole k of at least -1, by the incomplete beta function.

    >>> binomial_cdf(np.array([-1.0, 0.0, 2.0]), np.array(2.0), Probability.of(np.array(0.1)))
    array([0.  , 0.81, 1.  ])
    """
    inside = (k >= 0) & (k < n)
    above = np.where(inside, k + 1, 1.0)
    below = np.where(inside, n - k, 1.0)
    # use the smaller of the rate and its complement, which has all its digits
    by_rate = special.betaincc(above, below, rate.value)
    by_complement = special.betainc(below, above, rate.complement)
    tail = np.where(rate.value < 0.5, by_rate, by_complement)
    return np.where(inside, tail, k >= n)


def ratio(difference: FloatArray, error: FloatArray) -> FloatArray:
    """Divide a difference by its standard error; a difference of 0 gives 0, even if both are 0.

    >>> ratio(np.array([0.0, 0.2, 0.2]), np.array([0.0, 0.1, 0.0]))
    array([ 0.,  2., inf])
    """
    none = difference == 0
    with np.errstate(divide="ignore"):
        return np.where(none, 0.0, difference / np.where(none, 1.0, error))


def without_noise(values: FloatArray, scale: FloatArray | float) -> FloatArray:
    """Round to multiples of 1e-10 to 1e-11 of `scale`, so that equal decimals are equal floats.

    So differences that are equal in decimals are equal floats: before, 0.13 - 0.12 differs from
    0.12 - 0.11. The unit is a power of 10, so that decimals are whole multiples of it, far from the
    points at which the rounding changes.

    >>> without_noise(np.array([0.13 - 0.12, 0.12 - 0.11, 0.3 - 0.29]), 0.01)
    array([1.e+10, 1.e+10, 1.e+10])
    """
    unit = 10.0 ** (np.floor(np.log10(np.maximum(scale, 1e-140))) - 10)
    return np.rint(values / unit)


def bisect(
    holds: Callable[[FloatArray], Truth], first: FloatArray, last: FloatArray, steps: int = 60
) -> FloatArray:
    """Return the point between `first` and `last` up to which `holds` is true, elementwise.

    >>> bisect(lambda x: x**2 <= 2, np.array([0.0]), np.array([2.0]))
    array([1.41421356])
    """
    for _ in range(steps):
        middle = (first + last) / 2
        inside = holds(middle)
        first = np.where(inside, middle, first)
        last = np.where(inside, last, middle)
    return (first + last) / 2


def false_position(
    excess: Callable[[FloatArray], FloatArray], low: FloatArray, high: FloatArray
) -> FloatArray:
    """Return a root of `excess` between `low` and `high`, or `low` if the sign doesn't change.

    The Illinois method (false position), elementwise, to 1e-13 of the root, for nearly linear
    functions. SciPy's `find_root` does the same, but importing it takes longer than a report.

    >>> false_position(lambda x: x**2 - 2, np.array([0.0, 2.0]), np.array([2.0, 3.0]))
    array([1.41421356, 2.        ])
    """
    at_low, value = excess(low), excess(high)
    # start at `high`; without a change of sign set both ends to `low`
    point = np.where(np.sign(at_low) == np.sign(value), low, high)
    for _ in range(50):
        gap = np.where(value == at_low, 1.0, value - at_low)
        step = value / gap * (point - low)
        if (np.abs(step) <= 1e-13 * np.abs(point)).all():
            break
        before, last = point, value
        point = point - step
        value = excess(point)
        # halve the value of an end that stays (the Illinois rule), so that it moves next time
        stays = np.sign(value) == np.sign(last)
        low = np.where(stays, low, before)
        at_low = np.where(stays, at_low / 2, last)
    return point


def first_whole(holds: Callable[[Whole], Truth], low: Whole, high: Whole) -> Whole:
    """Return the first whole number above `low` at which `holds` is true, elementwise.

    It must be false at `low`, true at `high`, and change once between them; neither end is tested.

    >>> first_whole(lambda n: n**2 >= [2000, 3], np.array([0, 0]), np.array([1000, 2]))
    array([45,  2])
    """
    # `holds` stays false at `low` and true at `high`
    while (apart := high - low > 1).any():
        middle = (low + high) // 2
        inside = np.asarray(holds(middle))
        low = np.where(apart & ~inside, middle, low)
        high = np.where(apart & inside, middle, high)
    return high


def first_size(reached: Callable[[int], Truth], start: int, largest: int) -> int | None:
    """Return the first size from `start` on for which `reached` is true, or None beyond `largest`.

    The size is doubled until it is true; the answer is then between the last two sizes.

    >>> first_size(lambda n: n**2 >= 2000, 1, 1000), first_size(lambda n: False, 1, 1000)
    (45, None)
    """
    low = start
    high = start
    while not reached(high):
        low = high + 1
        high = 2 * high
        if high > largest:
            return None
    return bisect_left(range(high), True, low, key=lambda n: bool(reached(n)))


def largest_root(centre: Probability, a: FloatArray, c: FloatArray | float = 0.0) -> Probability:
    r"""Return the largest root of :math:`(L - centre)^2 = c + a L (1 - L)`, and its complement.

    The bounds of Wilson, Chebyshev, Guttman and Bernstein solve it (survey Eqs. 20, 33, 36, 40).
    The complement :math:`1 - L` is the smallest root of the equation for the complement, found
    without cancellation from the product of its roots, :math:`((1 - centre)^2 - c)/(1 + a)`.
    """
    p = centre.value
    q = centre.complement
    a = np.minimum(a, 1e300)  # 1/(n delta) may overflow
    weight = 1 / (1 + a)
    weight_of_a = a / (1 + a)
    # the discriminant over (1 + a)^2, expanded to avoid cancellation
    far = np.sqrt(weight_of_a * (weight * p * q + weight_of_a / 4) + weight * c)
    other = q + (weight_of_a * (0.5 - q) + far)  # the largest root of the equation for 1 - L
    product = weight * (q - np.sqrt(c)) * (q + np.sqrt(c))
    complement = np.where(q > 0, product / np.where(q > 0, other, 1.0), 0.0)
    return Probability(p + (weight_of_a * (0.5 - p) + far), complement)  # exactly 1 if centre is 1
