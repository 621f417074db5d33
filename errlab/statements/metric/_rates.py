"""Rates of a confusion matrix and F1: exact intervals, and the exact McNemar test of two."""

from typing import cast

import numpy as np

from errlab import metrics
from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.interval import Interval
from errlab._core.statement import Method, method_key
from errlab._numerics.groups import grouped
from errlab.compare import paired_difference
from errlab.compare.mean_claims import BETS_GROUPS, BETTING_GROUPS, KORN, ROBUST_TEST
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
    models = [hits_of(key, columns, name) for name in columns.scores]
    among = models[0][0]
    if not among.any():
        raise ValueError(f"{RATES[key].names[0]} needs cases to be a rate of, got none")
    hits = np.array([counted[among] for _, counted in models], dtype=float)
    units = columns.units
    if units is not None:
        units = grouped(units.code[among], hits.shape[1])
    elif len(hits) == 2:
        return _of_pairs(hits, delta)
    claim = of_means(hits, delta, rate=True, units=units)
    method: str = _INTERVALS.get(method_key(claim.method), claim.method)
    if units is not None and method_key(method) in _BETS:
        # what is proven of groups holds up to the size that no group may pass
        method = Method(f"{method} of at most {units.most:.0f} cases", key=method_key(method))
    return claim._replace(method=method)


def _of_pairs(hits: FloatArray, delta: float) -> MetricClaim:
    """Two rates of the same independent cases."""
    n = hits.shape[1]
    n01, n10 = int((hits[0] > hits[1]).sum()), int((hits[1] > hits[0]).sum())
    table = [[0, n01], [n10, n - n01 - n10]]  # which agree on what is no matter
    exact = paired_difference(table, method="exact", delta=delta)
    return MetricClaim(
        values=tuple(hits.mean(axis=1).tolist()),
        ends=cast(Interval, exact.interval),  # there is a difference, and so an interval
        method=MCNEMAR,
        among=n,
        size=n,
        unit="cases",
        pvalue=float(exact.pvalue),
        guarantee="exact",
        interval_guarantee="none proven",
    )


def hits_of(key: str, columns: Columns, name: str) -> tuple[BoolArray, BoolArray]:
    """Return the cases that a rate is of, and those that it counts if they are among them."""
    labels = {"y_true": columns.y_true, name: columns.scores[name]}
    wrong = checks.zero_one_losses(columns.y_true, columns.scores[name], name)
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
    table = confusion(columns.y_true, columns.scores["score_a"], positive=columns.positive)
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
