"""A caution comes first only if the data call for it: never on ordinary data, on every bad set."""

import numpy as np
import pytest
from marks import slow
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

(_, DATA_SETS), (_, ORDINARY), (_, ENEMIES) = sections("cautions.txt")


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


NAMES = globals() | {
    "compare": compare, "metrics": metrics, "DummyClassifier": DummyClassifier,
    "GaussianNB": GaussianNB, "KNeighborsClassifier": KNeighborsClassifier,
    "LinearDiscriminantAnalysis": LinearDiscriminantAnalysis, "LinearRegression": LinearRegression,
    "TimeSeriesSplit": TimeSeriesSplit,
}  # fmt: skip
exec("\n".join(DATA_SETS), NAMES)


# bootstraps and nested cross-validation
LONG = [c for c in (*ORDINARY, *ENEMIES) if c.startswith("metric(") or 'target="model"' in c]


@pytest.mark.parametrize("call", slow([*ORDINARY, *ENEMIES], *LONG))
def test_a_caution_comes_first_only_where_the_data_call_for_it(call):
    result = eval(call, NAMES)
    assert bool(result.warnings()) == str(result).startswith("Caution") == (call in ENEMIES)


def test_the_table_is_as_long_as_it_has_to_be():
    assert len(ORDINARY) >= 33
    assert len(ENEMIES) >= 20


def test_splits_in_time_have_no_interval_instead_of_a_caution():
    result = eval("cv(NB, (NOISE, COINS), cv=TimeSeriesSplit(4))", NAMES)
    assert np.isnan(result.low)
    assert "No interval is known for splits in time" in str(result)
