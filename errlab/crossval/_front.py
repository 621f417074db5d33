"""`crossval.estimate`: choose the interval that fits the question, or refuse it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from functools import cached_property
from itertools import chain, compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks, extras, training, workers
from errlab._core import rounding as words
from errlab._core.checks import FloatArray, IntArray, Labels, Seed
from errlab._core.evidence import Evidence, Method, evidence
from errlab._core.interval import Guarantee, Interval
from errlab._core.public import public
from errlab._core.statement import Statement
from errlab._core.training import Cases, Estimator, Problem, Split
from errlab._numerics.tails import heavy
from errlab.crossval._intervals import corrected_standard_error, student
from errlab.crossval._losses import Folds, Loss, fold_losses, splits
from errlab.crossval._nested_intervals import divisions, loss_tables, nested_interval
from errlab.crossval._pooling import (
    COPIES,
    Metric,
    check_training_classes,
    copies,
    defined,
    inside,
    mean_of_models,
    of_counts,
    pooled_metric,
    pseudo_values,
)
from errlab.losses import hard_loss

_CORRECTED = "corrected resampled t"
_REPEATS = {"procedure": 1, "model": 50}
# Why there is no interval for the model: with groups, with scoring, with a splitter.
_NO_MODEL = (
    "has no interval for groups: nested cross-validation assumes independent examples;",
    "needs the loss of each example, and a score is of many at once; give loss=, or",
    "needs cv as a number: nested cross-validation leaves out pairs of folds, no splitter does;",
)
Scorer = Callable[[Any, Any, Any], float]  # takes a trained model, X and y
Range = tuple[float, float]
# Ranges of scikit-learn's scorers; the first pattern that matches the name applies.
_RANGES = (
    (r"neg_", (-np.inf, 0.0)),
    (r"r2|explained_variance|d2_", (-np.inf, 1.0)),
    (r"matthews|adjusted", (-1.0, 1.0)),
    (r"mutual_info_score|positive_likelihood_ratio", (0.0, np.inf)),
    (
        r"accuracy|balanced_accuracy|average_precision|f1|precision|recall|jaccard|roc_auc|top_k|"
        r"completeness|fowlkes|homogeneity|v_measure|normalized_mutual|rand_score",
        (0.0, 1.0),
    ),
)
ALL_FOLDS = Method(
    "Clopper-Pearson, as if one model had been tested on all examples", key="all folds"
)
_RARE = 0.15  # a class is rare if it has less than this fraction of the examples
CORRECTED_T_OVER_TIME = Method("corrected resampled t", key="corrected resampled t over time")


class Signs(NamedTuple):
    """Properties of the data in which intervals were too short in simulations."""

    copies: float = 0.0
    one_class: bool = False
    heavy: bool = False
    rare: bool = False


class Tested(NamedTuple):
    """The result of one fold: its score or mean loss, its losses, and its predictions."""

    value: float
    losses: FloatArray | None = None
    predicted: Labels | None = None


class Answer(NamedTuple):
    """The interval with its estimate, the values of the folds and the reason for it."""

    estimate: float
    ends: Interval
    values: FloatArray
    trained_on: IntArray
    reason: str


@dataclass(frozen=True, repr=False)
class CVEstimate(Statement):
    """A cross-validated estimate with its interval, printed as two lines.

    Attributes
    ----------
    estimate : float
        Mean loss or score over the folds. A score that isn't a mean over examples, such as F1, is
        computed from all folds at once. For the model it is the middle of the interval, which is
        corrected for the smaller training sets.
    low, high : float
        The interval; nan if none is known, as for splits in time.
    target : str
        What the interval is for: "procedure" or "model".
    measure : str
        The loss or score.
    values : ndarray
        The mean of each fold, or for the model of each division into folds; the jackknife's values
        if the score is computed from all folds at once.
    n, n_train : int
        Number of examples, and mean number of training examples of a fold.
    train_sizes : tuple of int
        Smallest and largest number of training examples of a fold.
    delta : float
        Nominal probability that the interval fails.
    method : str
        The interval that was chosen.
    reason : str
        Why it was chosen.
    seen : Signs
        Signs in the data and predictions that such an interval may be too narrow.
    groups : bool
        Whether whole groups were held out.
    guarantee : str
        What is proven about its coverage: nothing, for both targets.
    """

    estimate: float
    low: float
    high: float
    target: str
    measure: str
    values: FloatArray
    n: int
    n_train: int
    train_sizes: tuple[int, int]
    delta: float
    method: str
    reason: str
    seen: Signs
    groups: bool = False
    guarantee: Guarantee = "none proven"

    @cached_property
    def evidence(self) -> Evidence:
        """The coverage of such intervals in simulations; a score is looked up by its name."""
        signs = {
            "the learner is a majority vote on coin flips": self.seen.one_class,
            "the noise is log-normal": self.seen.heavy,
            "a tenth of the examples is positive": self.seen.rare,
        }
        return evidence(
            self.guarantee, self.method, self.n, delta=self.delta, door="crossval.estimate",
            metric=self.measure, signs=signs,
        )  # fmt: skip

    def warnings(self) -> list[str]:
        """Return cautions about these data: copies, constant predictions, a few large losses."""
        cautions = []
        if self.seen.copies >= COPIES:
            share = words.percent(self.seen.copies)
            cautions.append(
                f"Caution: {share} of the tested examples have an exact copy in the training part "
                "of their fold; drop copies, or give groups=."
            )
        if self.seen.one_class:
            cautions.append("Caution: the models predict the same class for all examples.")
        if self.seen.heavy:
            cautions.append(
                "Caution: a few examples hold most of the loss; others may be missing here."
            )
        return cautions or list(filter(None, [self.evidence.weakness]))

    def sentences(self) -> list[str]:
        """Return the value with its interval, the reason for this interval, and the evidence."""
        sizes = " to ".join(map(str, sorted(set(self.train_sizes))))
        what = f"expected over training sets of {sizes} examples"
        if self.target == "model":
            what = f"of the model trained on all {self.n} examples"
        if math.isnan(self.low):
            value = f"{self.measure}, {what}: {self.estimate:.3g}, without an interval."
            return [*self.warnings(), value, self.reason]
        value = f"{self.estimate:.3g}"
        ends = words.format_interval(self.low, self.high)
        if self.measure == "Error rate":
            places = words.digits(self.low, self.high)
            value = words.percent(self.estimate, places=places)
            low = words.percent(self.low, math.floor, places)
            ends = f"{low} to {words.percent(self.high, math.ceil, places)}"
        proven = self.evidence
        confidence = words.format_confidence(self.delta)
        line = (
            f"{self.measure}, {what}: {value}, {confidence} interval {ends} "
            f"({self.method}; {proven.brief})."
        )
        return [
            *self.warnings(),
            line,
            self.reason,
            *proven.beyond(proven.brief),
            *proven.elsewhere,
        ]

    def conditions(self) -> list[str]:
        """Return the conditions under which the interval can be expected to hold."""
        draws = "the groups, not their examples," if self.groups else "the examples"
        answer = f"training sets of about {self.n_train} examples, not about your final model"
        if self.target == "model":
            answer = f"the model that is trained on all {self.n} examples"
        return [
            f"{draws} are independent draws from the population that the claim is about",
            "all that is learned from examples, such as a scale or a choice of columns, is learned "
            "inside of the estimator, anew for each fold",
            "the learner was not chosen by these folds among several",
            f"the question is about {answer}",
            "models of two folds differ little more than their examples do: no assumption that "
            "could be checked from one data set bounds the variance of cross-validation",
        ]

    def _numbers(self) -> dict[str, object]:
        numbers = super()._numbers() | {"evidence": asdict(self.evidence)}
        # JSON has no NaN
        return numbers | ({"low": None, "high": None} if math.isnan(self.low) else {})


@public
def estimate(
    estimator: Estimator,
    X: Cases,
    y: ArrayLike,
    *,
    cv: Folds = 10,
    groups: ArrayLike | None = None,
    loss: Loss | None = None,
    scoring: str | Scorer | None = None,
    target: str = "procedure",
    repeats: int | None = None,
    delta: float = 0.05,
    n_jobs: int | None = None,
    rng: Seed = 0,
) -> CVEstimate:
    """Cross-validate, and choose the interval that fits `target`.

    Cross-validation answers two questions with one number, and each question needs another
    interval.

    - ``target="procedure"``: how well does this learning procedure do, on average over training
      sets of this size? The interval is the corrected resampled t of Nadeau and Bengio, which
      allows for overlapping training sets. It accepts any loss, any score, groups, and any
      splitter.
    - ``target="model"``: how well will the model do that is trained on all of these examples? The
      interval is that of nested cross-validation (Bates, Hastie and Tibshirani). It trains many
      more models, and needs a loss in [0, 1] for each example. For groups or a splitter no interval
      is known, so these are refused.

    The coverage is proven for neither. In the study of chapter 7 both intervals cover nearly as
    often as they claim; the usual interval, which treats folds as independent, does not.

    Parameters
    ----------
    estimator : object with ``fit`` and ``predict``
        A fresh copy is trained each time.
    X : array_like, frame or sparse matrix, shape (n, ...)
        The examples.
    y : array_like, shape (n,)
        The labels or targets.
    cv : int, splitter or iterable
        Number of folds; or, for the procedure, a splitter of scikit-learn or pairs of row numbers.
    groups : array_like, shape (n,), optional
        The group of each example. No group is in both the training and the test part of a fold.
    loss : callable, optional
        ``loss(y_true, y_pred)``, one number per example; without it and `scoring` the 0/1 loss.
    scoring : str or callable, optional
        A scorer of scikit-learn, by name or as ``scorer(estimator, X, y)``; for the procedure.
    target : {"procedure", "model"}
        What the interval is for.
    repeats : int, optional
        Number of random divisions into folds if `cv` is a number; by default 1 for the procedure,
        50 for the model.
    delta : float
        Nominal probability that the interval fails, in (0, 1).
    n_jobs : int, optional
        Number of workers, as in joblib; -1 for all processors.
    rng : seed, Generator or None
        Draws the folds if `cv` is a number; the same in each call by default.

    Returns
    -------
    CVEstimate
        With ``.estimate``, ``.low``, ``.high``, ``.method`` and the ``.reason`` for it.

    Raises
    ------
    ValueError
        If there is no interval for the target (the message gives the reason), a splitter puts a
        group on both sides, all folds have the same loss, or the shapes of X and y don't fit.
    TypeError
        If an argument has the wrong type.

    References
    ----------
    Nadeau and Bengio, Machine Learning 52 (2003), 239-281; Bates, Hastie and Tibshirani, JASA 119
    (2024), 1434-1445.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = estimate(KNeighborsClassifier(), X, y, cv=5, rng=0)
    >>> found.method, found.low < found.estimate < found.high
    ('corrected resampled t', True)
    """
    aim = checks.choice(target, "target", _REPEATS)
    level = checks.one_level(delta)
    generator = checks.generator(rng)
    many = _REPEATS[aim] if repeats is None else checks.one_count(repeats, "repeats")
    problem = Problem(training.estimator(estimator), *training.data(X, y))
    n = len(problem.y)
    if loss is hard_loss:
        loss = None
    elif loss is not None:
        checks.function(loss, "loss")
    scorer, measure, span = _scorer_and_range(loss, scoring)
    number = cv if isinstance(cv, (int, np.integer)) and not isinstance(cv, bool) else None
    if aim == "model":
        drawn = divisions(n, _model_folds(number, groups, scoring), many, generator)
        tables = loss_tables(problem, drawn, loss, n_jobs)
        method: str = "nested cross-validation"
        answer = _model_answer(tables, drawn, level)
        signs = Signs(copies=copies(problem.X, problem.y, _pairs_of(drawn[0])))
    else:
        if number is None and repeats is not None:
            raise ValueError("repeats is for a number of folds; a splitter repeats by itself")
        classifies = _is_classifier(problem, loss, scoring)
        pairs = _repeated_splits(problem, cv, many, generator, groups, classifies)
        metric = pooled_metric(scorer)
        jobs = [
            (problem, at, pair, loss, scorer, metric is not None) for at, pair in enumerate(pairs)
        ]
        tested = workers.each(_tested_fold, jobs, n_jobs=n_jobs)
        units = n if groups is None else len(set(checks.labels(groups, "groups").tolist()))
        answer, method = _procedure_answer(tested, pairs, problem.y, metric, span, level, units)
        signs = _warning_signs(problem, pairs, tested, scoring, classifies)
        if method == _CORRECTED:
            method = _corrected_method(pairs, n, grouped=groups is not None)
    trained_on = answer.trained_on
    return CVEstimate(
        estimate=answer.estimate,
        low=answer.ends.low,
        high=answer.ends.high,
        target=aim,
        measure=measure,
        values=answer.values,
        n=n,
        n_train=round(float(trained_on.mean())),
        train_sizes=(int(trained_on.min()), int(trained_on.max())),
        delta=level,
        method=method,
        reason=answer.reason,
        seen=signs,
        groups=groups is not None,
    )


def _model_folds(number: int | None, groups: ArrayLike | None, scoring: str | Scorer | None) -> int:
    """Return the number of folds for nested cross-validation, or say why there is no interval."""
    barred = (groups is not None, scoring is not None, number is None)
    why = [*compress(_NO_MODEL, barred)]
    if why or number is None:
        rest = 'take target="procedure", or hold out a test set'
        raise ValueError(f'target "model" {why[0]} {rest}')
    return number


def _repeated_splits(
    problem: Problem,
    cv: Folds,
    repeats: int,
    rng: np.random.Generator,
    groups: ArrayLike | None,
    classifies: bool,
) -> list[Split]:
    """Return the training and test rows of all folds; classifiers need every class in training."""
    divided = (
        splits(cv, problem.X, problem.y, rng, groups=groups, stratify=classifies)
        for _ in range(repeats)
    )
    pairs = [*chain.from_iterable(divided)]
    if classifies:
        check_training_classes(problem.y, pairs)
    return pairs


def _corrected_method(pairs: list[Split], n: int, *, grouped: bool) -> str:
    """Return the name of the corrected resampled t for the kind of split."""
    if grouped:
        return "corrected resampled t over groups"
    # folds in time skip some examples, and have simulations of their own
    if any(len(train) + len(test) < n for train, test in pairs):
        return CORRECTED_T_OVER_TIME
    return _CORRECTED


def _model_answer(tables: FloatArray, divisions: IntArray, delta: float) -> Answer:
    """Return the interval of nested cross-validation, from losses on held-out folds."""
    repeats, n = divisions.shape
    ends = nested_interval(tables, divisions, delta=delta)
    if ends.high <= ends.low:
        raise ValueError("losses must differ for an interval, but all of them are equal")
    # losses with only the example's own fold held out, divisions x examples x 1
    losses = np.take_along_axis(tables, divisions[:, :, None], axis=2)
    reason = (
        "The width comes from how far cross-validation missed on folds that it had not seen, in "
        f"{words.count(repeats, 'random split')}."
    )
    trained_on = n - np.bincount(divisions[0])
    return Answer(sum(ends) / 2, ends, losses.mean(axis=(1, 2)), trained_on, reason)


def _procedure_answer(
    tested: list[Tested],
    pairs: list[Split],
    y: Labels,
    metric: Metric | None,
    span: Range,
    delta: float,
    units: int,
) -> tuple[Answer, str]:
    """Return Student's interval from the folds, corrected for their shared training examples."""
    values = np.array([fold.value for fold in tested])
    mean = float(values.mean())
    reason = (
        f"Each of the {len(values)} folds was tested by a model of its own; their training "
        "sets overlap, which the interval allows for."
    )
    if metric is not None:
        predicted = [fold.predicted for fold in tested if fold.predicted is not None]
        mean, values = pseudo_values(metric, y, pairs, predicted)
        reason += " The score is that of all folds at once: a fold by itself has too few examples."
    sizes = np.array([(len(train), len(test)) for train, test in pairs])
    trained_on = sizes[:, 0]
    if all(train.max() < test.min() for train, test in pairs):
        ends = Interval(math.nan, math.nan)
        reason = (
            "No interval is known for splits in time: later examples need not be like earlier "
            "ones, "
            "and models of later folds have seen more. Keep the last stretch for errlab.report."
        )
        return Answer(mean, ends, values, trained_on, reason), "none known"
    # 0/1 losses: the interval should be at least as wide as for as many independent examples
    counts = None
    if tested[0].losses is not None and span == (0.0, 1.0):
        counts = of_counts(mean, min(units, len({*np.concatenate([t for _, t in pairs])})), delta)
    # if all values are equal, a t interval would have no width, however wrong the mean is
    if np.ptp(values) <= 1e-12 * np.abs(values).max():
        if counts is None:
            raise ValueError(
                # adding 0.0 turns -0.0 into 0.0
                f"folds must differ for an interval, got {values[0] + 0.0:g} in each; "
                "hold out a test set and take errlab.report"
            )
        reason = _equal_folds_reason(mean, len(values), int(sizes[:, 1].min()), delta)
        return Answer(mean, counts, values, trained_on, reason), ALL_FOLDS
    n_train, n_test = map(round, sizes.mean(axis=0).tolist())
    error = corrected_standard_error(values, n_train=n_train, n_test=n_test)
    ends = student(values, error, delta, *span)
    if span == (0.0, 1.0):
        ends = inside(ends, mean, error, len(values) - 1, delta)
    if counts is not None:
        ends = Interval(min(ends.low, counts.low), max(ends.high, counts.high))
    if trained_on.max() > 1.1 * trained_on.min():
        differ = "They differ in size; the interval takes each for their mean"
        reason += f" {differ}, {n_train} examples."
    return Answer(mean, ends, values, trained_on, reason), _CORRECTED


