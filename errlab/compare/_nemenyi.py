"""Nemenyi's test of all pairs of classifiers by their mean ranks over data sets."""

import math

import numpy as np
import scipy

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.public import public


def nemenyi_pvalues(z: FloatArray, k: int) -> FloatArray:
    """Return the p-values of mean rank differences, given in units of their standard error."""
    tails = scipy.stats.studentized_range.sf(z * np.sqrt(2), k, np.inf)
    return np.asarray(np.clip(tails, 0.0, 1.0))


@public
def nemenyi_difference(n: int, models: int, *, delta: float = 0.05) -> float:
    r"""Return the critical difference of Nemenyi's test, in mean ranks.

    .. math:: CD = \frac{q_\delta}{\sqrt 2} \sqrt{\frac{k (k + 1)}{6 n}}

    with :math:`q_\delta` the upper quantile of the studentized range of k normal variables.

    Parameters
    ----------
    n : int
        Number of data sets.
    models : int
        Number of models k, at least 2.
    delta : float
        Level of the test.

    Returns
    -------
    float
        Average ranks that differ by at least this are significantly different.

    Raises
    ------
    ValueError, TypeError
        If a number is not whole or too small, or `delta` leaves (0, 1).

    References
    ----------
    Demsar, Journal of Machine Learning Research 7 (2006), Section 3.2.2.

    Examples
    --------
    >>> round(nemenyi_difference(14, 4), 3)  # 2.569 sqrt(4 5 / (6 14))
    1.254
    """
    sets = checks.one_count(n)
    k = checks.one_count(models, "models", 2)
    q = float(scipy.stats.studentized_range.isf(checks.one_delta(delta), k, np.inf))
    return q / math.sqrt(2) * math.sqrt(k * (k + 1) / (6 * sets))
