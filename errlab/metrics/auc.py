"""The area under the ROC curve and its variance by DeLong's method, in O((m + n) log(m + n))."""

from __future__ import annotations

from typing import Generic, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray
from errlab._core.interval import End
from errlab._core.public import public
from errlab._numerics.groups import grouped
from errlab.metrics._labels import BoolArray, scored

__all__ = ["Areas", "area", "delong"]


class Areas(NamedTuple, Generic[End]):
    """Areas under ROC curves and their estimated covariance.

    Floats for one classifier; shapes (k,) and (k, k) for k classifiers on the same cases.
    """

    area: End
    covariance: End


ScoreRows = list[FloatArray] | list[list[float]]  # scores of several classifiers


@overload
def area(y_true: ArrayLike, scores: list[float], *, positive: object = None) -> float: ...
@overload
def area(y_true: ArrayLike, scores: ScoreRows, *, positive: object = None) -> FloatArray: ...
@overload
def area(y_true: ArrayLike, scores: ArrayLike, *, positive: object = None) -> FloatOrArray: ...
@public
def area(y_true: ArrayLike, scores: ArrayLike, *, positive: object = None) -> FloatOrArray:
    r"""Area under the ROC curve: how often a positive case outscores a negative one.

    .. math:: \hat A = \frac{1}{mn} \sum_{i=1}^m \sum_{j=1}^n
              \left[ \mathbf 1\{x_i > y_j\} + \tfrac12 \mathbf 1\{x_i = y_j\} \right]

    Parameters
    ----------
    y_true : array_like, shape (N,)
        True labels, of both classes.
    scores : array_like, shape (N,) or (k, N)
        Larger means more likely positive; one row for each classifier.
    positive : label, optional
        The positive label, as in `confusion`.

    Returns
    -------
    float or ndarray, shape (k,)
        The area, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If a class is missing, the lengths differ, or a score is not a finite number.

    Examples
    --------
    >>> area([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    truth, values = scored(y_true, scores, positive)
    above, _ = placements(truth, values)
    return checks.plain(above.mean(axis=-1))


@overload
def delong(
    y_true: ArrayLike,
    scores: list[float],
    *,
    positive: object = None,
    groups: ArrayLike | None = None,
) -> Areas[float]: ...
@overload
def delong(
    y_true: ArrayLike,
    scores: ScoreRows,
    *,
    positive: object = None,
    groups: ArrayLike | None = None,
) -> Areas[FloatArray]: ...
@overload
def delong(
    y_true: ArrayLike,
    scores: ArrayLike,
    *,
    positive: object = None,
    groups: ArrayLike | None = None,
) -> Areas[FloatOrArray]: ...
@public
def delong(
    y_true: ArrayLike,
    scores: ArrayLike,
    *,
    positive: object = None,
    groups: ArrayLike | None = None,
) -> Areas[FloatOrArray]:
    r"""Estimate areas under ROC curves with their covariance, without a model of the scores.

    With :math:`V_i` the share of negatives that positive case i outscores, and :math:`W_j` the
    share of positives that outscore negative case j,

    .. math:: \widehat{\mathrm{var}}(\hat A) = s_V^2 / m + s_W^2 / n

    with 1/(m-1) and 1/(n-1) variances. Both shares come from one sort of the scores,
    as Sun and Xu found.

    Where cases come in groups, such as the lesions of one patient, their deviations
    :math:`V_i - \hat A` and :math:`W_j - \hat A` are summed over each group first, to
    :math:`v_g` and :math:`w_g`, and with :math:`I_{10}` groups that have a positive case,
    :math:`I_{01}` that have a negative one, and :math:`I` in all (Obuchowski 1997),

    .. math:: \widehat{\mathrm{var}}(\hat A) = \frac{I_{10}}{I_{10}-1} \sum_g \frac{v_g^2}{m^2}
              + \frac{I_{01}}{I_{01}-1} \sum_g \frac{w_g^2}{n^2}
              + \frac{2 I}{I-1} \sum_g \frac{v_g w_g}{m n}

    For groups of one case that is DeLong's formula.

    Parameters
    ----------
    y_true : array_like, shape (N,)
        True labels, at least two cases of each class.
    scores : array_like, shape (N,) or (k, N)
        Larger means more likely positive; one row for each classifier.
    positive : label, optional
        The positive label, as in `confusion`.
    groups : array_like, shape (N,), optional
        The group of each case; at least 2 groups have a positive case, and 2 a negative one.

    Returns
    -------
    Areas
        ``(area, covariance)``: the area and its variance for one classifier; k areas and their
        (k, k) covariance matrix for k rows of scores.

    Raises
    ------
    ValueError, TypeError
        If a class has fewer than two cases, or two groups, the lengths differ, or a score is not
        finite.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988), 837-845; Sun and Xu, IEEE Signal
    Processing Letters 21 (2014), 1389-1393; Obuchowski, Biometrics 53 (1997), 567-578.

    Examples
    --------
    >>> delong([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    Areas(area=0.75, covariance=0.125)
    """
    truth, values = scored(y_true, scores, positive, least=2)
    above, below = placements(truth, values)
    if groups is None:
        covariance = np.cov(above) / above.shape[-1] + np.cov(below) / below.shape[-1]
    else:
        covariance = _of_groups(truth, above, below, groups)
    if values.ndim == 2:
        covariance = covariance.reshape(len(values), len(values))
    return Areas(checks.plain(above.mean(axis=-1)), checks.plain(covariance))


def _of_groups(
    truth: BoolArray, above: FloatArray, below: FloatArray, groups: ArrayLike
) -> FloatArray:
    """Covariance of the areas from sums over groups (Obuchowski 1997)."""
    units = grouped(groups, len(truth))
    # classifiers x cases: how far each placement is from the area
    away = np.empty((*above.shape[:-1], len(truth)))
    away[..., truth] = above - above.mean(axis=-1, keepdims=True)
    away[..., ~truth] = below - below.mean(axis=-1, keepdims=True)
    # classifiers x groups; a group may hold positives, negatives or both
    v = np.atleast_2d(units.sums(np.where(truth, away, 0.0))) / above.shape[-1]
    w = np.atleast_2d(units.sums(np.where(truth, 0.0, away))) / below.shape[-1]
    positive = int((units.sums(truth.astype(float)) > 0).sum())
    negative = int((units.sums((~truth).astype(float)) > 0).sum())
    for name, count in (("positive", positive), ("negative", negative)):
        if count < 2:
            raise ValueError(f"groups must hold at least 2 with a {name} case, got {count}")
    cross = v @ w.T * _factor(units.number)
    own = v @ v.T * _factor(positive) + w @ w.T * _factor(negative)
    covariance: FloatArray = np.squeeze(own + cross + cross.T)
    return covariance


def _factor(groups: int) -> float:
    return groups / (groups - 1)


def placements(truth: BoolArray, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For each positive the share of negatives below it, for each negative of positives above it.

    Level ones count half. With scores of shape (k, n) each answer has k rows.
    """
    if scores.ndim == 2:
        pairs = [placements(truth, row) for row in scores]
        return np.stack([above for above, _ in pairs]), np.stack([below for _, below in pairs])
    order = np.argsort(scores)
    ordered = scores[order]
    # last places of the runs of level scores, in sorted order
    ends = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]), len(ordered) - 1)
    lengths = np.diff(ends, prepend=-1)  # of the runs of level scores
    outscored = []
    for group in (~truth, truth):
        # cases of the other class up to each run; half of those in it are outscored
        through = np.cumsum(group[order])[ends]
        counts = np.empty(len(scores))
        counts[order] = np.repeat(through - np.diff(through, prepend=0) / 2, lengths)
        outscored.append(counts)
    above = outscored[0][truth] / np.count_nonzero(~truth)
    below = 1 - outscored[1][~truth] / np.count_nonzero(truth)
    return above, below
