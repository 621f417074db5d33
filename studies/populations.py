"""Populations on which no method was tuned, for every function that prints an interval.

`studies/guarantees.py` measures what is printed beside "asymptotic". This study asks whether what
is printed is true elsewhere: its populations are of the same kinds (unequal groups and weights,
equals among unequal models, positives that rank last, learners that learn nothing, heavy tails, few
of a class), but none of them is in that table. Each row has the coverage of the interval beside
what the result said of it, read from its text: the guarantee, the lowest coverage in the two lines,
the lowest in the details, and how often a caution stood first. A table of doors follows.

    python -m studies.populations --workers 1              # nine minutes of a core
    python -m studies.populations --workers 1 --repeats 1  # one minute, 40 test sets of each
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import special
from sklearn import linear_model, neighbors, tree

import errlab
from errlab import crossval, metrics
from errlab._core.evidence import PROVEN
from errlab.statements.scale import Scale
from errlab.statements.tasks import TaskCases
from errlab.statements.tasks import tasks as run_of_tasks
from studies import _run

SEED = 1953
BLOCKS = 10
RESAMPLES = 400
TOLD = re.compile(r"(?:held in at least|simulated: at least|covered only) (\d+)%")

Array = np.ndarray[Any, np.dtype[Any]]
Generator = np.random.Generator


class Claim(NamedTuple):
    """A result, the truth that its interval is about, and the interval."""

    result: Any
    truth: float
    low: float
    high: float
    guarantee: str


def claim(result: Any, truth: float) -> Claim:
    """Return the claim of a result that has one interval."""
    guarantee = getattr(result, "interval_guarantee", result.guarantee)
    return Claim(result, truth, result.low, result.high, guarantee)


def zeros(n: int) -> Array:
    """Return this many true labels, which a prediction of 1 gets wrong."""
    return np.zeros(n, dtype=int)


# One classifier, or two.


def labels(rng: Generator) -> Claim:
    """37 examples, an error rate of 3%."""
    return claim(errlab.report(zeros(37), (rng.random(37) < 0.03).astype(int)), 0.03)


def one_sided_pair(rng: Generator) -> Claim:
    """60 examples; on 8% A is wrong and B right, and never the other way round."""
    a = (rng.random(60) < 0.08).astype(int)
    return claim(errlab.report(zeros(60), a, zeros(60)), 0.08)


def three_marks(rng: Generator, method: str) -> Claim:
    """80 scores: 2% are 0.3, 2% are 0, all others 1."""
    scores = rng.choice([1.0, 0.3, 0.0], 80, p=[0.96, 0.02, 0.02])
    return claim(errlab.report(scores=scores, range=(0, 1), method=method), 0.966)


def spiked_pair(rng: Generator) -> Claim:
    """90 pairs of scores; A is a little better, but rarely far worse."""
    b = rng.uniform(0.5, 0.9, 90)
    far = rng.random(90) < 0.04
    a = np.where(far, 0.0, b + 0.02)
    truth = 0.96 * 0.02 - 0.04 * 0.7
    return claim(errlab.report(scores=a, scores_b=b, range=(0, 1)), truth)


def sizes_of(rng: Generator, groups: int, kind: str) -> Array:
    """Draw sizes of groups: geometric, Poisson, or 12 for one group in ten and 1 for the others."""
    if kind == "geometric":
        return np.minimum(rng.geometric(0.15, groups), 40)
    if kind == "Poisson":
        return 1 + rng.poisson(6, groups)
    return np.where(rng.random(groups) < 0.1, 12, 1)


@functools.cache
def grouped_truth(kind: str, hard: float, easy: float) -> float:
    """Return the mean over examples if groups of more than 8 examples are hard."""
    sizes = sizes_of(np.random.default_rng(SEED), 1_000_000, kind)
    return float(sizes @ np.where(sizes > 8, hard, easy) / sizes.sum())


def groups(rng: Generator, kind: str, number: int, method: str, graded: bool = False) -> Claim:
    """Groups of unequal sizes, of which the larger ones are harder."""
    sizes = sizes_of(rng, number, kind)
    rates = np.repeat(np.where(sizes > 8, 0.3, 0.05), sizes)
    names = np.repeat(np.arange(number), sizes)
    most = max(sizes.max(), {"geometric": 40, "Poisson": 25, "single": 12}[kind])
    chosen = {"groups": names, "method": method, "max_group_size": int(most)}
    truth = grouped_truth(kind, 0.3, 0.05)
    if graded:
        losses = np.clip(rates + rng.uniform(-0.05, 0.05, len(names)), 0, 1)
        return claim(errlab.report(scores=1 - losses, range=(0, 1), **chosen), 1 - truth)
    wrong = (rng.random(len(names)) < rates).astype(int)
    return claim(errlab.report(zeros(len(names)), wrong, **chosen), truth)


def groups_of_two(rng: Generator, method: str) -> Claim:
    """25 groups of 8; A fails on half of one group in twelve, B on equally many random examples."""
    bad = np.repeat(rng.random(25) < 1 / 12, 8)
    a = (bad & (rng.random(200) < 0.5)).astype(int)
    b = (rng.random(200) < 1 / 24).astype(int)
    names = np.repeat(np.arange(25), 8)
    return claim(errlab.report(zeros(200), a, b, groups=names, method=method), 0.0)


# Many models.


def all_pairs(result: Any, truth: Sequence[float]) -> Claim:
    """Return the intervals of all pairs as one: how far a difference is outside its interval."""
    gaps = [truth[int(pair.a)] - truth[int(pair.b)] for pair in result.pairs]
    low = max(pair.low - gap for pair, gap in zip(result.pairs, gaps, strict=True))
    high = min(pair.high - gap for pair, gap in zip(result.pairs, gaps, strict=True))
    return Claim(result, 0.0, low, high, result.interval_guarantee)


def models(rng: Generator, rates: Sequence[float], n: int, size: int = 1) -> Claim:
    """Models with labels, some of them equal, whose errors are on hard examples or hard groups."""
    hard = rng.choice([0.4, 1.0, 1.6], n // size, p=[0.3, 0.4, 0.3]).repeat(size)
    wrong = rng.random((len(rates), n)) < np.minimum(np.array(rates)[:, None] * hard, 1)
    predictions = {str(j): row.astype(int) for j, row in enumerate(wrong)}
    names = np.arange(n) // size if size > 1 else None
    return all_pairs(errlab.models(zeros(n), predictions, groups=names), rates)


def graded_models(rng: Generator, n: int, method: str) -> Claim:
    """Two equal models that differ on a tenth of the examples, and two that are far worse."""
    rows = [0.6 * (rng.random(n) < 0.05) for _ in range(2)]
    rows += [rng.beta(4, 12, n), rng.beta(14, 6, n)]
    truth = [1 - 0.03, 1 - 0.03, 0.75, 0.3]
    scores = {str(j): 1 - row for j, row in enumerate(rows)}
    return all_pairs(errlab.models(scores=scores, range=(0, 1), method=method), truth)


# Cross-validation: the true error is the mean over models trained on equally many examples.


def stump_cases(rng: Generator, n: int) -> tuple[Array, Array]:
    """Five columns of noise, and labels of which a quarter are positive."""
    return rng.normal(size=(n, 5)), (rng.random(n) < 0.25).astype(int)


def coin_cases(rng: Generator, n: int) -> tuple[Array, Array]:
    """Two columns of noise, and coin flips as labels."""
    return rng.normal(size=(n, 2)), rng.integers(0, 2, n)


def ring_cases(rng: Generator, n: int) -> tuple[Array, Array]:
    """Points inside and outside a circle, a tenth of them with the wrong label."""
    X = rng.normal(size=(n, 2))
    return X, ((np.hypot(*X.T) > 1.2) ^ (rng.random(n) < 0.1)).astype(int)


def rare_cases(rng: Generator, n: int) -> tuple[Array, Array]:
    """Draw examples; one in twelve is positive, and shifted along two columns."""
    y = (rng.random(n) < 1 / 12).astype(int)
    return rng.normal(size=(n, 3)) + 2.0 * y[:, None] * [1, 1, 0], y


def tailed_cases(rng: Generator, n: int) -> tuple[Array, Array]:
    """Fit a line with errors of Student's t with 2.5 degrees of freedom."""
    X = rng.normal(size=(n, 2))
    return X, X @ [1.0, -1.0] + rng.standard_t(2.5, n)


