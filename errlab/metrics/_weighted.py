"""Metrics of scikit-learn under weights, for a bootstrap that calls them thousands of times.

A resample is a weight for each case: how often it was drawn. What does not change from one to the
next, codes and order, is worked out once. Each of these gives what the function of that name gives,
or NaN where a class is missing that it needs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from errlab._core.checks import FloatArray, IntArray, Labels

Weighted = Callable[[FloatArray], float]  # from the weights of the cases to the metric


def weighted(name: str, truth: Labels, score: Labels) -> Weighted | None:
    """Return a function of scikit-learn as one of weights, where it has a form here."""
    if score.ndim != 1 or truth.dtype.kind not in "biufUS" or score.dtype.kind not in "biufUS":
        return None
    if name == "balanced_accuracy_score":
        classes, code = np.unique(truth, return_inverse=True)
        return partial(_balanced_accuracy, code, truth == score, len(classes))
    if name in _OF_TABLE:
        if (truth.dtype.kind in "US") != (score.dtype.kind in "US"):
            return None
        # the cell of each case in the table of true and called labels: a resample only weighs it
        labels, code = np.unique(np.concatenate([truth, score]), return_inverse=True)
        cells = code[: len(truth)] * len(labels) + code[len(truth) :]
        return partial(_of_table, name, cells, len(labels))
    if truth.dtype.kind in "US" or score.dtype.kind in "US":
        return None
    values = score.astype(float)
    if name in _OF_NUMBERS:
        return partial(_mean, _OF_NUMBERS[name](truth.astype(float), values), None)
    labels = np.unique(truth)
    if len(labels) != 2 or labels[1] != 1:
        return None
    positive = truth == 1
    if name in _OF_CLASSES:
        return partial(_mean, _OF_CLASSES[name](positive, values), positive)
    if name == "average_precision_score":
        # from the largest score down; each run of level scores is one threshold
        order = np.argsort(-values, kind="stable")
        ends = np.append(np.flatnonzero(np.diff(values[order])), len(order) - 1)
        return partial(_average_precision, order, ends, positive[order])
    return None


def _matthews(table: FloatArray) -> float:
    """Gorodkin's correlation of k classes."""
    true, called, n = table.sum(axis=1), table.sum(axis=0), table.sum()
    spread = (n**2 - true @ true) * (n**2 - called @ called)
    return (table.trace() * n - true @ called) / np.sqrt(spread) if spread > 0 else 0.0


def _balanced_accuracy(
    code: IntArray, hit: NDArray[np.bool_], k: int, weights: FloatArray
) -> float:
    """Mean recall of all classes of the data; NaN where one is missing."""
    drawn = np.bincount(code, weights, k)
    return float((np.bincount(code, weights * hit, k) / drawn).mean()) if drawn.all() else np.nan


def _kappa(table: FloatArray) -> float:
    """Cohen's: disagreement over what it would be by chance."""
    true, called, n = table.sum(axis=1), table.sum(axis=0), table.sum()
    chance = n - true @ called / n
    return 1 - (n - table.trace()) / chance if chance > 0 else np.nan


def _macro_f1(table: FloatArray) -> float:
    """Mean over the classes that occur or are called."""
    total = table.sum(axis=0) + table.sum(axis=1)
    return float((2 * table.diagonal()[total > 0] / total[total > 0]).mean())


_OF_TABLE: dict[str, Callable[[FloatArray], float]] = {
    "matthews_corrcoef": _matthews,
    "cohen_kappa_score": _kappa,
    "f1_score_macro": _macro_f1,
}


def _of_table(name: str, cells: IntArray, k: int, weights: FloatArray) -> float:
    table = np.bincount(cells, weights, k * k).astype(float)
    return float(_OF_TABLE[name](table.reshape(k, k)))


_OF_NUMBERS: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "mean_absolute_error": lambda y, x: np.abs(y - x),
    "mean_squared_error": lambda y, x: (y - x) ** 2,
}


def _log_loss(positive: NDArray[np.bool_], p: FloatArray) -> FloatArray:
    inside = np.clip(p, np.finfo(float).eps, 1 - np.finfo(float).eps)
    return -np.log(np.where(positive, inside, 1 - inside))


_OF_CLASSES: dict[str, Callable[[NDArray[np.bool_], FloatArray], FloatArray]] = {
    "brier_score_loss": lambda positive, p: (positive - p) ** 2,
    "log_loss": _log_loss,
}


def _mean(losses: FloatArray, positive: NDArray[np.bool_] | None, weights: FloatArray) -> float:
    total = weights.sum()
    if positive is not None and not 0 < weights @ positive < total:  # one class only
        return np.nan
    return float(weights @ losses / total)


def _average_precision(
    order: IntArray, ends: IntArray, positive: NDArray[np.bool_], weights: FloatArray
) -> float:
    """Sum of the precision at each threshold times the recall that it adds."""
    # calls and hits at each threshold, as sums of weights
    drawn = weights[order]
    called = drawn.cumsum()[ends]
    hits = (drawn * positive).cumsum()[ends]
    if hits[-1] == 0:
        return np.nan
    precision = hits / np.maximum(called, 1)  # where nothing is called, nothing is hit
    return float(precision @ np.diff(hits, prepend=0.0) / hits[-1])
