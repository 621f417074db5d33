"""The distribution of the generalization error, against enumeration and derivations."""

import math
from itertools import combinations

import numpy as np
import pytest
from marks import nightly
from scipy import stats
from sklearn.linear_model import LinearRegression, Ridge

from errlab import generalization
from errlab.generalization._distribution import leave_out_splits
from errlab_book.optimal_split import optimal_fraction, split_mse


@pytest.mark.parametrize(("n", "fraction", "size"), [(20, 0.25, 5), (100, 0.07, 7), (10, 0.21, 3)])
def test_splits_are_different_subsets_of_the_right_size(n, fraction, size):
    mask = leave_out_splits(n, fraction, 100, rng=0)
    assert (mask.sum(axis=1) == size).all()
    assert len(np.unique(mask, axis=0)) == 100


@pytest.mark.parametrize("resamples", [1, 10, 14, 15])
def test_splits_use_every_subset_where_all_are_asked_for(resamples):
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


@pytest.mark.parametrize("ridge", [0.0, 2.0])
def test_leave_out_errors_in_batch_equal_refits(ridge):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 6)), rng.normal(size=20)
    model = Ridge(ridge, fit_intercept=False) if ridge else LinearRegression(fit_intercept=False)
    slow = [
        np.mean((model.fit(X[~out], y[~out]).predict(X[out]) - y[out]) ** 2)
        for out in leave_out_splits(20, 0.25, 40, rng=2)
    ]
    fast = generalization.leave_out_errors_linear(X, y, resamples=40, ridge=ridge, rng=2)
    np.testing.assert_allclose(fast, slow, rtol=1e-9)


def test_location_and_dispersion_by_their_definitions_and_over_rows():
    G = np.random.default_rng(1).exponential(size=(3, 200))
    where, spread = generalization.location(G), generalization.dispersion(G)
    np.testing.assert_allclose(where.trimmed_mean, stats.trim_mean(G, 0.05, axis=1))
    middle = np.median(G, axis=1, keepdims=True)
    np.testing.assert_allclose(spread.mad, np.median(np.abs(G - middle), axis=1))
    np.testing.assert_allclose(spread.iqr, np.diff(np.quantile(G, [0.25, 0.75], axis=1), axis=0)[0])
    one = generalization.location(G[1])
    assert one == pytest.approx(tuple(part[1] for part in where))
    assert isinstance(generalization.dispersion(G[0]).std, float)


@pytest.mark.parametrize("seed", range(5))
def test_probability_greater_counts_pairs_and_half_of_ties(seed):
    two, one = np.random.default_rng(seed).integers(6, size=(2, 15)) * 1.0
    paired = np.mean((two > one) + (two == one) / 2)
    assert generalization.probability_greater(two, one) == pytest.approx(paired)


def test_fpe_is_right_on_average_for_fixed_inputs():
    """E S = sigma^2 (1 - p/N) and E G = sigma^2 (1 + p/N) at the training inputs."""
    N, p = 25, 7
    assert generalization.fpe(2.0 * (1 - p / N), N, p) == pytest.approx(2.0 * (1 + p / N))
    np.testing.assert_allclose(generalization.fpe([1.0, 2.0], 20, [5, 10]), [25 / 15, 6.0])
    var = 2.0
    expected = math.log(3) + var / 3 * p / N
    assert generalization.log_fpe(var * (1 - p / N), N, p) == pytest.approx(expected)


def test_log_fpe_is_the_mean_of_the_asymptotic_distribution():
    """G = sigma^2 (1 + chi2_p / N): to first order the mean of log(1 + G)."""
    N, p, var = 100_000, 5, 3.0
    mean = stats.chi2(p).expect(lambda x: np.log1p(var * (1 + x / N)))
    assert generalization.log_fpe(var * (1 - p / N), N, p) == pytest.approx(mean, abs=1e-8)


