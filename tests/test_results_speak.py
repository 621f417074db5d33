"""Every public result prints at most three lines, and has the rest in its details."""

import dataclasses
import importlib
import pkgutil

import fuzz
import numpy as np
import pytest

import errlab
from errlab import bootstrap, crossval, metrics, results, training_set

TABLES = {"per_class"}  # results whose lines are the classes
NUMBERS = (bool, int, float, np.generic, np.ndarray, str, list, type(None))
FUNCTIONS = {n: f for n, f in fuzz.functions().items() if not n.startswith("book.")}
GUARANTEES = ("exact", "finite sample", "asymptotic", "nothing proven", "proven")


def speaks(result):
    text = str(result)
    assert 1 <= text.count("\n") + 1 <= 3, text
    assert "array(" not in text
    assert "Interval(" not in text
    assert len(text) < 900, text
    assert isinstance(result.details, str)
    assert result.to_dict()
    if dataclasses.is_dataclass(result):
        assert type(result).__dataclass_params__.frozen, "a result stays as it is"
    return text


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_a_result_prints_three_lines_and_has_details_and_a_dictionary(name):
    arguments = {p: value for p, (value, _) in fuzz.form(name, FUNCTIONS[name]).items()}
    result = FUNCTIONS[name](**arguments)
    plain_tuple = type(result) is tuple  # a plain tuple of results, as from rate_intervals
    for part in result if plain_tuple else [result]:
        if not isinstance(part, NUMBERS) and name not in TABLES:
            speaks(part)


X = np.random.default_rng(0).normal(size=(60, 3))
Y = np.where(X[:, 0] + np.random.default_rng(1).normal(size=60) > 0, 1, -1)
LEARNER = training_set.LeastSquares()


@pytest.mark.parametrize("key", training_set.INTERVALS)
def test_an_interval_from_the_training_set_says_what_it_is_for_and_what_is_proven(key):
    method = training_set.INTERVALS[key]
    result = method.function(LEARNER, X, Y, resamples=20, delta=0.1)
    text = speaks(result)
    assert text.startswith("90% interval for the error of the classifier")
    assert f"({method.name}; nothing proven)" in text
    low, high = result
    words = result.to_dict()
    assert any("independent draws" in condition for condition in words.pop("conditions"))
    assert words == {
        "low": low, "high": high, "method": method.name, "guarantee": "none proven", "delta": 0.1,
        "quantity": "the error of the classifier trained on these examples",
    }  # fmt: skip


RESULTS = {
    "cud_bound": lambda: training_set.cud_bound(X, Y, resamples=300, max_nodes=200),
    "loo_bootstrap": lambda: bootstrap.loo_bootstrap(LEARNER, X, Y, resamples=20),
    "nested": lambda: crossval.nested({"one": LEARNER}, X, Y),
    "f1_interval": lambda: metrics.f1_interval(8, 1, 2),
    "area_interval": lambda: metrics.area_interval(Y, X[:, 0]),
    "bca_interval": lambda: bootstrap.bca_interval(X[:, 0] > 0, resamples=200),
}


@pytest.mark.parametrize("name", RESULTS)
def test_what_filled_the_screen_prints_its_guarantee(name):
    text = speaks(RESULTS[name]())
    assert any(guarantee in text for guarantee in GUARANTEES)


def test_what_a_page_folds_below_a_result_is_recorded():
    """Notebooks record the details of the classes of `results`; IPython takes the first repr."""
    for module in pkgutil.walk_packages(errlab.__path__, "errlab."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    kinds = [results.Statement.__mro__[1]]
    for kind in kinds:
        kinds += kind.__subclasses__()
    own = {kind for kind in kinds[1:] if "__repr__" in vars(kind)}
    assert {results.Statement, results.Plan} <= own
    assert own <= {getattr(results, name) for name in results.__all__}
