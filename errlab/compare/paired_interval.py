"""Intervals for the difference of two error rates measured on the same test set."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.interval import Interval
from errlab.compare._comparison import A_AND_B, Finding, comparison
from errlab.compare._melded import melded
from errlab.compare._result import Names
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


class Table(NamedTuple):
    """Cases by who is wrong, 0 for wrong and 1 for right; A first, then B."""

    n00: FloatArray
    n01: FloatArray
    n10: FloatArray
    n11: FloatArray

    @property
    def n(self) -> FloatArray:
        """All cases."""
        return np.asarray(self.n00 + self.n01 + self.n10 + self.n11)

    @property
    def estimate(self) -> FloatArray:
        """Error rate of A minus that of B."""
        return np.asarray((self.n01 - self.n10) / self.n)

    def swapped(self, where: NDArray[np.bool_] | bool = True) -> Table:
        """Return the table with A and B in each other's place, where asked for."""
        n01 = np.where(where, self.n10, self.n01)
        n10 = np.where(where, self.n01, self.n10)
        return Table(self.n00, n01, n10, self.n11)


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
    table: ArrayLike,
    *,
    method: str = "tango",
    delta: float = 0.05,
    names: Names = A_AND_B,
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
    counts = checks.count(table, "table", 0)
    if counts.shape[-2:] != (2, 2):
        raise ValueError(f"table must have shape (..., 2, 2), got {counts.shape}")
    cells = Table(*(counts[..., i, j].astype(float) for i in (0, 1) for j in (0, 1)))
    if (cells.n == 0).any():
        raise ValueError("table must count at least 1 case, got 0")
    if method == "exact":
        test = mcnemar(cells.n01, cells.n10, method="exact")
        data = (cells.n01, cells.n10, cells.n)
        return Finding(test.statistic, test.pvalue, cells.estimate, limits=melded, data=data)
    if method == "tango":
        z = over_error(cells.n01 - cells.n10, cells.n01 + cells.n10)  # McNemar's z
        return Finding(z, two_sided(z), cells.estimate, limits=tango, data=(cells,))
    # the arm that points at 0 is the lower one of the table whose difference is positive
    toward_0 = cells.swapped(cells.n01 < cells.n10)
    reach = quantile_at(lambda z: _lower_arm(toward_0, z), np.abs(cells.estimate))
    z = np.sign(cells.estimate) * reach
    return Finding(z, two_sided(z), cells.estimate, limits=_newcombe, data=(cells,))


def tango(table: Table, *, delta: float) -> Interval[FloatArray]:
    r"""All differences d that the score test keeps (Tango 1998).

    .. math:: z(d) = \frac{n_{01} - n_{10} - n d}{\sqrt{n (2 q + d (1 - d))}}

    Here q is the probability that B alone is wrong, fitted under the difference d: the larger
    root of :math:`2 n q^2 + b q + c = 0` with :math:`b = (2 n - n_{01} + n_{10}) d - n_{01} -
    n_{10}` and :math:`c = -n_{10} d (1 - d)`.
    """
    n = table.n
    n01 = table.n01
    n10 = table.n10

    def score(d: FloatArray) -> FloatArray:
        # the fitted share is the larger root of its quadratic
        b = (2 * n - n01 + n10) * d - n01 - n10
        c = -n10 * d * (1 - d)
        q = (np.sqrt(np.maximum(b**2 - 8 * n * c, 0)) - b) / (4 * n)
        return over_error(n01 - n10 - n * d, n * np.maximum(2 * q + d * (1 - d), 0))

    return score_interval(score, table.estimate, z_of(delta))


def _newcombe(table: Table, *, delta: float) -> Interval[FloatArray]:
    """Estimate minus the lower arm and plus the upper one (Newcombe 1998b, method 10)."""
    z = z_of(delta)
    low = np.maximum(table.estimate - _lower_arm(table, z), -1)
    return Interval(low, np.minimum(table.estimate + _lower_arm(table.swapped(), z), 1))


def _lower_arm(table: Table, z: FloatArray | float) -> FloatArray:
    """Length of the lower arm, with the correlation of the two errors.

    Newcombe takes n/2 off its numerator where it is positive, but not below 0.
    """
    n00, n01, n10, n11 = table
    product = n00 * n11 - n01 * n10
    product = np.where(product > 0, np.maximum(product - table.n / 2, 0), product)
    scale = np.sqrt(n00 + n01) * np.sqrt(n10 + n11) * np.sqrt(n00 + n10) * np.sqrt(n01 + n11)
    phi = product / np.where(scale > 0, scale, 1.0)
    rate_a = Proportion((n00 + n01) / table.n, table.n)
    return lower_arm(rate_a, Proportion((n00 + n10) / table.n, table.n), z, phi)
