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
from tables import sections

import errlab
from errlab import compare, crossval, metrics

(_, ORDINARY), (_, ENEMIES) = sections("cautions.txt")


def cv(model, data, **options):
    """Return the result of ten-fold cross-validation."""
    return crossval.estimate(model, *data, **options)


def metric(*columns, **options):
    return errlab.metric(*columns, resamples=200, **options)


def watched(*columns):
    """Return a test that is watched while it runs."""
    test = errlab.watch()
    test.update(*columns)
    return test


def data_set(name, **options):
    """Load or make a data set of scikit-learn; at most 400 rows in a random order."""
    make = getattr(datasets, name)
    X, y = make(**options, **{"random_state": 0} if "make" in name else {"return_X_y": True})
    order = np.random.default_rng(0).permutation(len(y))[:400]
    return X[order], y[order]


IRIS, WINE, DIGITS = (data_set(f"load_{name}") for name in ("iris", "wine", "digits"))
RNG = np.random.default_rng(23)
TARGET = RNG.normal(size=200)
GAUSSIAN = TARGET + 0.5 * RNG.normal(size=200)
OTHER = TARGET + 0.6 * RNG.normal(size=200)
Y = RNG.integers(0, 2, 200)
A, B = (np.where(RNG.random(200) < rate, 1 - Y, Y) for rate in (0.1, 0.15))
SCORE = RNG.normal(size=200) + 1.5 * Y
NB, LDA, LINEAR = GaussianNB(), LinearDiscriminantAnalysis(), LinearRegression()
ONE, NEAR = KNeighborsClassifier(1), KNeighborsClassifier(5)
SQUARES, ABSOLUTE = "neg_mean_squared_error", "neg_mean_absolute_error"

NOISE, COINS, EACH = RNG.normal(size=(80, 2)), RNG.integers(0, 2, 80), np.arange(200)
GIANT = np.where(EACH == 7, 60.0, 1.0) * (GAUSSIAN - TARGET)
PARETO = RNG.choice([-1, 1], 200) * RNG.pareto(1.5, 200)
SHY = np.where(Y == 1, 0.6, 0.4) + 0.05 * RNG.random(200)
SURE = np.where(EACH == 5, np.where(Y == 1, 1e-9, 1 - 1e-9), SHY)
HEAVY = np.where(EACH % 50 == 0, 50.0, 1.0)
WRONG_HEAVY = ((EACH % 100 == 0) | (EACH % 40 == 1)) * 1.0
DRIFT = (np.random.default_rng(0).random(600) < np.linspace(0.02, 0.3, 600)) * 1.0
LINE = (NOISE, NOISE @ [1.0, 2.0] + np.exp(2 * RNG.normal(size=80)))
TAIL = (NOISE, NOISE @ [1.0, 2.0] + RNG.pareto(1.1, 80))
NAMES = globals() | {"compare": compare, "metrics": metrics, "DummyClassifier": DummyClassifier}


@pytest.mark.parametrize("call", [*ORDINARY, *ENEMIES])
def test_a_caution_comes_first_only_where_the_data_call_for_it(call):
    result = eval(call, NAMES)
    assert bool(result.warnings()) == str(result).startswith("Caution") == (call in ENEMIES)


def test_splits_in_time_have_no_interval_instead_of_a_caution():
    result = crossval.estimate(NB, NOISE, COINS, cv=TimeSeriesSplit(4))
    assert np.isnan(result.low)
    assert "No interval is known for splits in time" in str(result)
