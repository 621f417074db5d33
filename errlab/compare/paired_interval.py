"""Intervals for the difference of two error rates measured on the same test set."""

from __future__ import annotations

from functools import partial

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

METHODS = ("tango", "newcombe")


@comparison(
    key="paired_difference",
    name="Difference of paired error rates",
    takes="table",
    paired=True,
    equations="Tango 1998; Newcombe 1998, method 10",
    methods=METHODS,
)
def paired_difference(
    table: ArrayLike, *, method: str = "tango", delta: float = 0.05
) -> ComparisonResult:
    r"""Interval for the error rate of A minus that of B, from a paired table.

    The estimate is :math:`(n_{01} - n_{10}) / n`.

    Parameters
    ----------
    table : array_like, shape (..., 2, 2)
        ``[[n00, n01], [n10, n11]]`` as `mcnemar_table` counts them; leading axes hold several.
    method : {"tango", "newcombe"}
        "tango": the differences that the score test does not reject, with the probabilities
        fitted under each difference; at 0 it is McNemar's z. "newcombe": the Wilson intervals of
        the two error rates, put together by square-and-add with their correlation.
    delta : float
        Level of the test and of the interval.

    Returns
    -------
    ComparisonResult
        `statistic` is a signed z whose interval just reaches 0, `pvalue` its two-sided p-value.

    Raises
    ------
    ValueError
        If the table has another shape, a negative count or no case at all.
    TypeError
        If the table does not hold numbers.

    References
    ----------
    Tango, Statistics in Medicine 17 (1998), 891-908; Newcombe, Statistics in Medicine 17 (1998),
    2635-2650, method 10.

    Examples
    --------
    >>> low, high = paired_difference([[59, 6], [16, 80]]).interval
    >>> round(low, 4), round(high, 4)
    (-0.124, -0.0054)
    """
    name = _checks.choice(method, "method", METHODS)
    level = _checks.one_delta(delta)
    counts = _checks.count(table, "table", 0)
    if counts.shape[-2:] != (2, 2):
        raise ValueError(f"table must have shape (..., 2, 2), got {counts.shape}")
    n00, n01, n10, n11 = (counts[..., i, j].astype(float) for i in (0, 1) for j in (0, 1))
    n = n00 + n01 + n10 + n11
    if (n == 0).any():
        raise ValueError("table must count at least 1 case, got 0")
    estimate = (n01 - n10) / n
    if name == "tango":
        statistic = (n01 - n10) / np.sqrt(np.maximum(n01 + n10, 1))  # McNemar's z
        limits = partial(_tango, n01, n10, n, level)
    else:
        reach = touch(lambda z: _side(n00, n01, n10, n11, z), np.abs(estimate))
        statistic = np.sign(estimate) * reach
        limits = partial(_newcombe, n00, n01, n10, n11, level)
    return ComparisonResult(
        f"paired_difference-{name}",
        _checks.plain(statistic),
        _checks.plain(two_sided(statistic)),
        _checks.plain(estimate),
        level,
        limits=limits,
    )


def _tango(n01: FloatArray, n10: FloatArray, n: FloatArray, delta: float) -> Interval:
    def score(d: FloatArray) -> FloatArray:
        b = (2 * n - n01 + n10) * d - n01 - n10  # Tango's quadratic in P(A right, B wrong)
        c = -n10 * d * (1 - d)
        q = (np.sqrt(np.maximum(b**2 - 8 * n * c, 0)) - b) / (4 * n)
        variance = n * np.maximum(2 * q + d * (1 - d), 0)
        gap = n01 - n10 - n * d
        with np.errstate(divide="ignore"):
            return np.where(gap == 0, 0.0, gap / np.sqrt(np.where(gap == 0, 1.0, variance)))

    low, high = score_interval(score, (n01 - n10) / n, z_of(delta))
    return Interval(_checks.plain(low), _checks.plain(high))


def _newcombe(
    n00: FloatArray, n01: FloatArray, n10: FloatArray, n11: FloatArray, delta: float
) -> Interval:
    estimate = (n01 - n10) / (n00 + n01 + n10 + n11)
    z = np.full_like(estimate, z_of(delta))
    down = _half(n00, n01, n10, n11, z)
    up = _half(n00, n10, n01, n11, z)  # A and B change places
    return Interval(
        _checks.plain(np.maximum(estimate - down, -1)), _checks.plain(np.minimum(estimate + up, 1))
    )


def _half(
    n00: FloatArray, n01: FloatArray, n10: FloatArray, n11: FloatArray, z: FloatArray
) -> FloatArray:
    """Length of the lower arm: square-and-add with the correlation of the two errors."""
    n = n00 + n01 + n10 + n11
    p_a, p_b = (n00 + n01) / n, (n00 + n10) / n
    below_a, above_b = p_a - wilson(p_a, n, z).low, wilson(p_b, n, z).high - p_b
    product = n00 * n11 - n01 * n10
    # Newcombe's correction of a positive correlation
    product = np.where(product > 0, np.maximum(product - n / 2, 0), product)
    scale = np.sqrt(n00 + n01) * np.sqrt(n10 + n11) * np.sqrt(n00 + n10) * np.sqrt(n01 + n11)
    phi = product / np.where(scale > 0, scale, 1.0)
    square = below_a**2 - 2 * phi * below_a * above_b + above_b**2
    return np.asarray(np.sqrt(np.maximum(square, 0)))


def _side(
    n00: FloatArray, n01: FloatArray, n10: FloatArray, n11: FloatArray, z: FloatArray
) -> FloatArray:
    """Length of the arm that points at 0."""
    swap = n01 < n10
    return _half(n00, np.where(swap, n10, n01), np.where(swap, n01, n10), n11, z)
