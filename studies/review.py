"""Faults that a review of errlab found, and the results of the same calls now.

Each row has the finding, what was printed or covered before, and what is now: a sentence, or a
coverage of test sets from the review's population beside the lowest coverage that the results name
(the confidence where it is proven) and how often a caution stands first.

    python -m studies.review
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special
from sklearn import tree
from sklearn.neighbors import KNeighborsClassifier

import errlab
from errlab import compare, crossval, metrics
from errlab._core.evidence import PROVEN
from studies import populations
from studies.populations import Claim, Majority, claim, zeros

SEED = 594
RUNS = 200
UNEQUAL = np.repeat([0, 1, 2, 3], [17, 6, 1, 1])

Generator = np.random.Generator
Draw = Callable[[Generator], Claim]


def covered(draw: Draw, proven: float = 0.95) -> str:
    """Count over test sets what is covered, named, and cautioned against."""
    rng = np.random.default_rng(SEED)
    held, named, cautions, tried = 0, 0.0, 0, 0
    for _ in range(RUNS):
        try:
            result, truth, low, high, guarantee = draw(rng)
        except ValueError:  # there is no error, or a class is missing
            continue
        tried += 1
        held += low - 1e-12 <= truth <= high + 1e-12
        text = f"{result} {result.details}"
        told = [proven] if guarantee in PROVEN else populations.said(text, proven=False)
        named += min(told, default=0.95)
        cautions += str(result).startswith("Caution")
    return f"{held / tried:.3f} (named {named / tried:.3f}, cautions {cautions / tried:.2f})"


def equals(rng: Generator, rates: list[float], n: int) -> Claim:
    """Return the interval of the first two of several models, which are equal."""
    wrong = {str(j): (rng.random(n) < rate).astype(int) for j, rate in enumerate(rates)}
    (pair,) = [p for p in errlab.models(zeros(n), wrong).pairs if {p.a, p.b} == {"0", "1"}]
    return Claim(Shown(pair), 0.0, pair.low, pair.high, "exact")


def graded_equals(rng: Generator, n: int) -> Claim:
    """Return the interval of two equal models, at 0.6 or 0, among five graded models."""
    rows = [0.6 * rng.integers(0, 2, n) for _ in range(2)]
    rows += [np.clip(mean + rng.normal(0, 0.02, n), 0, 1) for mean in (0.1, 0.45, 0.95)]
    scores = {str(j): row for j, row in enumerate(rows)}
    found = errlab.models(scores=scores, range=(0, 1))
    (pair,) = [p for p in found.pairs if {p.a, p.b} == {"0", "1"}]
    return Claim(found, 0.0, pair.low, pair.high, found.interval_guarantee)


class Shown(str):
    """A pair with the attributes of a result."""

    details = ""


def learned(model: Any, columns: int, n: int) -> Draw:
    """Return a draw of cross-validation on coin labels."""

    def draw(rng: Generator) -> Claim:
        X, y = rng.normal(size=(n, columns)), rng.integers(0, 2, n)
        return claim(crossval.estimate(model, X, y, rng=rng), 0.5)

    return draw


def copies(rng: Generator) -> Claim:
    """Return 1-NN on coin labels, with two copies of each example."""
    X, y = rng.normal(size=(60, 2)).repeat(2, 0), rng.integers(0, 2, 60).repeat(2)
    return claim(crossval.estimate(KNeighborsClassifier(1), X, y, rng=rng), 0.5)


def weighted(kind: str, n: int) -> Draw:
    """Return a draw of weighted errors: 2% that weigh 50, log-normal weights, or three steps."""

    def draw(rng: Generator) -> Claim:
        if kind == "steps":
            at = rng.choice(3, n, p=[1 / 3] * 3)
            w, chance = np.array([0.5, 1.0, 5.0])[at], np.array([0.02, 0.1, 0.4])[at]
            truth = (0.5 * 0.02 + 0.1 + 5 * 0.4) / 6.5
        elif kind == "heavy":
            rare = rng.random(n) < 0.02
            w, chance = np.where(rare, 50.0, 1.0), np.where(rare, 0.5, 0.02)
            truth = (0.5 + 0.98 * 0.02) / 1.98
        else:
            z = rng.normal(size=n)
            w, chance = np.exp(2 * z), np.where(z > special.ndtri(0.9), 0.5, 0.05)
            part = float(special.ndtr(2 - special.ndtri(0.9)))
            truth = 0.5 * part + 0.05 * (1 - part)
        losses = (rng.random(n) < chance).astype(float)
        return claim(metrics.weighted_error(losses, w), truth)

    return draw


def area(share: float, positives: int, negatives: int) -> Draw:
    """Return a draw of an area if a fraction of the positives ranks below all others."""

    def draw(rng: Generator) -> Claim:
        y = np.r_[np.ones(positives), np.zeros(negatives)].astype(int)
        last = (y == 1) & (rng.random(len(y)) < share)
        x = np.where(last, -9.0, rng.normal(size=len(y)) + 4 * y)
        truth = (1 - share) * float(special.ndtr(4 / np.sqrt(2)))
        return claim(errlab.metric(y, x, metric="roc_auc"), truth)

    return draw


def watched(*columns: list[int]) -> str:
    """Return what is said about a stream."""
    test = errlab.watch()
    test.update(*columns)
    return str(test)


def three_labels() -> str:
    """Return the verdicts of three functions on one comparison."""
    rng = np.random.default_rng(SEED)
    y = rng.integers(0, 2, 80)
    a, b = (np.where(rng.random(80) < rate, 1 - y, y) for rate in (0.1, 0.3))
    found = (
        errlab.report(y, a, b),
        errlab.models(y, {"a": a, "b": b}),
        errlab.metric(y, a, b, metric="error"),
    )
    return "; ".join(f"{result.method}: {result.guarantee}" for result in found)


def not_worse() -> str:
    """Return the verdict on 12 against 14 errors of 300, at a margin of six points."""
    a, b = (np.arange(300) < 12) * 1, (np.arange(300) >= 286) * 1
    return str(errlab.report(zeros(300), a, b, margin=0.06)).splitlines()[-1]


def condition(result: Any, word: str) -> str:
    """Return the condition that contains a word."""
    return next((text for text in result.conditions() if word in text), "none")


def grouped_metric(name: str) -> Any:
    """Return a metric of 60 examples in twelve groups."""
    rng = np.random.default_rng(SEED)
    y, groups = rng.integers(0, 2, 60), np.repeat(np.arange(12), 5)
    scores = rng.random(60) if name == "brier" else np.where(rng.random(60) < 0.2, 1 - y, y)
    return errlab.metric(y, scores, metric=name, groups=groups, resamples=200)


# Finding, result then, and a function that computes the result now.
ROWS: tuple[tuple[str, str, Callable[[], str]], ...] = (
    ("3 models of 400, one hopeless: pair of equals", ".962 of .983",
     lambda: covered(lambda rng: equals(rng, [0.1, 0.1, 0.95], 400), 1 - 0.05 / 3)),
    ("6 models of 1,000: pair of equals", ".959 of .997",
     lambda: covered(lambda rng: equals(rng, [0.1, 0.1, 0.3, 0.5, 0.7, 0.9], 1000), 1 - 0.05 / 15)),
    ("5 graded models of 100: pair of equals", ".970 of .995",
     lambda: covered(lambda rng: graded_equals(rng, 100), 1 - 0.05 / 10)),
    ("two equals in blocks, watched", '"B is better than A"',
     lambda: watched([1] * 24 + [0] * 176, [0] * 176 + [1] * 24)),
    ("30 errors, then 300 right, watched", '"the true one is 84.0% to 84.1%"',
     lambda: watched([1] * 30 + [0] * 300)),
    ("not worse", '"exact McNemar test, p = 0.85"', not_worse),
    ("groups of 17, 6, 1, 1 without an error, by t", '"finite sample"',
     lambda: errlab.report(zeros(25), zeros(25), groups=UNEQUAL, method="t").guarantee),
    ("groups of one example", "no condition",
     lambda: condition(errlab.report(zeros(30), np.arange(30) % 9 == 0, groups=np.arange(30)),
                       "more than one example")),
    ("Brier score in groups", "M is not told",
     lambda: condition(grouped_metric("brier"), "more than 5 examples")),
    ("Brier score without groups", "the order is not told",
     lambda: condition(errlab.metric([0, 1] * 9, np.linspace(0, 1, 18), metric="brier"), "order")),
    ("vote on coins, 300", ".884, named .98", lambda: covered(learned(Majority(), 1, 300))),
    ("vote on coins, 500", ".876, named .98", lambda: covered(learned(Majority(), 1, 500))),
    ("tree of depth 1 on noise, 300", ".910, named .98",
     lambda: covered(learned(tree.DecisionTreeClassifier(max_depth=1), 3, 300))),
    ("1-NN, each example twice", "0 of 122, named .86", lambda: covered(copies)),
    ("2% weigh 50, 60 examples", ".698, named .97", lambda: covered(weighted("heavy", 60))),
    ("2% weigh 50, 150 examples", ".849, named .97", lambda: covered(weighted("heavy", 150))),
    ("log-normal weights, 300 examples", ".903, named .97",
     lambda: covered(weighted("rising", 300))),
    ("weights .5, 1, 5, 40 examples", ".932, named .97", lambda: covered(weighted("steps", 40))),
    ("3% of 60 positives last", ".915, named .943", lambda: covered(area(0.03, 60, 200))),
    ("2% of 100 positives last", ".924, named .940", lambda: covered(area(0.02, 100, 1000))),
    ("MCC in groups", '"3 of the rarer class (those 3 weigh as much as 30.0 groups)"',
     lambda: grouped_metric("mcc").basis),
    ("balanced accuracy of one class", "a recall is called so",
     lambda: refusal(lambda: errlab.metric([1] * 14, [1] * 12 + [0] * 2,
                                           metric="balanced_accuracy"))),
    ("one question at three doors", "exact; exact; nothing proven", three_labels),
    ("five equal differences", '"0.01 to 0.01, p < 0.0001"',
     lambda: str(compare.corrected_resampled_t([0.01] * 5, n_train=90, n_test=10))),
)  # fmt: skip


def refusal(call: Callable[[], Any]) -> str:
    """Return what a call prints, or its error message."""
    try:
        return str(call())
    except ValueError as error:
        return f"refused: {error}"


if __name__ == "__main__":
    for finding, before, now in ROWS:
        print(f"{finding}\n    before: {before}\n    now:    {' '.join(now().split())}")
