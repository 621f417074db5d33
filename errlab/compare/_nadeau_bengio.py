"""Nadeau and Bengio's corrected resampled t, for differences and for two learners."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from errlab._core import checks, training
from errlab._core.checks import FloatOrArray, Seed
from errlab._core.public import public
from errlab._core.training import Cases, Estimator
from errlab.compare._paired_t import folds, student
from errlab.compare._registry import (
    A_AND_B,
    ArrayLike,
    ComparisonResult,
    FloatArray,
    Names,
    comparison,
)

if TYPE_CHECKING:  # imported when needed, because comparing predictions doesn't need crossval
    from errlab.crossval._losses import Loss


@comparison(
    name="Corrected resampled t",
    place=13,
    takes="fold differences",
    equations="Nadeau & Bengio 2003",
    guarantee="none proven",
    extra={"n_train": 90, "n_test": 10},
)
def corrected_resampled_t(
    differences: ArrayLike,
    *,
    n_train: int,
    n_test: int,
    delta: float = 0.05,
    names: Names = A_AND_B,
) -> ComparisonResult:
    r"""Nadeau and Bengio's t: the variance of differences on random splits, corrected for overlap.

    .. math:: t = \bar d \Big/ \sqrt{\Big(\frac1J + \frac{n_{test}}{n_{train}}\Big) s^2}

    with J - 1 degrees of freedom. It assumes that two differences have the correlation
    :math:`n_{test} / (n_{train} + n_{test})`, which is a rule of thumb.

    Parameters
    ----------
    differences : array_like, shape (..., J)
        Error of A minus error of B on each of J splits, J at least 2; leading axes are several
        tests. The folds of a cross-validation are such splits, too.
    n_train, n_test : int
        Sizes of the training and the test part of each split.

    Returns
    -------
    ComparisonResult
        If all differences are equal, their spread can't be estimated: p is 1, and the interval is
        infinite.

    Raises
    ------
    ValueError
        If there are fewer than 2 differences or a size is below 1.
    TypeError
        If an argument is not a number.

    References
    ----------
    Nadeau and Bengio, Machine Learning 52 (2003), 239-281.

    Examples
    --------
    >>> result = corrected_resampled_t([0.02, 0.05, 0.01, 0.04, 0.03], n_train=90, n_test=10)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (3.4017, 0.0272)
    """
    array = folds(differences, "differences")
    return student(array, variance_factor(array, n_train, n_test))


def variance_factor(differences: FloatArray, n_train: int, n_test: int) -> float:
    """Return the variance of a mean of overlapping differences, relative to one difference."""
    shared = checks.one_count(n_test, "n_test") / checks.one_count(n_train, "n_train")
    return 1 / np.size(differences, axis=-1) + shared


@public
def resampled(
    estimator_a: Estimator,
    estimator_b: Estimator,
    X: Cases,
    y: ArrayLike,
    *,
    repeats: int = 15,
    test_size: float = 0.1,
    loss: Loss | None = None,
    rng: Seed = 0,
    delta: float = 0.05,
    names: Names = A_AND_B,
) -> ComparisonResult[FloatOrArray]:
    """Compare two learners on random splits by the corrected resampled t.

    Parameters
    ----------
    estimator_a, estimator_b : estimators
        Objects with ``fit(X, y)`` and ``predict(X)``; copies are trained.
    X : array_like, shape (n, p)
        Inputs.
    y : array_like, shape (n,)
        Targets.
    repeats : int
        Number of splits, at least 2.
    test_size : float
        Fraction of the examples that each split holds out, in (0, 1).
    loss : callable, optional
        ``loss(y_true, y_pred)`` returns one number for each example; the 0/1 loss by default. The
        mean losses of the test parts are compared.
    rng : seed, Generator or None
        Draws the splits; the same in each call by default.
    delta : float
        Level of the test and of the interval.
    names : tuple of str
        Names of A and B in the printed result.

    Returns
    -------
    ComparisonResult
        The difference of the learners, trained on ``1 - test_size`` of the data.

    Raises
    ------
    ValueError, TypeError
        If X and y have different lengths, or an option leaves its range.

    References
    ----------
    Nadeau and Bengio, Machine Learning 52 (2003), 239-281.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.neighbors import NearestCentroid
    >>> X, y = load_iris(return_X_y=True)
    >>> resampled(DummyClassifier(), NearestCentroid(), X, y, rng=0).pvalue < 0.001
    True
    """
    from errlab.crossval._losses import fold_losses, random_splits

    rows, targets = training.data(X, y)
    n = len(targets)
    checks.require(n >= 2, "X", "hold at least 2 examples", n)
    n_splits = checks.one_count(repeats, "repeats", 2)
    n_test = min(max(round(n * checks.one_delta(test_size, "test_size")), 1), n - 1)
    splits = random_splits(n, n_splits, n_test, checks.generator(rng))
    learners = {"estimator_a": estimator_a, "estimator_b": estimator_b}
    a, b = (
        training.Problem(training.estimator(learner, name), rows, targets)
        for name, learner in learners.items()
    )
    differences = [
        fold_losses(a, split, loss).mean() - fold_losses(b, split, loss).mean() for split in splits
    ]
    return corrected_resampled_t(
        differences, n_train=n - n_test, n_test=n_test, delta=delta, names=names
    )
