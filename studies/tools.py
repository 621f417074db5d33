"""How often the intervals of evaluation tools contain the truth, by default and at their best.

Each *situation* draws test sets whose truth is known: simulated sets, draws from a public board,
and populations that were chosen to break a method. Each *call* is one function of one tool, as a
user types it, and returns the two ends of its 95% interval. All calls of a situation see the same
test sets. We only call what a tool offers, and add nothing to it.

The tools have pins (``studies/tools.txt``) and an environment of their own::

    make study STUDY=tools

which is the same as

    python3 -m venv _build/tools
    _build/tools/bin/python -m pip install -r studies/tools.txt
    _build/tools/bin/python -m studies.tools

Rows are stored in ``_build/tools_rows`` as they are computed, so that a stopped study can go on.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import hashlib
import importlib.metadata
import inspect
import json
import re
import sys
import textwrap
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import special

import errlab
from errlab import datasets
from studies import _rows, _run

SEED = 2038
SETS = 2000  # test sets of a cell for each seed
BLOCK = 100  # test sets in a stored row
PINS = Path(__file__).with_suffix(".txt")
ROWS = Path(__file__).parent.parent / "_build" / "tools_rows"
LEVEL = 0.95
CANDIDATES = 10
SIZES = np.array([5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18, 20])  # sizes of twelve groups

Array = np.ndarray[Any, np.dtype[Any]]
Ends = tuple[float, float]


class Situation(NamedTuple):
    """A kind of test set: the question, the population, and how to draw from it."""

    kind: str  # the kind of question that the call answers
    population: str  # "simulated", "board" or "enemy", a population chosen to break a method
    words: str
    draw: Callable[[np.random.Generator], tuple[float, dict[str, Any]]]  # returns truth and data


class Call(NamedTuple):
    """One call of one tool."""

    tool: str
    kind: str
    role: str  # "default", or "named" for an alternative that the tool offers by name
    words: str  # name of the method on the page
    function: Callable[..., Any]
    pace: str  # "fast", "medium" or "slow": fast calls are measured first
    random: bool  # whether the call resamples
    only: tuple[str, ...]  # situations in which it is fast enough; empty for all

    @property
    def key(self) -> str:
        """Return the name of the function."""
        return self.function.__name__

    @property
    def source(self) -> str:
        """Return the unchanged body of the function."""
        body = inspect.getsource(self.function).split("):\n", 1)[1]
        return textwrap.dedent(body).strip()


# ---------------------------------------------------------------------------------- situations


def labels(rng: np.random.Generator, right: Array) -> dict[str, Any]:
    """Return true labels, and predictions that are right where `right` is 1."""
    y = rng.integers(2, size=len(right))
    return {"right": right.astype(float), "y": y, "pred": np.where(right == 1, y, 1 - y)}


def accuracy(rng: np.random.Generator, truth: float, n: int) -> tuple[float, dict[str, Any]]:
    """Draw independent examples."""
    return truth, labels(rng, rng.random(n) < truth)


@functools.cache
def board(name: str, part: str) -> tuple[Array, Any]:
    """Return which model is right on which item, the best model first, and the items' groups."""
    leaderboard = datasets.load_board(name)
    right = 1 - np.array(list(leaderboard.table(part).values()))
    order = np.argsort(-right.mean(axis=1), kind="stable")
    return right[order], (leaderboard.groups or {}).get(part)


def accuracy_board(rng: np.random.Generator, n: int) -> tuple[float, dict[str, Any]]:
    """Draw images of CIFAR-10 for the best of thirty networks."""
    right, _ = board("cifar10", "test")
    return float(right[0].mean()), labels(rng, right[0, rng.integers(right.shape[1], size=n)])


def area(
    rng: np.random.Generator, positive: int, negative: int, value: float, subtypes: bool = False
) -> tuple[float, dict[str, Any]]:
    """Draw normal scores; with subtypes a fifth of the positives scores like negatives."""
    y = np.repeat([1, 0], [positive, negative])
    like = rng.random(len(y)) < (0.2 if subtypes else 0.0)
    score = rng.normal(size=len(y)) + np.sqrt(2) * special.ndtri(value) * (y * ~like)
    other = 0.5 * score + rng.normal(size=len(y)) + 0.5 * y  # some tools need two models
    return 0.8 * value + 0.1 if subtypes else value, {"y": y, "score": score, "other": other}


def f1(rng: np.random.Generator, n: int, share: float, fixed: bool) -> tuple[float, dict[str, Any]]:
    """Draw predictions that find 80% of the positive examples and flag 5% of the others."""
    hit, alarm = 0.8, 0.05
    y = (np.arange(n) < n * share if fixed else rng.random(n) < share).astype(int)
    pred = (rng.random(n) < np.where(y == 1, hit, alarm)).astype(int)
    return 2 * share * hit / (share + share * hit + (1 - share) * alarm), {"y": y, "pred": pred}