class Majority:
    """A classifier that always predicts the majority label."""

    def fit(self, X: Array, y: Array) -> Majority:
        """Count the labels."""
        self.label = int(np.bincount(y).argmax())
        return self

    def predict(self, X: Array) -> Array:
        """Return that label for each example."""
        return np.full(len(X), self.label)


LEARNERS: dict[str, tuple[Callable[..., Any], Callable[..., tuple[Array, Array]]]] = {
    "stump": (lambda: tree.DecisionTreeClassifier(max_depth=1, random_state=0), coin_cases),
    "stump, a quarter positive": (
        lambda: tree.DecisionTreeClassifier(max_depth=1, random_state=0), stump_cases,
    ),
    "vote": (Majority, coin_cases),
    "tree": (lambda: tree.DecisionTreeClassifier(random_state=0), ring_cases),
    "neighbour": (lambda: neighbors.KNeighborsClassifier(1), ring_cases),
    "logistic": (linear_model.LogisticRegression, rare_cases),
    "ridge": (linear_model.Ridge, tailed_cases),
}  # fmt: skip


@functools.cache
def expected(learner: str, scoring: str, n: int) -> float:
    """Return the mean error or score of 400 models, each trained on n examples, on 5,000 others."""
    make, draw = LEARNERS[learner]
    rng = np.random.default_rng([SEED, n])
    values = []
    for _ in range(400):
        model = make().fit(*draw(rng, n))
        X, y = draw(rng, 5000)
        predicted = model.predict(X)
        hits = int((predicted * y).sum()) if learner == "logistic" else 0
        values.append({
            "": lambda p=predicted, y=y: (p != y).mean(),
            "f1": lambda p=predicted, y=y, h=hits: 2 * h / (p.sum() + y.sum()),
            "recall": lambda y=y, h=hits: h / y.sum(),
            # the noise has variance 5, which the mean of 5,000 squares estimates badly
            "neg_mean_squared_error": lambda p=predicted, X=X: (
                -5.0 - np.square(p - X @ [1.0, -1.0]).mean()
            ),
        }[scoring]())  # fmt: skip
    return float(np.mean(values))


