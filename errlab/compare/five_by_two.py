"""Five repetitions of two-fold cross-validation: Dietterich's t and Alpaydin's F."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from errlab import _checks
from errlab._checks import FloatArray
from errlab._interval import Interval
from errlab.compare._comparison import ComparisonResult, comparison
from errlab.compare.paired_t import moments, ratio, student_interval


@comparison(
    key="five_by_two_cv_t",
    name="5x2 cv t",
    takes="5x2 differences",
    paired=True,
    equations="Dietterich 1998",
)
def five_by_two_cv_t(differences: ArrayLike, *, delta: float = 0.05) -> ComparisonResult:
    r"""Dietterich's t on five repetitions of two-fold cross-validation.

    .. math:: t = p_1^{(1)} \Big/ \sqrt{\tfrac15 \sum_{i=1}^5 s_i^2}, \quad
              s_i^2 = (p_i^{(1)} - \bar p_i)^2 + (p_i^{(2)} - \bar p_i)^2

    with 5 degrees of freedom. Only the first of the ten differences is in the numerator, so
    another order of the repetitions gives another answer; `five_by_two_cv_f` has no such choice.

    Parameters
    ----------
    differences : array_like, shape (..., 5, 2)
        Error of A minus error of B: a row for each repetition, a column for each of its two
        folds. Leading axes hold several tests.
    delta : float
        Level of the test and of the interval.

    Returns
    -------
    ComparisonResult
        `estimate` is the first difference, as in the statistic. Where the two folds agree in
        every repetition the interval has width 0, and p is 1 for an estimate of 0 and 0
        otherwise.

    Raises
    ------
    ValueError
        If the shape is another.
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
    level, (unit, scale, total) = _checks.one_delta(delta), _ten(differences)
    error, first = np.sqrt(total / 5) * scale, unit[..., 0, 0] * scale
    statistic = ratio(first, error)
    return ComparisonResult(
        "five_by_two_cv_t",
        _checks.plain(statistic),
        _checks.plain(2 * special.stdtr(5, -np.abs(statistic))),
        _checks.plain(first),
        level,
        limits=partial(student_interval, first, error, 5, level),
    )


@comparison(
    key="five_by_two_cv_f",
    name="5x2 cv F",
    takes="5x2 differences",
    paired=True,
    equations="Alpaydin 1999",
)
def five_by_two_cv_f(differences: ArrayLike, *, delta: float = 0.05) -> ComparisonResult:
    r"""Alpaydin's F on five repetitions of two-fold cross-validation.

    .. math:: f = \sum_{i,j} \big(p_i^{(j)}\big)^2 \Big/ \Big(2 \sum_i s_i^2\Big)

    with 10 and 5 degrees of freedom; all ten differences enter alike.

    Parameters
    ----------
    differences : array_like, shape (..., 5, 2)
        Error of A minus error of B: a row for each repetition, a column for each of its two
        folds. Leading axes hold several tests.
    delta : float
        Level of the test and of the interval.

    Returns
    -------
    ComparisonResult
        `estimate` is the mean of the ten. `interval` holds the differences d for which the test
        of :math:`p_i^{(j)} - d` does not reject; where it rejects all of them, the interval is
        the estimate alone. Where the two folds agree in every repetition, p is 1 if all
        differences are 0 and 0 otherwise.

    Raises
    ------
    ValueError
        If the shape is another.
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
    """
    level, (unit, scale, total) = _checks.one_delta(delta), _ten(differences)
    squares, within = (unit**2).sum(axis=(-2, -1)), 2 * total
    statistic = ratio(squares, within)
    centre = unit.mean(axis=(-2, -1))
    between = np.maximum(squares - 10 * centre**2, 0)
    return ComparisonResult(
        "five_by_two_cv_f",
        _checks.plain(statistic),
        _checks.plain(special.fdtrc(10, 5, statistic)),
        _checks.plain(centre * scale),
        level,
        limits=partial(_kept, centre, between, within, scale, level),
    )


def _ten(differences: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The differences over the largest of them, that scale, and the sum of the s_i^2."""
    array = _checks.numbers(differences, "differences")
    if array.shape[-2:] != (5, 2):
        raise ValueError(f"differences must have shape (..., 5, 2), got {array.shape}")
    size = np.abs(array).max(axis=(-2, -1))
    scale = np.where(size > 0, size, 1.0)
    unit = array / scale[..., None, None]
    return unit, scale, (moments(unit)[1] ** 2).sum(axis=-1)


def _kept(
    centre: FloatArray, between: FloatArray, within: FloatArray, scale: FloatArray, delta: float
) -> Interval:
    """All d with sum (p - d)^2 <= F within: a quadratic, as s_i does not change with d."""
    spare = special.fdtri(10, 5, 1 - delta) * within - between
    half = np.sqrt(np.maximum(spare, 0) / 10)
    return Interval(_checks.plain((centre - half) * scale), _checks.plain((centre + half) * scale))
