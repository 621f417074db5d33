"""Every public result prints at most three lines, and has the rest in its details."""

import dataclasses
import importlib
import pkgutil
import re

import fuzz
import numpy as np
import pytest

import errlab
from errlab import results, training_set

TABLES = {"per_class"}  # results whose lines are the classes
NUMBERS = (bool, int, float, np.generic, np.ndarray, str, list, type(None))
FUNCTIONS = {n: f for n, f in fuzz.functions().items() if not n.startswith("book.")}
GUARANTEES = re.compile("exact|finite sample|asymptotic|proven")
SPOKEN = (
    "training_set.cud_bound", "bootstrap.loo_bootstrap", "crossval.nested", "metrics.f1_interval",
    "metrics.area_interval", "bootstrap.bca_interval",
)  # fmt: skip


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
            text = speaks(part)
            # what once filled the screen prints its guarantee
            assert name not in SPOKEN or GUARANTEES.search(text)


X = np.random.default_rng(0).normal(size=(60, 3))
Y = np.where(X[:, 0] + np.random.default_rng(1).normal(size=60) > 0, 1, -1)


@pytest.mark.slow
def test_an_interval_from_the_training_set_says_what_it_is_for_and_what_is_proven():
    for method in training_set.INTERVALS.values():
        result = method.function(training_set.LeastSquares(), X, Y, resamples=20, delta=0.1)
        text = speaks(result)
        assert text.startswith("90% interval for the error of the classifier")
        assert f"({method.name}; nothing proven)" in text
        low, high = result
        words = result.to_dict()
        assert any("independent draws" in condition for condition in words.pop("conditions"))
        assert words == {
            "low": low, "high": high, "method": method.name, "guarantee": "none proven",
            "delta": 0.1, "quantity": "the error of the classifier trained on these examples",
        }  # fmt: skip


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
