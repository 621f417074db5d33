"""Tests and intervals for the difference of two error rates measured on the same test set."""

from __future__ import annotations

from functools import partial

from errlab.compare._fay_lumbard import melded
from errlab.compare._mcnemar import mcnemar_exact
from errlab.compare._newcombe import correlation, newcombe, newcombe_z
from errlab.compare._paired_table import cells_of, counts_of
from errlab.compare._registry import A_AND_B, ArrayLike, ComparisonResult, Names, comparison
from errlab.compare._score import Proportion, over_error, two_sided
from errlab.compare._tango import tango


@comparison(
    name="Difference of paired error rates",
    place=5,
    takes="table",
    equations="Fay and Lumbard 2021; Tango 1998; Newcombe 1998, method 10",
    guarantee={"exact": "exact", "tango": "asymptotic", "newcombe": "asymptotic"},
    interval_guarantee={"exact": "none proven"},
)
def paired_difference(
    table: ArrayLike, *, method: str = "tango", delta: float = 0.05, names: Names = A_AND_B
) -> ComparisonResult:
    r"""Test and interval for A's error rate minus B's, from a paired table.

    The estimate is :math:`(n_{01} - n_{10}) / n`.

    Parameters
    ----------
    table : array_like, shape (..., 2, 2)
        ``[[n00, n01], [n10, n11]]``, as `mcnemar_table` counts them; leading axes are several
        tables. Or a DataFrame whose rows (A) and columns (B) are labelled "right" and "wrong".
    method : {"exact", "tango", "newcombe"}
        "exact": the exact McNemar test, and Fay and Lumbard's interval, which agrees with it.
        "tango": the differences that the score test doesn't reject, with the probabilities fitted
        under each difference; at 0 it is McNemar's z. "newcombe": the Wilson intervals of the two
        error rates, combined by square-and-add with their correlation.

    Returns
    -------
    ComparisonResult
        The interval excludes 0 if, and only if, ``pvalue <= delta``. For "exact" `statistic` is
        min(n01, n10), and the p-value is that of ``mcnemar(n01, n10)``, whose type I error never
        exceeds the level. Its authors conjecture that the interval covers at least 1 - delta, and
        have checked this for all n up to 100; no exception is known. For "tango" and "newcombe"
        `statistic` is the signed z at which the interval just reaches 0, and the p-value is normal,
        so it is accurate for many examples only: with 5 examples and level 0.05, Newcombe's type I
        error reaches 0.13, and Tango's 0.08.

    Raises
    ------
    ValueError
        If the table has another shape, a negative count, or no example.
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
    Only A is wrong on 6 examples, only B on 0: the error of A minus error of B is 0.3, 95% interval
    0.0196 to 0.543.
    B is better at level 0.05 (Difference of paired error rates, exact, p = 0.031; guarantee: exact,
    of its interval: none proven).
    """
    n00, n01, n10, n11 = cells_of(table)
    n = n00 + n01 + n10 + n11
    gap = (n01 - n10) / n
    result = partial(ComparisonResult, counts=counts_of(n01, n10))
    if method == "exact":
        fewer, pvalue = mcnemar_exact(n01, n10)
        return result(fewer, pvalue, gap, partial(melded, n01, n10, n))
    if method == "tango":
        z = over_error(n01 - n10, n01 + n10)  # this is McNemar's z
        return result(z, two_sided(z), gap, partial(tango, n01, n10, n))
    phi = correlation(n00, n01, n10, n11)
    rates = (Proportion((n00 + n01) / n, n), Proportion((n00 + n10) / n, n))
    z = newcombe_z(*rates, phi)
    return result(z, two_sided(z), gap, partial(newcombe, *rates, phi))
