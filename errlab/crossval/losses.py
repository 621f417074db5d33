"""The losses of cross-validation, case by case, with the folds that they come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab import _checks, _fit
from errlab._checks import FloatArray, IntArray
from errlab.losses import hard_loss

__all__ = ["CVLosses", "cross_val_losses", "fold_groups", "fold_means", "folds", "splits"]

Loss = Callable[[Any, Any], Any]
Split = tuple[NDArray[np.intp], NDArray[np.intp]]


@dataclass(frozen=True)
class CVLosses:
    """Losses of cross-validation.

    Attributes
    ----------
    losses : ndarray, shape (m,)
        Loss of each tested case under the model that was not trained on it.
    fold : ndarray, shape (m,)
        Number of the fold, 0 .. k-1, that the case was tested in.
    case : ndarray, shape (m,)
        Row of the case in X. Where each case is tested once, ``case`` is 0 .. n-1.
    """

    losses: FloatArray
    fold: IntArray
    case: IntArray

    @property
    def mean(self) -> float:
        """Mean loss over all tested cases."""
        return float(self.losses.mean())

    @property
    def fold_means(self) -> FloatArray:
        """Mean loss of each fold."""
        return fold_means(self.losses, self.fold)

    @property
    def fold_sizes(self) -> IntArray:
        """Number of cases tested in each fold."""
        return np.bincount(self.fold)

    @property
    def standard_error(self) -> float:
        """Standard error of the mean, with the n-1 variance; it takes losses for independent."""
        return self.standard_error_lecture * float(np.sqrt(_over_one(len(self.losses))))

    @property
    def standard_error_lecture(self) -> float:
        """Standard error as the lecture notes print it, with the 1/n variance (too small)."""
        return float(self.losses.std() / np.sqrt(len(self.losses)))

    @property
    def fold_standard_error(self) -> float:
        """Standard error of the mean of the fold means, with the k-1 variance."""
        means = self.fold_means
        return float(means.std() * np.sqrt(_over_one(len(means)) / len(means)))


def _over_one(n: int) -> float:
    if n < 2:
        raise ValueError(f"a standard error must rest on at least 2 values, got {n}")
    return n / (n - 1)


def fold_groups(losses: ArrayLike, fold: ArrayLike) -> tuple[FloatArray, IntArray]:
    """Check losses in [0, 1] and fold labels of any kind; number the folds 0 .. k-1."""
    values, labels = _checks.losses(losses), _checks.labels(fold, "fold")
    _checks.same_length(losses=values, fold=labels)
    names, codes = np.unique(labels, return_inverse=True)
    if len(names) < 2:
        raise ValueError(f"fold must name at least 2 folds, got only {names.tolist()[0]!r}")
    return values, codes


def fold_means(losses: FloatArray, fold: IntArray) -> FloatArray:
    """Mean loss of each fold, for clean input."""
    return np.asarray(np.bincount(fold, losses) / np.bincount(fold))


def folds(n: int, k: int, rng: np.random.Generator) -> IntArray:
    """Deal n cases into k folds at random, with sizes that differ by at most 1."""
    return np.asarray(rng.permutation(np.arange(n) % k))


def splits(
    cv: Any, X: Any, y: NDArray[Any], rng: np.random.Generator, name: str = "cv"
) -> list[Split]:
    """Turn a number of folds, a scikit-learn splitter or pairs of indices into a list."""
    if isinstance(cv, (int, np.integer)) and not isinstance(cv, bool):
        k = _checks.one_count(cv, name, 2)
        if k > len(y):
            raise ValueError(f"{name} must be at most the number of cases, {len(y)}, got {k}")
        fold = folds(len(y), k, rng)
        return [(np.flatnonzero(fold != j), np.flatnonzero(fold == j)) for j in range(k)]
    if hasattr(cv, "split") and not isinstance(cv, str):
        pairs: Iterable[Any] = cv.split(X, y)
    elif isinstance(cv, Iterable) and not isinstance(cv, str):
        pairs = cv
    else:
        raise TypeError(
            f"{name} must be a number of folds, a splitter or pairs of indices, got {cv!r}"
        )
    found = [(np.asarray(train), np.asarray(test)) for train, test in pairs]
    for train, test in found:
        if not len(train) or not len(test) or np.isin(test, train).any():
            raise ValueError(f"{name} must give disjoint, non-empty train and test rows")
    if len(found) < 2:
        raise ValueError(f"{name} must give at least 2 folds, got {len(found)}")
    return found


def cross_val_losses(
    estimator: Any,
    X: Any,
    y: ArrayLike,
    *,
    cv: Any = 10,
    loss: Loss = hard_loss,
    rng: Any = None,
) -> CVLosses:
    """Train without each fold in turn, and return the loss of every case of it.

    Parameters
    ----------
    estimator : object with ``fit`` and ``predict``
        A fresh copy is trained for each fold. A training set that holds one class alone is
        answered with that class.
    X : array_like, frame or sparse matrix, shape (n, ...)
        The cases.
    y : array_like, shape (n,)
        The labels or targets.
    cv : int, splitter or iterable
        Number of folds, drawn at random with sizes as equal as can be; or any scikit-learn
        splitter (stratified, repeated, grouped ...); or pairs ``(train, test)`` of row numbers.
    loss : callable
        ``loss(y_true, y_pred)`` returns one loss for each case.
    rng : seed, Generator or None
        Draws the folds where `cv` is a number.

    Returns
    -------
    CVLosses
        Losses, folds and cases; in the order of the cases where each is tested once, else in
        the order of the folds.

    Raises
    ------
    ValueError, TypeError
        If the input is not usable, or a loss is not a finite number.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X, y = [[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]], [0, 0, 0, 1, 1, 1]
    >>> result = cross_val_losses(KNeighborsClassifier(1), X, y, cv=3, rng=0)
    >>> result.mean, result.fold_sizes
    (0.0, array([2, 2, 2]))
    """
    cases, labels = _fit.data(X, y)
    _fit.estimator(estimator)
    pairs = splits(cv, cases, labels, _checks.generator(rng))
    return losses_of(estimator, cases, labels, pairs, loss)


def losses_of(estimator: Any, X: Any, y: NDArray[Any], pairs: list[Split], loss: Loss) -> CVLosses:
    """Cross-validate over given splits, for clean input."""
    predictions = [_fit.predict(estimator, X, y, train, test) for train, test in pairs]
    return collect(y, pairs, predictions, loss)


def collect(
    y: NDArray[Any], pairs: list[Split], predictions: list[NDArray[Any]], loss: Loss
) -> CVLosses:
    """Put the losses of all folds together, in the order of the cases where each comes once."""
    tests = [test for _, test in pairs]
    parts = [
        case_losses(loss, y[test], made) for test, made in zip(tests, predictions, strict=True)
    ]
    fold = np.repeat(np.arange(len(pairs)), [len(test) for test in tests])
    case, values = np.concatenate(tests), np.concatenate(parts)
    if np.array_equal(np.sort(case), np.arange(len(y))):
        order = np.argsort(case)
        return CVLosses(values[order], fold[order], case[order])
    return CVLosses(values, fold, case)


def case_losses(loss: Loss, y_true: NDArray[Any], y_pred: NDArray[Any]) -> FloatArray:
    """One finite loss a case, or an error that names `loss`."""
    values = _checks.numbers(loss(y_true, y_pred), "loss(y_true, y_pred)")
    if values.shape != (len(y_true),):
        raise ValueError(f"loss must return one number a case, got shape {values.shape}")
    return values