def procedure(rng: Generator, learner: str, n: int, scoring: str = "") -> Claim:
    """Ten-fold cross-validation of a learner."""
    make, draw = LEARNERS[learner]
    X, y = draw(rng, n)
    estimate = crossval.estimate(make(), X, y, scoring=scoring or None, rng=rng)
    return claim(estimate, expected(learner, scoring, estimate.n_train))


def copied(rng: Generator) -> Claim:
    """One nearest neighbour on 120 rows, each of which comes twice."""
    make, draw = LEARNERS["neighbour"]
    X, y = (column.repeat(2, axis=0) for column in draw(rng, 60))
    estimate = crossval.estimate(make(), X, y, rng=rng)
    return claim(estimate, expected("neighbour", "", 57))


def nested(rng: Generator, learner: str, n: int) -> Claim:
    """Nested cross-validation of the model that is trained on all examples."""
    make, draw = LEARNERS[learner]
    X, y = draw(rng, n)
    estimate = crossval.estimate(make(), X, y, cv=5, target="model", repeats=8, rng=rng)
    new_X, new_y = draw(rng, 20_000)
    return claim(estimate, float((make().fit(X, y).predict(new_X) != new_y).mean()))


# Metrics.


def metric(y: Array, a: Array, b: Array | None, name: str, truth: float, **options: Any) -> Claim:
    """Ask `errlab.metric`."""
    return claim(errlab.metric(y, a, b, metric=name, resamples=RESAMPLES, **options), truth)


def last_ranked(rng: Generator, positives: int, negatives: int, two: bool) -> Claim:
    """Exponential scores; 4% of the positives of each model rank below all negatives."""
    y = np.r_[np.ones(positives), np.zeros(negatives)].astype(int)
    n, scores = len(y), []
    for _ in range(1 + two):
        last = (y == 1) & (rng.random(n) < 0.04)
        scores.append(np.where(last, -1 - rng.random(n), rng.exponential(np.where(y == 1, 9, 1))))
    # an exponential with mean 9 exceeds one with mean 1 with probability 0.9
    return metric(y, scores[0], scores[1] if two else None, "roc_auc", 0 if two else 0.96 * 0.9)


