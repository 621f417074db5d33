"""Cross-validation: closed forms against brute force, folds, bounds, intervals, selection."""

from itertools import product

import numpy as np
import pytest
from marks import nightly
from scipy import stats
from sklearn import metrics, model_selection
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from errlab import bounds, crossval
from errlab._core.training import Problem
from errlab.crossval._closed_form import loo_residuals
from errlab.crossval._front import _scorer_and_range
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
        expected = 1 - model_selection.cross_val_score(
            model, X, y, cv=model_selection.LeaveOneOut()
        )  # scikit-learn 1.9
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
        folds = model_selection.StratifiedKFold(10, shuffle=True, random_state=0)
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
    cv = model_selection.StratifiedKFold(5, shuffle=True, random_state=3)
    ours = crossval.cross_val_losses(model, X, y, cv=cv)
    theirs = 1 - model_selection.cross_val_score(model, X, y, cv=cv)
    np.testing.assert_allclose(ours.fold_means, theirs)
    again = crossval.cross_val_losses(model, X, y, cv=list(cv.split(X, y)))
    np.testing.assert_array_equal(ours.losses, again.losses)
    repeated = crossval.cross_val_losses(
        model, X, y, cv=model_selection.RepeatedStratifiedKFold(n_splits=4)
    )
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


# --- The public function of cross-validation: its choices, its refusals, and equal results.


X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[:200], Y[:200]
GROUPS = np.arange(200) // 5
MODEL = GaussianNB()


class Right(ClassifierMixin, BaseEstimator):
    """A model that is always right: the label is the first column."""

    classes_ = np.array([0, 1])

    def fit(self, X, y):
        return self

    def predict(self, X):
        return (X[:, 0] > 0).astype(int)

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])


def test_a_score_is_that_of_scikit_learn():
    folds = model_selection.StratifiedKFold(5)
    for scoring in ("roc_auc", "neg_brier_score"):
        result = crossval.estimate(MODEL, X, Y, scoring=scoring, cv=folds)
        expected = model_selection.cross_val_score(MODEL, X, Y, scoring=scoring, cv=folds)
        assert result.values == pytest.approx(expected)
        assert result.low < result.estimate < result.high
        assert scoring in repr(result)


@pytest.mark.slow
def test_ends_stay_where_scores_are():
    """All folds but one are perfect, so the t interval would exceed the possible range."""
    column = np.where(np.arange(200) == 7, 1 - Y, Y)[:, None] / 1.0
    for scoring in (None, "accuracy", "neg_brier_score", "f1"):
        result = crossval.estimate(Right(), column, Y, cv=5, scoring=scoring, rng=0)
        assert result.low < result.estimate < result.high
        if scoring == "neg_brier_score":
            assert result.high == 0
        else:  # one wrong prediction is enough that no fraction is 0 or 1
            assert 0 < result.low < result.high < 1


def test_each_scorer_of_scikit_learn_has_its_range():
    ranges = {name: _scorer_and_range(None, name)[2] for name in metrics.get_scorer_names()}
    assert (-np.inf, np.inf) not in ranges.values()
    assert all((name.startswith("neg_")) == (highest == 0) for name, (_, highest) in ranges.items())


def test_a_loss_need_not_lie_between_0_and_1():
    rng = np.random.default_rng(0)
    inputs, line = rng.normal(size=(60, 2)), LinearRegression()
    targets = inputs @ [3.0, -2.0] + 5 * rng.normal(size=60)
    result = crossval.estimate(line, inputs, targets, loss=lambda a, b: (a - b) ** 2)
    assert (result.measure, result.high > 1) == ("Loss", True)


def test_groups_stay_together():
    for cv in (5, model_selection.GroupKFold(5)):
        fold = crossval.cross_val_losses(MODEL, X, Y, cv=cv, groups=GROUPS, rng=0).fold
        assert all(len(set(fold[g == GROUPS])) == 1 for g in range(40))
        # the training parts are the rest: the mean loss of the folds is that of the estimate
        result = crossval.estimate(MODEL, X, Y, cv=cv, groups=GROUPS, rng=0)
        pairs = [(np.flatnonzero(fold != j), np.flatnonzero(fold == j)) for j in range(5)]
        again = crossval.cross_val_losses(MODEL, X, Y, cv=pairs)
        assert sorted(result.values) == pytest.approx(sorted(again.fold_means))


