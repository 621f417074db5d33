"""A caution comes first only if the data call for it: never on ordinary data, on every bad set."""

import numpy as np
import pytest
from sklearn import datasets
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import errlab
from errlab import compare, crossval, metrics


def cv(model, data, **options):
    """Return a call of ten-fold cross-validation."""
    return lambda: crossval.estimate(model, *data, **options)


def data_set(name, rows=400, **options):
    """Load or make a data set of scikit-learn, in a random order."""
    loaded = getattr(datasets, name)(**options)
    X, y = (loaded.data, loaded.target) if hasattr(loaded, "data") else loaded
    order = np.random.default_rng(0).permutation(len(y))[:rows]
    return X[order], y[order]


IRIS, WINE, DIGITS = (data_set(f"load_{name}") for name in ("iris", "wine", "digits"))
RNG = np.random.default_rng(23)
TARGET = RNG.normal(size=200)
GAUSSIAN = TARGET + 0.5 * RNG.normal(size=200)
OTHER = TARGET + 0.6 * RNG.normal(size=200)
Y = RNG.integers(0, 2, 200)
A, B = (np.where(RNG.random(200) < rate, 1 - Y, Y) for rate in (0.1, 0.15))
SCORE = RNG.normal(size=200) + 1.5 * Y
NB, NEAR, LDA = GaussianNB(), KNeighborsClassifier(5), LinearDiscriminantAnalysis()


def metric(*columns, name, **options):
    """Return a call of `errlab.metric` with few resamples."""
    return lambda: errlab.metric(*columns, metric=name, resamples=200, **options)


# Ordinary calls and learners; early versions gave fourteen of these a caution.
ORDINARY = {
    **{
        f"{name}, {type(model).__name__}": cv(model, data)
        for name, data in (("iris", IRIS), ("wine", WINE), ("digits", DIGITS))
        for model in (NB, NEAR, LDA)
    },
    "iris, nested": cv(NB, IRIS, target="model", cv=5, repeats=2),
    "wine, macro F1": cv(NB, WINE, scoring="f1_macro"),
    "digits, balanced accuracy": cv(NB, DIGITS, scoring="balanced_accuracy"),
    **{
        f"Gaussian errors, {name}, {n}": metric(TARGET[:n], GAUSSIAN[:n], name=name)
        for name in ("mae", "mse", "rmse", "r2")
        for n in (50, 200)
    },
    "Gaussian errors of two": metric(TARGET, GAUSSIAN, OTHER, name="mse"),
    "report": lambda: errlab.report(Y, A),
    "report of two": lambda: errlab.report(Y, A, B),
    "models": lambda: errlab.models(Y, {"a": A, "b": B, "c": Y}),
    "area": metric(Y, SCORE, name="roc_auc"),
    "MCC": metric(Y, A, name="mcc"),
    "weights that hardly differ": lambda: metrics.weighted_error(
        (Y != A) * 1.0, 1 + RNG.random(200)
    ),
    "shares": lambda: metrics.error_at_shares((Y != A) * 1.0, Y, {0: 0.3, 1: 0.7}),
}
CLASSES = {
    "load_breast_cancer": {},
    "make_classification": {"n_samples": 300, "random_state": 0},
    "make_blobs": {"n_samples": 300, "random_state": 0, "cluster_std": 2.5},
    "make_moons": {"n_samples": 300, "noise": 0.3, "random_state": 0},
    "make_circles": {"n_samples": 300, "noise": 0.2, "factor": 0.5, "random_state": 0},
    "make_gaussian_quantiles": {"n_samples": 300, "random_state": 0},
    "make_hastie_10_2": {"n_samples": 400, "random_state": 0},
}
VALUES = {
    "load_diabetes": {},
    "make_regression": {"n_samples": 200, "noise": 5.0, "random_state": 0},
    "make_friedman1": {"n_samples": 200, "noise": 1.0, "random_state": 0},
    "make_sparse_uncorrelated": {"n_samples": 200, "random_state": 0},
}
MORE = {name: cv(NEAR, data_set(name, **options)) for name, options in CLASSES.items()}
MORE |= {
    f"{name}, {scoring}": cv(LinearRegression(), data_set(name, **options), scoring=scoring)
    for name, options in VALUES.items()
    for scoring in ("neg_mean_squared_error", "neg_mean_absolute_error")
}

