"""Helpers for the tests of pages: draw settings, type into labs, and read what they say."""

import functools
import tomllib
from typing import Any

import numpy as np
import pytest
from browser import ROOT, probe
from matplotlib.figure import Figure

from errlab_book import labs

LEVEL = 1e-9  # the largest relative difference between the page and errlab
# what readers type, what pages refuse and with which words, what else may be stored or linked
CASES = tomllib.loads((ROOT / "tests" / "data" / "pages.toml").read_text("utf-8"))


@functools.cache
def lab(name, **values):
    """Return a lab in its initial state."""
    return labs.LABS[name](**values)


@functools.cache
def drawn(name, **values):
    """Return a lab as HTML, drawn once."""
    return lab(name, **values).html()


def every(**values):
    """Return all labs as HTML, some of them with values."""
    return "".join(drawn(name, **values.get(name, {})) for name in labs.LABS)


def root(tab, name):
    return tab.locator(f'[data-lab="{name}"]')


def typed(tab, made):
    """Type the values of each of these labs into a lab's fields; return all that it then shows."""
    return root(tab, made[0].name).evaluate(probe("typed"), [one.values() for one in made])


def near(numbers, tiny=0.0):
    """Numbers to compare with: only their last bits may differ."""
    return pytest.approx(numbers, rel=LEVEL, abs=tiny)


def flat(value):
    """Yield the numbers of nested lists and arrays."""
    if isinstance(value, np.ndarray):
        yield from value.ravel().tolist()
    elif isinstance(value, list | tuple):
        for part in value:
            yield from flat(part)
    else:
        yield value


def alike(page, errlab, tiny=0.0):
    """Whether all numbers are near those of errlab, as `near` compares two, but faster."""
    got, want = (np.array([*flat(values)], float) for values in (page, errlab))
    if got.shape != want.shape:
        return False
    return ((got == want) | (np.abs(got - want) <= np.maximum(tiny, LEVEL * np.abs(want)))).all()


def settings(name, size, seed=0, **highest):
    """Draw valid values for a lab, and return labs with them; `most` lowers upper limits.

    A number is one of the limits, that of the start, that of the trait before, or a random one,
    mostly small.
    """
    rng = np.random.default_rng(seed)
    traits: dict[str, Any] = labs.LABS[name].class_traits()
    made, before = [], 0
    while len(made) < size:
        values = {}
        for trait, kind in traits.items():
            if options := kind.limits.get("options"):
                values[trait] = str(rng.choice(options))
                continue
            low, high = kind.limits["low"], highest.get(trait, kind.limits["high"])
            u, v = rng.random(2)
            small = low + (high - low + 1) ** u - 1
            drawn = rng.choice(
                [low, high, kind.default_value, before, low + v * (high - low), small]
            )
            drawn = float(np.clip(drawn.round(4), low, high))
            before = values[trait] = int(drawn) if "whole" in kind.limits else drawn
        try:
            made.append(labs.LABS[name](**values))
        except ValueError:  # invalid, such as more errors than examples
            continue
    return made


def drawing():
    """Curves on a logarithmic axis, bars with names and percentages, a line across a panel."""
    figure = Figure(figsize=(6, 3), layout="constrained")
    left, right = figure.subplots(1, 2)
    left.plot([1, 10, 100], [3.0, 2.0, 1.0], "o-", label="CP")
    left.scatter([5, 50], [1.25, 2.75])
    left.axvline(20)
    left.set(xscale="log", xlabel="$n$", ylabel="errors")
    right.barh(["SVM", "forest"], [0.125, 0.0625])
    right.xaxis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
    return figure
