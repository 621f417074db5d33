"""Two reasons for misleading intervals: duplicated test examples and another population."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import IntArray
from errlab._core.public import public
from errlab.bounds import interval


@public
def count_copies(cases: ArrayLike) -> IntArray:
    """Count how often each distinct row occurs in a test set.

    Parameters
    ----------
    cases : array_like, shape (n, p)
        The test examples, one a row.

    Returns
    -------
    ndarray of int, shape (m,)
        Number of copies of each of the m distinct rows, in the order of first occurrence.

    Raises
    ------
    ValueError, TypeError
        If `cases` is not a finite matrix.

    Examples
    --------
    >>> count_copies([[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]])
    array([2, 1])
    """
    _, first, copies = np.unique(
        checks.matrix(cases, "cases"), axis=0, return_index=True, return_counts=True
    )
    return copies[np.argsort(first)].astype(np.int64)


@public
def effective_size(copies: ArrayLike) -> float:
    r"""Return the effective number of test examples if example j occurs :math:`c_j` times.

    The mean loss over all :math:`n = \sum c_j` examples has the variance of a mean over

    .. math:: n_{eff} = \Big(\sum_j c_j\Big)^2 \Big/ \sum_j c_j^2

    independent examples. An interval for n examples is too narrow by :math:`\sqrt{n / n_{eff}}`.

    Parameters
    ----------
    copies : array_like, shape (m,)
        Number of copies of each distinct example, at least 1.

    Returns
    -------
    float
        The effective size, from 1 to m.

    Raises
    ------
    ValueError, TypeError
        If a number of copies is not a whole number of at least 1.

    Examples
    --------
    >>> effective_size([10] * 50)
    50.0
    >>> effective_size([1, 1, 2])
    2.6666...
    """
    counts = checks.count(copies, "copies", ndim=1).astype(float)
    return float(counts.sum() ** 2 / (counts**2).sum())


@public
def interval_coverage(
    key: str, tested_error: float, n: int, *, error: float, copies: int = 1, delta: float = 0.05
) -> float:
    r"""Return the exact probability that an interval contains the risk of interest.

    The test has `n` independent examples with the true error `tested_error`. Each occurs `copies`
    times, and the interval is computed from all ``n * copies`` of them. It is right if it contains
    `error`, the true error on the population in which the model will be used.

    Parameters
    ----------
    key : str
        Short name of a bound, a key of `errlab.bounds.BOUNDS`.
    tested_error : float
        True error on the population from which the test set was drawn, in [0, 1].
    n : int
        Number of independent test examples, at least 1.
    error : float
        True error on the population of interest, in [0, 1]; by default `tested_error`.
    copies : int
        How often each example occurs in the test set, at least 1.
    delta : float
        Nominal probability that the interval fails, in (0, 1).

    Returns
    -------
    float
        The coverage, by enumeration of the ``n + 1`` outcomes.

    Raises
    ------
    ValueError, TypeError
        If the key is unknown or an argument leaves its range.

    Examples
    --------
    >>> round(interval_coverage("CP", 0.1, 1000, error=0.1), 3)
    0.955
    >>> round(interval_coverage("CP", 0.1, 1000, error=0.15), 3)  # shifted population
    0.003
    >>> round(interval_coverage("CP", 0.1, 100, error=0.1, copies=10), 3)  # ten copies each
    0.382
    """
    size = checks.one_count(n)
    times = checks.one_count(copies, "copies")
    source = checks.one_mean(tested_error, "tested_error")
    aim = checks.one_mean(error, "error")
    # The interval for each possible number of errors among the independent examples.
    k = np.arange(size + 1)
    low, high = interval(key, k / size, size * times, delta=checks.one_delta(delta))
    inside = (low <= aim) & (aim <= high)
    return float(scipy.stats.binom.pmf(k, size, source) @ inside)