def _equal_folds_reason(mean: float, models: int, n_test: int, delta: float) -> str:
    """Return the reason for an interval from counts, where all folds have the same mean."""
    if mean != 0:
        return "All folds have the same mean, so no spread can be estimated."
    bound = words.percent(mean_of_models(n_test, delta), math.ceil)
    return (
        f"No fold made an error. Of the mean error of the {models} tested models at most {bound} "
        f"is proven with {words.format_confidence(delta)} confidence, for independent draws."
    )


def _is_classifier(problem: Problem, loss: Loss | None, scoring: str | Scorer | None) -> bool:
    """Whether the predictions are classes: for known estimators as scikit-learn says."""
    if not hasattr(problem.model, "get_params"):
        return scoring is None and loss is None
    return bool(extras.load("sklearn.base").is_classifier(problem.model))


def _pairs_of(fold: IntArray) -> list[Split]:
    """Return the training and test rows of each fold."""
    numbers = range(int(fold.max()) + 1)
    return [(np.flatnonzero(fold != j), np.flatnonzero(fold == j)) for j in numbers]


def _warning_signs(
    problem: Problem,
    pairs: list[Split],
    tested: list[Tested],
    scoring: str | Scorer | None,
    classifies: bool,
) -> Signs:
    """Return the properties of data and predictions that make such intervals too short."""
    _, X, y = problem
    parts = [fold.predicted for fold in tested if fold.predicted is not None]
    own = [fold.losses for fold in tested if fold.losses is not None]
    one_class = rare = large = False
    if classifies:
        shares = np.unique(y, return_counts=True)[1] / len(y)
        rare = bool(shares.min() < _RARE)
        predicted = [set(part.tolist()) for part in parts if len(part) > 1]
        one_class = len(shares) > 1 and {len(part) for part in predicted} == {1}
    elif scoring is not None and parts:
        true = np.concatenate([y[test] for _, test in pairs]).astype(float)
        off = np.abs(true - np.concatenate(parts).astype(float))
        squared = "squared" in str(scoring) or "r2" in str(scoring)
        large = heavy(off**2) if squared else heavy(off, absolute=True)
    elif own and not parts:  # the caller's loss function may return squares
        losses = np.concatenate(own)
        large = bool(losses.min() >= 0) and heavy(losses)
    return Signs(copies(X, y, pairs), one_class, large, rare)


