"""Student's t on paired differences of one test set, or of the folds of a cross-validation.

All t tests of differences use `student`, and differ only in the variance of the mean.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy import special

from errlab._core import checks
from errlab._numerics.groups import t_quantile
from errlab._numerics.roots import ratio
from errlab.compare._registry import (
    A_AND_B,
    ArrayLike,
    ComparisonResult,
    FloatArray,
    Interval,
    Names,
    comparison,
)

# differences that agree this closely, relative to the largest, are equal except for rounding
_FLAT = 1e-12


@comparison(
    name="Paired t on one test set",
    place=11,
    takes="paired losses",
    equations="Larsen & Hansen, t-test of the hold-out section",
    guarantee="asymptotic",
)
def paired_t(
    losses_a: ArrayLike, losses_b: ArrayLike, *, delta: float = 0.05, names: Names = A_AND_B
) -> ComparisonResult:
    r"""Student's t on the paired losses of one test set.

    .. math:: t = \bar d \sqrt{n} / s, \quad d_i = \ell_i^A - \ell_i^B

    with n - 1 degrees of freedom. It is for any loss, including squared errors. Half of this
    p-value is that of Larsen and Hansen's one-sided rule, on the side of the estimate.

    Parameters
    ----------
    losses_a, losses_b : array_like, shape (..., n)
        Losses of A and of B on the same n examples, n at least 2; leading axes are several tests.

    Returns
    -------
    ComparisonResult
        If all differences are equal, their spread can't be estimated: p is 1, and the interval is
        infinite.

    Raises
    ------
    ValueError
        If the shapes differ or there are fewer than 2 examples.
    TypeError
        If a loss is not a number.

    References
    ----------
    Larsen and Hansen, "Empirical generalization error estimation".

    Examples
    --------
    >>> result = paired_t([0.9, 0.4, 0.6, 0.8], [0.5, 0.3, 0.4, 0.7])
    >>> round(result.estimate, 4), round(result.pvalue, 4)
    (0.2, 0.0663)
    """
    differences = same_cases(losses_a, losses_b)
    return student(differences, 1 / differences.shape[-1])


@comparison(
    name="Paired t on the folds of a cross-validation",
    place=12,
    takes="fold differences",
    equations="Lecture notes, Algorithm 1.1",
    guarantee="none proven",
)
def kfold_paired_t(
    differences: ArrayLike, *, delta: float = 0.05, names: Names = A_AND_B
) -> ComparisonResult:
    r"""The lecture's Algorithm 1.1: Student's t on the K differences of a cross-validation.

    .. math:: \bar\delta \pm t_{K-1} \sqrt{\frac{1}{K(K-1)} \sum_i (\delta_i - \bar\delta)^2}

    K differences have K - 1 degrees of freedom; the table in the notes uses K. The test treats the
    folds as independent, although they share training examples.

    Parameters
    ----------
    differences : array_like, shape (..., K)
        Error of A minus error of B on each fold, K at least 2; leading axes are several tests.

    Returns
    -------
    ComparisonResult
        If all differences are equal, their spread can't be estimated: p is 1, and the interval is
        infinite.

    Raises
    ------
    ValueError
        If there are fewer than 2 differences.
    TypeError
        If a difference is not a number.

    References
    ----------
    Lecture notes, Algorithm 1.1; Dietterich, Neural Computation 10 (1998), 1895-1923.

    Examples
    --------
    >>> result = kfold_paired_t([0.02, 0.05, 0.01, 0.04, 0.03])
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (4.2426, 0.0132)
    """
    array = folds(differences, "differences")
    return student(array, 1 / array.shape[-1])


def same_cases(
    losses_a: ArrayLike, losses_b: ArrayLike, low: float = -np.inf, high: float = np.inf
) -> FloatArray:
    """Check the losses of A and B on the same examples, and return the differences."""
    a = checks.within(losses_a, "losses_a", low, high)
    b = checks.within(losses_b, "losses_b", low, high)
    if a.shape != b.shape:
        raise ValueError(f"losses_a and losses_b must have one shape, got {a.shape} and {b.shape}")
    return folds(a - b, "losses_a and losses_b")


def folds(value: ArrayLike, name: str) -> FloatArray:
    """Check that there are at least 2 differences along the last axis."""
    array = checks.numbers(value, name)
    if array.ndim == 0 or array.shape[-1] < 2:
        raise ValueError(f"{name} must hold at least 2 differences, got shape {array.shape}")
    return array


def moments(differences: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return mean and standard deviation (n - 1) along the last axis; exactly 0 for equal values.

    Differences such as 0.3 - 0.2 and 0.2 - 0.1 are equal except for rounding, and rounding errors
    must not give a huge t.
    """
    # scale by the largest, so that no square overflows or underflows
    size = np.abs(differences).max(axis=-1)
    scale = np.where(size > 0, size, 1.0)[..., None]
    unit = differences / scale
    flat = np.ptp(unit, axis=-1) <= _FLAT
    sd = np.where(flat, 0.0, unit.std(axis=-1, ddof=1))
    return unit.mean(axis=-1) * scale[..., 0], sd * scale[..., 0]


def student(differences: FloatArray, variance_factor: float) -> ComparisonResult:
    """Test whether the mean is 0; its variance is that of one difference times a factor."""
    mean, sd = moments(differences)
    # estimating the mean takes one degree of freedom, however much the folds overlap
    return t_test(mean, sd * np.sqrt(variance_factor), differences.shape[-1] - 1)


def t_test(estimate: FloatArray, error: FloatArray, df: int) -> ComparisonResult:
    """Student's t-test of whether a quantity with this estimate and standard error is 0."""
    # equal values don't show their spread, so the test must not reject
    t = np.where(error > 0, ratio(estimate, error), 0.0)
    pvalue = 2 * special.stdtr(df, -np.abs(t))
    return ComparisonResult(t, pvalue, estimate, partial(_limits, estimate, error, df))


def _limits(
    estimate: FloatArray, error: FloatArray, df: int, *, delta: float
) -> Interval[FloatArray]:
    """Return the estimate plus and minus the t quantile times the standard error."""
    half = np.where(error > 0, t_quantile(df, delta / 2) * error, np.inf)
    return Interval(estimate - half, estimate + half)
