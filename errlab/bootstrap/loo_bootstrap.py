"""The leave-one-out bootstrap of an estimator."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks, training, workers
from errlab._core.checks import FloatArray, IntArray, Labels, Seed
from errlab._core.public import public
from errlab._core.training import Cases, Estimator, Rows
from errlab._numerics import least_squares
from errlab.bootstrap import _resample
from errlab.bootstrap.point632 import combine632, no_information_rate
from errlab.losses import hard_loss

__all__ = [
    "LooBootstrap",
    "loo_bootstrap",
    "loo_bootstrap_linear",
]


@dataclass(frozen=True)
class LooBootstrap:
    """What one pass over the bootstrap samples tells.

    Attributes
    ----------
    error : float
        Leave-one-out bootstrap error: the mean of `losses`.
    losses : ndarray
        Mean 0/1 loss of each case over the bootstrap samples that do not hold it; cases that
        every sample holds are not counted.
    left_out : ndarray, shape (n,)
        Number of bootstrap samples that do not hold each case.
    resubstitution : float
        Error of the full model on its training set.
    no_information : float
        No-information rate of the full model.
    """

    error: float
    losses: FloatArray
    left_out: IntArray
    resubstitution: float
    no_information: float

    @property
    def point632(self) -> float:
        """The .632 estimate."""
        return float(combine632(self.resubstitution, self.error))

    @property
    def point632plus(self) -> float:
        """The .632+ estimate."""
        gamma = self.no_information
        return float(combine632(self.resubstitution, self.error, no_information=gamma))


def _result(y: Labels, fitted: Labels, wrong: NDArray[np.bool_], counts: IntArray) -> LooBootstrap:
    """Sum up: fitted labels of the full model, and who is wrong in which sample."""
    out = counts == 0
    left_out = out.sum(axis=0)
    if not left_out.any():
        raise ValueError(
            f"resamples must be enough for a case to be left out, got {len(counts)}: "
            "every sample holds every case"
        )
    seen = left_out > 0
    # Mean over the samples without the case, then over the cases: not over all pairs.
    losses = (wrong & out).sum(axis=0)[seen] / left_out[seen]
    gamma = no_information_rate(y, fitted)
    training_error = float(hard_loss(y, fitted).mean())
    return LooBootstrap(float(losses.mean()), losses, left_out, training_error, gamma)


def _linear_pass(Z: FloatArray, y: Labels, penalty: FloatArray, counts: IntArray) -> LooBootstrap:
    """All samples at once for a least-squares classifier; the first row of weights is the full."""
    codes = least_squares.class_codes(y)
    weights = np.vstack([np.ones(len(y)), counts])
    found = least_squares.classify(Z, codes, weights, penalty)
    return _result(codes, found[0], found[1:] != codes, counts)


@public
def loo_bootstrap(
    estimator: Estimator,
    X: Cases,
    y: ArrayLike,
    *,
    resamples: int = 200,
    rng: Seed = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> LooBootstrap:
    """Leave-one-out bootstrap of a classifier, with all that .632 and .632+ need.

    Each bootstrap sample trains a fresh copy, which is tested on the cases that the sample does
    not hold. A plain scikit-learn ``RidgeClassifier`` is solved for all samples at once. A
    sample of one class alone is answered with that class.

    Parameters
    ----------
    estimator : object with ``fit`` and ``predict``
        The classifier.
    X : array_like, frame or sparse matrix, shape (n, ...)
        The cases.
    y : array_like, shape (n,)
        Labels, two classes or more.
    resamples : int
        Number of bootstrap samples.
    rng : seed, Generator or None
        Draws them.
    n_jobs : int, optional
        Number of workers, as joblib counts them: -1 takes all processors, None one, or what
        ``joblib.parallel_config`` says (a Dask cluster, for one). The result does not depend on it.
    progress : bool, optional
        Show a meter on the standard error after two seconds; by default on a terminal only.

    Returns
    -------
    LooBootstrap
        Errors of one pass, with ``.point632`` and ``.point632plus``.

    Raises
    ------
    ValueError, TypeError
        If the input is not usable, or y holds a single class.

    References
    ----------
    Efron & Tibshirani (1997), "Improvements on cross-validation: the .632+ bootstrap method".

    Examples
    --------
    >>> from sklearn.linear_model import RidgeClassifier
    >>> X, y = np.arange(20.0)[:, None], np.arange(20) // 10
    >>> result = loo_bootstrap(RidgeClassifier(), X, y, resamples=100, rng=0)
    >>> result.resubstitution, result.no_information, round(result.point632plus, 2)
    (0.0, 0.5, 0.04)
    """
    cases, labels = training.data(X, y)
    training.estimator(estimator)
    least_squares.class_codes(labels)
    size = checks.one_count(resamples, "resamples")
    n = len(labels)
    counts = _resample.counts(n, size, checks.generator(rng))
    ridge = least_squares.ridge_classifier(estimator)
    if ridge is not None and isinstance(cases, np.ndarray):
        alpha, intercept = ridge
        design = checks.matrix(cases)
        penalty = np.full(design.shape[1], alpha)
        if intercept:  # a free column of ones; centring keeps the gram matrix well conditioned
            design = np.column_stack([np.ones(n), design - design.mean(axis=0)])
            penalty = np.append(0.0, penalty)
        return _linear_pass(design, labels, penalty, counts)
    every = np.arange(n)
    fitted = training.classify(estimator, cases, labels, every, every)
    jobs = [(estimator, cases, labels, drawn) for drawn in counts]
    wrong = np.array(workers.each(_wrong_outside, jobs, n_jobs=n_jobs, progress=progress))
    return _result(labels, fitted, wrong, counts)


def _wrong_outside(estimator: Estimator, X: Rows, y: Labels, drawn: IntArray) -> NDArray[np.bool_]:
    """Train on a bootstrap sample, given by counts; tell which cases outside it it gets wrong."""
    wrong = np.zeros(len(y), dtype=bool)
    outside = np.flatnonzero(drawn == 0)
    if len(outside):
        rows = np.repeat(np.arange(len(y)), drawn)
        wrong[outside] = training.mistakes(estimator, X, y, rows, outside)
    return wrong


@public
def loo_bootstrap_linear(
    X: ArrayLike, y: ArrayLike, *, ridge: float = 0.0, resamples: int = 200, rng: Seed = None
) -> LooBootstrap:
    """Leave-one-out bootstrap of a least-squares or ridge classifier, all samples at once.

    The rule is that of `errlab.crossval.loo_losses_linear`: no implicit intercept, the penalty
    added to the sum of squares.

    Parameters
    ----------
    X : array_like, shape (n, p)
        Design matrix.
    y : array_like, shape (n,)
        Labels, two classes or more.
    ridge : float
        Penalty, at least 0. Without it a sample whose rows do not determine the fit gets the
        shortest of its solutions.
    resamples : int
        Number of bootstrap samples.
    rng : seed, Generator or None
        Draws them.

    Returns
    -------
    LooBootstrap
        Errors of one pass, with ``.point632`` and ``.point632plus``.

    Raises
    ------
    ValueError, TypeError
        If the input is not usable, or y holds a single class.

    Examples
    --------
    >>> X, y = np.arange(-9.5, 10)[:, None], np.arange(20) // 10
    >>> loo_bootstrap_linear(X, y, rng=0).error
    0.0
    """
    # No refit: the normal equations of all samples come from one matrix product.
    design = checks.matrix(X)
    labels = checks.labels(y)
    n = checks.same_length(X=design, y=labels)
    alpha = float(checks.within(ridge, "ridge", 0, ndim=0))
    size = checks.one_count(resamples, "resamples")
    counts = _resample.counts(n, size, checks.generator(rng))
    return _linear_pass(design, labels, np.full(design.shape[1], alpha), counts)
