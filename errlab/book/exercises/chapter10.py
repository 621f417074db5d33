"""Answers to the exercises of chapter 10, thirty cases and no test set."""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import datasets
from errlab.book.exercises._exercise import exercise
from errlab.intervals import LeastSquares, cud_bound


@exercise("10.1", hint="The quantile is half of the width, around the training error.")
def upper_end() -> Any:
    """What is the upper end after 3 errors in 30, with a quantile of 0.25?"""
    return 3 / 30 + 0.25


@exercise("10.2", hint="Each case is a line through zero; count the cones between them.")
def cells_of_fifty() -> Any:
    """Into how many cells do 50 different cases cut the plane?"""
    return 2 * 50


@exercise("10.3", hint="The estimate is .368 times one error plus .632 times the other.")
def pulled_to_chance() -> Any:
    """Where is the .632 estimate, at 16 % training error and chance on the cases left out?"""
    return 0.368 * 0.16 + 0.632 * 0.5


@exercise("10.4", hint="Pass delta=0.1 and rng=0, and look at interval.high.")
def forty_cases() -> Any:
    """What does CUD allow to claim of 40 Gaussian cases, at delta = 0.1?"""
    X, y, _ = datasets.gaussian_mixture(40, rng=5)
    return cud_bound(X, y, delta=0.1, rng=0).interval.high


@exercise("10.5", hint="Fit and bound on the first 30, predict the rest, count what is held.")
def sixty_times_thirty() -> Any:
    """In how many of 60 draws of 30 tumours does CUD hold the error on the others?"""
    from sklearn.datasets import load_breast_cancer
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import StandardScaler

    data = load_breast_cancer()
    scores = PCA(3).fit_transform(StandardScaler().fit_transform(data.data))
    y = np.where(data.target == 0, 1.0, -1.0)
    held = 0
    for seed in range(60):
        order = np.random.default_rng(seed).permutation(len(y))
        a, b = order[:30], order[30:]
        error = np.mean(LeastSquares().fit(scores[a], y[a]).predict(scores[b]) != y[b])
        low, high = cud_bound(scores[a], y[a], resamples=100, rng=seed).interval
        held += bool(low <= error <= high)
    return held


@exercise("10.6", hint="Pass the features with y as one more column; average the third entries.")
def label_among_the_features() -> Any:
    """What error do broken pairs give where the label is a feature?"""
    X, y, _ = datasets.gaussian_mixture(30, rng=8)
    wide, rng, errors = np.column_stack([X, y]), np.random.default_rng(0), []
    for _ in range(200):
        drawn = rng.integers(30, size=30)
        out = np.setdiff1d(np.arange(30), drawn)
        errors.append(np.mean(LeastSquares().fit(wide[drawn], y).predict(wide[out]) != y[out]))
    return np.mean(errors)