def two(rng: np.random.Generator, a: Array, b: Array) -> dict[str, Any]:
    """Return which of two models is right on each example, and their labels."""
    y = rng.integers(2, size=len(a))
    predictions = {"pred_a": np.where(a == 1, y, 1 - y), "pred_b": np.where(b == 1, y, 1 - y)}
    return {"a": a.astype(float), "b": b.astype(float), "y": y, **predictions}


def pair(
    rng: np.random.Generator, n: int, disagree: float, gap: float
) -> tuple[float, dict[str, Any]]:
    """Draw two models, of which exactly one is right on a fraction of the examples."""
    share = [(disagree + gap) / 2, (disagree - gap) / 2, 0.75 - disagree, 0.25]
    kind = rng.choice(4, n, p=share)
    return gap, two(rng, np.isin(kind, (0, 2)), np.isin(kind, (1, 2)))


def pair_board(rng: np.random.Generator, n: int) -> tuple[float, dict[str, Any]]:
    """Draw images of ImageNet for the first and the eleventh of 65 networks."""
    right, _ = board("imagenet", "validation")
    a, b = right[[0, 10]]
    drawn = rng.integers(len(a), size=n)
    return float(a.mean() - b.mean()), two(rng, a[drawn], b[drawn])


def groups(rng: np.random.Generator, rate: float, rho: float) -> tuple[float, dict[str, Any]]:
    """Draw twelve groups whose error rates are beta distributed, with correlation rho within."""
    total = 1 / rho - 1
    rates = rng.beta(rate * total, (1 - rate) * total, len(SIZES))
    names = np.repeat(np.arange(len(SIZES)), SIZES)
    return rate, {"right": (rng.random(len(names)) < rates[names]).astype(float), "groups": names}


def groups_board(rng: np.random.Generator, g: int) -> tuple[float, dict[str, Any]]:
    """Draw whole problems of LiveCodeBench for the best model, graded in tenths."""
    right, problem = board("livecodebench", "execution")
    _, number = np.unique(problem, return_inverse=True)
    drawn = rng.integers(number.max() + 1, size=g)
    rows = [np.flatnonzero(number == j) for j in drawn]
    names = np.repeat(np.arange(g), [len(r) for r in rows])
    return float(right[0].mean()), {"right": right[0, np.concatenate(rows)], "groups": names}


def groups_enemy(rng: np.random.Generator, g: int, m: int) -> tuple[float, dict[str, Any]]:
    """Draw groups, of which one in twenty is half wrong and the others hardly ever."""
    names = np.repeat(np.arange(g), m)
    rates = np.where(rng.random(g) < 0.05, 0.5, 0.98)
    right = (rng.random(g * m) < rates[names]).astype(float)
    return 0.05 * 0.5 + 0.95 * 0.98, {"right": right, "groups": names}


def winner(rng: np.random.Generator, right: Array, truth: Array) -> tuple[float, dict[str, Any]]:
    """Choose the best of several models on the same examples that then measure its error."""
    best = int(right.sum(axis=1).argmax())
    return float(truth[best]), labels(rng, right[best] == 1)


def winner_simulated(rng: np.random.Generator, n: int) -> tuple[float, dict[str, Any]]:
    """Draw ten candidates that are equally good, and wrong independently."""
    return winner(rng, rng.random((CANDIDATES, n)) < 0.8, np.full(CANDIDATES, 0.8))


def winner_board(rng: np.random.Generator, n: int) -> tuple[float, dict[str, Any]]:
    """Draw images for the first ten networks of ImageNet."""
    right = board("imagenet", "validation")[0][:CANDIDATES]
    return winner(rng, right[:, rng.integers(right.shape[1], size=n)], right.mean(axis=1))


def also(draw: Callable[..., Any], **chosen: Any) -> Callable[..., Any]:
    """Fix the arguments of a draw."""
    return functools.partial(draw, **chosen)


