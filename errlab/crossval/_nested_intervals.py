"""The interval from nested cross-validation of Bates, Hastie and Tibshirani."""

from __future__ import annotations

import numpy as np

from errlab._core import checks, workers
from errlab._core.checks import FloatArray, IntArray
from errlab._core.interval import Interval
from errlab._core.training import Problem
from errlab._numerics.roots import normal_quantile
from errlab.crossval._intervals import around
from errlab.crossval._losses import Loss, fold_losses, folds


def loss_tables(
    problem: Problem, codes: IntArray, loss: Loss | None, n_jobs: int | None
) -> FloatArray:
    """Return the loss of each example without its fold and one other, shape (R, n, K).

    Element (r, i, k) is the loss of example i by the model trained, in division r, without its fold
    and without fold k; if k is its own fold, only without that fold. One model is trained for each
    pair of folds and used for both: K(K-1)/2 + K fits, instead of the K(K-1) + K of the method as
    published.
    """
    R, n = codes.shape
    K = int(codes.max()) + 1
    pairs = [(r, j, k) for r in range(R) for j in range(K) for k in range(j, K)]
    tests = [np.flatnonzero(np.isin(codes[r], (j, k))) for r, j, k in pairs]
    jobs = [(problem, (np.setdiff1d(np.arange(n), test), test), loss) for test in tests]
    results = workers.each(fold_losses, jobs, n_jobs=n_jobs)
    table = np.empty((R, n, K))
    for (r, j, k), test, losses in zip(pairs, tests, results, strict=True):
        # The entries (j, k) and (k, j) share the model without both folds, which halves the work.
        table[r, test, np.where(codes[r, test] == j, k, j)] = losses
    return table


def nested_interval(losses: FloatArray, fold: IntArray, *, delta: float = 0.05) -> Interval:
    r"""Return the interval of nested cross-validation (Bates, Hastie & Tibshirani) from its losses.

    The mean squared error of cross-validation is estimated by comparing, for each fold, the inner
    cross-validation in the other folds with the loss on the fold that these models were not trained
    on:

    .. math:: \widehat{MSE} = \frac{K-1}{K} \operatorname{mean}_k \left[(\bar e^{in}_k -
              \bar e^{out}_k)^2 - \operatorname{var}(e^{out}_k) / n_k\right],

    limited to :math:`s^2/n` to :math:`K s^2/n`. The centre is the inner mean minus :math:`(1 +
    (K-2)/K)(\bar e^{in} - \bar e^{out})`, a correction for the smaller training sets. It is exact
    if the error after m training examples is its limit plus c/m. The authors' program uses the
    factor :math:`1 + ((K-2)/K)^{1.5}` instead, and so moves the centre a little less.

    Parameters
    ----------
    losses : ndarray, shape (R, n, K)
        For each of R random divisions into K folds, the loss in [0, 1] of each example by the model
        trained without its own fold and fold k; in the column of its own fold, only without that
        fold.
    fold : ndarray of int, shape (R, n)
        The fold of each example, 0 .. K-1 with K at least 3; each fold has at least 2 examples.
    delta : float
        Probability of failure, in (0, 1).

    Returns
    -------
    Interval
        ``(low, high)`` in [0, 1], for the error of the model that is trained on all n examples. The
        mean squared error above refers to that error, not to its average over data sets.

    Raises
    ------
    ValueError
        If a loss leaves [0, 1], or `delta` (0, 1).

    References
    ----------
    Bates, Hastie & Tibshirani (2024), "Cross-validation: what does it estimate and how well does
    it do it?".

    Examples
    --------
    >>> table = np.tile([[0.0], [0.0], [1.0]], (1, 4, 3))
    >>> low, high = nested_interval(table, np.repeat([[0, 1, 2]], 4, axis=1))
    >>> round(low, 4), round(high, 4)
    (0.0666, 0.6001)
    """
    table = checks.losses(losses, "loss(y_true, y_pred)", ndim=3)
    n, K = table.shape[1:]
    in_fold = fold[:, :, None] == np.arange(K)
    sizes = in_fold.sum(axis=1)
    # Divisions x folds: the error on fold k of the model trained on all other folds.
    outer = (in_fold * table).sum(axis=1) / sizes  # (R, K)
    squares = (in_fold * (table - outer[:, None, :]) ** 2).sum(axis=1)
    # The cross-validated error inside the other folds, without fold k.
    inner = (~in_fold * table).sum(axis=1) / (n - sizes)
    # The squared gap minus the variance of a small fold's mean can be negative, so clip it.
    mse = ((inner - outer) ** 2 - squares / (sizes - 1) / sizes).mean() * (K - 1) / K
    cv = table[in_fold].mean()
    ncv = table[~in_fold].mean()
    low = table[~in_fold].std() / np.sqrt(n)
    error = np.clip(np.sqrt(max(mse, 0.0)), low, np.sqrt(K) * low)
    z = normal_quantile(checks.one_delta(delta) / 2)
    return around(ncv - (1 + (K - 2) / K) * (ncv - cv), float(z * error))


def divisions(n: int, cv: int, repeats: int, rng: np.random.Generator) -> IntArray:
    """Draw random divisions of n examples into `cv` folds of at least 2, shape (repeats, n)."""
    K = checks.one_count(cv, "cv", 3)
    checks.require(n >= 2 * K, "cv", f"be at most half the number of examples, {n}", K)
    return np.array([folds(n, K, rng) for _ in range(checks.one_count(repeats, "repeats"))])
