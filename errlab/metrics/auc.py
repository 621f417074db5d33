"""The area under the ROC curve and its variance by DeLong's method, in O((m + n) log(m + n))."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike

from errlab import _checks
from errlab._checks import FloatArray
from errlab._public import public
from errlab.metrics._labels import BoolArray, scored

__all__ = ["Areas", "area", "delong"]


class Areas(NamedTuple):
    """Areas under ROC curves and their estimated covariance.

    Floats for one classifier; shapes (k,) and (k, k) for k classifiers on the same cases.
    """

    area: Any
    covariance: Any


@public
def area(y_true: ArrayLike, scores: ArrayLike, *, positive: Any = None) -> Any:
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
    above, _ = _placements(truth, values)
    return _checks.plain(above.mean(axis=-1))


@public
def delong(y_true: ArrayLike, scores: ArrayLike, *, positive: Any = None) -> Areas:
    r"""Estimate areas under ROC curves with their covariance, without a model of the scores.

    With :math:`V_i` the share of negatives that positive case i outscores, and :math:`W_j` the
    share of positives that outscore negative case j,

    .. math:: \widehat{\mathrm{var}}(\hat A) = s_V^2 / m + s_W^2 / n

    with 1/(m-1) and 1/(n-1) variances. Both shares come from midranks, as Sun and Xu found.

    Parameters
    ----------
    y_true : array_like, shape (N,)
        True labels, at least two cases of each class.
    scores : array_like, shape (N,) or (k, N)
        Larger means more likely positive; one row for each classifier.
    positive : label, optional
        The positive label, as in `confusion`.

    Returns
    -------
    Areas
        ``(area, covariance)``: the area and its variance for one classifier; k areas and their
        (k, k) covariance matrix for k rows of scores.

    Raises
    ------
    ValueError, TypeError
        If a class has fewer than two cases, the lengths differ, or a score is not finite.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988), 837-845; Sun and Xu, IEEE Signal
    Processing Letters 21 (2014), 1389-1393.

    Examples
    --------
    >>> delong([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    Areas(area=0.75, covariance=0.125)
    """
    truth, values = scored(y_true, scores, positive, least=2)
    above, below = _placements(truth, values)
    covariance = np.cov(above) / above.shape[-1] + np.cov(below) / below.shape[-1]
    if values.ndim == 2:
        covariance = covariance.reshape(len(values), len(values))
    return Areas(_checks.plain(above.mean(axis=-1)), _checks.plain(covariance))


def _placements(truth: BoolArray, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
    """For each positive the share of negatives below it, and the other way round."""
    overall = scipy.stats.rankdata(scores, axis=-1)  # midranks
    own = [scipy.stats.rankdata(scores[..., group], axis=-1) for group in (truth, ~truth)]
    above = (overall[..., truth] - own[0]) / np.count_nonzero(~truth)
    below = 1 - (overall[..., ~truth] - own[1]) / np.count_nonzero(truth)
    return above, below
