"""Any metric, of one model or of two, with an interval: exact if there is one, or a bootstrap."""

from __future__ import annotations

import contextlib
import json
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from errlab import _checks, _extras, _work, metrics
from errlab import _rounding as words
from errlab._checks import FloatArray, FloatOrArray, IntArray, Labels, Seed
from errlab._groups import Groups, grouped
from errlab._interval import Interval
from errlab._numerics import normal_quantile
from errlab._public import public
from errlab.bootstrap._bca import acceleration, levels
from errlab.compare import grouped_difference, mcnemar
from errlab.compare._melded import melded
from errlab.compare._result import Guarantee, Names, settle
from errlab.metrics import RATES, Confusion, confusion
from errlab.metrics._labels import BoolArray, positives
from errlab.metrics._weighted import Weighted, weighted

__all__ = ["Metric", "metric"]

Function = Callable[[Any, Any], object]  # of arrays of labels or scores, as each has them

AREA = "area under the ROC curve"
F1 = "F1"
_OTHER_NAMES = {"error": "ERR", "roc_auc": AREA, "auc": AREA, "area": AREA, "f1": F1}
_SCIKIT_LEARN = {
    "accuracy_score": "ACC",
    "zero_one_loss": "ERR",
    "precision_score": "PPV",
    "recall_score": "TPR",
    "f1_score": F1,
    "roc_auc_score": AREA,
}
# Rates of the cases of one true class, or of all: which cases, and which of them are hits.
_OF_TRUTH = ("TPR", "FPR", "FNR", "TNR", "ERR", "ACC")

_FEW = 5  # groups, or cases, with which no bootstrap is tried
_BLOCKS = 200  # parts that the jackknife leaves out one by one
_LOST = 0.01  # share of the resamples on which a metric may be undefined
_TIED = 0.25  # share of them that may give the very value that the data gave


class _Found(NamedTuple):
    """What one way to an interval returns: values of A and B, interval, p, method, guarantees."""

    value_a: float
    value_b: float | None
    ends: Interval[FloatOrArray]
    pvalue: float | None
    method: str
    guarantee: Guarantee
    interval_guarantee: Guarantee


@dataclass(frozen=True, repr=False)
class Metric:
    """A metric with its interval, or the difference of two models in it. It prints as a sentence.

    Attributes
    ----------
    metric : str
        What was measured.
    value : float
        Its value; of two models that of A minus that of B.
    low, high : float
        Interval for it.
    pvalue : float or None
        Of two models: p-value of the same test, two-sided. The interval excludes 0 if, and only
        if, it is at most `delta`.
    value_a : float
        The metric of the first model.
    value_b : float or None
        The metric of the second, where there is one.
    delta : float
        Probability that the interval may fail; level of the test.
    n : int
        Cases.
    groups : int or None
        Groups, where they were given.
    method : str
        Where interval and p-value come from.
    guarantee : str
        What is proven: of the interval, or, of two models, of the level of the test.
    interval_guarantee : str
        What is proven of the interval.
    names : tuple of str
        What the two are called.
    """

    metric: str
    value: float
    low: float
    high: float
    pvalue: float | None
    value_a: float
    value_b: float | None
    delta: float
    n: int
    groups: int | None
    method: str
    guarantee: Guarantee
    interval_guarantee: Guarantee
    names: Names = ("A", "B")

    def __repr__(self) -> str:
        """Return the result as a sentence."""
        cases = f"{self.n} cases" + (f" in {self.groups} groups" if self.groups else "")
        ends = f"{words.sure(self.delta)} interval {words.ends(self.low, self.high)}"
        proven = {"none proven": "nothing proven of it"}
        source = f"({self.method}; {proven.get(self.interval_guarantee, self.interval_guarantee)})"
        if self.pvalue is None:
            return f"{self.metric}: {self.value:.3g} on {cases}, {ends} {source}."
        a, b = self.names
        return (
            f"{self.metric} on {cases}: {a} {self.value_a:.3g}, {b} {self.value_b:.3g}. "
            f"{a} minus {b} is {self.value:.3g}, {ends}, "
            f"{words.chance(self.pvalue, self.delta)} {source}."
        )

    def to_json(self) -> str:
        """Return every number, and the sentence, as JSON."""
        return json.dumps({**asdict(self), "claim": repr(self)}, indent=2)


