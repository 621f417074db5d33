"""The bootstrap of any metric: resamples, quantiles, and refusals.

A metric doesn't depend on the order of the examples, so examples with the same labels and scores
form one cell with a count. Labels have few cells, so a resample of a million examples is a small
random table, from which the metric is computed.
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
from errlab.statements.metric._mean_loss import ABSOLUTE, OF_CASES, ROOT, case_losses, largest_share
from errlab.statements.metric._optimism import refuse_optimism
from errlab.statements.per_class import RARER

# Means, ratios of means and rankings, whose bias is small compared with their standard error.
SMOOTH = (*OF_CASES, "average_precision_score")
# scikit-learn's metrics in this module are smooth functions of the counts of labels
_TABLES = "sklearn.metrics._classification"
_FEWEST = 6  # smallest number of groups or examples: with 5 groups, 95% intervals cover 89 to 91%
_OF_PROBABILITIES = (
    "brier_score_loss", "log_loss", "d2_brier_score", "d2_log_loss_score", "hinge_loss",
)  # fmt: skip
_BLOCKS = 200  # blocks of the data that the jackknife leaves out in turn
_TRIES = 20  # attempts to draw a resample on which the metric is defined
_TIED = 0.25  # largest fraction of resamples that may equal the estimate
_BIAS = 0.5  # largest bias of the resamples, in standard errors
# integers in a range up to this length are coded by counting, which is faster than sorting
_SMALL = 10_000
EXACT = "of labels take metric='accuracy' or errlab.per_class, whose intervals are exact"
_CELLS = 0.5  # count examples by cell if there are at most this many cells per example

Each = Callable[..., list[float]]  # applies a function to many arguments
OfCounts = Callable[[IntArray], float]  # maps the number of examples in each cell to the metric


def bootstrap(
    meant: Asked,
    columns: Columns,
    size: int,
    delta: float,
    rng: np.random.Generator,
    each: Each,
) -> MetricClaim:
    """Resample examples or groups, for both models at once, and return quantiles of the metric."""
    truth, n = columns.y_true, len(columns.y_true)
    models = models_of(columns)
    cell = count_cells(truth, models)
    # without groups, each example is a unit
    units, kind = columns.units, "groups"
    if units is None:
        units, kind = Groups(np.arange(n), np.ones(n), 1.0), "examples"
        # sort the rows, because their order must not matter; tables are counts and have none
        if meant.name not in _arrays.OF_TABLES or cell.max() == n - 1:
            order = in_one_order(cell, truth, models)
            truth, models, cell = truth[order], [model[order] for model in models], cell[order]
    classes = _two_classes(truth)
    fewest = _smallest_unit_count(classes, units, kind)
    checks.require(size * delta >= 2, "resamples", f"be at least 2 / delta = {2 / delta:.6g}", size)
    rows, values = _resampling_function(meant, cell, truth, models, classes)
    value = values[0] - sum(values[1:])
    if not (meant.name in SMOOTH or _accepts_weights(meant) or _arrays.is_form(meant.name)):
        for model in models:
            refuse_optimism(meant.label, partial(value_of, meant), truth, model)
    if rows is not None:
        resampled, left = _resampled_at_once(rows, cell, units, size, rng)
    else:
        value_at = of_cells(meant, cell, truth, models, classes)
        resampled, left = _resampled(value_at, cell, units, size, rng, each)
    # remove rounding errors, because a resample that equals the estimate, or 0, counts half
    for point in (value, 0.0):
        resampled[np.isclose(resampled, point, rtol=1e-12, atol=1e-14)] = point
    _refuse_collapse(resampled, value)
    z = _t_quantiles(fewest, delta)
    name, both, pvalue = "percentile bootstrap", special.ndtr(z), None
    if len(models) == 1:
        name, both = "BCa bootstrap", _bca_levels(resampled, left, value, z)
    else:
        pvalue = _pvalue(resampled, fewest)
    method = Method(f"{name} of {size} samples of {kind}", key=name)
    losses = [case_losses(meant.name, truth, model) for model in models]
    of_losses = all(column is not None for column in losses)
    among = min((int(cases.sum()) for cases in classes), default=n)
    by_class = bool(classes) and columns.units is None and not of_losses
    count, unit = (float(among), RARER) if by_class else size_of(n, columns.units)
    return MetricClaim(
        values=tuple(values),
        claim=asymptotic(values, quantiles(resampled, np.asarray(both)), method, pvalue, delta),
        among=among,
        size=count,
        unit=unit,
        rarer=bool(classes),
        largest=largest_share(np.array(losses, dtype=float)) if of_losses else None,
        heavy=of_losses and heavy(np.array(losses, dtype=float), absolute=meant.name == ABSOLUTE),
    )


def _two_classes(truth: Labels) -> list[BoolArray]:
    """Return the masks of two classes, which most metrics need in every resample."""
    label = coded(truth)
    return [label == 0, label == 1] if label.max() == 1 else []


def _stretch(units: int) -> float:
    """Return the factor that removes the (n - 1)/n of the bootstrap variance (Hesterberg 2015)."""
    return float(np.sqrt(units / (units - 1)))


def _t_quantiles(units: int, delta: float) -> FloatArray:
    """Return the quantiles of a t distribution for few units, instead of normal ones."""
    return np.asarray(_stretch(units) * special.stdtrit(units - 1, delta / 2) * np.array([1, -1]))


def _bca_levels(resampled: FloatArray, left: FloatArray, value: float, z: FloatArray) -> FloatArray:
    """Return the levels of BCa, with the acceleration from the values without each block."""
    left = left[~np.isnan(left)]
    return levels(share_below(resampled, value), acceleration(left.mean() - left), z)


def _pvalue(differences: FloatArray, units: int) -> float:
    """Return the level at which an end of the interval for a difference is 0."""
    reach = abs(special.ndtri(share_below(differences, 0.0))) / _stretch(units)
    return min(max(2 * float(special.stdtr(units - 1, -reach)), 2 / len(differences)), 1.0)


def _smallest_unit_count(classes: list[BoolArray], units: Groups, kind: str) -> int:
    """Return the number of units with an example of the rarer class; refuse too few."""
    unit_counts = [len(np.unique(units.code[cases])) for cases in classes]
    fewest = min(unit_counts, default=units.number)
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
    """Replace the positive label by 1 and others by 0, in predicted labels as well.

    Scores aren't changed. Strings are labels, and numbers are labels if the metric is one of
    labels.
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
    """Return an order of the examples that doesn't depend on the order of the rows."""
    if cell.max() < len(cell) - 1:
        return np.argsort(cell, kind="stable")
    columns = [np.atleast_2d(column.T) for column in (truth, *models)]
    return np.lexsort([coded(part) for column in columns for part in column])


