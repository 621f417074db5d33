"""Areas under ROC curves, with DeLong's covariance, or Obuchowski's for groups."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray, IntArray
from errlab._core.public import public
from errlab._core.spoken import Spoken
from errlab._numerics.groups import Groups, grouped
from errlab.metrics._confusion import BoolArray
from errlab.metrics._roc import scored


class _Areas(NamedTuple):
    area: FloatOrArray
    covariance: FloatOrArray


@public
def area(y_true: ArrayLike, scores: ArrayLike, *, positive: object = None) -> FloatOrArray:
    r"""Area under the ROC curve: the probability that a positive example outscores a negative one.

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
    return checks.plain(placements(truth, values)[..., truth].mean(axis=-1))


@public
def delong(
    y_true: ArrayLike,
    scores: ArrayLike,
    *,
    positive: object = None,
    groups: ArrayLike | None = None,
) -> Areas:
    r"""Estimate areas under ROC curves with their covariance, without a model of the scores.

    With :math:`V_i` the fraction of negatives that positive example i outscores, and :math:`W_j`
    the fraction of positives that outscore negative example j,

    .. math:: \widehat{\mathrm{var}}(\hat A) = s_V^2 / m + s_W^2 / n

    with 1/(m-1) and 1/(n-1) variances. Both fractions are computed from ranks (Sun and Xu).

    With groups, such as the lesions of one patient, the deviations :math:`V_i - \hat A` and
    :math:`W_j - \hat A` are summed over each group first, to :math:`v_g` and :math:`w_g`, and with
    :math:`I_{10}` groups that have a positive example, :math:`I_{01}` that have a negative one, and
    :math:`I` in all (Obuchowski 1997),

    .. math:: \widehat{\mathrm{var}}(\hat A) = \frac{I_{10}}{I_{10}-1} \sum_g \frac{v_g^2}{m^2}
              + \frac{I_{01}}{I_{01}-1} \sum_g \frac{w_g^2}{n^2}
              + \frac{2 I}{I-1} \sum_g \frac{v_g w_g}{m n}

    For groups of one example that is DeLong's formula.

    Parameters
    ----------
    y_true : array_like, shape (N,)
        True labels, at least two examples of each class.
    scores : array_like, shape (N,) or (k, N)
        Larger means more likely positive; one row for each classifier.
    positive : label, optional
        The positive label, as in `confusion`.
    groups : array_like, shape (N,), optional
        The group of each example; at least 2 groups must have a positive example, and 2 a negative
        one.

    Returns
    -------
    Areas
        ``(area, covariance)``: the area and its variance for one classifier; k areas and their
        (k, k) covariance matrix for k rows of scores.

    Raises
    ------
    ValueError, TypeError
        If a class has fewer than two examples or groups, the lengths differ, or a score is not
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
    units = None if groups is None else grouped(groups, len(truth))
    return areas_with_covariance(truth, values, units)


def areas_with_covariance(truth: BoolArray, scores: FloatArray, units: Groups | None) -> Areas:
    """Return the areas and their covariance, from checked arguments."""
    class_sizes = class_counts(truth, units)
    fewest = class_sizes.min()
    checks.require(fewest >= 2, "groups", "hold at least 2 with an example of each class", fewest)
    placed = placements(truth, np.atleast_2d(scores))
    areas = placed[:, truth].mean(axis=1)
    # deviations of the placements from the areas, classifiers x examples; 0 in the other class's
    # columns
    away = placed - areas[:, None]
    v, w = (away * mask / mask.sum() for mask in (truth, ~truth))
    if units is not None:  # a group may contain positives, negatives or both
        v, w = units.sums(v), units.sums(w)
    first, second, both = (many / (many - 1) for many in (*class_sizes, v.shape[1]))
    cross = v @ w.T * both
    covariance = v @ v.T * first + w @ w.T * second + cross + cross.T
    # floats for one classifier; otherwise shapes (k,) and (k, k)
    one = scores.shape[:-1]
    return Areas(checks.plain(areas.reshape(one)), checks.plain(covariance.reshape(one * 2)))


def class_counts(truth: BoolArray, units: Groups | None) -> IntArray:
    """Return the numbers of positives and negatives, or of groups that contain them."""
    cases = np.array([truth, ~truth], dtype=float)
    return np.asarray(np.count_nonzero(cases if units is None else units.sums(cases), axis=1))


def placements(truth: BoolArray, scores: FloatArray) -> FloatArray:
    """Return the fraction of the other class that each example outscores, or that outscores it.

    Ties count half. The shape is that of the scores.
    """
    placed: FloatArray = scipy.stats.rankdata(scores, axis=-1)
    for mask in (truth, ~truth):
        # the rank among all minus the rank within the class: how many of the other class are below
        inside = scipy.stats.rankdata(scores[..., mask], axis=-1)
        placed[..., mask] = (placed[..., mask] - inside) / np.count_nonzero(~mask)
    return np.where(truth, placed, 1 - placed)


class Areas(_Areas, Spoken):
    """Areas under ROC curves and their estimated covariance.

    Floats for one classifier; shapes (k,) and (k, k) for k classifiers on the same examples.
    """

    def claim(self) -> str:
        """Return the result in a sentence."""
        areas = ", ".join(f"{area:.4g}" for area in np.ravel(self.area))
        variances = np.diag(np.atleast_2d(self.covariance))
        errors = ", ".join(f"{error:.2g}" for error in np.sqrt(variances))
        return f"Area under the ROC curve: {areas}; standard error {errors} (DeLong; asymptotic)."
