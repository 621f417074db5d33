"""The bootstrap of any metric: its resamples, the quantiles of what they give, and its refusals.

A metric does not ask for the order of the cases, so that cases with the same labels and scores are
one cell with a count. Labels have few cells: a resample of a million cases is then a draw of a
small table, and the metric of that table.
"""

from __future__ import annotations

import contextlib
import inspect
from contextlib import AbstractContextManager
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from errlab._core import checks, extras, workers
from errlab._core.checks import FloatArray, IntArray, Labels
from errlab._core.statement import Method
from errlab._numerics.groups import Groups, grouped
from errlab.bootstrap.resample import acceleration, levels, quantiles, share_below
from errlab.metrics.confusion import BoolArray, Confusion, positives
from errlab.statements.metric._asked import (
    F1,
    Asked,
    inner,
    models_of,
    of_library,
    value_of,
)
from errlab.statements.metric._claim import RARER, MetricClaim, size_of
from errlab.statements.metric._mean_loss import ROOT
from errlab.statements.metric._optimism import refuse_optimism
from errlab.statements.metric._weighted import Weighted, case_losses, largest_share, weighted

# Means, ratios of means and rankings: none is larger on a sample than in truth by more than a small
# part of its standard error.
SMOOTH = (
    ROOT, "mean_absolute_error", "mean_squared_error", "brier_score_loss", "log_loss", "r2_score",
    "average_precision_score", "f1_score_macro", "balanced_accuracy_score",
)  # fmt: skip
_TABLES = "sklearn.metrics._classification"  # where its metrics of labels lie, smooth ones too
_FEWEST = 6  # groups, or cases, that a bootstrap needs: of 5 groups its interval covers 89 to 91%
_BLOCKS = 200  # parts that the jackknife leaves out one by one
_TRIES = 20  # draws of a resample until the metric is defined on it
_TIED = 0.25  # share of the resamples that may give the very value that the data gave
_BIAS = 0.5  # standard errors that their mean may be off it
_KINDS = {True: "cases", False: "groups"}  # what is drawn, by whether cases are independent
_CELLS = 0.5  # cells a case up to which cases are counted by cell


class _Task(NamedTuple):
    """What all draws have in common."""

    meant: Asked
    truth: Labels  # of each cell, as what the models said
    models: list[Labels]  # one, or two
    classes: list[BoolArray]  # the cells of each, where there are two
    forms: list[Weighted]  # the metric of each model as one of weights, where there is such a form
    counts: IntArray  # cases of each cell
    cell: IntArray  # of each case
    unit: IntArray | None  # the group of each case, where there are groups
    block: IntArray  # the part of the jackknife that each case belongs to


def bootstrap(
    meant: Asked,
    truth: Labels,
    scores: list[ArrayLike],
    groups: ArrayLike | None,
    size: int,
    delta: float,
    rng: np.random.Generator,
    work: tuple[int | None, bool | None],
) -> MetricClaim:
    """Draw cases or groups again, both models at once, and take quantiles of what they give."""
    n = len(truth)
    models = models_of(scores, n)
    units = None if groups is None else grouped(groups, n, least=1)
    labels = set(truth.tolist())
    # two classes are kept in every resample: with a rare one missing most metrics are undefined
    classes = [np.asarray(truth == label) for label in labels] if len(labels) == 2 else []
    fewest = _fewest(n, classes, units)
    checks.require(size * delta >= 2, "resamples", f"be at least 2 / delta = {2 / delta:.6g}", size)
    values = tuple(value_of(meant, truth, model) for model in models)
    value = values[0] - sum(values[1:])
    if meant.name not in SMOOTH and not _of_counts(meant.function):
        for model in models:
            refuse_optimism(meant.label, partial(value_of, meant), truth, model)
    # a seed for each resample, so that the number of workers changes nothing
    seeds = rng.integers(2**63, size=size).tolist()
    task = task_of(meant, truth, models, classes, list(values), units, rng)
    # the jackknife, by blocks where there are many units: BCa needs the skewness alone
    jobs = [(task, draw, False) for draw in seeds]
    jobs += [(task, block, True) for block in range(int(task.block.max()) + 1)]
    results = np.array(workers.each(_again, jobs, n_jobs=work[0], progress=work[1]))
    resampled, left = results[:size], results[size:]
    for point in (value, 0.0):  # ties count half, whatever the order of a sum
        resampled[np.isclose(resampled, point, rtol=1e-12, atol=1e-14)] = point
    _refuse_collapse(resampled, value)
    interval_of, name, pvalue = _bca, "BCa bootstrap", None
    if len(models) > 1:
        interval_of, name = _percentile, "percentile bootstrap"
        pvalue = _pvalue(resampled, fewest)
    losses = [case_losses(meant.name, truth, model) for model in models]
    of_losses = all(column is not None for column in losses)
    among = min((int(cases.sum()) for cases in classes), default=n)
    sized = (float(among), RARER)
    if units is not None or of_losses or not classes:
        sized = size_of(n, units)
    return MetricClaim(
        values=values,
        ends=quantiles(resampled, interval_of(resampled, left, value, fewest, delta)),
        method=Method(f"{name} of {size} samples of {_KINDS[units is None]}", key=name),
        among=among,
        size=sized[0],
        unit=sized[1],
        rarer=bool(classes),
        pvalue=pvalue,
        largest=largest_share(np.array(losses, dtype=float)) if of_losses else None,
    )


