"""Everything that depends on ties, as one word. Other processes import this, so it needs little."""

import hashlib
from functools import cache

import numpy as np

from errlab import datasets, training_set
from errlab.training_set import LeastSquares
from errlab.training_set._method import Task


def three_points(seed, draws=100):
    """A data set whose middle point may be on the boundary, and counts of bootstrap draws."""
    X, y, _ = datasets.three_points(30, rng=seed)
    weights = np.random.default_rng(seed).multinomial(30, np.ones(30) / 30, size=draws)
    weights[0] = 1
    return X, y.astype(int), weights


@cache
def fingerprint():
    """Everything that depends on ties, as one word; also called in processes with other kernels."""
    digest = hashlib.sha256()
    for seed in range(60):
        X, y, weights = three_points(seed)
        task = Task(LeastSquares(), X, y, 0.05, 60, np.random.default_rng(0))
        digest.update(task.wrong(weights).tobytes())
        digest.update(LeastSquares().fit(X, y).predict(X).tobytes())
        suprema = training_set.cud_supremum(LeastSquares().design(X), y, weights[:10])
        digest.update(suprema.round(9).tobytes())
    return digest.hexdigest()
