"""Checks of folds and scores of all folds at once: missing classes, undefined scores, copies."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatArray, Labels
from errlab._core.interval import Interval
from errlab._core.training import Rows, Split
from errlab._numerics.groups import codes
from errlab._numerics.roots import normal_quantile

# if the fraction of distinct rows is smaller, equal rows are expected and aren't copies
_DISTINCT = 0.2
COPIES = 0.05  # smallest fraction of copied examples that gets a caution
# These scores are not means over examples, so a fold with few examples of a class gives a biased
# score or none. They are computed from all folds at once (Forman and Scholz 2010).
_RATIOS = re.compile(
    r"(f1|fbeta|precision|recall|jaccard|balanced_accuracy|r2|d2_\w+|explained_variance)_score"
    r"|matthews_corrcoef|cohen_kappa_score|class_likelihood_ratios"
)

Metric = Callable[[Any, Any], float]  # takes true and predicted labels or values


def pooled_metric(scorer: object) -> Metric | None:
    """Return the scorer's function if it must be computed from all folds at once, otherwise None.

    Only private attributes of a scorer say what it computes. Their names have been the same since
    scikit-learn 0.14, except that of the response (1.3).
    """
    function = getattr(scorer, "_score_func", None)
    if function is None or getattr(scorer, "_response_method", "") != "predict":
        return None
    if not _RATIOS.fullmatch(function.__name__):
        return None
    sign, options = scorer._sign, scorer._kwargs  # type: ignore[attr-defined]
    return lambda true, predicted: float(sign * function(true, predicted, **options))


def defined(call: Callable[[], float], where: str) -> float:
    """Return a score, or raise an error that says where it is undefined."""
    try:
        with warnings.catch_warnings():
            # scikit-learn only warns, and returns 0 or NaN
            warnings.filterwarnings("error", message=".*(ill-defined|undefined|not well-defined)")
            warnings.filterwarnings(
                "error", message=".*(Only one class|No positive|y_pred contain)"
            )
            score = call()
    except UserWarning as warning:
        cause = " ".join(str(warning).split())[:120].rstrip(".")
        raise ValueError(f"scoring is not defined in {where}: {cause}; {WAY_ON}") from None
    if np.ndim(score) or not np.isfinite(score):
        got = checks.show(score)
        raise ValueError(f"scoring must return one finite number in {where}, got {got}; {WAY_ON}")
    return float(score)


WAY_ON = "take fewer folds, or StratifiedKFold, so that each part holds every class"


def pseudo_values(
    metric: Metric, y: Labels, pairs: Sequence[Split], predicted: Sequence[Labels]
) -> tuple[float, FloatArray]:
    """Return the score of all folds at once, and the jackknife's values for each fold.

    For a mean over examples and folds of equal size, these are the means of the folds.
    """
    tests = [test for _, test in pairs]

    def without(left_out: int) -> float:
        remaining = [j for j in range(len(tests)) if j != left_out]
        true = y[np.concatenate([tests[j] for j in remaining])]
        return metric(true, np.concatenate([predicted[j] for j in remaining]))

    whole = defined(lambda: without(-1), "all folds at once")
    rest = [
        defined(lambda j=j: without(j), f"the folds without fold {j}")  # type: ignore[misc]
        for j in range(len(tests))
    ]
    values = len(tests) * whole - (len(tests) - 1) * np.array(rest)
    return whole, values - values.mean() + whole


def check_training_classes(y: Labels, pairs: Sequence[Split]) -> None:
    """Refuse a fold whose training part lacks a class that has at least two examples."""
    code = codes(y, "y")
    counts = np.bincount(code)
    for at, (train, test) in enumerate(pairs):
        missing = (np.bincount(code[train], minlength=len(counts)) == 0) & (counts > 1)
        tested = missing[code[test]]
        if tested.any():
            label = checks.show(y[test[tested.argmax()]])
            raise ValueError(
                f"cv must leave examples of each class to train on, but fold {at} tests on class "
                f"{label}, of which its training part has none: rows that are sorted by class need "
                "shuffling, as cv=10 or StratifiedKFold do"
            )


def copies(X: Rows, y: Labels, pairs: Sequence[Split]) -> float:
    """Return the fraction of tested examples with an exact copy in their training part."""
    table: Any = X
    if hasattr(table, "tocsr"):
        table = table.tocsr()
        rows = [(row.indices.tobytes(), row.data.tobytes()) for row in table]
    else:
        array = np.asarray(table)
        plain = array.dtype.kind in "biufSU"
        rows = [row.tobytes() if plain else repr(row.tolist()) for row in array]  # type: ignore[misc]
    numbers: dict[object, int] = {}
    labels = y.tolist()
    code = np.array(
        [numbers.setdefault(key, len(numbers)) for key in zip(rows, labels, strict=True)]
    )
    # columns with few values repeat by chance, so equal rows are not copies
    if len(numbers) == len(code) or len(numbers) < len(code) * _DISTINCT:
        return 0.0
    copied = [np.isin(code[test], code[train]) for train, test in pairs]
    return float(np.concatenate(copied).mean())


def of_counts(rate: float, n: float, delta: float) -> Interval[float]:
    """Return Clopper-Pearson's interval for a rate of n examples, whose count may be fractional."""
    k, tail = rate * n, delta / 2
    low = float(special.betaincinv(k, n - k + 1, tail)) if k > 0 else 0.0
    high = float(1 - special.betaincinv(n - k, k + 1, tail)) if k < n else 1.0
    return Interval(low, high)


def inside(ends: Interval[float], mean: float, error: float, df: int, delta: float) -> Interval:
    """Replace the ends of a rate's interval that reach 0 or 1, unless the rate itself is 0 or 1.

    A symmetric interval that reaches beyond 0 or 1 has no meaningful end there. It is replaced by
    Korn and Graubard's: the interval for as many independent examples as give this standard error.
    """
    if not 0 < mean < 1 or (ends.low > 0 and ends.high < 1):
        return ends
    t = abs(float(special.stdtrit(df, delta / 2)))
    size = mean * (1 - mean) / error**2 * (normal_quantile(delta / 2) / t) ** 2
    exact = of_counts(mean, max(size, 1e-9), delta)
    low = ends.low if ends.low > 0 else min(exact.low, mean)
    high = ends.high if ends.high < 1 else max(exact.high, mean)
    return Interval(low, high)


def mean_of_models(smallest: int, delta: float) -> float:
    """Return an upper bound for the mean error of the tested models if none made an error.

    Model j makes no error on its m examples with probability (1 - L_j)^m. So a variable that is 1 /
    (1 - L_j)^m if it makes none, and 0 otherwise, has mean 1. The mean of these over the folds also
    has mean 1, whatever the dependence, and reaches 1 / delta with probability at most delta
    (Markov). By convexity it is at least 1 / (1 - L)^m for the mean L of all L_j.
    """
    return float(-math.expm1(math.log(delta) / smallest))
