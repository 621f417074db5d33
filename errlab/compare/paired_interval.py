"""Intervals for the difference of two error rates measured on the same test set."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.interval import Interval
from errlab.compare._melded import melded
from errlab.compare._result import A_AND_B, Finding, Names, comparison
from errlab.compare.mcnemar_tables import mcnemar
from errlab.compare.proportions import (
    Proportion,
    lower_arm,
    over_error,
    quantile_at,
    score_interval,
    two_sided,
    z_of,
)

__all__ = ["paired_difference"]


@comparison(
    key="paired_difference",
    name="Difference of paired error rates",
    place=5,
    takes="table",
    equations="Fay and Lumbard 2021; Tango 1998; Newcombe 1998, method 10",
    guarantee={"exact": "exact", "tango": "asymptotic", "newcombe": "asymptotic"},
    interval_guarantee={"exact": "none proven"},
)
def paired_difference(
    table: ArrayLike, *, method: str = "tango", delta: float = 0.05, names: Names = A_AND_B
) -> Finding:
    r"""Test and interval for the error rate of A minus that of B, from a paired table.

    The estimate is :math:`(n_{01} - n_{10}) / n`.

    Parameters
    ----------
    table : array_like, shape (..., 2, 2)
        ``[[n00, n01], [n10, n11]]`` as `mcnemar_table` counts them; leading axes hold several.
    method : {"exact", "tango", "newcombe"}
        "exact": the exact McNemar test, and Fay and Lumbard's interval, which belongs to it.
        "tango": the differences that the score test does not reject, with the probabilities
        fitted under each difference; at 0 it is McNemar's z. "newcombe": the Wilson intervals of
        the two error rates, put together by square-and-add with their correlation.

    Returns
    -------
    ComparisonResult
        The interval excludes 0 if, and only if, ``pvalue <= delta``. For "exact" `statistic` is
        min(n01, n10), and the p-value that of ``mcnemar(n01, n10)``: it never breaks its level.
        That the interval covers at least 1 - delta is a conjecture of its authors, who checked
        it for all n up to 100; no table is known where it fails. For "tango" and "newcombe"
        `statistic` is a signed z whose interval just reaches 0, and the p-value is the normal
        one, which is right for many cases only: with 5 cases Newcombe's type I error at level
        0.05 reaches 0.13, Tango's 0.08.

    Raises
    ------
    ValueError
        If the table has another shape, a negative count or no case at all.
    TypeError
        If the table does not hold numbers.

    References
    ----------
    Fay and Lumbard, Statistics in Medicine 40 (2021), 1147-1159; Tango, Statistics in Medicine 17
    (1998), 891-908; Newcombe, Statistics in Medicine 17 (1998), 2635-2650, method 10.

    Examples
    --------
    >>> low, high = paired_difference([[59, 6], [16, 80]]).interval
    >>> round(low, 4), round(high, 4)
    (-0.124, -0.0054)
    >>> paired_difference([[10, 6], [0, 4]], method="exact")
    B is better at level 0.05: error of A minus error of B 0.3, 95% interval 0.0196 to 0.543
    (Difference of paired error rates, exact, p = 0.031; guarantee: exact, of its interval: none
    proven).
    """
    counts = checks.count(table, "table", 0).astype(float)
    if counts.shape[-2:] != (2, 2):
        raise ValueError(f"table must have shape (..., 2, 2), got {counts.shape}")
    # cases by who is wrong, 0 for wrong and 1 for right; A first, then B
    n00, n01, n10, n11 = np.moveaxis(counts.reshape(*counts.shape[:-2], 4), -1, 0)
    n = n00 + n01 + n10 + n11
    checks.require((n > 0).all(), "table", "count at least 1 case", 0)
    gap = (n01 - n10) / n
    if method == "exact":
        test = mcnemar(n01, n10, method="exact")
        return Finding(test.statistic, test.pvalue, gap, limits=melded, data=(n01, n10, n))
    if method == "tango":
        z = over_error(n01 - n10, n01 + n10)  # McNemar's z
        return Finding(z, two_sided(z), gap, limits=tango, data=(n01, n10, n))
    # the arm that points at 0 is the lower one of the table whose difference is positive
    more, fewer = np.maximum(n01, n10), np.minimum(n01, n10)
    z = np.sign(gap) * quantile_at(lambda z: _lower_arm(n00, more, fewer, n11, z), np.abs(gap))
    return Finding(z, two_sided(z), gap, limits=_newcombe, data=(n00, n01, n10, n11))


def tango(n01: FloatArray, n10: FloatArray, n: FloatArray, *, delta: float) -> Interval[FloatArray]:
    r"""All differences d that the score test keeps (Tango 1998).

    .. math:: z(d) = \frac{n_{01} - n_{10} - n d}{\sqrt{n (2 q + d (1 - d))}}

    Here q is the probability that B alone is wrong, fitted under the difference d: the larger
    root of :math:`2 n q^2 + b q + c = 0` with :math:`b = (2 n - n_{01} + n_{10}) d - n_{01} -
    n_{10}` and :math:`c = -n_{10} d (1 - d)`.
    """

    def score(d: FloatArray) -> FloatArray:
        # the fitted share is the larger root of its quadratic
        b = (2 * n - n01 + n10) * d - n01 - n10
        c = -n10 * d * (1 - d)
        q = (np.sqrt(np.maximum(b**2 - 8 * n * c, 0)) - b) / (4 * n)
        return over_error(n01 - n10 - n * d, n * np.maximum(2 * q + d * (1 - d), 0))

    return score_interval(score, (n01 - n10) / n, z_of(delta))


def _newcombe(
    n00: FloatArray, n01: FloatArray, n10: FloatArray, n11: FloatArray, *, delta: float
) -> Interval[FloatArray]:
    """Estimate minus the lower arm and plus the upper one (Newcombe 1998b, method 10)."""
    z = z_of(delta)
    gap = (n01 - n10) / (n00 + n01 + n10 + n11)
    # the upper arm is the lower one of the table with A and B in each other's place
    down, up = _lower_arm(n00, n01, n10, n11, z), _lower_arm(n00, n10, n01, n11, z)
    return Interval(np.maximum(gap - down, -1), np.minimum(gap + up, 1))


def _lower_arm(
    n00: FloatArray, n01: FloatArray, n10: FloatArray, n11: FloatArray, z: FloatArray | float
) -> FloatArray:
    """Length of the lower arm, with the correlation of the two errors.

    Newcombe takes n/2 off its numerator where it is positive, but not below 0.
    """
    n = n00 + n01 + n10 + n11
    product = n00 * n11 - n01 * n10
    product = np.where(product > 0, np.maximum(product - n / 2, 0), product)
    # root by root: the product of four counts of a million has lost digits
    scale = np.sqrt(n00 + n01) * np.sqrt(n10 + n11) * np.sqrt(n00 + n10) * np.sqrt(n01 + n11)
    phi = product / np.where(scale > 0, scale, 1.0)
    return lower_arm(Proportion((n00 + n01) / n, n), Proportion((n00 + n10) / n, n), z, phi)
