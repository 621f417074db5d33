"""Intervals for what `errlab.metrics` computes: rates, areas and F scores."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from errlab import _checks
from errlab._checks import FloatArray, IntArray
from errlab._interval import Interval
from errlab._numerics import normal_quantile
from errlab._public import public, renamed
from errlab._resampled_mean import WAIT, MeanLimit
from errlab.bounds import interval
from errlab.metrics._labels import scored
from errlab.metrics.auc import delong, placements
from errlab.metrics.confusion import Confusion, confusion, confusion_matrix
from errlab.metrics.fscores import class_f1

__all__ = [
    "RateInterval",
    "area_interval",
    "bootstrap_area",
    "bootstrap_f1",
    "bootstrap_macro_f1",
    "f1_interval",
    "rate_interval",
    "rate_intervals",
]


class RateInterval(NamedTuple):
    """A rate, its two counts and the ends of its interval."""

    key: str
    hits: int
    among: int
    value: float
    low: float
    high: float


@public
def rate_interval(
    table: Confusion, rate: str, *, key: str = "CP", delta: float = 0.05
) -> RateInterval:
    """Put an interval around one rate of a confusion matrix.

    A rate is a proportion of the cases in its denominator; given their number, any bound for
    binary losses holds for it.

    Parameters
    ----------
    table : Confusion
        The counts.
    rate : str
        The rate, by its key or any of its names: a key of `errlab.metrics.RATES`.
    key : str
        The bound, a key of `errlab.bounds.BOUNDS`.
    delta : float
        Probability that the interval may fail, in (0, 1).

    Returns
    -------
    RateInterval
        ``(key, hits, among, value, low, high)``.

    Raises
    ------
    ValueError, TypeError
        If a name is unknown, the rate has no cases, or `delta` leaves (0, 1).

    Examples
    --------
    >>> table = Confusion(tp=8, fp=2, fn=4, tn=86)
    >>> rate_interval(table, "recall")
    RateInterval(key='TPR', hits=8, among=12, value=0.6667, low=0.3489, high=0.9008)
    """
    if not isinstance(table, Confusion):
        raise TypeError(f"table must be a Confusion, got {type(table).__name__}")
    found = table.rate(rate)
    ends = interval(key, errors=found.hits, n=found.among, delta=_checks.one_delta(delta))
    return RateInterval(found.key, found.hits, found.among, found.value, *ends)


@public
def rate_intervals(
    table: Confusion, *, key: str = "CP", delta: float = 0.05
) -> tuple[RateInterval, ...]:
    """Put an interval around every rate that is defined; each holds on its own.

    Parameters
    ----------
    table : Confusion
        The counts.
    key : str
        The bound, a key of `errlab.bounds.BOUNDS`.
    delta : float
        Probability that each interval may fail, in (0, 1).

    Returns
    -------
    tuple of RateInterval
        One for each rate, in the order of the lecture's tables.

    Raises
    ------
    ValueError, TypeError
        If the key is unknown or `delta` leaves (0, 1).

    Examples
    --------
    >>> [row.key for row in rate_intervals(Confusion(tp=1, fp=0, fn=1, tn=2))][:4]
    ['TPR', 'FPR', 'FNR', 'TNR']
    """
    if not isinstance(table, Confusion):
        raise TypeError(f"table must be a Confusion, got {type(table).__name__}")
    rows = table.rates()
    low, high = interval(
        key,
        errors=[row.hits for row in rows],
        n=[row.among for row in rows],
        delta=_checks.one_delta(delta),
    )
    ends = zip(low.tolist(), high.tolist(), strict=True)
    return tuple(RateInterval(*row, *both) for row, both in zip(rows, ends, strict=True))


@public
def area_interval(
    y_true: ArrayLike,
    scores: ArrayLike,
    *,
    delta: float = 0.05,
    scale: str = "identity",
    positive: object = None,
    groups: ArrayLike | None = None,
) -> Interval:
    r"""Put DeLong's normal interval around the area under a ROC curve.

    :math:`\hat A \pm z\, \hat\sigma`, clipped to [0, 1]; or the same on the scale of
    :math:`\log(A / (1 - A))`, which stays inside by itself and is better near 1.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels, at least two cases of each class.
    scores : array_like, shape (n,)
        Larger means more likely positive; any scale.
    delta : float
        Probability that the interval may fail, in (0, 1); approximate.
    scale : {"identity", "logit"}
        Where the normal approximation is made.
    positive : label, optional
        The positive label, as in `errlab.metrics.confusion`.
    groups : array_like, shape (n,), optional
        The group of each case, where cases come in groups, as in `errlab.metrics.delong`.

    Returns
    -------
    Interval
        ``(low, high)``. On the identity scale an area of exactly 1 gives [1, 1], which says
        nothing about its uncertainty.

    Raises
    ------
    ValueError, TypeError
        If a class has fewer than two cases, or the scale is "logit" and the area 0 or 1.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson, Biometrics 44 (1988), 837-845; Qin and Hotilovac,
    Statistical Methods in Medical Research 17 (2008), 207-221; Obuchowski, Biometrics 53 (1997),
    567-578, for groups.

    Examples
    --------
    >>> area_interval([0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.6, 0.5, 0.7, 0.9], scale="logit")
    Interval(low=0.2614, high=0.9945)
    """
    way = _checks.choice(scale, "scale", ("identity", "logit"))
    z = normal_quantile(_checks.one_delta(delta) / 2)
    values = _checks.numbers(scores, "scores", ndim=1)
    area, variance = delong(y_true, values, positive=positive, groups=groups)
    if way == "identity":
        half = z * np.sqrt(variance)
        return Interval(float(max(area - half, 0)), float(min(area + half, 1)))
    if area in (0, 1):
        raise ValueError(f"scale 'logit' needs an area inside (0, 1), got {area:g}")
    half = z * np.sqrt(variance) / (area * (1 - area))
    ends = special.expit(special.logit(area) + np.array([-half, half]))
    return Interval(*ends.tolist())


def _percentiles(values: FloatArray, delta: float) -> Interval:
    level = _checks.one_delta(delta)
    return Interval(*np.quantile(values, [level / 2, 1 - level / 2]).tolist())


def _resample(
    counts: IntArray, repetitions: int, rng: np.random.Generator | int | None
) -> IntArray:
    """Bootstrap a table of counts: drawing cases again is drawing the table's cells again."""
    count = _checks.one_count(repetitions, "repetitions")
    total = int(counts.sum())
    drawn = _checks.generator(rng).multinomial(total, counts.ravel() / total, size=count)
    return drawn.reshape(count, *counts.shape)


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
    hits = _checks.one_count(tp, "tp", 0)
    among = hits + _checks.one_count(fp, "fp", 0) + _checks.one_count(fn, "fn", 0)
    if among == 0:
        raise ValueError("tp, fp and fn must count at least 1 case, got 0")
    low, high = interval("CP", errors=hits, n=among, delta=_checks.one_delta(delta))
    return Interval(2 * low / (1 + low), 2 * high / (1 + high))


