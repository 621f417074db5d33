"""Loss functions and the quantities made from them (survey Eqs. 1-6 and 10).

Every loss takes ``(y_true, y_pred)``, in that order, and returns one loss in [0, 1] for each
case. Real-valued predictions are scores: their sign is the predicted label, and as in the
survey ``sign(0) = -1``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from errlab import _checks
from errlab._checks import FloatArray

__all__ = [
    "Sample",
    "empirical_error",
    "hard_loss",
    "linear_soft_loss",
    "logistic_loss",
    "risk",
    "sign",
    "summarize",
]


class Sample(NamedTuple):
    """What a bound knows of the test set: the mean loss, its size and its 1/n variance."""

    mean: Any
    n: Any
    var: Any


def sign(scores: ArrayLike) -> FloatArray:
    """Return +1 for a positive score and -1 otherwise (survey Eq. 3; ``sign(0) = -1``).

    Parameters
    ----------
    scores : array_like
        Real numbers, any shape.

    Returns
    -------
    ndarray
        Labels in {-1, +1}, the shape of `scores`.

    Raises
    ------
    ValueError, TypeError
        If a score is not a finite real number.

    Examples
    --------
    >>> sign([-0.3, 0.0, 2.0])
    array([-1., -1.,  1.])
    """
    return np.where(_checks.numbers(scores, "scores") > 0, 1.0, -1.0)


def hard_loss(y_true: ArrayLike, y_pred: ArrayLike) -> FloatArray:
    r"""0/1 loss: 1 for each misclassified case, 0 for each right one (survey Eq. 2).

    .. math:: \ell_H(\hat y, y) = \mathbf 1\{\operatorname{sign}(\hat y) \ne y\}

    With `y_true` in {-1, +1} and numeric `y_pred`, the predictions are scores and their sign is
    compared. With any other labels (0/1, strings, several classes) the predictions are labels.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels.
    y_pred : array_like, shape (n,)
        Predicted labels, or scores where `y_true` is in {-1, +1}.

    Returns
    -------
    ndarray, shape (n,)
        Losses in {0, 1}.

    Raises
    ------
    ValueError
        If the lengths differ, a label is missing, scores come with labels other than -1 and +1,
        or it cannot be told whether `y_pred` holds scores or labels.
    TypeError
        If strings are compared with numbers.

    References
    ----------
    Anguita et al., survey, Eqs. 2 and 3.

    Examples
    --------
    >>> hard_loss([-1, 1, 1], [0.0, 0.2, -3.0])
    array([0., 0., 1.])
    >>> hard_loss(["cat", "dog"], ["cat", "cat"])
    array([0., 1.])
    """
    true, pred = _checks.labels(y_true, "y_true"), _checks.labels(y_pred, "y_pred")
    _checks.same_length(y_true=true, y_pred=pred)
    numeric = [array.dtype.kind in "biuf" for array in (true, pred)]
    if true.dtype.kind != "O" and pred.dtype.kind != "O" and numeric[0] != numeric[1]:
        raise TypeError(
            f"y_true and y_pred must hold labels of one kind, got {true[0]!r} and {pred[0]!r}"
        )
    if all(numeric) and true.dtype.kind != "b" and (np.abs(true.astype(float)) == 1).all():
        return _signed_loss(true, pred)
    if pred.dtype.kind == "f" and (pred != np.rint(pred)).any():
        raise ValueError(
            "y_pred must hold labels where y_true is not in {-1, +1}, "
            f"got the score {pred[pred != np.rint(pred)][0]}"
        )
    return np.where(true != pred, 1.0, 0.0)


def _signed_loss(true: NDArray[Any], pred: NDArray[Any]) -> FloatArray:
    scores = _checks.numbers(pred, "y_pred")
    one_class = (true == true[0]).all()
    if one_class and pred.dtype.kind in "iu" and (np.abs(scores) > 1).any():
        raise ValueError(
            f"y_pred must hold scores as floats, or labels in {{-1, +1}}, where y_true is always "
            f"{true[0]}; got {pred[np.abs(scores) > 1][0]}, which could be either"
        )
    return np.where(sign(scores) != true, 1.0, 0.0)


def logistic_loss(y_true: ArrayLike, y_pred: ArrayLike, *, alpha: float = 1.0) -> FloatArray:
    r"""Logistic loss: the posterior probability of the wrong label (survey Eq. 4).

    .. math:: \ell_{log}(\hat y, y) = \frac{e^{-\alpha y \hat y}}{1 + e^{-\alpha y \hat y}}

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Labels in {-1, +1}.
    y_pred : array_like, shape (n,)
        Scores.
    alpha : float
        Steepness, above 0.

    Returns
    -------
    ndarray, shape (n,)
        Losses in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If a label is not -1 or +1, a score is not finite, or `alpha` is not above 0.

    References
    ----------
    Anguita et al., survey, Eq. 4.

    Examples
    --------
    >>> logistic_loss([1, -1], [0.0, -2.0], alpha=1.0).round(4)
    array([0.5   , 0.1192])
    """
    steepness = _checks.within(alpha, "alpha", 0, open_low=True, ndim=0)
    return np.asarray(special.expit(-steepness * _margin(y_true, y_pred)))


def linear_soft_loss(y_true: ArrayLike, y_pred: ArrayLike) -> FloatArray:
    r"""Linear soft loss: :math:`(1 - y \hat y)/2`, clipped to [0, 1] (survey Eq. 5).

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Labels in {-1, +1}.
    y_pred : array_like, shape (n,)
        Scores.

    Returns
    -------
    ndarray, shape (n,)
        Losses in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If a label is not -1 or +1 or a score is not finite.

    References
    ----------
    Anguita et al., survey, Eq. 5.

    Examples
    --------
    >>> linear_soft_loss([1, 1, -1], [0.5, -7.0, -7.0])
    array([0.25, 1.  , 0.  ])
    """
    return np.clip((1 - _margin(y_true, y_pred)) / 2, 0.0, 1.0)


def _margin(y_true: ArrayLike, y_pred: ArrayLike) -> FloatArray:
    true = _checks.signs(y_true, "y_true")
    scores = _checks.numbers(y_pred, "y_pred", ndim=1)
    _checks.same_length(y_true=true, y_pred=scores)
    return true * scores


def empirical_error(losses: ArrayLike) -> float:
    r"""Mean loss on the test set, :math:`\hat L_n` (survey Eq. 1).

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses in [0, 1].

    Returns
    -------
    float
        The mean loss, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If `losses` is empty or leaves [0, 1].

    Examples
    --------
    >>> empirical_error([0, 1, 0, 0])
    0.25
    """
    return float(_checks.losses(losses).mean())


def summarize(losses: ArrayLike) -> Sample:
    r"""Mean loss, size and 1/n variance of a test set (survey Eqs. 1 and 10).

    .. math:: s^2 = \frac1n \sum_{i=1}^n [\ell(\hat y_i, y_i) - \hat L_n]^2

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses in [0, 1].

    Returns
    -------
    Sample
        ``(mean, n, var)``, which every bound takes as they are.

    Raises
    ------
    ValueError, TypeError
        If `losses` is empty or leaves [0, 1].

    Examples
    --------
    >>> summarize([0, 1, 0, 0])
    Sample(mean=0.25, n=4, var=0.1875)
    """
    array = _checks.losses(losses)
    return Sample(float(array.mean()), len(array), float(array.var()))


def risk(losses: ArrayLike, probabilities: ArrayLike) -> float:
    r"""Expected loss :math:`L = E\{\ell(\hat y, y)\}` over a known distribution (survey Eq. 6).

    Parameters
    ----------
    losses : array_like, shape (m,)
        Losses in [0, 1], one for each possible case.
    probabilities : array_like, shape (m,)
        The probability of each case, summing to 1.

    Returns
    -------
    float
        The generalization error, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If the lengths differ or the probabilities do not sum to 1.

    Examples
    --------
    >>> risk([0, 1], [0.9, 0.1])
    0.1
    """
    array, weights = _checks.losses(losses), _checks.mean(probabilities, "probabilities")
    _checks.same_length(losses=array, probabilities=weights)
    if abs(weights.sum() - 1) > 1e-9:
        raise ValueError(f"probabilities must sum to 1, got {weights.sum():g}")
    return float(array @ weights)