@public
def metric(
    y_true: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike | None = None,
    *,
    metric: str | Function,
    groups: ArrayLike | None = None,
    positive: object = None,
    resamples: int = 2000,
    delta: float = 0.05,
    names: Names = ("A", "B"),
    n_jobs: int | None = None,
    progress: bool | None = None,
    rng: Seed = None,
) -> Metric:
    r"""Measure one model, or the difference of two on the same cases, with an interval.

    The interval is the best that is known for the metric:

    - a rate (accuracy, precision, recall, and all others of ``errlab.metrics.RATES``):
      Clopper-Pearson, exact; with groups that of Korn and Graubard;
    - two accuracies, error rates, or rates of the cases of one true class: the exact McNemar
      test and the interval of Fay and Lumbard; with groups the cluster-robust t;
    - ``"roc_auc"``, one or two: DeLong, with groups Obuchowski, both asymptotic;
    - ``"f1"`` of one model: exact, from the counts;
    - anything else: a bootstrap of the cases, paired, or of whole groups, with the bias-corrected
      and accelerated ends (BCa). It is approximate, and where it has nothing to say it is refused.
      It calls the metric some thousand times. Of scikit-learn's metrics the common ones have a
      form that is far quicker and gives the same.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels.
    score_a : array_like, shape (n,) or (n, c)
        What the metric compares them with: predicted labels, scores or probabilities.
    score_b : array_like of the same shape, optional
        The same of a second model. The value is then that of A minus that of B.
    metric : str or callable
        One of the names above, the name of a function of ``sklearn.metrics`` with or without its
        ``_score`` or ``_loss`` (such as ``"average_precision"``), or any function
        ``metric(y_true, score)`` that returns a number.
    groups : array_like, shape (n,), optional
        The group of each case, such as its patient.
    positive : label, optional
        The positive label, where the labels are not 0 and 1 or -1 and +1.
    resamples : int
        Bootstrap samples, at least 100; not used where there is a formula.
    delta : float
        Probability that the interval may fail, in (0, 1); level of the test.
    names : tuple of str
        What to call the two models.
    n_jobs : int, optional
        Number of workers for the bootstrap, by joblib; -1 takes all processors.
    progress : bool, optional
        Whether a meter on the standard error shows how far the bootstrap is, once it takes more
        than two seconds; without a word, on a terminal.
    rng : seed, Generator or None
        Draws the bootstrap samples.

    Returns
    -------
    Metric
        With ``.value``, ``.low``, ``.high``, of two models ``.pvalue``, and ``.guarantee``.

    Raises
    ------
    ValueError
        If the lengths differ, a label is missing, the metric is unknown or not defined for the
        cases, or no interval can be had: an area of 0 or 1, two models that rank all cases alike,
        or a bootstrap that collapses. That it does where all resamples give one value, more than
        a quarter of them give the very value of the data, or more than one in a hundred give
        none.
    TypeError
        If words are compared with numbers, or the metric is neither a name nor a function.

    References
    ----------
    Clopper and Pearson (1934); Fay and Lumbard, Statistics in Medicine 40 (2021); DeLong, DeLong
    and Clarke-Pearson, Biometrics 44 (1988); Obuchowski, Biometrics 53 (1997); Efron and
    Tibshirani, An Introduction to the Bootstrap (1993), Eqs. 14.9 to 14.15.

    Examples
    --------
    >>> y_true = [0, 0, 0, 0, 1, 1, 1, 1] * 10
    >>> a = [0.1, 0.3, 0.6, 0.2, 0.5, 0.7, 0.9, 0.4] * 10
    >>> b = [0.1, 0.6, 0.6, 0.2, 0.5, 0.4, 0.9, 0.4] * 10
    >>> print(metric(y_true, a, metric="roc_auc"))
    area under the ROC curve: 0.875 on 80 cases, 95% interval 0.796 to 0.954 (DeLong; asymptotic).
    >>> found = metric(y_true, a, b, metric="roc_auc")
    >>> round(found.value, 4), round(found.low, 4), found.pvalue < 0.05
    (0.25, 0.139, True)
    >>> y_pred = [score > 0.45 for score in a]
    >>> metric(y_true, [int(p) for p in y_pred], metric="recall").guarantee
    'exact'
    """
    level = _checks.one_delta(delta)
    _work.check(n_jobs, progress)
    called = _checks.two_names(names)
    size = _checks.one_count(resamples, "resamples", 100)
    generator = _checks.generator(rng)
    truth = _checks.labels(y_true, "y_true")
    n = len(truth)
    known, function = _meant(metric)
    number = None if groups is None else grouped(groups, n).number
    label = metric if isinstance(metric, str) else getattr(metric, "__name__", "metric")
    label = label.replace("_", " ")
    if known == AREA:
        label = AREA
        found = _areas(y_true, score_a, score_b, groups, positive, level)
    elif known is not None and known in RATES and (score_b is None or known in _OF_TRUTH):
        found = _rates(known, y_true, score_a, score_b, groups, positive, level)
    elif known == F1 and score_b is None and groups is None:
        label = F1
        found = _f1(y_true, score_a, positive, level)
    else:
        if known is not None:
            function = _own(known, positive)
        else:
            truth = _coded(truth, positive)
        data = _Data(truth, *_columns(n, score_a, score_b), groups)
        found = _bootstrap(data, function, size, level, generator, (n_jobs, progress))
    value = found.value_a if found.value_b is None else found.value_a - found.value_b
    low, high = found.ends
    if found.pvalue is not None:
        low, high = settle(found.ends, found.pvalue, value, level)
    return Metric(
        label, value, float(low), float(high), found.pvalue, found.value_a,
        found.value_b, level, n, number, found.method, found.guarantee, found.interval_guarantee,
        called,
    )  # fmt: skip


