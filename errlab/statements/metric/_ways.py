"""The ways to an interval for a metric: a formula where there is one, or else the bootstrap.

The bootstrap has its resamples here, the quantiles of what they give, and its refusals. Each way
says what its coverage depends on, by which what was measured of it is found.
"""

from __future__ import annotations

import contextlib
import warnings
from contextlib import AbstractContextManager
from functools import partial
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special

from errlab import metrics
from errlab._core import checks, extras, workers
from errlab._core.checks import FloatArray, FloatOrArray, IntArray, Labels
from errlab._core.interval import Guarantee, Interval
from errlab._core.statement import Method, method_key
from errlab._numerics.groups import Groups, codes, grouped, t_quantile
from errlab.bootstrap._resample import acceleration, levels, quantiles, share_below
from errlab.compare import paired_difference
from errlab.compare.fay_lumbard import melded
from errlab.compare.mean_claims import KORN, ROBUST_TEST, Draws, difference_claim, mean_claim
from errlab.metrics import RATES, confusion
from errlab.metrics._weighted import Weighted, case_losses, weighted
from errlab.metrics.confusion import BoolArray, positives
from errlab.metrics.curves import df_of_classes, of_classes, score_interval
from errlab.metrics.per_class import RAREST, SQUARE_AND_ADD
from errlab.metrics.rates import mean_rate
from errlab.statements.metric._asked import F1, Asked, Function, of_library
from errlab.statements.metric._optimism import refuse_optimism

Maybe = ArrayLike | None  # what a second model said, or the group of each case
# Rates of the cases of one true class, or of all.
OF_TRUTH = ("TPR", "FPR", "FNR", "TNR", "ERR", "ACC")

SQUARED = "square-and-add of the score intervals"
PAIRED = "square-and-add of the exact paired intervals of the classes"
RARER = "cases of the rarer class"
GROUPS = "effective groups"
OF_RARER = "effective groups of the rarer class"
LARGEST = "share of the largest loss"
# what a claim about a mean calls itself where it is one-sided, too
_INTERVALS: dict[str, str] = {KORN: "Korn and Graubard", ROBUST_TEST: "cluster-robust t"}
_BETS = ("bets on the groups", "bets on the differences of the groups")
_NEAR = 1e-6  # one over the standard errors that a test goes at most
_LEAST = 1e-12  # the smallest p-value that is looked for
ROOT = "root_mean_squared_error"
# Means, ratios of means and rankings: none is larger on a sample than in truth by more than a small
# part of its standard error.
SMOOTH = (
    ROOT, "mean_absolute_error", "mean_squared_error", "brier_score_loss", "log_loss", "r2_score",
    "average_precision_score", "matthews_corrcoef", "cohen_kappa_score", "f1_score_macro",
    "balanced_accuracy_score",
)  # fmt: skip
_FEW = 6  # groups, or cases, that a bootstrap needs: of 5 groups its interval covers 89 to 91%
_BLOCKS = 200  # parts that the jackknife leaves out one by one
_TRIES = 20  # draws of a resample until the metric is defined on it
_TIED = 0.25  # share of the resamples that may give the very value that the data gave
_BIAS = 0.5  # standard errors that their mean may be off it


class Found(NamedTuple):
    """What one way to an interval returns."""

    value_a: float
    value_b: float | None
    ends: Interval[FloatOrArray]
    pvalue: float | None
    method: str
    among: int  # the cases that it rests on
    guarantee: Guarantee = "asymptotic"
    interval_guarantee: Guarantee = "asymptotic"
    rarer: bool = False  # whether those are the ones of the rarer class
    size: float = 0.0  # what the coverage depends on
    unit: str = "cases"
    largest: float | None = None  # share of the mean loss that the largest one holds


def _of_groups(method: str, units: Groups) -> str:
    """Name an interval of cases in groups; a proven one with the size that no group may pass."""
    if method in _BETS:
        return Method(f"{method} of at most {units.most:.0f} cases", key=method_key(method))
    return _INTERVALS.get(method, method)


