"""Training and predicting with any object that has ``fit`` and ``predict``.

The labels are determined once, from all of ``y``, and a prediction must be one of them. So all
folds are read in the same way.
"""

import copy
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks, extras
from errlab._core.checks import Labels


class Estimator(Protocol):
    """An object that can be trained and can predict.

    Its arguments have the type Any, so that models for arrays of numbers are included.
    """

    def fit(self, X: Any, y: Any, /) -> object:
        """Train on examples and their labels."""

    def predict(self, X: Any, /) -> object:
        """Return one label or number per example."""


class Rows(Protocol):
    """Examples in rows of any type: an array, a pandas frame, a sparse matrix."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of examples comes first."""

    def __getitem__(self, index: Any, /) -> Any:
        """Return some of the rows; each type has its own indexing."""


Cases = ArrayLike | Rows
# positions of training rows, positions of test rows
Split = tuple[NDArray[np.intp], NDArray[np.intp]]


class Problem(NamedTuple):
    """An estimator with the examples and labels to train and test it on."""

    model: Estimator
    X: Rows
    y: Labels


def data(X: Cases, y: ArrayLike) -> tuple[Rows, Labels]:
    """Check the examples; frames and sparse matrices keep their type, others become arrays."""
    if hasattr(X, "tocsr"):  # convert a sparse matrix to rows, which can be indexed
        X = X.tocsr()
    elif not hasattr(X, "iloc"):
        X = checks.raw(X, "X")
    cases = cast(Rows, X)
    if len(cases.shape) < 2:
        raise ValueError(f"X must have at least 2 dimensions, got shape {cases.shape}")
    labels = checks.labels(y)
    checks.same_length(X=range(cases.shape[0]), y=labels)
    return cases, labels


def estimator(value: Estimator, name: str = "estimator") -> Estimator:
    """Check that `value` has ``fit`` and ``predict`` and is an instance, not a class."""
    if isinstance(value, type):
        made = f"{value.__name__}()"
        raise TypeError(
            f"{name} must be an instance, such as {made}, got the class {value.__name__}"
        )
    if not (hasattr(value, "fit") and hasattr(value, "predict")):
        hint = ""
        if hasattr(value, "shape"):
            hint = "; the data come after it, as in (model, X, y)"
        raise TypeError(f"{name} must have fit and predict, got {checks.show(value)}{hint}")
    return value


def rows(X: Rows, index: NDArray[np.intp]) -> Rows:
    """Return some rows of a frame, a sparse matrix or an array."""
    return cast(Rows, getattr(X, "iloc", X)[index])


def predict(problem: Problem, split: Split) -> Labels:
    """Train a fresh copy of the model on one part of a split and predict the other.

    If the training set has only one class, predict that class, because many classifiers raise an
    error.
    """
    model, X, y = problem
    train, test = split
    labels = y[train]
    # scikit-learn's `is_regressor` accepts only estimators with scikit-learn's interface
    like_sklearn = hasattr(model, "get_params")
    # in small data sets the training part may hold only one class
    if (labels == labels[0]).all() and not (
        like_sklearn and extras.load("sklearn.base").is_regressor(model)
    ):
        return np.full(len(test), labels[0])
    name = type(model).__name__
    try:
        predicted = fitted(problem, train).predict(rows(X, test))
    except (ValueError, TypeError) as error:
        kind = ValueError if isinstance(error, ValueError) else TypeError
        reason = " ".join(str(error).split())
        raise kind(f"{name} cannot be trained and tested here: {reason}") from error
    array = checks.raw(predicted, f"{name}.predict")
    if array.ndim == 2 and array.shape[1] == 1:  # a single column
        array = array[:, 0]
    if array.ndim == 0 or len(array) != len(test):
        raise ValueError(
            f"{name}.predict must return one value for each of {len(test)} examples, "
            f"got shape {array.shape}"
        )
    missing = array[np.vectorize(checks.missing, otypes=[bool])(array)]
    if missing.size:
        worst = checks.show(missing[0])
        raise ValueError(f"{name}.predict must return finite values or labels, got {worst}")
    return array


def classify(problem: Problem, split: Split) -> Labels:
    """Train on one part of a split and predict labels of `y` for the other."""
    name = f"{type(problem.model).__name__}.predict"
    predicted = checks.labels(predict(problem, split), name)
    checks.one_kind(problem.y, predicted, "y", name)
    every, predicted = checks.exact(problem.y, predicted)
    foreign = set(predicted.tolist()) - set(every.tolist())
    if foreign:
        raise ValueError(
            f"{name} must return labels that occur in y, got {checks.show(foreign.pop())}; for "
            "a regression, or predictions that aren't labels, pass your own loss function"
        )
    return predicted


def mistakes(problem: Problem, split: Split) -> NDArray[np.bool_]:
    """Train on one part of a split and return which examples of the other are misclassified."""
    every, predicted = checks.exact(problem.y, classify(problem, split))
    return np.asarray(predicted != every[split[1]], dtype=bool)


def fitted(problem: Problem, train: NDArray[np.intp]) -> Estimator:
    """Train a copy on some rows: scikit-learn's estimators are cloned, others deep-copied."""
    make = copy.deepcopy
    if hasattr(problem.model, "get_params"):
        make = extras.load("sklearn.base").clone
    fresh: Estimator = make(problem.model)
    # `fit` may return something other than the model
    fresh.fit(rows(problem.X, train), problem.y[train])
    return fresh
