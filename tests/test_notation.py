"""One name for one thing: every public signature is compared with the book's page."""

import inspect
import re
from pathlib import Path

import fuzz
import numpy as np

from errlab_book import plots

PAGE = (Path(__file__).parent.parent / "book" / "notation.md").read_text(encoding="utf-8")
NAMES = set(re.findall(r"`(\w+)`", PAGE.partition("## Names of arguments")[2]))
FUNCTIONS = fuzz.functions()


def test_the_arguments_are_those_of_the_page():
    assert {p for f in FUNCTIONS.values() for p in inspect.signature(f).parameters} == NAMES


# Defaults on which the book, the docstrings and stored results rely.
DEFAULTS = {
    "delta": {0.05}, "power": {0.8}, "ridge": {0.0}, "rope": {0.01},
    "cv": {10}, "inner_cv": {5}, "models": {1}, "copies": {1}, "public_size": {0.3}, "rng": {0},
    "resamples": {200, 500, 2000, 9999}, "prior": {0.5}, "split": {False},
    "rigorous": {True}, "higher_is_better": {True}, "noise": {0.0, 0.01},
}  # fmt: skip


def test_one_name_has_one_default_everywhere():
    for name, wanted in DEFAULTS.items():
        taken = [inspect.signature(f).parameters.get(name) for f in FUNCTIONS.values()]
        options = {p.default for p in taken if p and isinstance(p.default, (bool, int, float))}
        assert options == wanted, name


def test_one_call_has_one_answer():
    """For other random numbers the caller passes a seed, a Generator or None."""
    for name, function in FUNCTIONS.items():
        if "rng" in inspect.signature(function).parameters:
            assert inspect.signature(function).parameters["rng"].default == 0
            values = {p: v for p, (v, _) in fuzz.form(name, function).items() if p != "rng"}
            once, again = (list(fuzz.numbers_in(function(**values))) for _ in range(2))
            assert np.array_equal(once, again, equal_nan=True), name


def test_plots_that_draw_have_the_same_default():
    every = {name: inspect.signature(getattr(plots, name)).parameters for name in plots.__all__}
    assert {p["rng"].default for p in every.values() if "rng" in p} == {0}
