"""Metrics of scikit-learn under weights, for a bootstrap that calls them thousands of times.

A resample is a weight for each case: how often it was drawn. What does not change from one to the
next, codes and order, is worked out once. Each of these gives what the function of that name gives.
Of two classes each must have a case in the resample; of more, the balanced accuracy is NaN where
one has none.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from errlab._core.checks import FloatArray, IntArray, Labels
from errlab.metrics.confusion import BoolArray

Weighted = Callable[[FloatArray], float]  # from the weights of the cases to the metric


def weighted(name: str, truth: Labels, score: Labels) -> Weighted | None:
    """Return a function of scikit-learn as one of weights, where it has a form here.

    Which label is positive it takes to be 1; the caller compares the two on all cases.
    """
    words = truth.dtype.kind in "US"
    if score.ndim != 1 or {truth.dtype.kind, score.dtype.kind} - set("US" if words else "biuf"):
        return None
    if name in _OF_TABLE or name == "balanced_accuracy_score":
        # the cell of each case in the table of true and called labels: a resample only weighs it
        labels, code = np.unique(np.concatenate([truth, score]), return_inverse=True)
        true, predicted = np.split(code, 2)
        k = len(labels)
        metric = _OF_TABLE.get(name, partial(_balanced_accuracy, np.unique(true)))
        return partial(_of_table, metric, true * k + predicted, k)
    if words:
        return None
    if name in _OF_CASES:
        losses = _OF_CASES[name](truth.astype(float), score.astype(float))
        return partial(np.average, losses, None)  # what is left to give are the weights
    if name in _SQUARES:
        y = truth.astype(float)
        return partial(_SQUARES[name], y, (y - score.astype(float)) ** 2)
    if name == "average_precision_score":
        # from the largest score down; each run of level scores is one threshold
        order = np.argsort(-score.astype(float), kind="stable")
        ends = np.append(np.flatnonzero(np.diff(score[order])), len(order) - 1)
        return partial(_average_precision, order, ends, truth[order] == 1)
    return None


def case_losses(name: str, truth: Labels, score: Labels) -> FloatArray | None:
    """Return the loss of each case where a metric is a function of their mean; squares for R2."""
    form = _OF_CASES.get("mean_squared_error" if name in _SQUARES else name)
    numbers = score.ndim == 1 and not {truth.dtype.kind, score.dtype.kind} - set("biuf")
    return form(truth.astype(float), score.astype(float)) if form and numbers else None


def largest_share(losses: FloatArray) -> float | None:
    """Return the share of the sum that the largest loss holds, in the model where it is larger."""
    sums = losses.sum(axis=-1)
    return float((losses.max(axis=-1) / sums).max()) if (sums > 0).all() else None


def _matthews(table: FloatArray) -> float:
    """Gorodkin's correlation of k classes."""
    true, predicted, n = table.sum(axis=1), table.sum(axis=0), table.sum()
    spread = (n**2 - true @ true) * (n**2 - predicted @ predicted)
    return (table.trace() * n - true @ predicted) / np.sqrt(spread) if spread > 0 else 0.0


def _kappa(table: FloatArray) -> float:
    """Cohen's: disagreement over what it would be by chance."""
    true, predicted, n = table.sum(axis=1), table.sum(axis=0), table.sum()
    chance = n - true @ predicted / n
    return 1 - (n - table.trace()) / chance if chance > 0 else np.nan


def _macro_f1(table: FloatArray) -> float:
    """Mean over the classes that occur or are predicted."""
    total = table.sum(axis=0) + table.sum(axis=1)
    return float((2 * table.diagonal()[total > 0] / total[total > 0]).mean())


def _balanced_accuracy(classes: IntArray, table: FloatArray) -> float:
    """Mean recall of all classes of the data; NaN where one is missing."""
    drawn = table.sum(axis=1)[classes]
    return float((table.diagonal()[classes] / drawn).mean()) if drawn.all() else np.nan


_OF_TABLE = {
    "matthews_corrcoef": _matthews,
    "cohen_kappa_score": _kappa,
    "f1_score_macro": _macro_f1,
}


def _of_table(
    metric: Callable[[FloatArray], float], cells: IntArray, k: int, weights: FloatArray
) -> float:
    table = np.bincount(cells, weights, k * k).astype(float)
    return float(metric(table.reshape(k, k)))


def _log_loss(y: FloatArray, p: FloatArray) -> FloatArray:
    eps = np.finfo(float).eps
    return np.asarray(-np.log(np.clip(np.where(y == 1, p, 1 - p), eps, 1 - eps)))


_OF_CASES: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "mean_absolute_error": lambda y, x: np.abs(y - x),
    "mean_squared_error": lambda y, x: (y - x) ** 2,
    "brier_score_loss": lambda y, p: ((y == 1) - p) ** 2,
    "log_loss": _log_loss,
}


def _root(y: FloatArray, squares: FloatArray, weights: FloatArray) -> float:
    return float(np.sqrt(np.average(squares, None, weights)))


def _r2(y: FloatArray, squares: FloatArray, weights: FloatArray) -> float:
    """One minus the squared errors over those of the mean of the resample."""
    spread = weights @ (y - np.average(y, None, weights)) ** 2
    return float(1 - weights @ squares / spread) if spread > 0 else np.nan


_SQUARES = {"root_mean_squared_error": _root, "r2_score": _r2}


def _average_precision(
    order: IntArray, ends: IntArray, positive: BoolArray, weights: FloatArray
) -> float:
    """Sum of the precision at each threshold times the recall that it adds."""
    # calls and hits at each threshold, as sums of weights
    drawn = weights[order]
    predicted = drawn.cumsum()[ends]
    hits = (drawn * positive).cumsum()[ends]
    precision = hits / np.maximum(predicted, 1)  # where nothing is predicted, nothing is hit
    return float(precision @ np.diff(hits, prepend=0.0) / hits[-1])
