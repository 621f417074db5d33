"""Known values: each call in data/values.txt gives the value on the line below it."""

import re
import warnings

import ipywidgets
import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as peer
from scipy import stats
from tables import DATA, entries, pattern, sections
from words import whole

import errlab
from errlab import compare, training_set
from errlab._core import rounding
from errlab._core.registry import Registry
from errlab._core.tables import latex_text
from errlab._numerics import roots
from errlab._numerics.groups import caution
from errlab.bounds._betting import log_capital
from errlab.statements.metric._asked import asked
from errlab_address import site_of
from errlab_book import (
    answers,
    exercises,
    explore,
    figures,
    labs,
    leaderboards,
    optimal_split,
    tables,
)
from errlab_book.controls import control
from errlab_book.plots.data_sets import iman_davenport


def odds(interval):
    """Odds ratios of an interval of the surplus among the discordant."""
    share = np.array(interval) / 2 + 0.5
    return share / (1 - share)


def exact(n01, n10, n, **options):
    """Fay and Lumbard's comparison of n examples."""
    return compare.paired_difference([[0, n01], [n10, n - n01 - n10]], method="exact", **options)


def pair(n01, n10, n, **options):
    """The report of two classifiers with these counts; all examples are of one class."""
    wrong_a, wrong_b = [1] * n01 + [0] * n10, [0] * n01 + [1] * n10
    rest = [0] * (n - n01 - n10)
    return errlab.report([0] * n, wrong_a + rest, wrong_b + rest, **options)


def stops(options):
    """Return the values of an explorer's control, and then the one at which it starts."""
    made = control("n", options)
    return [*made.values, made.values[made.start]]


NAMES = {name: getattr(errlab, name) for name in errlab.__all__ if not name.startswith("_")} | {
    "Registry": Registry, "answers": answers, "asked": asked, "caution": caution,
    "demsar": np.loadtxt(DATA / "demsar.txt"), "errlab": errlab, "exact": exact,
    "exercises": exercises, "explore": explore, "figures": figures,
    "iman_davenport": iman_davenport, "ipywidgets": ipywidgets, "labs": labs,
    "latex_text": latex_text,
    "leaderboards": leaderboards, "learner": training_set.LeastSquares(),
    "log_capital": log_capital, "np": np, "odds": odds,
    "optimal_fraction": optimal_split.optimal_fraction, "optimal_split": optimal_split,
    "pair": pair, "pd": pd, "peer": peer, "roots": roots, "rounding": rounding,
    "site_of": site_of, "stats": stats, "stops": stops, "tables": tables, "whole": whole,
}  # fmt: skip


def faults(lines, names):
    """Yield each call of a section that gives another value, text or warning than it should."""
    for call, values, below in entries(lines, names):
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            result = eval(call, values)
        texts = [str(warning.message) for warning in raised]
        wanted = [line.removeprefix("warns ") for line in below if line.startswith("warns ")]
        if len(texts) != len(wanted):
            yield f"{call} warns {texts}, not {wanted}"
            continue
        for line, text in zip(wanted, texts, strict=True):
            if not re.search(pattern(line), text):
                yield f"{call} warns {text}, not {line}"
        for line in below:
            if line.startswith("says "):
                if not re.search(pattern(line.removeprefix("says ")), str(result)):
                    yield f"{call} says {result}, not {line}"
            elif not line.startswith("warns "):
                value, _, off = line.partition(" within ")
                expected, actual = eval(value, values), result
                if not isinstance(expected, str):
                    expected = np.array(expected, dtype=float)
                    expected = pytest.approx(expected, abs=float(off or 1e-15), rel=0)
                    actual = np.array(actual, dtype=float)
                if actual != expected:
                    yield f"{call} is {actual}, not {expected}"


def marked(name):
    """Return the sections as parameters of a test; slow ones say so in their titles."""
    return [
        pytest.param(lines, id=title, marks=[pytest.mark.slow] * title.endswith("(slow)"))
        for title, lines in sections(name)
    ]


@pytest.mark.parametrize("lines", marked("values.txt"))
def test_values(lines):
    wrong = list(faults(lines, NAMES))
    assert not wrong, "\n".join(wrong)
