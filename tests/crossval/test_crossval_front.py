"""The front door of cross-validation: what it picks, what it refuses, and that it is the same."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupKFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

from errlab import _work, crossval

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


@pytest.mark.slow
def test_the_model_has_nested_cross_validation():
    found = crossval.estimate(MODEL, X, Y, cv=5, target="model", repeats=3, rng=3)
    expected = crossval.nested_cv_interval(MODEL, X, Y, cv=5, repeats=3, rng=3)
    assert (found.low, found.high) == tuple(expected)
    assert len(found.values) == 3


@pytest.mark.parametrize("scoring", ["roc_auc", "neg_brier_score"])
def test_a_score_is_that_of_scikit_learn(scoring):
    cv = StratifiedKFold(5)
    found = crossval.estimate(MODEL, X, Y, cv=cv, scoring=scoring)
    np.testing.assert_allclose(found.values, cross_val_score(MODEL, X, Y, cv=cv, scoring=scoring))
    assert found.low < found.value < found.high
    assert scoring in repr(found)


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


@pytest.mark.slow
def test_workers_change_nothing():
    one = crossval.estimate(MODEL, X, Y, cv=4, rng=1)
    two = crossval.estimate(MODEL, X, Y, cv=4, rng=1, n_jobs=2)
    np.testing.assert_array_equal(one.values, two.values)


def test_a_meter_is_told_on_standard_error_alone(capsys, monkeypatch):
    monkeypatch.setattr(_work, "PATIENCE", 0.0)
    crossval.estimate(MODEL, X, Y, cv=4, rng=1, progress=True)
    said = capsys.readouterr()
    assert said.out == ""
    assert "4 of 4" in said.err
    crossval.estimate(MODEL, X, Y, cv=4, rng=1)
    assert capsys.readouterr() == ("", "")


def test_repeats_are_further_divisions():
    found = crossval.estimate(MODEL, X, Y, cv=5, repeats=4, rng=0)
    assert len(found.values) == 20
    assert len(set(found.values[:5])) > 1


class Right:
    """A model that is always right: the label is the first column."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X[:, 0].astype(int)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"target": "model", "groups": GROUPS}, "no interval that knows of groups"),
        ({"target": "model", "scoring": "roc_auc"}, "needs the loss of each case"),
        ({"target": "model", "cv": StratifiedKFold(5)}, "needs cv as a number"),
        ({"target": "future"}, "target must be one of procedure, model"),
        ({"cv": StratifiedKFold(5), "groups": GROUPS}, "cv must keep groups together"),
        ({"cv": 50, "groups": GROUPS}, "at most the number of groups, 40"),
        ({"groups": GROUPS[1:]}, "must have the same length"),
        ({"cv": StratifiedKFold(5), "repeats": 3}, "a splitter repeats by itself"),
        ({"scoring": "no such score"}, "must be a scorer of scikit-learn"),
        ({"scoring": "roc_auc", "loss": lambda a, b: a == b}, "either loss or scoring"),
        ({"n_jobs": 0}, "n_jobs must be"),
        ({"cv": 1}, "cv must be at least 2"),
        ({"estimator": Right(), "X": np.column_stack([Y, Y])}, "folds must differ"),
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
