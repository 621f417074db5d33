"""Corani and Benavoli's posterior for the difference of two learners on random splits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import special

from errlab._core import checks
from errlab.compare._nadeau_bengio import variance_factor
from errlab.compare._paired_t import folds, moments, t_test
from errlab.compare._registry import (
    A_AND_B,
    ArrayLike,
    ComparisonResult,
    Names,
    Posterior,
    comparison,
)


@comparison(
    name="Bayesian correlated t",
    place=14,
    takes="fold differences",
    equations="Corani & Benavoli 2015",
    guarantee="none proven",
    extra={"n_train": 90, "n_test": 10},
)
def bayesian_correlated_t(
    differences: ArrayLike,
    *,
    n_train: int,
    n_test: int,
    rope: float = 0.01,
    delta: float = 0.05,
    names: Names = A_AND_B,
) -> ComparisonResult:
    r"""Return the posterior of the difference, and its probability of practical equivalence.

    Under the reference prior, the posterior of the difference is Student's t with J - 1 degrees of
    freedom, centre :math:`\bar d` and squared scale

    .. math:: \Big(\frac1J + \frac{\rho}{1-\rho}\Big) s^2, \quad
              \rho = \frac{n_{test}}{n_{train} + n_{test}},

    so its interval is that of `corrected_resampled_t`.

    Parameters
    ----------
    differences : array_like, shape (..., J)
        Error of A minus error of B on each of J splits, J at least 2; leading axes are several
        comparisons.
    n_train, n_test : int
        Sizes of the training and the test part of each split.
    rope : float
        Differences from -rope to rope count as equivalent in practice; at least 0, in the unit
        of the differences.

    Returns
    -------
    ComparisonResult
        `posterior` holds P(d < -rope), P(-rope <= d <= rope) and P(d > rope): A better, equivalent,
        B better. There is no p-value; the interval has posterior probability 1 - delta. If all
        differences are equal, their spread can't be estimated: the posterior is then flat, like the
        prior, and favours neither.

    Raises
    ------
    ValueError
        If there are fewer than 2 differences, a size is below 1 or `rope` is negative.
    TypeError
        If an argument is not a number.

    References
    ----------
    Corani and Benavoli, Machine Learning 100 (2015), 285-304.

    Examples
    --------
    >>> result = bayesian_correlated_t([0.02, 0.05, 0.01, 0.04, 0.03], n_train=90, n_test=10)
    >>> [round(p, 3) for p in result.posterior]
    [0.005, 0.038, 0.957]
    """
    array = folds(differences, "differences")
    edge = float(checks.within(rope, "rope", 0, ndim=0))
    df = array.shape[-1] - 1
    centre, sd = moments(array)
    # rho / (1 - rho) = n_test / n_train
    scale = sd * np.sqrt(variance_factor(array, n_train, n_test))
    # without any spread the data don't narrow the prior
    width = np.where(scale > 0, scale, np.inf)
    a_better = special.stdtr(df, (-edge - centre) / width)
    b_better = special.stdtr(df, (centre - edge) / width)
    # compute the middle as the complement, because the tails need all their digits
    equivalent = np.maximum(1 - a_better - b_better, 0)
    posterior = Posterior(*map(checks.plain, (a_better, equivalent, b_better)))
    return replace(t_test(centre, scale, df), pvalue=None, posterior=posterior)
