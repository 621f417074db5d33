"""The public function of cross-validation: its choices, its refusals, and equal results."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.model_selection import (
    GroupKFold,
    LeaveOneOut,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from errlab import crossval
from errlab._core.training import Problem
from errlab.crossval._front import _scorer_and_range
from errlab.crossval._losses import splits
from errlab.crossval._nested_intervals import divisions, loss_tables, nested_interval
from errlab.crossval._pooling import mean_of_models

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[:200], Y[:200]
GROUPS = np.arange(200) // 5
MODEL = GaussianNB()


def test_the_procedure_has_the_corrected_t_of_its_folds():
    pairs = splits(10, X, Y, np.random.default_rng(3), stratify=True)
    result = crossval.estimate(MODEL, X, Y, cv=10, rng=3)
    losses = crossval.cross_val_losses(MODEL, X, Y, cv=pairs)
    expected = crossval.corrected_resampled_t_interval(losses.fold_means, n_train=180, n_test=20)
    assert (result.low, result.high) == pytest.approx(tuple(expected))
    np.testing.assert_allclose(result.values, losses.fold_means)
    assert (result.n_train, result.guarantee) == (180, "none proven")


def test_training_sizes_are_those_that_there_were():
    uneven = [(np.r_[:40], np.r_[40:80]), (np.r_[40:200], np.r_[:40])]
    result = crossval.estimate(MODEL, X, Y, cv=uneven)
    assert (result.train_sizes, result.n_train) == ((40, 160), 100)
    assert "expected over training sets of 40 to 160 examples:" in repr(result)
    assert "takes each for their mean, 100 examples" in repr(result)
    even = crossval.estimate(MODEL, X, Y, cv=10, rng=0)
    assert "expected over training sets of 180 examples:" in repr(even)
    assert "their mean" not in repr(even)
    assert crossval.estimate(MODEL, X, Y, cv=3, rng=0).train_sizes == (133, 134)


def test_the_model_has_50_divisions_unless_it_is_told_otherwise():
    x = np.random.default_rng(0).normal(size=(24, 1))
    noisy = (x[:, 0] + np.linspace(-1, 1, 24) > 0).astype(int)
    result = crossval.estimate(Sign(), x, noisy, cv=3, target="model", rng=0)
    assert len(result.values) == 50
    assert result.train_sizes == (16, 16)


def test_the_model_has_nested_cross_validation():
    result = crossval.estimate(MODEL, X, Y, cv=5, target="model", repeats=3, rng=3)
    drawn = divisions(200, 5, 3, np.random.default_rng(3))
    tables = loss_tables(Problem(MODEL, X, Y), drawn, None, None, None)
    expected = nested_interval(tables, drawn)
    assert (result.low, result.high) == tuple(expected)
    assert len(result.values) == 3
    assert result.reason.endswith("missed on folds that it had not seen, in 3 random splits.")
    once = crossval.estimate(MODEL, X, Y, cv=5, target="model", repeats=1, rng=3)
    assert repr(once).endswith(", in 1 random split.")


@pytest.mark.parametrize("scoring", ["roc_auc", "neg_brier_score"])
def test_a_score_is_that_of_scikit_learn(scoring):
    cv = StratifiedKFold(5)
    result = crossval.estimate(MODEL, X, Y, cv=cv, scoring=scoring)
    np.testing.assert_allclose(result.values, cross_val_score(MODEL, X, Y, cv=cv, scoring=scoring))
    assert result.low < result.estimate < result.high
    assert scoring in repr(result)


@pytest.mark.parametrize("scoring", [None, "accuracy", "neg_brier_score", "f1"])
def test_ends_stay_where_scores_are(scoring):
    """All folds but one are perfect, so the t interval would exceed the possible range."""
    column = np.where(np.arange(200) == 7, 1 - Y, Y)[:, None] / 1.0
    result = crossval.estimate(Right(), column, Y, cv=5, scoring=scoring, rng=0)
    assert result.low < result.estimate < result.high
    if scoring == "neg_brier_score":
        assert result.high == 0
    else:  # one wrong prediction is enough that no fraction is 0 or 1
        assert 0 < result.low < result.high < 1


def test_each_scorer_of_scikit_learn_has_its_range():
    ranges = {name: _scorer_and_range(None, name)[2] for name in get_scorer_names()}
    assert {name for name, ends in ranges.items() if ends == (-np.inf, np.inf)} == set()
    assert all((name.startswith("neg_")) == (highest == 0) for name, (_, highest) in ranges.items())
    assert ranges["r2"] == (-np.inf, 1)
    assert ranges["matthews_corrcoef"] == (-1, 1)
    assert ranges["roc_auc"] == (0, 1)
    assert _scorer_and_range(None, lambda model, X, y: 3.0)[2] == (-np.inf, np.inf)


def test_a_loss_need_not_lie_between_0_and_1():
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(60, 2))
    targets = inputs @ [3.0, -2.0] + 5 * rng.normal(size=60)
    result = crossval.estimate(
        LinearRegression(), inputs, targets, cv=6, rng=0, loss=lambda a, b: (a - b) ** 2
    )
    assert result.measure == "Loss"
    assert result.high > 1


@pytest.mark.parametrize("cv", [5, GroupKFold(5)])
def test_groups_stay_together(cv):
    trained_on = []

    class Spy(GaussianNB):
        def fit(self, X, y):
            trained_on.append(X[:, 0].tolist())
            return super().fit(X, y)

    case = np.column_stack([np.arange(200.0), X])
    crossval.estimate(Spy(), case, Y, cv=cv, groups=GROUPS, rng=0)
    assert len(trained_on) == 5
    for train in trained_on:
        inside = np.zeros(200, dtype=bool)
        inside[np.array(train, dtype=int)] = True
        by_group = inside.reshape(40, 5)
        assert (by_group.all(axis=1) | ~by_group.any(axis=1)).all()
    losses = crossval.cross_val_losses(MODEL, X, Y, cv=cv, groups=GROUPS, rng=0)
    assert all(len(set(losses.fold[g == GROUPS])) == 1 for g in range(40))


class Right(ClassifierMixin, BaseEstimator):
    """A model that is always right: the label is the first column."""

    classes_ = np.array([0, 1])

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X[:, 0].astype(int)

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, 0], X[:, 0]])


class Sign(Right):
    """A model that takes the sign of the first column for the label."""

    def predict(self, X):
        return (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize(
    "name", ["accuracy", "f1_macro", "roc_auc", "completeness_score", "v_measure_score",
             "normalized_mutual_info_score", "rand_score", "jaccard", "average_precision"],
)  # fmt: skip
def test_a_perfect_score_is_the_end_of_its_range(name):
    """Each of these is a fraction, and 1 for a perfect classifier, by scikit-learn's functions."""
    assert _scorer_and_range(None, name)[2] == (0, 1)