def areas(
    y_true: ArrayLike, a: ArrayLike, b: Maybe, groups: Maybe, positive: object, delta: float
) -> Found:
    """The score interval of one area; of the difference of two those of both, combined."""
    for name, column in (("score_a", a), ("score_b", b)):
        if column is not None and checks.raw(column, name).ndim == 2:
            raise ValueError(
                f"{name} must have 1 dimension for roc_auc, got {checks.show(column)}; of two "
                "classes give the column of the positive one, of more take metric='roc_auc_ovr'"
            )
    first = checks.numbers(a, "score_a", ndim=1)
    checks.graded(checks.labels(y_true, "y_true"), first, "score_a")
    (truth,) = positives(positive, y_true=y_true)
    rarer = int(min(truth.sum(), (~truth).sum()))
    units = None if groups is None else grouped(groups, len(truth))
    sized: tuple[float, str] = (rarer, RARER)
    if units is not None:
        sized = (min(held.effective for held in of_classes(truth, units)), OF_RARER)
    if b is None:
        ends = metrics.area_interval(y_true, first, delta=delta, positive=positive, groups=groups)
        area = float(metrics.area(y_true, first, positive=positive))
        # positives that rank below all negatives may be missing in the sample: none among r allows
        # for a share of 1 - (delta / 2)^(1/r), whatever the model of the scores
        fewest = rarer if units is None else min(held.number for held in of_classes(truth, units))
        none = (delta / 2) ** (1 / fewest)
        ends = Interval(min(ends.low, none), max(ends.high, 1 - none))
        return Found(area, None, ends, None, "score interval", rarer, "asymptotic", "asymptotic",
                     True, *sized)  # fmt: skip
    second = checks.numbers(b, "score_b", ndim=1)
    checks.same_length(score_a=first, score_b=second)
    both = metrics.delong(y_true, [first, second], positive=positive, groups=groups)
    found, covariance = map(np.asarray, both)
    variances = covariance.diagonal()
    variance = float(variances.sum() - 2 * covariance[0, 1])
    one, other = found.tolist()
    if variance <= 1e-14 * float(variances.sum()) or variance <= 0:
        why = "they rank all of them alike"
        if one != other:
            why = f"their areas, {one:.3g} and {other:.3g}, leave no spread to be seen"
        raise ValueError(
            "score_a and score_b must rank pairs of cases so that the variance of the difference "
            f"can be estimated, but {why}"
        )
    # with few cases of a class its part of the variance is uncertain, and decides
    df = rarer - 1.0 if units is None else df_of_classes(truth, units)
    # areas on the same cases rise and fall together
    spread = float(np.sqrt(variances.prod()))
    correlation = float(covariance[0, 1]) / spread if spread > 0 else 0.0

    def at(z: float) -> Interval:
        """Square and add the score intervals of the two areas (Zou and Donner 2008)."""
        p, q = (
            score_interval(truth, area, float(own), units, z)
            for area, own in zip((one, other), variances, strict=True)
        )
        # how far each area is from its ends: low and high of the first, then of the second
        x = np.array([one - p.low, p.high - one])
        y = np.array([q.high - other, other - q.low])
        reach = np.sqrt(np.maximum(x**2 + y**2 - 2 * correlation * x * y, 0.0)).tolist()
        return Interval(max(one - other - reach[0], -1.0), min(one - other + reach[1], 1.0))

    pvalue = 1.0
    # invert the interval: the quantile z = part / (1 - part) at which the end nearer to 0 is 0
    if one != other:
        side = int(one < other)
        far = 1 - _NEAR
        if at(far / _NEAR)[side] * (1 - 2 * side) < 0:
            far = optimize.brentq(lambda part: at(part / (1 - part))[side], 0.0, far)
        pvalue = float(2 * special.stdtr(df, -far / (1 - far)))
    ends = at(t_quantile(df, delta / 2))
    return Found(one, other, ends, pvalue, SQUARED, rarer, "asymptotic", "asymptotic", True,
                 *sized)  # fmt: skip


