"""Comparing two classifiers that were tested on different test sets."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import overload

import numpy as np

from errlab._core import checks
from errlab._core.checks import Scalar
from errlab._numerics.roots import bisect, normal_quantile
from errlab.compare._newcombe import arm_toward_0, newcombe, newcombe_z
from errlab.compare._registry import (
    A_AND_B,
    ArrayLike,
    ComparisonResult,
    FloatArray,
    Interval,
    Names,
    comparison,
)
from errlab.compare._score import BoolArray, Proportion, over_error, score_interval, two_sided


def _normal_z(a: Proportion, b: Proportion) -> FloatArray:
    """Return the difference over its standard error, with separate variances."""
    variance = a.variance + b.variance
    return np.where(variance > 0, over_error(a.rate - b.rate, variance), 0.0)


def _normal(a: Proportion, b: Proportion, *, delta: float) -> Interval[FloatArray]:
    """Return the interval of the lecture notes."""
    gap = a.rate - b.rate
    variance = a.variance + b.variance
    # rates of 0 and 1 have no estimated variance, so the interval is infinite rather than empty
    half = np.where(variance > 0, normal_quantile(delta / 2) * np.sqrt(variance), 2.0)
    return Interval(np.maximum(gap - half, -1), np.minimum(gap + half, 1))


def _pooled_z(a: Proportion, b: Proportion) -> FloatArray:
    """Return the difference over its standard error, with one common rate."""
    common = (a.n * a.rate + b.n * b.rate) / (a.n + b.n)
    return over_error(a.rate - b.rate, common * (1 - common) * (1 / a.n + 1 / b.n))


def _pooled(a: Proportion, b: Proportion, *, delta: float) -> Interval[FloatArray]:
    """Return all differences that Mee's score test doesn't reject."""
    return score_interval(lambda d: _score(a, b, d), a.rate - b.rate, delta)


def _score(a: Proportion, b: Proportion, d: FloatArray) -> FloatArray:
    """Return the score statistic of a difference d, with both rates fitted under it (Mee 1984)."""

    def rises(p: FloatArray) -> BoolArray:
        # the slope of the likelihood of p and q = p - d, times p (1 - p) q (1 - q)
        q = p - d
        return a.n * (a.rate - p) * q * (1 - q) + b.n * (b.rate - q) * p * (1 - p) > 0

    p = bisect(rises, np.maximum(d, 0), np.minimum(1 + d, 1))
    q = np.maximum(p - d, 0)
    variance = Proportion(p, a.n).variance + Proportion(q, b.n).variance
    return over_error(a.rate - b.rate - d, variance)


METHODS = {
    "newcombe": (newcombe_z, newcombe),
    "normal": (_normal_z, _normal),
    "pooled": (_pooled_z, _pooled),
}


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
    name="Two independent error rates",
    place=8,
    takes="two test sets",
    sample="two test sets",
    equations="Lecture notes, interval of delta_R; Newcombe 1998, method 10; Mee 1984",
    guarantee={"newcombe": "asymptotic", "normal": "asymptotic", "pooled": "asymptotic"},
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
) -> ComparisonResult:
    r"""Compare two error rates from independent test sets.

    The estimate is :math:`\hat p_A - \hat p_B`. Use `mcnemar` if both classifiers were tested on
    the same examples.

    Parameters
    ----------
    errors_a, n_a : int or array_like
        Errors of A and size of its test set. All four counts broadcast together.
    errors_b, n_b : int or array_like
        Errors of B and size of its test set.
    method : {"newcombe", "normal", "pooled"}
        "normal": the lecture's interval; without errors (or with errors only) on both sides it has
        no estimate of the spread, so it is infinite. "newcombe": two Wilson intervals combined by
        square-and-add. "pooled": the z test with one common error rate, and the interval of all
        differences that its score test doesn't reject.

    Returns
    -------
    ComparisonResult
        `statistic` is a signed z; for "normal" it is 0 without an estimate of the spread.

    Raises
    ------
    ValueError
        If a test set is empty, or there are more errors than examples.
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
    for name, errors, size in (("a", a, n), ("b", b, m)):
        for row in np.flatnonzero(errors > size)[:1]:
            counts = f"{errors.flat[row]} of {size.flat[row]}"
            raise ValueError(f"errors_{name} must be at most n_{name}, got {counts}")
    rates = (Proportion(a / n, n), Proportion(b / m, m))
    statistic, limits = METHODS[method]
    z = statistic(*rates)
    gap = rates[0].rate - rates[1].rate
    result = ComparisonResult(z, two_sided(z), gap, partial(limits, *rates))
    if np.ndim(gap):
        return result
    # the winner follows from the four counts
    quantity = f"error of {{a}} ({a} in {n}) minus error of {{b}} ({b} in {m})"
    return replace(result, quantity=quantity)


def rejects(method: str, a: Proportion, b: Proportion, delta: float) -> BoolArray:
    """Whether the test rejects; this avoids the p-values, which Newcombe's method finds slowly."""
    z = normal_quantile(delta / 2)
    if method == "newcombe":
        return np.asarray(np.abs(a.rate - b.rate) >= arm_toward_0(a, b, z))
    statistic, _ = METHODS[method]
    return np.asarray(np.abs(statistic(a, b)) >= z)
