"""A comparison that trains: two learners and data in, the result of the test out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks, training
from errlab._core.checks import FloatArray, Labels, Seed
from errlab._core.public import public
from errlab._core.training import Cases, Estimator, Rows
from errlab.compare._comparison import A_AND_B
from errlab.compare._result import ComparisonResult, Names
from errlab.compare.nadeau_bengio import corrected_resampled_t

if TYPE_CHECKING:  # and on use: who compares predictions does not wait for the rest of crossval
    from errlab.crossval.losses import Loss, Split


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
    rng: Seed = None,
    delta: float = 0.05,
    names: Names = A_AND_B,
) -> ComparisonResult:
    """Compare two learners on random splits, by the corrected resampled t.

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
        Share of the cases held out in each, in (0, 1).
    loss : callable, optional
        ``loss(y_true, y_pred)``, one number for each case; the 0/1 loss by default. The means
        over each test part are compared.
    rng : int or Generator, optional
        Seed of the splits.
    delta : float
        Level of the test and of the interval.
    names : tuple of str
        What to call A and B in the reading.

    Returns
    -------
    ComparisonResult
        About the learners, trained on ``1 - test_size`` of the data.

    Raises
    ------
    ValueError, TypeError
        If X and y do not fit together, or an option leaves its range.

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
    from errlab.crossval.losses import random_splits

    rows, targets = _data(X, y)
    n = len(targets)
    count = checks.one_count(repeats, "repeats", 2)
    held = min(max(round(n * checks.one_delta(test_size, "test_size")), 1), n - 1)
    pairs = random_splits(n, count, held, checks.generator(rng))
    differences = _differences(estimator_a, estimator_b, rows, targets, pairs, loss)
    train, test = pairs[0]
    return corrected_resampled_t(
        differences, n_train=len(train), n_test=len(test), delta=delta, names=names
    )


def _data(X: Cases, y: ArrayLike) -> tuple[Rows, Labels]:
    """Check at least two cases."""
    rows, targets = training.data(X, y)
    if len(targets) < 2:
        raise ValueError(f"X must hold at least 2 cases, got {len(targets)}")
    return rows, targets


def _differences(
    a: Estimator, b: Estimator, X: Rows, y: Labels, pairs: Sequence[Split], loss: Loss | None
) -> FloatArray:
    """Mean loss of A minus that of B on the test part of each split."""
    from errlab.crossval.losses import fold_losses

    both = (training.estimator(a, "estimator_a"), training.estimator(b, "estimator_b"))
    means = [[fold_losses(one, X, y, split, loss).mean() for one in both] for split in pairs]
    return np.array([of_a - of_b for of_a, of_b in means])
