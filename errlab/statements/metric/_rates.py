"""Rates of a confusion matrix, their mean over the classes, and F1.

One rate has an exact interval, and two rates are compared by the exact McNemar test.
"""

from collections.abc import Callable

import numpy as np

from errlab import metrics
from errlab._core import checks
from errlab._core.evidence import Method
from errlab._core.interval import Interval
from errlab._numerics.groups import codes, grouped
from errlab.compare._fay_lumbard import melded
from errlab.metrics import RATES, confusion
from errlab.metrics._confusion import BoolArray, Confusion, positives
from errlab.metrics._rates import mean_rate
from errlab.statements.mean_claims import Claim
from errlab.statements.metric._asked import Asked, models_of
from errlab.statements.metric._claim import Columns, MetricClaim, asymptotic, of_means
from errlab.statements.per_class import RARER, RAREST, SQUARE_AND_ADD

# Rates whose denominator is a true class, or all examples.
OF_TRUTH = ("TPR", "FPR", "FNR", "TNR", "ERR", "ACC")
PAIRED = Method("square-and-add of the exact paired intervals of the classes")
_SMALLEST = 1e-12  # the search for a p-value stops here
# one confusion matrix for each kind of example
_CASES = [Confusion(*counts) for counts in np.eye(4, dtype=int).tolist()]


def rates(key: str, columns: Columns, delta: float) -> MetricClaim:
    """Return one rate of a confusion matrix, or the difference of two on the same examples."""
    models = [hits_of(key, columns, name) for name in columns.scores]
    among = models[0][0]
    if not among.any():
        raise ValueError(
            f"{RATES[key].names[0]} must have examples in its denominator, got none; if a model "
            "never predicts this class, take recall, accuracy or f1"
        )
    hits = np.array([counted[among] for _, counted in models], dtype=float)
    units = columns.units
    if units is not None:
        units = grouped(units.code[among], hits.shape[1])
    return of_means(hits, delta, rate=True, units=units)


def hits_of(key: str, columns: Columns, name: str) -> tuple[BoolArray, BoolArray]:
    """Return which examples a rate counts as hits, and which are in its denominator."""
    truth, predicted = columns.y_true, columns.scores[name]
    wrong = checks.zero_one_losses(truth, predicted, name)
    of_all = key in ("ACC", "ERR")  # defined for any number of classes
    if columns.positive is not None or not of_all:  # an unknown positive label is refused here
        true, as_positive = positives(columns.positive, **{"y_true": truth, name: predicted})
    if of_all:
        return np.ones(len(wrong), dtype=bool), wrong if key == "ERR" else ~wrong
    cell = 3 - 2 * as_positive - true  # 0 to 3 for tp, fp, fn, tn
    among, hits = (
        np.array([getattr(case, cases) for case in _CASES], dtype=bool)[cell]
        for cases in (RATES[key].among, RATES[key].hits)
    )
    return among, hits


def top_k(meant: Asked, columns: Columns, delta: float) -> MetricClaim:
    """Return top-k accuracy: the fraction of examples whose class is among the k top scores."""
    truth = columns.y_true
    labels, code = np.unique(truth, return_inverse=True)
    hits = []
    for name, model in zip(columns.scores, models_of(columns), strict=True):
        if model.shape[1] != len(labels):
            raise ValueError(
                f"{name} must have a column for each of the {len(labels)} classes of y_true, got "
                f"{model.shape[1]}"
            )
        # if scores are equal, the later class ranks first, as in scikit-learn
        best = np.argsort(model, axis=1, kind="stable")[:, ::-1][:, : meant.k]
        hits.append((best == code[:, None]).any(axis=1))
    return of_means(np.array(hits, dtype=float), delta, rate=True, units=columns.units)


def f1(columns: Columns, delta: float) -> MetricClaim:
    """Return F1 of one model, with an exact interval."""
    table = confusion(columns.y_true, columns.scores["score_a"], positive=columns.positive)
    low, high = map(float, metrics.f1_interval(table.tp, table.fp, table.fn, delta=delta))
    return MetricClaim(
        values=(table.f1,),
        claim=Claim(table.f1, low, high, Method("Clopper-Pearson"), "exact", "exact"),
        among=table.n - table.tn,
        size=table.n - table.tn,
        unit="examples",
    )


def balanced_accuracy(columns: Columns, delta: float) -> MetricClaim:
    """Return the claim about the mean recall of one model, or the difference of two.

    The classes have no example in common. So for one model their exact intervals are combined by
    square-and-add (Newcombe 1998; Zou and Donner 2008), and for two models those of Fay and Lumbard
    for the examples of each class.
    """
    right = [hits_of("ACC", columns, name)[1] for name in columns.scores]
    code = codes(columns.y_true, "y_true")
    sizes = np.bincount(code)
    if len(sizes) == 1:
        label = checks.show(columns.y_true[0])
        raise ValueError(
            f"balanced_accuracy needs examples of 2 classes or more, got {label} alone; for one "
            "class take metric='accuracy', which is its recall"
        )
    hits = [np.bincount(code, hit).astype(int) for hit in right]
    pvalue, method = None, SQUARE_AND_ADD
    values = [float((hit / sizes).mean()) for hit in hits]
    if len(hits) == 1:
        _, ends = mean_rate(np.transpose([hits[0], sizes]), delta)
    else:
        first, second = right
        # for each class, the counts of examples that only A, or only B, got right
        only_a, only_b = (np.bincount(code, x) for x in (first & ~second, second & ~first))
        gaps = (only_a - only_b) / sizes
        value = float(gaps.mean())
        counts = np.array([only_a, only_b, sizes], dtype=float)

        def at(delta: float) -> Interval:
            # squared distances from the differences to the ends of their intervals
            ends = melded(*counts, delta=delta)
            down, up = (np.sqrt(((end - gaps) ** 2).sum()) / len(gaps) for end in ends)
            return Interval(max(value - float(down), -1.0), min(value + float(up), 1.0))

        ends, pvalue, method = at(delta), _pvalue(at), PAIRED
    # the coverage depends on the smallest class
    two = len(sizes) == 2
    return MetricClaim(
        values=tuple(values),
        claim=asymptotic(values, ends, method, pvalue, delta),
        among=int(sizes.min() if two else sizes.sum()),
        size=float(sizes.min()),
        unit=RARER if two else RAREST,
        rarer=two,
    )


def _pvalue(at: Callable[[float], Interval]) -> float:
    """Return the p-value: the level at which the end of the interval nearer to 0 is 0."""
    centre = at(1 - _SMALLEST)
    if centre.low <= 0 <= centre.high:
        return 1.0
    side = int(centre.high < 0)
    if at(_SMALLEST)[side] * (1 - 2 * side) >= 0:
        return _SMALLEST
    from scipy.optimize import brentq  # slow to import, which would delay the command line

    return float(brentq(lambda level: at(level)[side], _SMALLEST, 1 - _SMALLEST))
