"""Cross-validated losses of single examples, with their folds."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from errlab._core import checks, training
from errlab._core.checks import FloatArray, IntArray, Labels, Seed
from errlab._core.public import public
from errlab._core.spoken import Spoken
from errlab._core.training import Cases, Estimator, Problem, Rows, Split
from errlab._numerics.groups import codes
from errlab.losses import hard_loss

Loss = Callable[[Any, Any], ArrayLike]  # takes labels of any type


class Splitter(Protocol):
    """Any object that divides examples like the splitters of scikit-learn."""

    @property
    def split(self) -> Callable[..., Iterable[object]]:
        """A function of X, y and optional groups that yields pairs of training and test rows."""


Folds = int | Splitter | Iterable[tuple[ArrayLike, ArrayLike]]


@dataclass(frozen=True, repr=False)
class CVLosses(Spoken):
    """The losses of a cross-validation with their examples and folds.

    Attributes
    ----------
    losses : ndarray, shape (m,)
        Loss of each tested example, by the model that was not trained on it.
    fold : ndarray, shape (m,)
        Number of the fold in which the example was tested, 0 .. k-1.
    case : ndarray, shape (m,)
        Row of the example in X. If each example is tested once, ``case`` is 0 .. n-1.
    """

    losses: FloatArray
    fold: IntArray
    case: IntArray

    def claim(self) -> str:
        """Return the result in a sentence."""
        return (
            f"Cross-validation: mean loss {self.mean:.4g} on {len(self.losses)} tested examples in "
            f"{len(np.unique(self.fold))} folds (nothing proven; crossval.estimate gives an "
            "interval)."
        )

    __repr__ = claim  # arrays would fill the screen

    @property
    def mean(self) -> float:
        """Mean loss over all tested examples."""
        return float(self.losses.mean())

    @property
    def fold_means(self) -> FloatArray:
        """Mean loss of each fold."""
        return fold_means(self.losses, self.fold)

    @property
    def standard_error(self) -> float:
        """Standard error of the mean, from the n - 1 variance, as if losses were independent."""
        n = len(self.losses)
        checks.require(n > 1, "a standard error", "rest on at least 2 values", n)
        return float(self.losses.std(ddof=1) / np.sqrt(n))


def fold_codes(fold: ArrayLike, **column: FloatArray) -> IntArray:
    """Number the folds 0 .. k-1; the column must have n entries and at least two folds."""
    numbers = codes(fold, "fold")
    checks.require(numbers.any(), "fold", "name at least 2 folds", 1)
    checks.same_length(**column, fold=numbers)
    return numbers


def fold_means(losses: FloatArray, fold: IntArray) -> FloatArray:
    """Return the mean loss of each fold, from checked arguments."""
    return np.bincount(fold, losses) / np.bincount(fold)


def folds(n: int, k: int, rng: Generator) -> IntArray:
    """Assign n examples to k folds at random, with sizes that differ by at most 1."""
    return rng.permutation(np.arange(n) % k)


def stratified_folds(labels: Labels, k: int, rng: Generator) -> IntArray:
    """Assign examples to k random folds, each class as evenly as possible."""
    # deal out the examples class by class, so that the folds get equally many of each class
    order = np.lexsort((rng.random(len(labels)), codes(labels, "y")))
    fold = np.empty(len(labels), dtype=np.int64)
    fold[order] = np.arange(len(labels)) % k
    return fold


def random_splits(n: int, repeats: int, n_test: int, rng: Generator) -> list[Split]:
    """Draw random splits of n examples into a training part and `n_test` test examples."""
    orders = [rng.permutation(n) for _ in range(repeats)]
    return [(order[n_test:], order[:n_test]) for order in orders]


def splits(
    cv: Folds,
    X: Rows,
    y: Labels,
    rng: Generator,
    name: str = "cv",
    groups: ArrayLike | None = None,
    stratify: bool = False,
) -> list[Split]:
    """Return a list of splits from a number of folds, a scikit-learn splitter or pairs of indices.

    With groups, a number of folds keeps whole groups together, and a splitter receives the groups.
    Without groups, `stratify` distributes each class evenly over a number of folds.
    """
    unit = np.arange(len(y))  # without groups, each example is its own group
    arguments: tuple[object, ...] = (X, y)
    what = "examples"
    if groups is not None:
        unit = codes(groups)
        arguments = (X, y, unit)
        what = "groups"
    checks.same_length(y=y, groups=unit)
    if isinstance(cv, (int, np.integer)) and not isinstance(cv, bool):
        k = checks.one_count(cv, name, 2)
        number = int(unit.max()) + 1
        checks.require(k <= number, name, f"be at most the number of {what}, {number}", k)
        if stratify and groups is None:
            fold = stratified_folds(y, k, rng)
        else:
            fold = folds(number, k, rng)[unit]
        return [(np.flatnonzero(fold != j), np.flatnonzero(fold == j)) for j in range(k)]
    usable = hasattr(cv, "split") or isinstance(cv, Iterable)
    if not usable or isinstance(cv, (bool, str, bytes)) or getattr(cv, "shape", None) == ():
        raise TypeError(
            f"{name} must be a number of folds, a splitter or pairs of indices, "
            f"got {checks.show(cv)}"
        )
    # scikit-learn warns that it ignores groups; our check below refuses such splits
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        pairs = cv.split(*arguments) if hasattr(cv, "split") else cv
        checked = [_split(pair, len(y), name) for pair in pairs]
    checks.require(len(checked) > 1, name, "give at least 2 folds", len(checked))
    for at, (train, test) in enumerate(checked):
        both = np.intersect1d(unit[train], unit[test]).size
        if both:
            raise ValueError(
                f"{name} must have all {what} on one side of fold {at} (for groups take "
                f"GroupKFold), got {both} on both"
            )
    return checked


def _split(pair: object, n: int, name: str) -> Split:
    """Check one pair of training and test rows."""
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TypeError(f"{name} must give pairs of train and test rows, got {checks.show(pair)}")
    train, test = (checks.count(rows, name, 0, ndim=1) for rows in pair)
    last = max(train.max(), test.max())
    checks.require(last < n, name, f"give rows from 0 to {n - 1}", last)
    return train, test


@public
def cross_val_losses(
    estimator: Estimator,
    X: Cases,
    y: ArrayLike,
    *,
    cv: Folds = 10,
    groups: ArrayLike | None = None,
    loss: Loss = hard_loss,
    rng: Seed = 0,
) -> CVLosses:
    """Train without each fold in turn, and return the losses of the held-out examples.

    Parameters
    ----------
    estimator : object with ``fit`` and ``predict``
        A fresh copy is trained for each fold. If a training set has only one class, that class is
        predicted.
    X : array_like, frame or sparse matrix, shape (n, ...)
        The examples.
    y : array_like, shape (n,)
        The labels or targets.
    cv : int, splitter or iterable
        Number of folds, drawn at random with nearly equal sizes, whatever the labels (see the
        notes); or a scikit-learn splitter (stratified, repeated, grouped ...); or pairs ``(train,
        test)`` of row numbers.
    groups : array_like, shape (n,), optional
        The group of each example. A number of folds then keeps whole groups together, and a
        splitter such as ``GroupKFold(5)`` receives the groups.
    loss : callable
        ``loss(y_true, y_pred)`` returns one loss for each example. With `hard_loss` the predictions
        must be labels that occur in `y`; your own loss receives whatever is predicted.
    rng : seed, Generator or None
        Draws the folds if `cv` is a number; the same in each call by default.

    Returns
    -------
    CVLosses
        Losses, folds and examples; in the order of the examples if each is tested once, otherwise
        in the order of the folds.

    Raises
    ------
    ValueError, TypeError
        If the shapes of X and y don't fit, `loss` is `hard_loss` and a prediction isn't a label of
        `y`, or a loss is not a finite number.

    Notes
    -----
    With random folds the mean loss is unbiased for models that are trained on as many
    examples. It is biased if each class is distributed evenly over the folds, as in `estimate` and
    in scikit-learn for classifiers: with 60 labels from coin flips, a majority vote then gets 44.9%
    wrong on average, although its true error is 50%. But if a class is rare, stratified folds vary
    less; ``cv=StratifiedKFold(10, shuffle=True)`` gives them.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = [[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]], [0, 0, 0, 1, 1, 1]
    >>> result = cross_val_losses(KNeighborsClassifier(1), X, y, cv=3, rng=0)
    >>> result.mean, result.fold_means.tolist()
    (0.0, [0.0, 0.0, 0.0])
    """
    cases, labels = training.data(X, y)
    problem = Problem(training.estimator(estimator), cases, labels)
    pairs = splits(cv, cases, labels, checks.generator(rng), groups=groups)
    return losses_of([problem] * len(pairs), pairs, loss)


def losses_of(problems: Sequence[Problem], pairs: Sequence[Split], loss: Loss) -> CVLosses:
    """Train a model for each split and join the losses, from checked arguments."""
    jobs = zip(problems, pairs, strict=True)
    values = np.concatenate([fold_losses(problem, split, loss) for problem, split in jobs])
    fold = np.repeat(np.arange(len(pairs)), [len(test) for _, test in pairs])
    case = np.concatenate([test for _, test in pairs])
    order = np.argsort(case)
    # With k folds each example is tested once, so return the losses in the order of the data.
    if not np.array_equal(case[order], np.arange(len(problems[0].y))):
        order = np.arange(len(case))
    return CVLosses(values[order], fold[order], case[order])


def fold_losses(problem: Problem, split: Split, loss: Loss | None) -> FloatArray:
    """Train on one part and return the losses on the other, from checked arguments.

    Without a loss function from the caller, predictions must be labels of `y` and are compared as
    labels; a loss function from the caller receives whatever is predicted.
    """
    if loss is None or loss is hard_loss:
        return training.mistakes(problem, split).astype(np.float64)
    checks.function(loss, "loss")
    true = problem.y[split[1]]
    values = checks.numbers(loss(true, training.predict(problem, split)), "loss(y_true, y_pred)")
    checks.require(values.shape == true.shape, "loss", "return one number per example", values)
    return values
