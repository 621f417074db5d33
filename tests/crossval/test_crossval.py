"""Cross-validation: closed forms against brute force, folds, bounds, intervals, selection."""

from itertools import product

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

from errlab import bounds, crossval
from errlab._core.training import Problem
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


@pytest.mark.slow
def test_closed_forms_equal_a_fit_for_each_fold():
    for n, ridge in product((6, 25, 120), (0.0, 0.3, 50.0, [0.0, 1.0, 2.0, 3.0])):
        X, y = problem(n)[0], np.random.default_rng(n).normal(size=n)
        result = loo_residuals(X, y[:, None], ridge)[:, 0]
        expected = brute(X, y, np.arange(n), ridge)
        np.testing.assert_allclose(result, expected, atol=1e-10, err_msg=f"{n = }, {ridge = }")
    # collinear columns, and more columns than examples
    X, wide = problem(20)[0], np.random.default_rng(2).normal(size=(6, 9))
    for Z, ridge in ((np.column_stack([X, X[:, 0] - X[:, 1]]), 0.0), (wide, 0.5)):
        y = np.random.default_rng(1).normal(size=len(Z))
        result = loo_residuals(Z, y[:, None], ridge)[:, 0]
        np.testing.assert_allclose(result, brute(Z, y, np.arange(len(y)), ridge), atol=1e-10)
    X, y = problem(25)[0], np.random.default_rng(2).normal(size=25)
    for k in (2, 5, 25):
        result = crossval.cv_residuals_linear(X, y, np.arange(25) % k)
        expected = brute(X, y, np.arange(25) % k, 0.0)
        np.testing.assert_allclose(result, expected, atol=1e-10, err_msg=f"{k = }")


@pytest.mark.slow
def test_loo_losses_equal_those_of_scikit_learn():
    model = RidgeClassifier(alpha=2.0, fit_intercept=False)
    for classes in (2, 3):
        X, y = problem(60, 3, classes)
        expected = 1 - cross_val_score(model, X, y, cv=LeaveOneOut())  # scikit-learn 1.9
        for labels in (y, np.array(["ant", "bee", "cat"])[y]):
            np.testing.assert_array_equal(
                crossval.loo_losses_linear(X, labels, ridge=2.0), expected
            )


@pytest.mark.slow
def test_folds_at_random_are_unbiased_where_even_ones_are_not():
    """A vote on coins: each is wrong with probability 1/2, independently of the others."""
    n = 60
    # with even folds the rarer label loses each vote: E min(B, n - B) / n, exactly
    chance = stats.binom.pmf(np.arange(n + 1), n, 0.5)
    rarer = float(chance @ np.minimum(np.arange(n + 1), n - np.arange(n + 1))) / n
    assert round(rarer, 3) == 0.449
    rng = np.random.default_rng(7)
    at_random, even, shares = [], [], []
    for _ in range(60):
        y = rng.integers(0, 2, n)
        X, vote = np.zeros((n, 1)), DummyClassifier()
        at_random.append(crossval.cross_val_losses(vote, X, y, cv=10, rng=rng).mean)
        folds = StratifiedKFold(10, shuffle=True, random_state=0)
        even.append(crossval.cross_val_losses(vote, X, y, cv=folds).mean)
        shares.append(min(y.mean(), 1 - y.mean()))
    # four standard errors around 1/2; with even folds the error is near the rarer class's fraction,
    # or below
    assert abs(np.mean(at_random) - 0.5) < 4 * np.std(at_random) / np.sqrt(60)
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


def squared(a, b):
    return (a - b) ** 2


def test_losses_of_any_kind_and_models_that_are_not_scikit_learns():
    class Mean:
        def fit(self, X, y):
            self.value = y.mean()

        def predict(self, X):
            return np.full(len(X), self.value)

    zeros, x = np.zeros((3, 1)), [[1.0], [0.0], [1.0]]
    result = crossval.cross_val_losses(Mean(), zeros, [1.0, 2.0, 6.0], cv=3, loss=squared)
    assert result.losses == pytest.approx([9.0, 2.25, 20.25])
    # a regressor is trained even if y is constant; a training set of one class is answered with it
    through_zero = LinearRegression(fit_intercept=False)
    result = crossval.cross_val_losses(through_zero, x, [1.0, 1.0, 1.0], cv=3, loss=squared)
    assert result.losses == pytest.approx([0, 1, 0], abs=1e-15)
    result = crossval.cross_val_losses(RidgeClassifier(), zeros, [0, 0, 1], cv=3)
    assert result.losses.tolist() == [0, 0, 1]


