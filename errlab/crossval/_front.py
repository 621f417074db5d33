"""The front door of cross-validation: it asks what the interval is for, and picks or refuses it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain, compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks, extras, training, workers
from errlab._core import rounding as words
from errlab._core.checks import FloatArray, IntArray, Seed
from errlab._core.interval import Guarantee, Interval
from errlab._core.public import public
from errlab._core.statement import Method, Result, evidence
from errlab._core.training import Cases, Estimator, Problem, Split
from errlab.crossval._intervals import corrected_standard_error, student
from errlab.crossval._losses import Folds, Loss, fold_losses, splits
from errlab.crossval._nested_intervals import divisions, loss_tables, nested_interval
from errlab.losses import hard_loss

_REPEATS = {"procedure": 1, "model": 50}
# Why no interval for the model is known: with groups, with scoring, and with a splitter.
_NO_MODEL = (
    "has no interval that knows of groups: nested cross-validation takes cases for independent;",
    "needs the loss of each case, and a score is of many at once; give loss=, or",
    "needs cv as a number: nested cross-validation leaves out pairs of folds, no splitter does;",
)
Scorer = Callable[[Any, Any, Any], float]  # of a trained model, X and y
Range = tuple[float, float]
# What scikit-learn's scorers can reach, by their names; the first that fits.
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
CORRECTED_T_OVER_TIME = Method("corrected resampled t", key="corrected resampled t over time")


class Answer(NamedTuple):
    """What an interval rests on, and the interval."""

    estimate: float
    ends: Interval
    values: FloatArray
    trained_on: IntArray
    reason: str


@dataclass(frozen=True, repr=False)
class CVEstimate(Result):
    """What cross-validation estimates, with the interval for it. It prints as text.

    Attributes
    ----------
    estimate : float
        Mean loss over the folds, or mean score; for the model, the middle of the interval, which
        takes the bias of the smaller training sets off.
    low, high : float
        Interval.
    target : str
        What it is for: "procedure" or "model".
    measure : str
        What was measured.
    values : ndarray
        The mean of each fold (of each division into folds, for the model).
    n, n_train : int
        Cases, and cases that a fold trains on, on average.
    train_sizes : tuple of int
        Cases that the folds train on: the fewest and the most.
    delta : float
        Probability of failure that is aimed at.
    method : str
        The interval that was picked.
    reason : str
        Why.
    guarantee : str
        What is proven of its coverage: nothing, for both.
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
    guarantee: Guarantee = "none proven"

    def __repr__(self) -> str:
        """Return the result as sentences."""
        sizes = " to ".join(map(str, sorted(set(self.train_sizes))))
        what = f"expected over training sets of {sizes} cases"
        if self.target == "model":
            what = f"of the model trained on all {self.n} cases"
        value = f"{self.estimate:.3g}"
        ends = words.ends(self.low, self.high)
        if self.measure == "Error rate":
            places = words.digits(self.low, self.high)
            value = words.percent(self.estimate, places=places)
            low = words.percent(self.low, math.floor, places)
            ends = f"{low} to {words.percent(self.high, math.ceil, places)}"
        # a score is known by its name, and the 0/1 loss by its own
        proven = evidence(
            self.guarantee, self.method, self.n, delta=self.delta, door="crossval.estimate",
            metric=self.measure,
        )  # fmt: skip
        promise = proven.words
        if proven.weakness:
            promise = proven.brief
        return (
            f"{proven.weakness} {self.measure}, {what}: {value}, {words.sure(self.delta)} interval "
            f"{ends} ({self.method}; {promise}).\n{self.reason}"
        ).lstrip()


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
    progress: bool | None = None,
    rng: Seed = 0,
) -> CVEstimate:
    """Cross-validate, and pick the interval by what it is for.

    Cross-validation answers two questions with one number, and each needs an interval of its own.

    - ``target="procedure"``: how well does this way of training do, on average over training sets
      of this size? The interval is the corrected resampled t of Nadeau and Bengio, which knows
      that training sets overlap. It takes any loss, any score, groups, and any splitter.
    - ``target="model"``: how well will the model do that is trained on all of these cases? The
      interval is that of nested cross-validation (Bates, Hastie and Tibshirani). It trains far
      more models, and needs a loss in [0, 1] of each case. With groups or a splitter none is
      known, and it is refused.

    For neither is coverage proven. In the study of chapter 7 both come near, and the usual
    interval, which takes folds for independent, does not.

    Parameters
    ----------
    estimator : object with ``fit`` and ``predict``
        A fresh copy is trained each time.
    X : array_like, frame or sparse matrix, shape (n, ...)
        The cases.
    y : array_like, shape (n,)
        The labels or targets.
    cv : int, splitter or iterable
        Number of folds; or, for the procedure, a splitter of scikit-learn or pairs of row numbers.
    groups : array_like, shape (n,), optional
        The group of each case: no group is trained on and tested on at once.
    loss : callable, optional
        ``loss(y_true, y_pred)``, one number a case; without it and `scoring` the 0/1 loss.
    scoring : str or callable, optional
        A scorer of scikit-learn, by name or as ``scorer(estimator, X, y)``; for the procedure.
    target : {"procedure", "model"}
        What the interval is for.
    repeats : int, optional
        Random divisions into folds, where `cv` is a number: 1 for the procedure, 50 for the model.
    delta : float
        Probability of failure that is aimed at, in (0, 1).
    n_jobs : int, optional
        Number of workers, by joblib; -1 takes all processors.
    progress : bool, optional
        Whether a meter on the standard error shows how far it is, once it takes more than two
        seconds; without a word, on a terminal.
    rng : seed, Generator or None
        Draws the folds where `cv` is a number; the same in each call by default.

    Returns
    -------
    CVEstimate
        With ``.estimate``, ``.low``, ``.high``, ``.method`` and the ``.reason`` for it.

    Raises
    ------
    ValueError
        If there is no interval for the target, with the reason; if a splitter puts a group on both
        sides, if all folds have the same loss, or the input is not usable.
    TypeError
        If the input is of the wrong kind.

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
    scorer, measure, span = _measure(loss, scoring)
    number = cv if isinstance(cv, (int, np.integer)) and not isinstance(cv, bool) else None
    if aim == "model":
        barred = (groups is not None, scoring is not None, number is None)
        why = [*compress(_NO_MODEL, barred)]
        if why or number is None:
            rest = 'take target="procedure", or hold out a test set'
            raise ValueError(f'target "model" {why[0]} {rest}')
        drawn = divisions(n, number, many, generator)
        tables = loss_tables(problem, drawn, loss, n_jobs, progress)
        method: str = "nested cross-validation"
        answer = _for_model(tables, drawn, level)
    else:
        if number is None and repeats is not None:
            raise ValueError("repeats is for a number of folds; a splitter repeats by itself")
        _, cases, labels = problem
        divided = (splits(cv, cases, labels, generator, groups=groups) for _ in range(many))
        pairs = [*chain.from_iterable(divided)]
        jobs = [(problem, pair, loss, scorer) for pair in pairs]
        values = np.array(workers.each(_measured, jobs, n_jobs=n_jobs, progress=progress))
        answer = _for_procedure(values, pairs, span, level)
        method = "corrected resampled t"
        if groups is not None:
            method = "corrected resampled t over groups"
        # nothing was simulated of splits in time, which neither train nor test on the cases to come
        if any(len(train) + len(test) < n for train, test in pairs):
            method = CORRECTED_T_OVER_TIME
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
    )


def _for_model(tables: FloatArray, divisions: IntArray, delta: float) -> Answer:
    """Nested cross-validation: what folds say, beside a model that never saw them."""
    repeats, n = divisions.shape
    ends = nested_interval(tables, divisions, delta=delta)
    if ends.high <= ends.low:
        raise ValueError("losses must differ for an interval, but all of them are equal")
    # without one other fold held out: the column of a case's own fold; divisions x cases x 1
    losses = np.take_along_axis(tables, divisions[:, :, None], axis=2)
    reason = (
        "The width comes from how far cross-validation missed on folds that it had not seen, in "
        f"{words.count(repeats, 'random split')}."
    )
    trained_on = n - np.bincount(divisions[0])
    return Answer(sum(ends) / 2, ends, losses.mean(axis=(1, 2)), trained_on, reason)


def _for_procedure(values: FloatArray, pairs: list[Split], span: Range, delta: float) -> Answer:
    """Student's t on the folds, with the standard error that allows for shared training cases."""
    # a t interval from equal values would have no width, whatever the error is
    if np.ptp(values) <= 1e-12 * np.abs(values).max():
        raise ValueError(
            f"folds must differ for an interval, got {values[0] + 0.0:g} in each; "  # no -0
            "hold out a test set and take errlab.report"
        )
    sizes = np.array([(len(train), len(test)) for train, test in pairs])
    trained_on = sizes[:, 0]
    n_train, n_test = map(round, sizes.mean(axis=0).tolist())
    error = corrected_standard_error(values, n_train=n_train, n_test=n_test)
    ends = student(values, error, delta, *span)
    reason = (
        f"Each of the {len(values)} folds was tested by a model of its own; their training "
        "sets overlap, which the interval allows for."
    )
    if trained_on.max() > 1.1 * trained_on.min():
        differ = "They differ in size; the interval takes each for their mean"
        reason += f" {differ}, {n_train} cases."
    return Answer(float(values.mean()), ends, values, trained_on, reason)


def _measured(problem: Problem, split: Split, loss: Loss | None, scorer: Scorer | None) -> float:
    """Train on one part; return the mean loss on the other, or its score."""
    if scorer is None:
        return float(fold_losses(problem, split, loss).mean())
    train, test = split
    model = training.fitted(problem, train)
    score = scorer(model, training.rows(problem.X, test), problem.y[test])
    if np.ndim(score) or not np.isfinite(score):
        raise ValueError(f"scoring must return one finite number, got {checks.show(score)}")
    return float(score)


def _measure(loss: Loss | None, scoring: str | Scorer | None) -> tuple[Scorer | None, str, Range]:
    """Return a scorer, what to call that which is measured, and the range that it cannot leave."""
    everything = (-np.inf, np.inf)
    if scoring is None:
        if loss is None or loss is hard_loss:
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
