"""Cochran's test of several classifiers on one test set."""

from __future__ import annotations

import numpy as np
from scipy import special

from errlab._core import checks
from errlab.compare._registry import ArrayLike, ComparisonResult, comparison


@comparison(
    name="Cochran's Q",
    place=17,
    takes="loss matrix",
    equations="Cochran 1950",
    guarantee="asymptotic",
)
def cochran_q(losses: ArrayLike, *, delta: float = 0.05) -> ComparisonResult:
    r"""Cochran's Q: whether k classifiers have the same error rate on one test set.

    .. math:: Q = \frac{(k-1) \big(k \sum_j C_j^2 - (\sum_j C_j)^2\big)}
              {k \sum_i R_i - \sum_i R_i^2}

    with :math:`C_j` the number of errors of classifier j and :math:`R_i` the number of classifiers
    that are wrong on example i. Q is chi-squared with k - 1 degrees of freedom. For k = 2 it is
    McNemar's chi2.

    Parameters
    ----------
    losses : array_like, shape (n, k)
        Losses in {0, 1}: a row for each example, a column for each of k >= 2 classifiers.
    delta : float
        Level of the test, in (0, 1).

    Returns
    -------
    ComparisonResult
        `estimate` and `interval` are None, because there is no single difference. If all
        classifiers agree on every example, Q is 0 and p is 1.

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
    for loss in array[~np.isin(array, (0, 1))][:1].tolist():
        raise ValueError(f"losses must be 0 or 1, got {loss!r}")
    k = array.shape[1]
    if k < 2:
        raise ValueError(f"losses must have at least 2 columns, got shape {array.shape}")
    errors = array.sum(axis=0)
    wrong = array.sum(axis=1)
    below = k * wrong.sum() - (wrong**2).sum()
    above = (k - 1) * (k * (errors**2).sum() - errors.sum() ** 2)
    # if all classifiers agree on every example, numerator and denominator are 0
    statistic = float(above / max(below, 1.0))
    return ComparisonResult(statistic, special.chdtrc(k - 1, statistic), None)