@renamed(repetitions="resamples")
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
    values = class_f1(_resample(counts, resamples, rng))[:, 1]
    if np.ptp(values) == 0:
        warnings.warn(
            f"every resample has the same F1, {values[0]:g}, which is no interval; "
            "errlab.metrics.f1_interval is exact",
            stacklevel=4,
        )
    return _percentiles(values, delta)


@renamed(repetitions="resamples")
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
    return _percentiles(class_f1(_resample(counts, resamples, rng)).mean(axis=-1), delta)


@renamed(repetitions="resamples")
@public
def bootstrap_area(
    y_true: ArrayLike,
    scores: ArrayLike,
    *,
    delta: float = 0.05,
    resamples: int = 2000,
    positive: object = None,
    rng: np.random.Generator | int | None = None,
) -> Interval:
    """Put a percentile bootstrap interval around the area under a ROC curve.

    Positives and negatives are drawn again separately, so that both numbers stay. Where that would
    take seconds, the limit of infinitely many resamples is computed, of the area's linear part: its
    distribution is that of a mean over the positives and one over the negatives.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels, of both classes.
    scores : array_like, shape (n,)
        Larger means more likely positive; any scale.
    delta : float
        Probability that the interval may fail, in (0, 1); approximate.
    resamples : int
        Number of bootstrap samples, at least 1. Above 20 million draws, cases times resamples,
        none is drawn.
    positive : label, optional
        The positive label, as in `errlab.metrics.confusion`.
    rng : Generator, int or None
        Random generator or seed.

    Returns
    -------
    Interval
        ``(low, high)``; [1, 1] where every positive outscores every negative.

    Raises
    ------
    ValueError, TypeError
        If a class is missing, the lengths differ, or an argument leaves its range.

    Examples
    --------
    >>> y_true, scores = [0, 0, 0, 1, 1, 1] * 10, [0.1, 0.3, 0.6, 0.5, 0.7, 0.9] * 10
    >>> low, high = bootstrap_area(y_true, scores, rng=0)
    >>> round(low, 1), round(high, 1)
    (0.8, 1.0)
    """
    truth, values = scored(y_true, _checks.numbers(scores, "scores", ndim=1), positive)
    count = _checks.one_count(resamples, "resamples")
    generator = _checks.generator(rng)
    if len(values) * count > WAIT:
        shares = placements(truth, values)  # the area is the mean of each of the two
        area = float(shares[0].mean())
        limit = MeanLimit([*shares], [1.0, 1.0])
        level = _checks.one_delta(delta)
        low = limit.quantile(level / 2) - area
        high = limit.quantile(1 - level / 2) - area
        return Interval(max(low, 0.0), min(high, 1.0))
    distinct, place = np.unique(values, return_inverse=True)
    tables = [np.bincount(place[group], minlength=len(distinct)) for group in (truth, ~truth)]
    areas = np.empty(count)
    chunk = max(1_000_000 // len(distinct), 1)  # memory
    for start in range(0, count, chunk):
        size = min(chunk, count - start)
        above, below = (_resample(table, size, generator) for table in tables)
        beaten = np.cumsum(below, axis=1) - below / 2  # negatives below, half of those level
        areas[start : start + size] = (above * beaten).sum(axis=1)
    return _percentiles(areas / (tables[0].sum() * tables[1].sum()), delta)
