"""Two classifiers, each on a test set of its own; and what all intervals of counts share."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatArray, Scalar
from errlab._core.interval import Interval
from errlab._numerics.roots import bisect, largest_root, normal_quantile, ratio
from errlab.compare._result import A_AND_B, ComparisonResult, Finding, Guarantee, Names, comparison

__all__ = ["two_proportions"]

METHODS: dict[str, Guarantee] = dict.fromkeys(("newcombe", "normal", "pooled"), "asymptotic")


class Proportion(NamedTuple):
    """An observed rate, and the number of cases that it is the rate of."""

    rate: FloatArray
    n: FloatArray

    @property
    def variance(self) -> FloatArray:
        """Estimated variance of the rate."""
        return np.asarray(self.rate * (1 - self.rate) / self.n)


@overload
def two_proportions(
    errors_a: Scalar,
    n_a: Scalar,
    errors_b: Scalar,
    n_b: Scalar,
    *,
    method: str = "newcombe",
    delta: float = 0.05,
    names: Names = A_AND_B,
) -> ComparisonResult[float]: ...
@overload
def two_proportions(
    errors_a: ArrayLike,
    n_a: ArrayLike,
    errors_b: ArrayLike,
    n_b: ArrayLike,
    *,
    method: str = "newcombe",
    delta: float = 0.05,
    names: Names = A_AND_B,
) -> ComparisonResult[FloatArray]: ...
@comparison(
    key="two_proportions",
    name="Two independent error rates",
    place=8,
    takes="two test sets",
    paired=False,
    equations="Lecture notes, interval of delta_R; Newcombe 1998, method 10; Mee 1984",
    guarantee=METHODS,
)
def two_proportions(
    errors_a: ArrayLike,
    n_a: ArrayLike,
    errors_b: ArrayLike,
    n_b: ArrayLike,
    *,
    delta: float = 0.05,
    method: str = "newcombe",
    names: Names = A_AND_B,
) -> Finding:
    r"""Compare two error rates from independent test sets.

    The estimate is :math:`\hat p_A - \hat p_B`. Use `mcnemar` where both classifiers saw the
    same cases.

    Parameters
    ----------
    errors_a, n_a : int or array_like
        Errors of A and size of its test set. All four counts broadcast together.
    errors_b, n_b : int or array_like
        Errors of B and size of its test set.
    method : {"newcombe", "normal", "pooled"}
        "normal": the lecture's interval; with no error (or only errors) on both sides its width
        is 0. "newcombe": two Wilson intervals by square-and-add. "pooled": the z test with one
        common error rate, and the interval of all differences that its score test keeps.

    Returns
    -------
    ComparisonResult
        `statistic` is a signed z: it is infinite only for "normal" where the rates are 0 and 1.

    Raises
    ------
    ValueError
        If a test set is empty, or there are more errors than cases.
    TypeError
        If an argument is not a number.

    References
    ----------
    Lecture notes, "two different test samples"; Newcombe, Statistics in Medicine 17 (1998),
    873-890, method 10; Mee, Biometrics 40 (1984), for the score interval.

    Examples
    --------
    >>> low, high = two_proportions(17, 100, 20, 100).interval
    >>> round(low, 3), round(high, 3)
    (-0.138, 0.078)
    >>> round(two_proportions(17, 100, 20, 100, method="pooled").pvalue, 3)
    0.585
    """
    a, n, b, m = checks.same_shape(
        errors_a=checks.count(errors_a, "errors_a", 0),
        n_a=checks.count(n_a, "n_a"),
        errors_b=checks.count(errors_b, "errors_b", 0),
        n_b=checks.count(n_b, "n_b"),
    )
    for errors, size, which in ((a, n, "a"), (b, m, "b")):
        for made, most in zip(errors[errors > size], size[errors > size], strict=True):
            raise ValueError(f"errors_{which} must be at most n_{which}, got {made} of {most}")
    rate_a = Proportion(a / n, n.astype(float))
    rate_b = Proportion(b / m, m.astype(float))
    z = _statistic(method, rate_a, rate_b)
    gap = rate_a.rate - rate_b.rate
    return Finding(z, two_sided(z), gap, limits=_limits, data=(method, rate_a, rate_b))


def _statistic(method: str, a: Proportion, b: Proportion) -> FloatArray:
    gap = a.rate - b.rate
    if method == "newcombe":
        # the quantile at which the square-and-add interval just reaches 0, with the sign
        return np.sign(gap) * quantile_at(lambda z: _toward_0(a, b, z), np.abs(gap))
    if method == "normal":
        return over_error(gap, a.variance + b.variance)
    common = (a.n * a.rate + b.n * b.rate) / (a.n + b.n)
    return over_error(gap, common * (1 - common) * (1 / a.n + 1 / b.n))


def lower_arm(
    a: Proportion, b: Proportion, z: FloatArray | float, phi: FloatArray | float = 0.0
) -> FloatArray:
    r"""Length of the lower arm of Newcombe's intervals: square-and-add.

    .. math:: \sqrt{(p_A - l_A)^2 - 2 \phi (p_A - l_A)(u_B - p_B) + (u_B - p_B)^2}

    with the Wilson intervals (l, u) of the two error rates p, and their correlation phi.
    """
    # both arms point to a smaller difference: A better than seen, B worse
    below_a = a.rate - wilson_limits(a, z).low
    above_b = wilson_limits(b, z).high - b.rate
    square = below_a**2 - 2 * phi * below_a * above_b + above_b**2
    return np.asarray(np.sqrt(np.maximum(square, 0)))


def _toward_0(a: Proportion, b: Proportion, z: FloatArray | float) -> FloatArray:
    """Length of the arm that points at 0."""
    return np.where(a.rate >= b.rate, lower_arm(a, b, z), lower_arm(b, a, z))


def rejects(method: str, a: Proportion, b: Proportion, delta: float) -> NDArray[np.bool_]:
    """Whether the test rejects, without the p-values (Newcombe's need a search)."""
    if method == "newcombe":
        return np.asarray(np.abs(a.rate - b.rate) >= _toward_0(a, b, z_of(delta)))
    return np.asarray(np.abs(_statistic(method, a, b)) >= z_of(delta))


def _limits(method: str, a: Proportion, b: Proportion, *, delta: float) -> Interval[FloatArray]:
    """Interval for the difference of the two rates."""
    z = z_of(delta)
    gap = a.rate - b.rate
    if method == "pooled":
        return score_interval(lambda d: _score(a, b, d), gap, z)
    # the arms of the lecture are alike, those of Newcombe are not
    if method == "normal":
        down = up = z * np.sqrt(a.variance + b.variance)
    else:
        down = lower_arm(a, b, z)
        up = lower_arm(b, a, z)
    return Interval(np.maximum(gap - down, -1), np.minimum(gap + up, 1))


def _score(a: Proportion, b: Proportion, d: FloatArray) -> FloatArray:
    r"""Score statistic of :math:`p_A - p_B = d`, with both rates fitted under it (Mee 1984).

    The fitted p_A is the root of :math:`c_3 p^3 + c_2 p^2 + c_1 p + c_0 = 0` that lies in [0, 1],
    in closed form as Farrington and Manning give it (Statistics in Medicine 9 (1990), p. 1453):

    .. math:: p_A = 2 u \cos w - \frac{c_2}{3 c_3}, \quad
              w = \tfrac13 \big(\pi + \arccos (v / u^3)\big)
    """
    # the cubic of the fitted p_A, divided by the size of the first test set
    r = b.n / a.n
    c3 = 1 + r
    c2 = -(1 + r + a.rate + r * b.rate + d * (r + 2))
    c1 = d**2 + d * (2 * a.rate + r + 1) + a.rate + r * b.rate
    c0 = -a.rate * d * (1 + d)
    # its three real roots in the form of cosines; this branch is the one in [0, 1]
    turn = c2 / (3 * c3)  # the inflection, mirrored
    v = turn**3 - c2 * c1 / (6 * c3**2) + c0 / (2 * c3)
    u = np.copysign(np.sqrt(np.maximum(turn**2 - c1 / (3 * c3), 0)), v)
    cosine = np.clip(v / np.where(u == 0, 1.0, u**3), -1, 1)
    w = (np.pi + np.arccos(cosine)) / 3
    fit_a = np.clip(2 * u * np.cos(w) - turn, 0, 1)
    fit_b = np.clip(fit_a - d, 0, 1)
    variance = Proportion(fit_a, a.n).variance + Proportion(fit_b, b.n).variance
    return over_error(a.rate - b.rate - d, variance)


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
    # the estimate itself is kept, and no difference lies beyond 1
    one = np.ones_like(estimate)
    ends = (bisect(lambda d: np.abs(score(d)) <= z, estimate, end) for end in (-one, one))
    return Interval(*ends)


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
