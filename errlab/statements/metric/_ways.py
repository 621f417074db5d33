"""The ways to an interval for a metric that has a formula; the rest is `_bootstrap`'s.

Each way says what its coverage depends on, by which what was measured of it is found.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize

from errlab import metrics
from errlab._core import checks
from errlab._core.checks import FloatOrArray, Labels
from errlab._core.interval import Guarantee, Interval
from errlab._core.statement import Method, method_key
from errlab._numerics.groups import Groups, codes, grouped
from errlab.compare import paired_difference
from errlab.compare._means import (
    BETS_GROUPS,
    BETTING_GROUPS,
    KORN,
    ROBUST_TEST,
    Draws,
    difference_claim,
    mean_claim,
)
from errlab.compare._melded import melded
from errlab.metrics import RATES, confusion
from errlab.metrics.confusion import BoolArray, positives
from errlab.metrics.per_class import RAREST, SQUARE_AND_ADD
from errlab.metrics.rates import mean_rate
from errlab.statements.metric._asked import Asked, models_of, value_of
from errlab.statements.metric._weighted import case_losses, largest_share

Maybe = ArrayLike | None  # what a second model said, or the group of each case
# Rates of the cases of one true class, or of all.
OF_TRUTH = ("TPR", "FPR", "FNR", "TNR", "ERR", "ACC")

PAIRED = "square-and-add of the exact paired intervals of the classes"
RARER = "cases of the rarer class"
GROUPS = "effective groups"
LARGEST = "share of the largest loss"
# what a claim about a mean calls itself where it is one-sided, too
_INTERVALS = {
    KORN.key: Method("Korn and Graubard", key="Korn and Graubard"),
    ROBUST_TEST.key: Method("cluster-robust t", key="cluster-robust t"),
}
_BETS = (BETTING_GROUPS.key, BETS_GROUPS.key)
_LEAST = 1e-12  # the smallest p-value that is looked for
ROOT = "root_mean_squared_error"


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
    size: float = 0.0  # what the coverage depends on
    unit: str = "cases"
    largest: float | None = None  # share of the mean loss that the largest one holds


def _of_groups(method: str, units: Groups) -> str:
    """Name an interval of cases in groups; a proven one with the size that no group may pass."""
    key = method_key(method)
    if key in _BETS:
        return Method(f"{method} of at most {units.most:.0f} cases", key=key)
    return _INTERVALS.get(key, method)


def rates(
    key: str, y: ArrayLike, a: ArrayLike, b: Maybe, groups: Maybe, positive: object, delta: float
) -> Found:
    """One rate of a confusion matrix, or the difference of two that are of the same cases."""
    among, hits_a = _hits(key, y, a, positive, "score_a")
    if not among.any():
        raise ValueError(f"{RATES[key].names[0]} needs cases to be a rate of, got none")
    count = int(among.sum())
    units = None if groups is None else grouped(checks.labels(groups, "groups")[among], count)
    sized: tuple[float, str] = (count, "cases")
    if units is not None:
        sized = (units.effective, GROUPS)
    one = hits_a[among].astype(float)
    if b is None:
        claim = mean_claim(one, delta, rate=True, units=units, seed=None)
        ends, level = Interval(claim.low, claim.high), claim.guarantee
        way = "Clopper-Pearson" if units is None else _of_groups(claim.method, units)
        return Found(float(one.mean()), None, ends, None, way, count, level, level, False, *sized)
    other = _hits(key, y, b, positive, "score_b")[1][among].astype(float)
    values = (float(one.mean()), float(other.mean()))
    if units is not None:
        gap = difference_claim(one - other, delta, units=units, seed=None)
        ends, level = Interval(gap.low, gap.high), gap.guarantee
        way = _of_groups(gap.method, units)
        return Found(*values, ends, gap.pvalue, way, count, level, level, False, *sized)
    n01, n10 = int((one > other).sum()), int((other > one).sum())
    table = [[0, n01], [n10, count - n01 - n10]]  # which agree on what is no matter
    exact = paired_difference(table, method="exact", delta=delta)
    ends = cast(Interval, exact.interval)  # there is a difference, and so an interval
    way = Method("exact McNemar test, interval of Fay and Lumbard", key="exact McNemar test")
    return Found(*values, ends, float(exact.pvalue), way, count, "exact", "none proven", False,
                 *sized)  # fmt: skip


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
    y: ArrayLike, a: ArrayLike, b: Maybe, positive: object, delta: float
) -> Found:
    """Mean recall of the classes, or the difference of two: square-and-add over the classes.

    Of one model it adds up the exact intervals of the classes (Newcombe 1998; Zou and Donner 2008),
    of two those of Fay and Lumbard for the cases of each class. The classes share no case, so that
    the differences in them are independent.
    """
    right = _hits("ACC", y, a, positive, "score_a")[1]
    code = codes(y, "y_true")
    sizes, hits = np.bincount(code), np.bincount(code, right).astype(int)
    two = len(sizes) == 2
    among = int(sizes.min() if two else sizes.sum())
    sized = (float(sizes.min()), RARER if two else RAREST)
    if b is None:
        value, ends = mean_rate(np.transpose([hits, sizes]), delta)
        return Found(value, None, ends, None, SQUARE_AND_ADD, among, "asymptotic", "asymptotic",
                     two, *sized)  # fmt: skip
    other = _hits("ACC", y, b, positive, "score_b")[1]
    # cases of each class that A alone got right, and that B alone did
    only_a, only_b = (np.bincount(code, x) for x in (right & ~other, other & ~right))
    gaps = (only_a - only_b) / sizes
    value = float(gaps.mean())
    counts = np.array([only_a, only_b, sizes], dtype=float)

    def at(level: float) -> Interval:
        """Add up the squares of how far the differences are from the ends of their intervals."""
        ends = melded(*counts, delta=level)
        down, up = (np.sqrt(((end - gaps) ** 2).sum()) / len(gaps) for end in ends)
        return Interval(max(value - float(down), -1.0), min(value + float(up), 1.0))

    # invert the interval: the level at which the end nearer to 0 is 0
    pvalue = 1.0
    if value:
        side = int(value < 0)
        sign = 1 - 2 * side
        if at(_LEAST)[side] * sign >= 0:
            pvalue = _LEAST
        elif at(1 - _LEAST)[side] * sign > 0:
            pvalue = float(optimize.brentq(lambda level: at(level)[side], _LEAST, 1 - _LEAST))
    values = (hits / sizes).mean(), (np.bincount(code, other) / sizes).mean()
    return Found(float(values[0]), float(values[1]), at(delta), pvalue, PAIRED, among, "asymptotic",
                 "asymptotic", two, *sized)  # fmt: skip


def mean_loss(
    asked: Asked, truth: Labels, scores: list[ArrayLike], span: Interval, groups: Maybe,
    delta: float, seed: Draws,
) -> Found | None:  # fmt: skip
    """Mean of losses of which each lies in `span`, or the difference of two: by bets, proven.

    Return None where the metric is no such mean.
    """
    models = models_of(scores, len(truth))
    losses = [case_losses(asked.name, truth, model) for model in models]
    if any(each is None for each in losses):
        return None
    each = np.array(losses, dtype=float)
    whole = [value_of(asked, truth, model) for model in models]
    root = asked.name == ROOT
    means = np.sqrt(each.mean(axis=1)) if root else each.mean(axis=1)
    sign = 1.0 if np.allclose(whole, means, rtol=1e-9, atol=1e-12) else -1.0
    if not np.allclose(whole, sign * means, rtol=1e-9, atol=1e-12):
        return None
    low, high = span
    if root:
        low, high = 0.0, max(abs(low), abs(high)) ** 2
        if len(each) > 1:
            raise ValueError("range gives no interval for two root mean squared errors; take mse")
    inside = (each >= low - 1e-12).all() and (each <= high + 1e-12).all()
    checks.require(inside, "range", "hold the loss of each case", f"losses from {each.min():.4g} "
                   f"to {each.max():.4g}")  # fmt: skip
    n = len(truth)
    units = None if groups is None else grouped(groups, n)
    sized = (float(n), "cases") if units is None else (units.effective, GROUPS)
    unit = np.clip((each - low) / (high - low), 0, 1)
    if len(each) == 1:
        claim = mean_claim(unit[0], delta, rate=False, units=units, seed=seed)
        ends = np.array([claim.low, claim.high]) * (high - low) + low
        ends = np.sqrt(ends) if root else ends
        way, level, pvalue = claim.method, claim.guarantee, None
    else:
        gap = difference_claim(unit[0] - unit[1], delta, units=units, seed=seed)
        ends = np.array([gap.low, gap.high]) * (high - low)
        way, level, pvalue = gap.method, gap.guarantee, gap.pvalue
    first, last = (sign * ends)[:: int(sign)].tolist()
    return Found(
        whole[0], whole[1] if len(whole) > 1 else None, Interval(first, last), pvalue, way, n,
        level, level, False, *sized, largest_share(each),
    )  # fmt: skip
