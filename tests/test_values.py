"""Known values: each call in data/values.txt gives the value on the line below it."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from words import whole

import errlab
from errlab import compare
from errlab._core import rounding, tables
from errlab._numerics.groups import caution
from errlab.bounds._betting import log_capital
from errlab_book import leaderboards
from errlab_book.optimal_split import optimal_fraction
from errlab_book.plots.data_sets import iman_davenport

DATA = Path(__file__).with_name("data")


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


NAMES = {name: getattr(errlab, name) for name in errlab.__all__ if not name.startswith("_")} | {
    "np": np, "pd": pd, "stats": stats, "errlab": errlab, "rounding": rounding, "tables": tables,
    "whole": whole, "caution": caution, "odds": odds, "exact": exact, "pair": pair,
    "log_capital": log_capital,
    "leaderboards": leaderboards, "iman_davenport": iman_davenport,
    "optimal_fraction": optimal_fraction, "demsar": np.loadtxt(DATA / "demsar.txt"),
}  # fmt: skip


def sections(path):
    """Return the names and texts of a table's sections."""
    parts = re.split(r"^\[([^][]+)\]$", path.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def faults(section, names):
    """Yield each call that has another value; a line `name = value` defines a name."""
    names, call = dict(names), None
    for line in section.splitlines():
        if line.startswith("    "):
            value, _, off = line.strip().partition(" within ")
            expected, actual = eval(value, names), eval(call, names)
            if not isinstance(expected, (str, bool)):
                expected = pytest.approx(np.array(expected), abs=float(off or 1e-15), rel=0)
                actual = np.array(actual, dtype=float)
            if actual != expected:
                yield f"{call} is {actual}, not {expected}"
            call = None
        elif line and not line.startswith("#"):
            assert call is None, f"{call} has no value"
            if re.match(r"\w+(, \w+)* = ", line):
                exec(line, names)
            else:
                call = line
    assert call is None, f"{call} has no value"


def marked(path):
    """Return the sections as parameters of a test; slow ones say so in their names."""
    return [
        pytest.param(text, id=name, marks=[pytest.mark.slow] * name.endswith("(slow)"))
        for name, text in sections(path)
    ]


@pytest.mark.parametrize("section", marked(DATA / "values.txt"))
def test_values(section):
    wrong = list(faults(section, NAMES))
    assert not wrong, "\n".join(wrong)