RATIOS = [(10**3, 0.976), (10**5, 0.998), (10**7, 1.000)]


@pytest.mark.parametrize(("N", "ratio"), nightly(RATIOS, RATIOS[-1]))
def test_exact_optimum_approaches_the_asymptotic_one(N, ratio):
    p = 10
    train = N * (1 - optimal_fraction(N, p, method="exact"))
    assert train == pytest.approx(round(train), abs=1e-6)
    assert train / math.sqrt(2 * p * N) == pytest.approx(ratio, abs=6e-4)
    asymptotic = N * (1 - optimal_fraction(N, p))
    assert asymptotic == pytest.approx(math.sqrt(2 * p * N))


@pytest.mark.parametrize("kurtosis", [1.8, 3, 9])
@pytest.mark.parametrize(("N", "p"), [(15, 10), (30, 2), (100, 5), (400, 20)])
def test_exact_optimum_is_the_best_of_all_splits(N, p, kurtosis):
    train = np.arange(p + 4, N)
    best = train[np.argmin(split_mse(N, p, train, kurtosis=kurtosis))]
    result = optimal_fraction(N, p, kurtosis=kurtosis, method="exact")
    assert result == pytest.approx(1 - best / N)


def test_optimal_fraction_by_hand():
    # the derivative d/dn [2 + 4p/n] / (N - n) is 0 to first order at n^2 = 2pN for kurtosis 3
    assert optimal_fraction(2000, 10) == pytest.approx(0.9)
    result = optimal_fraction(400, 5, kurtosis=5)  # beta = 5
    assert result == pytest.approx(1 - math.sqrt(5) / 20)
    assert optimal_fraction(20, 10) == 0


@pytest.mark.parametrize("train", [10, 20, 35])
def test_split_mse_against_simulation(train):
    """Gaussian inputs and noise, N = 50, p = 2: the holdout estimate minus the true error."""
    rng, N, p, repeats = np.random.default_rng(train), 50, 2, 20000
    X, noise = rng.normal(size=(repeats, N, p)), rng.normal(size=(repeats, N))
    fit, target = X[:, :train], noise[:, :train, None]
    weights = np.linalg.solve(fit.mT @ fit, fit.mT @ target)
    residual = noise[:, train:, None] - X[:, train:] @ weights
    gap = (residual**2).mean(axis=(1, 2)) - 1 - (weights**2).sum(axis=(1, 2))
    error = (gap**2).std() / math.sqrt(repeats)
    assert np.mean(gap**2) == pytest.approx(split_mse(N, p, train), abs=4 * error)


def test_holdout_t_test_is_scipys_paired_test():
    one, two = np.random.default_rng(3).exponential(size=(2, 30))
    result = generalization.holdout_t_test(one, two)
    expected = stats.ttest_rel(two, one, alternative="less")
    assert (result.statistic, result.pvalue) == pytest.approx(tuple(expected))
    assert result.df == 29
    # the paper's rule: below the LOWER quantile, -2.13 at 4 degrees of freedom
    assert stats.t.ppf(0.05, 4) == pytest.approx(-2.13, abs=0.005)
    low = generalization.holdout_t_test([5.0, 6, 7, 8, 9], [1.0, 2, 3, 4, 5.5])
    assert low.statistic < -2.13
    assert low.rejects()
    assert not generalization.holdout_t_test([1.0, 2, 3, 4, 5.5], [5.0, 6, 7, 8, 9]).rejects()


def test_leave_out_t_test_with_and_without_the_correction():
    one, two = np.random.default_rng(4).exponential(size=(2, 100))
    plain = generalization.leave_out_t_test(one, two)
    fixed = generalization.leave_out_t_test(one, two, n_train=15, n_test=5)
    ratio = math.sqrt((1 / 100 + 5 / 15) * 100)
    assert fixed.standard_error / plain.standard_error == pytest.approx(ratio)
    assert fixed.difference == plain.difference
