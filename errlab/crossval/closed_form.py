r"""Cross-validation without refitting: least squares, ridge and kernel ridge.

A fit that is linear in the targets, :math:`\hat y = H y`, leaves case :math:`i` out by
:math:`y_i - \hat y_{(i)} = (y_i - \hat y_i) / (1 - h_{ii})`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.public import public
from errlab._numerics import least_squares
from errlab.crossval.losses import fold_codes


def _problem(X: ArrayLike, targets: FloatArray, ridge: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Check the design, and give every column its penalty."""
    design = checks.matrix(X)
    checks.same_length(X=design, y=targets)
    penalty = checks.within(ridge, "ridge", 0)
    fits = penalty.ndim < 2 and penalty.size in (1, design.shape[1])
    checks.require(fits, "ridge", "be one number, or one for each column of X", penalty)
    return design, np.broadcast_to(penalty, design.shape[1])


def _residuals_linear(X: ArrayLike, targets: FloatArray, ridge: ArrayLike) -> FloatArray:
    """Leave-one-out residuals of each column of targets."""
    design, penalty = _problem(X, targets, ridge)
    # Ridge is least squares with one more row for each penalised weight.
    tall = np.vstack([design, np.diag(np.sqrt(penalty))])
    # Pivots show which columns depend on others: H = qq' with an orthonormal basis of the rest.
    q, r, _ = linalg.qr(tall, mode="economic", pivoting=True)
    size = np.abs(np.diagonal(r))
    q = q[: len(design), size > max(tall.shape) * np.finfo(float).eps * size[0]]
    # h_ii is the squared length of row i: X'X is never inverted.
    free = 1 - np.einsum("ij,ij->i", q, q)
    at = int(free.argmin())
    if free[at] < 1e-10:  # without it the fit is not determined
        raise ValueError(f"X must hold no row of leverage 1, got row {at}; take a ridge above 0")
    return np.asarray((targets - q @ (q.T @ targets)) / free[:, None])


@public
def loo_residuals_linear(X: ArrayLike, y: ArrayLike, *, ridge: ArrayLike = 0.0) -> FloatArray:
    r"""Leave-one-out residuals of least squares or ridge regression, from one fit.

    .. math:: y_i - x_i^\top \hat\beta_{(i)} = \frac{y_i - x_i^\top \hat\beta}{1 - h_{ii}},
              \quad H = X (X^\top X + \lambda I)^{-1} X^\top

    Parameters
    ----------
    X : array_like, shape (n, p)
        Design matrix. No intercept is added: give a column of ones where you want one.
    y : array_like, shape (n,)
        Targets.
    ridge : float or array_like, shape (p,)
        Penalty, at least 0, added to the *sum* of squares; one for each column if you like (0
        for the column of ones).

    Returns
    -------
    ndarray, shape (n,)
        What each target is above the prediction of the fit to all other cases.

    Raises
    ------
    ValueError, TypeError
        If the input is not finite, shapes do not fit, or a case has leverage 1.

    References
    ----------
    Allen (1974), "The relationship between variable selection and data augmentation".

    Examples
    --------
    >>> loo_residuals_linear([[1.0], [1.0], [1.0]], [1, 2, 6])  # the mean of the other two
    array([-3. , -1.5,  4.5])
    """
    return _residuals_linear(X, checks.numbers(y, "y", ndim=1)[:, None], ridge)[:, 0]


@public
def cv_residuals_linear(
    X: ArrayLike, y: ArrayLike, fold: ArrayLike, *, ridge: ArrayLike = 0.0
) -> FloatArray:
    """k-fold residuals of least squares or ridge regression, all folds at once.

    Parameters
    ----------
    X : array_like, shape (n, p)
        Design matrix. No intercept is added.
    y : array_like, shape (n,)
        Targets.
    fold : array_like, shape (n,)
        Which fold each case belongs to, labels of any kind, at least two.
    ridge : float or array_like, shape (p,)
        Penalty, at least 0, added to the sum of squares; one for each column if you like.

    Returns
    -------
    ndarray, shape (n,)
        What each target is above the prediction of the fit without its fold: the shortest fit
        where several are possible.

    Raises
    ------
    ValueError, TypeError
        If the input is not finite, shapes do not fit, or there is a single fold.

    Examples
    --------
    >>> cv_residuals_linear([[1.0]] * 4, [1, 2, 3, 6], ["a", "a", "b", "b"])
    array([-3.5, -2.5,  1.5,  4.5])
    """
    targets = checks.numbers(y, "y", ndim=1)
    design, penalty = _problem(X, targets, ridge)
    codes = fold_codes(fold, y=targets)
    kept = (codes != np.arange(codes.max() + 1)[:, None]).astype(float)  # folds x examples
    beta = least_squares.coefficients(design, targets[:, None], kept, penalty)[:, :, 0]
    return np.asarray(targets - np.einsum("ij,ij->i", design, beta[codes]))


