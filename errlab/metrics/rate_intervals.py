"""Intervals for the rates of a confusion matrix, by any bound for 0/1 losses."""

from __future__ import annotations

from typing import NamedTuple

from errlab._core import checks
from errlab._core.public import public
from errlab.bounds import interval
from errlab.metrics.confusion import Confusion

__all__ = ["RateInterval", "rate_interval", "rate_intervals"]


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
    binary losses holds for it. A table does not know which cases belong together: where they come
    in groups, ask ``errlab.metric(y_true, y_pred, metric=rate, groups=groups)``.

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
    ends = interval(key, errors=found.hits, n=found.among, delta=checks.one_delta(delta))
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
    return tuple(rate_interval(table, row.key, key=key, delta=delta) for row in table.rates())
