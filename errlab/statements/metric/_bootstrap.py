"""The bootstrap of any metric: its resamples, the quantiles of what they give, and its refusals.

A metric does not ask for the order of the cases, so that cases with the same labels and scores are
one cell with a count. Labels have few cells: a resample of a million cases is then a draw of a
small table, and the metric of that table.
"""

import inspect
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray, Labels
from errlab._core.evidence import Method
from errlab._numerics.groups import Groups
from errlab._numerics.tails import heavy
from errlab.bootstrap._resample import acceleration, levels, quantiles, share_below
from errlab.metrics._confusion import BoolArray, Confusion, positives
from errlab.statements.metric import _arrays
from errlab.statements.metric._asked import F1, Asked, models_of, value_of
from errlab.statements.metric._claim import Columns, MetricClaim, asymptotic, size_of
from errlab.statements.metric._mean_loss import OF_CASES, ROOT, case_losses, largest_share
from errlab.statements.metric._optimism import refuse_optimism
from errlab.statements.per_class import RARER

# Means, ratios of means and rankings: none is larger on a sample than in truth by more than a small
# part of its standard error.
SMOOTH = (*OF_CASES, "average_precision_score")
_TABLES = "sklearn.metrics._classification"  # where its metrics of labels lie, smooth ones too
_FEWEST = 6  # groups, or cases, that a bootstrap needs: of 5 groups its interval covers 89 to 91%
_OF_PROBABILITIES = (
    "brier_score_loss", "log_loss", "d2_brier_score", "d2_log_loss_score", "hinge_loss",
)  # fmt: skip
_BLOCKS = 200  # parts of the data, each left out once by the jackknife
_TRIES = 20  # draws of a resample until the metric is defined on it
_TIED = 0.25  # share of the resamples that may give the very value that the data gave
_BIAS = 0.5  # standard errors that their mean may be off it
_SMALL = 10_000  # whole numbers that are counted where they are few
EXACT = "of labels take metric='accuracy' or errlab.per_class, whose intervals are exact"
_CELLS = 0.5  # count cases by cell if there are at most this many cells per case

Each = Callable[..., list[float]]  # applies a function to many arguments
OfCounts = Callable[[IntArray], float]  # maps the number of cases in each cell to the metric


def bootstrap(
    meant: Asked,
    columns: Columns,
    size: int,
    delta: float,
    rng: np.random.Generator,
    each: Each,
) -> MetricClaim:
    """Draw cases or groups again, both models at once, and take quantiles of what they give."""
    truth, n = columns.y_true, len(columns.y_true)
    models = models_of(columns)
    cell = count_cells(truth, models)
    # without groups each case is one
    units, kind = columns.units, "groups"
    if units is None:
        units, kind = Groups(np.arange(n), np.ones(n), 1.0), "cases"
        if meant.name not in _arrays.OF_TABLES or cell.max() == n - 1:  # else counts are enough
            order = in_one_order(cell, truth, models)
            truth, models, cell = truth[order], [model[order] for model in models], cell[order]
    label = coded(truth)
    # two classes are kept in every resample: with a rare one missing most metrics are undefined
    classes = [label == 0, label == 1] if label.max() == 1 else []
    fewest = _fewest(classes, units, kind)
    checks.require(size * delta >= 2, "resamples", f"be at least 2 / delta = {2 / delta:.6g}", size)
    rows, values = _of_rows(meant, cell, truth, models, classes)
    value = values[0] - sum(values[1:])
    if not (meant.name in SMOOTH or _of_counts(meant) or _arrays.is_form(meant.name)):
        for model in models:
            refuse_optimism(meant.label, partial(value_of, meant), truth, model)
    if rows is not None:
        resampled, left = _resampled_at_once(rows, cell, units, size, rng)
    else:
        value_at = of_cells(meant, cell, truth, models, classes)
        resampled, left = _resampled(value_at, cell, units, size, rng, each)
    for point in (value, 0.0):  # ties count half, whatever the order of a sum
        resampled[np.isclose(resampled, point, rtol=1e-12, atol=1e-14)] = point
    _refuse_collapse(resampled, value)
    # as short as a normal interval with the variance over n in place of n - 1 (Hesterberg 2015)
    stretch = np.sqrt(fewest / (fewest - 1))
    z = stretch * special.stdtrit(fewest - 1, delta / 2) * np.array([1, -1])
    name, both, pvalue = "percentile bootstrap", special.ndtr(z), None
    if len(models) == 1:
        left = left[~np.isnan(left)]
        pull = acceleration(left.mean() - left)
        name, both = "BCa bootstrap", levels(share_below(resampled, value), pull, z)
    else:
        # the level at which an end of the interval is 0
        reach = abs(special.ndtri(share_below(resampled, 0.0))) / stretch
        pvalue = min(max(2 * float(special.stdtr(fewest - 1, -reach)), 2 / size), 1.0)
    method = Method(f"{name} of {size} samples of {kind}", key=name)
    losses = [case_losses(meant.name, truth, model) for model in models]
    of_losses = all(column is not None for column in losses)
    among = min((int(cases.sum()) for cases in classes), default=n)
    sized = (float(among), RARER)
    if columns.units is not None or of_losses or not classes:
        sized = size_of(n, columns.units)
    return MetricClaim(
        values=tuple(values),
        claim=asymptotic(values, quantiles(resampled, np.asarray(both)), method, pvalue, delta),
        among=among,
        size=sized[0],
        unit=sized[1],
        rarer=bool(classes),
        largest=largest_share(np.array(losses, dtype=float)) if of_losses else None,
        heavy=of_losses and heavy(np.array(losses, dtype=float)),
    )