def grades(rng: Generator) -> Claim:
    """Three grades of 12 positives and 30 negatives."""
    shares = {1: [0.1, 0.3, 0.6], 0: [0.6, 0.3, 0.1]}
    y = np.r_[np.ones(12), np.zeros(30)].astype(int)
    x = np.array([rng.choice(3, p=shares[label]) for label in y])
    truth = 0.6 * 0.9 + 0.3 * 0.6 + 0.5 * (0.06 + 0.09 + 0.06)
    return metric(y, x, None, "roc_auc", truth)


def calls(rng: Generator, name: str, n: int, share: float, hit: float, alarm: float) -> Claim:
    """Labels and predictions with these rates of hits and false alarms."""
    y = (rng.random(n) < share).astype(int)
    called = (rng.random(n) < np.where(y == 1, hit, alarm)).astype(int)
    rate = share * hit + (1 - share) * alarm
    truth = {
        "mcc": share * (hit - rate) / np.sqrt(share * (1 - share) * rate * (1 - rate)),
        "f1": 2 * share * hit / (share + rate),
        "balanced_accuracy": (hit + 1 - alarm) / 2,
        "precision": share * hit / rate,
    }[name]
    return metric(y, called, None, name, float(truth))


def ranked_precision(rng: Generator) -> Claim:
    """Average precision: one example in eight is positive, scores are uniform or triangular."""
    y = (rng.random(160) < 1 / 8).astype(int)
    x = np.where(y == 1, rng.random(160) ** (1 / 3), rng.random(160))
    return metric(y, x, None, "average_precision", average_precision())


@functools.cache
def average_precision() -> float:
    """Return the mean over positive scores of the precision above: density 3x^2 against 1."""
    x = (np.arange(1_000_000) + 0.5) / 1_000_000
    above = (1 / 8) * (1 - x**3)
    return float((3 * x**2 * above / (above + (7 / 8) * (1 - x))).mean())


def errors(rng: Generator, name: str, kind: str, n: int) -> Claim:
    """Regression: squared errors of t(3) with infinite variance, gamma errors, two sizes."""
    off, absolute, square = {
        "t": lambda: (rng.standard_t(3, n), 2 * np.sqrt(3) / np.pi, 3.0),
        "t of 2.2": lambda: (rng.standard_t(2.2, n), np.nan, 11.0),
        "gamma": lambda: (rng.gamma(0.3, size=n), 0.3, 0.39),
        "two sizes": lambda: (
            rng.normal(size=n) * np.where(rng.random(n) < 0.03, 15, 1), np.nan, 0.97 + 0.03 * 225,
        ),
        "Laplace": lambda: (rng.laplace(size=n), 1.0, 2.0),
    }[kind]()  # fmt: skip
    y = rng.normal(size=n)
    return metric(y, y + off, None, name, float(absolute if name == "mae" else square))


def overconfident(rng: Generator) -> Claim:
    """Log loss of 120 probabilities of .97 that are right in nine of ten."""
    y = rng.integers(0, 2, 120)
    p = np.where(rng.random(120) < 0.9, 0.97, 0.03)
    truth = -(0.9 * np.log(0.97) + 0.1 * np.log(0.03))
    return metric(y, np.where(y == 1, p, 1 - p), None, "log_loss", float(truth))


def rare_classes(rng: Generator, name: str) -> Claim:
    """Five classes, the rarest with one example in 25; 260 examples."""
    shares, right = np.array([0.4, 0.3, 0.16, 0.1, 0.04]), np.array([0.9, 0.8, 0.8, 0.6, 0.5])
    y = rng.choice(5, 260, p=shares)
    called = np.where(rng.random(260) < right[y], y, (y + rng.integers(1, 5, 260)) % 5)
    table = np.diag(right) + (1 - right)[:, None] / 4 * (1 - np.eye(5))
    hits = shares * right
    f1 = 2 * hits / (shares + shares @ table)
    truth = {"balanced_accuracy": right.mean(), "f1_macro": f1.mean()}[name]
    return metric(y, called, None, name, float(truth))