def test_splits_in_time_borrow_no_coverage_of_independent_cases():
    model_selection = pytest.importorskip("sklearn.model_selection")
    X, y = np.arange(60.0).reshape(-1, 1), np.arange(60) % 7 % 2
    model = pytest.importorskip("sklearn.tree").DecisionTreeClassifier(random_state=0)
    result = crossval.estimate(model, X, y, cv=model_selection.TimeSeriesSplit(5))
    assert np.isnan([result.low, result.high]).all()
    assert "No interval is known for splits in time" in repr(result)
    assert "simulated" not in repr(result)
    assert result.to_dict()["low"] is None
    parts = [(np.r_[20:60], np.r_[:10]), (np.r_[:40], np.r_[50:60])]  # these leave examples out
    assert "never tried" in repr(crossval.estimate(model, X, y, cv=parts))
    assert "simulated" in repr(crossval.estimate(model, X, y, cv=model_selection.KFold(5)))


def rare_positives(rng, n, positives):
    y = np.zeros(n, dtype=int)
    y[rng.choice(n, positives, replace=False)] = 1
    return rng.normal(size=(n, 3)) + 1.5 * y[:, None] / np.sqrt(1.5), y


@pytest.mark.parametrize(
    ("scoring", "positives"),
    [
        *((scoring, positives) for scoring in ("f1", "recall") for positives in (10, 20, 40)),
        ("precision", 40),  # with fewer examples some models predict no positive
    ],
)
def test_a_score_with_few_positives_in_a_fold_is_not_biased(scoring, positives):
    """The truth is that of models trained on nine tenths, on many new examples."""
    rng = np.random.default_rng(positives)
    share = positives / 200
    new_X, new_y = rare_positives(rng, 20_000, round(20_000 * share))
    true, estimates = [], []
    for _ in range(12):
        X, y = rare_positives(rng, 200, positives)
        estimates.append(crossval.estimate(GaussianNB(), X, y, scoring=scoring, rng=rng).estimate)
        part = rare_positives(rng, 180, round(180 * share))
        true.append(get_scorer(scoring)(GaussianNB().fit(*part), new_X, new_y))
    error = np.std(estimates) / np.sqrt(len(estimates)) + np.std(true) / np.sqrt(len(true))
    assert abs(np.mean(estimates) - np.mean(true)) < 0.03 + 2 * error


