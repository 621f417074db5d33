r"""Cross-validation without refitting: least squares and ridge.

A fit that is linear in the targets, :math:`\hat y = H y`, leaves example :math:`i` out by
:math:`y_i - \hat y_{(i)} = (y_i - \hat y_i) / (1 - h_{ii})`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.public import public
from errlab._numerics import least_squares
from errlab.crossval._losses import fold_codes


def loo_residuals(X: ArrayLike, targets: FloatArray, ridge: ArrayLike) -> FloatArray:
    r"""Leave-one-out residuals of each column of targets, from one fit (Allen 1974).

    .. math:: y_i - x_i^\top \hat\beta_{(i)} = \frac{y_i - x_i^\top \hat\beta}{1 - h_{ii}},
              \quad H = X (X^\top X + \lambda I)^{-1} X^\top

    >>> loo_residuals([[1.0], [1.0], [1.0]], np.array([[1.0], [2.0], [6.0]]), 0.0).ravel()
    array([-3. , -1.5,  4.5])
    """
    design = checks.matrix(X)
    checks.same_length(X=design, y=targets)
    penalty = checks.within(ridge, "ridge", 0)
    fits = penalty.ndim < 2 and penalty.size in (1, design.shape[1])
    checks.require(fits, "ridge", "be one number, or one for each column of X", penalty)
    # Ridge is least squares with an additional row for each penalised weight.
    tall = np.vstack([design, np.diag(np.sqrt(np.broadcast_to(penalty, design.shape[1])))])
    # H = qq', and h_ii is the squared length of row i, so X'X need not be inverted.
    q = least_squares.orthonormal(tall)[: len(design)]
    free = 1 - np.square(q).sum(axis=1)
    at = int(free.argmin())
    if free[at] < 1e-10:  # the other rows don't determine the prediction
        raise ValueError(f"X must not have a row with leverage 1, got row {at}; set ridge above 0")
    return np.asarray((targets - q @ (q.T @ targets)) / free[:, None])


@public
def cv_residuals_linear(X: ArrayLike, y: ArrayLike, fold: ArrayLike) -> FloatArray:
    """k-fold residuals of least squares, all folds at once.

    Parameters
    ----------
    X : array_like, shape (n, p)
        Design matrix. No intercept is added.
    y : array_like, shape (n,)
        Targets.
    fold : array_like, shape (n,)
        The fold of each example, labels of any kind, at least two folds.

    Returns
    -------
    ndarray, shape (n,)
        Each target minus its prediction by the fit without its fold; if several fits are possible,
        by the shortest.

    Raises
    ------
    ValueError, TypeError
        If the input is not finite, shapes don't fit, or there is a single fold.

    Examples
    --------
    >>> cv_residuals_linear([[1.0]] * 4, [1, 2, 3, 6], ["a", "a", "b", "b"])
    array([-3.5, -2.5,  1.5,  4.5])
    """
    targets = checks.numbers(y, "y", ndim=1)
    design = checks.matrix(X)
    checks.same_length(X=design, y=targets)
    codes = fold_codes(fold, y=targets)
    trains = (codes != np.arange(codes.max() + 1)[:, None]).astype(float)  # folds x examples
    beta = least_squares.coefficients(design, targets[:, None], trains)[:, :, 0]
    return np.asarray(targets - (design * beta[codes]).sum(axis=1))


@public
def loo_losses_linear(X: ArrayLike, y: ArrayLike, *, ridge: ArrayLike = 0.0) -> FloatArray:
    """Leave-one-out 0/1 losses of a least-squares or ridge classifier, from one fit.

    Two classes are coded -1 and +1 in sorted order, and the sign of the score decides (0 counts as
    -1). With more classes, each is fitted against all others, and the largest score decides. This
    is the rule of scikit-learn's ``RidgeClassifier(fit_intercept=False)``.

    Parameters
    ----------
    X : array_like, shape (n, p)
        Design matrix. No intercept is added.
    y : array_like, shape (n,)
        Labels of any kind, two classes or more.
    ridge : float or array_like, shape (p,)
        Penalty, at least 0, added to the sum of squares; a single one, or one for each column.

    Returns
    -------
    ndarray, shape (n,)
        1 if the classifier trained on all other examples is wrong, otherwise 0.

    Raises
    ------
    ValueError, TypeError
        If the input is not finite, shapes don't fit, an example has leverage 1, or y has a single
        class.

    Examples
    --------
    >>> loo_losses_linear([[-2.0], [-1.0], [0.5], [3.0]], ["a", "a", "a", "b"])
    array([0., 0., 1., 0.])
    """
    codes = least_squares.class_codes(checks.labels(y))
    targets = least_squares.class_targets(codes, int(codes.max()) + 1)
    # The prediction for each example by the fit to all others, examples x columns of targets.
    scores = targets - loo_residuals(X, targets, ridge)
    return np.asarray(least_squares.class_of(scores) != codes, dtype=np.float64)
