"""One-sided t-tests of whether the smaller of two nested models is worse."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from errlab._core import checks, rounding
from errlab._core.public import public
from errlab._core.spoken import Spoken
from errlab.crossval._intervals import corrected_standard_error


@dataclass(frozen=True)
class NestedTest(Spoken):
    """Test of "the reduced model has the larger generalization error".

    Attributes
    ----------
    difference : float
        Estimated error of the reduced model minus that of the full one.
    standard_error : float
        Standard error of the difference.
    statistic : float
        The difference divided by its standard error.
    df : int
        Degrees of freedom.
    pvalue : float
        Probability of a statistic at most as large, if the two errors are equal.
    """

    difference: float
    standard_error: float
    statistic: float
    df: int
    pvalue: float

    def claim(self) -> str:
        """Return the result in a sentence."""
        pvalue = rounding.format_pvalue(self.pvalue, 0.05)
        return (
            f"Error of the reduced model less that of the full one: {self.difference:.4g}, "
            f"standard error {self.standard_error:.4g}, {pvalue} against "
            f'"the reduced model is worse" ({self.df} degrees of freedom; asymptotic).'
        )

    def rejects(self, delta: float = 0.05) -> bool:
        """Whether "the reduced model is worse" is rejected at level `delta`.

        The statistic must be below the *lower* delta quantile of the t distribution.
        """
        return self.pvalue < checks.one_delta(delta)


@public
def holdout_t_test(full: ArrayLike, reduced: ArrayLike) -> NestedTest:
    r"""Compare two models, trained on the same set, on one holdout set.

    .. math:: t = \frac{\Delta \hat G}{\sqrt{s^2 / N_c}}, \quad N_c - 1 \text{ degrees of freedom}

    Parameters
    ----------
    full, reduced : array_like, shape (N_c,)
        Loss of each holdout example under the full and under the reduced model, at least 0.

    Returns
    -------
    NestedTest
        A small p-value is evidence against "the reduced model is worse".

    Raises
    ------
    ValueError, TypeError
        If the lengths differ, a loss is negative, or all differences are equal.

    References
    ----------
    Larsen & Hansen, "Empirical generalization error estimation".

    Examples
    --------
    >>> result = holdout_t_test([1.0, 2.0, 1.0, 3.0], [0.0, 2.0, 0.5, 1.0])
    >>> round(result.statistic, 3), round(result.pvalue, 3), result.rejects()
    (-2.049, 0.066, False)
    """
    return leave_out_t_test(full, reduced)


@public
def leave_out_t_test(
    full: ArrayLike, reduced: ArrayLike, *, n_train: int | None = None, n_test: int | None = None
) -> NestedTest:
    """Compare two models by their errors on the same J leave-out splits.

    The paper treats the J differences as independent. But they share nearly all of their data, so
    the standard error is much too small. With `n_train` and `n_test` it is corrected as by Nadeau
    and Bengio.

    Parameters
    ----------
    full, reduced : array_like, shape (J,)
        Error on each split under the full and under the reduced model, at least 0.
    n_train, n_test : int, optional
        Number of examples that each split trains on and tests on; both or neither.

    Returns
    -------
    NestedTest
        A small p-value is evidence against "the reduced model is worse".

    Raises
    ------
    ValueError, TypeError
        If the lengths differ, an error is negative, all differences are equal, or only one of
        `n_train` and `n_test` is given.

    References
    ----------
    Larsen & Hansen, last formula of "Empirical generalization error distributions".

    Examples
    --------
    >>> full, reduced = [1.0, 2.0, 1.0, 3.0], [0.0, 2.0, 0.5, 1.0]
    >>> round(leave_out_t_test(full, reduced).statistic, 3)
    -2.049
    >>> round(leave_out_t_test(full, reduced, n_train=15, n_test=5).statistic, 3)
    -1.342
    """
    large = checks.within(full, "full", 0, checks.LARGE, ndim=1)
    small = checks.within(reduced, "reduced", 0, checks.LARGE, ndim=1)
    checks.same_length(full=large, reduced=small)
    difference = small - large
    df = len(difference) - 1
    # if all differences are equal, the statistic is undefined
    spread = np.ptp(difference) > 0
    checks.require(spread, "full and reduced", "differ by more than one amount", difference[0])
    mean = float(difference.mean())
    if n_train is None or n_test is None:
        sizes = (n_train, n_test)
        checks.require(n_train is n_test, "n_train and n_test", "come together", sizes)
        error = float(scipy.stats.sem(difference))
    else:
        error = corrected_standard_error(difference, n_train=n_train, n_test=n_test)
    pvalue = float(scipy.special.stdtr(df, mean / error))
    return NestedTest(mean, error, mean / error, df, pvalue)
