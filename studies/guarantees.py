"""Coverage of every default method of errlab's functions, measured by calling these functions.

Each setting draws test sets whose truth is known, calls a function of errlab (in the table its
"door") with its default method, and counts how often interval and bound contain the truth, on which
side they miss, how wide they are, and how often the function refuses. Some populations are plain,
others chosen to break the method (`WHERE` describes how), and some are draws from a public
leaderboard. The words beside "asymptotic" in a report come from this table
(`errlab.results.evidence`): the lowest coverage of the function, metric and method, at sizes near
that of the test set, among settings whose test sets look like it.

    python -m studies.guarantees --workers 1

After a change of a method, move ``guarantees.jsonl`` away and run the study again.
"""

from __future__ import annotations

import functools
import inspect
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import scipy
from scipy import special
from sklearn import linear_model, tree
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import errlab
from errlab import checks, compare, crossval, datasets, metrics
from errlab._core.evidence import method_key
from errlab.statements.scale import Scale
from errlab.statements.tasks import TaskCases
from errlab.statements.tasks import tasks as run_of_tasks
from errlab_book import studies as stored
from studies import _run

SEED = 2027
TABLE = Path(errlab.__file__).parent / "guarantees.json"
BLOCKS = 10  # a repetition is one block of test sets, whose number is in the setting
RESAMPLES = 400
# distance between the classes in the scores of model A, and of model B
TEACHER, PUPIL = 1.5, 1.0
CUT = 1.0  # examples with a higher score are predicted positive
EXAMPLES = "examples"
GROUPS = "effective groups"
LARGEST = "share of the largest loss"
EVENTS = "groups with an error"
UNEQUAL = "groups over effective groups"  # name under which unequal group sizes are recorded
AREA = "area under the ROC curve"
# Sizes of groups: few, very unequal (500 tasks of 12 repositories), many, or one that dominates.
SHAPES = {
    "3 of 50": (50,) * 3,
    "5 of 20": (20,) * 5,
    "6 of 20": (20,) * 6,
    "12 unequal": (231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1),
    "20 of 10": (10,) * 20,
    "30 of 2 and one of 100": (2,) * 30 + (100,),
    "100 of 5": (5,) * 100,
}
ALIKE = ((0.05, 0.2), (0.2, 0.1), (0.3, 0.3))  # error rate, correlation within a group

Array = np.ndarray[Any, np.dtype[Any]]


class Claim(NamedTuple):
    """A claim about one test set."""

    method: str
    kind: str  # "interval", "bound" and so on
    truth: float
    low: float
    high: float
    size: float | None = None  # the size that coverage depends on, unless the setting defines it
    unit: str = ""
    # properties of the test set by which a report recognises the population
    seen: Mapping[str, float] = MappingProxyType({})


Claims = Iterator[tuple[Any, ...] | Claim]

# scikit-learn's names of metrics that the study abbreviates.
NAMES = {
    "average_precision": "average_precision_score", "brier_score": "brier_score_loss",
    "cohen_kappa": "cohen_kappa_score", "f1": "F1", "f1_macro": "f1_score_macro", "r2": "r2_score",
}  # fmt: skip
# Descriptions of the populations that were chosen to break a method, as a report prints them.
WHERE = {
    "rare": "few groups hold an error",
    "bad group": "a few groups in a hundred are half or wholly wrong",
    "skewed": "one of two fails wholly on a few groups, the other evenly",
    "sizes": "larger groups are harder",
    "owned": "the label belongs to the group",
    "owned, bad": "the label belongs to the group, and one group in ten is ranked wrongly",
    "misranked": "a few positive examples rank below all negative ones",
    "subtypes": "a part of the positive examples scores like negative ones",
    "spread": "one class spreads twice as far as the other",
    "t3": "errors have heavy tails (Student's t with 3 degrees of freedom)",
    "lognormal": "errors are log-normal",
    "giants": "one error in n is sixty times as large as the others",
    "t2.2": "squared errors have no variance (Student's t with 2.2 degrees of freedom)",
    "sure": "one example in n is wrong and sure of it",
    "few": "a class has five to twenty examples",
    "rare in classes": "errors are rare in both classes",
    "per class": "a class has two or three examples",
    "shares": "of many classes most are rare",
    "tree": "the learner is a tree of depth 2",
    "vote": "the learner is a majority vote on coin flips",
    "tails": "the noise is log-normal",
    "seldom": "a tenth of the examples is positive",
    "rarely": "one example in a hundred is wrong",
    "stump": "the learner is a tree of depth 1 on noise",
    "thin stump": "the learner is a tree of depth 1 on one column of noise",
    "heavy": "a few examples weigh fifty times as much as others, and are wrong more often",
    "rising": "a few examples hold most of the weight, and are wrong more often",
    "steps": "a tenth of the examples weighs ten times as much, and is wrong more often",
    "board": "the examples are images of CIFAR-10",
    "solved": "most tasks have few errors",
    "uneven": "tasks differ much in size",
}


def of_metric(estimate: errlab.Metric, truth: float) -> Claim:
    """Return the claim of `errlab.metric`, with the statistics that its coverage depends on."""
    statistics = {} if estimate.largest is None else {LARGEST: estimate.largest}
    statistics |= {AREA: estimate.value_a} if estimate.metric == AREA else {}
    evidence = estimate.evidence
    return Claim(
        estimate.method,
        "interval",
        truth,
        estimate.low,
        estimate.high,
        evidence.size,
        evidence.unit,
        statistics,
    )


def losses_in_groups(rng: np.random.Generator, sizes: Array, error: float, rho: float) -> Array:
    """Draw losses whose groups have beta-distributed error rates, with correlation rho within."""
    total = 1 / rho - 1
    rates = rng.beta(error * total, (1 - error) * total, len(sizes))
    return (rng.random(int(sizes.sum())) < np.repeat(rates, sizes)).astype(float)


def marks(rng: np.random.Generator, n: int, kind: str) -> tuple[Array, float]:
    """Draw scores in [0, 1], spread out or mostly 1; return them and their true mean."""
    a, b = {"spread": (2.0, 2.0), "near the end": (0.95, 0.05)}[kind]
    return rng.beta(a, b, n), a / (a + b)


def two_columns(rng: np.random.Generator, n: int, disagree: float, gap: float) -> tuple[Array, ...]:
    """Draw losses of two models; on a fraction `disagree` exactly one of them is wrong."""
    kind = rng.choice(4, n, p=[(disagree + gap) / 2, (disagree - gap) / 2, 0.1, 0.9 - disagree])
    return np.isin(kind, (0, 2)).astype(int), np.isin(kind, (1, 2)).astype(int)


def report(rng: np.random.Generator, n: int, error: float) -> Claims:
    """Report on one classifier on independent examples."""
    wrong = (rng.random(n) < error).astype(int)
    error_rate = errlab.report(np.zeros(n, dtype=int), wrong)
    yield "Clopper-Pearson", "interval", error, error_rate.low, error_rate.high
    yield "Clopper-Pearson", "bound", error, 0.0, error_rate.upper


def report_pair(rng: np.random.Generator, n: int, disagree: float, gap: float) -> Claims:
    """Report on two classifiers on the same independent examples."""
    a, b = two_columns(rng, n, disagree, gap)
    difference = errlab.report(np.zeros(n, dtype=int), a, b)
    yield "Fay and Lumbard", "interval", gap, difference.low, difference.high


def report_scores(rng: np.random.Generator, n: int, kind: str, two: bool, method: str) -> Claims:
    """Report on graded scores in [0, 1], of one model or of two."""
    scores, mean = marks(rng, n, kind)
    chosen: dict[str, Any] = {} if method == "proven" else {"method": method}
    if two:
        other, _ = marks(rng, n, kind)
        report: Any = errlab.report(scores=scores, scores_b=other, range=(0, 1), **chosen)
        yield report.method, "interval", 0.0, report.low, report.high
        return
    report = errlab.report(scores=scores, range=(0, 1), **chosen)
    yield report.method, "interval", mean, report.low, report.high
    yield report.method, "bound", mean, report.bound, 1.0


def score_of(rng: np.random.Generator, losses: Array) -> Array:
    """Draw a score in (0, 1) for each example, which is near 1 if the model is right."""
    return np.asarray(1 - 0.8 * losses - 0.2 * rng.random(losses.shape))