def owned(rng: Generator, name: str) -> Claim:
    """Labels of 45 groups of 1 to 9 examples; a fifth of the groups is positive."""
    sizes = rng.integers(1, 10, 45)
    names = np.repeat(np.arange(45), sizes)
    y = (rng.random(45) < 0.2)[names].astype(int)
    own = rng.normal(size=45)[names] * np.sqrt(0.6)
    x = own + np.sqrt(0.4) * rng.normal(size=len(y)) + 1.8 * y
    if name == "recall":
        return metric(y, (x > 1).astype(int), None, name, float(special.ndtr(0.8)), groups=names)
    return metric(y, x, None, name, float(special.ndtr(1.8 / np.sqrt(2))), groups=names)


# Shares, weights, judges, tables by class and by task, and watching.


def shares(rng: Generator, sizes: Sequence[int], method: str) -> Claim:
    """Four strata; the rarest in the test set is half of the population."""
    names = np.repeat(np.arange(4), sizes)
    rates = np.array([0.02, 0.1, 0.3, 0.15])
    losses = (rng.random(len(names)) < rates[names]).astype(float)
    share = dict(enumerate([0.1, 0.2, 0.2, 0.5]))
    found = metrics.error_at_shares(losses, names, share, method=method)
    return claim(found, float(rates @ [*share.values()]))


def weights(rng: Generator, kind: str, n: int) -> Claim:
    """A few examples weigh a lot: one in a hundred weighs 50, or steps, or a Pareto tail."""
    if kind == "one of 50":
        heavy = rng.random(n) < 0.01
        w, chance = np.where(heavy, 50.0, 1.0), np.where(heavy, 0.6, 0.04)
        truth = (0.01 * 50 * 0.6 + 0.99 * 0.04) / (0.01 * 50 + 0.99)
    elif kind == "steps":
        at = rng.choice(3, n, p=[0.5, 0.4, 0.1])
        w, chance = np.array([0.5, 1.0, 5.0])[at], np.array([0.02, 0.1, 0.4])[at]
        truth = (0.25 * 0.02 + 0.4 * 0.1 + 0.5 * 0.4) / 1.15
    elif kind == "unrelated":
        w, chance = np.exp(1.3 * rng.normal(size=n)), np.full(n, 0.12)
        truth = 0.12
    else:  # Pareto weights with exponent 2.5; half of the examples above 4 are wrong
        w = rng.pareto(2.5, n) + 1
        chance = np.where(w > 4, 0.5, 0.05)
        part = 4 ** (1 - 2.5)  # fraction of the total weight above 4
        truth = 0.5 * part + 0.05 * (1 - part)
    return claim(metrics.weighted_error((rng.random(n) < chance).astype(float), w), truth)


def judge(rng: Generator, n: int, rate: float, wrong: float) -> Claim:
    """A few true losses and 1,500 of a machine that misses more errors than it invents."""
    true = (rng.random(n + 1500) < rate).astype(float)
    flip = rng.random(n + 1500) < np.where(true == 1, 2 * wrong, wrong / 2)
    said = np.where(flip, 1 - true, true)
    return claim(metrics.prediction_powered(true[:n], said[:n], said[n:]), rate)


def by_class(rng: Generator, part: str) -> Claim:
    """Recall of the rarest of four classes, or the mean recall, in 150 examples."""
    rates = np.array([0.9, 0.8, 0.7, 0.6])
    y = rng.choice(4, 150, p=[0.5, 0.3, 0.15, 0.05])
    called = np.where(rng.random(150) < rates[y], y, (y + rng.integers(1, 4, 150)) % 4)
    table = errlab.per_class(y, called)
    row = table.macro if part == "macro" else table.classes[-1]
    if row.recall_low is None or len(table.classes) < 4:
        raise ValueError("a class is missing")
    guarantee = "asymptotic" if part == "macro" else table.guarantee
    truth = rates.mean() if part == "macro" else rates[3]
    return Claim(table, float(truth), row.recall_low, row.recall_high, guarantee)


