"""Cross-validation: closed forms against brute force, folds, bounds, intervals, selection."""

import math
from operator import itemgetter

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.model_selection import (
    LeaveOneOut,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from errlab import bounds, crossval
from errlab._core.training import Problem
from errlab._numerics import least_squares
from errlab.crossval._closed_form import loo_residuals
from errlab.crossval._nested_intervals import loss_tables, nested_interval
from errlab.losses import hard_loss


def problem(n=40, p=4, classes=2, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % classes)
    return rng.normal(size=(n, p)) + 0.5 * y[:, None], y


def brute(X, y, fold, ridge):
    """Refit without each fold, by least squares on the padded design."""
    pad, left = np.diag(np.sqrt(np.broadcast_to(ridge, X.shape[1]))), np.empty(len(y))
    for j in set(fold):
        out = fold == j
        tall, target = np.vstack([X[~out], pad]), np.append(y[~out], np.zeros(len(pad)))
        left[out] = y[out] - X[out] @ np.linalg.lstsq(tall, target, rcond=None)[0]
    return left


@pytest.mark.parametrize("ridge", [0.0, 0.3, 50.0, [0.0, 1.0, 2.0, 3.0]])
@pytest.mark.parametrize("n", [6, 25, 120])
def test_loo_residuals_equal_brute_force(n, ridge):
    X, _ = problem(n)
    y = np.random.default_rng(n).normal(size=n)
    expected = brute(X, y, np.arange(n), ridge)
    result = loo_residuals(X, y[:, None], ridge)[:, 0]
    np.testing.assert_allclose(result, expected, atol=1e-10)


@pytest.mark.parametrize("k", [2, 5, 25])
@pytest.mark.parametrize("ridge", [0.0, [0.0, 1.0, 2.0, 3.0]])
def test_cv_residuals_equal_a_fit_for_each_fold(k, ridge):
    X, _ = problem(25)
    y, fold = np.random.default_rng(k).normal(size=25), np.arange(25) % k
    result = crossval.cv_residuals_linear(X, y, fold, ridge=ridge)
    np.testing.assert_allclose(result, brute(X, y, fold, ridge), atol=1e-10)


def test_loo_residuals_with_collinear_columns():
    X, _ = problem(20)
    X = np.column_stack([X, X[:, 0] - X[:, 1]])
    y = X[:, 0] + np.random.default_rng(1).normal(size=20)
    expected = brute(X, y, np.arange(20), 0.0)
    np.testing.assert_allclose(loo_residuals(X, y[:, None], 0.0)[:, 0], expected, atol=1e-9)
    wide = np.random.default_rng(2).normal(size=(6, 9))
    result = loo_residuals(wide, y[:6, None], 0.5)[:, 0]
    np.testing.assert_allclose(result, brute(wide, y[:6], np.arange(6), 0.5), atol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 3])
def test_loo_losses_equal_those_of_scikit_learn(classes):
    X, y = problem(60, 3, classes)
    model = RidgeClassifier(alpha=2.0, fit_intercept=False)
    expected = 1 - cross_val_score(model, X, y, cv=LeaveOneOut())  # scikit-learn 1.9
    np.testing.assert_array_equal(crossval.loo_losses_linear(X, y, ridge=2.0), expected)
    names = np.array(["ant", "bee", "cat"])[y]
    np.testing.assert_array_equal(crossval.loo_losses_linear(X, names, ridge=2.0), expected)


def test_folds_at_random_are_unbiased_where_even_ones_are_not():
    """A vote on coins: each is wrong with probability 1/2, independently of the others."""
    n = 60
    # with even folds the rarer label loses each vote: E min(B, n - B) / n, exactly
    chance = stats.binom.pmf(np.arange(n + 1), n, 0.5)
    rarer = float(chance @ np.minimum(np.arange(n + 1), n - np.arange(n + 1))) / n
    assert round(rarer, 3) == 0.449
    rng = np.random.default_rng(7)
    at_random, even, shares = [], [], []
    for _ in range(150):
        y = rng.integers(0, 2, n)
        X, vote = np.zeros((n, 1)), DummyClassifier()
        at_random.append(crossval.cross_val_losses(vote, X, y, cv=10, rng=rng).mean)
        folds = StratifiedKFold(10, shuffle=True, random_state=0)
        even.append(crossval.cross_val_losses(vote, X, y, cv=folds).mean)
        shares.append(min(y.mean(), 1 - y.mean()))
    # four standard errors around 1/2; with even folds the error is near the rarer class's fraction,
    # or below
    assert abs(np.mean(at_random) - 0.5) < 4 * np.std(at_random) / np.sqrt(150)
    assert np.mean(even) < np.mean(shares) + 0.02 < 0.48