def _fewest(n: int, classes: list[BoolArray], units: Groups | None) -> int:
    """Return the cases of the rarer class, or the groups that hold one; refuse too few."""
    number = n if units is None else units.number
    fewest = min((_held(cases, units) for cases in classes), default=number)
    kind = _KINDS[units is None]
    for count, minimum, of in ((number, _FEWEST, ""), (fewest, 2, " of each class")):
        if count < minimum:
            raise ValueError(f"a bootstrap needs at least {minimum} {kind}{of}, got {count}")
    return fewest


def _stretch(fewest: int) -> float:
    """Return by how much to widen a percentile interval (Hesterberg 2015).

    It is as short as a normal one with the variance over n in place of n - 1.
    """
    return float(np.sqrt(fewest / (fewest - 1)))


def _normal_ends(fewest: int, delta: float) -> FloatArray:
    """Return normal quantiles of the two ends, widened for few cases."""
    reach = -_stretch(fewest) * float(special.stdtrit(fewest - 1, delta / 2))
    return np.array([-reach, reach])


def _bca(
    resampled: FloatArray, left: FloatArray, value: float, fewest: int, delta: float
) -> FloatArray:
    """Return the levels of the quantiles of a BCa interval."""
    left = left[~np.isnan(left)]
    z = _normal_ends(fewest, delta)
    return np.asarray(levels(share_below(resampled, value), acceleration(left.mean() - left), z))


def _percentile(
    resampled: FloatArray, left: FloatArray, value: float, fewest: int, delta: float
) -> FloatArray:
    """Return the levels of the quantiles of a percentile interval."""
    return np.asarray(special.ndtr(_normal_ends(fewest, delta)))


def _pvalue(resampled: FloatArray, fewest: int) -> float:
    """Return the level at which an end of the percentile interval is 0."""
    reach = abs(special.ndtri(share_below(resampled, 0.0))) / _stretch(fewest)
    return min(max(2 * float(special.stdtr(fewest - 1, -reach)), 2 / len(resampled)), 1.0)


def of_table(
    key: str, positive: object, y_true: Labels, y_pred: Labels,
    sample_weight: FloatArray | None = None,
) -> float:  # fmt: skip
    """Return F1 or a rate."""
    true, predicted = positives(positive, y_true=y_true, y_pred=y_pred)
    counts = np.bincount(2 * true + predicted, sample_weight, minlength=4).astype(np.int64)
    tn, fp, fn, tp = counts.tolist()
    table = Confusion(tp=tp, fp=fp, fn=fn, tn=tn)
    return table.f1 if key == F1 else table.rate(key).value


def _held(cases: BoolArray, units: Groups | None) -> int:
    """Return how many cases of a class there are, or how many groups hold one."""
    return int(cases.sum() if units is None else (units.sums(cases.astype(float)) > 0).sum())


def _of_counts(function: object) -> bool:
    """Whether a metric is a smooth function of counts of labels, and takes them as weights."""
    if function is None or not (_module(function) == _TABLES or inner(function) is of_table):
        return False
    return "sample_weight" in inspect.signature(inner(function)).parameters


def _module(function: object) -> str:
    return str(getattr(inner(function), "__module__", ""))


def task_of(
    meant: Asked, truth: Labels, models: list[Labels], classes: list[BoolArray],
    whole: list[float], units: Groups | None, rng: np.random.Generator,
) -> _Task:  # fmt: skip
    """Count the cases of each cell, and find the forms of the metric."""
    n = len(truth)
    cell = count_cells(truth, models)
    first = np.unique(cell, return_index=True)[1]
    counts = np.bincount(cell)
    unit, number = None, n
    if units is not None:
        number = units.number
        unit = np.empty(n, dtype=np.int64)
        unit[units.order] = np.repeat(np.arange(number), units.sizes.astype(np.int64))
    block_of_unit = np.empty(number, dtype=np.int64)
    parts = np.array_split(rng.permutation(number), min(number, _BLOCKS))
    for block, part in enumerate(parts):
        block_of_unit[part] = block
    task = _Task(
        meant, truth[first], [model[first] for model in models], [c[first] for c in classes],
        [], counts, cell, unit, block_of_unit if unit is None else block_of_unit[unit],
    )  # fmt: skip
    return task._replace(forms=_forms(task, whole))


