"""Fit and predict with anything that has ``fit`` and ``predict``, on rows of anything."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab import _checks


def data(X: Any, y: ArrayLike) -> tuple[Any, NDArray[Any]]:
    """Check the cases: `X` keeps its kind where it is a frame or sparse, else becomes an array."""
    rows_of_x = X.tocsr() if hasattr(X, "tocsr") else X if hasattr(X, "iloc") else np.asarray(X)
    if len(np.shape(rows_of_x)) < 2:
        raise ValueError(f"X must have 2 dimension(s), got shape {np.shape(rows_of_x)}")
    labels = _checks.labels(y)
    if rows_of_x.shape[0] != len(labels):
        raise ValueError(
            "X and y must have the same length, "
            f"but X has {rows_of_x.shape[0]}, y has {len(labels)}"
        )
    return rows_of_x, labels


def estimator(value: Any, name: str = "estimator") -> Any:
    """Check that `value` has ``fit`` and ``predict`` and is an object, not its class."""
    if isinstance(value, type) or not (hasattr(value, "fit") and hasattr(value, "predict")):
        raise TypeError(f"{name} must have fit and predict, got {_checks._show(value)}")
    return value


def rows(X: Any, index: Any) -> Any:
    """Take rows of a frame, a sparse matrix or an array."""
    return X.iloc[index] if hasattr(X, "iloc") else X[index]


def predict(model: Any, X: Any, y: NDArray[Any], train: Any, test: Any) -> NDArray[Any]:
    """Train a fresh copy of `model` on the rows `train` and predict the rows `test`.

    A training set of one class alone is answered with that class: many classifiers refuse it.
    """
    known = y[train]
    if (known == known[0]).all() and not _is_regressor(model):
        return np.full(len(test), known[0])
    fresh = _fresh(model).fit(rows(X, train), known)
    return np.asarray(fresh.predict(rows(X, test)))


def _is_regressor(model: Any) -> bool:
    if not hasattr(model, "get_params"):
        return False
    from sklearn.base import is_regressor

    return bool(is_regressor(model))


def _fresh(model: Any) -> Any:
    """Return an untrained copy; scikit-learn's estimators are cloned, others copied."""
    if not hasattr(model, "get_params"):
        return _Chained(copy.deepcopy(model))
    from sklearn.base import clone

    return clone(model)


class _Chained:
    """A model whose ``fit`` need not return it."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: Any, y: Any) -> Any:
        self.model.fit(X, y)
        return self.model
