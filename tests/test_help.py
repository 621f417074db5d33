"""What a notebook shows of a public function: its formula under ``??``, its true return type."""

import ast
import inspect
import textwrap
import types
import typing

import fuzz
import numpy as np
import pytest

import errlab
from errlab import bounds, compare, training_set

FUNCTIONS = {n: f for n, f in fuzz.functions().items() if inspect.isfunction(f)}


def test_every_function_that_a_package_lists_is_looked_at():
    listed = {
        f"{module}.{name}"
        for module in errlab._MODULES
        if module not in ("checks", "results", "rounding", "style")  # modules for developers
        for name in getattr(errlab, module).__all__
        if inspect.isroutine(getattr(getattr(errlab, module), name))
    }
    assert listed <= FUNCTIONS.keys()


def test_the_source_is_that_of_the_function_and_not_of_what_wraps_it():
    for name, function in FUNCTIONS.items():
        (source,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
        assert isinstance(source, ast.FunctionDef), name
        assert source.name == name.rpartition(".")[2]
        assert inspect.unwrap(function).__module__ == function.__module__, name


def names_of(function):
    """The names that a function's annotations may use: those of the modules that wrap it."""
    names = vars(np) | vars(typing)
    while function is not None:
        names |= function.__globals__
        function = getattr(function, "__wrapped__", None)
    return names


def fits(value, promised):
    """Whether a value has the annotated type."""
    origin = typing.get_origin(promised)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, part) for part in typing.get_args(promised))
    if origin is tuple:
        parts = typing.get_args(promised)
        if parts[-1] is Ellipsis:
            parts = parts[:1] * len(value)
        return len(parts) == len(value) and all(map(fits, value, parts))
    if isinstance(promised, typing.TypeVar):
        return True
    if hasattr(origin, "__value__"):  # an alias, as NDArray is from NumPy 2.5 on
        origin = typing.get_origin(origin.__value__)
    return isinstance(value, origin or promised)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_shows_the_type_of_what_comes_back(name):
    function = FUNCTIONS[name]
    annotation = inspect.signature(function).return_annotation
    promised = eval(annotation, names_of(function)) if isinstance(annotation, str) else annotation
    for variant, parameters in fuzz.forms(name, function):
        result = function(**{p: value for p, (value, _) in parameters.items()})
        assert fits(result, promised), f"{variant}: {annotation}, and not {type(result)}"


def test_a_function_keeps_its_arguments_and_its_documentation():
    assert [*inspect.signature(bounds.wilson).parameters] == ["mean", "n", "delta", "var"]
    assert "largest_root(" in inspect.getsource(bounds.wilson)
    assert inspect.signature(compare.mcnemar).return_annotation == "ComparisonResult"
    martin = inspect.signature(training_set.INTERVALS["M"].function).parameters
    assert [*martin][-2:] == ["effective_size", "prior"]