SITUATIONS = {
    "A50": Situation("accuracy", "simulated", "accuracy 90%, 50 examples",
                     also(accuracy, truth=0.9, n=50)),
    "A100": Situation("accuracy", "simulated", "accuracy 97%, 100 examples",
                      also(accuracy, truth=0.97, n=100)),
    "A board": Situation("accuracy", "board", "the best network on 100 images of CIFAR-10",
                         also(accuracy_board, n=100)),
    "A enemy": Situation("accuracy", "enemy", "accuracy 99%, 100 examples",
                         also(accuracy, truth=0.99, n=100)),
    "U10": Situation("area", "simulated", "area 0.94, 10 positive and 90 negative examples",
                     also(area, positive=10, negative=90, value=0.94)),
    "U20": Situation("area", "simulated", "area 0.85, 20 positive and 20 negative examples",
                     also(area, positive=20, negative=20, value=0.85)),
    "U enemy": Situation("area", "enemy", "10 positive and 90 negative examples; a fifth of the "
                         "positive ones scores like negative ones",
                         also(area, positive=10, negative=90, value=0.95, subtypes=True)),
    "F": Situation("f1", "simulated", "F1 0.77, 200 examples, 15% of them positive",
                   also(f1, n=200, share=0.15, fixed=False)),
    "F enemy": Situation("f1", "enemy", "F1 0.58, 5 positive examples in 100",
                         also(f1, n=100, share=0.05, fixed=True)),
    "P": Situation("pair", "simulated", "5 points apart, 100 examples, 15 to disagree on",
                   also(pair, n=100, disagree=0.15, gap=0.05)),
    "P board": Situation("pair", "board", "the first and the eleventh network on 200 images of "
                         "ImageNet", also(pair_board, n=200)),
    "P enemy": Situation("pair", "enemy", "A solves 3% more of 100 examples and loses none",
                         also(pair, n=100, disagree=0.03, gap=0.03)),
    "G": Situation("groups", "simulated", "12 groups of 5 to 20, correlation 0.3",
                   also(groups, rate=0.75, rho=0.3)),
    "G board": Situation("groups", "board", "the best model on 20 problems of LiveCodeBench",
                         also(groups_board, g=20)),
    "G enemy": Situation("groups", "enemy", "20 groups of 25; one in twenty is half wrong",
                         also(groups_enemy, g=20, m=25)),
    "W": Situation("winner", "simulated", "the best of ten that are equally good, 100 examples",
                   also(winner_simulated, n=100)),
    "W board": Situation("winner", "board", "the best of ten networks on 100 images of ImageNet",
                         also(winner_board, n=100)),
}  # fmt: skip

# --------------------------------------------------------------------------------------- calls
# The page prints the body of each function. `right` is 1 where a prediction is right, `pred` are
# the predicted labels, and `seed` differs between test sets. Imports are inside functions, so that
# the study can be read and tested without the tools.

CALLS: dict[str, Call] = {}


