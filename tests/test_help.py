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


def test_every_public_function_is_looked_at_and_shows_its_own_source():
    developers = {"checks", "results", "rounding", "style"}  # modules for developers
    for module in set(errlab._MODULES) - developers:
        package = getattr(errlab, module)
        routines = {n for n in package.__all__ if inspect.isroutine(getattr(package, n))}
        assert {f"{module}.{name}" for name in routines} <= FUNCTIONS.keys()
    for name, function in FUNCTIONS.items():  # and not that of what wraps it
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
    origin, parts = typing.get_origin(promised), typing.get_args(promised)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, part) for part in parts)
    if origin is tuple:
        parts = parts[:1] * len(value) if parts[-1] is Ellipsis else parts
        return len(parts) == len(value) and all(map(fits, value, parts))
    if hasattr(origin, "__value__"):  # an alias, as NDArray is from NumPy 2.5 on
        origin = typing.get_origin(origin.__value__)
    return isinstance(promised, typing.TypeVar) or isinstance(value, origin or promised)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_shows_the_type_of_what_comes_back(name):
    function = FUNCTIONS[name]
    promised = inspect.signature(function).return_annotation
    if isinstance(promised, str):
        promised = eval(promised, names_of(function))
    for variant, parameters in fuzz.forms(name, function):
        result = function(**{p: value for p, (value, _) in parameters.items()})
        assert fits(result, promised), f"{variant}: {promised}, and not {type(result)}"


def test_a_function_keeps_its_arguments_and_its_documentation():
    assert [*inspect.signature(bounds.wilson).parameters] == ["mean", "n", "delta", "var"]
    assert "largest_root(" in inspect.getsource(bounds.wilson)
    assert inspect.signature(compare.mcnemar).return_annotation == "ComparisonResult"
    martin = inspect.signature(training_set.INTERVALS["M"].function).parameters
    assert [*martin][-2:] == ["effective_size", "prior"]