@pytest.mark.slow
def test_cross_val_losses_folds_partition_and_match_scikit_learn():
    X, y = problem(43)
    model = KNeighborsClassifier(3)
    result = crossval.cross_val_losses(model, X, y, cv=5, rng=1)
    assert sorted(np.bincount(result.fold)) == [8, 8, 9, 9, 9]
    np.testing.assert_array_equal(result.case, np.arange(43))
    cv = StratifiedKFold(5, shuffle=True, random_state=3)
    ours = crossval.cross_val_losses(model, X, y, cv=cv)
    theirs = 1 - cross_val_score(model, X, y, cv=cv)
    np.testing.assert_allclose(ours.fold_means, theirs)
    again = crossval.cross_val_losses(model, X, y, cv=list(cv.split(X, y)))
    np.testing.assert_array_equal(ours.losses, again.losses)
    repeated = crossval.cross_val_losses(model, X, y, cv=RepeatedStratifiedKFold(n_splits=4))
    assert len(repeated.losses) == 430
    assert len(repeated.fold_means) == 40


def test_the_standard_error_has_the_unbiased_variance():
    losses = np.array([0, 1, 0, 0, 1.0])
    result = crossval.CVLosses(losses, np.array([0, 0, 1, 1, 1]), np.arange(5))
    assert result.standard_error == pytest.approx(losses.std(ddof=1) / math.sqrt(5))


def test_losses_of_any_kind_and_models_that_are_not_scikit_learns():
    class Mean:
        def fit(self, X, y):
            self.value = y.mean()

        def predict(self, X):
            return np.full(len(X), self.value)

    y = np.array([1.0, 2.0, 6.0])
    result = crossval.cross_val_losses(
        Mean(), np.zeros((3, 1)), y, cv=3, loss=lambda a, b: (a - b) ** 2
    )
    np.testing.assert_allclose(result.losses, [9.0, 2.25, 20.25])
    constant = crossval.cross_val_losses(  # a regressor is trained even if y is constant
        LinearRegression(fit_intercept=False),
        [[1.0], [0.0], [1.0]],
        [1.0, 1.0, 1.0],
        cv=3,
        loss=lambda a, b: (a - b) ** 2,
    )
    np.testing.assert_allclose(constant.losses, [0, 1, 0], atol=1e-15)


def test_a_training_set_of_one_class_is_answered_with_it():
    result = crossval.cross_val_losses(RidgeClassifier(), np.zeros((3, 1)), [0, 0, 1], cv=3)
    np.testing.assert_array_equal(result.losses, [0, 0, 1])


@pytest.mark.parametrize("key", bounds.BOUNDS)
def test_kfold_bound_is_the_average_over_the_folds(key):
    rng = np.random.default_rng(4)
    losses, fold = (rng.random(90) < 0.2) * 1.0, rng.permutation(np.arange(90) % 3)
    parts = [bounds.upper(key, losses=losses[fold == j], delta=0.1) for j in range(3)]
    safe = [bounds.upper(key, losses=losses[fold == j], delta=0.1 / 3) for j in range(3)]
    assert crossval.kfold_bound(losses, fold, key, delta=0.1) == pytest.approx(np.mean(parts))
    split = crossval.kfold_bound(losses, fold, key, delta=0.1, split=True)
    assert split == pytest.approx(np.mean(safe))


def test_clt_interval_against_its_formula():
    rng = np.random.default_rng(5)
    losses, fold = rng.random(60), np.arange(60) % 4
    low, high = crossval.clt_interval(losses, fold, delta=0.1)
    inside = np.mean([losses[fold == j].var(ddof=1) for j in range(4)])
    assert high - low == pytest.approx(2 * stats.norm.ppf(0.95) * math.sqrt(inside / 60))
    low, high = crossval.clt_interval(losses, fold, delta=0.1, variance="all")
    assert high - low == pytest.approx(2 * stats.norm.ppf(0.95) * losses.std() / math.sqrt(60))
    low, high = crossval.fold_t_interval(losses, fold, delta=0.1)
    means = [losses[fold == j].mean() for j in range(4)]
    assert (low, high) == pytest.approx(
        stats.t.interval(0.9, 3, np.mean(means), stats.sem(means)), abs=1e-12
    )


