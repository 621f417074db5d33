"""Bootstrap intervals and .632, against binomials, plain loops and exact results."""

import math

import numpy as np
import pytest
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier

from errlab import bootstrap
from errlab.bootstrap._resample import share_below


class Looped(RidgeClassifier):
    """The same classifier as a subclass, which errlab doesn't recognise and so fits in a loop."""


@pytest.mark.parametrize("delta", [0.01, 0.05, 0.2, 0.5])
@pytest.mark.parametrize("n", [1, 2, 7, 30, 200])
def test_percentile_interval_is_the_stated_rule(n, delta):
    for errors in {0, 1, n // 3, n}:
        p = errors / n
        levels = np.array([delta / 2, 1 - delta / 2]) - 1e-13
        losses = [1] * errors + [0] * (n - errors)
        interval = bootstrap.percentile_interval(losses, delta=delta)
        assert list(interval) == (stats.binom.ppf(levels, n, p) / n).tolist()


def test_percentile_interval_is_the_limit_of_resampling():
    losses = np.array([1.0] * 12 + [0.0] * 38)
    exact = bootstrap.percentile_interval(losses)
    drawn = stats.bootstrap(  # scipy 1.17
        (losses,), np.mean, n_resamples=20000, method="percentile", rng=0
    ).confidence_interval
    assert tuple(exact) == pytest.approx(tuple(drawn), abs=0.0201)  # a step is 0.02
    nearly = losses + np.where(losses == 0, 1e-9, 0)  # losses other than 0 and 1 are resampled
    interval = bootstrap.percentile_interval(nearly, resamples=20000, rng=0)
    assert tuple(interval) == pytest.approx(tuple(exact), abs=0.0201)
    assert bootstrap.percentile_interval(np.zeros(100)) == (0, 0)  # misprint list, section 4


@pytest.mark.slow
def test_bca_interval_against_scipy():
    losses = np.random.default_rng(3).beta(0.5, 3, size=60)
    ours = bootstrap.bca_interval(losses, resamples=40000, rng=0)
    theirs = stats.bootstrap((losses,), np.mean, n_resamples=40000, method="BCa", rng=1)
    assert tuple(ours) == pytest.approx(tuple(theirs.confidence_interval), abs=2e-3)
    binary = np.array([1.0] * 9 + [0.0] * 91)
    exact = bootstrap.bca_interval(binary)
    theirs = stats.bootstrap((binary,), np.mean, n_resamples=40000, method="BCa", rng=1)
    assert tuple(exact) == pytest.approx(tuple(theirs.confidence_interval), abs=0.0101)


def bca_levels(share, skewness, n, delta):
    """Efron and Tibshirani 1993, Eqs. 14.10 and 14.15: a is the skewness over 6 sqrt(n)."""
    z0, a = stats.norm.ppf(share), skewness / (6 * math.sqrt(n))
    t = z0 + stats.norm.ppf([delta / 2, 1 - delta / 2])
    return stats.norm.cdf(z0 + t / (1 - a * t))


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 200, 1000])
def test_bca_of_errors_and_hits_from_its_definition(n):
    result, expected = [], []
    for k in range(1, n, max(1, n // 50)):
        p = k / n
        share = (stats.binom.cdf(k - 1, n, p) + stats.binom.cdf(k, n, p)) / 2
        for delta in (0.2, 0.1, 0.05, 0.01):
            levels = bca_levels(share, (1 - 2 * p) / math.sqrt(p * (1 - p)), n, delta)
            expected.append(stats.binom.ppf(levels, n, p) / n)
            result.append(bootstrap.bca_interval(k * [1] + (n - k) * [0], delta=delta))
    assert np.array(result) == pytest.approx(np.array(expected), abs=1e-12)


@pytest.mark.slow
def test_bca_of_graded_losses_counts_ties_half():
    # losses of 1/4 and 3/4 are 0/1 losses on another scale, but are resampled nevertheless
    for n, k in ((12, 3), (20, 5), (30, 12)):
        for delta in (0.4, 0.1):
            exact = bootstrap.bca_interval(k * [1] + (n - k) * [0], delta=delta)
            graded = bootstrap.bca_interval(
                k * [0.75] + (n - k) * [0.25], delta=delta, resamples=400_000, rng=0
            )
            assert graded == pytest.approx([0.25 + end / 2 for end in exact], abs=1e-12)


def test_combine632_by_hand_and_its_laws():
    assert bootstrap.combine632(0.1, 0.3) == pytest.approx(0.368 * 0.1 + 0.632 * 0.3)
    # R = (.3 - .1)/(.5 - .1) = .5, w = .632/(1 - .184)
    w = 0.632 / (1 - 0.368 * 0.5)
    result = bootstrap.combine632(0.1, 0.3, no_information=0.5)
    assert result == pytest.approx((1 - w) * 0.1 + w * 0.3)
    err, err1, gamma = np.random.default_rng(0).random((3, 2000))
    plus = bootstrap.combine632(err, err1, no_information=gamma)
    assert ((plus >= 0) & (plus <= 1)).all()
    over = err <= err1
    ends = np.sort([err, np.minimum(err1, gamma)], axis=0)
    assert (plus >= ends[0] - 1e-12)[over].all()
    assert (plus <= ends[1] + 1e-12)[over].all()
    assert bootstrap.combine632(0.2, 0.2, no_information=0.5) == pytest.approx(0.2)  # R = 0
    assert bootstrap.combine632(0.3, 0.2, no_information=0.5) == bootstrap.combine632(0.3, 0.2)
    assert bootstrap.combine632(0.1, 0.5, no_information=0.5) == pytest.approx(0.5)  # R = 1
    assert bootstrap.combine632(0.1, 0.7, no_information=0.5) == pytest.approx(0.5)  # clipped
    table = bootstrap.combine632([[0.1], [0.2]], [0.3, 0.4], no_information=0.5)
    assert table.shape == (2, 2)
    assert table[1, 0] == bootstrap.combine632(0.2, 0.3, no_information=0.5)


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


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [
        KNeighborsClassifier(3),
        LinearDiscriminantAnalysis(),
        RidgeClassifier(),
        Looped(alpha=3),
        RidgeClassifier(alpha=0.5, fit_intercept=False),
    ],
    ids=["neighbours", "LDA", "ridge", "looped", "no intercept"],
)
@pytest.mark.parametrize("classes", [2, 3])
def test_point632_equals_a_literal_loop(model, classes):
    rng = np.random.default_rng(2)
    y = np.arange(45) % classes
    X = rng.normal(size=(45, 3)) + 0.7 * y[:, None]
    expected = literal(model, X, y, 60, 9)
    result = bootstrap.loo_bootstrap(model, X, y, resamples=60, rng=9)
    assert (result.error, result.point632, result.point632plus) == pytest.approx(
        expected, abs=1e-12
    )
    assert result.error == pytest.approx(result.losses.mean())


@pytest.mark.parametrize("ridge", [0.0, 1.0])
def test_loo_bootstrap_linear_equals_least_squares_refits(ridge):
    class Shortest:
        """The shortest least-squares solution, one draw at a time."""

        def fit(self, X, y):
            tall = np.vstack([X, math.sqrt(ridge) * np.eye(X.shape[1])])
            target = np.append(2.0 * y - 1, np.zeros(X.shape[1]))
            self.beta = np.linalg.lstsq(tall, target, rcond=None)[0]
            return self

        def predict(self, X):
            return (X @ self.beta > 0) * 1

    rng = np.random.default_rng(4)
    y = rng.permutation(np.arange(14) % 2)
    X = rng.normal(size=(14, 9))  # many draws contain fewer than 9 different rows
    slow = bootstrap.loo_bootstrap(Shortest(), X, y, resamples=80, rng=5)
    fast = bootstrap.loo_bootstrap_linear(X, y, ridge=ridge, resamples=80, rng=5)
    assert fast.error == pytest.approx(slow.error, abs=1e-12)
    assert fast.point632plus == pytest.approx(slow.point632plus, abs=1e-12)


def test_a_draw_without_a_rare_third_class_is_a_refit_of_the_others():
    class Refitted:
        """Least squares on signs, for each class in the draw."""

        def fit(self, X, y):
            self.classes = np.unique(y)
            signs = np.where(y[:, None] == self.classes, 1.0, -1.0)
            self.beta = np.linalg.lstsq(X, signs, rcond=None)[0]
            return self

        def predict(self, X):
            return self.classes[(X @ self.beta).argmax(axis=1)]

    rng = np.random.default_rng(4)
    y = rng.permutation(np.r_[np.arange(22) % 2, 2, 2])
    X = np.column_stack([np.ones(24), rng.normal(size=(24, 2)) + y[:, None] % 2])
    slow = bootstrap.loo_bootstrap(Refitted(), X, y, resamples=80, rng=5)
    fast = bootstrap.loo_bootstrap_linear(X, y, resamples=80, rng=5)
    assert fast.error == pytest.approx(slow.error, abs=1e-12)


@pytest.mark.parametrize("model", [RidgeClassifier(), Looped()])
def test_draws_of_one_class_and_cases_in_every_draw(model):
    X, y = np.arange(4.0)[:, None], np.array([0, 0, 0, 1])
    result = bootstrap.loo_bootstrap(model, X, y, resamples=3, rng=1)
    assert np.isfinite(result.error)
    assert len(result.losses) == (result.left_out > 0).sum()


def test_jackknife_of_a_mean_and_of_a_majority_vote():
    x = np.random.default_rng(7).normal(size=20)
    left = (x.sum() - x) / 19
    result = bootstrap.jackknife(x.mean(), left)
    assert result.bias == pytest.approx(0, abs=1e-14)
    assert result.standard_error == pytest.approx(stats.sem(x))


class Contrary:
    """A model that is always wrong: it predicts the opposite of the label, its only feature."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return 1 - X[:, 0].astype(int)


@pytest.mark.parametrize("resamples", [2, 3, 10])
def test_one_that_is_always_wrong_has_error_one_however_few_the_resamples(resamples):
    """An example that a single sample leaves out counts as much as the others."""
    y = np.arange(12) % 2
    result = bootstrap.loo_bootstrap(Contrary(), y[:, None], y, resamples=resamples, rng=0)
    assert (result.left_out == 1).any() or resamples > 3
    assert (result.error, result.resubstitution, result.point632) == (1, 1, 1)


@pytest.mark.parametrize("alpha", [0.5, 20.0])
def test_the_intercept_of_a_ridge_is_free(alpha):
    """Far from 0 a penalty on the intercept would dominate; against scikit-learn's fits."""
    rng = np.random.default_rng(1)
    y = (np.arange(16) % 4 > 0) * 1  # three of four are 1
    X = rng.normal(size=(16, 2)) + y[:, None] + 50
    fast = bootstrap.loo_bootstrap(RidgeClassifier(alpha=alpha), X, y, resamples=12, rng=3)
    fits = bootstrap.loo_bootstrap(Looped(alpha=alpha), X, y, resamples=12, rng=3)
    assert fast.losses == pytest.approx(fits.losses)
    assert 0 < fast.error < 0.6


def test_a_share_of_resamples_is_never_0_or_1():
    """At least half a resample lies on either side, because ties count half."""
    values = np.array([0.1, 0.2, 0.2, 0.4])
    points = (0.0, 0.1, 0.2, 0.3, 0.5)
    assert [share_below(values, point) for point in points] == [1 / 8, 1 / 8, 1 / 2, 3 / 4, 7 / 8]
