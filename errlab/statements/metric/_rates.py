"""Rates of a confusion matrix and F1: exact intervals, and the exact McNemar test of two."""

import numpy as np

from errlab import metrics
from errlab._core import checks
from errlab._core.statement import Method, method_key
from errlab._numerics.groups import grouped
from errlab.metrics import RATES, confusion
from errlab.metrics.confusion import BoolArray, positives
from errlab.statements.metric._claim import Columns, MetricClaim, of_means

# Rates of the cases of one true class, or of all.
OF_TRUTH = ("TPR", "FPR", "FNR", "TNR", "ERR", "ACC")


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
    claim = of_means(hits, delta, rate=True, units=units)
    key = method_key(claim.method)
    words = key  # what a claim about a mean calls itself where it is one-sided, too
    if units is not None:  # what is proven of groups holds up to the size that no group may pass
        words = f"{claim.method} of at most {units.most:.0f} cases"
    elif len(hits) == 2:
        words = f"{key}, interval of Fay and Lumbard"
    return claim._replace(method=Method(words, key=key))


def hits_of(key: str, columns: Columns, name: str) -> tuple[BoolArray, BoolArray]:
    """Return the cases that a rate is of, and those that it counts if they are among them."""
    labels = {"y_true": columns.y_true, name: columns.scores[name]}
    wrong = checks.zero_one_losses(columns.y_true, columns.scores[name], name)
    cases = {"n": np.ones(len(wrong), dtype=bool), "errors": wrong, "right": ~wrong}
    rate = RATES[key]
    # of several classes there are but these two rates; an unknown positive label is refused
    if columns.positive is not None or rate.hits not in cases:
        truth, call = positives(columns.positive, **labels)
        # the cases behind each count of a confusion matrix
        cases |= {
            "positives": truth,
            "negatives": ~truth,
            "called_positive": call,
            "called_negative": ~call,
            "tp": truth & call,
            "fn": truth & ~call,
            "fp": ~truth & call,
            "tn": ~truth & ~call,
        }
    return cases[rate.among], cases[rate.hits]


def f1(columns: Columns, delta: float) -> MetricClaim:
    """F1 of one model, exactly."""
    table = confusion(columns.y_true, columns.scores["score_a"], positive=columns.positive)
    return MetricClaim(
        values=(table.f1,),
        ends=metrics.f1_interval(table.tp, table.fp, table.fn, delta=delta),
        method="Clopper-Pearson",
        among=table.n - table.tn,
        size=table.n - table.tn,
        unit="cases",
        guarantee="exact",
        interval_guarantee="exact",
    )
