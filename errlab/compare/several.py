"""More than two classifiers: Cochran's Q over all, Holm's correction for the pairs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.public import public
from errlab.compare._comparison import Finding, comparison

__all__ = ["cochran_q", "holm"]


@comparison(
    key="cochran_q",
    name="Cochran's Q",
    place=17,
    takes="loss matrix",
    equations="Cochran 1950",
    guarantee="asymptotic",
)
def cochran_q(losses: ArrayLike, *, delta: float = 0.05) -> Finding:
    r"""Cochran's Q: whether k classifiers have the same error rate, on one test set.

    .. math:: Q = \frac{(k-1) \big(k \sum_j C_j^2 - (\sum_j C_j)^2\big)}
              {k \sum_i R_i - \sum_i R_i^2}

    with :math:`C_j` the errors of classifier j and :math:`R_i` the classifiers wrong on case i;
    chi-squared with k - 1 degrees of freedom. For k = 2 it is McNemar's chi2.

    Parameters
    ----------
    losses : array_like, shape (n, k)
        Losses in {0, 1}: a row for each case, a column for each of k >= 2 classifiers.

    Returns
    -------
    ComparisonResult
        `estimate` and `interval` are None: there is no single difference. Where all classifiers
        agree on every case, Q is 0 and p is 1.

    Raises
    ------
    ValueError
        If a loss is not 0 or 1, or there are fewer than 2 classifiers.
    TypeError
        If a loss is not a number.

    References
    ----------
    Cochran, Biometrika 37 (1950), 256-266.

    Examples
    --------
    >>> cochran_q([[0, 1, 1], [0, 1, 0], [0, 0, 0], [1, 1, 1], [0, 1, 1], [0, 1, 0]]).statistic
    6.0
    """
    array = checks.numbers(losses, "losses", ndim=2)
    if not np.isin(array, (0, 1)).all():
        raise ValueError(f"losses must be 0 or 1, got {array[~np.isin(array, (0, 1))][0].item()!r}")
    k = array.shape[1]
    if k < 2:
        raise ValueError(f"losses must have at least 2 columns, got shape {array.shape}")
    errors = array.sum(axis=0)
    wrong = array.sum(axis=1)
    below = k * wrong.sum() - (wrong**2).sum()
    above = (k - 1) * (k * (errors**2).sum() - errors.sum() ** 2)
    statistic = float(above / below) if below > 0 else 0.0
    return Finding(statistic, special.chdtrc(k - 1, statistic), None)


@public
def holm(pvalues: ArrayLike) -> FloatArray:
    r"""Holm's adjusted p-values: reject those at most `delta` and no true null is rejected.

    .. math:: \tilde p_{(i)} = \min\big(1, \max_{j \le i} (m - j + 1)\, p_{(j)}\big)

    The chance of one or more false rejections is at most `delta`, whatever the dependence.

    Parameters
    ----------
    pvalues : array_like, shape (m,)
        The p-values of m tests, each in [0, 1].

    Returns
    -------
    ndarray, shape (m,)
        Adjusted p-values, in the order given.

    Raises
    ------
    ValueError
        If a p-value leaves [0, 1].
    TypeError
        If a p-value is not a number.

    References
    ----------
    Holm, Scandinavian Journal of Statistics 6 (1979), 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p = checks.within(pvalues, "pvalues", 0, 1, ndim=1)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def pairs_of(names: Sequence[str], baseline: str | None) -> list[tuple[int, int]]:
    """Return both places of every pair of names, or of every other one beside the baseline."""
    if baseline is None:
        return list(itertools.combinations(range(len(names)), 2))
    base = names.index(checks.choice(baseline, "baseline", names))
    return [(i, base) for i in range(len(names)) if i != base]