def _fewest(classes: list[BoolArray], units: Groups, kind: str) -> int:
    """Return how many of the units hold a case of the rarer class; refuse too few."""
    held = [len(np.unique(units.code[cases])) for cases in classes]
    fewest = min(held, default=units.number)
    for count, minimum, of in ((units.number, _FEWEST, ""), (fewest, 2, " of each class")):
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


def one_class(meant: Asked, columns: Columns, positive: object) -> Columns:
    """Write 1 for the positive label and 0 for the others, in predicted labels as well.

    Scores stay as they are: words are labels, numbers are where the metric is one of labels.
    """
    source = meant.source
    of_labels = source is not None and source.__module__ == _TABLES
    of_labels = of_labels and getattr(source, "__name__", "") not in _OF_PROBABILITIES
    scores = dict(columns.scores)
    for name, column in columns.scores.items():
        values = checks.raw(column, name)
        if values.ndim == 1 and (of_labels or isinstance(values.flat[0], str)):
            scores[name] = positives(positive, y_true=columns.y_true, **{name: column})[1] * 1
    return columns._replace(y_true=positives(positive, y_true=columns.y_true)[0] * 1, scores=scores)


def in_one_order(cell: IntArray, truth: Labels, models: list[Labels]) -> IntArray:
    """Return an order of the cases that is the same however the rows were sorted."""
    if cell.max() < len(cell) - 1:
        return np.argsort(cell, kind="stable")
    columns = [np.atleast_2d(column.T) for column in (truth, *models)]
    return np.lexsort([coded(part) for column in columns for part in column])


def _of_counts(meant: Asked) -> bool:
    """Whether a metric is a smooth function of counts of labels, and takes them as weights."""
    source = meant.source
    if source is None or source.__module__ not in (_TABLES, __name__):
        return False
    return "sample_weight" in inspect.signature(source).parameters


def _resampled(
    value_at: OfCounts,
    cell: IntArray,
    units: Groups,
    size: int,
    rng: np.random.Generator,
    each: Each,
) -> tuple[FloatArray, FloatArray]:
    """Return the metric of each resample, and of all cases but those of a block of units."""
    unit, number, counts = units.code, units.number, np.bincount(cell)

    def of_seed(seed: int) -> float:
        rng = np.random.default_rng(seed)
        for _ in range(_TRIES):  # until the metric is defined
            if number == len(cell) > len(counts):
                drawn = rng.multinomial(number, counts / number)
            else:
                times = np.bincount(rng.integers(number, size=number), minlength=number)
                drawn = np.bincount(cell, times[unit], len(counts)).astype(np.int64)
            value = value_at(drawn)
            if not np.isnan(value):
                break
        return value

    def without(block: IntArray) -> float:
        return value_at(counts - np.bincount(cell[np.isin(unit, block)], minlength=len(counts)))

    # a seed for each resample, so that the number of workers changes nothing
    seeds = rng.integers(2**63, size=size).tolist()
    # the jackknife, by blocks where there are many units: BCa needs the skewness alone
    blocks = np.array_split(rng.permutation(number), min(number, _BLOCKS))
    values = each(of_seed, [(seed,) for seed in seeds])
    return np.array(values), np.array(each(without, [(block,) for block in blocks]))


def _of_rows(
    meant: Asked,
    cell: IntArray,
    truth: Labels,
    models: list[Labels],
    classes: list[BoolArray],
) -> tuple[_arrays.Form | None, list[float]]:
    """Return the metric, or the difference in it, of many resamples at once, and its values.

    There is no such form of what is not known by name.
    """
    first = first_of(cell)
    counts = np.bincount(cell)[None].astype(float)
    forms = []
    for model in models:
        form = _arrays.form_of(meant.name, truth[first], model[first])
        if form is not None:
            forms.append(form)
    values = [float(form(counts)[0]) for form in forms]
    if len(forms) < len(models) or not np.isfinite(values).all():
        # scikit-learn says what is lacking
        return None, [value_of(meant, truth, model) for model in models]
    held = [cases[first] for cases in classes]

    def rows(counts: FloatArray) -> FloatArray:
        value, *other = (form(counts) for form in forms)
        difference = np.asarray(value - sum(other))
        for cells in held:  # a resample without a class is drawn anew
            difference[counts[:, cells].sum(axis=1) == 0] = np.nan
        return difference

    return rows, values


