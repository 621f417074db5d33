"""Loss functions, and the empirical error and risk (survey Eqs. 1-6 and 10).

Every function takes the true labels first and returns one loss in [0, 1] for each example.
`hard_loss` compares labels. The others take scores, whose sign is the predicted label, with
``sign(0) = -1`` as in the survey. The choice of the function says whether predictions are labels or
scores; nothing is guessed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.public import public

__all__ = [
    "empirical_error",
    "from_scores",
    "hard_loss",
    "linear_soft_loss",
    "logistic_loss",
    "risk",
]


def __dir__() -> list[str]:
    return __all__


@public
def hard_loss(y_true: ArrayLike, y_pred: ArrayLike) -> FloatArray:
    r"""0/1 loss of labels: 1 for each misclassified example, otherwise 0 (survey Eq. 2).

    .. math:: \ell_H(\hat y, y) = \mathbf 1\{\hat y \ne y\}

    Labels may be strings or numbers, which are only compared. For scores whose sign is the label,
    use `from_scores`.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        True and predicted labels.

    Returns
    -------
    ndarray, shape (n,)
        Losses in {0, 1}.

    Raises
    ------
    ValueError
        If the lengths differ, a label is missing, or `y_pred` has fractions although the labels are
        whole numbers.
    TypeError
        If strings are compared with numbers.

    References
    ----------
    Anguita et al., survey, Eq. 2.

    Examples
    --------
    >>> hard_loss(["cat", "dog"], ["cat", "cat"])
    array([0., 1.])
    """
    true, pred = checks.same_labels(y_true=y_true, y_pred=y_pred)
    return np.where(true != pred, 1.0, 0.0)


@public
def from_scores(y_true: ArrayLike, scores: ArrayLike) -> FloatArray:
    r"""0/1 loss of scores: 1 if the sign of the score differs from the label (survey Eqs. 2 and 3).

    .. math:: \ell_H(\hat y, y) = \mathbf 1\{\operatorname{sign}(\hat y) \ne y\},
              \quad \operatorname{sign}(0) = -1

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Labels in {-1, +1}.
    scores : array_like, shape (n,)
        Scores, whole numbers or not. Probabilities aren't such scores, because they are never
        negative.

    Returns
    -------
    ndarray, shape (n,)
        Losses in {0, 1}.

    Raises
    ------
    ValueError, TypeError
        If a label is not -1 or +1, a score is not finite, or the lengths differ.

    References
    ----------
    Anguita et al., survey, Eqs. 2 and 3.

    Examples
    --------
    >>> from_scores([-1, 1, 1], [0.0, 0.2, -3.0])
    array([0., 0., 1.])
    """
    true, values = _signed(y_true, scores, "scores")
    # a score of 0 counts as -1, because it is not above 0
    return np.where((values > 0) != (true > 0), 1.0, 0.0)


@public
def logistic_loss(y_true: ArrayLike, y_pred: ArrayLike, *, steepness: float = 1.0) -> FloatArray:
    r"""Logistic loss: the posterior probability of the wrong label (survey Eq. 4).

    .. math:: \ell_{log}(\hat y, y) = \frac{e^{-\alpha y \hat y}}{1 + e^{-\alpha y \hat y}}

    Parameters
    ----------
    y_true : array_like, shape (n,)
        Labels in {-1, +1}.
    y_pred : array_like, shape (n,)
        Scores.
    steepness : float
        Steepness, above 0.

    Returns
    -------
    ndarray, shape (n,)
        Losses in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If a label is not -1 or +1, a score is not finite, or `steepness` is not above 0.

    References
    ----------
    Anguita et al., survey, Eq. 4.

    Examples
    --------
    >>> logistic_loss([1, -1], [0.0, -2.0], steepness=1.0).round(4)
    array([0.5   , 0.1192])
    """
    slope = checks.within(steepness, "steepness", 0, open_low=True, ndim=0)
    true, scores = _signed(y_true, y_pred, "y_pred")
    # expit does not overflow, whatever the size of the scores
    return np.asarray(special.expit(-slope * (true * scores)))


@public
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
    true, scores = _signed(y_true, y_pred, "y_pred")
    return np.clip((1 - true * scores) / 2, 0.0, 1.0)


def _signed(y_true: ArrayLike, scores: ArrayLike, name: str) -> tuple[FloatArray, FloatArray]:
    """Check labels in {-1, +1} and the same number of scores."""
    true = checks.signs(y_true, "y_true")
    values = checks.numbers(scores, name, ndim=1)
    checks.same_length(**{"y_true": true, name: values})
    return true, values


@public
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
    return float(checks.losses(losses).mean())


@public
def risk(losses: ArrayLike, probabilities: ArrayLike) -> float:
    r"""Expected loss :math:`L = E\{\ell(\hat y, y)\}` over a known distribution (survey Eq. 6).

    Parameters
    ----------
    losses : array_like, shape (m,)
        Losses in [0, 1], one for each possible example.
    probabilities : array_like, shape (m,)
        The probability of each example, summing to 1.

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
    array = checks.losses(losses)
    weights = checks.mean(probabilities, "probabilities", ndim=1)
    checks.same_length(losses=array, probabilities=weights)

    checks.require(abs(weights.sum() - 1) <= 1e-9, "probabilities", "sum to 1", weights.sum())
    return float(array @ weights)