def report_groups(
    rng: np.random.Generator,
    shape: str,
    error: float,
    rho: float,
    two: bool,
    graded: bool,
    method: str = "proven",
) -> Claims:
    """Report on grouped examples: error rates or mean scores, of one or two equally good models."""
    report: Any
    sizes = np.array(SHAPES[shape])
    names = np.repeat(np.arange(len(sizes)), sizes)
    columns = [losses_in_groups(rng, sizes, error, rho) for _ in range(1 + two)]
    y = np.zeros(len(names), dtype=int)
    if graded:
        scores = [score_of(rng, x) for x in columns]
        report = errlab.report(
            scores=scores[0], scores_b=scores[1] if two else None, range=(0, 1), groups=names,
            method=method,
        )  # fmt: skip
        truth = 0.0 if two else 0.9 - 0.8 * error
    else:
        labels = [x.astype(int) for x in columns]
        report = errlab.report(y, *labels, groups=names, method=method)
        truth = 0.0 if two else error
    yield report.method, "interval", truth, report.low, report.high
    if not two:
        ends = (report.bound, 1.0) if graded else (0.0, report.bound)
        yield report.method, "bound", truth, *ends


def classes(rng: np.random.Generator, n: int, share: float) -> tuple[Array, Array, Array]:
    """Draw labels, and the noise of two models, with a correlation of one half."""
    y = (rng.random(n) < share).astype(int)
    noise = rng.normal(size=n)
    return y, noise, 0.5 * noise + np.sqrt(0.75) * rng.normal(size=n)


def area(rng: np.random.Generator, n: int, share: float, area: float, two: bool) -> Claims:
    """Compute the area under the ROC curve of normal scores, or the difference of two."""
    y, noise, other = classes(rng, n, share)
    apart = np.sqrt(2) * special.ndtri(area)
    if two:
        b = other + 0.8 * apart * y
        estimate = errlab.metric(y, noise + apart * y, b, metric="roc_auc")
        truth = area - float(special.ndtr(0.8 * apart / np.sqrt(2)))
    else:
        estimate = errlab.metric(y, noise + apart * y, metric="roc_auc")
        truth = area
    yield of_metric(estimate, truth)


@functools.cache
def truth_of(metric: str, share: float, apart: float) -> float:
    """Return the true value of a metric of normal scores whose classes are `apart`."""

    def over(function: Callable[[float], float], centre: float) -> float:
        """Return the mean of a function of the score, which is normal around a centre."""

        def weighed(x: float) -> float:
            return function(x) * float(np.exp(-((x - centre) ** 2) / 2) / np.sqrt(2 * np.pi))

        return float(scipy.integrate.quad(weighed, centre - 9, centre + 9)[0])

    def precision(x: float) -> float:
        call_rate = share * special.ndtr(apart - x) + (1 - share) * special.ndtr(-x)
        return float(share * special.ndtr(apart - x) / call_rate)

    hit = float(special.ndtr(apart - CUT))
    alarm = float(special.ndtr(-CUT))
    call_rate = share * hit + (1 - share) * alarm
    right = share * hit + (1 - share) * (1 - alarm)
    by_luck = share * call_rate + (1 - share) * (1 - call_rate)
    spread = np.sqrt(share * (1 - share) * call_rate * (1 - call_rate))

    def loss(of: Callable[[float], float]) -> float:
        """Return the mean loss of the probability that was assigned to the true class."""
        positive = over(lambda x: of(float(probability(np.array(x), share, apart))), apart)
        negative = over(lambda x: of(1 - float(probability(np.array(x), share, apart))), 0.0)
        return share * positive + (1 - share) * negative

    return {
        "average_precision": lambda: over(precision, apart),
        "matthews_corrcoef": lambda: share * (hit - call_rate) / spread,
        "balanced_accuracy": lambda: (hit + 1 - alarm) / 2,
        "cohen_kappa": lambda: (right - by_luck) / (1 - by_luck),
        "f1": lambda: 2 * share * hit / (share + call_rate),
        "brier_score": lambda: loss(lambda p: (1 - p) ** 2),
        "log_loss": lambda: loss(lambda p: -float(np.log(p))),
        "recall": lambda: hit,
        "accuracy": lambda: right,
    }[metric]()


def probability(x: Array, share: float, apart: float) -> Array:
    """Return the true probability of the positive class, given the score."""
    return np.asarray(special.expit(apart * x - apart**2 / 2 + special.logit(share)))


def any_metric(rng: np.random.Generator, metric: str, n: int, share: float, two: bool) -> Claims:
    """Compute any other metric of scores, predictions or probabilities, of one model or of two."""
    y, noise, other = classes(rng, n, share)
    outputs = []
    for apart, x in ((TEACHER, noise + TEACHER * y), (PUPIL, other + PUPIL * y)):
        if metric in ("brier_score", "log_loss"):
            outputs.append(probability(x, share, apart))
        else:
            outputs.append(x if metric == "average_precision" else (x > CUT).astype(int))
    truth = truth_of(metric, share, TEACHER) - (truth_of(metric, share, PUPIL) if two else 0)
    estimate = errlab.metric(
        y, outputs[0], outputs[1] if two else None, metric=metric, resamples=RESAMPLES, rng=rng
    )
    yield of_metric(estimate, truth)


def many_classes(rng: np.random.Generator, metric: str, n: int, k: int) -> Claims:
    """Compute a mean over k classes that are equally frequent and equally hard."""
    y = rng.permutation(np.arange(n) % k)
    calls = np.where(rng.random(n) < 0.7, y, (y + rng.integers(1, k, n)) % k)
    estimate = errlab.metric(y, calls, metric=metric, resamples=RESAMPLES, rng=rng)
    yield of_metric(estimate, 0.7)


def regression(rng: np.random.Generator, metric: str, n: int) -> Claims:
    """Compute the mean absolute error or R squared of predictions with normal errors."""
    prediction = rng.normal(size=n)
    off = 0.6 * rng.normal(size=n)
    truth = {"mean_absolute_error": 0.6 * np.sqrt(2 / np.pi), "r2": 1 / 1.36}[metric]
    estimate = errlab.metric(
        prediction + off, prediction, metric=metric, resamples=RESAMPLES, rng=rng
    )
    yield of_metric(estimate, truth)


def metric_groups(rng: np.random.Generator, metric: str, shape: str, two: bool) -> Claims:
    """Compute a metric of grouped examples: scores of a group have a common part."""
    sizes = np.array(SHAPES[shape])
    names = np.repeat(np.arange(len(sizes)), sizes)
    y, noise, other = classes(rng, len(names), 0.3)
    shift, also = (rng.normal(size=len(sizes))[names] for _ in range(2))
    mixed = [np.sqrt(0.8) * e + np.sqrt(0.2) * s for e, s in ((noise, shift), (other, also))]
    outputs = [e + TEACHER * y for e in mixed]
    if metric != "roc_auc":
        outputs = [(x > CUT).astype(int) for x in outputs]
    truth = 0.0
    if not two:
        truth = float(special.ndtr(TEACHER / np.sqrt(2)))
        truth = truth if metric == "roc_auc" else truth_of(metric, 0.3, TEACHER)
    estimate = errlab.metric(
        y, outputs[0], outputs[1] if two else None, metric=metric, groups=names,
        resamples=RESAMPLES, rng=rng,
    )  # fmt: skip
    yield of_metric(estimate, truth)


def models(rng: np.random.Generator, k: int, n: int, shape: str, method: str = "") -> Claims:
    """Compare several models, some of which are better: all intervals of the pairs at once.

    With a `method` they have graded scores, otherwise labels.
    """
    truth = np.linspace(0.1, 0.2, k)
    names = None
    if shape:
        sizes = np.array(SHAPES[shape])
        names = np.repeat(np.arange(len(sizes)), sizes)
        wrong = np.array([losses_in_groups(rng, sizes, p, 0.1) for p in truth]).astype(int)
    else:
        hard = rng.choice([0.25, 1.0, 2.5], n, p=[0.4, 0.4, 0.2])  # with mean 1
        wrong = (rng.random((k, n)) < np.minimum(truth[:, None] * hard, 1)).astype(int)
    if method:
        truth = 0.9 - 0.8 * truth
        scores = {str(j): row for j, row in enumerate(score_of(rng, wrong))}
        comparison = errlab.models(scores=scores, range=(0, 1), groups=names, method=method)
    else:
        y = np.zeros(wrong.shape[1], dtype=int)
        comparison = errlab.models(y, {str(j): row for j, row in enumerate(wrong)}, groups=names)
    gaps = np.array([truth[int(p.a)] - truth[int(p.b)] for p in comparison.pairs])
    low = np.array([p.low for p in comparison.pairs])
    high = np.array([p.high for p in comparison.pairs])
    # all differences as one claim: by how much the worst one lies beyond its interval
    yield (
        f"{method_key(comparison.method)} of all pairs", "all intervals", 0.0,
        float((low - gaps).max()), float((high - gaps).min()),
    )  # fmt: skip