def macro_mean(rng: Generator, graded: bool) -> Claim:
    """The mean over six tasks of 8 to 300 examples, two of them nearly solved."""
    sizes, rates = [8, 15, 40, 60, 120, 300], [0.4, 0.02, 0.15, 0.3, 0.01, 0.5]
    cases = {}
    for number, (size, rate) in enumerate(zip(sizes, rates, strict=True)):
        losses = (rng.random(size) < rate).astype(float)
        if graded:
            losses = rng.beta(0.4 * rate, 0.4 * (1 - rate), size)
        cases[str(number)] = TaskCases(losses, None)
    result = run_of_tasks({"": cases}, Scale(rate=not graded), 0.05)
    row = result.row("", "macro mean")
    return Claim(result, float(np.mean(rates)), row.low, row.high, "asymptotic")


def watched(rng: Generator, kind: str) -> Claim:
    """Whether any look at 400 examples misses: rare errors, discordant models, graded losses."""
    test = errlab.watch()
    if kind == "rare":
        test.update((rng.random(400) < 0.015).astype(float))
        truth = 0.015
    elif kind == "two":
        test.update(*(rng.random((2, 400)) < 0.5).astype(float))
        truth = 0.0
    else:
        test.update(rng.beta(0.2, 0.6, 400))
        truth = 0.25
    low, high = test.path
    return Claim(test, truth, float(low.max()), float(high.min()), test.guarantee)


def _at(function: Callable[..., Claim], *arguments: Any) -> Callable[[Generator], Claim]:
    return lambda rng: function(rng, *arguments)


