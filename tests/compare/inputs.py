"""Inputs of the comparisons, as data/comparisons.txt lists them."""

import re

import numpy as np
from tables import sections

N01, N10 = (grid.ravel() for grid in np.meshgrid(np.arange(26), np.arange(26)))


def tables(n, both=0.3):
    """Every table with n01, n10 <= 25 that fits in n; both are wrong on a fraction of the rest."""
    inside = n >= N01 + N10
    n01, n10 = N01[inside], N10[inside]
    rest = n - n01 - n10
    n00 = np.round(both * rest).astype(int)
    return np.moveaxis(np.array([[n00, n01], [n10, rest - n00]]), -1, 0)


def all_of(n, m):
    """Every pair of errors in n and in m examples."""
    a, b = np.meshgrid(np.arange(n + 1), np.arange(m + 1))
    return a, np.full(a.shape, n), b, np.full(b.shape, m)


def inputs(takes):
    """Yield the arguments of each line of a section."""
    names = {**globals(), "rng": np.random.default_rng(1)}
    for line in dict(sections("comparisons.txt"))[takes]:
        if re.match(r"[\w, ]+ = ", line):
            exec(line, names)
        else:
            yield eval(line, names)
