"""Two classifiers, each on a test set of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from errlab import _checks
from errlab._checks import FloatArray
from errlab._interval import Interval
from errlab.compare._comparison import (
    ComparisonResult,
    comparison,
    score_interval,
    touch,
    two_sided,
    wilson,
    z_of,
)

METHODS = ("newcombe", "normal", "pooled")


@comparison(
    key="two_proportions",
    name="Two independent error rates",
    takes="two test sets",
    paired=False,
    equations="Lecture notes, interval of delta_R; Newcombe 1998, method 10; Mee 1984",
    methods=METHODS,
)
def two_proportions(
    errors_a: ArrayLike,
    n_a: ArrayLike,
    errors_b: ArrayLike,
    n_b: ArrayLike,
    *,
    delta: float = 0.05,
    method: str = "newcombe",
) -> ComparisonResult:
    r"""Compare two error rates from independent test sets.

    The estimate is :math:`\hat p_A - \hat p_B`. Use `mcnemar` where both classifiers saw the
    same cases.

    Parameters
    ----------
    errors_a, n_a : int or array_like
        Errors of A and size of its test set. All four counts broadcast together.
    errors_b, n_b : int or array_like
        Errors of B and size of its test set.
    delta : float
        Level of the test and of the interval.
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
    name = _checks.choice(method, "method", METHODS)
    level = _checks.one_delta(delta)
    a, n, b, m = _checks.same_shape(
        errors_a=_checks.count(errors_a, "errors_a", 0),
        n_a=_checks.count(n_a, "n_a"),
        errors_b=_checks.count(errors_b, "errors_b", 0),
        n_b=_checks.count(n_b, "n_b"),
    )
    for errors, size, which in ((a, n, "a"), (b, m, "b")):
        if (errors > size).any():
            raise ValueError(
                f"errors_{which} must be at most n_{which}, got {int(errors[errors > size][0])}"
                f" of {int(size[errors > size][0])}"
            )
    sample = (a / n, n.astype(float), b / m, m.astype(float))
    statistic = _STATISTICS[name](*sample)
    return ComparisonResult(
        f"two_proportions-{name}",
        _checks.plain(statistic),
        _checks.plain(two_sided(statistic)),
        _checks.plain(a / n - b / m),
        level,
        limits=partial(_limits, name, *sample, level),
    )


def _ratio(gap: FloatArray, variance: FloatArray) -> FloatArray:
    """Gap over standard error; 0 for no gap, infinite for a gap without variance."""
    with np.errstate(divide="ignore"):
        return np.where(gap == 0, 0.0, gap / np.sqrt(np.where(gap == 0, 1.0, variance)))


def _normal(p: FloatArray, n: FloatArray, q: FloatArray, m: FloatArray) -> FloatArray:
    return _ratio(p - q, p * (1 - p) / n + q * (1 - q) / m)


def _pooled(p: FloatArray, n: FloatArray, q: FloatArray, m: FloatArray) -> FloatArray:
    common = (n * p + m * q) / (n + m)
    return _ratio(p - q, common * (1 - common) * (1 / n + 1 / m))


def _newcombe(p: FloatArray, n: FloatArray, q: FloatArray, m: FloatArray) -> FloatArray:
    return np.sign(p - q) * touch(lambda z: _inner(p, n, q, m, z), np.abs(p - q))


_STATISTICS: dict[str, Callable[..., FloatArray]] = {
    "normal": _normal,
    "pooled": _pooled,
    "newcombe": _newcombe,
}


def _arm(
    p: FloatArray, n: FloatArray, q: FloatArray, m: FloatArray, z: FloatArray | float
) -> FloatArray:
    """Length of the lower arm of the square-and-add interval for p - q."""
    return np.asarray(np.hypot(p - wilson(p, n, z).low, wilson(q, m, z).high - q))


def _inner(
    p: FloatArray, n: FloatArray, q: FloatArray, m: FloatArray, z: FloatArray | float
) -> FloatArray:
    """Length of the arm that points at 0: the lower one where p > q."""
    first = p >= q
    size, other = np.where(first, n, m), np.where(first, m, n)
    return _arm(np.maximum(p, q), size, np.minimum(p, q), other, z)


def rejects(
    method: str, p: FloatArray, n: FloatArray, q: FloatArray, m: FloatArray, delta: float
) -> Any:
    """Whether the test rejects, without the p-values (Newcombe's need a search)."""
    if method == "newcombe":
        return np.abs(p - q) > _inner(p, n, q, m, z_of(delta))
    return np.abs(_STATISTICS[method](p, n, q, m)) >= z_of(delta)


def _limits(
    method: str, p: FloatArray, n: FloatArray, q: FloatArray, m: FloatArray, delta: float
) -> Interval:
    z, gap = z_of(delta), p - q
    if method == "pooled":
        low, high = score_interval(lambda d: _score(p, n, q, m, d), gap, z)
    else:
        if method == "normal":
            down = up = z * np.sqrt(p * (1 - p) / n + q * (1 - q) / m)
        else:
            down, up = _arm(p, n, q, m, z), _arm(q, m, p, n, z)
        low, high = np.maximum(gap - down, -1), np.minimum(gap + up, 1)
    return Interval(_checks.plain(low), _checks.plain(high))


def _score(p: FloatArray, n: FloatArray, q: FloatArray, m: FloatArray, d: FloatArray) -> FloatArray:
    """Score statistic of p - q = d, with both rates fitted under it (a cubic equation)."""
    r = m / n
    a, b = 1 + r, -(1 + r + p + r * q + d * (r + 2))
    c = d**2 + d * (2 * p + r + 1) + p + r * q
    v = (b / (3 * a)) ** 3 - b * c / (6 * a**2) - p * d * (1 + d) / (2 * a)
    u = np.copysign(np.sqrt(np.maximum((b / (3 * a)) ** 2 - c / (3 * a), 0)), v)
    cosine = np.clip(v / np.where(u == 0, 1.0, u**3), -1, 1)
    fit_p = np.clip(2 * u * np.cos((np.pi + np.arccos(cosine)) / 3) - b / (3 * a), 0, 1)
    fit_q = np.clip(fit_p - d, 0, 1)
    gap = p - q - d
    return _ratio(gap, fit_p * (1 - fit_p) / n + fit_q * (1 - fit_q) / m)
