"""The distribution of the generalization error, against enumeration and derivations."""

import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LinearRegression

from errlab import generalization
from errlab.generalization._distribution import leave_out_splits
from errlab_book.optimal_split import optimal_fraction, split_mse


def test_splits_are_different_subsets_of_the_right_size():
    for n, fraction, size in ((20, 0.25, 5), (100, 0.07, 7), (10, 0.21, 3)):
        mask = leave_out_splits(n, fraction, 100, rng=0)
        assert (mask.sum(axis=1) == size).all(), n
        assert len(np.unique(mask, axis=0)) == 100
    for resamples in (1, 10, 14, 15):  # every subset where all are asked for
        mask = leave_out_splits(6, 1 / 3, resamples, rng=1)
        result = {tuple(np.flatnonzero(row)) for row in mask}
        assert len(result) == resamples
        assert result <= set(combinations(range(6), 2))


@pytest.mark.slow
def test_splits_are_uniform():
    mask = np.vstack([leave_out_splits(7, 2 / 7, 3, rng=s) for s in range(1000)])
    counts = np.unique(mask, axis=0, return_counts=True)[1]
    assert len(counts) == 21
    assert stats.chisquare(counts).pvalue > 1e-3


def test_leave_out_errors_in_batch_equal_refits():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 6)), rng.normal(size=20)
    model = LinearRegression(fit_intercept=False)
    one_by_one = [
        np.mean((model.fit(X[~out], y[~out]).predict(X[out]) - y[out]) ** 2)
        for out in leave_out_splits(20, 0.25, 40, rng=2)
    ]
    batch = generalization.leave_out_errors_linear(X, y, resamples=40, rng=2)
    np.testing.assert_allclose(batch, one_by_one, rtol=1e-9)


@pytest.mark.nightly
def test_the_asymptotic_optimum_of_ten_million_cases():
    """A smaller number of cases is in data/values.txt."""
    N, p = 10**7, 10
    train = N * (1 - optimal_fraction(N, p, method="exact"))
    assert train == pytest.approx(round(train), abs=1e-6)
    assert train / math.sqrt(2 * p * N) == pytest.approx(1, abs=6e-4)


def test_exact_optimum_is_the_best_of_all_splits():
    for N, p in ((15, 10), (30, 2), (100, 5), (400, 20)):
        for kurtosis in (1.8, 3, 9):
            train = np.arange(p + 4, N)
            best = train[np.argmin(split_mse(N, p, train, kurtosis=kurtosis))]
            result = optimal_fraction(N, p, kurtosis=kurtosis, method="exact")
            assert result == pytest.approx(1 - best / N), (N, p, kurtosis)


@pytest.mark.slow
def test_split_mse_against_simulation():
    """Gaussian inputs and noise, N = 50, p = 2: the holdout estimate minus the true error."""
    N, p, repeats = 50, 2, 20_000
    for train in (10, 20, 35):
        rng = np.random.default_rng(train)
        X, noise = rng.normal(size=(repeats, N, p)), rng.normal(size=(repeats, N))
        fit, target = X[:, :train], noise[:, :train, None]
        weights = np.linalg.solve(fit.mT @ fit, fit.mT @ target)
        residual = noise[:, train:, None] - X[:, train:] @ weights
        gap = (residual**2).mean(axis=(1, 2)) - 1 - (weights**2).sum(axis=(1, 2))
        error = (gap**2).std() / math.sqrt(repeats)
        assert np.mean(gap**2) == pytest.approx(split_mse(N, p, train), abs=4 * error)