def call(
    tool: str, kind: str, words: str, *, named: bool = False, pace: str = "fast",
    random: bool = False, only: tuple[str, ...] = (),
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # fmt: skip
    """Register a call."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        role = "named" if named else "default"
        CALLS[function.__name__] = Call(tool, kind, role, words, function, pace, random, only)
        return function

    return register


@call("scikit-learn", "accuracy", "normal interval by hand")
def sklearn_normal(y, pred):
    from sklearn.metrics import accuracy_score

    p = accuracy_score(y, pred)
    half = 1.96 * np.sqrt(p * (1 - p) / len(y))
    return p - half, p + half


@call("statsmodels", "accuracy", "normal")
def statsmodels_default(right):
    from statsmodels.stats.proportion import proportion_confint

    return proportion_confint(right.sum(), len(right))


@call("statsmodels", "accuracy", "Wilson", named=True)
def statsmodels_wilson(right):
    from statsmodels.stats.proportion import proportion_confint

    return proportion_confint(right.sum(), len(right), method="wilson")


@call("statsmodels", "accuracy", "Clopper-Pearson", named=True)
def statsmodels_beta(right):
    from statsmodels.stats.proportion import proportion_confint

    return proportion_confint(right.sum(), len(right), method="beta")


@call("scipy", "accuracy", "Clopper-Pearson")
def scipy_default(right):
    from scipy.stats import binomtest

    return binomtest(int(right.sum()), len(right)).proportion_ci()


@call("scipy", "accuracy", "Wilson", named=True)
def scipy_wilson(right):
    from scipy.stats import binomtest

    return binomtest(int(right.sum()), len(right)).proportion_ci(method="wilson")


@call("errorbars", "accuracy", "normal, from 30 examples on")
def errorbars_default(right):
    from errorbars import mean_ci_clt

    interval = mean_ci_clt(right)
    return interval.ci_low, interval.ci_high


@call("errorbars", "accuracy", "Wilson", named=True)
def errorbars_wilson(right):
    from errorbars import wilson_ci

    interval = wilson_ci(int(right.sum()), len(right))
    return interval.ci_low, interval.ci_high


@call("evalsuite", "accuracy", "Wilson")
def evalsuite_default(y, pred):
    import evalsuite as es

    interval = es.accuracy_ci(y, pred)
    return interval.low, interval.high


@call("evalsuite", "accuracy", "Clopper-Pearson", named=True)
def evalsuite_exact(y, pred):
    import evalsuite as es

    interval = es.accuracy_ci(y, pred, method="clopper-pearson")
    return interval.low, interval.high


@call("evalstats", "accuracy", "auto: Wilson")
def evalstats_default(right):
    import evalstats as es

    interval = es.mean_ci(right)
    return interval.ci_low, interval.ci_high


@call("evalci", "accuracy", "Wilson")
def evalci_default(right):
    import evalci

    return tuple(evalci.ci(right))


@call("evalci", "accuracy", "Clopper-Pearson", named=True)
def evalci_exact(right):
    import evalci

    return tuple(evalci.ci(right, method="clopper-pearson"))


@call("evalconfidence", "accuracy", "t")
def evalconfidence_default(right):
    from evalconfidence import ItemResult, standard_error

    items = [ItemResult(str(i), "model", score) for i, score in enumerate(right)]
    return standard_error(items).ci


@call("confidenceinterval", "accuracy", "Wilson")
def confidenceinterval_default(y, pred):
    from confidenceinterval import accuracy_score

    return accuracy_score(y, pred)[1]


@call("confidenceinterval", "accuracy", "Clopper-Pearson", named=True)
def confidenceinterval_beta(y, pred):
    from confidenceinterval import accuracy_score

    return accuracy_score(y, pred, method="beta")[1]


@call("pycm", "accuracy", "normal")
def pycm_default(y, pred):
    from pycm import ConfusionMatrix

    return ConfusionMatrix(y, pred, classes=[0, 1]).CI("Overall ACC")[1]


@call("pycm", "accuracy", "Wilson", named=True)
def pycm_wilson(y, pred):
    from pycm import ConfusionMatrix

    return ConfusionMatrix(y, pred, classes=[0, 1]).CI("Overall ACC", binom_method="wilson")[1]


@call("Inspect", "accuracy", "ci(): t")
def inspect_ci(right):
    from inspect_ai.scorer import SampleScore, Score, ci

    interval = ci()([SampleScore(score=Score(value=x)) for x in right])
    return interval["lower"], interval["upper"]


@call("Inspect", "accuracy", "ci_wilson()", named=True)
def inspect_wilson(right):
    from inspect_ai.scorer import SampleScore, Score, ci_wilson

    interval = ci_wilson()([SampleScore(score=Score(value=x)) for x in right])
    return interval["lower"], interval["upper"]


@call("Inspect", "accuracy", "1.96 stderr()", named=True)
def inspect_stderr(right):
    from inspect_ai.scorer import SampleScore, Score, stderr

    half = 1.96 * stderr()([SampleScore(score=Score(value=x)) for x in right])
    return right.mean() - half, right.mean() + half


@call("Inspect", "accuracy", "1.96 bootstrap_stderr()", named=True, pace="medium", random=True,
      only=("A50", "A100"))  # fmt: skip
def inspect_bootstrap(right, seed):
    from inspect_ai.scorer import SampleScore, Score, bootstrap_stderr

    np.random.seed(seed)  # noqa: NPY002 - it draws from there
    half = 1.96 * bootstrap_stderr()([SampleScore(score=Score(value=x)) for x in right])
    return right.mean() - half, right.mean() + half


@call("lm_eval", "accuracy", "1.96 of its stderr")
def lm_eval_default(right):
    from lm_eval.api.metrics import mean_stderr

    half = 1.96 * mean_stderr(right.tolist())
    return right.mean() - half, right.mean() + half


@call("errlab", "accuracy", "Clopper-Pearson")
def errlab_default(y, pred):
    import errlab

    report = errlab.report(y, pred)
    return 1 - report.high, 1 - report.low


@call("errlab", "accuracy", "Blaker", named=True)
def errlab_blaker(right):
    from errlab import bounds

    low, high = bounds.interval("BLA", errors=int((1 - right).sum()), n=len(right))
    return 1 - high, 1 - low


@call("errlab", "accuracy", "Wilson", named=True)
def errlab_wilson(right):
    from errlab import bounds

    low, high = bounds.interval("WIL", errors=int((1 - right).sum()), n=len(right))
    return 1 - high, 1 - low


@call("confidenceinterval", "area", "DeLong")
def confidenceinterval_area(y, score):
    from confidenceinterval import roc_auc_score

    return roc_auc_score(y, score)[1]


@call("evalsuite", "area", "DeLong")
def evalsuite_area(y, score):
    import evalsuite as es

    interval = es.roc_auc_ci(y, score)
    return interval.low, interval.high


@call("evalsuite", "area", "bootstrap, BCa", named=True, pace="slow", random=True, only=("U10",))
def evalsuite_area_bca(y, score, seed):
    import evalsuite as es

    interval = es.bootstrap_ci("roc_auc", y, y_prob=1 / (1 + np.exp(-score)), random_state=seed)
    return interval.low, interval.high


@call("MLstatkit", "area", "DeLong")
def mlstatkit_area(y, score, other):
    from MLstatkit import Delong_test

    return Delong_test(y, score, other)[2]


@call("errlab", "area", "score interval")
def errlab_area(y, score):
    import errlab

    estimate = errlab.metric(y, score, metric="roc_auc")
    return estimate.low, estimate.high


@call("confidenceinterval", "f1", "Takahashi")
def confidenceinterval_f1(y, pred):
    from confidenceinterval import f1_score

    return f1_score(y, pred, average="binary")[1]


@call("evalsuite", "f1", "bootstrap, BCa", pace="slow", random=True, only=("F",))
def evalsuite_f1(y, pred, seed):
    import evalsuite as es

    interval = es.bootstrap_ci("f1", y, pred, random_state=seed)
    return interval.low, interval.high


@call("scipy", "f1", "bootstrap, BCa, of a function by hand", pace="medium", random=True)
def scipy_f1(y, pred, seed):
    from scipy.stats import bootstrap

    def f1(y, pred, axis):
        return 2 * (y * pred).sum(axis) / (y.sum(axis) + pred.sum(axis))

    return bootstrap((y, pred), f1, paired=True, vectorized=True, rng=seed).confidence_interval


@call("errlab", "f1", "Clopper-Pearson, of those called or positive")
def errlab_f1(y, pred):
    import errlab

    estimate = errlab.metric(y, pred, metric="f1")
    return estimate.low, estimate.high


@call("scipy", "pair", "t")
def scipy_pair(a, b):
    from scipy.stats import ttest_rel

    return ttest_rel(a, b).confidence_interval()


@call("statsmodels", "pair", "t")
def statsmodels_pair(a, b):
    from statsmodels.stats.weightstats import DescrStatsW

    return DescrStatsW(a - b).tconfint_mean()


@call("errorbars", "pair", "t")
def errorbars_pair(a, b):
    from errorbars.compare import paired_compare

    interval = paired_compare(a, b)
    return interval.ci_low, interval.ci_high


@call("evalstats", "pair", "auto: Bonett-Price")
def evalstats_pair(a, b):
    import evalstats as es
    import pandas as pd

    n = len(a)
    frame = pd.DataFrame({
        "model": ["A"] * n + ["B"] * n, "item": [*range(n)] * 2, "score": np.concatenate([a, b]),
    })  # fmt: skip
    (pair,) = es.compare(es.load_from(frame), factors="model").to_dict()["pairwise"]
    return pair["ci_low"], pair["ci_high"]


@call("evalci", "pair", "percentile bootstrap", pace="medium", random=True)
def evalci_pair(a, b, seed):
    import evalci

    return evalci.compare(a, b, random_state=seed).ci


@call("evalconfidence", "pair", "auto: Wald, beside McNemar's test")
def evalconfidence_pair(a, b):
    from evalconfidence import ItemResult, compare

    first = [ItemResult(str(i), "A", score) for i, score in enumerate(a)]
    second = [ItemResult(str(i), "B", score) for i, score in enumerate(b)]
    return compare(first, second).ci_diff


@call("evalsig", "pair", "auto: Wald, beside McNemar's test")
def evalsig_pair(a, b):
    from evalsig import ItemResult, RunFrame, compare

    first, second = (
        RunFrame(name, name, "task", "accuracy", [ItemResult(str(i), x) for i, x in enumerate(row)])
        for name, row in (("A", a), ("B", b))
    )
    return compare(second, first).ci  # the tool gives the second minus the first


@call("evalsig", "pair", "paired t", named=True)
def evalsig_pair_t(a, b):
    from evalsig.inference.paired import paired_t_test

    return paired_t_test(b, a).ci


@call("errlab", "pair", "Fay and Lumbard")
def errlab_pair(y, pred_a, pred_b):
    import errlab

    report = errlab.report(y, pred_a, pred_b)
    return -report.high, -report.low


@call("errlab", "pair", "Tango", named=True)
def errlab_tango(y, pred_a, pred_b):
    from errlab import compare

    test = compare.paired_difference(compare.mcnemar_table(y, pred_a, pred_b))
    return -test.interval.high, -test.interval.low


@call("Inspect", "groups", "ci(cluster=): t")
def inspect_groups(right, groups):
    from inspect_ai.scorer import SampleScore, Score, ci

    scores = [
        SampleScore(score=Score(value=x), sample_metadata={"group": int(g)})
        for x, g in zip(right, groups)  # noqa: B905
    ]
    interval = ci(cluster="group")(scores)
    return interval["lower"], interval["upper"]


@call("Inspect", "groups", "ci_wilson(cluster=)", named=True)
def inspect_groups_wilson(right, groups):
    from inspect_ai.scorer import SampleScore, Score, ci_wilson

    scores = [
        SampleScore(score=Score(value=x), sample_metadata={"group": int(g)})
        for x, g in zip(right, groups)  # noqa: B905
    ]
    interval = ci_wilson(cluster="group")(scores)
    return interval["lower"], interval["upper"]


@call("errorbars", "groups", "cluster-robust t")
def errorbars_groups(right, groups):
    from errorbars.stats import cluster_robust_se, t_for_confidence

    half = t_for_confidence(0.95, len(set(groups)) - 1) * cluster_robust_se(right, groups)
    return right.mean() - half, right.mean() + half  # what `errorbars summarize` prints


@call("evalconfidence", "groups", "auto: cluster-robust t")
def evalconfidence_groups(right, groups):
    from evalconfidence import ItemResult, standard_error

    items = [
        ItemResult(str(i), "model", score, cluster_id=str(groups[i]))
        for i, score in enumerate(right)
    ]
    return standard_error(items).ci


@call("statsmodels", "groups", "cluster-robust, normal")
def statsmodels_groups(right, groups):
    import statsmodels.api as sm

    model = sm.OLS(right, np.ones(len(right)))
    return model.fit(cov_type="cluster", cov_kwds={"groups": groups}).conf_int()[0]


@call("statsmodels", "groups", "cluster-robust t", named=True)
def statsmodels_groups_t(right, groups):
    import statsmodels.api as sm

    model = sm.OLS(right, np.ones(len(right)))
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    return fit.conf_int()[0]


@call("evalci", "groups", "cluster bootstrap", pace="slow", random=True)
def evalci_groups(right, groups, seed):
    import evalci

    return tuple(evalci.cluster_ci(right, groups, random_state=seed))


@call("errlab", "groups", "bets on whole groups", pace="medium")
def errlab_groups(right, groups):
    import errlab

    report = errlab.report(scores=right, groups=groups)
    return report.low, report.high


@call("errlab", "groups", "Korn and Graubard, or cluster-robust t", named=True)
def errlab_groups_t(right, groups):
    import errlab

    report = errlab.report(scores=right, groups=groups, method="t")
    return report.low, report.high


@call("errlab", "winner", "Clopper-Pearson, a tenth of the risk", named=True)
def errlab_tenth(y, pred):
    import errlab

    report = errlab.report(y, pred, delta=0.05 / 10)
    return 1 - report.high, 1 - report.low


@call("scipy", "winner", "Clopper-Pearson, a tenth of the risk", named=True)
def scipy_tenth(right):
    from scipy.stats import binomtest

    return binomtest(int(right.sum()), len(right)).proportion_ci(1 - 0.05 / 10)


@call("statsmodels", "winner", "Wilson, a tenth of the risk", named=True)
def statsmodels_tenth(right):
    from statsmodels.stats.proportion import proportion_confint

    return proportion_confint(right.sum(), len(right), alpha=0.05 / 10, method="wilson")


# -------------------------------------------------------------------------------------- the study


def answered_by(situation: Situation) -> list[Call]:
    """Return the calls that answer a situation; a winner's accuracy is treated as an accuracy."""
    kinds = (situation.kind, "accuracy") if situation.kind == "winner" else (situation.kind,)
    key = next(name for name, one in SITUATIONS.items() if one is situation)
    return [c for c in CALLS.values() if c.kind in kinds and (not c.only or key in c.only)]


def seeds_of(situation: str, seed: int, number: int) -> list[np.random.SeedSequence]:
    """Return the seeds of a test set's examples and of a tool, which are the same for all calls."""
    word = int(hashlib.sha256(situation.encode()).hexdigest()[:8], 16)
    return np.random.SeedSequence([SEED, seed, word], spawn_key=(number,)).spawn(2)


def all_seen(kind: str, data: Mapping[str, Any]) -> tuple[int, ...] | None:
    """Return the counts that decide an interval without resampling, or None if too many."""
    if kind in ("accuracy", "winner"):
        return (int(data["right"].sum()), len(data["right"]))
    if kind == "pair":
        return tuple(np.bincount((2 * data["a"] + data["b"]).astype(int), minlength=4).tolist())
    return None


def ends_of(function: Callable[..., Any], data: Mapping[str, Any]) -> Ends | None:
    """Return a tool's interval, or None if it refuses or gives no number."""
    chosen = {name: data[name] for name in inspect.signature(function).parameters}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            low, high = (float(end) for end in function(**chosen))
    except (ValueError, ZeroDivisionError, FloatingPointError):
        return None
    return None if np.isnan(low + high) else (low, high)


def measure(
    rng: np.random.Generator,
    *,
    function: Callable[..., Any],
    draw: Callable[[np.random.Generator], tuple[float, dict[str, Any]]],
    kind: str,
    random: bool,
    situation: str,
    seed: int,
    first: int,
    version: str,
) -> dict[str, float]:
    """Count over a block of test sets; the width is that of the part inside the possible range."""
    counts = dict.fromkeys(("given", "refused", "held", "below", "above", "width", "squares"), 0.0)
    cached_ends: dict[Any, Ends | None] = {}
    spent, calls, total = 0.0, 0, 0.0
    for number in range(first, first + BLOCK):
        cases, tool = seeds_of(situation, seed, number)
        truth, data = draw(np.random.default_rng(cases))
        outcome_counts = None if random else all_seen(kind, data)
        if outcome_counts is None or outcome_counts not in cached_ends:
            started = time.process_time()
            ends = ends_of(function, {**data, "seed": int(tool.generate_state(1)[0])})
            spent, calls = spent + time.process_time() - started, calls + 1
            if outcome_counts is not None:
                cached_ends[outcome_counts] = ends
        else:
            ends = cached_ends[outcome_counts]
        total += truth
        if ends is None:
            counts["refused"] += 1
            continue
        low, high = ends
        scale_low = -1.0 if kind == "pair" else 0.0
        width = min(max(high, scale_low), 1.0) - max(min(low, 1.0), scale_low)
        for name, value in (
            ("given", 1.0), ("held", low - 1e-12 <= truth <= high + 1e-12),
            ("below", high + 1e-12 < truth), ("above", low - 1e-12 > truth),
            ("width", width), ("squares", width**2),
        ):  # fmt: skip
            counts[name] += float(value)
    return {**counts, "truth": total, "spent": spent, "calls": float(calls)}


def pins() -> dict[str, str]:
    """Return the pinned version of each package."""
    lines = PINS.read_text("utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and line[0] != "#")


def check_environment() -> None:
    """Refuse to measure versions that differ from the pinned ones.

    Raises
    ------
    ValueError
        With what is missing, and how to make the environment.
    """
    installed = {}
    for name in pins():
        try:
            installed[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            installed[name] = "none"
    wrong = [
        f"{name} {v} (here {installed[name]})" for name, v in pins().items() if installed[name] != v
    ]
    if wrong:
        raise ValueError(
            f"the packages must be those of studies/tools.txt, which asks for {', '.join(wrong)}; "
            "make their environment and run the study by: make study STUDY=tools"
        )


PACKAGES = {
    "scikit-learn": "scikit-learn",
    "Inspect": "inspect-ai",
    "evalsuite": "evalsuite-python",
}


def version_of(tool: str) -> str:
    """Return the version of a tool that is measured."""
    return errlab.__version__ if tool == "errlab" else pins()[PACKAGES.get(tool, tool)]


def cells(seeds: Iterable[int]) -> list[tuple[Call, str, int]]:
    """Return the cells in the order in which they are measured."""
    order = {"fast": 0, "medium": 1, "slow": 2}
    all_cells = [
        (one, key, seed)
        for seed in seeds
        for key, situation in SITUATIONS.items()
        for one in answered_by(situation)
    ]
    # fast calls with all seeds first; within a seed, defaults before other methods
    return sorted(all_cells, key=lambda cell: (order[cell[0].pace], cell[2], cell[0].role))


def fill(one: Call, key: str, seed: int, sets: int, folder: Path) -> None:
    """Measure one cell, or the missing part of it."""
    situation = SITUATIONS[key]
    task = functools.partial(
        measure, function=one.function, draw=situation.draw, kind=situation.kind, random=one.random
    )
    settings = [
        {"situation": key, "seed": seed, "first": first, "version": version_of(one.tool)}
        for first in range(0, sets, BLOCK)
    ]
    name = f"{one.key}-{key.replace(' ', '_')}-{seed}"
    _run.run(
        name, task, settings, repeats=1, seed=SEED, workers=1, folder=folder, progress=None,
        summarize=lambda results: results[0],
    )  # fmt: skip


def row_of(one: Call, key: str, folder: Path) -> dict[str, Any] | None:
    """Return the results of a cell, a number for each seed, or None if there are none."""
    totals = []
    for seed in (0, 1):
        path = folder / f"{one.key}-{key.replace(' ', '_')}-{seed}.json"
        if not path.is_file():
            continue
        blocks = [entry["summary"] for entry in json.loads(path.read_text("utf-8"))["settings"]]
        blocks = [block for block in blocks if block]
        totals.append({name: sum(block[name] for block in blocks) for name in blocks[0]})
    if not totals:
        return None
    n_answered = np.array([t["given"] for t in totals])
    row: dict[str, Any] = {"call": one.key, "situation": key}
    row["sets"] = [int(t["given"] + t["refused"]) for t in totals]
    row["refused"] = [int(t["refused"]) for t in totals]
    for name in ("held", "below", "above"):
        share = np.array([t[name] for t in totals]) / n_answered
        row["coverage" if name == "held" else name] = share.round(4).tolist()
    share = np.array(row["coverage"])
    row["se"] = np.sqrt(share * (1 - share) / n_answered).round(4).tolist()
    row["width"] = [float(f"{t['width'] / t['given']:.4g}") for t in totals]
    row["ms"] = float(
        f"{1000 * sum(t['spent'] for t in totals) / sum(t['calls'] for t in totals):.2g}"
    )
    return row


def collect(folder: Path) -> dict[str, Any]:
    """Return the table of all results so far."""
    rows = [
        row
        for key, situation in SITUATIONS.items()
        for one in answered_by(situation)
        if (row := row_of(one, key, folder)) is not None
    ]
    situations = {}
    for key, s in SITUATIONS.items():
        truths = [s.draw(np.random.default_rng(seeds_of(key, 0, j)[0]))[0] for j in range(200)]
        situations[key] = {
            "kind": s.kind, "population": s.population, "words": s.words,
            "truth": round(float(np.mean(truths)), 4),
        }  # fmt: skip
    return {
        "study": "tools",
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "seed": SEED,
        "versions": {**_rows.versions(), **pins()},
        "situations": situations,
        "calls": {
            key: {
                "tool": c.tool, "version": version_of(c.tool), "kind": c.kind, "role": c.role,
                "words": c.words, "source": c.source,
            }
            for key, c in CALLS.items()
        },
        "settings": rows,
    }  # fmt: skip


def write(table: Mapping[str, Any], path: Path) -> None:
    """Store the table with one row on each line."""
    lines = ",\n".join(json.dumps(row) for row in table["settings"])
    head = json.dumps({**table, "settings": []}, indent=1).removesuffix("[]\n}")
    path.write_text(f"{head}[\n{lines}\n]}}\n", encoding="utf-8")


def study(
    *,
    sets: int = SETS,
    pattern: str = "",
    seconds: float | None = None,
    small: bool = False,
    folder: Path = ROWS,
    results: Path = _run.RESULTS,
) -> dict[str, Any]:
    """Run the study, or its missing cells; `small` is a quick run without the slow calls.

    Parameters
    ----------
    sets : int
        Test sets of a cell, with each of two seeds.
    pattern : str
        Only the cells whose "call situation seed" this regular expression is found in.
    seconds : float, optional
        Begin no cell after that time.
    small : bool
        Whether to take a single block, the first seed, and fast calls only.
    folder, results : path
        Where rows and the table go.

    Returns
    -------
    dict
        The table, as stored.

    Raises
    ------
    ValueError
        If the packages are not those of ``studies/tools.txt``.
    """
    check_environment()
    started = time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    for one, key, seed in cells((0,) if small else (0, 1)):
        name = f"{one.key} {key} {seed}"
        if (small and one.pace != "fast") or not re.search(pattern, name):
            continue
        if seconds is not None and time.monotonic() - started > seconds:
            break
        fill(one, key, seed, BLOCK if small else sets, folder)
        print(f"{time.monotonic() - started:6.0f} s  {name}", file=sys.stderr, flush=True)
    table = collect(folder)
    write(table, results / ("tools_quick.json" if small else "tools.json"))
    return table


def show(table: Mapping[str, Any]) -> None:
    """Print coverage and width of each cell."""
    for row in table["settings"]:
        one = table["calls"][row["call"]]
        shares = "  ".join(
            f"{c:.3f} ({e:.3f})" for c, e in zip(row["coverage"], row["se"], strict=True)
        )
        print(
            f"{row['situation']:8} {one['tool']:19} {one['words'][:40]:40} {shares:32} "
            f"width {row['width'][0]:<7.3g} refused {sum(row['refused']):4} {row['ms']:7} ms"
        )


if __name__ == "__main__":
    from studies import tools  # import it by name, because stored rows depend on the module's name

    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--sets", type=int, default=SETS)
    parser.add_argument("--pattern", default="", help="only cells with this in their names")
    parser.add_argument("--seconds", type=float, default=None, help="begin no cell after that time")
    parser.add_argument("--small", action="store_true", help="a quick look")
    tools.show(tools.study(**vars(parser.parse_args())))
