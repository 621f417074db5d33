"""The public function of cross-validation: its choices, its refusals, and equal results."""

import numpy as np
import pytest
from marks import nightly
from sklearn import metrics, model_selection
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from errlab import crossval
from errlab.crossval._front import _scorer_and_range

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
    ranges = {name: _scorer_and_range(None, name)[2] for name in get_scorer_names()}
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
    share, score = positives / 200, get_scorer(scoring)
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