@public
def loo_residuals_kernel(K: ArrayLike, y: ArrayLike, *, ridge: float) -> FloatArray:
    r"""Leave-one-out residuals of kernel ridge regression, from one fit.

    .. math:: y_i - \hat f_{(i)}(x_i) = \frac{\alpha_i}{(C^{-1})_{ii}},
              \quad C = K + \lambda I, \quad \alpha = C^{-1} y

    Parameters
    ----------
    K : array_like, shape (n, n)
        Kernel matrix of the cases: symmetric, positive semi-definite.
    y : array_like, shape (n,)
        Targets.
    ridge : float
        Penalty, above 0, as in scikit-learn's ``KernelRidge(alpha=ridge)``.

    Returns
    -------
    ndarray, shape (n,)
        What each target is above the prediction of the fit to all other cases.

    Raises
    ------
    ValueError, TypeError
        If K is not square, symmetric and positive semi-definite, or `ridge` is not above 0.

    Examples
    --------
    >>> loo_residuals_kernel([[1.0, 0.5], [0.5, 1.0]], [1, 2], ridge=1.0)
    array([0.5 , 1.75])
    """
    kernel = checks.matrix(K, "K")
    checks.require(kernel.shape[0] == kernel.shape[1], "K", "be square", kernel)
    targets = checks.numbers(y, "y", ndim=1)
    checks.same_length(K=kernel, y=targets)
    off = np.abs(kernel - kernel.T).max()
    if off > 1e-8 * np.abs(kernel).max():
        raise ValueError(f"K must be symmetric, got entries that differ by {off:.3g}")
    penalty = checks.positive(ridge, "ridge")
    values, vectors = np.linalg.eigh(kernel)
    if values[0] < -1e-8 * max(values[-1], -values[0]):
        raise ValueError(f"K must be positive semi-definite, got the eigenvalue {values[0]:.3g}")
    # C^-1 = V diag(weight) V', so that its diagonal is the sum of weight * V^2 along each row.
    weight = 1 / (np.maximum(values, 0) + penalty)
    alpha = vectors @ (weight * (vectors.T @ targets))
    return np.asarray(alpha / (vectors**2 @ weight))


@public
def loo_losses_linear(X: ArrayLike, y: ArrayLike, *, ridge: ArrayLike = 0.0) -> FloatArray:
    """Leave-one-out 0/1 losses of a least-squares or ridge classifier, from one fit.

    Two classes are coded -1 and +1 in sorted order and the sign of the score decides (0 counts
    as -1); of more classes, each against all others, the largest score decides. It is the rule
    of scikit-learn's ``RidgeClassifier(fit_intercept=False)``.

    Parameters
    ----------
    X : array_like, shape (n, p)
        Design matrix. No intercept is added.
    y : array_like, shape (n,)
        Labels of any kind, two classes or more.
    ridge : float or array_like, shape (p,)
        Penalty, at least 0, added to the sum of squares; one for each column if you like.

    Returns
    -------
    ndarray, shape (n,)
        1 where the classifier trained on all other cases is wrong, else 0.

    Raises
    ------
    ValueError, TypeError
        As `loo_residuals_linear`, and if y holds a single class.

    Examples
    --------
    >>> loo_losses_linear([[-2.0], [-1.0], [0.5], [3.0]], ["a", "a", "a", "b"])
    array([0., 0., 1., 0.])
    """
    codes = least_squares.class_codes(checks.labels(y))
    targets = least_squares.class_targets(codes, int(codes.max()) + 1)
    # The prediction for each case by the fit to all others, cases x columns of targets.
    scores = targets - _residuals_linear(X, targets, ridge)
    return np.asarray(least_squares.class_of(scores) != codes, dtype=np.float64)
