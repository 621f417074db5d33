"""F scores: one class, macro average and micro average."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.public import public
from errlab.metrics.confusion import confusion, confusion_matrix

__all__ = ["class_f1", "f_score", "macro_f1", "micro_f1"]


@public
def f_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, beta: float = 1.0, positive: object = None
) -> float:
    r"""F score: the harmonic mean of precision and recall, recall weighted :math:`\beta^2`.

    .. math:: F_\beta = \frac{(1 + \beta^2) TP}{(1 + \beta^2) TP + \beta^2 FN + FP}

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        True and predicted labels.
    beta : float
        Weight of recall, above 0; 1 gives F1.
    positive : label, optional
        The positive label, as in `confusion`.

    Returns
    -------
    float
        The score, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If no case is positive, neither in truth nor as called, `beta` is not above 0, or strings
        are mixed with numbers.

    Examples
    --------
    >>> f_score([1, 1, 0, 0], [1, 0, 1, 0])
    0.5
    """
    importance = float(checks.within(beta, "beta", 0, open_low=True, ndim=0))
    weight = min(importance, 1e100) ** 2  # with more than this it is the recall to the last digit
    table = confusion(y_true, y_pred, positive=positive)
    total = (1 + weight) * table.tp + weight * table.fn + table.fp
    if total == 0:
        raise ValueError("f_score needs at least one positive case, true or called, got none")
    return (1 + weight) * table.tp / total


@public
def class_f1(counts: ArrayLike) -> FloatArray:
    """F1 of each class against the rest, from confusion matrices.

    Parameters
    ----------
    counts : array_like, shape (..., c, c)
        Counts, rows true and columns predicted; leading axes hold separate matrices.

    Returns
    -------
    ndarray, shape (..., c)
        F1 of each class; 0 for a class that neither occurs nor is called.

    Raises
    ------
    ValueError, TypeError
        If a count is negative or not whole, or the last two axes differ.

    Examples
    --------
    >>> class_f1([[1, 1], [0, 2]]).round(4)
    array([0.6667, 0.8   ])
    """
    table = checks.count(counts, "counts", 0)
    if table.ndim < 2 or table.shape[-1] != table.shape[-2]:
        raise ValueError(f"counts must be square in the last two axes, got shape {table.shape}")
    right = np.diagonal(table, axis1=-2, axis2=-1)
    total = table.sum(axis=-1) + table.sum(axis=-2)  # true plus called
    return np.asarray(2 * right / np.maximum(total, 1))


@public
def macro_f1(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Macro-averaged F1: the mean of the F1 scores of the classes.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        True and predicted labels, of any number of classes.

    Returns
    -------
    float
        The score, in [0, 1]. Every class that occurs or is called counts the same.

    Raises
    ------
    ValueError, TypeError
        If the lengths differ, or strings are mixed with numbers.

    Examples
    --------
    >>> round(macro_f1(["a", "a", "b", "c"], ["a", "b", "b", "c"]), 4)
    0.7778
    """
    return float(class_f1(confusion_matrix(y_true, y_pred).counts).mean())


@public
def micro_f1(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Micro-averaged F1: F1 of the counts pooled over the classes.

    Where each case has one true and one called class, each error is one false positive and one
    false negative, so that it equals the accuracy.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        True and predicted labels, of any number of classes.

    Returns
    -------
    float
        The score, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If the lengths differ, or strings are mixed with numbers.

    Examples
    --------
    >>> micro_f1(["a", "a", "b", "c"], ["a", "b", "b", "c"])
    0.75
    """
    counts = confusion_matrix(y_true, y_pred).counts
    return float(np.trace(counts) / counts.sum())