def test_splits_in_time_borrow_no_coverage_of_independent_cases():
    X, y = np.arange(60.0).reshape(-1, 1), np.arange(60) % 7 % 2
    result = crossval.estimate(MODEL, X, y, cv=model_selection.TimeSeriesSplit(5))
    assert np.isnan([result.low, result.high]).all()
    assert "No interval is known for splits in time" in repr(result)
    assert "simulated" not in repr(result)
    assert result.to_dict()["low"] is None
    parts = [(np.r_[20:60], np.r_[:10]), (np.r_[:40], np.r_[50:60])]  # these leave examples out
    assert "never tried" in repr(crossval.estimate(MODEL, X, y, cv=parts))
    assert "simulated" in repr(crossval.estimate(MODEL, X, y, cv=model_selection.KFold(5)))


def rare_positives(rng, n, positives):
    y = np.zeros(n, dtype=int)
    y[rng.choice(n, positives, replace=False)] = 1
    return rng.normal(size=(n, 3)) + 1.5 * y[:, None] / np.sqrt(1.5), y


# with fewer examples some models predict no positive
RARE = [("precision", 40), *((name, k) for name in ("f1", "recall") for k in (10, 20, 40))]


@pytest.mark.slow
@pytest.mark.parametrize(("scoring", "positives"), nightly(RARE, *RARE[2:]))
def test_a_score_with_few_positives_in_a_fold_is_not_biased(scoring, positives):
    """The truth is that of models trained on nine tenths, on many new examples."""
    rng = np.random.default_rng(positives)
    share, score = positives / 200, metrics.get_scorer(scoring)
    new = rare_positives(rng, 20_000, round(20_000 * share))
    true, estimates = [], []
    for _ in range(12):
        X, y = rare_positives(rng, 200, positives)
        estimates.append(crossval.estimate(MODEL, X, y, scoring=scoring, rng=rng).estimate)
        part = rare_positives(rng, 180, round(180 * share))
        true.append(score(GaussianNB().fit(*part), *new))
    error = (np.std(estimates) + np.std(true)) / np.sqrt(12)
    assert abs(np.mean(estimates) - np.mean(true)) < 0.03 + 2 * error


@pytest.mark.slow
def test_leave_one_out_scores_all_folds_at_once():
    y = np.arange(60) % 2
    X = np.random.default_rng(1).normal(size=(60, 2)) + y[:, None]
    predicted = model_selection.cross_val_predict(MODEL, X, y, cv=model_selection.LeaveOneOut())
    for name, expected in {
        "matthews_corrcoef": metrics.matthews_corrcoef(y, predicted),
        "f1_macro": metrics.f1_score(y, predicted, average="macro"),
        "balanced_accuracy": metrics.balanced_accuracy_score(y, predicted),
    }.items():
        result = crossval.estimate(MODEL, X, y, cv=model_selection.LeaveOneOut(), scoring=name)
        assert result.estimate == pytest.approx(expected), name
        assert result.low < result.estimate < result.high, name


def test_warnings_are_about_the_data():
    rng, near, line = np.random.default_rng(0), KNeighborsClassifier(1), LinearRegression()
    inputs, labels = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    twice, groups = (inputs.repeat(2, 0), labels.repeat(2)), np.arange(60).repeat(2)
    clear, squares = inputs @ [1, 2], {"scoring": "neg_mean_squared_error"}
    calm, tails = rng.normal(size=60), np.exp(2 * rng.normal(size=60))
    for model, data, options, words in (
        (near, (inputs, np.arange(60) % 2), {}, None),
        (near, twice, {}, "have an exact copy in the training part"),
        (near, twice, {"groups": groups}, None),
        (DummyClassifier(), (inputs, labels), {}, "the same class"),
        (line, (inputs, clear + tails), squares, "hold most of the loss"),
        (line, (inputs, clear + calm), squares, None),
    ):
        result = crossval.estimate(model, *data, **options)
        cautions = result.warnings()
        assert words in cautions[0] if words else cautions == [], words
    assert len(result.conditions()) == 5
