"""Intervals for F1: exact from the counts, and the bootstrap."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.interval import Interval
from errlab._core.public import public
from errlab.bounds import interval
from errlab.metrics._resample import percentiles, resampled
from errlab.metrics.confusion import confusion, confusion_matrix
from errlab.metrics.fscores import class_f1

__all__ = ["bootstrap_f1", "bootstrap_macro_f1", "f1_interval"]


@public
def f1_interval(tp: int, fp: int, fn: int, *, delta: float = 0.05) -> Interval:
    r"""Exact interval for F1, from the counts of true positives and of both kinds of error.

    Leave the true negatives out. Each case that is left is a true positive with probability
    :math:`J`, independently of the others, and F1 grows with :math:`J` alone:

    .. math:: F_1 = \frac{2 \, TP}{2 \, TP + FP + FN} = \frac{2 J}{1 + J}, \qquad
              TP \sim \mathrm{Bin}(TP + FP + FN, J)

    So Clopper-Pearson's interval for :math:`J` becomes one for F1.

    Parameters
    ----------
    tp, fp, fn : int
        True positives, false positives and false negatives, each at least 0, together at least 1.
    delta : float
        Probability that the interval may fail, in (0, 1).

    Returns
    -------
    Interval
        ``(low, high)`` for the F1 of the population that the cases are drawn from. It covers with
        probability at least ``1 - delta``.

    Raises
    ------
    ValueError
        If a count is negative or no whole number, all three are 0, or `delta` leaves (0, 1).
    TypeError
        If an argument is not a number.

    References
    ----------
    Clopper & Pearson (1934) for the binomial proportion J, which is Jaccard's index; the relation
    of F1 to it is algebra.

    Examples
    --------
    >>> low, high = f1_interval(8, 0, 0)  # all found, no false alarm
    >>> round(low, 3), round(high, 3)
    (0.773, 1.0)
    """
    hits = checks.one_count(tp, "tp", 0)
    among = hits + checks.one_count(fp, "fp", 0) + checks.one_count(fn, "fn", 0)
    if among == 0:
        raise ValueError("tp, fp and fn must count at least 1 case, got 0")
    low, high = interval("CP", errors=hits, n=among, delta=checks.one_delta(delta))
    return Interval(2 * low / (1 + low), 2 * high / (1 + high))


@public
def bootstrap_f1(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    delta: float = 0.05,
    resamples: int = 2000,
    positive: object = None,
    rng: np.random.Generator | int | None = None,
) -> Interval:
    """Put a percentile bootstrap interval around F1.

    It covers too seldom where the errors are few, and warns where there are none at all;
    `f1_interval` is exact.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        True and predicted labels.
    delta : float
        Probability that the interval may fail, in (0, 1); approximate.
    resamples : int
        Number of bootstrap samples, at least 1.
    positive : label, optional
        The positive label, as in `errlab.metrics.confusion`.
    rng : Generator, int or None
        Random generator or seed.

    Returns
    -------
    Interval
        ``(low, high)``. A sample without any positive case, true or called, counts as F1 = 0.

    Raises
    ------
    ValueError, TypeError
        If F1 is not defined for the data, or an argument leaves its range.

    Examples
    --------
    >>> y_true, y_pred = [1, 1, 1, 0, 0, 0, 0, 0] * 10, [1, 1, 0, 1, 0, 0, 0, 0] * 10
    >>> low, high = bootstrap_f1(y_true, y_pred, rng=0)
    >>> round(low, 1), round(high, 1)
    (0.5, 0.8)
    """
    table = confusion(y_true, y_pred, positive=positive)
    _ = table.f1  # says so where it is not defined
    counts = np.array([[table.tn, table.fp], [table.fn, table.tp]])
    values = class_f1(resampled(counts, resamples, rng))[:, 1]
    if np.ptp(values) == 0:
        warnings.warn(
            f"every resample has the same F1, {values[0]:g}, which is no interval; "
            "errlab.metrics.f1_interval is exact",
            stacklevel=4,
        )
    return percentiles(values, delta)


@public
def bootstrap_macro_f1(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    delta: float = 0.05,
    resamples: int = 2000,
    rng: np.random.Generator | int | None = None,
) -> Interval:
    """Put a percentile bootstrap interval around macro-averaged F1.

    Micro-averaged F1 is the accuracy, and takes any bound for a proportion.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        True and predicted labels, of any number of classes.
    delta : float
        Probability that the interval may fail, in (0, 1); approximate.
    resamples : int
        Number of bootstrap samples, at least 1.
    rng : Generator, int or None
        Random generator or seed.

    Returns
    -------
    Interval
        ``(low, high)``. A class that a sample lost altogether counts as F1 = 0 in it.

    Raises
    ------
    ValueError, TypeError
        If the lengths differ or an argument leaves its range.

    Examples
    --------
    >>> y_true, y_pred = ["a", "a", "b", "c"] * 25, ["a", "b", "b", "c"] * 25
    >>> low, high = bootstrap_macro_f1(y_true, y_pred, rng=0)
    >>> round(low, 1), round(high, 1)
    (0.7, 0.8)
    """
    counts = confusion_matrix(y_true, y_pred).counts
    return percentiles(class_f1(resampled(counts, resamples, rng)).mean(axis=-1), delta)
