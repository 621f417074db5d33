"""Metrics of many resamples at once, as array expressions of the counts of cells.

A cell is a pair of a true and a predicted label, or a single example with its scores. `counts` has
a row for each resample and a column for each cell. The metric is nan if it is undefined, as in
scikit-learn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from errlab._core.checks import FloatArray, IntArray, Labels
from errlab._numerics.groups import Groups
from errlab.metrics._confusion import BoolArray

Form = Callable[[FloatArray], FloatArray]  # maps counts (resamples x cells) to values
_AT_ONCE = 4_000_000  # counts in memory at once


# --- labels: tables of true and predicted classes, shape (resamples, k, k) ------------------


def _parts(tables: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return, for each class, the numbers of right, true and predicted examples."""
    right = np.diagonal(tables, axis1=-2, axis2=-1)
    return right, tables.sum(axis=-1), tables.sum(axis=-2)


def _over(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Divide; NaN if the denominator is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(denominator > 0, numerator / denominator, np.nan))


def _of_classes(
    numerator: FloatArray, denominator: FloatArray, true: FloatArray, predicted: FloatArray,
    average: str,
) -> FloatArray:  # fmt: skip
    """Average a rate over the classes that are true or predicted in a resample."""
    if average == "micro":
        return _over(numerator.sum(axis=-1), denominator.sum(axis=-1))
    there = true + predicted > 0
    shares = np.where(there, _over(numerator, denominator), 0.0)
    weights = there.astype(float) if average == "macro" else true
    return _over((weights * shares).sum(axis=-1), weights.sum(axis=-1))


def _precision(tables: FloatArray, average: str) -> FloatArray:
    right, true, predicted = _parts(tables)
    return _of_classes(right, predicted, true, predicted, average)


def _recall(tables: FloatArray, average: str) -> FloatArray:
    right, true, predicted = _parts(tables)
    return _of_classes(right, true, true, predicted, average)


def _f1(tables: FloatArray, average: str) -> FloatArray:
    right, true, predicted = _parts(tables)
    return _of_classes(2 * right, true + predicted, true, predicted, average)


def _jaccard(tables: FloatArray, average: str) -> FloatArray:
    right, true, predicted = _parts(tables)
    return _of_classes(right, true + predicted - right, true, predicted, average)


def _balanced_accuracy(tables: FloatArray) -> FloatArray:
    right, true, _ = _parts(tables)
    there = true > 0
    recalls = np.where(there, _over(right, true), 0.0)
    return np.asarray(recalls.sum(axis=-1) / there.sum(axis=-1))


def _kappa(tables: FloatArray) -> FloatArray:
    """Cohen's kappa: agreement beyond that of independent labels, relative to its maximum."""
    right, true, predicted = _parts(tables)
    n = true.sum(axis=-1)
    by_chance = (true * predicted).sum(axis=-1)
    return _over(n * right.sum(axis=-1) - by_chance, n**2 - by_chance)


def _matthews(tables: FloatArray) -> FloatArray:
    """Gorodkin's correlation of k classes; 0 if one column is constant, as in scikit-learn."""
    right, true, predicted = _parts(tables)
    n = true.sum(axis=-1)
    spread = (n**2 - (true**2).sum(axis=-1)) * (n**2 - (predicted**2).sum(axis=-1))
    covariance = n * right.sum(axis=-1) - (true * predicted).sum(axis=-1)
    return np.nan_to_num(_over(covariance, np.sqrt(spread)))


_AVERAGED = {
    "f1_score": _f1,
    "jaccard_score": _jaccard,
    "precision_score": _precision,
    "recall_score": _recall,
}
OF_TABLES: dict[str, Callable[[FloatArray], FloatArray]] = {
    "balanced_accuracy_score": _balanced_accuracy,
    "cohen_kappa_score": _kappa,
    "matthews_corrcoef": _matthews,
    **{
        f"{name}_{average}": partial(function, average=average)
        for name, function in _AVERAGED.items()
        for average in ("macro", "micro", "weighted")
    },
}


def _of_labels(name: str, truth: Labels, model: Labels) -> Form:
    """Return a metric of confusion matrices as a function of the counts of cells."""
    labels, code = np.unique(np.concatenate([truth, model]), return_inverse=True)
    true, predicted = np.split(code, 2)
    k = len(labels)
    place = true * k + predicted

    def values(counts: FloatArray) -> FloatArray:
        tables = np.zeros((len(counts), k * k))
        # with two models, several cells have the same entry of a model's table
        for cell in range(counts.shape[1]):
            tables[:, place[cell]] += counts[:, cell]
        return OF_TABLES[name](tables.reshape(-1, k, k))

    return values


# --- scores: one cell for each example --------------------------------------------------------


