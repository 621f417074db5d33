"""The linear classifier of the small-sample study, fitted by squared error."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks, extras
from errlab._core.checks import FloatArray, Labels
from errlab._numerics import least_squares

if TYPE_CHECKING:
    from sklearn.utils import Tags

Basis = Callable[[FloatArray], ArrayLike]


class LeastSquares:
    r"""Classify by the sign of :math:`\sum_k \beta_k \phi_k(x)`, fitted by least squares.

    The two labels, in sorted order, are coded as -1 and +1; a score of 0 means the first. A score
    counts as 0 if it is at most 1e-10 times :math:`1 + \sum_k |\beta_k \phi_k(x)|`, so an example
    on the boundary gets the same label on every machine. If several coefficients fit equally well,
    the shortest are used. The estimator works with scikit-learn's tools.

    Parameters
    ----------
    basis : callable, optional
        Maps X of shape (n, q) to the columns :math:`\phi_k`, row by row; (1, x) by default.

    Raises
    ------
    ValueError, TypeError
        In `fit`, if X and y have different lengths or y doesn't have two classes.

    References
    ----------
    Laber and Murphy (2008), Section 5.

    Examples
    --------
    >>> model = LeastSquares().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    >>> model.predict([[0.2], [2.8]]).tolist()
    ['a', 'b']
    """

    def __init__(self, basis: Basis | None = None) -> None:
        self.basis = basis

    def design(self, X: ArrayLike) -> FloatArray:
        """Return the design matrix of the examples, shape (n, p)."""
        cases = checks.matrix(X)
        if self.basis is None:
            return np.column_stack([np.ones(len(cases)), cases])
        checks.function(self.basis, "basis")
        Z = checks.matrix(self.basis(cases), "basis(X)")
        checks.same_length(**{"X": cases, "basis(X)": Z})
        return Z

    def fit(self, X: ArrayLike, y: ArrayLike) -> LeastSquares:
        """Fit the coefficients; y holds two classes."""
        Z = self.design(X)
        labels = checks.labels(y)
        checks.same_length(X=Z, y=labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        checks.require(len(self.classes_) == 2, "y", "hold two classes", len(self.classes_))
        targets = least_squares.class_targets(codes, 2)
        once = np.ones((1, len(Z)))
        self.coef_ = least_squares.coefficients(Z, targets, once)[0, :, 0]
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Return the scores; 0 for an example on the boundary, despite rounding."""
        Z = self.design(X)
        p = len(self.coef_)
        if Z.shape[1] != p:
            raise ValueError(
                f"X must give {p} columns, as in fit, basis included, got {Z.shape[1]}"
            )
        # scores this small are rounding errors, which differ between machines, so they count as 0
        scores = Z @ self.coef_
        size = least_squares.score_size(Z, self.coef_[:, None])
        return np.where(np.abs(scores) <= least_squares.TIE * size, 0.0, scores)

    def predict(self, X: ArrayLike) -> Labels:
        """Return the labels."""
        codes = least_squares.class_of(self.decision_function(X)[:, None])
        return self.classes_[codes]

    def get_params(self, deep: bool = True) -> dict[str, object]:
        """Return the parameters, for scikit-learn's ``clone``."""
        return {"basis": self.basis}

    def set_params(self, **params: object) -> LeastSquares:
        """Set the parameters."""
        for name, value in params.items():
            checks.choice(name, "parameter", ["basis"])
            setattr(self, name, value)
        return self

    def __sklearn_tags__(self) -> Tags:
        utils = extras.load("sklearn.utils")
        target = utils.TargetTags(required=True)
        kind = utils.ClassifierTags()
        tags: Tags = utils.Tags("classifier", target, classifier_tags=kind)
        return tags
