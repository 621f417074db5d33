"""The front door of cross-validation: what it picks, what it refuses, and that it is the same."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LinearRegression
from sklearn.metrics import get_scorer_names
from sklearn.model_selection import GroupKFold, StratifiedKFold, TimeSeriesSplit, cross_val_score
from sklearn.naive_bayes import GaussianNB

from errlab import crossval
from errlab._core.training import Problem
from errlab.crossval._front import _measure
from errlab.crossval._nested_intervals import divisions, loss_tables, nested_interval

X, Y = load_breast_cancer(return_X_y=True)
X, Y = X[:200], Y[:200]
GROUPS = np.arange(200) // 5
MODEL = GaussianNB()


def test_the_procedure_has_the_corrected_t_of_its_folds():
    found = crossval.estimate(MODEL, X, Y, cv=10, rng=3)
    losses = crossval.cross_val_losses(MODEL, X, Y, cv=10, rng=3)
    expected = crossval.corrected_resampled_t_interval(losses.fold_means, n_train=180, n_test=20)
    assert (found.low, found.high) == pytest.approx(tuple(expected))
    np.testing.assert_allclose(found.values, losses.fold_means)
    assert (found.n_train, found.guarantee) == (180, "none proven")


def test_training_sizes_are_those_that_there_were():
    found = crossval.estimate(MODEL, X, Y, cv=TimeSeriesSplit(4))
    assert (found.train_sizes, found.n_train) == ((40, 160), 100)
    assert "expected over training sets of 40 to 160 cases:" in repr(found)
    assert "takes each for their mean, 100 cases" in repr(found)
    even = crossval.estimate(MODEL, X, Y, cv=10, rng=0)
    assert "expected over training sets of 180 cases:" in repr(even)
    assert "their mean" not in repr(even)
    assert crossval.estimate(MODEL, X, Y, cv=3, rng=0).train_sizes == (133, 134)


def test_the_model_has_50_divisions_unless_it_is_told_otherwise():
    x = np.random.default_rng(0).normal(size=(24, 1))
    noisy = (x[:, 0] + np.linspace(-1, 1, 24) > 0).astype(int)
    found = crossval.estimate(Sign(), x, noisy, cv=3, target="model", rng=0)
    assert len(found.values) == 50
    assert found.train_sizes == (16, 16)


def test_the_model_has_nested_cross_validation():
    found = crossval.estimate(MODEL, X, Y, cv=5, target="model", repeats=3, rng=3)
    drawn = divisions(200, 5, 3, np.random.default_rng(3))
    tables = loss_tables(Problem(MODEL, X, Y), drawn, None, None, None)
    expected = nested_interval(tables, drawn)
    assert (found.low, found.high) == tuple(expected)
    assert len(found.values) == 3
    assert found.reason.endswith("missed on folds that it had not seen, in 3 random splits.")
    once = crossval.estimate(MODEL, X, Y, cv=5, target="model", repeats=1, rng=3)
    assert repr(once).endswith(", in 1 random split.")


@pytest.mark.parametrize("scoring", ["roc_auc", "neg_brier_score"])
def test_a_score_is_that_of_scikit_learn(scoring):
    cv = StratifiedKFold(5)
    found = crossval.estimate(MODEL, X, Y, cv=cv, scoring=scoring)
    np.testing.assert_allclose(found.values, cross_val_score(MODEL, X, Y, cv=cv, scoring=scoring))
    assert found.low < found.estimate < found.high
    assert scoring in repr(found)


@pytest.mark.parametrize("scoring", [None, "accuracy", "neg_brier_score", "f1"])
def test_ends_stay_where_scores_are(scoring):
    """Each fold is right but for one: the t interval reaches beyond what there can be."""
    column = np.where(np.arange(200) == 7, 1 - Y, Y)[:, None] / 1.0
    found = crossval.estimate(Right(), column, Y, cv=5, scoring=scoring, rng=0)
    ends = {None: (found.low, 0), "neg_brier_score": (found.high, 0)}
    assert found.low < found.estimate < found.high
    assert np.equal(*ends.get(scoring, (found.high, 1)))


def test_each_scorer_of_scikit_learn_has_its_range():
    ranges = {name: _measure(None, name)[2] for name in get_scorer_names()}
    assert {name for name, ends in ranges.items() if ends == (-np.inf, np.inf)} == set()
    assert all((name.startswith("neg_")) == (most == 0) for name, (_, most) in ranges.items())
    assert ranges["r2"] == (-np.inf, 1)
    assert ranges["matthews_corrcoef"] == (-1, 1)
    assert ranges["roc_auc"] == (0, 1)
    assert _measure(None, lambda model, X, y: 3.0)[2] == (-np.inf, np.inf)


def test_a_loss_need_not_lie_between_0_and_1():
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(60, 2))
    targets = inputs @ [3.0, -2.0] + 5 * rng.normal(size=60)
    found = crossval.estimate(
        LinearRegression(), inputs, targets, cv=6, rng=0, loss=lambda a, b: (a - b) ** 2
    )
    assert found.measure == "Loss"
    assert found.high > 1


@pytest.mark.parametrize("cv", [5, GroupKFold(5)])
def test_groups_stay_together(cv):
    seen = []

    class Spy(GaussianNB):
        def fit(self, X, y):
            seen.append(X[:, 0].tolist())
            return super().fit(X, y)

    case = np.column_stack([np.arange(200.0), X])
    crossval.estimate(Spy(), case, Y, cv=cv, groups=GROUPS, rng=0)
    assert len(seen) == 5
    for train in seen:
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
    ("options", "words"),
    [
        ({"target": "model", "groups": GROUPS}, "no interval that knows of groups"),
        ({"target": "model", "scoring": "roc_auc"}, "needs the loss of each case"),
        ({"target": "model", "cv": StratifiedKFold(5)}, "needs cv as a number"),
        ({"cv": StratifiedKFold(5), "groups": GROUPS}, "cv must have all groups on one side"),
        ({"cv": StratifiedKFold(5), "repeats": 3}, "a splitter repeats by itself"),
        ({"scoring": "roc_auc", "loss": lambda a, b: a == b}, "either loss or scoring"),
        (
            {"estimator": Right(), "X": np.column_stack([Y, Y])},
            "folds must differ .*, got 0 in each; hold out a test set",
        ),
        (
            {"estimator": Right(), "X": np.column_stack([Y, Y]), "target": "model", "repeats": 2},
            "losses must differ",
        ),
    ],
)
def test_what_has_no_interval_is_refused_with_the_reason(options, words):
    arguments = {"estimator": MODEL, "X": X, "y": Y, "rng": 0} | options
    with pytest.raises(ValueError, match=words) as caught:
        crossval.estimate(**arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["accuracy", "f1_macro", "roc_auc", "completeness_score", "v_measure_score",
             "normalized_mutual_info_score", "rand_score", "jaccard", "average_precision"],
)  # fmt: skip
def test_a_perfect_score_is_the_end_of_its_range(name):
    """Each of these is a share; a perfect classifier has 1, by the functions themselves."""
    assert _measure(None, name)[2] == (0, 1)


def test_splits_in_time_borrow_no_coverage_of_independent_cases():
    model_selection = pytest.importorskip("sklearn.model_selection")
    X, y = np.arange(60.0).reshape(-1, 1), np.arange(60) % 7 % 2
    model = pytest.importorskip("sklearn.tree").DecisionTreeClassifier(random_state=0)
    in_time = repr(crossval.estimate(model, X, y, cv=model_selection.TimeSeriesSplit(5)))
    assert "simulated" not in in_time
    assert "never tried" in in_time
    assert "simulated" in repr(crossval.estimate(model, X, y, cv=model_selection.KFold(5)))