def first_of(cell: IntArray) -> IntArray:
    """Return the first case of each cell."""
    first = np.empty(cell.max() + 1, dtype=np.int64)
    first[cell[::-1]] = np.arange(len(cell))[::-1]
    return first


def _resampled_at_once(
    rows: _arrays.Form, cell: IntArray, units: Groups, size: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Return the metric of each resample, and of all cases but those of a block of units."""
    left = rows(np.concatenate(list(_arrays.without(cell, units, _BLOCKS, rng))))
    values = np.full(size, np.nan)
    for _ in range(_TRIES):  # until the metric is defined
        undefined = np.flatnonzero(np.isnan(values))
        if not undefined.size:
            break
        drawn = _arrays.drawn(cell, units, len(undefined), rng)
        values[undefined] = np.concatenate([rows(counts) for counts in drawn])
    return values, left


def count_cells(truth: Labels, models: list[Labels]) -> IntArray:
    """Return the cell of each case: one for each kind of case, or one for each case."""
    n = len(truth)
    cell = np.zeros(n, dtype=np.int64)
    if all(model.ndim == 1 for model in models):
        for column in (truth, *models):
            code = coded(column)
            cell = coded(cell * (int(code.max()) + 1) + code)
        if cell.max() < _CELLS * n:
            return cell
    return np.arange(n)


def coded(column: Labels) -> IntArray:
    """Number the values of a column from 0; small whole numbers without sorting them."""
    if column.dtype.kind in "biu":
        least, largest = int(column.min()), int(column.max())
        if largest - least < max(_SMALL, len(column)):
            place = column.astype(np.int64, copy=False)
            if least:
                place = place - least
            seen = np.bincount(place) > 0
            return place if seen.all() else np.asarray((np.cumsum(seen) - 1)[place])
    return np.unique(column, return_inverse=True)[1]


def of_cells(
    meant: Asked, cell: IntArray, truth: Labels, models: list[Labels], classes: list[BoolArray]
) -> OfCounts:
    """Return the metric, or the difference in it, as one of the counts of cells.

    It is nan where it is not defined.
    """
    first = np.unique(cell, return_index=True)[1]
    held = [cases[first] for cases in classes]
    forms = []
    for model in models:
        form = form_of(meant, truth[first], model[first])
        whole = form(np.bincount(cell))
        # a form that does not give what the function does is none
        if not np.isclose(whole, value_of(meant, truth, model), 1e-9, 1e-12):
            form = partial(repeated, meant, truth[first], model[first])
        forms.append(form)

    def value_at(counts: IntArray) -> float:
        if any(not counts[cells].any() for cells in held):
            return np.nan
        try:
            value, *other = (form(counts) for form in forms)
        except ValueError:
            return np.nan
        return value - sum(other)

    return value_at


def form_of(meant: Asked, truth: Labels, model: Labels) -> OfCounts:
    """Return a metric as one of the counts of the cells."""
    losses = case_losses(meant.name, truth, model)
    if losses is not None:
        root = meant.name == ROOT
        return lambda counts: float(np.average(losses, None, counts) ** (0.5 if root else 1))
    return partial(_under_weights if _of_counts(meant) else repeated, meant, truth, model)


def _under_weights(meant: Asked, truth: Labels, score: Labels, counts: IntArray) -> float:
    """Give a metric the counts of the cells; one that was not drawn is not there."""
    drawn = counts > 0
    return value_of(meant, truth[drawn], score[drawn], sample_weight=counts[drawn].astype(float))


def repeated(meant: Asked, truth: Labels, score: Labels, counts: IntArray) -> float:
    """Give a metric each case as often as its cell counts."""
    rows = np.repeat(np.arange(len(counts)), counts)
    return value_of(meant, truth[rows], score[rows])


def _refuse_collapse(values: FloatArray, value: float) -> None:
    """Refuse a bootstrap that has nothing to say, or speaks of something else."""
    lost = int(np.isnan(values).sum())
    if lost:
        rule = f"metric must be defined on resamples, but {lost} of {len(values)} gave none in "
        raise ValueError(f"{rule}{_TRIES} draws: too few cases of some class for a bootstrap")
    tied = float((values == value).mean())
    if tied > _TIED:
        rule = f"metric must vary over resamples, but {100 * tied:.0f}% of them give the same value"
        raise ValueError(
            f"{rule} as the data, {value:.4g}: too little went wrong for a bootstrap; {EXACT}"
        )
    off = float((values.mean() - value) / values.std())
    if abs(off) > _BIAS:
        raise ValueError(
            f"metric must be centred on its value over resamples, but {value:.4g} becomes "
            f"{values.mean():.4g}, {abs(off):.2g} standard errors off: it is biased, as are "
            "calibration errors and maxima, and a bootstrap interval would miss the truth"
        )