def _average_precision(truth: Labels, score: FloatArray) -> Form:
    """Average precision: the precision at each threshold, weighted by the recall that it adds."""
    order = np.argsort(-score, kind="stable")
    # the positive class is the larger label: 1, True, or the later string
    positive = (truth == truth.max())[order]
    last = np.append(np.diff(score[order]) != 0, True)  # the last of each run of equal scores

    def values(counts: FloatArray) -> FloatArray:
        drawn = counts[:, order]
        hits = np.cumsum(drawn * positive, axis=1)[:, last]
        predicted = np.cumsum(drawn, axis=1)[:, last]
        added = np.diff(hits, axis=1, prepend=0.0)
        precision = np.nan_to_num(_over(hits, predicted))
        return _over((added * precision).sum(axis=1), hits[:, -1])

    return values


def _area(positive: BoolArray, score: FloatArray) -> Form:
    """Area under the ROC curve: the fraction of pairs ranked correctly; ties count half."""
    order = np.argsort(score, kind="stable")
    first = np.flatnonzero(np.append(True, np.diff(score[order]) != 0))
    is_positive = positive[order]

    def values(counts: FloatArray) -> FloatArray:
        drawn = counts[:, order]
        up = np.add.reduceat(drawn * is_positive, first, axis=1)
        down = np.add.reduceat(drawn * ~is_positive, first, axis=1)
        below = np.cumsum(down, axis=1) - down / 2
        return _over((up * below).sum(axis=1), up.sum(axis=1) * down.sum(axis=1))

    return values


def _one_vs_rest(truth: Labels, score: FloatArray, weighted: bool) -> Form:
    """Mean area of each class against all others, weighted equally or by class frequency."""
    labels = np.unique(truth)
    forms = [_area(truth == label, score[:, k]) for k, label in enumerate(labels)]
    members = np.array([truth == label for label in labels], dtype=float)

    def values(counts: FloatArray) -> FloatArray:
        areas = np.stack([form(counts) for form in forms], axis=1)
        sizes = counts @ members.T if weighted else np.ones_like(areas)
        return np.asarray((areas * sizes).sum(axis=1) / sizes.sum(axis=1))

    return values


def is_form(name: str) -> bool:
    """Whether this metric of scikit-learn, by name and options, has an array expression here."""
    return name in OF_TABLES or name in ("average_precision_score", *_AREAS)


_AREAS = ("roc_auc_score_ovr", "roc_auc_score_ovr_weighted")


def form_of(name: str, truth: Labels, model: Labels) -> Form | None:
    """Return a metric as a function of the counts of cells, or None if it isn't known here."""
    if name in OF_TABLES and model.ndim == 1:
        return _of_labels(name, truth, model)
    if model.dtype.kind not in "biuf":
        return None
    if name == "average_precision_score" and model.ndim == 1 and len(np.unique(truth)) == 2:
        return _average_precision(truth, model)
    if name in _AREAS and model.ndim == 2 and len(np.unique(truth)) == model.shape[1]:
        return _one_vs_rest(truth, model, name.endswith("weighted"))
    return None


# --- resamples ------------------------------------------------------------------------------


def drawn(
    cell: IntArray, units: Groups, size: int, rng: np.random.Generator
) -> Iterator[FloatArray]:
    """Resample units, and yield the counts of each cell for a block of resamples at a time."""
    n, number = len(cell), units.number
    cells = int(cell.max()) + 1
    alone = number == n
    multinomial = alone and cells < n  # the counts of independent examples are multinomial
    shares = np.bincount(cell) / n
    block = max(1, min(size, _AT_ONCE // (cells if multinomial else n)))
    for start in range(0, size, block):
        rows = min(block, size - start)
        if multinomial:
            yield rng.multinomial(n, shares, size=rows).astype(float)
            continue
        times = np.empty((rows, number))
        for row in times:
            row[:] = np.bincount(rng.integers(number, size=number), minlength=number)
        yield _by_cell(times[:, units.code], cell, cells)


def _by_cell(times: FloatArray, cell: IntArray, cells: int) -> FloatArray:
    """Return the counts of cells from the counts of examples."""
    if cells == len(cell):
        ordered = np.empty_like(times)
        ordered[:, cell] = times
        return ordered
    return np.array([np.bincount(cell, row, cells) for row in times])


def without(
    cell: IntArray, units: Groups, max_blocks: int, rng: np.random.Generator
) -> Iterator[FloatArray]:
    """Yield the counts of each cell without one block of units, for at most `max_blocks` blocks."""
    counts = np.bincount(cell)
    blocks = min(units.number, max_blocks)
    sizes = np.full(blocks, units.number // blocks) + (np.arange(blocks) < units.number % blocks)
    if units.number == len(cell) > len(counts):
        # draw the counts of a block from the examples that earlier blocks have left
        rest = counts.copy()
        for size in sizes:
            drawn_counts = rng.multivariate_hypergeometric(rest, size, method="marginals")
            rest -= drawn_counts
            yield (counts - drawn_counts)[None].astype(float)
        return
    block = rng.permutation(np.repeat(np.arange(blocks), sizes))[units.code]
    for number in range(blocks):
        yield (counts - np.bincount(cell[block == number], minlength=len(counts)))[None].astype(
            float
        )