@pytest.mark.parametrize("key", bounds.BOUNDS)
def test_kfold_bound_is_the_average_over_the_folds(key):
    rng = np.random.default_rng(4)
    losses, fold = (rng.random(90) < 0.2) * 1.0, rng.permutation(np.arange(90) % 3)
    for split in (False, True):
        level = 0.1 / 3 if split else 0.1
        parts = [bounds.upper(key, losses=losses[fold == j], delta=level) for j in range(3)]
        result = crossval.kfold_bound(losses, fold, key, delta=0.1, split=split)
        assert result == pytest.approx(np.mean(parts))


def test_a_table_of_losses_holds_those_of_the_models_without_two_folds():
    X, y = problem(48, 3)
    fold, model = np.random.default_rng(0).permutation(np.arange(48) % 4), KNeighborsClassifier(5)
    (table,) = loss_tables(Problem(model, X, y), fold[None], hard_loss, None)
    for j, k in product(range(4), repeat=2):
        train, test = (fold != j) & (fold != k), fold == j
        wrong = model.fit(X[train], y[train]).predict(X[test]) != y[test]
        assert table[test, k].tolist() == wrong.tolist(), (j, k)


@pytest.mark.slow
def test_nested_selection_is_honest_on_noise_where_the_best_of_many_is_not():
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(48, 16)), rng.permutation(np.arange(48) % 2)
    candidates = {  # each sees one column
        str(j): KNeighborsClassifier(1, metric_params={"w": column})
        for j, column in enumerate(np.eye(16))
    }
    best = min(crossval.cross_val_losses(m, X, y, cv=5, rng=0).mean for m in candidates.values())
    result = crossval.nested(candidates, X, y, cv=5, inner_cv=3, rng=0)
    assert best < 0.4 < result.losses.mean
    assert len(result.chosen) == 5
    three = {name: candidates[name] for name in "012"}
    one = crossval.nested(three, X, y, cv=3, inner_cv=3, rule="one-standard-error", rng=0)
    assert len(one.losses.losses) == 48


def test_nested_interval_of_a_table_is_algorithm_1_of_bates():
    """A table of losses, by example and by the other fold left out, with the sums written out."""
    rng = np.random.default_rng(3)
    fold = np.repeat([0, 1, 2], [4, 5, 6])
    table = np.where(rng.random((15, 3)) < 0.7, rng.random((15, 3)) / 3, 1.0)
    # errors that differ so much between the folds that the error is capped at that of one fold
    other_fold = np.repeat([0, 1, 2, 3], 5)
    other = np.tile((np.arange(20) % 5 < 2) * 0.1 + 0.3, (4, 1)).T
    other[np.arange(20), other_fold] += np.array([0.3, -0.3, 0.3, -0.3])[other_fold]
    for losses, code, capped in ((table, fold, False), (other, other_fold, True)):
        n, K = losses.shape
        gaps = []
        for k in range(K):
            outer, inner = losses[code == k, k], losses[code != k, k]
            gaps.append((inner.mean() - outer.mean()) ** 2 - outer.var(ddof=1) / len(outer))
        own, others = losses[np.arange(n), code], losses[code[:, None] != np.arange(K)]
        smallest, error = others.std() / np.sqrt(n), np.sqrt((K - 1) / K * np.mean(gaps))
        assert error > smallest
        assert (error > np.sqrt(K) * smallest) == capped
        half = stats.norm.ppf(0.95) * min(error, np.sqrt(K) * smallest)
        centre = others.mean() - (1 + (K - 2) / K) * (others.mean() - own.mean())
        low, high = nested_interval(losses[None], code[None], delta=0.1)
        assert (low, high) == pytest.approx((max(centre - half, 0), min(centre + half, 1)))
