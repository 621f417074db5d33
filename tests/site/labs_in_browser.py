"""Helpers for the tests of labs: draw settings, type into labs, and read what they say."""

import functools
from typing import Any

import numpy as np

from errlab_book import labs

LEVEL = 1e-9  # the largest relative difference between the page and errlab
SAID_MS = 3000
OUTPUTS = """root => Object.fromEntries([...root.querySelectorAll('[data-out]')].map(
  e => [e.dataset.out, e.dataset.value === undefined ? null : Number(e.dataset.value)]))"""


@functools.cache
def lab(name, **values):
    """Return a lab in its initial state."""
    return labs.LABS[name](**values)


def settings(name, size, seed=0, **most):
    """Draw valid values for a lab, and return the lab with them; `most` lowers upper limits.

    A number is one of the limits, that of the start, that of the trait before, or a random one,
    mostly small.
    """
    rng = np.random.default_rng(seed)
    traits: dict[str, Any] = labs.LABS[name].class_traits()
    found, before = [], 0
    while len(found) < size:
        values = {}
        for trait, kind in traits.items():
            if options := kind.limits.get("options"):
                values[trait] = str(rng.choice(options))
                continue
            low, high = kind.limits["low"], most.get(trait, kind.limits["high"])
            u, v = rng.random(2)
            small = low + (high - low + 1) ** u - 1
            drawn = rng.choice(
                [low, high, kind.default_value, before, low + v * (high - low), small]
            )
            drawn = float(np.clip(drawn.round(4), low, high))
            before = values[trait] = int(drawn) if "whole" in kind.limits else drawn
        try:
            found.append((values, labs.LABS[name](**values)))
        except ValueError:  # invalid, such as more errors than examples
            continue
    return found


def off(got, want):
    """Return the relative differences, 0 where both are 0."""
    got, want = np.asarray(got, dtype=float), np.asarray(want, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(got == want, 0.0, np.abs(got - want) / np.abs(want))