def rates(
    key: str, y: ArrayLike, a: ArrayLike, b: Maybe, groups: Maybe, positive: object, delta: float
) -> Found:
    """One rate of a confusion matrix, or the difference of two that are of the same cases."""
    among, hits_a = _hits(key, y, a, positive, "score_a")
    if not among.any():
        raise ValueError(f"{RATES[key].names[0]} needs cases to be a rate of, got none")
    count = int(among.sum())
    units = None if groups is None else grouped(checks.labels(groups, "groups")[among], count)
    sized: tuple[float, str] = (count, "cases")
    if units is not None:
        sized = (units.effective, GROUPS)
    one = hits_a[among].astype(float)
    if b is None:
        claim = mean_claim(one, delta, rate=True, units=units, seed=None)
        ends, level = Interval(claim.low, claim.high), claim.guarantee
        way = "Clopper-Pearson" if units is None else _of_groups(claim.method, units)
        return Found(float(one.mean()), None, ends, None, way, count, level, level, False, *sized)
    other = _hits(key, y, b, positive, "score_b")[1][among].astype(float)
    values = (float(one.mean()), float(other.mean()))
    if units is not None:
        gap = difference_claim(one - other, delta, units=units, seed=None)
        ends, level = Interval(gap.low, gap.high), gap.guarantee
        way = _of_groups(gap.method, units)
        return Found(*values, ends, gap.pvalue, way, count, level, level, False, *sized)
    n01, n10 = int((one > other).sum()), int((other > one).sum())
    table = [[0, n01], [n10, count - n01 - n10]]  # which agree on what is no matter
    exact = paired_difference(table, method="exact", delta=delta)
    ends = cast(Interval, exact.interval)  # there is a difference, and so an interval
    way = Method("exact McNemar test, interval of Fay and Lumbard", key="exact McNemar test")
    return Found(*values, ends, float(exact.pvalue), way, count, "exact", "none proven", False,
                 *sized)  # fmt: skip


def _hits(
    key: str, y_true: ArrayLike, y_pred: ArrayLike, positive: object, name: str
) -> tuple[BoolArray, BoolArray]:
    """Return the cases that a rate is of, and those that it counts if they are among them."""
    wrong = checks.zero_one_losses(y_true, y_pred, name)
    columns = {"y_true": y_true, name: y_pred}
    everyone = np.ones(len(wrong), dtype=bool)
    if key in ("ACC", "ERR"):
        if positive is not None:
            positives(positive, **columns)  # refuses an unknown one
        return everyone, wrong if key == "ERR" else ~wrong
    truth, call = positives(positive, **columns)
    # the cases behind each count of a confusion matrix
    cases = {"n": everyone, "positives": truth, "negatives": ~truth}
    cases |= {"called_positive": call, "called_negative": ~call}
    cases |= {"tp": truth & call, "fn": truth & ~call, "fp": ~truth & call, "tn": ~truth & ~call}
    return cases[RATES[key].among], cases[RATES[key].hits]


def f1(y_true: ArrayLike, y_pred: ArrayLike, positive: object, delta: float) -> Found:
    """F1 of one model, exactly."""
    table = confusion(y_true, y_pred, positive=positive)
    ends = metrics.f1_interval(table.tp, table.fp, table.fn, delta=delta)
    among = table.n - table.tn
    return Found(table.f1, None, ends, None, "Clopper-Pearson", among, "exact", "exact")


def balanced_accuracy(
    y: ArrayLike, a: ArrayLike, b: Maybe, positive: object, delta: float
) -> Found:
    """Mean recall of the classes, or the difference of two: square-and-add over the classes.

    Of one model it adds up the exact intervals of the classes (Newcombe 1998; Zou and Donner 2008),
    of two those of Fay and Lumbard for the cases of each class. The classes share no case, so that
    the differences in them are independent.
    """
    right = _hits("ACC", y, a, positive, "score_a")[1]
    code = codes(y, "y_true")
    sizes, hits = np.bincount(code), np.bincount(code, right).astype(int)
    two = len(sizes) == 2
    among = int(sizes.min() if two else sizes.sum())
    sized = (float(sizes.min()), RARER if two else RAREST)
    if b is None:
        value, ends = mean_rate(np.transpose([hits, sizes]), delta)
        return Found(value, None, ends, None, SQUARE_AND_ADD, among, "asymptotic", "asymptotic",
                     two, *sized)  # fmt: skip
    other = _hits("ACC", y, b, positive, "score_b")[1]
    # cases of each class that A alone got right, and that B alone did
    only_a, only_b = (np.bincount(code, x) for x in (right & ~other, other & ~right))
    gaps = (only_a - only_b) / sizes
    value = float(gaps.mean())
    counts = np.array([only_a, only_b, sizes], dtype=float)

    def at(level: float) -> Interval:
        """Add up the squares of how far the differences are from the ends of their intervals."""
        ends = melded(*counts, delta=level)
        down, up = (np.sqrt(((end - gaps) ** 2).sum()) / len(gaps) for end in ends)
        return Interval(max(value - float(down), -1.0), min(value + float(up), 1.0))

    # invert the interval: the level at which the end nearer to 0 is 0
    pvalue = 1.0
    if value:
        side = int(value < 0)
        sign = 1 - 2 * side
        if at(_LEAST)[side] * sign >= 0:
            pvalue = _LEAST
        elif at(1 - _LEAST)[side] * sign > 0:
            pvalue = float(optimize.brentq(lambda level: at(level)[side], _LEAST, 1 - _LEAST))
    values = (hits / sizes).mean(), (np.bincount(code, other) / sizes).mean()
    return Found(float(values[0]), float(values[1]), at(delta), pvalue, PAIRED, among, "asymptotic",
                 "asymptotic", two, *sized)  # fmt: skip


