"""Intervals for the area under a ROC curve: DeLong, and the bootstrap."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from errlab import _checks
from errlab._interval import Interval
from errlab._numerics import normal_quantile
from errlab._public import public, renamed
from errlab._resampled_mean import WAIT, MeanLimit
from errlab.metrics._labels import scored
from errlab.metrics._resample import percentiles, resampled
from errlab.metrics.auc import delong, placements

__all__ = ["area_interval", "bootstrap_area"]


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
    area, variance = map(float, delong(y_true, values, positive=positive, groups=groups))
    if way == "identity":
        half = z * np.sqrt(variance)
        return Interval(float(max(area - half, 0)), float(min(area + half, 1)))
    if area in (0, 1):
        raise ValueError(f"scale 'logit' needs an area inside (0, 1), got {area:g}")
    half = z * np.sqrt(variance) / (area * (1 - area))
    ends = special.expit(special.logit(area) + np.array([-half, half]))
    return Interval(*ends.tolist())


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
        above, below = (resampled(table, size, generator) for table in tables)
        beaten = np.cumsum(below, axis=1) - below / 2  # negatives below, half of those level
        areas[start : start + size] = (above * beaten).sum(axis=1)
    return percentiles(areas / (tables[0].sum() * tables[1].sum()), delta)