def _tested_fold(
    problem: Problem,
    at: int,
    split: Split,
    loss: Loss | None,
    scorer: Scorer | None,
    pooled: bool,
) -> Tested:
    """Train on one part of a split; return the mean loss or score on the other."""
    train, test = split
    if scorer is None:
        if loss is not None:
            losses = fold_losses(problem, split, loss)
            return Tested(float(losses.mean()), losses)
        every, predicted = checks.exact(problem.y, training.classify(problem, split))
        losses = np.asarray(predicted != every[test], dtype=float)
        return Tested(float(losses.mean()), losses, predicted)
    model = training.fitted(problem, train)
    rows = training.rows(problem.X, test)
    labels: Labels | None = None
    if hasattr(scorer, "_score_func"):
        labels = checks.raw(model.predict(rows), "predict")
    if pooled:  # the score is computed from all folds at once
        return Tested(math.nan, None, labels)
    score = defined(lambda: scorer(model, rows, problem.y[test]), f"fold {at}")
    return Tested(score, None, labels)


def _scorer_and_range(
    loss: Loss | None, scoring: str | Scorer | None
) -> tuple[Scorer | None, str, Range]:
    """Return the scorer, the name of the measure, and its range."""
    everything = (-np.inf, np.inf)
    if scoring is None:
        if loss is None:
            return None, "Error rate", (0.0, 1.0)
        return None, "Loss", everything
    if loss is not None:
        raise ValueError("give either loss or scoring, got both")
    if not isinstance(scoring, str):
        checks.function(scoring, "scoring")
        return scoring, str(getattr(scoring, "__name__", "Score")), everything
    library = extras.load("sklearn.metrics")
    names = library.get_scorer_names()
    near = get_close_matches(scoring, names, 1) or ["accuracy"]
    if scoring not in names:
        raise ValueError(
            f"scoring must be a name that scikit-learn knows, such as {near[0]!r}, "
            f"got {checks.show(scoring)}"
        )
    ranges = (ends for pattern, ends in _RANGES if re.match(pattern, scoring))
    return library.get_scorer(scoring), scoring, next(ranges, everything)