def mean_loss(
    asked: Asked, truth: Labels, scores: list[ArrayLike], span: Interval, groups: Maybe,
    delta: float, seed: Draws,
) -> Found | None:  # fmt: skip
    """Mean of losses of which each lies in `span`, or the difference of two: by bets, proven.

    Return None where the metric is no such mean.
    """
    models = _models(scores, len(truth))
    losses = [case_losses(asked.name, truth, model) for model in models]
    if any(each is None for each in losses):
        return None
    each = np.array(losses, dtype=float)
    whole = [_value(asked, truth, model) for model in models]
    root = asked.name == ROOT
    means = np.sqrt(each.mean(axis=1)) if root else each.mean(axis=1)
    sign = 1.0 if np.allclose(whole, means, rtol=1e-9, atol=1e-12) else -1.0
    if not np.allclose(whole, sign * means, rtol=1e-9, atol=1e-12):
        return None
    low, high = span
    if root:
        low, high = 0.0, max(abs(low), abs(high)) ** 2
        if len(each) > 1:
            raise ValueError("range gives no interval for two root mean squared errors; take mse")
    inside = (each >= low - 1e-12).all() and (each <= high + 1e-12).all()
    checks.require(inside, "range", "hold the loss of each case", f"losses from {each.min():.4g} "
                   f"to {each.max():.4g}")  # fmt: skip
    n = len(truth)
    units = None if groups is None else grouped(groups, n)
    sized = (float(n), "cases") if units is None else (units.effective, GROUPS)
    unit = np.clip((each - low) / (high - low), 0, 1)
    if len(each) == 1:
        claim = mean_claim(unit[0], delta, rate=False, units=units, seed=seed)
        ends = np.array([claim.low, claim.high]) * (high - low) + low
        ends = np.sqrt(ends) if root else ends
        way, level, pvalue = claim.method, claim.guarantee, None
    else:
        gap = difference_claim(unit[0] - unit[1], delta, units=units, seed=seed)
        ends = np.array([gap.low, gap.high]) * (high - low)
        way, level, pvalue = gap.method, gap.guarantee, gap.pvalue
    first, last = (sign * ends)[:: int(sign)].tolist()
    return Found(
        whole[0], whole[1] if len(whole) > 1 else None, Interval(first, last), pvalue, way, n,
        level, level, False, *sized, _share(each),
    )  # fmt: skip


def _share(losses: FloatArray) -> float | None:
    """Return the share of the sum that the largest loss holds, in the model where it is larger."""
    sums = losses.sum(axis=-1)
    return float((losses.max(axis=-1) / sums).max()) if (sums > 0).all() else None


def _models(scores: list[ArrayLike], n: int) -> list[Labels]:
    """Check what each model said."""
    models = [_said(n, each, f"score_{'ab'[i]}") for i, each in enumerate(scores)]
    if len({model.shape for model in models}) > 1:
        shapes = " and ".join(str(model.shape) for model in models)
        raise ValueError(f"score_a and score_b must have one shape, got {shapes}")
    return models