def _meant(metric: str | Function) -> tuple[str | None, Function]:
    """Return the key of a metric that has a formula of ours, or else its function."""
    if callable(metric) and not isinstance(metric, type):
        return _SCIKIT_LEARN.get(_name_there(metric)), metric
    if not isinstance(metric, str):
        raise TypeError(f"metric must be a name or a function, got {_checks.show(metric)}")
    plain = metric.lower().replace("-", "_").replace(" ", "_")
    if plain in _OTHER_NAMES:
        return _OTHER_NAMES[plain], _nothing
    for name in (metric, plain.replace("_", " ")):
        if name in RATES:
            return RATES.find(name), _nothing
    library = _extras.load("sklearn.metrics")
    for name in (plain, f"{plain}_score", f"{plain}_loss"):
        found = getattr(library, name, None)
        if callable(found) and not isinstance(found, type) and name in library.__all__:
            return _SCIKIT_LEARN.get(name), found
    raise ValueError(
        f"metric must be roc_auc, f1, a rate such as accuracy, or a function of sklearn.metrics, "
        f"got {_checks.show(metric)}"
    )


def _name_there(function: Function) -> str:
    """Return the name of a function of sklearn.metrics, and nothing for another."""
    there = str(getattr(function, "__module__", "")).startswith("sklearn.metrics")
    return str(getattr(function, "__name__", "")) if there else ""


def _quick(function: Function) -> AbstractContextManager[None]:
    """Let scikit-learn not check the same arguments thousands of times."""
    if _name_there(function):
        within: Callable[..., AbstractContextManager[None]]
        within = _extras.load("sklearn").config_context
        return within(skip_parameter_validation=True, assume_finite=True)
    return contextlib.nullcontext()


def _nothing(y_true: Labels, score: Labels) -> float:
    raise NotImplementedError("a metric with a formula of ours needs no function")


