"""Least squares for many weightings of the same rows at once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray, Labels

# A score this small, relative to the terms of its sum, counts as 0. Otherwise its sign would depend
# on the order in which the processor adds the terms.
TIE = 1e-10


def coefficients(
    Z: FloatArray,
    targets: FloatArray,
    weights: FloatArray | IntArray,
    penalty: FloatArray | None = None,
) -> FloatArray:
    r"""Solve a penalised weighted least squares problem for each row of weights.

    Minimises :math:`\sum_i w_i \|t_i - z_i^\top \beta\|^2 + \sum_j \lambda_j \|\beta_j\|^2`.

    Parameters
    ----------
    Z : ndarray, shape (n, p)
        The rows.
    targets : ndarray, shape (n, k)
        The targets, one column each.
    weights : ndarray, shape (B, n)
        A weighting in each row: counts of a bootstrap draw, or 0 and 1 for a subset.
    penalty : ndarray, shape (p,), optional
        Penalty of each column, at least 0; none by default.

    Returns
    -------
    ndarray, shape (B, p, k)
        The coefficients; if there are several solutions, the shortest.
    """
    if penalty is None:
        penalty = np.zeros(Z.shape[1])
    unit = _unit(Z)
    even = Z / unit
    # The normal equations are linear in the weights, so one product gives them for all weightings.
    gram = np.tensordot(weights, even[:, :, None] * even[:, None, :], 1)
    gram += np.diag(penalty / unit**2)
    right = np.tensordot(weights, even[:, :, None] * targets[:, None, :], 1)
    doubtful = np.linalg.cond(gram, "fro") > 1e10
    gram[doubtful] = np.eye(len(penalty))
    beta = np.linalg.solve(gram, right) / unit[:, None]
    # solve the ill-conditioned systems without squaring the matrix, which would lose the rank
    for b in np.flatnonzero(doubtful):
        root = np.sqrt(weights[b])[:, None]
        tall = np.vstack([root * Z, np.diag(np.sqrt(penalty))])
        padded = np.vstack([root * targets, np.zeros((len(penalty), targets.shape[1]))])
        beta[b] = np.linalg.lstsq(tall, padded, rcond=None)[0]
    return beta


def orthonormal(Z: FloatArray) -> FloatArray:
    r"""Return orthonormal columns that span the columns of Z, also if these are far from zero.

    If a column is constant, such as an intercept, the medians are subtracted from the others, which
    doesn't change the span. Differences of floats that are close to each other are exact, and so is
    scaling by a power of two. Decomposing the original columns would lose digits if their means are
    much larger than their spread.

    Parameters
    ----------
    Z : ndarray, shape (n, p)
        The rows.

    Returns
    -------
    ndarray, shape (n, r)
        A column for each direction of Z that is larger than the rounding errors.
    """
    constant = (Z[:1] == Z).all(axis=0) & (Z[0] != 0)
    # subtract a value that occurs, so that if a second column is constant, it becomes exactly 0
    middle = np.where(constant.any(), np.sort(Z, axis=0)[len(Z) // 2], 0.0)
    middle[constant.argmax()] = 0.0
    even = Z - middle
    unit = _unit(even)
    left, values, right = np.linalg.svd(even / unit, full_matrices=False)
    # Singular values below this may come from rounding in the entries of Z.
    noise = np.finfo(float).eps * np.linalg.norm(Z, axis=0) / unit
    floor = np.maximum(1e-11 * values.max(), np.linalg.norm(right * noise, axis=1))
    return left[:, values > floor]


def _unit(Z: FloatArray) -> FloatArray:
    """Return a power of two near the size of each column, because dividing by it is exact."""
    size = np.abs(Z).max(axis=0, initial=0.0)
    return np.exp2(np.frexp(np.where(size > 0, size, 1.0))[1])


def class_codes(y: Labels) -> IntArray:
    """Number the classes from 0 in sorted order; there must be at least two."""
    classes, codes = np.unique(y, return_inverse=True)
    checks.require(len(classes) > 1, "y", "hold at least two classes", classes.tolist())
    return codes


def class_targets(codes: IntArray, classes: int) -> FloatArray:
    """Code two classes as one column of -1 and +1, more classes as one such column per class."""
    if classes == 2:
        return np.asarray(2.0 * codes - 1.0)[:, None]
    return np.asarray(2.0 * (codes[:, None] == np.arange(classes)) - 1.0)


def score_size(Z: FloatArray, beta: FloatArray) -> FloatArray:
    r"""Return the size of the terms in a score: :math:`1 + \sum_j |z_j \beta_j|`.

    The 1 is for the targets, from which the coefficients are computed; it matters if they cancel.

    Parameters
    ----------
    Z : ndarray, shape (n, p)
        The rows.
    beta : ndarray, shape (..., p, k)
        Their coefficients.

    Returns
    -------
    ndarray, shape (..., n)
        The size; for several classes, the largest.
    """
    return np.asarray(1.0 + (np.abs(Z) @ np.abs(beta)).max(axis=-1))


def class_of(scores: FloatArray, size: FloatArray | float = 1.0) -> NDArray[np.intp]:
    """Return the class with the largest score (last axis); for two classes, score 0 is class 0.

    With several classes the largest score decides; if several are equal, the first of them. Scores
    within `TIE` times `size` (see `score_size`) count as equal, so an example on the boundary gets
    the same class on every machine and in every order of the examples.
    """
    edge = TIE * size
    if scores.shape[-1] == 1:
        return np.asarray(scores[..., 0] > edge, dtype=np.intp)
    top = scores.max(axis=-1) - edge
    return np.asarray((scores >= top[..., None]).argmax(axis=-1))


def classify(
    Z: FloatArray,
    codes: IntArray,
    weights: FloatArray | IntArray,
    penalty: FloatArray | None = None,
) -> NDArray[np.intp]:
    """Return each row's class under the least-squares classifier of each weighting, shape (B, n).

    Only classes that the weighting contains can be predicted. An example on the boundary gets the
    first class (see `class_of`).
    """
    classes = int(codes.max()) + 1
    beta = coefficients(Z, class_targets(codes, classes), weights, penalty)
    scores = np.moveaxis(np.tensordot(Z, beta, axes=(1, 1)), 1, 0)  # (B, n, k)
    size = score_size(Z, beta)
    present = weights @ (codes[:, None] == np.arange(classes)) > 0  # weightings x classes
    if classes == 2:
        fitted = class_of(scores, size)
        one_class = ~present.all(axis=1)
        fitted[one_class] = present[one_class, 1, None]
        return fitted
    return class_of(np.where(present[:, None, :], scores, -np.inf), size)


def ridge_classifier(estimator: Any) -> tuple[float, bool] | None:
    """Return penalty and intercept of a plain scikit-learn ``RidgeClassifier``, otherwise None."""
    kind = type(estimator)
    plain = (
        kind.__name__ == "RidgeClassifier"
        and kind.__module__.startswith("sklearn.")
        and isinstance(estimator.alpha, (int, float))
        and 0 <= estimator.alpha < np.inf
        and estimator.class_weight is None
        and not estimator.positive
        and estimator.solver in ("auto", "svd", "cholesky")
    )
    if not plain:
        return None
    return float(estimator.alpha), bool(estimator.fit_intercept)