NOISE, COINS = RNG.normal(size=(80, 2)), RNG.integers(0, 2, 80)
GIANT = np.where(np.arange(200) == 7, 60.0, 1.0) * (GAUSSIAN - TARGET)
PARETO = RNG.choice([-1, 1], 200) * RNG.pareto(1.5, 200)
GROUPS = np.arange(200) // 50
SHY = np.where(Y == 1, 0.6, 0.4) + 0.05 * RNG.random(200)
SURE = np.where(np.arange(200) == 5, np.where(Y == 1, 1e-9, 1 - 1e-9), SHY)
HEAVY = np.where(np.arange(200) % 50 == 0, 50.0, 1.0)
WRONG_HEAVY = ((np.arange(200) % 100 == 0) | (np.arange(200) % 40 == 1)) * 1.0
DRIFT = (np.random.default_rng(0).random(600) < np.linspace(0.02, 0.3, 600)) * 1.0
ON_GROUPS = (np.arange(200) < 12).astype(int)


def watched(*columns):
    """Return a test that is watched while it runs."""
    test = errlab.watch()
    test.update(*columns)
    return test


LINE = (NOISE, NOISE @ [1.0, 2.0] + np.exp(2 * RNG.normal(size=80)))
TAIL = (NOISE, NOISE @ [1.0, 2.0] + RNG.pareto(1.1, 80))
ENEMIES = {
    "copies": cv(KNeighborsClassifier(1), (NOISE.repeat(2, 0), COINS.repeat(2))),
    "a third are copies": cv(NEAR, (np.r_[NOISE, NOISE[:40]], np.r_[COINS, COINS[:40]])),
    "copies, nested": cv(
        KNeighborsClassifier(1), (NOISE.repeat(2, 0), COINS.repeat(2)), target="model", cv=5,
        repeats=2,
    ),
    "a majority vote": cv(DummyClassifier(), (NOISE, COINS)),
    "one class for all": cv(DummyClassifier(strategy="constant", constant=1), (NOISE, COINS)),
    "log-normal noise, squares": cv(LinearRegression(), LINE, scoring="neg_mean_squared_error"),
    "a Pareto tail, folds": cv(LinearRegression(), TAIL, scoring="neg_mean_squared_error"),
    **{
        f"{tail}, absolute errors in folds": cv(
            LinearRegression(), data, scoring="neg_mean_absolute_error"
        )
        for tail, data in (("log-normal noise", LINE), ("a Pareto tail", TAIL))
    },
    "a Pareto tail, squares as a loss of one's own": cv(
        LinearRegression(), TAIL, loss=lambda y, predicted: (y - predicted) ** 2
    ),
    "a Pareto tail, mae": metric(TARGET, TARGET + PARETO, name="mae"),
    "one giant, mse": metric(TARGET, TARGET + GIANT, name="mse"),
    "one giant, mae": metric(TARGET, TARGET + GIANT, name="mae"),
    "one giant, rmse": metric(TARGET, TARGET + GIANT, name="rmse"),
    "one giant, r2": metric(TARGET, TARGET + GIANT, name="r2"),
    "one giant, of two": metric(TARGET, TARGET + GIANT, OTHER, name="mse"),
    "a Pareto tail": metric(TARGET, TARGET + PARETO, name="mse"),
    "sure and wrong": metric(Y, SURE, name="log_loss"),
    "heavy weights": lambda: metrics.weighted_error(WRONG_HEAVY, HEAVY),
    "heavy weights, linear": lambda: metrics.weighted_error(WRONG_HEAVY, HEAVY, method="linear"),
    "four groups, by t": lambda: errlab.report(Y, A, groups=GROUPS, method="t"),
    "two, one fails on whole groups": lambda: errlab.report(
        np.zeros(200, dtype=int), ON_GROUPS, (np.arange(200) % 17 == 3).astype(int),
        groups=np.arange(200) // 10, method="t",
    ),
    "twenty scores by t": lambda: errlab.report(
        scores=np.r_[np.ones(19), 0.2], range=(0, 1), method="t"
    ),
    "a stream that drifts": lambda: watched(DRIFT),
    "folds without any spread": lambda: compare.kfold_paired_t([0.05, 0.05, 0.05]),
}  # fmt: skip


@pytest.mark.parametrize("name", [*ORDINARY, *MORE])
def test_no_ordinary_data_begin_with_a_caution(name):
    result = (ORDINARY | MORE)[name]()
    assert result.warnings() == []
    assert not str(result).startswith("Caution")


@pytest.mark.parametrize("name", ENEMIES)
def test_each_enemy_begins_with_a_caution(name):
    result = ENEMIES[name]()
    assert result.warnings() != []
    assert str(result).startswith("Caution")


def test_the_table_is_as_long_as_it_has_to_be():
    assert len(ORDINARY) >= 23
    assert len(MORE) >= 10
    assert len(ENEMIES) >= 20


def test_splits_in_time_have_no_interval_instead_of_a_caution():
    result = crossval.estimate(NB, NOISE, COINS, cv=TimeSeriesSplit(4))
    assert np.isnan(result.low)
    assert "No interval is known for splits in time" in str(result)