def count_cells(truth: Labels, models: list[Labels]) -> IntArray:
    """Return the cell of each case: one for each kind of case, or one for each case."""
    n = len(truth)
    cell = np.zeros(n, dtype=np.int64)
    if all(model.ndim == 1 for model in models):
        for column in (truth, *models):
            values, code = np.unique(column, return_inverse=True)
            cell = np.unique(cell * len(values) + code, return_inverse=True)[1]
        if cell.max() < _CELLS * n:
            return cell
    return np.arange(n)


def _forms(task: _Task, whole: list[float]) -> list[Weighted]:
    """Return the metric of each model as one of weights, where that gives what it does."""
    forms: list[Weighted] = []
    for model, value in zip(task.models, whole, strict=True):
        form = weighted(task.meant.name, task.truth, model)
        if form is None and _of_counts(task.meant.function):
            form = partial(_under_weights, task.meant, task.truth, model)
        with contextlib.suppress(ValueError):
            if form and np.isclose(form(task.counts.astype(float)), value, rtol=1e-9, atol=1e-12):
                forms.append(form)
    return forms


def _under_weights(meant: Asked, truth: Labels, score: Labels, weights: FloatArray) -> float:
    """Give a metric the weights of the cells; one that was not drawn is not there."""
    drawn = weights > 0
    return value_of(meant, truth[drawn], score[drawn], sample_weight=weights[drawn])


def _again(task: _Task, draw: int, leave: bool) -> float:
    """Return the metric, or the difference in it, of one resample, or of all but a block of units.

    Parameters
    ----------
    draw : int
        The seed of a resample, which is drawn until the metric is defined; or the block.
    leave : bool
        Whether it is the block to leave out.
    """
    if leave:
        block = np.bincount(task.cell[task.block == draw], minlength=len(task.counts))
        return of_cells(task, task.counts - block)
    rng = np.random.default_rng(draw)
    value = np.nan
    for _ in range(_TRIES):
        value = of_cells(task, _resample(task, rng))
        if not np.isnan(value):
            break
    return value


def _resample(task: _Task, rng: np.random.Generator) -> IntArray:
    """Draw cases, or whole groups, and count them by cell."""
    n, cells = len(task.cell), len(task.counts)
    if task.unit is not None:
        number = int(task.unit.max()) + 1
        times = np.bincount(rng.integers(number, size=number), minlength=number)
        return np.bincount(task.cell, times[task.unit], cells).astype(np.int64)
    if cells < n:
        return rng.multinomial(n, task.counts / n)
    return np.bincount(rng.integers(n, size=n), minlength=n)


def of_cells(task: _Task, counts: IntArray) -> float:
    """Return the metric where each cell has so many cases; nan where it is not defined."""
    if any(not counts[cells].any() for cells in task.classes):
        return np.nan
    quick: AbstractContextManager[None] = contextlib.nullcontext()
    if of_library(task.meant.function):  # it need not check the same arguments thousands of times
        within = extras.load("sklearn").config_context
        quick = within(skip_parameter_validation=True, assume_finite=True)
    try:
        with quick:
            if len(task.forms) == len(task.models):
                values = [form(counts.astype(float)) for form in task.forms]
            else:
                rows = np.repeat(np.arange(len(counts)), counts)
                values = [value_of(task.meant, task.truth[rows], m[rows]) for m in task.models]
    except ValueError:
        return np.nan
    return values[0] - sum(values[1:])


def _refuse_collapse(values: FloatArray, value: float) -> None:
    """Refuse a bootstrap that has nothing to say, or speaks of something else."""
    lost = int(np.isnan(values).sum())
    if lost:
        rule = f"metric must be defined on resamples, but {lost} of {len(values)} gave none in "
        raise ValueError(f"{rule}{_TRIES} draws: too few cases of some class for a bootstrap")
    tied = float((values == value).mean())
    if tied > _TIED:
        rule = f"metric must vary over resamples, but {100 * tied:.0f}% of them give the same value"
        raise ValueError(f"{rule} as the data, {value:.4g}: too little went wrong for a bootstrap")
    off = float((values.mean() - value) / values.std())
    if abs(off) > _BIAS:
        raise ValueError(
            f"metric must be centred on its value over resamples, but {value:.4g} becomes "
            f"{values.mean():.4g}, {abs(off):.2g} standard errors off: it is biased, as are "
            "calibration errors and maxima, and a bootstrap interval would miss the truth"
        )