def of_table(key: str, positive: object, y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Return F1 or a rate, for the bootstrap."""
    table = confusion(y_true, y_pred, positive=positive)
    return table.f1 if key == F1 else table.rate(key).value


class _Task(NamedTuple):
    """What all draws have in common."""

    asked: Asked
    truth: Labels
    models: list[Labels]  # what one said, or two
    units: Groups
    classes: list[BoolArray]  # the cases of each, where there are two
    forms: list[Weighted]  # the metric of each model as one of weights, where there is such a form


def bootstrap(
    asked: Asked, truth: Labels, scores: list[ArrayLike], groups: ArrayLike | None, size: int,
    delta: float, rng: np.random.Generator, work: tuple[int | None, bool | None],
) -> Found:  # fmt: skip
    """Draw cases or groups again, both models at once, and take quantiles of what they give."""
    n = len(truth)
    models = _models(scores, n)
    kind = "cases" if groups is None else "groups"
    units = grouped(np.arange(n) if groups is None else groups, n, least=1)
    labels = set(truth.tolist())
    # two classes are kept in every resample: with a rare one missing most metrics are undefined
    classes = [np.asarray(truth == label) for label in labels] if len(labels) == 2 else []
    # units that hold a case of the class: its weight is theirs
    held = [int((units.sums(each.astype(float)) > 0).sum()) for each in classes]
    few = min(held, default=units.number)
    for count, least, of in ((units.number, _FEW, ""), (few, 2, " of each class")):
        if count < least:
            raise ValueError(f"a bootstrap needs at least {least} {kind}{of}, got {count}")
    checks.require(size * delta >= 2, "resamples", f"be at least 2 / delta = {2 / delta:.6g}", size)
    whole = [_value(asked, truth, model) for model in models]
    value = whole[0] - sum(whole[1:])
    if asked.name not in SMOOTH:
        for model in models:
            refuse_optimism(asked.label, partial(_value, asked), truth, model)
    task = _Task(asked, truth, models, units, classes, _forms(asked, truth, models, whole))
    # a seed for each resample, so that the number of workers changes nothing
    seeds = rng.integers(2**63, size=size).tolist()
    # the jackknife, by blocks where there are many units: BCa needs the skewness alone
    blocks = np.array_split(rng.permutation(units.number), min(units.number, _BLOCKS))
    jobs = [(task, draw) for draw in (*seeds, *blocks)]
    found = np.array(workers.each(_again, jobs, n_jobs=work[0], progress=work[1]))
    # the resamples first, then what is left without each block
    values, left = found[:size], found[size:]
    for point in (value, 0.0):  # ties count half, whatever the order of a sum
        values[np.isclose(values, point, rtol=1e-12, atol=1e-14)] = point
    _refuse_collapse(values, value)
    # Hesterberg (2015): a percentile interval is as short as a normal one with the variance over n
    # in place of n - 1
    stretch = float(np.sqrt(few / (few - 1)))
    z = -stretch * special.stdtrit(few - 1, delta / 2) * np.array([-1.0, 1.0])
    if len(models) == 1:
        left = left[~np.isnan(left)]
        both = levels(share_below(values, value), acceleration(left.mean() - left), z)
        pvalue = None
    else:  # the percentile interval, and the level at which an end of it is 0
        both = special.ndtr(z)
        reach = abs(special.ndtri(share_below(values, 0.0))) / stretch
        pvalue = min(max(2 * float(special.stdtr(few - 1, -reach)), 2 / size), 1.0)
    way = f"{'BCa' if pvalue is None else 'percentile'} bootstrap"
    among = min((int(each.sum()) for each in classes), default=n)
    sized = (units.effective, GROUPS) if groups is not None else (float(among), RARER)
    losses = [case_losses(asked.name, truth, model) for model in models]
    known = all(each is not None for each in losses)
    if groups is None and (known or not classes):
        sized = (float(n), "cases")
    return Found(
        whole[0], None if pvalue is None else whole[1], quantiles(values, both), pvalue,
        Method(f"{way} of {size} samples of {kind}", key=way), among, "asymptotic", "asymptotic",
        bool(classes), *sized, _share(np.array(losses, dtype=float)) if known else None,
    )  # fmt: skip


def _said(n: int, value: ArrayLike, name: str) -> Labels:
    """Check what a model said: labels, or numbers in one column or more."""
    columns = checks.raw(value, name).ndim
    array = checks.numbers(value, name, ndim=2) if columns == 2 else checks.labels(value, name)
    checks.require(len(array) == n, name, f"have {n} cases, as y_true has", len(array))
    if array.dtype.kind == "S":
        raise TypeError(f"{name} must hold numbers or words, got bytes; decode them first")
    return array


def _forms(asked: Asked, truth: Labels, models: list[Labels], whole: list[float]) -> list[Weighted]:
    """Return the metric of each model as one of weights, where that gives what it does."""
    found = [weighted(asked.name, truth, model) for model in models]
    once = np.ones(len(truth))
    return [
        form
        for form, value in zip(found, whole, strict=True)
        if form is not None and np.isclose(form(once), value, rtol=1e-9, atol=1e-12)
    ]


def _again(task: _Task, draw: int | IntArray) -> float:
    """Return the metric, or the difference in it, of one resample, or of all but a block of units.

    Parameters
    ----------
    draw : int or ndarray
        The seed of a resample, which is drawn until the metric is defined; or the units to leave
        out.
    """
    many = task.units.number
    if not isinstance(draw, int):
        return _of_units(task, np.bincount(draw, minlength=many) == 0)
    rng = np.random.default_rng(draw)
    found = np.nan
    for _ in range(_TRIES):
        found = _of_units(task, np.bincount(rng.integers(many, size=many), minlength=many))
        if not np.isnan(found):
            break
    return found


def _of_units(task: _Task, times: Labels) -> float:
    """Return the metric where each unit occurs so many times; nan where it is not defined."""
    weights = np.empty(len(task.truth), dtype=np.int64)
    # a weight for each case: how often its unit was drawn
    weights[task.units.order] = np.repeat(times, task.units.sizes.astype(np.int64))
    if any(not weights[cases].any() for cases in task.classes):
        return np.nan
    if len(task.forms) == len(task.models):
        found = [form(weights.astype(float)) for form in task.forms]
        return found[0] - sum(found[1:])
    rows = np.repeat(np.arange(len(weights)), weights)
    quick: AbstractContextManager[None] = contextlib.nullcontext()
    if of_library(task.asked.function):  # it need not check the same arguments thousands of times
        within = extras.load("sklearn").config_context
        quick = within(skip_parameter_validation=True, assume_finite=True)
    try:
        with quick:
            found = [_value(task.asked, task.truth[rows], model[rows]) for model in task.models]
    except ValueError:
        return np.nan
    return found[0] - sum(found[1:])


def _value(asked: Asked, truth: Labels, score: Labels) -> float:
    """Call a metric; what it warns of counts as not defined."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            warnings.simplefilter("error", RuntimeWarning)
            # the balanced accuracy is defined all the same, over the classes of y_true
            warnings.filterwarnings("ignore", message="y_pred contains classes not in y_true")
            found = cast(Function, asked.function)(truth, score)
    except (ValueError, TypeError, ZeroDivisionError, UserWarning, RuntimeWarning) as error:
        said = " ".join(str(error).split())[:150]
        raise ValueError(f"metric {asked.label} is not defined for these cases: {said}") from None
    number = float(found) if isinstance(found, (int, float, np.number)) else np.nan
    checks.require(np.isfinite(number), f"metric {asked.label}", "return one finite number", found)
    return number


def _refuse_collapse(values: FloatArray, value: float) -> None:
    """Refuse a bootstrap that has nothing to say, or speaks of something else."""
    lost = int(np.isnan(values).sum())
    if lost:
        said = f"metric must be defined on resamples, but {lost} of {len(values)} gave none in "
        raise ValueError(f"{said}{_TRIES} draws: too few cases of some class for a bootstrap")
    tied = float((values == value).mean())
    if tied > _TIED:
        said = f"metric must vary over resamples, but {100 * tied:.0f}% of them give the same value"
        raise ValueError(f"{said} as the data, {value:.4g}: too little went wrong for a bootstrap")
    off = float((values.mean() - value) / values.std())
    if abs(off) > _BIAS:
        raise ValueError(
            f"metric must be centred on its value over resamples, but {value:.4g} becomes "
            f"{values.mean():.4g}, {abs(off):.2g} standard errors off: it is biased, as are "
            "calibration errors and maxima, and a bootstrap interval would miss the truth"
        )