class LeastSquares:
    """Linear classifier between two normal classes, by least squares."""

    def fit(self, X: Array, y: Array) -> LeastSquares:
        """Train."""
        Z = np.column_stack([np.ones(len(X)), X])
        self.beta = np.linalg.solve(Z.T @ Z, Z.T @ (2 * y - 1.0))
        return self

    def predict(self, X: Array) -> Array:
        """Return the classes."""
        return (X @ self.beta[1:] + self.beta[0] > 0).astype(int)

    def error(self, half: float) -> float:
        """Return the true error: class means at plus and minus `half` along the first axis."""
        length = float(np.linalg.norm(self.beta[1:]))
        ends = half * self.beta[1] + np.array([1, -1]) * self.beta[0]
        return float(special.ndtr(-ends / length).mean())


def normal_classes(
    rng: np.random.Generator, n: int, p: int, half: float, per: int = 1
) -> tuple[Array, Array]:
    """Draw two normal classes in p dimensions; groups of size `per` share half of their noise.

    Each single example has the same distribution as without groups, so the true error has the same
    formula.
    """
    y = rng.permutation(np.arange(n) % 2)
    X = rng.normal(size=(n, p))
    if per > 1:
        X = np.sqrt(0.5) * (X + rng.normal(size=(n // per, p)).repeat(per, axis=0))
    X[:, 0] += half * (2 * y - 1)
    return X, y


@functools.cache
def expected_error(n: int, p: int, half: float, per: int) -> float:
    """Return the mean error of 4,000 models, each trained on n examples."""
    rng = np.random.default_rng([SEED, n, p])
    draws = (normal_classes(rng, n, p, half, per) for _ in range(4000))
    return float(np.mean([LeastSquares().fit(*draw).error(half) for draw in draws]))


def procedure(rng: np.random.Generator, n: int, p: int, half: float, per: int = 1) -> Claims:
    """Cross-validate the learning procedure in ten folds, with whole groups in a fold."""
    X, y = normal_classes(rng, n, p, half, per)
    groups = np.arange(n) // per if per > 1 else None
    estimate = crossval.estimate(LeastSquares(), X, y, groups=groups, rng=rng)
    truth = expected_error(estimate.n_train, p, half, per)
    yield estimate.method, "interval", truth, estimate.low, estimate.high


def of_report(report: Any, truth: float, losses: Array, names: Array) -> Iterator[Claim]:
    """Return the claims of a grouped report on one system or two, whatever their method.

    Coverage is looked up by the number of groups with an error (for two systems: with an error that
    the other doesn't make), and by the number of effective groups, not of groups.
    """
    wrong = np.abs(losses).astype(float)
    statistics = {EVENTS: float((np.bincount(names, wrong) > 0).sum())}
    one = getattr(report, "a", report)
    if np.ptp(np.bincount(names)) > 0:
        statistics[UNEQUAL] = one.groups / one.effective_groups
    weight = one.effective_groups
    claim = Claim(
        report.method, "interval", truth, report.low, report.high, weight, GROUPS, statistics
    )
    yield claim
    if not hasattr(report, "pvalue"):
        yield claim._replace(kind="bound", low=0.0, high=report.bound)


def report_enemy(
    rng: np.random.Generator, enemy: str, g: int, m: int, error: float, rho: float, method: str = ""
) -> Claims:
    """Report on groups with unusual error rates: rare, wholly bad, or higher in larger groups.

    For "bad group" `rho` is the error rate of one group in twenty (in thirty-three if there are
    many).
    """
    sizes = np.full(g, m)
    if enemy == "rare":
        rates = rng.beta(error * (1 / rho - 1), (1 - error) * (1 / rho - 1), g)
        truth = error
    elif enemy == "bad group":
        bad = 0.05 if g < 50 else 0.03
        rates = np.where(rng.random(g) < bad, rho, error)
        truth = bad * rho + (1 - bad) * error
    else:  # sizes 1, m/2 or 4m, of which larger groups are harder
        kind = rng.choice(3, g, p=[0.4, 0.4, 0.2])
        sizes = np.array([1, m // 2, 4 * m])[kind]
        share = np.array([0.4, 0.4, 0.2]) * [1, m // 2, 4 * m]
        rates = np.array([0.0, error, rho])[kind]
        truth = float(share @ [0.0, error, rho] / share.sum())
    names = np.repeat(np.arange(g), sizes)
    losses = (rng.random(len(names)) < np.repeat(rates, sizes)).astype(int)
    chosen: dict[str, Any] = {"method": method} if method else {}
    # the proven method must be given the largest possible size, which may not occur among ten
    # groups
    report = errlab.report(
        np.zeros(len(names), dtype=int), losses, groups=names,
        max_group_size=4 * m if enemy == "sizes" else m, **chosen,
    )  # fmt: skip
    yield from of_report(report, truth, losses, names)


def skewed(rng: np.random.Generator, k: int, g: int, m: int) -> Array:
    """Draw losses of k equally good models: the first fails on whole groups, the others evenly."""
    bad = 0.06
    first = np.repeat(rng.random(g) < bad, m)
    return np.array([first, *(rng.random((k - 1, g * m)) < bad)]).astype(int)


def pair_enemy(rng: np.random.Generator, g: int, m: int, method: str = "") -> Claims:
    """Report on two models of equal error rate: A fails wholly on a few groups, B evenly."""
    names = np.repeat(np.arange(g), m)
    a, b = skewed(rng, 2, g, m)
    chosen: dict[str, Any] = {"method": method} if method else {}
    report = errlab.report(np.zeros(g * m, dtype=int), a, b, groups=names, **chosen)
    yield from of_report(report, 0.0, a - b, names)


def models_enemy(rng: np.random.Generator, k: int, g: int, m: int, method: str = "") -> Claims:
    """Compare several models of equal error rate, of which one fails wholly on a few groups."""
    names = np.repeat(np.arange(g), m)
    wrong = skewed(rng, k, g, m)
    chosen: dict[str, Any] = {"method": method} if method else {}
    comparison = errlab.models(
        np.zeros(g * m, dtype=int), {str(j): row for j, row in enumerate(wrong)}, groups=names,
        **chosen,
    )  # fmt: skip
    ends = np.array([[p.low, p.high] for p in comparison.pairs])
    statistics = {EVENTS: float((np.bincount(names, wrong[0] != wrong[1]) > 0).sum())}
    low, high = float(ends[:, 0].max()), float(ends[:, 1].min())
    key = f"{method_key(comparison.method)} of all pairs"
    yield Claim(key, "all intervals", 0.0, low, high, seen=statistics)


def area_enemy(
    rng: np.random.Generator, enemy: str, n: int, share: float, area: float, two: bool
) -> Claims:
    """Compute an area where some positives score like negatives, or one class spreads further."""
    # an average sample has 1.35 misranked positives, so many have none
    parts = {"subtypes": 0.2, "spread": 0.0, "misranked": 1.35 / (n * share)}
    part, spread = parts[enemy], 2.0 if enemy == "spread" else 1.0
    y, noise, other = classes(rng, n, share)
    like = rng.random(n) < part  # some examples are hard for both models
    scores, truth = [], []
    for x, value in ((noise, area), (other, 0.5 + 0.9 * (area - 0.5))):
        apart = float(np.hypot(1, spread) * special.ndtri(value))
        shifted = np.where((y == 1) & ~like, apart + spread * x, x)
        if enemy == "misranked":
            shifted -= 20.0 * ((y == 1) & like)
        scores.append(shifted)
        truth.append((1 - part) * value + part / 2 * (enemy == "subtypes"))
    estimate = errlab.metric(y, scores[0], scores[1] if two else None, metric="roc_auc")
    yield of_metric(estimate, truth[0] - truth[1] if two else truth[0])


def owned(
    rng: np.random.Generator, metric: str, enemy: str, g: int, m: int, share: float, area: float,
    rho: float, two: bool,
) -> Claims:  # fmt: skip
    """Draw labels that are the same for a whole group, as labels of images are for a patient.

    In "owned, bad" one positive group in ten has scores like those of negative ones.
    """
    positive = rng.random(g) < share
    names = np.repeat(np.arange(g), m)
    y = positive[names].astype(int)
    bad = rng.random(g) < (0.1 if enemy == "owned, bad" else 0.0)
    part = 0.1 if enemy == "owned, bad" else 0.0
    apart = float(np.sqrt(2) * special.ndtri(area))
    ranked = y * ~bad[names]
    outputs, truth = [], []
    for gap in (apart, 0.8 * apart):
        x = np.sqrt(rho) * rng.normal(size=g)[names] + np.sqrt(1 - rho) * rng.normal(size=g * m)
        outputs.append(x + gap * ranked)
        alarm = float(special.ndtr(-CUT))
        hit = (1 - part) * float(special.ndtr(gap - CUT)) + part * alarm
        call_rate = share * hit + (1 - share) * alarm
        if metric == "roc_auc":
            truth.append((1 - part) * float(special.ndtr(gap / np.sqrt(2))) + part / 2)
        else:
            spread = np.sqrt(share * (1 - share) * call_rate * (1 - call_rate))
            truth.append({
                "recall": hit, "precision": share * hit / call_rate,
                "matthews_corrcoef": share * (hit - call_rate) / spread,
            }[metric])  # fmt: skip
    if metric != "roc_auc":
        outputs = [(x > CUT).astype(int) for x in outputs]
    estimate = errlab.metric(
        y, outputs[0], outputs[1] if two else None, metric=metric, groups=names,
        resamples=RESAMPLES, rng=rng,
    )  # fmt: skip
    yield of_metric(estimate, truth[0] - truth[1] if two else truth[0])


ERRORS: dict[str, tuple[Callable[[np.random.Generator, int], Array], float, float]] = {
    # function that draws errors, their mean absolute value, and their mean square
    "normal": (lambda rng, n: rng.normal(size=n), float(np.sqrt(2 / np.pi)), 1.0),
    "t3": (lambda rng, n: rng.standard_t(3, n), 2 * np.sqrt(3) / np.pi, 3.0),
    "t2.2": (lambda rng, n: rng.standard_t(2.2, n), np.nan, 11.0),
    "lognormal": (
        lambda rng, n: np.exp(1.2 * rng.normal(size=n)), float(np.exp(0.72)), float(np.exp(2.88)),
    ),
    # one error in n is huge and the others near 1, so that nothing warns; the means depend on n
    "giants": (
        lambda rng, n: rng.choice([-1, 1], n) * (0.9 + 0.2 * rng.random(n))
        * np.where(rng.random(n) < 1 / n, 60, 1), np.nan, np.nan,
    ),
}  # fmt: skip


def regression_enemy(
    rng: np.random.Generator, metric: str, enemy: str, n: int, two: bool = False
) -> Claims:
    """Draw heavy-tailed regression errors; those of a second model are 1.2 times as large."""
    draw, absolute, square = ERRORS[enemy]
    if enemy == "giants":
        absolute = 1 + 59 / n
        square = (1 + 0.2**2 / 12) * (1 + 3599 / n)
    off = draw(rng, n)
    y = rng.normal(size=n)
    truth = {
        "mean_absolute_error": absolute, "mean_squared_error": square,
        "root_mean_squared_error": np.sqrt(square), "r2": 1 - square / (square + 4 * square),
    }[metric]  # fmt: skip
    if metric == "r2":  # the target's variance is four times that of the error
        prediction = 2 * np.sqrt(square) * y
        y, y_pred = prediction + off * rng.choice([-1, 1], n), prediction
        estimate = errlab.metric(y, y_pred, metric=metric, resamples=RESAMPLES, rng=rng)
        yield of_metric(estimate, truth)
        return
    other = y + 1.2 * draw(rng, n) if two else None
    estimate = errlab.metric(y, y + off, other, metric=metric, resamples=RESAMPLES, rng=rng)
    power = 2 if metric == "mean_squared_error" else 1
    yield of_metric(estimate, float(truth * (1 - 1.2**power)) if two else float(truth))


def sure_and_wrong(rng: np.random.Generator, metric: str, n: int, two: bool = False) -> Claims:
    """Draw correct probabilities, except that one example in n gives its class only 0.002."""
    y = (rng.random(n) < 0.5).astype(int)
    probabilities, truth = [], []
    for p in (0.55, 0.52)[: 1 + two]:
        p_true_class = np.where(rng.random(n) < 1 / n, 0.002, np.where(rng.random(n) < p, p, 1 - p))
        probabilities.append(np.where(y == 1, p_true_class, 1 - p_true_class))
        of = (lambda q: -np.log(q)) if metric == "log_loss" else (lambda q: (1 - q) ** 2)
        truth.append((1 - 1 / n) * (p * of(p) + (1 - p) * of(1 - p)) + of(0.002) / n)
    estimate = errlab.metric(y, *probabilities, metric=metric, resamples=RESAMPLES, rng=rng)
    yield of_metric(estimate, float(truth[0] - truth[1]) if two else float(truth[0]))


def few_of_class(
    rng: np.random.Generator, metric: str, n: int, rare: int, hit: float, alarm: float, two: bool
) -> Claims:
    """Predict with one model or two on a fixed number of positive examples."""
    y = (np.arange(n) < rare).astype(int)
    kinds = []
    for change in (0.0, 0.15)[: 1 + two]:
        kinds.append((rng.random(n) < np.where(y == 1, hit - change, alarm)).astype(int))
    recall, share = hit, rare / n
    values = []
    for recall in (hit, hit - 0.15):
        call_rate = share * recall + (1 - share) * alarm
        right = share * recall + (1 - share) * (1 - alarm)
        luck = share * call_rate + (1 - share) * (1 - call_rate)
        values.append({
            "balanced_accuracy": (recall + 1 - alarm) / 2,
            "matthews_corrcoef": share * (recall - call_rate)
            / np.sqrt(share * (1 - share) * call_rate * (1 - call_rate)),
            "cohen_kappa": (right - luck) / (1 - luck),
        }[metric])  # fmt: skip
    estimate = errlab.metric(y, *kinds, metric=metric, resamples=RESAMPLES, rng=rng)
    yield of_metric(estimate, float(values[0] - values[1]) if two else float(values[0]))


def classes_enemy(rng: np.random.Generator, metric: str, enemy: str, n: int, k: int) -> Claims:
    """Draw many classes: tiny ones of equal size, or with frequencies 1/k and recalls .9 to .4."""
    if enemy == "per class":
        y = np.arange(n) % k
        right = np.full(k, 0.9)
        truth = 0.9
    else:
        weights = 1 / np.arange(1, k + 1)
        y = rng.choice(k, n, p=weights / weights.sum())
        right = np.linspace(0.9, 0.4, k)
        truth = shares_truth(k)
    calls = np.where(rng.random(n) < right[y], y, rng.integers(k, size=n))
    if enemy == "per class":
        calls = np.where(rng.random(n) < right[y], y, (y + rng.integers(1, k, n)) % k)
    estimate = errlab.metric(y, calls, metric=metric, resamples=RESAMPLES, rng=rng)
    yield of_metric(estimate, truth)


@functools.cache
def shares_truth(k: int) -> float:
    """Return the true macro F1 of classes with frequencies 1/k and uniform errors."""
    share = 1 / np.arange(1, k + 1)
    share /= share.sum()
    right = np.linspace(0.9, 0.4, k)
    hits = share * (right + (1 - right) / k)
    call_rates = hits + ((share * (1 - right)).sum() - share * (1 - right)) / k
    return float(np.mean(2 * hits / (share + call_rates)))


def real(rng: np.random.Generator, metric: str, n: int, rank: int, two: bool = False) -> Claims:
    """Draw from 10,000 images and 30 networks of CIFAR-10, whose results are all known."""
    board = datasets.load_board("cifar10")
    losses, label = board.losses["test"], board.classes["test"]
    networks = np.argsort(losses.mean(axis=1))[[rank, rank + 1][: 1 + two]]
    drawn = rng.integers(len(label), size=n)
    y = label[drawn]
    calls = [np.where(losses[j, drawn] > 0, (y + 1) % 10, y) for j in networks]
    recalls = [np.bincount(label, 1 - losses[j]) / np.bincount(label) for j in networks]
    truth = [1 - losses[j].mean() if metric == "accuracy" else r.mean()
             for j, r in zip(networks, recalls, strict=True)]  # fmt: skip
    estimate = errlab.metric(y, *calls, metric=metric, resamples=RESAMPLES, rng=rng)
    yield of_metric(estimate, float(truth[0] - truth[1]) if two else float(truth[0]))


class Vote:
    """A learner that predicts the more frequent label for everybody."""

    def fit(self, X: Array, y: Array) -> Vote:
        """Count the labels."""
        self.most = int(2 * y.sum() > len(y))
        return self

    def predict(self, X: Array) -> Array:
        """Return the more frequent label."""
        return np.full(len(X), self.most)


def learner_data(rng: np.random.Generator, enemy: str, n: int) -> tuple[Array, Array]:
    """Draw examples for a learner: coin flips, normal classes, or a line with log-normal noise."""
    if enemy == "vote":
        return np.zeros((n, 1)), rng.integers(2, size=n)
    if enemy == "tree":
        return normal_classes(rng, n, 5, 0.5)
    if enemy in ("stump", "thin stump"):
        return rng.normal(size=(n, 3 if enemy == "stump" else 1)), rng.integers(2, size=n)
    X = rng.normal(size=(n, 3))
    if enemy == "tails":
        return X, X.sum(axis=1) + np.exp(1.2 * rng.normal(size=n)) - float(np.exp(0.72))
    y = (np.arange(n) < n // 10).astype(int)
    X[:, 0] += 1.5 * y
    order = rng.permutation(n)
    return X[order], y[order]


def learner(enemy: str) -> Any:
    """Return an untrained learner."""
    if enemy == "tree":
        return tree.DecisionTreeClassifier(max_depth=2, random_state=0)
    if enemy in ("stump", "thin stump"):
        return tree.DecisionTreeClassifier(max_depth=1, random_state=0)
    if enemy == "vote":
        return Vote()
    return linear_model.LinearRegression() if enemy == "tails" else LinearDiscriminantAnalysis()


@functools.cache
def learner_truth(enemy: str, scoring: str, n: int) -> float:
    """Return the mean score, on 4,000 new examples, of 600 models trained on n examples each."""
    if enemy in ("vote", "stump", "thin stump"):  # labels that no feature predicts
        return 0.5
    rng = np.random.default_rng([SEED, n])
    scores = []
    for _ in range(600):
        model = learner(enemy).fit(*learner_data(rng, enemy, n))
        X, y = learner_data(rng, enemy, 4000)
        if not scoring:
            scores.append(float((model.predict(X) != y).mean()))
        elif scoring in ("f1", "recall"):
            called = model.predict(X)
            hits = int(called @ y)
            scores.append(hits / y.sum() if scoring == "recall" else 2 * hits / (y + called).sum())
        elif scoring == "roc_auc":
            scores.append(float(metrics.area(y, model.decision_function(X))))
        elif scoring == "neg_mean_absolute_error":
            scores.append(-float(np.abs(model.predict(X) - y).mean()))
        else:
            # use the noise's exact variance, because an estimate from 4,000 draws varies much
            off = model.predict(X) - X.sum(axis=1)
            noise = float(np.exp(2.88) - np.exp(1.44))
            scores.append(-float((off**2).mean() + noise))
    return float(np.mean(scores))


def procedure_enemy(
    rng: np.random.Generator, enemy: str, n: int, scoring: str = "", target: str = "procedure"
) -> Claims:
    """Cross-validate trees and votes, and scores with heavy tails or few positives."""
    X, y = learner_data(rng, enemy, n)
    estimate = crossval.estimate(
        learner(enemy), X, y, scoring=scoring or None, rng=rng, target=target,
        cv=5 if target == "model" else 10, **({"repeats": 10} if target == "model" else {}),
    )  # fmt: skip
    truth = learner_truth(enemy, scoring, estimate.n_train if target == "procedure" else n)
    yield estimate.method, "interval", truth, estimate.low, estimate.high


@functools.cache
def planned(difference: float, disagree: float) -> int:
    """Return the number of examples that `errlab.plan` requires."""
    return errlab.plan(difference=difference, disagree=disagree).n


def plan(rng: np.random.Generator, difference: float, disagree: float) -> Claims:
    """Test whether the exact McNemar test finds the difference that was planned for."""
    a, b = two_columns(rng, planned(difference, disagree), disagree, difference)
    significant = compare.mcnemar(int((a > b).sum()), int((a < b).sum())).pvalue <= 0.05
    yield "power, promised 80%", "power", 1.0, 1.0 if significant else 2.0, 2.0


def watch(rng: np.random.Generator, n: int, error: float, two: bool) -> Claims:
    """Compute an interval after each example, and check whether any of them misses."""
    watched = errlab.watch()
    columns = [(rng.random(n) < error).astype(float) for _ in range(1 + two)]
    watched.update(*columns)
    truth = 0.0 if two else error
    low, high = watched.path
    yield "confidence sequence", "all looks", truth, float(low.max()), float(high.min())


def shares(rng: np.random.Generator, n: int, share: float, method: str) -> Claims:
    """Compute the error rate of a population whose class shares differ from the test set's."""
    strata = np.arange(n) % 2
    losses = (rng.random(n) < np.where(strata == 1, 0.3, 0.03)).astype(float)
    estimate = metrics.error_at_shares(losses, strata, {0: 1 - share, 1: share}, method=method)
    truth = share * 0.3 + (1 - share) * 0.03
    yield estimate.method, "interval", truth, estimate.low, estimate.high


def weights(rng: np.random.Generator, n: int, error: float, method: str, enemy: str = "") -> Claims:
    """Compute the error rate under very unequal weights, independent of the loss or not."""
    w = np.exp(rng.normal(size=n))
    chance, truth = np.full(n, error), error
    if enemy == "heavy":  # 2% have fifty times the weight
        kind = rng.random(n) < 0.02
        w, chance = np.where(kind, 50.0, 1.0), np.where(kind, 0.5, 0.02)
        truth = (0.02 * 50 * 0.5 + 0.98 * 0.02) / (0.02 * 50 + 0.98)
    # log-normal, sigma 2; in the heaviest tenth half of the examples are wrong
    elif enemy == "rising":
        z = rng.normal(size=n)
        w, chance = np.exp(2 * z), np.where(z > special.ndtri(0.9), 0.5, 0.05)
        part = float(special.ndtr(2 - special.ndtri(0.9)))
        truth = 0.5 * part + 0.05 * (1 - part)
    elif enemy == "steps":
        kind = rng.choice(3, n, p=[0.5, 0.4, 0.1])
        w, chance = np.array([0.3, 1.0, 3.0])[kind], np.array([0.02, 0.1, 0.35])[kind]
        truth = (0.15 * 0.02 + 0.4 * 0.1 + 0.3 * 0.35) / 0.85
    losses = (rng.random(n) < chance).astype(float)
    chosen: dict[str, Any] = {"method": method} if method else {}
    estimate = metrics.weighted_error(losses, w, **chosen)
    evidence = estimate.evidence
    yield Claim(
        estimate.method, "interval", truth, estimate.low, estimate.high,
        evidence.size, evidence.unit,
        {"examples over effective examples": n / max(evidence.size, 1e-9)},
    )  # fmt: skip


def task_rates(rng: np.random.Generator, tasks: int, enemy: str) -> Array:
    """Draw the error rate of each task of a board: spread out, or nearly 0 for most tasks."""
    if enemy == "solved":
        return np.where(rng.random(tasks) < 0.1, rng.beta(2, 2, tasks), 0.02)
    return rng.beta(2, 3, tasks)


def task_sizes(tasks: int, per: int, enemy: str) -> Array:
    """Return the examples of each task: equally many, or from `per` / 5 to nine times `per`."""
    if enemy == "uneven":
        return np.rint(per / 5 * 45 ** np.linspace(0, 1, tasks)).astype(int)
    return np.full(tasks, per)


def board(rng: np.random.Generator, tasks: int, per: int, enemy: str = "") -> Claims:
    """Compute the mean error rate over the tasks of a board, each with its own examples."""
    rates, sizes = task_rates(rng, tasks, enemy), task_sizes(tasks, per, enemy)
    names = np.repeat(np.arange(tasks), sizes)
    losses = (rng.random(len(names)) < rates[names]).astype(float)
    equal = dict.fromkeys(range(tasks), 1 / tasks)
    result = metrics.error_at_shares(losses, names, equal, method="strata")
    yield Claim(
        result.method,
        "interval",
        float(rates.mean()),
        result.low,
        result.high,
        len(names),
        EXAMPLES,
    )


def graded_board(rng: np.random.Generator, tasks: int, per: int, graded: bool) -> Claims:
    """Compute the mean score over the tasks of a run with graded scores."""
    rates = task_rates(rng, tasks, "")
    cases = {}
    for number, rate in enumerate(rates):
        losses = rng.beta(4 * rate, 4 * (1 - rate), per)
        cases[str(number)] = TaskCases(losses, None)
    row = run_of_tasks({"": cases}, Scale(rate=not graded), 0.05).row("", "macro mean")
    yield Claim(
        row.method, "interval", float(rates.mean()), row.low, row.high, tasks * per, EXAMPLES
    )


def machine(rng: np.random.Generator, n: int, error: float, wrong: float, method: str) -> Claims:
    """Combine a few true losses with 2,000 of a machine that is sometimes wrong."""
    losses = (rng.random(n + 2000) < error).astype(float)
    judged = np.where(rng.random(n + 2000) < wrong, 1 - losses, losses)
    chosen: dict[str, Any] = {"method": method} if method else {}
    estimate = metrics.prediction_powered(losses[:n], judged[:n], judged[n:], **chosen)
    yield estimate.method, "interval", error, estimate.low, estimate.high


def kish(shape: str) -> float:
    """Return the number of equally large groups that would be worth as much."""
    sizes = np.array(SHAPES[shape], dtype=float)
    return float(sizes.sum() ** 2 / (sizes**2).sum())


FAMILIES: dict[str, Callable[..., Claims]] = {
    "report": report,
    "report, two": report_pair,
    "report, scores": report_scores,
    "report, groups": report_groups,
    "metric, area": area,
    "metric": any_metric,
    "metric, many classes": many_classes,
    "metric, regression": regression,
    "metric, groups": metric_groups,
    "models": models,
    "report, groups, hard": report_enemy,
    "report, two in groups, hard": pair_enemy,
    "models, hard": models_enemy,
    "metric, area, hard": area_enemy,
    "metric, groups, hard": owned,
    "metric, regression, hard": regression_enemy,
    "metric, probabilities, hard": sure_and_wrong,
    "metric, few of a class": few_of_class,
    "metric, classes, hard": classes_enemy,
    "metric, real images": real,
    "crossval.estimate, hard": procedure_enemy,
    "crossval.estimate": procedure,
    "plan": plan,
    "watch": watch,
    "error_at_shares": shares,
    "error_at_shares, tasks": board,
    "tasks, scores": graded_board,
    "weighted_error": weights,
    "prediction_powered": machine,
}


Add = Callable[..., None]  # adds a setting: its family, its runs, and its properties


def settings() -> list[dict[str, Any]]:
    """Return all settings: the function, the test sets of a block, and their properties."""
    all_settings: list[dict[str, Any]] = []

    def add(family: str, runs: int, max_runs: int = 400, **setting: Any) -> None:
        all_settings.append({"family": family, "runs": min(runs, max_runs) // BLOCKS, **setting})

    report_settings(add)
    group_settings(add)
    area_settings(add)
    metric_settings(add)
    for k, n in ((3, 50), (3, 200), (6, 200), (6, 1000)):
        add("models", 300, k=k, n=n, shape="")
        for method in ("proven", "t"):
            add("models", 300, k=k, n=n, shape="", method=method)
    training_settings(add)
    for difference, disagree in ((0.1, 0.2), (0.05, 0.1), (0.04, 0.12)):
        add("plan", 2000, difference=difference, disagree=disagree)
    for error in (0.02, 0.1, 0.5):
        for two in (False, True):
            add("watch", 300, n=1000, error=error, two=two)
    weighting_settings(add)
    hard(add)
    return all_settings


def report_settings(add: Add) -> None:
    """Add reports on one and two systems."""
    for n in (20, 100, 1000):
        for error in (0.02, 0.1, 0.5):
            add("report", 1000, n=n, error=error)
        for kind in ("spread", "near the end"):
            for two in (False, True):
                add("report, scores", 500, n=n, kind=kind, two=two, method="proven")
                add("report, scores", 1000, n=n, kind=kind, two=two, method="t")
    for n in (50, 200, 1000):
        for gap in (0.0, 0.05):
            add("report, two", 500, n=n, disagree=0.1, gap=gap)


def group_settings(add: Add) -> None:
    """Add examples in groups."""
    for shape in SHAPES:
        for two in (False, True):
            for method in ("proven", "t"):
                for error, rho in ALIKE:
                    add("report, groups", 400, shape=shape, error=error, rho=rho, two=two,
                        graded=False, method=method)  # fmt: skip
                add("report, groups", 400, shape=shape, error=0.05, rho=0.2, two=two, graded=True,
                    method=method)  # fmt: skip
            add("metric, groups", 1000, metric="accuracy", shape=shape, two=two)
            add("metric, groups", 1000, metric="roc_auc", shape=shape, two=two)
            if len(SHAPES[shape]) > 5:
                add("metric, groups", 200, metric="matthews_corrcoef", shape=shape, two=two)
        for method in ("proven", "t"):
            add("models", 300, k=4, n=0, shape=shape, method=method)


def area_settings(add: Add) -> None:
    """Add areas under the ROC curve."""
    for share in (0.5, 0.1, 0.02):
        for n in (20, 50, 200, 1000, 10000):
            if n * share >= 4:
                for value in (0.75, 0.94, 0.98) if n < 10000 else (0.98,):
                    for two in (False, True):
                        add("metric, area", 1000 if n < 10000 else 300, n=n, share=share,
                            area=value, two=two)  # fmt: skip


def metric_settings(add: Add) -> None:
    """Add other metrics."""
    for n, share in ((50, 0.3), (200, 0.3), (200, 0.1), (1000, 0.1)):
        names = ["average_precision", "matthews_corrcoef", "brier_score"]
        for name in names:
            add("metric", 300, metric=name, n=n, share=share, two=True)
        if n < 1000:
            names += ["balanced_accuracy", "cohen_kappa", "log_loss"]
        for name in names:
            add("metric", 300, metric=name, n=n, share=share, two=False)
        for two in (False, True):
            add("metric", 1000, metric="recall", n=n, share=share, two=two)
            add("metric", 400, metric="accuracy", n=n, share=share, two=two)
        add("metric", 1000, metric="f1", n=n, share=share, two=False)
    add("metric", 100, metric="f1", n=200, share=0.3, two=True)
    for n in (20, 50, 200, 1000):
        add("metric, regression", 300, metric="mean_absolute_error", n=n)
    add("metric, regression", 1000, metric="r2", n=50)
    for n in (50, 200, 1000):
        add("metric, many classes", 1000, metric="balanced_accuracy", n=n, k=5)
    add("metric, many classes", 100, metric="f1_macro", n=200, k=5)


def training_settings(add: Add) -> None:
    """Add cross-validation."""
    for n in (30, 50, 100, 200, 500):
        for p, half in ((5, 1.2816), (20, 0.8416)):
            if p < n / 2:
                add("crossval.estimate", 1000, n=n, p=p, half=half)
        if n >= 100:
            add("crossval.estimate", 1000, n=n, p=5, half=1.2816, per=5)


def weighting_settings(add: Add) -> None:
    """Add errors elsewhere, weighted examples and the labels of a machine."""
    for n in (40, 100, 400, 2000):
        for share in (0.01, 0.1):
            for method in ("exact", "mover"):
                add("error_at_shares", 1000, n=n, share=share, method=method)
    for n in (30, 100, 300, 1000):
        for error in (0.05, 0.1, 0.3):
            for method in ("", "linear"):
                add("weighted_error", 1000, n=n, error=error, method=method)
    for n in (20, 50, 100, 200, 1000):
        for error, wrong in ((0.1, 0.02), (0.2, 0.1)):
            for method in ("", "tuned", "plain"):
                add("prediction_powered", 1000, n=n, error=error, wrong=wrong, method=method)


def hard(add: Add) -> None:
    """Add the populations that were chosen to break a method."""
    for method in ("", "t"):
        hard_groups(add, method)
    for two in (False, True):
        hard_areas(add, two)
        hard_groups_of_labels(add, two)
        hard_probabilities(add, two)
    hard_classes(add)
    hard_regression(add)
    many_hard_classes(add)
    hard_training(add)
    hard_weights(add)
    for tasks in (3, 10, 57):
        for per in (20, 100):
            for enemy in ("", "solved", "uneven"):
                add("error_at_shares, tasks", 1000, 1000, tasks=tasks, per=per, enemy=enemy)
            add("tasks, scores", 1000, 1000, tasks=tasks, per=per, graded=True)


def hard_groups(add: Add, method: str) -> None:
    """Add groups with rare errors, a bad group, unequal sizes or skewed differences."""
    for g, m, error, rho in ((10, 30, 0.03, 0.3), (20, 30, 0.02, 0.3), (40, 50, 0.01, 0.2),
                             (100, 50, 0.005, 0.2)):  # fmt: skip
        add("report, groups, hard", 400, enemy="rare", g=g, m=m, error=error, rho=rho,
            method=method)  # fmt: skip
    for g, m, error, rho in ((12, 20, 0.01, 1.0), (20, 25, 0.02, 0.5), (50, 10, 0.01, 1.0)):
        add("report, groups, hard", 400, enemy="bad group", g=g, m=m, error=error, rho=rho,
            method=method)  # fmt: skip
    for g in (10, 30):
        add("report, groups, hard", 400, enemy="sizes", g=g, m=10, error=0.05, rho=0.4,
            method=method)  # fmt: skip
    for g, m in ((8, 20), (20, 10), (30, 20), (100, 10)):
        add("report, two in groups, hard", 400, enemy="skewed", g=g, m=m, method=method)
    for g, m in ((10, 20), (20, 20)):
        add("models, hard", 400, enemy="skewed", k=4, g=g, m=m, method=method)


def hard_areas(add: Add, two: bool) -> None:
    """Add areas whose classes are mixtures, or almost separate."""
    for enemy in ("subtypes", "spread"):
        for n, share in ((100, 0.1), (200, 0.1), (400, 0.05), (400, 0.25), (2000, 0.1)):
            add("metric, area, hard", 400, enemy=enemy, n=n, share=share, area=0.95, two=two)
    for n, share in ((72, 1 / 6), (200, 0.1), (400, 0.25)):
        add("metric, area, hard", 400, enemy="misranked", n=n, share=share, area=0.9999, two=two)


def hard_groups_of_labels(add: Add, two: bool) -> None:
    """Add groups each of which owns a class."""
    for enemy in ("owned", "owned, bad"):
        for g, m, share, area, rho in ((60, 20, 0.15, 0.9, 0.5), (40, 8, 0.2, 0.9, 0.7),
                                       (30, 10, 0.3, 0.85, 0.6), (15, 20, 0.4, 0.8, 0.8),
                                       (200, 5, 0.2, 0.95, 0.5)):  # fmt: skip
            for metric in ("roc_auc", "recall"):
                add("metric, groups, hard", 400, metric=metric, enemy=enemy, g=g, m=m,
                    share=share, area=area, rho=rho, two=two)  # fmt: skip
    for g, m, share, area, rho in ((60, 10, 0.3, 0.9, 0.5), (30, 10, 0.4, 0.85, 0.6)):
        add("metric, groups, hard", 400, metric="matthews_corrcoef" if two else "precision",
            enemy="owned", g=g, m=m, share=share, area=area, rho=rho, two=two)  # fmt: skip


def hard_probabilities(add: Add, two: bool) -> None:
    """Add probabilities that are sure and wrong, and a class of few examples."""
    for n in (30, 100, 400):
        add("metric, probabilities, hard", 400, enemy="sure", metric="log_loss", n=n, two=two)
    add("metric, probabilities, hard", 400, enemy="sure", metric="brier_score", n=50, two=two)
    for n, rare in ((100, 5), (150, 9), (200, 20)):
        add("metric, few of a class", 400, enemy="few", metric="balanced_accuracy", n=n,
            rare=rare, hit=0.8, alarm=0.05, two=two)  # fmt: skip


def hard_classes(add: Add) -> None:
    """Add few examples of a class."""
    # from the search in tests/studies/test_worst_populations.py
    for n, rare, hit, alarm in ((4, 2, 0.8, 0.1), (10, 5, 0.94, 0.06), (40, 20, 0.98, 0.01)):
        add("metric, few of a class", 1000, enemy="rare in classes", metric="balanced_accuracy",
            n=n, rare=rare, hit=hit, alarm=alarm, two=False)  # fmt: skip
    for n, rare in ((100, 8), (200, 20)):
        for metric in ("matthews_corrcoef", "cohen_kappa"):
            add("metric, few of a class", 400, enemy="few", metric=metric, n=n, rare=rare, hit=0.8,
                alarm=0.05, two=False)  # fmt: skip


def hard_regression(add: Add) -> None:
    """Add losses with long tails."""
    tails = {
        "mean_squared_error": ("normal", "t3", "t2.2", "giants"),
        "mean_absolute_error": ("normal", "lognormal", "giants"),
        "root_mean_squared_error": ("normal", "giants"),
        "r2": ("normal", "t3", "giants"),
    }
    for metric, enemies in tails.items():
        for enemy in enemies:
            for n in (30, 100, 400):
                add("metric, regression, hard", 400, enemy=enemy, metric=metric, n=n)
                if metric[:4] == "mean" and enemy != "lognormal":
                    add("metric, regression, hard", 400, enemy=enemy, metric=metric, n=n, two=True)


def many_hard_classes(add: Add) -> None:
    """Add many classes, and predictions on real images."""
    for k, n in ((20, 60), (40, 80), (20, 200), (40, 400)):
        add("metric, classes, hard", 1000, enemy="per class", metric="balanced_accuracy", n=n, k=k)
    for n in (200, 600):
        add("metric, classes, hard", 400, enemy="shares", metric="f1_macro", n=n, k=20)
    for n in (100, 1000):
        for rank in (0, 12):
            for two in (False, True):
                for metric in ("accuracy", "balanced_accuracy"):
                    add("metric, real images", 400, enemy="board", metric=metric, n=n, rank=rank,
                        two=two)  # fmt: skip


def hard_training(add: Add) -> None:
    """Add learners and scores that break cross-validation."""
    for enemy in ("tree", "vote", "stump", "thin stump"):
        for n in (30, 100, 300):
            add("crossval.estimate, hard", 400, enemy=enemy, n=n)
    for n in (30, 100, 500):
        add("crossval.estimate, hard", 400, enemy="tails", n=n, scoring="neg_mean_squared_error")
        add("crossval.estimate, hard", 400, enemy="tails", n=n, scoring="neg_mean_absolute_error")
    for n in (100, 400):
        for scoring in ("roc_auc", "f1", "recall"):
            add("crossval.estimate, hard", 400, enemy="seldom", n=n, scoring=scoring)
    for enemy in ("vote", "thin stump"):
        for n in (30, 100):
            add("crossval.estimate, hard", 400, enemy=enemy, n=n, target="model")


def hard_weights(add: Add) -> None:
    """Add heavy weights, and a machine that is rarely wrong."""
    for n in (40, 60, 150, 300, 1000):
        for enemy in ("heavy", "rising", "steps"):
            for method in ("", "linear"):
                add("weighted_error", 1000, enemy=enemy, n=n, error=0.0, method=method)
    for n in (30, 100, 1000):
        for method in ("", "linear"):
            add("weighted_error", 400, enemy="rarely", n=n, error=0.01, method=method)
        if n < 1000:
            add("prediction_powered", 400, enemy="rarely", n=n, error=0.01, wrong=0.01, method="")


def size_of(setting: dict[str, Any]) -> tuple[float, str]:
    """Return the size that coverage depends on and its unit, unless a claim has its own."""
    if setting.get("shape"):
        return kish(setting["shape"]), GROUPS
    if setting["family"] == "plan":
        return planned(setting["difference"], setting["disagree"]), EXAMPLES
    if "g" in setting:
        return setting["g"], GROUPS
    return setting.get("n", 0), EXAMPLES


def task(rng: np.random.Generator, family: str, runs: int, **setting: Any) -> dict[str, float]:
    """Count over a block of test sets, for each method and kind of claim."""
    draw = FAMILIES[family]
    if "enemy" not in inspect.signature(draw).parameters:  # only one population exists
        setting.pop("enemy", None)
    counts: dict[str, float] = {"refused": 0.0}
    statistics: dict[str, list[float]] = {}
    for _ in range(runs):
        try:
            claims = list(draw(rng, **setting))
        except ValueError:  # a class is missing, or nothing is wrong
            counts["refused"] += 1
            continue
        for claim in claims:
            method, kind, truth, low, high, size, unit, claim_statistics = Claim(*claim)
            # an interval that ends at the truth contains it
            slack = 1e-12 * max(abs(low), abs(high))
            below = high < truth - slack
            above = low > truth + slack
            tally = {
                "runs": 1, "held": not (below or above), "below": below, "above": above,
                "width": high - low,
            }  # fmt: skip
            if size is not None:
                tally |= {f"size in {unit}": size}
            for name, value in tally.items():
                key = f"{method_key(method)}|{kind}|{name}"
                counts[key] = counts.get(key, 0.0) + float(value)
            for name, value in claim_statistics.items():
                statistics.setdefault(name, []).append(value)
    for name, values in statistics.items():
        # nine in ten test sets of the block have values between these
        for end, value in zip(("from", "to"), np.quantile(values, (0.05, 0.95)), strict=True):
            counts[f"seen|{name}|{end}"] = float(value)
            counts[f"seen|{name}|blocks"] = 1.0
    return counts


def totals(results: Sequence[dict[str, float]]) -> dict[str, float]:
    """Sum the counts of the blocks."""
    keys = dict.fromkeys(key for result in results for key in result)
    return {key: float(sum(result.get(key, 0.0) for result in results)) for key in keys}


def rows_of(setting: dict[str, Any], counts: dict[str, float]) -> list[dict[str, Any]]:
    """Return a row of the table for each kind of claim that a function has made in a setting.

    If the function switches to another method for some test sets, such as those without an error,
    all test sets are counted together, because the coverage of a selection would mislead. The row
    names the method that was used most often.
    """
    family = setting["family"]
    runs: dict[str, dict[str, float]] = {}
    sums: dict[str, dict[str, float]] = {}
    usual: dict[str, list[float]] = {}
    for key, count in counts.items():
        method, kind, name = [*key.split("|"), "", ""][:3]
        if method == "seen":
            if name != "blocks":
                usual.setdefault(kind, []).append(count / counts[f"seen|{kind}|blocks"])
        elif name == "runs":
            runs.setdefault(kind, {})[method] = count
        elif name:
            sums.setdefault(kind, {}).setdefault(name, 0.0)
            sums[kind][name] += count
    rows = []
    for kind, methods in runs.items():
        total = sum(methods.values())
        mean = {name: value / total for name, value in sums[kind].items()}
        size, unit = size_of(setting)
        for name, value in mean.items():
            if name.startswith("size in "):
                size, unit = value, name.removeprefix("size in ")
        row: dict[str, Any] = {
            "door": family.split(",")[0], "family": family,
            "method": max(methods, key=lambda name: methods[name]),
            "kind": kind, "size": round(size, 2), "unit": unit,
        }  # fmt: skip
        row |= {"metric": metric} if (metric := metric_of(setting)) else {}
        row |= {"where": WHERE[setting["enemy"]]} if setting.get("enemy") in WHERE else {}
        row |= {
            "like": like_of(setting), "runs": int(total), "refused": int(counts["refused"]),
            "coverage": round(mean["held"], 4), "below": round(mean["below"], 4),
            "above": round(mean["above"], 4), "width": float(f"{mean['width']:.3g}"),
        }  # fmt: skip
        if usual:
            row["seen"] = {name: spread(name, *ends) for name, ends in usual.items()}
        rows.append(row)
    return rows


def like_of(setting: dict[str, Any]) -> dict[str, Any]:
    """Return a row's settings except the family, the population and the metric."""
    apart = ("family", "runs", "enemy", "metric")
    return {k: v for k, v in setting.items() if k not in apart and v not in ("", 0)}


def spread(name: str, low: float, high: float) -> list[float]:
    """Return the range of nine in ten test sets; limits of counts are rounded outward."""
    if name == EVENTS:
        return [math.floor(low), math.ceil(high)]
    return [float(f"{end:.4g}") for end in (low, high)]


def metric_of(setting: dict[str, Any]) -> str:
    """Return the name under which the functions look up the coverage of a metric."""
    door = setting["family"].split(",")[0]
    if door == "crossval.estimate":
        return setting.get("scoring") or "Error rate"
    if door != "metric":
        return ""
    name = setting.get("metric", "roc_auc")
    return NAMES.get(name, name)


def of_nested() -> list[dict[str, Any]]:
    """Return the rows of nested cross-validation from the study `cv_coverage`."""
    rows = []
    for entry in stored.load("cv_coverage")["settings"]:
        table = entry["summary"]
        rows.append({
            "door": "crossval.estimate", "family": "crossval.estimate", "metric": "Error rate",
            "method": "nested cross-validation", "kind": "interval",
            "size": entry["setting"]["n"], "unit": EXAMPLES,
            "like": {"problem": entry["setting"]["problem"], "target": "model"},
            "runs": entry["repeats"], "refused": 0,
            "coverage": round(table["nested_refit"], 4),
            "width": float(f"{table['nested_width']:.3g}"),
        })  # fmt: skip
    return rows


def study(*, repeats: int = BLOCKS, small: bool = False, **options: Any) -> dict[str, Any]:
    """Run the study; `small` is a quick run of one setting of each family.

    Parameters
    ----------
    repeats : int
        Blocks of test sets for each setting.
    small : bool
        Whether to take the first setting of each family only, and few test sets.
    **options
        ``workers``, ``folder``, ``seconds`` and ``progress`` of `studies._run.run`. In the default
        folder the table goes to where the library reads it.

    Returns
    -------
    dict
        The table, as stored: ``rows``, and the seed and versions behind them.
    """
    chosen = settings()
    if small:
        first = {setting["family"]: setting for setting in reversed(chosen)}
        chosen = [{**setting, "runs": 2} for setting in first.values()]
    name = "guarantees_quick" if small else "guarantees"
    results = _run.run(
        name,
        task,
        chosen,
        repeats=checks.one_count(repeats, "repeats"),
        seed=SEED,
        summarize=totals,
        **options,
    )
    rows = [
        row
        for entry in results["settings"]
        if entry["repeats"]
        for row in rows_of(entry["setting"], entry["summary"])
    ]
    summary = {key: results[key] for key in ("study", "seed", "versions")}
    summary["rows"] = rows + of_nested()
    folder = Path(options.get("folder", _run.RESULTS))
    written = folder / f"{name}.json"
    if folder == _run.RESULTS and not small:
        written.unlink()
        written = TABLE
    lines = ",\n".join(json.dumps(row) for row in summary["rows"])
    head = json.dumps({**summary, "rows": []}, indent=1).removesuffix("[]\n}")
    written.write_text(f"{head}[\n{lines}\n]}}\n", encoding="utf-8")
    return summary


def show(summary: dict[str, Any]) -> None:
    """Print the table."""
    for row in summary["rows"]:
        like = ", ".join(f"{key} {value}" for key, value in row["like"].items())
        error = np.sqrt(row["coverage"] * (1 - row["coverage"]) / row["runs"])
        print(
            f"{row['family']:20} {row['method'][:36]:36} {row['kind']:9} {row['size']:7.6g} "
            f"{row['unit']:24} {row['coverage']:.3f} ({error:.3f})  width {row['width']:<7.3g} "
            f"{row['runs']:5} {row['refused']:4}  {like}"
        )


if __name__ == "__main__":
    _run.command("guarantees")
