"""Bootstrap intervals and .632, against binomials, plain loops and exact results."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier

from errlab import bootstrap


class Looped(RidgeClassifier):
    """The same classifier as a subclass, which errlab doesn't recognise and so fits in a loop."""


def test_percentile_interval_is_the_stated_rule():
    for n, delta in product((1, 2, 7, 30, 200), (0.01, 0.05, 0.2, 0.5)):
        levels = np.array([delta / 2, 1 - delta / 2]) - 1e-13
        for errors in {0, 1, n // 3, n}:
            interval = bootstrap.percentile_interval(np.arange(n) < errors, delta=delta)
            assert list(interval) == (stats.binom.ppf(levels, n, errors / n) / n).tolist()


def bca_levels(share, skewness, n, delta):
    """Efron and Tibshirani 1993, Eqs. 14.10 and 14.15: a is the skewness over 6 sqrt(n)."""
    z0, a = stats.norm.ppf(share), skewness / (6 * math.sqrt(n))
    t = z0 + stats.norm.ppf([delta / 2, 1 - delta / 2])
    return stats.norm.cdf(z0 + t / (1 - a * t))


@pytest.mark.slow
def test_bca_of_errors_and_hits_from_its_definition():
    for n, delta in product((20, 200, 1000), (0.2, 0.1, 0.05, 0.01)):
        for k in range(1, n, max(1, n // 20)):
            p = k / n
            share = (stats.binom.cdf(k - 1, n, p) + stats.binom.cdf(k, n, p)) / 2
            levels = bca_levels(share, (1 - 2 * p) / math.sqrt(p * (1 - p)), n, delta)
            result = bootstrap.bca_interval(np.arange(n) < k, delta=delta)
            assert result == pytest.approx(stats.binom.ppf(levels, n, p) / n, abs=1e-12)


def test_combine632_by_its_laws():
    err, err1, gamma = np.random.default_rng(0).random((3, 2000))
    plus = bootstrap.combine632(err, err1, no_information=gamma)
    assert ((plus >= 0) & (plus <= 1)).all()
    low, high = np.sort([err, np.minimum(err1, gamma)], axis=0)
    inside = (plus >= low - 1e-12) & (plus <= high + 1e-12)
    assert inside[err <= err1].all()


def literal(model, X, y, resamples, seed):
    """Return the leave-one-out bootstrap by a plain loop, from the same draws."""
    rng, n = np.random.default_rng(seed), len(y)
    draws = rng.integers(n, size=(resamples, n))
    wrong, out = np.zeros(n), np.zeros(n)
    for rows in draws:
        left = np.setdiff1d(np.arange(n), rows)
        wrong[left] += model.fit(X[rows], y[rows]).predict(X[left]) != y[left]
        out[left] += 1
    fitted = model.fit(X, y).predict(X)
    err, err1 = np.mean(fitted != y), np.mean(wrong / out)
    gamma = np.mean(y[:, None] != fitted)
    capped = min(err1, gamma)
    R = (capped - err) / (gamma - err) if capped > err and gamma > err else 0.0
    w = 0.632 / (1 - 0.368 * R)
    return err1, 0.368 * err + 0.632 * err1, (1 - w) * err + w * capped


MODELS = [
    KNeighborsClassifier(3), LinearDiscriminantAnalysis(), RidgeClassifier(), Looped(alpha=3),
    RidgeClassifier(alpha=20),
    RidgeClassifier(alpha=0.5, fit_intercept=False),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_point632_equals_a_literal_loop(model):
    for classes in (2, 3):
        y = np.arange(45) % classes
        # far from 0, where a penalty on the intercept would dominate
        X = np.random.default_rng(2).normal(size=(45, 3)) + 0.7 * y[:, None] + 50
        result = bootstrap.loo_bootstrap(model, X, y, resamples=60, rng=9)
        numbers = (result.error, result.point632, result.point632plus)
        assert numbers == pytest.approx(literal(model, X, y, 60, 9), abs=1e-12)
        assert result.error == pytest.approx(result.losses.mean())


class Refitted:
    """The shortest least-squares solution for signs of each class in a draw."""

    def fit(self, X, y):
        self.classes = np.unique(y)
        signs = np.where(y[:, None] == self.classes, 1.0, -1.0)
        self.beta = np.linalg.lstsq(X, signs, rcond=None)[0]
        return self

    def predict(self, X):
        return self.classes[(X @ self.beta).argmax(axis=1)]


def test_loo_bootstrap_linear_equals_least_squares_refits():
    rng = np.random.default_rng(4)
    # many draws contain fewer than 9 different rows; or lack a rare third class
    wide, y = rng.normal(size=(14, 9)), rng.permutation(np.arange(14) % 2)
    rare = rng.permutation(np.r_[np.arange(22) % 2, 2, 2])
    X = np.column_stack([np.ones(24), rng.normal(size=(24, 2)) + rare[:, None] % 2])
    for design, labels in ((wide, y), (X, rare)):
        refits = bootstrap.loo_bootstrap(Refitted(), design, labels, resamples=80, rng=5)
        fast = bootstrap.loo_bootstrap_linear(design, labels, resamples=80, rng=5)
        assert fast.error == pytest.approx(refits.error, abs=1e-12)
        assert fast.point632plus == pytest.approx(refits.point632plus, abs=1e-12)


def test_draws_of_one_class_and_cases_in_every_draw():
    for model in (RidgeClassifier(), Looped()):
        X, y = np.arange(4.0)[:, None], np.array([0, 0, 0, 1])
        result = bootstrap.loo_bootstrap(model, X, y, resamples=3, rng=1)
        assert np.isfinite(result.error)
        assert len(result.losses) == (result.left_out > 0).sum()


class Contrary(Looped):
    """A model that is always wrong: it predicts the opposite of the label, its only feature."""

    def predict(self, X):
        return 1 - X[:, 0].astype(int)


def test_one_that_is_always_wrong_has_error_one_however_few_the_resamples():
    """An example that a single sample leaves out counts as much as the others."""
    y = np.arange(12) % 2
    for resamples in (2, 3, 10):
        result = bootstrap.loo_bootstrap(Contrary(), y[:, None], y, resamples=resamples, rng=0)
        assert (result.left_out == 1).any() or resamples > 3
        assert (result.error, result.resubstitution, result.point632) == (1, 1, 1)