def _areas(
    y_true: ArrayLike,
    a: ArrayLike,
    b: ArrayLike | None,
    groups: ArrayLike | None,
    positive: object,
    delta: float,
) -> _Found:
    """DeLong's interval, of one area or of the difference of two."""
    way = "DeLong" if groups is None else "Obuchowski"
    first = _checks.numbers(a, "score_a", ndim=1)
    if b is None:
        ends = metrics.area_interval(y_true, first, delta=delta, positive=positive, groups=groups)
        area = float(metrics.area(y_true, first, positive=positive))
        if ends.high <= ends.low or area in (0, 1):
            raise ValueError(
                "scores must overlap, and not all be equal, for an interval of the area, "
                f"got an area of {area:g}: "
                "its variance cannot be estimated"
            )
        return _Found(area, None, ends, None, way, "asymptotic", "asymptotic")
    second = _checks.numbers(b, "score_b", ndim=1)
    _checks.same_length(score_a=first, score_b=second)
    both = [first, second]
    areas, covariance = metrics.delong(y_true, both, positive=positive, groups=groups)
    variance = float(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    if variance <= 1e-14 * float(covariance[0, 0] + covariance[1, 1]) or variance <= 0:
        raise ValueError(
            "score_a and score_b must rank some pair of cases differently, but they rank all of "
            "them alike: the variance of the difference cannot be estimated"
        )
    difference = float(areas[0] - areas[1])
    error = float(np.sqrt(variance))
    half = float(normal_quantile(delta / 2)) * error
    ends = Interval(max(difference - half, -1.0), min(difference + half, 1.0))
    pvalue = float(2 * special.ndtr(-abs(difference) / error))
    return _Found(
        float(areas[0]), float(areas[1]), ends, pvalue, way, "asymptotic", "asymptotic"
    )  # fmt: skip


def _rates(
    key: str,
    y_true: ArrayLike,
    a: ArrayLike,
    b: ArrayLike | None,
    groups: ArrayLike | None,
    positive: object,
    delta: float,
) -> _Found:
    """One rate of a confusion matrix, or the difference of two that are of the same cases."""
    among, hits_a = _hits(key, y_true, a, positive, "score_a")
    if not among.any():
        raise ValueError(f"{RATES[key].names[0]} needs cases to be a rate of, got none")
    held = None if groups is None else _checks.labels(groups, "groups")[among]
    if b is None:
        hits = hits_a[among]
        if held is None:
            table = Confusion(int(hits.sum()), int((~hits).sum()), 0, 0)
            row = metrics.rate_interval(table, "PPV", delta=delta)  # tp of tp and fp
            ends = Interval(row.low, row.high)
            return _Found(row.value, None, ends, None, "Clopper-Pearson", "exact", "exact")
        found = metrics.korn_graubard(hits.astype(float), groups=held, delta=delta)
        ends = Interval(found.low, found.high)
        level = found.guarantee
        return _Found(found.mean, None, ends, None, "Korn and Graubard", level, level)
    hits_b = _hits(key, y_true, b, positive, "score_b")[1]
    one = hits_a[among]
    other = hits_b[among]
    rates = (float(one.mean()), float(other.mean()))
    if held is not None:
        losses = (one.astype(float), other.astype(float))
        test = grouped_difference(*losses, groups=held, delta=delta)
        ends = cast(Interval, test.interval)  # there is a difference, and so an interval
        if ends.high <= ends.low:
            raise ValueError(
                "score_a and score_b must differ by more in one group than in another, but they "
                f"differ by {test.estimate:.4g} in each"
            )
        return _Found(
            *rates, ends, float(test.pvalue), "cluster-robust t", "asymptotic",
            "asymptotic",
        )  # fmt: skip
    n01 = float((one & ~other).sum())
    n10 = float((other & ~one).sum())
    exact = melded(np.array(n01), np.array(n10), np.array(float(len(one))), delta=delta)
    pvalue = float(mcnemar(int(n01), int(n10)).pvalue)
    return _Found(
        *rates, exact, pvalue, "exact McNemar test, interval of Fay and Lumbard", "exact",
        "none proven",
    )  # fmt: skip


def _hits(
    key: str, y_true: ArrayLike, y_pred: ArrayLike, positive: object, name: str
) -> tuple[BoolArray, BoolArray]:
    """Return the cases that a rate is of, and those of them that it counts."""
    wrong = _checks.mistakes(y_true, y_pred, name)
    if key in ("ACC", "ERR"):
        return np.ones(len(wrong), dtype=bool), wrong if key == "ERR" else ~wrong
    truth, call = positives(positive, **{"y_true": y_true, name: y_pred})
    everyone = np.ones(len(truth), dtype=bool)
    return {
        "TPR": (truth, call),
        "FPR": (~truth, call),
        "FNR": (truth, ~call),
        "TNR": (~truth, ~call),
        "PPV": (call, truth),
        "FDP": (call, ~truth),
        "FOR": (~call, truth),
        "NPV": (~call, ~truth),
        "PRE": (everyone, truth),
    }[key]


def _f1(y_true: ArrayLike, y_pred: ArrayLike, positive: object, delta: float) -> _Found:
    """F1 of one model, exactly."""
    table = confusion(y_true, y_pred, positive=positive)
    ends = metrics.f1_interval(table.tp, table.fp, table.fn, delta=delta)
    return _Found(float(table.f1), None, ends, None, "Clopper-Pearson", "exact", "exact")


def _own(key: str, positive: object) -> Function:
    """Return a metric of ours as a function, for the bootstrap."""

    def of_labels(y_true: Labels, y_pred: Labels) -> float:
        if key == F1:
            return float(confusion(y_true, y_pred, positive=positive).f1)
        among, hits = _hits(key, y_true, y_pred, positive, "y_pred")
        if not among.any():
            raise ValueError(f"{RATES[key].names[0]} needs cases to be a rate of, got none")
        return float(hits[among].mean())

    return of_labels


def _coded(truth: Labels, positive: object) -> Labels:
    """Code the labels as 1 for the positive one and 0 for the others, where it is named."""
    if positive is None:
        return truth
    seen = truth.tolist()
    if positive not in seen:
        raise ValueError(f"positive must be one of the labels, got {_checks.show(positive)}")
    return np.array([int(label == positive) for label in seen])


class _Data(NamedTuple):
    """What the bootstrap draws from."""

    truth: Labels
    a: Labels
    b: Labels | None
    groups: ArrayLike | None


def _columns(n: int, a: ArrayLike, b: ArrayLike | None) -> tuple[Labels, Labels | None]:
    """Check what the models said; return one array each, of one shape."""
    first = _said(n, a, "score_a")
    second = None if b is None else _said(n, b, "score_b")
    if second is not None and first.shape != second.shape:
        raise ValueError(
            f"score_a and score_b must have one shape, got {first.shape} and {second.shape}"
        )
    return first, second


def _said(n: int, value: ArrayLike, name: str) -> Labels:
    """Check what a model said: labels, or numbers in one column or more."""
    columns = _checks.raw(value, name).ndim
    array = _checks.numbers(value, name, ndim=2) if columns == 2 else _checks.labels(value, name)
    if len(array) != n:
        raise ValueError(f"{name} must have {n} cases, as y_true has, got {len(array)}")
    return array


def _bootstrap(
    data: _Data, function: Function, size: int, delta: float, rng: np.random.Generator,
    workers: tuple[int | None, bool | None],
) -> _Found:  # fmt: skip
    """Draw cases or groups again, both models at once, and take the BCa ends."""
    n = len(data.truth)
    units = grouped(np.arange(n) if data.groups is None else data.groups, n, least=1)
    if units.number < _FEW:
        kind = "cases" if data.groups is None else "groups"
        raise ValueError(f"a bootstrap needs at least {_FEW} {kind}, got {units.number}")
    value_a = _value(function, data.truth, data.a)
    value_b = None if data.b is None else _value(function, data.truth, data.b)
    value = value_a if value_b is None else value_a - value_b
    forms = _forms(data, function, value_a, value_b)
    seeds = rng.integers(2**63, size=size).tolist()
    blocks = np.array_split(rng.permutation(units.number), min(units.number, _BLOCKS))
    jobs = [(data, units, function, forms, draw) for draw in (*seeds, *blocks)]
    n_jobs, progress = workers
    found = np.array(_work.each(_again, jobs, n_jobs=n_jobs, progress=progress))
    drawn, left = found[:size], found[size:]
    values = drawn[~np.isnan(drawn)]
    for point in (value, 0.0):  # ties count half, whatever the order of a sum
        values[np.isclose(values, point, rtol=1e-12, atol=1e-14)] = point
    _refuse_collapse(values, size, value)
    ends, pvalue = _bca(values, value, left[~np.isnan(left)], delta)
    what = "cases" if data.groups is None else "groups"
    return _Found(
        value_a, value_b, ends, None if value_b is None else pvalue,
        f"BCa bootstrap of {size} samples of {what}", "asymptotic", "asymptotic",
    )  # fmt: skip


def _forms(
    data: _Data, function: Function, value_a: float, value_b: float | None
) -> tuple[Weighted, ...] | None:
    """Return the metric of each model as one of weights, where that gives what it does."""
    name = _name_there(function)
    if not name:
        return None
    once = np.ones(len(data.truth))
    found = []
    for score, value in ((data.a, value_a), (data.b, value_b)):
        if score is None or value is None:
            continue
        form = weighted(name, data.truth, score)
        if form is None or not np.isclose(form(once), value, rtol=1e-9, atol=1e-12):
            return None
        found.append(form)
    return tuple(found)


def _again(
    data: _Data,
    units: Groups,
    function: Function,
    forms: tuple[Weighted, ...] | None,
    draw: int | IntArray,
) -> float:
    """Return the metric, or the difference in it, of one resample, or of all but a block of units.

    Parameters
    ----------
    draw : int or ndarray
        The seed of a resample; or the units to leave out.
    """
    many = units.number
    if isinstance(draw, int):
        chosen = np.random.default_rng(draw).integers(many, size=many)
    else:
        chosen = np.delete(np.arange(many), draw)
    sizes = units.sizes.astype(np.int64)
    if forms is not None:
        weights = np.empty(len(data.truth))
        weights[units.order] = np.repeat(np.bincount(chosen, minlength=many), sizes)
        values = [form(weights) for form in forms]
        if not np.isnan(values).any():
            return values[0] if data.b is None else values[0] - values[1]
    lengths = sizes[chosen]
    before = np.repeat(units.starts[chosen] - lengths.cumsum() + lengths, lengths)
    rows = units.order[before + np.arange(len(before))]
    try:
        with _quick(function):
            first = _value(function, data.truth[rows], data.a[rows])
            if data.b is None:
                return first
            return first - _value(function, data.truth[rows], data.b[rows])
    except ValueError:
        return np.nan


def _value(function: Function, truth: Labels, score: Labels) -> float:
    """Call a metric; what it warns of counts as not defined."""
    name = getattr(function, "__name__", "metric")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            warnings.simplefilter("error", RuntimeWarning)
            found = function(truth, score)
    except (ValueError, TypeError, ZeroDivisionError, UserWarning, RuntimeWarning) as error:
        said = " ".join(str(error).split())
        raise ValueError(f"metric {name} is not defined for these cases: {said[:150]}") from None
    if not isinstance(found, (int, float, np.number)) or not np.isfinite(found):
        raise ValueError(f"metric {name} must return one finite number, got {_checks.show(found)}")
    return float(found)


def _refuse_collapse(values: FloatArray, size: int, value: float) -> None:
    """Refuse a bootstrap that has nothing to say."""
    lost = size - len(values)
    if lost > _LOST * size:
        raise ValueError(
            f"metric must be defined on resamples, but on {lost} of {size} it is not: too few "
            "cases of some class for a bootstrap"
        )
    tied = float(np.isclose(values, value, rtol=1e-12, atol=1e-15).mean())
    if tied > _TIED:
        raise ValueError(
            f"metric must vary over resamples, but {100 * tied:.0f}% of them give the same value "
            f"as the data, {value:.4g}: too little went wrong for a bootstrap"
        )


def _bca(
    values: FloatArray, value: float, left: FloatArray, delta: float
) -> tuple[Interval, float]:
    """BCa ends (Efron and Tibshirani 1993, Eqs. 14.10 to 14.15), and the p-value of 0."""
    below = _share(values, value)  # ties count half
    a = acceleration(left.mean() - left)
    z = normal_quantile(delta / 2) * np.array([-1.0, 1.0])
    ends = np.quantile(values, levels(below, a, z), method="inverted_cdf")
    # the level at which an end is 0: Eq. 14.10 solved for z
    z0 = special.ndtri(below)
    w = special.ndtri(_share(values, 0.0)) - z0
    reach = w / max(1 + a * w, 1e-12) - z0
    pvalue = float(min(2 * special.ndtr(-abs(reach)), 1.0))
    return Interval(float(ends[0]), float(ends[1])), pvalue


def _share(values: FloatArray, point: float) -> float:
    """Share of the values below a point, ties counted half; never 0 or 1."""
    count = (values < point).sum() + (values <= point).sum()
    return float((count / 2 + 0.5) / (len(values) + 1))