def test_corrected_resampled_t_interval_against_its_formula():
    means = np.array([0.2, 0.3, 0.25, 0.4, 0.35])
    low, high = crossval.corrected_resampled_t_interval(means, n_train=80, n_test=20, delta=0.1)
    error = math.sqrt((1 / 5 + 20 / 80) * means.var(ddof=1))
    assert high - low == pytest.approx(2 * stats.t.ppf(0.95, 4) * error)


@pytest.mark.parametrize("K", [3, 5, 10])
def test_the_centre_of_nested_is_exact_where_the_bias_is_one_over_the_training_size(K):
    def error(m):  # the error of a model trained on m examples
        return 0.2 + 3 / m

    n = 6 * K
    fold = np.arange(n) % K
    table = np.full((n, K), error(n - 12))  # models without two of the folds
    table[np.arange(n), fold] = error(n - 6)
    low, high = nested_interval(table[None], fold[None])
    # the authors' 1 + ((K - 2) / K)^1.5 would leave part of the bias
    assert (low + high) / 2 == pytest.approx(error(n), abs=1e-12)


def literal_nested(estimator, X, y, fold, z):
    """Run Algorithm 1 of Bates et al. literally: K(K-1) inner fits."""
    K, a, b, inner, outer = fold.max() + 1, [], [], [], []

    def losses(train, test):
        return (estimator.fit(X[train], y[train]).predict(X[test]) != y[test]) * 1.0

    for k in range(K):
        e_out = losses(fold != k, fold == k)
        e_in = np.concatenate(
            [losses((fold != k) & (fold != j), fold == j) for j in range(K) if j != k]
        )
        a.append((e_in.mean() - e_out.mean()) ** 2)
        b.append(e_out.var(ddof=1) / len(e_out))
        inner.append(e_in)
        outer.append(e_out)
    all_inner = np.concatenate(inner)
    all_outer = np.concatenate(outer)
    mse = (K - 1) / K * (np.mean(a) - np.mean(b))
    low = all_inner.std() / math.sqrt(len(y))
    error = min(max(math.sqrt(max(mse, 0)), low), math.sqrt(K) * low)
    apart = all_inner.mean() - all_outer.mean()
    centre = all_inner.mean() - (1 + (K - 2) / K) * apart
    return centre - z * error, centre + z * error


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_nested_interval_with_shared_pairs_equals_the_literal_algorithm(seed):
    X, y = problem(48, 3, seed=seed)
    fold = np.random.default_rng(seed).permutation(np.arange(48) % 4)
    model = KNeighborsClassifier(5)
    tables = loss_tables(Problem(model, X, y), fold[None], hard_loss, None, None)
    interval = nested_interval(tables, fold[None], delta=0.2)
    expected = np.clip(literal_nested(model, X, y, fold, stats.norm.ppf(0.9)), 0, 1)
    assert tuple(interval) == pytest.approx(tuple(expected), abs=1e-12)


@pytest.mark.slow
def test_nested_selection_is_honest_on_noise_where_the_best_of_many_is_not():
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(60, 30)), rng.permutation(np.arange(60) % 2)
    candidates = {
        str(j): make_pipeline(
            FunctionTransformer(itemgetter(np.s_[:, [j]])), KNeighborsClassifier(1)
        )
        for j in range(30)
    }
    best = min(crossval.cross_val_losses(m, X, y, cv=5, rng=0).mean for m in candidates.values())
    result = crossval.nested(candidates, X, y, cv=5, inner_cv=3, rng=0)
    assert best < 0.4 < result.losses.mean
    assert len(result.chosen) == 5
    three = {name: candidates[name] for name in "012"}
    one = crossval.nested(three, X, y, cv=3, inner_cv=3, rule="one-standard-error", rng=0)
    assert len(one.losses.losses) == 60


