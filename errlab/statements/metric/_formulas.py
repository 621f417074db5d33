"""Metrics that have a formula for their interval."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special

from errlab import metrics
from errlab._core import checks
from errlab._core.checks import FloatOrArray
from errlab._core.interval import Guarantee, Interval
from errlab._numerics.groups import codes, grouped, t_quantile
from errlab.compare import paired_difference
from errlab.compare._means import difference_claim, mean_claim
from errlab.metrics import RATES, confusion
from errlab.metrics.confusion import BoolArray, positives
from errlab.metrics.curves import score_interval
from errlab.metrics.per_class import SQUARE_AND_ADD
from errlab.metrics.rates import mean_rate
from errlab.statements.metric._asked import F1

# Rates of the cases of one true class, or of all.
OF_TRUTH = ("TPR", "FPR", "FNR", "TNR", "ERR", "ACC")

SQUARED = "square-and-add of the score intervals"
_NEAR = 1e-6  # one over the standard errors that a test goes at most


class Found(NamedTuple):
    """What one way to an interval returns."""

    value_a: float
    value_b: float | None
    ends: Interval[FloatOrArray]
    pvalue: float | None
    method: str
    among: int  # the cases that it rests on
    guarantee: Guarantee = "asymptotic"
    interval_guarantee: Guarantee = "asymptotic"
    rarer: bool = False  # whether those are the ones of the rarer class


def areas(
    y_true: ArrayLike,
    a: ArrayLike,
    b: ArrayLike | None,
    groups: ArrayLike | None,
    positive: object,
    delta: float,
) -> Found:
    """The score interval of one area; of the difference of two those of both, combined."""
    for name, column in (("score_a", a), ("score_b", b)):
        if column is not None and checks.raw(column, name).ndim == 2:
            raise ValueError(
                f"{name} must have 1 dimension for roc_auc, got {checks.show(column)}; of two "
                "classes give the column of the positive one, of more take metric='roc_auc_ovr'"
            )
    first = checks.numbers(a, "score_a", ndim=1)
    (truth,) = positives(positive, y_true=y_true)
    rarer = int(min(truth.sum(), (~truth).sum()))
    if b is None:
        ends = metrics.area_interval(y_true, first, delta=delta, positive=positive, groups=groups)
        area = float(metrics.area(y_true, first, positive=positive))
        return Found(area, None, ends, None, "score interval", rarer, rarer=True)
    second = checks.numbers(b, "score_b", ndim=1)
    checks.same_length(score_a=first, score_b=second)
    both = metrics.delong(y_true, [first, second], positive=positive, groups=groups)
    found, covariance = map(np.asarray, both)
    variances = covariance.diagonal()
    variance = float(variances.sum() - 2 * covariance[0, 1])
    if variance <= 1e-14 * float(variances.sum()) or variance <= 0:
        raise ValueError(
            "score_a and score_b must rank some pair of cases differently, but they rank all of "
            "them alike: the variance of the difference cannot be estimated"
        )
    units = None if groups is None else grouped(groups, len(first))
    # with few cases of a class its part of the variance is uncertain, and decides
    df = rarer - 1.0 if units is None else min(rarer - 1.0, units.df)
    one, other = found.tolist()
    # areas on the same cases rise and fall together
    spread = float(np.sqrt(variances.prod()))
    correlation = float(covariance[0, 1]) / spread if spread > 0 else 0.0

    def at(z: float) -> Interval:
        """Square and add the score intervals of the two areas (Zou and Donner 2008)."""
        p, q = (
            score_interval(truth, area, float(own), units, z)
            for area, own in zip((one, other), variances, strict=True)
        )
        # how far each area is from its ends: low and high of the first, then of the second
        x = np.array([one - p.low, p.high - one])
        y = np.array([q.high - other, other - q.low])
        reach = np.sqrt(np.maximum(x**2 + y**2 - 2 * correlation * x * y, 0.0)).tolist()
        return Interval(max(one - other - reach[0], -1.0), min(one - other + reach[1], 1.0))

    pvalue = 1.0
    # invert the interval: the quantile z = part / (1 - part) at which the end nearer to 0 is 0
    if one != other:
        side = int(one < other)
        far = 1 - _NEAR
        if at(far / _NEAR)[side] * (1 - 2 * side) < 0:
            far = optimize.brentq(lambda part: at(part / (1 - part))[side], 0.0, far)
        pvalue = float(2 * special.stdtr(df, -far / (1 - far)))
    ends = at(t_quantile(df, delta / 2))
    return Found(one, other, ends, pvalue, SQUARED, rarer, rarer=True)


def rates(
    key: str,
    y_true: ArrayLike,
    a: ArrayLike,
    b: ArrayLike | None,
    groups: ArrayLike | None,
    positive: object,
    delta: float,
) -> Found:
    """One rate of a confusion matrix, or the difference of two that are of the same cases."""
    among, hits_a = _hits(key, y_true, a, positive, "score_a")
    if not among.any():
        raise ValueError(f"{RATES[key].names[0]} needs cases to be a rate of, got none")
    count = int(among.sum())
    units = None if groups is None else grouped(checks.labels(groups, "groups")[among], count)
    one = hits_a[among].astype(float)
    if b is None:
        claim = mean_claim(one, delta, rate=True, units=units, seed=None)
        ends, level = Interval(claim.low, claim.high), claim.guarantee
        way = "Clopper-Pearson" if units is None else "Korn and Graubard"
        return Found(float(one.mean()), None, ends, None, way, count, level, level)
    other = _hits(key, y_true, b, positive, "score_b")[1][among].astype(float)
    values = (float(one.mean()), float(other.mean()))
    if units is not None:
        gap = difference_claim(one - other, delta, units=units, seed=None)
        ends = Interval(gap.low, gap.high)
        return Found(*values, ends, gap.pvalue, "cluster-robust t", count)
    n01, n10 = int((one > other).sum()), int((other > one).sum())
    table = [[0, n01], [n10, count - n01 - n10]]  # which agree on what is no matter
    exact = paired_difference(table, method="exact", delta=delta)
    ends = cast(Interval, exact.interval)  # there is a difference, and so an interval
    way = "exact McNemar test, interval of Fay and Lumbard"
    return Found(*values, ends, float(exact.pvalue), way, count, "exact", "none proven")


def _hits(
    key: str, y_true: ArrayLike, y_pred: ArrayLike, positive: object, name: str
) -> tuple[BoolArray, BoolArray]:
    """Return the cases that a rate is of, and those that it counts if they are among them."""
    wrong = checks.zero_one_losses(y_true, y_pred, name)
    columns = {"y_true": y_true, name: y_pred}
    everyone = np.ones(len(wrong), dtype=bool)
    if key in ("ACC", "ERR"):
        if positive is not None:
            positives(positive, **columns)  # refuses an unknown one
        return everyone, wrong if key == "ERR" else ~wrong
    truth, call = positives(positive, **columns)
    # the cases behind each count of a confusion matrix
    cases = {"n": everyone, "positives": truth, "negatives": ~truth}
    cases |= {"called_positive": call, "called_negative": ~call}
    cases |= {"tp": truth & call, "fn": truth & ~call, "fp": ~truth & call, "tn": ~truth & ~call}
    return cases[RATES[key].among], cases[RATES[key].hits]


def f1(y_true: ArrayLike, y_pred: ArrayLike, positive: object, delta: float) -> Found:
    """F1 of one model, exactly."""
    table = confusion(y_true, y_pred, positive=positive)
    ends = metrics.f1_interval(table.tp, table.fp, table.fn, delta=delta)
    among = table.n - table.tn
    return Found(table.f1, None, ends, None, "Clopper-Pearson", among, "exact", "exact")


def balanced_accuracy(
    y_true: ArrayLike, y_pred: ArrayLike, positive: object, delta: float
) -> Found:
    """Mean recall of the classes: square and add (Newcombe 1998; Zou and Donner 2008)."""
    right = _hits("ACC", y_true, y_pred, positive, "score_a")[1]
    code = codes(y_true, "y_true")
    sizes, hits = np.bincount(code), np.bincount(code, right).astype(int)
    value, ends = mean_rate(np.transpose([hits, sizes]), delta)
    two = len(sizes) == 2
    among = int(sizes.min() if two else sizes.sum())
    return Found(value, None, ends, None, SQUARE_AND_ADD, among, rarer=two)


def of_table(key: str, positive: object, y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Return F1 or a rate, for the bootstrap."""
    table = confusion(y_true, y_pred, positive=positive)
    return table.f1 if key == F1 else table.rate(key).value
