"""ROC curves, and the checks of labels and scores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks, extras
from errlab._core.checks import FloatArray
from errlab._core.public import public
from errlab._core.spoken import Spoken
from errlab.metrics._confusion import BoolArray, positives


def scored(
    y_true: ArrayLike, scores: ArrayLike, positive: object, *, least: int = 1
) -> tuple[BoolArray, FloatArray]:
    """Check labels and scores, with at least `least` examples of each class.

    `scores` has shape (n,), or (k, n) for k classifiers.
    """
    (truth,) = positives(positive, y_true=y_true)
    values = checks.numbers(scores, "scores")
    fits = values.ndim in (1, 2) and values.shape[-1] == len(truth)
    rule = f"have {len(truth)} examples along the last axis, as y_true has"
    checks.require(fits, "scores", rule, values)
    for name, count in (("positive", truth.sum()), ("negative", (~truth).sum())):
        checks.require(count >= least, "y_true", f"hold at least {least} {name} example(s)", count)
    return truth, values


class _Roc(NamedTuple):
    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray


@public
def roc(y_true: ArrayLike, scores: ArrayLike, *, positive: object = None) -> Roc:
    """Compute the true and false positive rates at all thresholds, by scikit-learn.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels, of both classes.
    scores : array_like, shape (n,)
        Larger means more likely positive; any scale. The lecture's thresholds at the two ends, 0
        and 1, assume scores in [0, 1]; here they are the smallest score and infinity.
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


class Roc(Spoken, _Roc):
    """A ROC curve from (0, 0) to (1, 1); scores of `thresholds` or more are called positive."""

    def claim(self) -> str:
        """Return the result in a sentence."""
        area = float(np.trapezoid(self.tpr, self.fpr))
        return f"A ROC curve of {len(self.fpr)} points; the area under it is {area:.4g}."

    __repr__ = claim  # arrays would fill the screen