def _accepts_weights(meant: Asked) -> bool:
    """Whether a metric is a smooth function of counts of labels and accepts weights."""
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
    """Return the metric of each resample, and of the data without each block of units."""
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

    # a seed for each resample, so that results don't depend on the number of workers
    seeds = rng.integers(2**63, size=size).tolist()
    # BCa needs only the skewness from the jackknife, for which 200 blocks are enough
    blocks = np.array_split(rng.permutation(number), min(number, _BLOCKS))
    values = each(of_seed, [(seed,) for seed in seeds])
    return np.array(values), np.array(each(without, [(block,) for block in blocks]))


def _resampling_function(
    meant: Asked,
    cell: IntArray,
    truth: Labels,
    models: list[Labels],
    classes: list[BoolArray],
) -> tuple[_arrays.Form | None, list[float]]:
    """Return a function for the metric of many resamples, or None, and the metric's values.

    Only metrics that are known by name have such a function.
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
        # scikit-learn's error says what is wrong
        return None, [value_of(meant, truth, model) for model in models]
    class_masks = [cases[first] for cases in classes]

    def rows(counts: FloatArray) -> FloatArray:
        value, *other = (form(counts) for form in forms)
        difference = np.asarray(value - sum(other))
        for cells in class_masks:  # a resample without a class is drawn again
            difference[counts[:, cells].sum(axis=1) == 0] = np.nan
        return difference

    return rows, values


def first_of(cell: IntArray) -> IntArray:
    """Return the position of the first example of each cell."""
    first = np.empty(cell.max() + 1, dtype=np.int64)
    first[cell[::-1]] = np.arange(len(cell))[::-1]
    return first


def _resampled_at_once(
    rows: _arrays.Form, cell: IntArray, units: Groups, size: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Return the metric of all resamples at once, and of the data without each block of units."""
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
    """Return the cell of each example: its combination of labels, or its number if scores vary."""
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
    """Number the values of a column from 0, without sorting if they are small whole numbers."""
    if column.dtype.kind in "biu":
        smallest, largest = int(column.min()), int(column.max())
        if largest - smallest < max(_SMALL, len(column)):
            place = column.astype(np.int64, copy=False)
            if smallest:
                place = place - smallest
            present = np.bincount(place) > 0
            return place if present.all() else np.asarray((np.cumsum(present) - 1)[place])
    return np.unique(column, return_inverse=True)[1]


