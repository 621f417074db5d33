"""Nadeau and Bengio's t for differences of resampled, and so overlapping, training sets."""

from __future__ import annotations

from numpy.typing import ArrayLike

from errlab._core import checks
from errlab.compare._comparison import A_AND_B, Finding, comparison
from errlab.compare._result import Names
from errlab.compare.student import folds, student

__all__ = ["corrected_resampled_t"]


@comparison(
    key="corrected_resampled_t",
    name="Corrected resampled t",
    place=13,
    takes="fold differences",
    equations="Nadeau & Bengio 2003",
    guarantee="none proven",
    extra={"n_train": 90, "n_test": 10},
)
def corrected_resampled_t(
    differences: ArrayLike,
    *,
    n_train: int,
    n_test: int,
    delta: float = 0.05,
    names: Names = A_AND_B,
) -> Finding:
    r"""Nadeau and Bengio's t: the variance of resampled differences, corrected for shared data.

    .. math:: t = \bar d \Big/ \sqrt{\Big(\frac1J + \frac{n_{test}}{n_{train}}\Big) s^2}

    with J - 1 degrees of freedom. It supposes that two differences correlate as
    :math:`n_{test} / (n_{train} + n_{test})`, a rule of thumb.

    Parameters
    ----------
    differences : array_like, shape (..., J)
        Error of A minus error of B on each of J splits, J at least 2; leading axes hold several
        tests. Folds of a cross-validation are such splits too.
    n_train, n_test : int
        Sizes of the training and the test part of each split.

    Returns
    -------
    ComparisonResult
        Where all differences are equal the interval has width 0, and p is 1 for a difference of
        0 and 0 otherwise.

    Raises
    ------
    ValueError
        If there are fewer than 2 differences or a size is below 1.
    TypeError
        If an argument is not a number.

    References
    ----------
    Nadeau and Bengio, Machine Learning 52 (2003), 239-281.

    Examples
    --------
    >>> result = corrected_resampled_t([0.02, 0.05, 0.01, 0.04, 0.03], n_train=90, n_test=10)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (3.4017, 0.0272)
    """
    array = folds(differences, "differences")
    extra = checks.one_count(n_test, "n_test") / checks.one_count(n_train, "n_train")
    return student(array, 1 / array.shape[-1] + extra)