def test_equal_values_show_nothing():
    """Values without any variation say nothing about it, so the interval isn't one point."""
    interval = crossval.corrected_resampled_t_interval([0.25] * 4, n_train=30, n_test=10)
    assert tuple(interval) == (0, 1)
    for losses in ([0.0] * 8, [0.5] * 8):
        for variance in ("within", "all"):
            folds = [0, 0, 1, 1, 2, 2, 3, 3]
            assert tuple(crossval.clt_interval(losses, folds, variance=variance)) == (0, 1)
        assert tuple(crossval.fold_t_interval(losses, folds)) == (0, 1)


def test_nested_cv_takes_as_many_folds_as_half_of_the_cases_and_no_more():
    X, y = np.arange(12.0)[:, None], np.arange(12) // 3 % 2
    options = {"target": "model", "repeats": 2, "rng": 0}
    result = crossval.estimate(KNeighborsClassifier(1), X, y, cv=6, **options)
    assert 0 <= result.low < result.high <= 1


def test_designs_that_are_all_nearly_singular_are_not_squared():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(30, 3))
    Z[:, 2] = Z[:, 1] + 1e-7 * rng.normal(size=30)
    y = rng.normal(size=(30, 1))
    weights = np.array([np.arange(30) % 5 != fold for fold in range(5)], dtype=float)
    result = least_squares.coefficients(Z, y, weights, np.zeros(3))
    for beta, rows in zip(result, weights > 0, strict=True):
        assert beta == pytest.approx(np.linalg.lstsq(Z[rows], y[rows], rcond=None)[0], rel=1e-6)


def test_nested_interval_of_a_table_is_algorithm_1_of_bates():
    """A table of losses, by example and by the other fold left out, with the sums written out."""
    rng = np.random.default_rng(3)
    n, K, z = 15, 3, stats.norm.ppf(0.95)
    fold = np.repeat([0, 1, 2], [4, 5, 6])
    table = np.where(rng.random((n, K)) < 0.7, rng.random((n, K)) / 3, 1.0)
    gaps = []
    for k in range(K):
        outer = table[fold == k, k]
        inner = table[fold != k, k]
        gaps.append((inner.mean() - outer.mean()) ** 2 - outer.var(ddof=1) / len(outer))
    of_fold = table[np.arange(n), fold]
    others = table[fold[:, None] != np.arange(K)]
    least_error = others.std() / np.sqrt(n)
    mse = (K - 1) / K * np.mean(gaps)
    error = np.sqrt(mse)
    # between the two limits, so neither applies
    assert least_error < error < np.sqrt(K) * least_error
    centre = others.mean() - (1 + (K - 2) / K) * (others.mean() - of_fold.mean())
    interval = nested_interval(table[None], fold[None], delta=0.1)
    assert tuple(interval) == pytest.approx(
        (max(centre - z * error, 0), min(centre + z * error, 1))
    )


def test_leave_one_out_losses_are_those_of_refits_and_not_their_rest():
    """Least squares on -1 and 1 without an intercept, refitted for each of 9 examples."""
    X = np.array([[1.0, -1.3], [1.0, -0.2], [1.0, 0.1], [1.0, 0.4], [1.0, 0.9]] + [[1.0, 3.0]] * 4)
    y = np.array([0, 0, 1, 0, 1, 1, 1, 1, 1])
    refits = []
    for i in range(9):
        rows = np.arange(9) != i
        beta = np.linalg.lstsq(X[rows], 2.0 * y[rows] - 1, rcond=None)[0]
        refits.append(float((X[i] @ beta > 0) != y[i]))
    assert 0 < sum(refits) < 4.5
    assert crossval.loo_losses_linear(X, y).tolist() == refits


def test_nested_interval_is_at_most_that_of_a_single_fold():
    """Its error is capped at sqrt(K) times the usual one, as if n were the size of one fold."""
    fold = np.repeat([0, 1, 2, 3], 5)
    table = np.tile((np.arange(20) % 5 < 2) * 0.1 + 0.3, (4, 1)).T
    # errors that differ much between the folds
    table[np.arange(20), fold] += np.array([0.3, -0.3, 0.3, -0.3])[fold]
    others = table[fold[:, None] != np.arange(4)]
    assert others.std() == pytest.approx(0.1 * np.sqrt(0.4 * 0.6))
    low, high = nested_interval(table[None], fold[None], delta=0.1)
    assert high - low == pytest.approx(
        2 * stats.norm.ppf(0.95) * np.sqrt(4) * others.std() / 20**0.5
    )