POPULATIONS: dict[str, tuple[str, Callable[[Generator], Claim]]] = {
    "37 examples, 3% wrong": ("report", labels),
    "60 examples, only A is ever wrong": ("report", one_sided_pair),
    "80 marks of 1, 0.3 and 0": ("report", _at(three_marks, "proven")),
    "80 marks of 1, 0.3 and 0, by t": ("report", _at(three_marks, "t")),
    "90 pairs, A is now and then far worse": ("report", spiked_pair),
    "30 groups of geometric sizes, large ones harder": (
        "report", _at(groups, "geometric", 30, "proven"),
    ),
    "30 groups of geometric sizes, large ones harder, by t": (
        "report", _at(groups, "geometric", 30, "t"),
    ),
    "18 groups of Poisson sizes, large ones harder, by t": (
        "report", _at(groups, "Poisson", 18, "t"),
    ),
    "60 groups, one in ten holds 12, by t": ("report", _at(groups, "single", 60, "t")),
    "60 groups, one in ten holds 12": ("report", _at(groups, "single", 60, "proven")),
    "24 groups of graded losses, by t": ("report", _at(groups, "geometric", 24, "t", True)),
    "25 groups, A fails on half of a few, by t": ("report", _at(groups_of_two, "t")),
    "25 groups, A fails on half of a few": ("report", _at(groups_of_two, "proven")),
    "4 models, two equal ones": ("models", _at(models, [0.05, 0.05, 0.3, 0.6], 150)),
    "8 models, two equal pairs": (
        "models", _at(models, [0.02, 0.02, 0.1, 0.2, 0.2, 0.35, 0.5, 0.6], 300),
    ),
    "4 graded models, two equal ones": ("models", _at(graded_models, 120, "proven")),
    "4 graded models, two equal ones, by t": ("models", _at(graded_models, 120, "t")),
    "3 equal models in 20 groups": ("models", _at(models, [0.15, 0.15, 0.15], 120, 6)),
    "stump on coins, 100": ("crossval.estimate", _at(procedure, "stump", 100)),
    "stump on coins, 300": ("crossval.estimate", _at(procedure, "stump", 300)),
    "stump, a quarter positive, 150": (
        "crossval.estimate", _at(procedure, "stump, a quarter positive", 150),
    ),
    "vote on coins, 60": ("crossval.estimate", _at(procedure, "vote", 60)),
    "vote on coins, 240": ("crossval.estimate", _at(procedure, "vote", 240)),
    "tree on a ring, 80": ("crossval.estimate", _at(procedure, "tree", 80)),
    "nearest neighbour on a ring, 150": ("crossval.estimate", _at(procedure, "neighbour", 150)),
    "nearest neighbour, each example twice": ("crossval.estimate", copied),
    "F1, one in twelve positive, 200": ("crossval.estimate", _at(procedure, "logistic", 200, "f1")),
    "recall, one in twelve positive, 200": (
        "crossval.estimate", _at(procedure, "logistic", 200, "recall"),
    ),
    "squared error of t(2.5), 100": (
        "crossval.estimate", _at(procedure, "ridge", 100, "neg_mean_squared_error"),
    ),
    "nested, stump on coins, 60": ("crossval.estimate", _at(nested, "stump", 60)),
    "nested, tree on a ring, 60": ("crossval.estimate", _at(nested, "tree", 60)),
    "area, 4% of 50 positives last": ("metric", _at(last_ranked, 50, 150, False)),
    "area, 4% of 25 positives last": ("metric", _at(last_ranked, 25, 400, False)),
    "two areas, 4% of 50 positives last": ("metric", _at(last_ranked, 50, 150, True)),
    "area of three grades": ("metric", grades),
    "MCC, 6% of 150 positive": ("metric", _at(calls, "mcc", 150, 0.06, 0.7, 0.04)),
    "F1, 10% of 120 positive": ("metric", _at(calls, "f1", 120, 0.1, 0.8, 0.1)),
    "balanced accuracy, 5% of 120 positive": (
        "metric", _at(calls, "balanced_accuracy", 120, 0.05, 0.7, 0.02),
    ),
    "average precision, 20 of 160": ("metric", ranked_precision),
    "squared error of t(3), 200": ("metric", _at(errors, "mse", "t", 200)),
    "squared error of t(2.2), 200": ("metric", _at(errors, "mse", "t of 2.2", 200)),
    "squared error, 3% fifteen times as large, 60": ("metric", _at(errors, "mse", "two sizes", 60)),
    "absolute error of gamma(.3), 50": ("metric", _at(errors, "mae", "gamma", 50)),
    "absolute error of Laplace, 40": ("metric", _at(errors, "mae", "Laplace", 40)),
    "log loss of the overconfident, 120": ("metric", overconfident),
    "balanced accuracy of five classes": ("metric", _at(rare_classes, "balanced_accuracy")),
    "macro F1 of five classes": ("metric", _at(rare_classes, "f1_macro")),
    "area, the label belongs to 45 groups": ("metric", _at(owned, "roc_auc")),
    "recall, the label belongs to 45 groups": ("metric", _at(owned, "recall")),
    "four strata, half of the share in 12 examples": (
        "error_at_shares", _at(shares, [90, 60, 30, 12], "auto"),
    ),
    "four strata, exact": ("error_at_shares", _at(shares, [90, 60, 30, 12], "exact")),
    "one weight in a hundred is 50": ("weighted_error", _at(weights, "one of 50", 100)),
    "weights .5, 1 and 5, 40 examples": ("weighted_error", _at(weights, "steps", 40)),
    "weights unrelated to errors, 120": ("weighted_error", _at(weights, "unrelated", 120)),
    "weights of a Pareto tail, 150": ("weighted_error", _at(weights, "Pareto", 150)),
    "a machine's judgement, 60": ("prediction_powered", _at(judge, 60, 0.15, 0.08)),
    "recall of a class with one example in twenty": ("per_class", _at(by_class, "rarest")),
    "mean recall of four classes": ("per_class", _at(by_class, "macro")),
    "mean over six tasks": ("tasks", _at(macro_mean, False)),
    "mean over six tasks, graded": ("tasks", _at(macro_mean, True)),
    "watched, 1.5% wrong": ("watch", _at(watched, "rare")),
    "watched, two that often disagree": ("watch", _at(watched, "two")),
    "watched, graded losses": ("watch", _at(watched, "graded")),
}  # fmt: skip


