"""The leave-one-out bootstrap of an estimator, and the .632 and .632+ estimates based on it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks, rounding, training, workers
from errlab._core.checks import FloatArray, FloatOrArray, IntArray, Labels, Seed
from errlab._core.public import public
from errlab._core.spoken import Spoken
from errlab._core.training import Cases, Estimator, Problem
from errlab._numerics import least_squares
from errlab.bootstrap import _resample as resample
from errlab.losses import hard_loss

WEIGHT = 0.632  # as printed by Efron; .636 in the lecture notes is a slip


@public
def combine632(
    resubstitution: ArrayLike, loo_bootstrap: ArrayLike, *, no_information: ArrayLike | None = None
) -> FloatOrArray:
    r"""Combine the training error and the leave-one-out bootstrap error.

    The .632 estimate is :math:`.368 \, err + .632 \, Err_1`. If the no-information rate
    :math:`\gamma` is given, the .632+ estimate gives :math:`Err_1` more weight, depending on the
    relative overfitting R:

    .. math:: (1 - w) \, err + w \, Err_1', \quad w = \frac{.632}{1 - .368 R}, \quad
              R = \frac{Err_1' - err}{\gamma - err}, \quad Err_1' = \min(Err_1, \gamma)

    with R = 0 if :math:`Err_1'` or :math:`\gamma` is not above err. So R and w stay in their
    ranges, and the estimate is between err and :math:`Err_1'`. (The paper's last formula has
    :math:`Err_1` instead of :math:`Err_1'` in its .632 part, so it may exceed both; the two differ
    only if :math:`Err_1 > \gamma`.)

    Parameters
    ----------
    resubstitution : float or array_like
        Error of the full model on its own training set, in [0, 1].
    loo_bootstrap : float or array_like
        Leave-one-out bootstrap error, in [0, 1].
    no_information : float or array_like, optional
        Error expected if labels and examples were independent, in [0, 1]; if it is given, the
        result is .632+.

    Returns
    -------
    float or ndarray
        The estimate, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If a rate leaves [0, 1] or the shapes do not broadcast.

    References
    ----------
    Efron & Tibshirani (1997), "Improvements on cross-validation: the .632+ bootstrap method".

    Examples
    --------
    >>> combine632(0.0, 0.5)
    0.316
    >>> combine632(0.0, 0.5, no_information=0.5)
    0.5
    """
    err = checks.mean(resubstitution, "resubstitution")
    err1 = checks.mean(loo_bootstrap, "loo_bootstrap")
    # without a rate, take an infinite one: then R = 0 and the weight is .632
    gamma = np.array(np.inf)
    if no_information is not None:
        gamma = checks.mean(no_information, "no_information")
    err, err1, gamma = checks.same_shape(
        resubstitution=err, loo_bootstrap=err1, no_information=gamma
    )
    # Efron and Tibshirani (1997): R is 0 without overfitting, and 1 for the error of a guess.
    capped = np.minimum(err1, gamma)
    R = np.divide(capped - err, gamma - err, out=np.zeros_like(err), where=capped > err)
    w = WEIGHT / (1 - (1 - WEIGHT) * R)
    return checks.plain(np.clip((1 - w) * err + w * capped, 0, 1))


@public
def no_information_rate(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    r"""Return the error expected if predictions were independent of the labels.

    .. math:: \gamma = \sum_k p_k (1 - q_k)

    with :math:`p_k` the fraction of class k among the labels and :math:`q_k` among the predictions.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        Labels, and predictions of the full model on its training set.

    Returns
    -------
    float
        The rate, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If the lengths differ, a label is missing, or strings are mixed with numbers.

    References
    ----------
    Efron & Tibshirani (1997).

    Examples
    --------
    >>> no_information_rate([0, 0, 0, 1], [0, 0, 1, 1])
    0.5
    """
    true, pred = checks.same_labels(y_true=y_true, y_pred=y_pred)
    predicted = Counter(pred.tolist())
    return 1 - sum(predicted[label] for label in true.tolist()) / len(true) ** 2


@dataclass(frozen=True, repr=False)
class LooBootstrap(Spoken):
    """The leave-one-out bootstrap errors, with everything that .632 and .632+ need.

    Attributes
    ----------
    error : float
        Leave-one-out bootstrap error: the mean of `losses`.
    losses : ndarray
        Mean 0/1 loss of each example over the bootstrap samples that leave it out; examples that no
        sample leaves out are omitted.
    left_out : ndarray, shape (n,)
        Number of bootstrap samples that leave out each example.
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

    def claim(self) -> str:
        """Return the result in a sentence."""
        estimates = (self.error, self.point632, self.point632plus, self.resubstitution)
        left_out, point, plus, training_error = map(rounding.percent, estimates)
        return (
            f"Leave-one-out bootstrap: error {left_out} on {len(self.left_out)} examples, "
            f".632 {point}, .632+ {plus}; training error {training_error}.\n"
            "Estimates without an interval (nothing proven)."
        )

    __repr__ = claim  # arrays would fill the screen

    @property
    def point632(self) -> float:
        """The .632 estimate."""
        return float(combine632(self.resubstitution, self.error))

    @property
    def point632plus(self) -> float:
        """The .632+ estimate."""
        rate = self.no_information
        return float(combine632(self.resubstitution, self.error, no_information=rate))


@public
def loo_bootstrap(
    estimator: Estimator,
    X: Cases,
    y: ArrayLike,
    *,
    resamples: int = 200,
    rng: Seed = 0,
    n_jobs: int | None = None,
) -> LooBootstrap:
    """Leave-one-out bootstrap of a classifier, with what .632 and .632+ need.

    A fresh copy is trained on each bootstrap sample and tested on the examples that the sample
    leaves out. A plain scikit-learn ``RidgeClassifier`` is solved for all samples at once. If a
    sample has only one class, that class is predicted.

    Parameters
    ----------
    estimator : object with ``fit`` and ``predict``
        The classifier.
    X : array_like, frame or sparse matrix, shape (n, ...)
        The examples.
    y : array_like, shape (n,)
        Labels, two classes or more.
    resamples : int
        Number of bootstrap samples.
    rng : seed, Generator or None
        Draws the bootstrap samples; the same in each call by default.
    n_jobs : int, optional
        Number of workers, as in joblib: -1 for all processors; None for one, or for what
        ``joblib.parallel_config`` says, such as a Dask cluster. The result doesn't depend on it.

    Returns
    -------
    LooBootstrap
        The errors, with ``.point632`` and ``.point632plus``.

    Raises
    ------
    ValueError, TypeError
        If the shapes of X and y don't fit, an option is invalid, or y has only one class.

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
    problem = Problem(training.estimator(estimator), cases, labels)
    least_squares.class_codes(labels)
    n = len(labels)
    counts = _sample_counts(n, resamples, rng)
    ridge = least_squares.ridge_classifier(estimator)
    if ridge is not None and isinstance(cases, np.ndarray):
        alpha, intercept = ridge
        design = checks.matrix(cases)
        penalty = np.full(design.shape[1], alpha)
        if intercept:
            # an unpenalised column of ones; centring keeps the Gram matrix well conditioned
            design = np.column_stack([np.ones(n), design - design.mean(axis=0)])
            penalty = np.append(0.0, penalty)
        return _linear_bootstrap(design, labels, counts, penalty)
    every = np.arange(n)
    fitted = training.classify(problem, (every, every))
    # Train on each sample, and test on the examples that it left out, if any.
    splits = [(np.repeat(every, drawn), every[drawn == 0]) for drawn in counts if not drawn.all()]
    jobs = [(problem, split) for split in splits]
    results = workers.each(training.mistakes, jobs, n_jobs=n_jobs)
    wrong = np.zeros(counts.shape, dtype=bool)
    wrong[counts == 0] = np.concatenate(results)
    return _bootstrap_from_errors(labels, fitted, wrong, counts)


@public
def point632(
    estimator: Estimator, X: Cases, y: ArrayLike, *, resamples: int = 200, rng: Seed = 0
) -> float:
    """Estimate the error of a classifier by the .632 bootstrap.

    It is ``loo_bootstrap(...).point632``; that function also returns .632+ and the parts of both.

    Parameters
    ----------
    estimator : object with ``fit`` and ``predict``
        The classifier.
    X : array_like, frame or sparse matrix, shape (n, ...)
        The examples.
    y : array_like, shape (n,)
        Labels, two classes or more.
    resamples : int
        Number of bootstrap samples.
    rng : seed, Generator or None
        Draws the bootstrap samples; the same in each call by default.

    Returns
    -------
    float
        The estimate, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If the shapes of X and y don't fit, an option is invalid, or y has only one class.

    References
    ----------
    Efron (1983), "Estimating the error rate of a prediction rule".

    Examples
    --------
    >>> from sklearn.linear_model import RidgeClassifier
    >>> X, y = np.arange(20.0)[:, None], np.arange(20) // 10
    >>> round(point632(RidgeClassifier(), X, y, resamples=100), 3)
    0.036
    """
    return loo_bootstrap(estimator, X, y, resamples=resamples, rng=rng).point632


@public
def loo_bootstrap_linear(
    X: ArrayLike, y: ArrayLike, *, resamples: int = 200, rng: Seed = 0
) -> LooBootstrap:
    """Leave-one-out bootstrap of a least-squares classifier, without refitting.

    The classifier is that of `errlab.crossval.loo_losses_linear`, without an implicit intercept. If
    a sample's rows don't determine the fit, the shortest solution is taken. For ridge regression,
    give `loo_bootstrap` a scikit-learn ``RidgeClassifier``, which is not refitted either.

    Parameters
    ----------
    X : array_like, shape (n, p)
        Design matrix.
    y : array_like, shape (n,)
        Labels, two classes or more.
    resamples : int
        Number of bootstrap samples.
    rng : seed, Generator or None
        Draws the bootstrap samples; the same in each call by default.

    Returns
    -------
    LooBootstrap
        The errors, with ``.point632`` and ``.point632plus``.

    Raises
    ------
    ValueError, TypeError
        If the shapes of X and y don't fit, an option is invalid, or y has only one class.

    Examples
    --------
    >>> X, y = np.arange(-9.5, 10)[:, None], np.arange(20) // 10
    >>> loo_bootstrap_linear(X, y, rng=0).error
    0.0
    """
    # One matrix product gives the normal equations of all samples, so nothing is refitted.
    design = checks.matrix(X)
    labels = checks.labels(y)
    n = checks.same_length(X=design, y=labels)
    counts = _sample_counts(n, resamples, rng)
    return _linear_bootstrap(design, labels, counts)


def _sample_counts(n: int, resamples: int, rng: Seed) -> IntArray:
    """Return how often each bootstrap sample draws each example; some sample must leave one out."""
    counts = resample.counts(n, checks.one_count(resamples, "resamples"), checks.generator(rng))
    checks.require(
        not counts.all(), "resamples", "be enough for an example to be left out", resamples
    )
    return counts


def _linear_bootstrap(
    Z: FloatArray, y: Labels, counts: IntArray, penalty: FloatArray | None = None
) -> LooBootstrap:
    """Fit a least-squares classifier to the data (first row of weights) and to all samples."""
    codes = least_squares.class_codes(y)
    weights = np.vstack([np.ones(len(y)), counts])
    fitted = least_squares.classify(Z, codes, weights, penalty)
    return _bootstrap_from_errors(codes, fitted[0], fitted[1:] != codes, counts)


def _bootstrap_from_errors(
    y: Labels, fitted: Labels, wrong: NDArray[np.bool_], counts: IntArray
) -> LooBootstrap:
    """Return the estimates from the full model's predictions and the errors in each sample."""
    out = counts == 0
    left_out = out.sum(axis=0)
    tested = left_out > 0
    # Average for each example over the samples that left it out, then over examples.
    losses = (wrong & out).sum(axis=0)[tested] / left_out[tested]
    gamma = no_information_rate(y, fitted)
    training_error = float(hard_loss(y, fitted).mean())
    return LooBootstrap(float(losses.mean()), losses, left_out, training_error, gamma)
