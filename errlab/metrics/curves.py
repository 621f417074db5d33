"""ROC and precision-recall curves."""

from __future__ import annotations

from typing import NamedTuple, overload

from numpy.typing import ArrayLike

from errlab._core import checks, extras
from errlab._core.checks import FloatArray, FloatOrArray, Scalar
from errlab._core.public import public
from errlab.metrics._labels import scored

__all__ = [
    "Roc",
    "precision_at",
    "roc",
]


class Roc(NamedTuple):
    """A ROC curve from (0, 0) to (1, 1); a case is positive at a score of `thresholds` or more."""

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray


@public
def roc(y_true: ArrayLike, scores: ArrayLike, *, positive: object = None) -> Roc:
    """Trace the true positive rate against the false positive rate, by scikit-learn.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels, of both classes.
    scores : array_like, shape (n,)
        Larger means more likely positive; any scale. The lecture's thresholds 0 and 1 for the
        two ends suppose scores in [0, 1]; here the ends are the largest score and infinity.
    positive : label, optional
        The positive label, as in `confusion`.

    Returns
    -------
    Roc
        ``(fpr, tpr, thresholds)``, one point for each distinct score and (0, 0) for the
        threshold infinity.

    Raises
    ------
    ValueError, TypeError
        If a class is missing, the lengths differ, or a score is not a finite number.

    Examples
    --------
    >>> curve = roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.tpr
    array([0. , 0.5, 0.5, 1. , 1. ])
    """
    metrics = extras.load("sklearn.metrics")
    truth, values = scored(y_true, checks.numbers(scores, "scores", ndim=1), positive)
    return Roc(*metrics.roc_curve(truth, values, drop_intermediate=False))


@overload
def precision_at(tpr: Scalar, fpr: Scalar, prevalence: Scalar) -> float: ...
@overload
def precision_at(tpr: ArrayLike, fpr: ArrayLike, prevalence: ArrayLike) -> FloatArray: ...
@public
def precision_at(tpr: ArrayLike, fpr: ArrayLike, prevalence: ArrayLike) -> FloatOrArray:
    r"""Precision where a share :math:`\pi` of all cases is positive, by Bayes' rule.

    .. math:: P = \frac{\pi \, TPR}{\pi \, TPR + (1 - \pi) \, FPR}

    The two rates belong to the classifier; the precision belongs to the population too.

    Parameters
    ----------
    tpr, fpr : float or array_like
        True and false positive rates, in [0, 1]; not both 0.
    prevalence : float or array_like
        Share of positives in the population, in (0, 1).

    Returns
    -------
    float or ndarray
        The precision, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range, both rates are 0, or the shapes do not broadcast.

    Examples
    --------
    >>> round(precision_at(0.9, 0.05, 0.01), 4)
    0.1538
    """
    hits, alarms, share = checks.same_shape(
        tpr=checks.mean(tpr, "tpr"),
        fpr=checks.mean(fpr, "fpr"),
        prevalence=checks.within(prevalence, "prevalence", 0, 1, open_low=True, open_high=True),
    )
    if ((hits == 0) & (alarms == 0)).any():
        raise ValueError("tpr and fpr must not both be 0, where nothing is called positive")
    return checks.plain(share * hits / (share * hits + (1 - share) * alarms))
