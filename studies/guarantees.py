"""Coverage of every method that the doors of errlab choose, measured through the doors themselves.

Each setting draws test sets whose truth is known in closed form, asks a door with its default
method, and counts how often interval and bound contain the truth, on which side they miss, how wide
they are, and how often the door refuses. What is printed beside "asymptotic" comes from this table
(`errlab._core.statement.earned`), by the name of the method and by the size that its coverage
depends on: cases, cases of the rarer class, or how many groups of one size weigh as much.

    python -m studies.guarantees --workers 1

It takes an hour on one core. After a change of a method move ``guarantees.jsonl``
away, and run it again.
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from scipy import special

import errlab
from errlab import compare, crossval, metrics
from errlab._core import checks
from errlab._core.statement import method_key
from errlab.book import studies as stored
from studies import _run

SEED = 2027
TABLE = Path(errlab.__file__).parent / "guarantees.json"
BLOCKS = 10  # a repetition is one block of test sets; the setting says how many are in it
RESAMPLES = 400
TEACHER, PUPIL = 1.5, 1.0  # how far the classes are apart, in the scores of model A and of model B
CUT = 1.0  # a case is called positive above it
CASES = "cases"
RARER = "cases of the rarer class"
GROUPS = "effective groups"
# Sizes of the groups: few, very unequal (500 tasks of 12 repositories), many, one that dominates.
SHAPES = {
    "3 of 50": (50,) * 3,
    "5 of 20": (20,) * 5,
    "6 of 20": (20,) * 6,
    "12 unequal": (231, 75, 44, 34, 32, 22, 22, 19, 10, 8, 2, 1),
    "20 of 10": (10,) * 20,
    "30 of 2 and one of 100": (2,) * 30 + (100,),
    "100 of 5": (5,) * 100,
}
# Student's t for graded scores, where the door has it
SCORES_T = "method" in inspect.signature(errlab.report).parameters
ALIKE = ((0.05, 0.2), (0.2, 0.1), (0.3, 0.3))  # error rate, correlation within a group

Array = np.ndarray[Any, np.dtype[Any]]
# What was claimed of one test set: method, "interval" or "bound" and so on, truth, both ends.
Claims = Iterator[tuple[str, str, float, float, float]]


def losses_in_groups(rng: np.random.Generator, sizes: Array, error: float, rho: float) -> Array:
    """Draw losses whose groups have rates of their own: beta, with correlation rho within."""
    total = 1 / rho - 1
    rates = rng.beta(error * total, (1 - error) * total, len(sizes))
    return (rng.random(int(sizes.sum())) < np.repeat(rates, sizes)).astype(float)


def marks(rng: np.random.Generator, n: int, kind: str) -> tuple[Array, float]:
    """Draw scores in [0, 1], spread out or mostly 1, and return their mean, too."""
    a, b = {"spread": (2.0, 2.0), "near the end": (0.95, 0.05)}[kind]
    return rng.beta(a, b, n), a / (a + b)


def two_columns(rng: np.random.Generator, n: int, disagree: float, gap: float) -> tuple[Array, ...]:
    """Draw the losses of two, of which exactly one is wrong on a share `disagree` of the cases."""
    kind = rng.choice(4, n, p=[(disagree + gap) / 2, (disagree - gap) / 2, 0.1, 0.9 - disagree])
    return np.isin(kind, (0, 2)).astype(int), np.isin(kind, (1, 2)).astype(int)


def report(rng: np.random.Generator, n: int, error: float) -> Claims:
    """One classifier on independent cases."""
    wrong = (rng.random(n) < error).astype(int)
    found = errlab.report(np.zeros(n, dtype=int), wrong)
    yield "Clopper-Pearson", "interval", error, found.low, found.high
    yield "Clopper-Pearson", "bound", error, 0.0, found.upper


def report_pair(rng: np.random.Generator, n: int, disagree: float, gap: float) -> Claims:
    """Two classifiers on the same independent cases."""
    a, b = two_columns(rng, n, disagree, gap)
    found = errlab.report(np.zeros(n, dtype=int), a, b)
    yield "Fay and Lumbard", "interval", gap, found.low, found.high


def report_scores(rng: np.random.Generator, n: int, kind: str, two: bool, method: str) -> Claims:
    """Graded scores in [0, 1], of one or of two."""
    scores, mean = marks(rng, n, kind)
    chosen: dict[str, Any] = {} if method == "proven" else {"method": method}
    if two:
        other, _ = marks(rng, n, kind)
        found: Any = errlab.report(scores=scores, scores_b=other, range=(0, 1), **chosen)
        yield found.method, "interval", 0.0, found.low, found.high
        return
    found = errlab.report(scores=scores, range=(0, 1), **chosen)
    yield found.method, "interval", mean, found.low, found.high
    yield found.method, "bound", mean, found.bound, 1.0


def score_of(rng: np.random.Generator, losses: Array) -> Array:
    """Draw a score in (0, 1) for each case, which is near 1 where it is right."""
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
    """Cases in groups: an error rate or a mean score, of one or of two that are equally good."""
    found: Any
    sizes = np.array(SHAPES[shape])
    names = np.repeat(np.arange(len(sizes)), sizes)
    columns = [losses_in_groups(rng, sizes, error, rho) for _ in range(1 + two)]
    y = np.zeros(len(names), dtype=int)
    if graded:
        scores = [score_of(rng, x) for x in columns]
        found = errlab.report(
            scores=scores[0], scores_b=scores[1] if two else None, range=(0, 1), groups=names,
            method=method,
        )  # fmt: skip
        truth = 0.0 if two else 0.9 - 0.8 * error
    else:
        found = errlab.report(y, *(x.astype(int) for x in columns), groups=names)
        truth = 0.0 if two else error
    yield found.method, "interval", truth, found.low, found.high
    if not two:
        ends = (found.bound, 1.0) if graded else (0.0, found.bound)
        yield found.method, "bound", truth, *ends


def classes(rng: np.random.Generator, n: int, share: float) -> tuple[Array, Array, Array]:
    """Draw labels, and noise of two models that correlates by one half."""
    y = (rng.random(n) < share).astype(int)
    noise = rng.normal(size=n)
    return y, noise, 0.5 * noise + np.sqrt(0.75) * rng.normal(size=n)


def area(rng: np.random.Generator, n: int, share: float, area: float, two: bool) -> Claims:
    """The area under the ROC curve of normal scores, or the difference of two."""
    y, noise, other = classes(rng, n, share)
    apart = np.sqrt(2) * special.ndtri(area)
    if two:
        b = other + 0.8 * apart * y
        found = errlab.metric(y, noise + apart * y, b, metric="roc_auc")
        truth = area - float(special.ndtr(0.8 * apart / np.sqrt(2)))
    else:
        found = errlab.metric(y, noise + apart * y, metric="roc_auc")
        truth = area
    yield found.method, "interval", truth, found.low, found.high


@functools.cache
def truth_of(metric: str, share: float, apart: float) -> float:
    """Return the true value of a metric of normal scores that are so far apart."""

    def over(function: Callable[[float], float], centre: float) -> float:
        """Return the mean of a function of the score, normal around a centre."""

        def weighed(x: float) -> float:
            return function(x) * float(np.exp(-((x - centre) ** 2) / 2) / np.sqrt(2 * np.pi))

        return float(scipy.integrate.quad(weighed, centre - 9, centre + 9)[0])

    def precision(x: float) -> float:
        called = share * special.ndtr(apart - x) + (1 - share) * special.ndtr(-x)
        return float(share * special.ndtr(apart - x) / called)

    hit = float(special.ndtr(apart - CUT))
    alarm = float(special.ndtr(-CUT))
    called = share * hit + (1 - share) * alarm
    right = share * hit + (1 - share) * (1 - alarm)
    by_luck = share * called + (1 - share) * (1 - called)
    spread = np.sqrt(share * (1 - share) * called * (1 - called))

    def loss(of: Callable[[float], float]) -> float:
        """Return the mean of a loss of the probability that the true class was given."""
        positive = over(lambda x: of(float(probability(np.array(x), share, apart))), apart)
        negative = over(lambda x: of(1 - float(probability(np.array(x), share, apart))), 0.0)
        return share * positive + (1 - share) * negative

    return {
        "average_precision": lambda: over(precision, apart),
        "matthews_corrcoef": lambda: share * (hit - called) / spread,
        "balanced_accuracy": lambda: (hit + 1 - alarm) / 2,
        "cohen_kappa": lambda: (right - by_luck) / (1 - by_luck),
        "f1": lambda: 2 * share * hit / (share + called),
        "brier_score": lambda: loss(lambda p: (1 - p) ** 2),
        "log_loss": lambda: loss(lambda p: -float(np.log(p))),
        "recall": lambda: hit,
        "accuracy": lambda: right,
    }[metric]()


def probability(x: Array, share: float, apart: float) -> Array:
    """Return the true probability of the positive class, given the score."""
    return np.asarray(special.expit(apart * x - apart**2 / 2 + special.logit(share)))


def any_metric(rng: np.random.Generator, metric: str, n: int, share: float, two: bool) -> Claims:
    """Any other metric of the scores, calls or probabilities of one model, or of two."""
    y, noise, other = classes(rng, n, share)
    said = []
    for apart, x in ((TEACHER, noise + TEACHER * y), (PUPIL, other + PUPIL * y)):
        if metric in ("brier_score", "log_loss"):
            said.append(probability(x, share, apart))
        else:
            said.append(x if metric == "average_precision" else (x > CUT).astype(int))
    truth = truth_of(metric, share, TEACHER) - (truth_of(metric, share, PUPIL) if two else 0)
    found = errlab.metric(
        y, said[0], said[1] if two else None, metric=metric, resamples=RESAMPLES, rng=rng
    )
    yield found.method, "interval", truth, found.low, found.high


def many_classes(rng: np.random.Generator, metric: str, n: int, k: int) -> Claims:
    """A mean over k classes that are equally frequent and equally hard."""
    y = rng.permutation(np.arange(n) % k)
    calls = np.where(rng.random(n) < 0.7, y, (y + rng.integers(1, k, n)) % k)
    found = errlab.metric(y, calls, metric=metric, resamples=RESAMPLES, rng=rng)
    yield found.method, "interval", 0.7, found.low, found.high


def regression(rng: np.random.Generator, metric: str, n: int) -> Claims:
    """Mean absolute error and R squared of predictions that are off by normal noise."""
    prediction = rng.normal(size=n)
    off = 0.6 * rng.normal(size=n)
    truth = {"mean_absolute_error": 0.6 * np.sqrt(2 / np.pi), "r2": 1 / 1.36}[metric]
    found = errlab.metric(prediction + off, prediction, metric=metric, resamples=RESAMPLES, rng=rng)
    yield found.method, "interval", truth, found.low, found.high


def metric_groups(rng: np.random.Generator, metric: str, shape: str, two: bool) -> Claims:
    """A metric of cases in groups: scores of a group have a part in common."""
    sizes = np.array(SHAPES[shape])
    names = np.repeat(np.arange(len(sizes)), sizes)
    y, noise, other = classes(rng, len(names), 0.3)
    shift, also = (rng.normal(size=len(sizes))[names] for _ in range(2))
    mixed = [np.sqrt(0.8) * e + np.sqrt(0.2) * s for e, s in ((noise, shift), (other, also))]
    said = [e + TEACHER * y for e in mixed]
    if metric != "roc_auc":
        said = [(x > CUT).astype(int) for x in said]
    truth = 0.0
    if not two:
        truth = float(special.ndtr(TEACHER / np.sqrt(2)))
        truth = truth if metric == "roc_auc" else truth_of(metric, 0.3, TEACHER)
    found = errlab.metric(
        y, said[0], said[1] if two else None, metric=metric, groups=names,
        resamples=RESAMPLES, rng=rng,
    )  # fmt: skip
    yield found.method, "interval", truth, found.low, found.high


def models(rng: np.random.Generator, k: int, n: int, shape: str, method: str = "") -> Claims:
    """Several models, of which some are better: all intervals of the pairs at once.

    With a `method` they have graded scores, else labels.
    """
    truth = np.linspace(0.1, 0.2, k)
    names = None
    if shape:
        sizes = np.array(SHAPES[shape])
        names = np.repeat(np.arange(len(sizes)), sizes)
        wrong = np.array([losses_in_groups(rng, sizes, p, 0.1) for p in truth]).astype(int)
    else:
        hard = rng.choice([0.25, 1.0, 2.5], n, p=[0.4, 0.4, 0.2])  # mean 1
        wrong = (rng.random((k, n)) < np.minimum(truth[:, None] * hard, 1)).astype(int)
    if method:
        truth = 0.9 - 0.8 * truth
        scores = {str(j): row for j, row in enumerate(score_of(rng, wrong))}
        found = compare.models(scores=scores, range=(0, 1), groups=names, method=method)
    else:
        y = np.zeros(wrong.shape[1], dtype=int)
        found = compare.models(y, {str(j): row for j, row in enumerate(wrong)}, groups=names)
    gaps = np.array([truth[int(p.a)] - truth[int(p.b)] for p in found.pairs])
    low = np.array([p.low for p in found.pairs])
    high = np.array([p.high for p in found.pairs])
    # as one claim: the furthest that a difference is beyond one of its ends
    yield (
        f"{found.method} of all pairs", "all intervals", 0.0, float((low - gaps).max()),
        float((high - gaps).min()),
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
    """Draw two normal classes in p dimensions; groups of `per` cases have half the noise in common.

    Each case by itself has the same distribution then, and so the true error has the same formula.
    """
    y = rng.permutation(np.arange(n) % 2)
    X = rng.normal(size=(n, p))
    if per > 1:
        X = np.sqrt(0.5) * (X + rng.normal(size=(n // per, p)).repeat(per, axis=0))
    X[:, 0] += half * (2 * y - 1)
    return X, y


@functools.cache
def expected_error(n: int, p: int, half: float, per: int) -> float:
    """Return the mean error of 4,000 models that were trained on n cases each."""
    rng = np.random.default_rng([SEED, n, p])
    draws = (normal_classes(rng, n, p, half, per) for _ in range(4000))
    return float(np.mean([LeastSquares().fit(*draw).error(half) for draw in draws]))


def procedure(rng: np.random.Generator, n: int, p: int, half: float, per: int = 1) -> Claims:
    """Ten-fold cross-validation of the learning procedure, whole groups in a fold."""
    X, y = normal_classes(rng, n, p, half, per)
    groups = np.arange(n) // per if per > 1 else None
    found = crossval.estimate(LeastSquares(), X, y, groups=groups, rng=rng)
    truth = expected_error(found.n_train, p, half, per)
    yield found.method, "interval", truth, found.low, found.high


@functools.cache
def planned(difference: float, disagree: float) -> int:
    """Return the number of cases that the plan asks for."""
    return errlab.plan(difference=difference, disagree=disagree).n


def plan(rng: np.random.Generator, difference: float, disagree: float) -> Claims:
    """Whether the exact McNemar test finds the difference that was planned for."""
    a, b = two_columns(rng, planned(difference, disagree), disagree, difference)
    found = compare.mcnemar(int((a > b).sum()), int((a < b).sum())).pvalue <= 0.05
    yield "power, promised 80%", "power", 1.0, 1.0 if found else 2.0, 2.0


def watch(rng: np.random.Generator, n: int, error: float, two: bool) -> Claims:
    """Whether any of the intervals misses, looked at after each case."""
    watched = errlab.watch()
    columns = [(rng.random(n) < error).astype(float) for _ in range(1 + two)]
    watched.update(*columns)
    truth = 0.0 if two else error
    low, high = watched.path
    yield "confidence sequence", "all looks", truth, float(low.max()), float(high.min())


def shares(rng: np.random.Generator, n: int, share: float, method: str) -> Claims:
    """The error rate where one class has another share than in the test set."""
    strata = np.arange(n) % 2
    losses = (rng.random(n) < np.where(strata == 1, 0.3, 0.03)).astype(float)
    found = metrics.error_at_shares(losses, strata, {0: 1 - share, 1: share}, method=method)
    truth = share * 0.3 + (1 - share) * 0.03
    yield found.method, "interval", truth, found.low, found.high


def weights(rng: np.random.Generator, n: int, error: float, method: str) -> Claims:
    """The error rate under weights that vary much, whatever the loss."""
    losses = (rng.random(n) < error).astype(float)
    w = np.exp(rng.normal(size=n))
    chosen: dict[str, Any] = {"method": method} if method else {}
    found = metrics.weighted_error(losses, w, **chosen)
    yield found.method, "interval", error, found.low, found.high


def machine(rng: np.random.Generator, n: int, error: float, wrong: float, method: str) -> Claims:
    """Few true losses beside 2,000 of a machine that is wrong now and then."""
    losses = (rng.random(n + 2000) < error).astype(float)
    judged = np.where(rng.random(n + 2000) < wrong, 1 - losses, losses)
    chosen: dict[str, Any] = {"method": method} if method else {}
    found = metrics.prediction_powered(losses[:n], judged[:n], judged[n:], **chosen)
    yield found.method, "interval", error, found.low, found.high


def kish(shape: str) -> float:
    """Return how many groups of one size weigh as much."""
    sizes = np.array(SHAPES[shape], dtype=float)
    return float(sizes.sum() ** 2 / (sizes**2).sum())


DOORS: dict[str, Callable[..., Claims]] = {
    "report": report,
    "report, two": report_pair,
    "report, scores": report_scores,
    "report, groups": report_groups,
    "metric, area": area,
    "metric": any_metric,
    "metric, many classes": many_classes,
    "metric, regression": regression,
    "metric, groups": metric_groups,
    "compare.models": models,
    "crossval.estimate": procedure,
    "plan": plan,
    "watch": watch,
    "error_at_shares": shares,
    "weighted_error": weights,
    "prediction_powered": machine,
}


def settings() -> list[dict[str, Any]]:
    """Return all settings: the door, the test sets of a block, and what the test sets are like."""
    found: list[dict[str, Any]] = []

    def add(door: str, runs: int, **setting: Any) -> None:
        found.append({"door": door, "runs": runs // BLOCKS, **setting})

    for n in (20, 100, 1000):
        for error in (0.02, 0.1, 0.5):
            add("report", 1000, n=n, error=error)
        for kind in ("spread", "near the end"):
            for two in (False, True):
                add("report, scores", 500, n=n, kind=kind, two=two, method="proven")
                if SCORES_T:
                    add("report, scores", 1000, n=n, kind=kind, two=two, method="t")
    for n in (50, 200, 1000):
        for gap in (0.0, 0.05):
            add("report, two", 500, n=n, disagree=0.1, gap=gap)
    for shape in SHAPES:
        for error, rho in ALIKE:
            for two in (False, True):
                add("report, groups", 1000 - 400 * two, shape=shape, error=error, rho=rho, two=two,
                    graded=False)  # fmt: skip
                for method in ("proven", "t"):
                    add("report, groups", 500, shape=shape, error=error, rho=rho, two=two,
                        graded=True, method=method)  # fmt: skip
        for two in (False, True):
            add("metric, groups", 1000, metric="accuracy", shape=shape, two=two)
            add("metric, groups", 1000, metric="roc_auc", shape=shape, two=two)
            if len(SHAPES[shape]) > 5:
                add("metric, groups", 200, metric="matthews_corrcoef", shape=shape, two=two)
        add("compare.models", 500, k=4, n=0, shape=shape)
        for method in ("proven", "t"):
            add("compare.models", 300, k=4, n=0, shape=shape, method=method)
    for share in (0.5, 0.1, 0.02):
        for n in (20, 50, 200, 1000, 10000):
            if n * share >= 4:
                for value in (0.75, 0.86, 0.94, 0.98) if n < 10000 else (0.75, 0.98):
                    for two in (False, True):
                        add("metric, area", 1000 if n < 10000 else 300, n=n, share=share,
                            area=value, two=two)  # fmt: skip
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
        add("metric", 1000, metric="f1", n=n, share=share, two=False)
    add("metric", 100, metric="f1", n=200, share=0.3, two=True)
    for n in (20, 50, 200, 1000):
        add("metric, regression", 300, metric="mean_absolute_error", n=n)
    add("metric, regression", 1000, metric="r2", n=50)
    for n in (50, 200, 1000):
        add("metric, many classes", 1000, metric="balanced_accuracy", n=n, k=5)
    add("metric, many classes", 100, metric="f1_macro", n=200, k=5)
    for k, n in ((3, 50), (3, 200), (6, 200), (6, 1000)):
        add("compare.models", 300, k=k, n=n, shape="")
        for method in ("proven", "t"):
            add("compare.models", 300, k=k, n=n, shape="", method=method)
    for n in (30, 50, 100, 200, 500):
        for p, half in ((5, 1.2816), (20, 0.8416)):
            if p < n / 2:
                add("crossval.estimate", 1000, n=n, p=p, half=half)
        if n >= 100:
            add("crossval.estimate", 1000, n=n, p=5, half=1.2816, per=5)
    for difference, disagree in ((0.1, 0.2), (0.05, 0.1), (0.04, 0.12)):
        add("plan", 2000, difference=difference, disagree=disagree)
    for error in (0.02, 0.1, 0.5):
        for two in (False, True):
            add("watch", 300, n=1000, error=error, two=two)
    for n in (40, 100, 400, 2000):
        for share in (0.01, 0.1):
            for way in ("exact", "mover"):
                add("error_at_shares", 1000, n=n, share=share, method=way)
    for n in (30, 100, 300, 1000):
        for error in (0.05, 0.1, 0.3):
            for way in ("", "linear"):
                add("weighted_error", 1000, n=n, error=error, method=way)
    for n in (20, 50, 100, 200, 1000):
        for error, wrong in ((0.1, 0.02), (0.2, 0.1)):
            for way in ("", "tuned", "plain"):
                add("prediction_powered", 1000, n=n, error=error, wrong=wrong, method=way)
    return found


def size_of(setting: dict[str, Any]) -> tuple[float, str]:
    """Return the size that coverage depends on, and what it counts."""
    if setting.get("shape"):
        return kish(setting["shape"]), GROUPS
    if setting["door"] == "plan":
        return planned(setting["difference"], setting["disagree"]), CASES
    if setting["door"] in ("metric", "metric, area"):
        rarer = setting["n"] * setting["share"]
        return rarer, CASES if setting.get("metric") in ("recall", "f1") else RARER
    return setting["n"], CASES


def task(rng: np.random.Generator, door: str, runs: int, **setting: Any) -> dict[str, float]:
    """Count over a block of test sets, for each method and kind of claim."""
    counts: dict[str, float] = {"refused": 0.0}
    for _ in range(runs):
        try:
            claims = list(DOORS[door](rng, **setting))
        except ValueError:  # a class is missing, or nothing went wrong
            counts["refused"] += 1
            continue
        for method, kind, truth, low, high in claims:
            slack = 1e-12 * max(abs(low), abs(high))  # an end at the truth contains it
            below = high < truth - slack
            above = low > truth + slack
            told = {
                "runs": 1, "held": not (below or above), "below": below, "above": above,
                "width": high - low,
            }  # fmt: skip
            for name, value in told.items():
                key = f"{method_key(method)}|{kind}|{name}"
                counts[key] = counts.get(key, 0.0) + float(value)
    return counts


def totals(results: Sequence[dict[str, float]]) -> dict[str, float]:
    """Sum the counts of the blocks."""
    keys = dict.fromkeys(key for result in results for key in result)
    return {key: float(sum(result.get(key, 0.0) for result in results)) for key in keys}


def rows_of(setting: dict[str, Any], counts: dict[str, float]) -> list[dict[str, Any]]:
    """Return a row of the table for each kind of claim that a door has made in a setting.

    Where a door takes another method for some test sets, such as those without an error, all are
    counted together: a coverage is not one of chosen data. The row has the name of the method that
    was taken most often.
    """
    size, unit = size_of(setting)
    like = {k: v for k, v in setting.items() if k not in ("door", "runs") and v not in ("", 0)}
    runs: dict[str, dict[str, float]] = {}
    for key, count in counts.items():
        method, kind, name = [*key.split("|"), "", ""][:3]
        if name == "runs":
            runs.setdefault(kind, {})[method] = count
    found = []
    for kind, methods in runs.items():
        mean = {
            name: sum(counts[f"{method}|{kind}|{name}"] for method in methods)
            / sum(methods.values())
            for name in ("held", "below", "above", "width")
        }
        most = max(methods, key=lambda name: methods[name])
        row = {
            "door": setting["door"], "method": method_key(most),
            "kind": kind, "size": round(size, 2), "unit": unit, "like": like,
            "runs": int(sum(methods.values())), "refused": int(counts["refused"]),
            "coverage": round(mean["held"], 4), "below": round(mean["below"], 4),
            "above": round(mean["above"], 4), "width": float(f"{mean['width']:.3g}"),
        }  # fmt: skip
        found.append(row)
    return found


def of_nested() -> list[dict[str, Any]]:
    """Return the rows of nested cross-validation, from the study that has measured it."""
    found = []
    for entry in stored.load("cv_coverage")["settings"]:
        table = entry["summary"]
        found.append({
            "door": "crossval.estimate", "method": "nested cross-validation", "kind": "interval",
            "size": entry["setting"]["n"], "unit": CASES,
            "like": {"problem": entry["setting"]["problem"], "target": "model"},
            "runs": entry["repeats"], "refused": 0,
            "coverage": round(table["nested_refit"], 4),
            "width": float(f"{table['nested_width']:.3g}"),
        })  # fmt: skip
    return found


def study(*, repeats: int = BLOCKS, small: bool = False, **options: Any) -> dict[str, Any]:
    """Run the study; `small` is a quick look at one setting of each door.

    Parameters
    ----------
    repeats : int
        Blocks of test sets for each setting.
    small : bool
        Whether to take the first setting of each door only, and few test sets.
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
        first = {setting["door"]: setting for setting in reversed(chosen)}
        chosen = [{**setting, "runs": 2} for setting in first.values()]
    name = "guarantees_quick" if small else "guarantees"
    found = _run.run(
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
        for entry in found["settings"]
        if entry["repeats"]
        for row in rows_of(entry["setting"], entry["summary"])
    ]
    summary = {key: found[key] for key in ("study", "seed", "versions")}
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
            f"{row['door']:20} {row['method'][:36]:36} {row['kind']:9} {row['size']:7.6g} "
            f"{row['unit']:24} {row['coverage']:.3f} ({error:.3f})  width {row['width']:<7.3g} "
            f"{row['runs']:5} {row['refused']:4}  {like}"
        )


if __name__ == "__main__":
    _run.command("guarantees")
