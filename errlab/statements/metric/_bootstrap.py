"""The bootstrap of any metric: its resamples, the quantiles of what they give, and its refusals.

A metric does not ask for the order of the cases, so that cases with the same labels and scores are
one cell with a count. Labels have few cells: a resample of a million cases is then a draw of a
small table, and the metric of that table.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import special

from errlab._core import checks, extras, workers
from errlab._core.checks import FloatArray, IntArray, Labels
from errlab._core.statement import Method
from errlab._numerics.groups import Groups
from errlab.bootstrap.resample import acceleration, levels, quantiles, share_below
from errlab.metrics.confusion import BoolArray, Confusion, positives
from errlab.statements.metric._asked import F1, Asked, models_of, value_of
from errlab.statements.metric._claim import RARER, Columns, MetricClaim, size_of
from errlab.statements.metric._mean_loss import OF_CASES, ROOT, case_losses, largest_share
from errlab.statements.metric._optimism import refuse_optimism

# Means, ratios of means and rankings: none is larger on a sample than in truth by more than a small
# part of its standard error.
SMOOTH = (*OF_CASES, "average_precision_score")
_TABLES = "sklearn.metrics._classification"  # where its metrics of labels lie, smooth ones too
_FEWEST = 6  # groups, or cases, that a bootstrap needs: of 5 groups its interval covers 89 to 91%
_BLOCKS = 200  # parts that the jackknife leaves out one by one
_TRIES = 20  # draws of a resample until the metric is defined on it
_TIED = 0.25  # share of the resamples that may give the very value that the data gave
_BIAS = 0.5  # standard errors that their mean may be off it
_KINDS = {True: "cases", False: "groups"}  # what is drawn, by whether cases are independent
_CELLS = 0.5  # cells a case up to which cases are counted by cell

Weighted = Callable[[FloatArray], float]  # from the counts of the cells to the metric


class _Task(NamedTuple):
    """What all draws have in common."""

    meant: Asked
    truth: Labels  # of each cell, as what the models said
    models: list[Labels]  # one, or two
    classes: list[BoolArray]  # the cells of each, where there are two
    forms: list[Weighted]  # the metric of each model as one of counts, where there is such a form
    counts: IntArray  # cases of each cell
    cell: IntArray  # of each case
    unit: IntArray  # the group of each case, or the case itself
    block: IntArray  # the part of the jackknife that each case belongs to


def bootstrap(
    meant: Asked,
    columns: Columns,
    size: int,
    delta: float,
    rng: np.random.Generator,
    work: tuple[int | None, bool | None] = (None, None),
) -> MetricClaim:
    """Draw cases or groups again, both models at once, and take quantiles of what they give."""
    truth, units = columns.y_true, columns.units
    n = len(truth)
    models = models_of(columns)
    labels = set(truth.tolist())
    # two classes are kept in every resample: with a rare one missing most metrics are undefined
    classes = [np.asarray(truth == label) for label in labels] if len(labels) == 2 else []
    fewest = _fewest(n, classes, units)
    checks.require(size * delta >= 2, "resamples", f"be at least 2 / delta = {2 / delta:.6g}", size)
    values = tuple(value_of(meant, truth, model) for model in models)
    value = values[0] - sum(values[1:])
    if meant.name not in SMOOTH and not _of_counts(meant):
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
    # as short as a normal interval with the variance over n in place of n - 1 (Hesterberg 2015)
    stretch = np.sqrt(fewest / (fewest - 1))
    z = stretch * special.stdtrit(fewest - 1, delta / 2) * np.array([1, -1])
    if len(models) > 1:
        name, both = "percentile bootstrap", special.ndtr(z)
        # the level at which an end of the interval is 0
        reach = abs(special.ndtri(share_below(resampled, 0.0))) / stretch
        pvalue = min(max(2 * float(special.stdtr(fewest - 1, -reach)), 2 / size), 1.0)
    else:
        left = left[~np.isnan(left)]
        pull = acceleration(left.mean() - left)
        name, both, pvalue = "BCa bootstrap", levels(share_below(resampled, value), pull, z), None
    losses = [case_losses(meant.name, truth, model) for model in models]
    of_losses = all(column is not None for column in losses)
    among = min((int(cases.sum()) for cases in classes), default=n)
    sized = (float(among), RARER)
    if units is not None or of_losses or not classes:
        sized = size_of(n, units)
    return MetricClaim(
        values=values,
        ends=quantiles(resampled, np.asarray(both)),
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
    number, held = n, [int(cases.sum()) for cases in classes]
    if units is not None:
        number = units.number
        held = [int((units.sums(cases.astype(float)) > 0).sum()) for cases in classes]
    fewest = min(held, default=number)
    kind = _KINDS[units is None]
    for count, minimum, of in ((number, _FEWEST, ""), (fewest, 2, " of each class")):
        if count < minimum:
            raise ValueError(f"a bootstrap needs at least {minimum} {kind}{of}, got {count}")
    return fewest


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


def _of_counts(meant: Asked) -> bool:
    """Whether a metric is a smooth function of counts of labels, and takes them as weights."""
    source = meant.source
    if source is None or source.__module__ not in (_TABLES, __name__):
        return False
    return "sample_weight" in inspect.signature(source).parameters


def task_of(
    meant: Asked, truth: Labels, models: list[Labels], classes: list[BoolArray],
    whole: list[float], units: Groups | None, rng: np.random.Generator,
) -> _Task:  # fmt: skip
    """Count the cases of each cell, and find the forms of the metric."""
    n = len(truth)
    cell = count_cells(truth, models)
    first = np.unique(cell, return_index=True)[1]
    unit = np.arange(n) if units is None else units.code
    number = int(unit.max()) + 1
    block_of_unit = np.empty(number, dtype=np.int64)
    parts = np.array_split(rng.permutation(number), min(number, _BLOCKS))
    for block, part in enumerate(parts):
        block_of_unit[part] = block
    task = _Task(
        meant, truth[first], [model[first] for model in models], [c[first] for c in classes],
        [], np.bincount(cell), cell, unit, block_of_unit[unit],
    )  # fmt: skip
    for model, value in zip(task.models, whole, strict=True):
        form = form_of(meant, task.truth, model)
        with contextlib.suppress(ValueError):
            # a form that gives what the function does
            if form and np.isclose(form(task.counts.astype(float)), value, rtol=1e-9, atol=1e-12):
                task.forms.append(form)
    return task


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


def form_of(meant: Asked, truth: Labels, model: Labels) -> Weighted | None:
    """Return a metric as one of the counts of the cells, where it may have such a form."""
    losses = case_losses(meant.name, truth, model)
    if losses is not None:
        return partial(_of_mean, meant.name == ROOT, losses)
    if meant.name == "matthews_corrcoef":
        labels, code = np.unique(np.concatenate([truth, model]), return_inverse=True)
        true, predicted = np.split(code, 2)
        return partial(_matthews, len(labels), true * len(labels) + predicted)
    return partial(_under_weights, meant, truth, model) if _of_counts(meant) else None


def _of_mean(root: bool, losses: FloatArray, counts: FloatArray) -> float:
    mean = np.average(losses, weights=counts)
    return float(np.sqrt(mean) if root else mean)


def _matthews(k: int, cells: IntArray, counts: FloatArray) -> float:
    """Gorodkin's correlation of k classes, from the table of true and predicted labels."""
    table = np.bincount(cells, counts, k * k).reshape(k, k)
    true, predicted, n = table.sum(axis=1), table.sum(axis=0), table.sum()
    spread = (n**2 - true @ true) * (n**2 - predicted @ predicted)
    return float((table.trace() * n - true @ predicted) / np.sqrt(spread)) if spread > 0 else 0.0


def _under_weights(meant: Asked, truth: Labels, score: Labels, counts: FloatArray) -> float:
    """Give a metric the counts of the cells; one that was not drawn is not there."""
    drawn = counts > 0
    return value_of(meant, truth[drawn], score[drawn], sample_weight=counts[drawn])


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
    n, cells, number = len(task.cell), len(task.counts), int(task.unit.max()) + 1
    if number == n and cells < n:
        return rng.multinomial(n, task.counts / n)
    times = np.bincount(rng.integers(number, size=number), minlength=number)
    return np.bincount(task.cell, times[task.unit], cells).astype(np.int64)


def of_cells(task: _Task, counts: IntArray) -> float:
    """Return the metric where each cell has so many cases; nan where it is not defined."""
    if any(not counts[cells].any() for cells in task.classes):
        return np.nan
    quick: AbstractContextManager[None] = contextlib.nullcontext()
    if task.meant.library:  # it need not check the same arguments thousands of times
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