def of_cells(
    meant: Asked, cell: IntArray, truth: Labels, models: list[Labels], classes: list[BoolArray]
) -> OfCounts:
    """Return the metric, or the difference in it, as a function of the counts of cells.

    It is nan if it is undefined.
    """
    first = np.unique(cell, return_index=True)[1]
    class_masks = [cases[first] for cases in classes]
    forms = []
    for model in models:
        form = form_of(meant, truth[first], model[first])
        whole = form(np.bincount(cell))
        # if the fast form disagrees with the metric itself, use the general one
        if not np.isclose(whole, value_of(meant, truth, model), 1e-9, 1e-12):
            form = partial(repeated, meant, truth[first], model[first])
        forms.append(form)

    def value_at(counts: IntArray) -> float:
        if any(not counts[cells].any() for cells in class_masks):
            return np.nan
        try:
            value, *other = (form(counts) for form in forms)
        except ValueError:
            return np.nan
        return value - sum(other)

    return value_at


def form_of(meant: Asked, truth: Labels, model: Labels) -> OfCounts:
    """Return a metric as a function of the counts of the cells."""
    losses = case_losses(meant.name, truth, model)
    if losses is not None:
        root = meant.name == ROOT
        return lambda counts: float(np.average(losses, None, counts) ** (0.5 if root else 1))
    return partial(_under_weights if _accepts_weights(meant) else repeated, meant, truth, model)


def _under_weights(meant: Asked, truth: Labels, score: Labels, counts: IntArray) -> float:
    """Return the metric with the counts of the drawn cells as weights."""
    drawn = counts > 0
    return value_of(meant, truth[drawn], score[drawn], sample_weight=counts[drawn].astype(float))


def repeated(meant: Asked, truth: Labels, score: Labels, counts: IntArray) -> float:
    """Return the metric of data that contain each cell's example as often as it is counted."""
    rows = np.repeat(np.arange(len(counts)), counts)
    return value_of(meant, truth[rows], score[rows])


def _refuse_collapse(values: FloatArray, value: float) -> None:
    """Refuse a bootstrap whose resamples are undefined, nearly constant or biased."""
    lost = int(np.isnan(values).sum())
    if lost:
        rule = f"metric must be defined on resamples, but on {lost} of {len(values)} it was not in "
        raise ValueError(f"{rule}{_TRIES} draws: a class has too few examples for a bootstrap")
    tied = float((values == value).mean())
    if tied > _TIED:
        rule = f"metric must vary over resamples, but {100 * tied:.0f}% of them give the same value"
        raise ValueError(
            f"{rule} as the data, {value:.4g}: there are too few errors for a bootstrap; {EXACT}"
        )
    off = float((values.mean() - value) / values.std())
    if abs(off) > _BIAS:
        raise ValueError(
            f"metric must be unbiased, but {value:.4g} becomes {values.mean():.4g} on "
            f"resamples, {abs(off):.2g} standard errors off, so a bootstrap interval would miss "
            "the true value; calibration errors and maxima are biased, too"
        )
