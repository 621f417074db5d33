"""Tests on five repetitions of two-fold cross-validation: Dietterich's t and Alpaydin's F."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy import special

from errlab._core import checks
from errlab._numerics.roots import ratio
from errlab.compare._paired_t import moments, t_test
from errlab.compare._registry import (
    A_AND_B,
    ArrayLike,
    ComparisonResult,
    FloatArray,
    Interval,
    Names,
    comparison,
)


@comparison(
    name="5x2 cv t",
    place=15,
    takes="5x2 differences",
    equations="Dietterich 1998",
    guarantee="none proven",
)
def five_by_two_cv_t(
    differences: ArrayLike, *, delta: float = 0.05, names: Names = A_AND_B
) -> ComparisonResult:
    r"""Dietterich's t on five repetitions of two-fold cross-validation.

    .. math:: t = p_1^{(1)} \Big/ \sqrt{\tfrac15 \sum_{i=1}^5 s_i^2}, \quad
              s_i^2 = (p_i^{(1)} - \bar p_i)^2 + (p_i^{(2)} - \bar p_i)^2

    with 5 degrees of freedom. Only the first of the ten differences is in the numerator, so the
    result depends on the order of the repetitions; that of `five_by_two_cv_f` doesn't.

    Parameters
    ----------
    differences : array_like, shape (..., 5, 2)
        Error of A minus error of B: a row for each repetition, a column for each of its two folds.
        Leading axes are several tests.

    Returns
    -------
    ComparisonResult
        `estimate` is the first difference, as in the statistic. If the two folds agree in every
        repetition, the spread can't be estimated: p is 1, and the interval is infinite.

    Raises
    ------
    ValueError
        If the shape is different.
    TypeError
        If a difference is not a number.

    References
    ----------
    Dietterich, Neural Computation 10 (1998), 1895-1923.

    Examples
    --------
    >>> d = [[0.04, 0.02], [0.03, 0.05], [0.01, 0.03], [0.04, 0.01], [0.02, 0.02]]
    >>> round(five_by_two_cv_t(d).statistic, 4)
    2.7603
    """
    ten, within = _halves(differences)
    # the difference on one fold divided by the pooled standard deviation of all five pairs
    # (Dietterich)
    return t_test(ten[..., 0], within / np.sqrt(5), 5)


@comparison(
    name="5x2 cv F",
    place=16,
    takes="5x2 differences",
    equations="Alpaydin 1999",
    guarantee="none proven",
)
def five_by_two_cv_f(
    differences: ArrayLike, *, delta: float = 0.05, names: Names = A_AND_B
) -> ComparisonResult:
    r"""Alpaydin's F on five repetitions of two-fold cross-validation.

    .. math:: f = \sum_{i,j} \big(p_i^{(j)}\big)^2 \Big/ \Big(2 \sum_i s_i^2\Big)

    with 10 and 5 degrees of freedom; all ten differences have the same weight. The test is of the
    hypothesis that all of them are 0 except for chance, so it also rejects if some are positive and
    some negative.

    Parameters
    ----------
    differences : array_like, shape (..., 5, 2)
        Error of A minus error of B: a row for each repetition, a column for each of its two folds.
        Leading axes are several tests.

    Returns
    -------
    ComparisonResult
        `estimate` is the mean of the ten. `interval` contains the differences d for which the test
        of :math:`p_i^{(j)} - d` doesn't reject. If it rejects every d, there is no interval: the
        differences aren't all zero, but no single difference fits them. If the two folds agree in
        every repetition, the spread can't be estimated: p is 1, and the interval is infinite.

    Raises
    ------
    ValueError
        If the shape is different.
    TypeError
        If a difference is not a number.

    References
    ----------
    Alpaydin, Neural Computation 11 (1999), 1885-1892.

    Examples
    --------
    >>> d = [[0.04, 0.02], [0.03, 0.05], [0.01, 0.03], [0.04, 0.01], [0.02, 0.02]]
    >>> round(five_by_two_cv_f(d).statistic, 4), round(five_by_two_cv_f(d).pvalue, 4)
    (4.2381, 0.0623)
    >>> five_by_two_cv_f([[0.05, 0.05], [-0.03, -0.03], [0.04, 0.04], [-0.02, -0.02], [0.01, 0.02]])
    The error of A minus error of B is 0.011.
    The differences are not all zero at level 0.05, but no one difference fits them (5x2 cv F,
    p < 0.0001; guarantee: none proven).
    """
    ten, within = _halves(differences)
    # ten squares in the numerator, five variances in the denominator
    f = ratio(np.hypot.reduce(ten, axis=-1), np.sqrt(2) * within) ** 2
    f = np.where(within > 0, f, 0.0)
    mean, sd = moments(ten)
    limits = partial(_f_limits, mean, sd, within)
    return ComparisonResult(f, special.fdtrc(10, 5, f), mean, limits)


def _halves(differences: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Check the ten differences of each test; return them and the root of the sum of s_i^2.

    Roots of sums of squares are computed without squaring, which may overflow.
    """
    array = checks.numbers(differences, "differences")
    if array.shape[-2:] != (5, 2):
        raise ValueError(f"differences must have shape (..., 5, 2), got {array.shape}")
    # tests x 5 repetitions x 2 folds
    _, deviations = moments(array)
    return array.reshape((*array.shape[:-2], 10)), np.hypot.reduce(deviations, axis=-1)


def _f_limits(
    mean: FloatArray, sd: FloatArray, within: FloatArray, *, delta: float
) -> Interval[FloatArray]:
    """Return all d with sum (p - d)^2 <= F 2 sum s_i^2, a quadratic as s_i doesn't depend on d."""
    # the upper quantile of F(a, b) is 1 / the lower quantile of F(b, a); SciPy fails below 1e-100
    f = np.nan_to_num(1 / special.fdtri(5, 10, delta), nan=1e300)
    # sum (p - d)^2 = 9 sd^2 + 10 (mean - d)^2
    reach = np.sqrt(2 * f) * within
    left = reach - 3 * sd
    half = np.sqrt(np.maximum(left, 0) / 10) * np.sqrt(reach + 3 * sd)
    half = np.where(within > 0, np.where(left >= 0, half, np.nan), np.inf)
    return Interval(mean - half, mean + half)