def test_an_integer_deals_each_class_evenly():
    y = np.r_[np.zeros(83, dtype=int), np.ones(17, dtype=int), np.full(7, 2)]
    pairs = splits(5, np.zeros((107, 1)), y, np.random.default_rng(0), stratify=True)
    counts = np.array([np.bincount(y[test], minlength=3) for _, test in pairs])
    assert (np.ptp(counts, axis=0) <= 1).all()
    assert np.ptp(counts.sum(axis=1)) <= 1
    assert sorted(np.concatenate([test for _, test in pairs])) == list(range(107))


@pytest.mark.parametrize("scoring", ["matthews_corrcoef", "f1_macro", "balanced_accuracy"])
def test_leave_one_out_scores_all_folds_at_once(scoring):
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 2)) + y[:, None]
    result = crossval.estimate(GaussianNB(), X, y, cv=LeaveOneOut(), scoring=scoring)
    predicted = cross_val_predict(GaussianNB(), X, y, cv=LeaveOneOut())
    assert result.estimate == pytest.approx(get_scorer(scoring)._score_func(
        y, predicted, **get_scorer(scoring)._kwargs))  # fmt: skip
    assert result.low < result.estimate < result.high


def test_no_error_in_any_fold_says_what_may_be_said():
    result = crossval.estimate(Right(), np.column_stack([Y, Y]), Y, cv=10, rng=0)
    assert result.estimate == result.low == 0
    assert result.high == pytest.approx(1 - 0.025 ** (1 / 200))
    most = 1 - 0.05 ** (1 / 20)  # for ten folds of 20
    assert mean_of_models(20, 0.05) == pytest.approx(most)
    assert "at most 14.0% is proven with 95% confidence" in repr(result)
    # exact for models whose errors don't depend on the data: at the bound, P(no error) is below
    # 1/20
    for errors in ([most] * 10, [0.0] * 5 + [2 * most] * 5):
        assert np.prod((1 - np.array(errors)) ** 20) <= 0.05


def test_warnings_are_about_the_data():
    rng = np.random.default_rng(0)
    once = crossval.estimate(KNeighborsClassifier(1), rng.normal(size=(60, 2)), np.arange(60) % 2)
    assert once.warnings() == []
    inputs, labels = rng.normal(size=(60, 2)).repeat(2, 0), rng.integers(0, 2, 60).repeat(2)
    twice = crossval.estimate(KNeighborsClassifier(1), inputs, labels)
    assert "have an exact copy in the training part" in twice.warnings()[0]
    apart = crossval.estimate(
        KNeighborsClassifier(1), inputs, labels, groups=np.arange(60).repeat(2)
    )
    assert not any("copy" in warning for warning in apart.warnings())
    vote = crossval.estimate(DummyClassifier(), inputs[::2], labels[::2])
    assert "the same class" in vote.warnings()[0]
    targets = inputs[::2] @ [1, 2] + np.exp(2 * rng.normal(size=60))
    tails = crossval.estimate(
        LinearRegression(), inputs[::2], targets, scoring="neg_mean_squared_error"
    )
    assert "hold most of the loss" in tails.warnings()[0]
    calm = inputs[::2] @ [1, 2] + rng.normal(size=60)
    result = crossval.estimate(
        LinearRegression(), inputs[::2], calm, scoring="neg_mean_squared_error"
    )
    assert result.warnings() == []
    assert len(result.conditions()) == 5
