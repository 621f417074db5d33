"""Count how often each test reports a false difference, which is Dietterich's question.

Two learners have exactly the same expected error at every training size: they are the same
algorithm on two exchangeable blocks of columns. Some columns are in both blocks, so the learners'
errors are correlated; the others are in one block only. In the real problems each example takes the
second block's columns from another example of its class: the columns keep their real distribution,
and the blocks are exchangeable. Examples are drawn with replacement from the data, which are the
population.

With a gap, B's own columns lose that fraction of their information on the class. The table then
holds the power, the fraction of repetitions in which a test finds A better.

Run: ``python -m studies.comparison_tests [repetitions [seconds]]``. It resumes where it stopped.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import special

from errlab import compare
from errlab.compare._five_by_two_cv import five_by_two_cv_t
from studies._run import run

LEVEL = 0.05
FOLDS = 10
RESAMPLES = 30
SETTINGS = [
    {"problem": problem, "n": n, "learner": learner, "gap": gap}
    for problem, n in (("gaussian", 60), ("gaussian", 300), ("breast cancer", 200), ("digits", 200))
    for learner in ("centroid", "least squares", "stump")
    for gap in (0.0, 0.5, 1.0)
]

Array = np.ndarray[Any, np.dtype[np.float64]]


def gaussian(rng: np.random.Generator, n: int, gap: float) -> tuple[Array, Array, Array]:
    """Draw two classes with three shared columns, and three more for each learner."""
    y = rng.choice([-1.0, 1.0], n)
    shared, own_a, own_b = rng.normal(size=(3, n, 3)) + 0.35 * y[:, None]
    own_b = own_b - gap * 0.35 * y[:, None]
    return np.hstack([shared, own_a]), np.hstack([shared, own_b]), y


@functools.cache
def bundled(name: str) -> tuple[Array, Array]:
    """Load real data that come with scikit-learn; digits are odd or even."""
    from sklearn import datasets

    if name == "digits":
        x, y = datasets.load_digits(return_X_y=True)
        x = x[:, x.std(axis=0) > 0]
        y = y % 2
    else:
        x, y = datasets.load_breast_cancer(return_X_y=True)
    return (x - x.mean(axis=0)) / x.std(axis=0), np.where(y == 1, 1.0, -1.0)


def real(name: str, rng: np.random.Generator, n: int, gap: float) -> tuple[Array, Array, Array]:
    """Share half of the columns; take the rest of A's and B's from two examples of the class."""
    x, y = bundled(name)
    # the same columns in all repetitions
    columns = np.random.default_rng(0).permutation(x.shape[1])
    shared = columns[: len(columns) // 2]
    unshared = columns[len(columns) // 2 :]
    case = rng.integers(len(y), size=n)
    of_class = {label: np.flatnonzero(y == label) for label in (-1.0, 1.0)}
    twins = np.array([rng.choice(of_class[label], 2) for label in y[case]])
    blind = rng.random(n) < gap
    twins[blind, 1] = rng.integers(len(y), size=blind.sum())  # an example of any class is added
    base = x[case][:, shared]
    return (
        np.hstack([base, x[twins[:, 0]][:, unshared]]),
        np.hstack([base, x[twins[:, 1]][:, unshared]]),
        y[case],
    )


def centroid(x: Array, y: Array, new: Array) -> Array:
    """Classify by the nearest class mean."""
    plus = x[y > 0].mean(axis=0)
    minus = x[y < 0].mean(axis=0)
    return np.asarray(np.where((new - (plus + minus) / 2) @ (plus - minus) > 0, 1.0, -1.0))


def least_squares(x: Array, y: Array, new: Array) -> Array:
    """Fit least squares to the labels, with a small ridge so that the solution is unique."""
    centre = x.mean(axis=0)
    level = y.mean()
    gram = (x - centre).T @ (x - centre)
    gram.flat[:: len(gram) + 1] += 1e-3 * len(x)
    weights = np.linalg.solve(gram, (x - centre).T @ (y - level))
    return np.asarray(np.where((new - centre) @ weights + level > 0, 1.0, -1.0))


def stump(x: Array, y: Array, new: Array) -> Array:
    """Find the best threshold on one column: a tree of depth one."""
    order = np.argsort(x, axis=0, kind="stable")
    sorted_x = np.take_along_axis(x, order, axis=0)
    # for each threshold, the sum of the labels to its left
    balance = np.cumsum(y[order], axis=0)[:-1]
    gain = np.abs(2 * balance - y.sum())
    gain[sorted_x[1:] == sorted_x[:-1]] = -1  # no threshold between equal values
    cut, column = np.unravel_index(np.argmax(gain), gain.shape)
    edge = (sorted_x[cut, column] + sorted_x[cut + 1, column]) / 2
    left = np.sign(2 * balance[cut, column] - y.sum()) or 1.0
    return np.asarray(np.where(new[:, column] <= edge, left, -left))


LEARNERS: dict[str, Callable[[Array, Array, Array], Array]] = {
    "centroid": centroid,
    "least squares": least_squares,
    "stump": stump,
}


def task(
    rng: np.random.Generator, problem: str, n: int, learner: str, gap: float
) -> dict[str, float | bool]:
    """Draw one data set, compare the learners by every test, and return which find a difference."""
    draw = gaussian if problem == "gaussian" else functools.partial(real, problem)
    a, b, y = draw(rng, n, gap)
    fit = LEARNERS[learner]

    def losses(train: Any, test: Any) -> tuple[Array, Array]:
        labels = y[train]
        if np.abs(labels.sum()) == len(labels):  # only one class was drawn
            wrong = (y[test] != labels[0]).astype(float)
            return wrong, wrong
        pair = (fit(x[train], labels, x[test]) != y[test] for x in (a, b))
        of_a, of_b = (wrong.astype(float) for wrong in pair)
        return of_a, of_b

    def differences(splits: Iterator[tuple[Any, Any]]) -> Array:
        return np.array([np.subtract(*losses(*split)).mean() for split in splits])

    results = {**holdout_tests(rng, n, losses), **resampling_tests(rng, n, differences)}
    discoveries = {
        name: bool(significant and (gap == 0 or estimate < 0))
        for name, (significant, estimate) in results.items()
    }
    return {**discoveries, "difference": results["paired t, holdout"][1]}


def holdout_tests(
    rng: np.random.Generator, n: int, losses: Callable[..., Any]
) -> dict[str, tuple[bool, float]]:
    """Run the tests that use one split, with a third of the examples for testing."""
    order = rng.permutation(n)
    a, b = losses(order[n // 3 :], order[: n // 3])
    n01 = int((a > b).sum())
    n10 = int((b > a).sum())
    results = {f"McNemar {m}": compare.mcnemar(n01, n10, method=m) for m in ("exact", "mid-p", "z")}
    results["two proportions, same examples"] = compare.two_proportions(
        int(a.sum()), len(a), int(b.sum()), len(b)
    )
    results["paired t, holdout"] = compare.paired_t(a, b)
    return {name: (r.pvalue <= LEVEL, r.estimate) for name, r in results.items()}


def resampling_tests(
    rng: np.random.Generator, n: int, differences: Callable[..., Array]
) -> dict[str, tuple[bool, float]]:
    """Run the tests that use many splits: random splits, ten folds, five times two folds."""
    resampled = differences(split(rng.permutation(n), n // 3) for _ in range(RESAMPLES))
    folds = differences(k_fold(rng, n, FOLDS))
    halves = differences(s for _ in range(5) for s in k_fold(rng, n, 2)).reshape(5, 2)
    test = n // 3
    part = n // FOLDS
    results = {
        "resampled t": compare.kfold_paired_t(resampled),
        "corrected resampled t": compare.corrected_resampled_t(
            resampled, n_train=n - test, n_test=test
        ),
        "10-fold t": compare.kfold_paired_t(folds),
        "10-fold t, corrected": compare.corrected_resampled_t(folds, n_train=n - part, n_test=part),
        "5x2 cv t": five_by_two_cv_t(halves),
        "5x2 cv F": compare.five_by_two_cv_f(halves),
    }
    verdicts = {name: (r.pvalue <= LEVEL, r.estimate) for name, r in results.items()}
    ten = results["10-fold t"]
    lecture = -special.stdtrit(FOLDS, LEVEL / 2)  # K degrees of freedom, as in the lecture notes
    verdicts["10-fold t, K df"] = (abs(ten.statistic) >= lecture, ten.estimate)
    bayes = compare.bayesian_correlated_t(folds, n_train=n - part, n_test=part, rope=0.01)
    sure = max(bayes.posterior.a_better, bayes.posterior.b_better) >= 1 - LEVEL
    verdicts["Bayesian, rope 0.01"] = (sure, bayes.estimate)
    return verdicts


def split(order: Any, n_test: int) -> tuple[Any, Any]:
    """Return training and test part of one random order of the examples."""
    return order[n_test:], order[:n_test]


def k_fold(rng: np.random.Generator, n: int, k: int) -> Iterator[tuple[Any, Any]]:
    """Return training and test part of each fold of one cross-validation."""
    fold = rng.permutation(np.arange(n) % k)
    return ((np.flatnonzero(fold != i), np.flatnonzero(fold == i)) for i in range(k))


def main(repeats: int = 1000, seconds: float | None = None) -> None:
    """Run the missing repetitions, and store the results."""
    run("comparison_tests", task, SETTINGS, repeats=repeats, seed=7, workers=1, seconds=seconds)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