def task(rng: Generator, population: str, runs: int) -> dict[str, float]:
    """Count over a block of test sets what the function covered, and what it printed."""
    _, draw = POPULATIONS[population]
    counts = dict.fromkeys(("runs", "covered", "proven", "cautions", "untried", "refused"), 0.0)
    printed = details = 0.0
    for _ in range(runs):
        try:
            result, truth, low, high, guarantee = draw(rng)
        except ValueError:  # a class is missing
            counts["refused"] += 1
            continue
        slack = 1e-12 * max(abs(low), abs(high))
        proven = guarantee in PROVEN
        first, all_words = " ".join(str(result).split()), f"{result} {result.details}"
        lines = said(first, proven) or said(all_words, proven)
        counts["runs"] += 1
        counts["covered"] += low - slack <= truth <= high + slack
        counts["proven"] += proven
        counts["cautions"] += first.startswith("Caution")
        counts["untried"] += not lines
        printed += min(lines, default=0.0)
        details += min(said(all_words, proven), default=0.0)
    return counts | {"printed": printed, "details": details}


def said(text: str, proven: bool) -> list[float]:
    """Return the coverages that a text names; for a proven claim, its confidence."""
    if proven:
        return [0.95]
    return [int(share) / 100 for share in TOLD.findall(" ".join(text.split()))]


def total(results: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return fractions of those test sets, over all blocks, that had an interval."""
    sums = {key: sum(result[key] for result in results) for key in results[0]}
    runs, refused = sums.pop("runs"), sums.pop("refused")
    tried = max(runs - sums["untried"], 1)
    shares = {key: round(value / runs, 4) for key, value in sums.items()}
    for name in ("printed", "details"):  # means over the test sets whose text states a coverage
        shares[name] = round(sums[name] / tried, 4)
    return {"runs": runs, "refused": refused, **shares}


def study(*, repeats: int = BLOCKS, small: bool = False, **options: Any) -> dict[str, Any]:
    """Run the study; `small` is a quick look at one population of each door.

    Parameters
    ----------
    repeats : int
        Blocks of test sets for each population.
    small : bool
        Whether to take the first population of each door only, and two test sets.
    **options
        ``workers``, ``folder``, ``seconds`` and ``progress`` of `studies._run.run`.

    Returns
    -------
    dict
        The summary, as stored.
    """
    names = list(POPULATIONS)
    if small:
        names = list({door: name for name, (door, _) in reversed(POPULATIONS.items())}.values())
    name = "populations_quick" if small else "populations"
    summary = _run.run(
        name,
        task,
        [{"population": name, "runs": 2 if small else 40} for name in names],
        repeats=repeats,
        seed=SEED,
        summarize=total,
        **options,
    )
    for entry in summary["settings"]:
        entry["door"] = POPULATIONS[entry["setting"]["population"]][0]
    text = json.dumps(summary, indent=1, allow_nan=False)
    Path(options.get("folder", _run.RESULTS), f"{name}.json").write_text(text + "\n", "utf-8")
    return summary


def rows(summary: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Return a row for each population with its function, lowest coverage first."""
    entries = [entry for entry in summary["settings"] if entry["repeats"]]
    for entry in sorted(entries, key=lambda entry: float(entry["summary"]["covered"])):
        name = entry["setting"]["population"]
        yield {"population": name, "door": entry["door"], **entry["summary"]}


def show(summary: dict[str, Any]) -> None:
    """Print the coverage of each next to the coverage that its text names."""
    print("covers  (se)  printed  details  cautions  runs")
    for row in rows(summary):
        share = row["covered"]
        error = np.sqrt(max(share * (1 - share), 0.01) / row["runs"])
        kind = "proven" if row["proven"] > 0.5 else "untried" if row["untried"] > 0.5 else ""
        print(
            f"{share:6.3f} {error:5.3f}  {row['printed']:7.3f}  {row['details']:7.3f}  "
            f"{row['cautions']:8.2f}  {row['runs']:4.0f}  {row['door']}: {row['population']} {kind}"
        )
    print("\nthe lowest of each door, of what is proven and of what is not, beside what is printed")
    lowest: dict[tuple[str, bool], dict[str, Any]] = {}
    for row in rows(summary):  # the method with the lowest coverage first
        lowest.setdefault((row["door"], row["proven"] > 0.5), row)
    for (door, proven), row in lowest.items():
        printed = "untried" if row["untried"] > 0.5 else f"{row['printed']:7.3f}"
        kind = "proven" if proven else "not proven"
        print(f"{row['covered']:6.3f}  {printed}  {row['cautions']:8.2f}  {door}, {kind}")


if __name__ == "__main__":
    _run.command("populations")
