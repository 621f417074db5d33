"""Rates of a confusion matrix and F1: exact intervals, and the exact McNemar test of two."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from errlab import metrics
from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.interval import Interval
from errlab._core.statement import Method, method_key
from errlab._numerics.groups import Groups, grouped
from errlab.compare import paired_difference
from errlab.compare.mean_claims import (
    BETS_GROUPS,
    BETTING_GROUPS,
    KORN,
    ROBUST_TEST,
    difference_claim,
    mean_claim,
)
from errlab.metrics import RATES, confusion
from errlab.metrics.confusion import BoolArray, positives
from errlab.statements.metric._claim import Columns, MetricClaim, of_means

# Rates of the cases of one true class, or of all.
OF_TRUTH = ("TPR", "FPR", "FNR", "TNR", "ERR", "ACC")

EXACT = Method("Clopper-Pearson", key="Clopper-Pearson")
MCNEMAR = Method("exact McNemar test, interval of Fay and Lumbard", key="exact McNemar test")
# what a claim about a mean calls itself where it is one-sided, too
_INTERVALS = {
    EXACT.key: EXACT,
    KORN.key: Method("Korn and Graubard", key="Korn and Graubard"),
    ROBUST_TEST.key: Method("cluster-robust t", key="cluster-robust t"),
}
_BETS = (BETTING_GROUPS.key, BETS_GROUPS.key)


def rates(key: str, columns: Columns, delta: float) -> MetricClaim:
    """One rate of a confusion matrix, or the difference of two that are of the same cases."""
    among, hits = hits_of(key, columns, columns.score_a, "score_a")
    if not among.any():
        raise ValueError(f"{RATES[key].names[0]} needs cases to be a rate of, got none")
    first = hits[among].astype(float)
    units = None
    if columns.groups is not None:
        units = grouped(checks.labels(columns.groups, "groups")[among], len(first))
    if columns.score_b is None:
        return _of_one(first, units, delta)
    _, hits = hits_of(key, columns, columns.score_b, "score_b")
    second = hits[among].astype(float)
    if units is None:
        return _of_pairs(first, second, delta)
    return _of_groups(first, second, units, delta)


def _of_one(hits: FloatArray, units: Groups | None, delta: float) -> MetricClaim:
    """One rate: Clopper-Pearson, or bets on the groups."""
    mean = mean_claim(hits, delta, rate=True, units=units, seed=None)
    claim = of_means((float(hits.mean()),), mean, len(hits), units)
    return claim._replace(method=_two_sided(claim.method, units))


def _of_pairs(first: FloatArray, second: FloatArray, delta: float) -> MetricClaim:
    """Two rates of the same independent cases."""
    n = len(first)
    n01, n10 = int((first > second).sum()), int((second > first).sum())
    table = [[0, n01], [n10, n - n01 - n10]]  # which agree on what is no matter
    exact = paired_difference(table, method="exact", delta=delta)
    return MetricClaim(
        values=(float(first.mean()), float(second.mean())),
        ends=cast(Interval, exact.interval),  # there is a difference, and so an interval
        method=MCNEMAR,
        among=n,
        size=n,
        unit="cases",
        pvalue=float(exact.pvalue),
        guarantee="exact",
        interval_guarantee="none proven",
    )


def _of_groups(first: FloatArray, second: FloatArray, units: Groups, delta: float) -> MetricClaim:
    """Two rates of the same cases, which come in groups."""
    gap = difference_claim(first - second, delta, units=units, seed=None)
    values = (float(first.mean()), float(second.mean()))
    claim = of_means(values, gap, len(first), units)
    return claim._replace(method=_two_sided(claim.method, units))


def _two_sided(method: str, units: Groups | None) -> str:
    """Name an interval; one that is proven of groups with the size that no group may pass."""
    key = method_key(method)
    if units is not None and key in _BETS:
        return Method(f"{method} of at most {units.most:.0f} cases", key=key)
    return _INTERVALS.get(key, method)


def hits_of(
    key: str, columns: Columns, y_pred: ArrayLike, name: str
) -> tuple[BoolArray, BoolArray]:
    """Return the cases that a rate is of, and those that it counts if they are among them."""
    wrong = checks.zero_one_losses(columns.y_true, y_pred, name)
    labels = {"y_true": columns.y_true, name: y_pred}
    everyone = np.ones(len(wrong), dtype=bool)
    if key in ("ACC", "ERR"):
        if columns.positive is not None:
            positives(columns.positive, **labels)  # refuses an unknown one
        return everyone, wrong if key == "ERR" else ~wrong
    truth, call = positives(columns.positive, **labels)
    # the cases behind each count of a confusion matrix
    cases = {
        "n": everyone,
        "positives": truth,
        "negatives": ~truth,
        "called_positive": call,
        "called_negative": ~call,
        "tp": truth & call,
        "fn": truth & ~call,
        "fp": ~truth & call,
        "tn": ~truth & ~call,
    }
    return cases[RATES[key].among], cases[RATES[key].hits]


def f1(columns: Columns, delta: float) -> MetricClaim:
    """F1 of one model, exactly."""
    table = confusion(columns.y_true, columns.score_a, positive=columns.positive)
    return MetricClaim(
        values=(table.f1,),
        ends=metrics.f1_interval(table.tp, table.fp, table.fn, delta=delta),
        method=EXACT,
        among=table.n - table.tn,
        size=table.n - table.tn,
        unit="cases",
        guarantee="exact",
        interval_guarantee="exact",
    )
