"""Rates of a binary classifier: intervals from the counts, and precision at another prevalence."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks, rounding
from errlab._core.checks import FloatArray, FloatOrArray
from errlab._core.evidence import Method
from errlab._core.interval import Interval, IntervalClaim
from errlab._core.public import public
from errlab._core.spoken import Spoken
from errlab.bounds import interval
from errlab.metrics._confusion import Confusion
from errlab.metrics._groups import effective_ends


@public
def precision_at(tpr: ArrayLike, fpr: ArrayLike, prevalence: ArrayLike) -> FloatOrArray:
    r"""Return the precision if a fraction :math:`\pi` of all examples is positive, by Bayes' rule.

    .. math:: P = \frac{\pi \, TPR}{\pi \, TPR + (1 - \pi) \, FPR}

    The two rates belong to the classifier; the precision belongs to the population too.

    Parameters
    ----------
    tpr, fpr : float or array_like
        True and false positive rates, in [0, 1]; not both 0.
    prevalence : float or array_like
        Fraction of positives in the population, in (0, 1).

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
        prevalence=checks.delta(prevalence, "prevalence"),
    )
    hit = share * hits
    predicted_positive = hit + (1 - share) * alarms
    checks.require(predicted_positive.all(), "tpr and fpr", "not both be 0", 0)
    return checks.plain(hit / predicted_positive)


class _RateInterval(NamedTuple):
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
    """Return an interval for one rate of a confusion matrix.

    A rate is a proportion of the examples in its denominator, so any bound for binary losses is
    valid, given their number. A table doesn't say which examples belong together; for examples in
    groups use ``errlab.metric(y_true, y_pred, metric=rate, groups=groups)``.

    Parameters
    ----------
    table : Confusion
        The counts.
    rate : str
        The rate: a key of `errlab.metrics.RATES`, or any of its names.
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
        If a name is unknown, the rate has no examples, or `delta` leaves (0, 1).

    Examples
    --------
    >>> table = Confusion(tp=8, fp=2, fn=4, tn=86)
    >>> rate_interval(table, "recall")
    RateInterval(key='TPR', hits=8, among=12, value=0.6666..., low=0.3488..., high=0.9007...)
    >>> print(rate_interval(table, "recall"))
    TPR: 8 of 12, 66.7%, 95% interval 34.8% to 90.1% (Clopper-Pearson; finite sample).
    """
    if not isinstance(table, Confusion):
        raise TypeError(f"table must be a Confusion, got {type(table).__name__}")
    estimate = table.rate(rate)
    ends = interval(key, errors=estimate.hits, n=estimate.among, delta=checks.one_delta(delta))
    result = RateInterval(*estimate, *ends)
    vars(result)["ends"] = ends  # not a field, because callers unpack six values
    return result


@public
def rate_intervals(
    table: Confusion, *, key: str = "CP", delta: float = 0.05
) -> tuple[RateInterval, ...]:
    """Return a separate interval for each rate that is defined.

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


def square_and_add(
    weights: FloatArray, rates: FloatArray, ends: tuple[FloatArray, FloatArray]
) -> Interval:
    """Return Newcombe's interval for a weighted sum of independent rates."""
    value = weights @ rates
    # combine the weighted distances to the ends as a root of squares (square and add)
    down, up = (np.sqrt(weights**2 @ (end - rates) ** 2) for end in ends)
    return Interval(*np.clip([value - down, value + up], 0, 1).tolist())


def mean_rate(counts: ArrayLike, delta: float) -> tuple[float, Interval]:
    """Return the mean of independent rates (hits, among) with its square-and-add interval."""
    hits, sizes = np.asarray(counts).T
    rates = hits / sizes
    ends = interval("CP", errors=hits, n=sizes, delta=delta)
    return float(rates.mean()), square_and_add(np.full(len(rates), 1 / len(rates)), rates, ends)


STRATIFIED = Method("Clopper-Pearson for the effective examples of the strata", key="strata")


def stratified(weights: FloatArray, hits: FloatArray, sizes: FloatArray, delta: float) -> Interval:
    r"""Return Clopper-Pearson's interval for a weighted mean of rates of independent strata.

    At each end it is the wider of two intervals: square-and-add of the strata's intervals, and Korn
    and Graubard's interval for the number of examples that has the same variance, :math:`\tilde p
    (1 - \tilde p) / \sum_k w_k^2 \tilde p_k (1 - \tilde p_k) / n_k`, where each rate has one
    additional hit and miss, so that a stratum without a miss doesn't count as certain.
    """
    careful = (hits + 1) / (sizes + 2)
    mean = float(weights @ careful)
    variance = float(weights**2 @ (careful * (1 - careful) / sizes))
    trials = min(mean * (1 - mean) / variance, float(sizes.sum()))
    rates = hits / sizes
    effective = effective_ends(trials, float(weights @ rates), delta / 2)
    # each method is too narrow somewhere: square-and-add if many strata have rates near 1/2, the
    # effective sample size if rates are small; so take the wider ends
    added = square_and_add(weights, rates, interval("CP", errors=hits, n=sizes, delta=delta))
    return Interval(float(min(effective.low, added.low)), float(max(effective.high, added.high)))


class RateInterval(_RateInterval, Spoken):
    """A rate, its two counts and the ends of its interval."""

    ends: IntervalClaim

    def claim(self) -> str:
        """Return the result in a sentence."""
        value = rounding.percent(self.value)
        low, high = rounding.percent(self.low, math.floor), rounding.percent(self.high, math.ceil)
        confidence = rounding.format_confidence(float(self.ends.delta))
        return (
            f"{self.key}: {self.hits} of {self.among}, {value}, {confidence} interval "
            f"{low} to {high} ({self.ends.method}; {self.ends.guarantee_words})."
        )

    def conditions(self) -> list[str]:
        """Return the conditions under which the interval holds."""
        return self.ends.conditions()

    def to_dict(self) -> dict[str, Any]:
        """Return the rate, its counts and its interval with method and guarantee."""
        claim = self.ends.to_dict()
        names = ("method", "guarantee", "delta", "conditions")
        return self._asdict() | {name: claim[name] for name in names}
