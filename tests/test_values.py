"""Known values: each call in data/values.txt gives the value on the line below it."""

import re
from pathlib import Path

import numpy as np
import pytest

from errlab import bootstrap, bounds, compare, crossval, datasets, holdout, losses, metrics
from errlab._core import rounding

TABLE = Path(__file__).with_name("data") / "values.txt"
SECTIONS = re.split(r"^\[(.+)\]$", TABLE.read_text("utf-8"), flags=re.MULTILINE)[1:]


def odds(interval):
    """Odds ratios of an interval of the surplus among the discordant."""
    share = np.array(interval) / 2 + 0.5
    return share / (1 - share)


NAMES = {
    "np": np, "bootstrap": bootstrap, "bounds": bounds, "compare": compare, "crossval": crossval,
    "datasets": datasets, "holdout": holdout, "losses": losses, "metrics": metrics,
    "rounding": rounding, "odds": odds,
}  # fmt: skip


@pytest.mark.parametrize("section", SECTIONS[1::2], ids=SECTIONS[::2])
def test_values(section):
    lines = [line for line in section.splitlines() if line and not line.startswith("#")]
    for call, names in zip(lines[::2], lines[1::2], strict=True):
        value, _, off = names.partition(" within ")
        expected, actual = eval(value, NAMES), eval(call, NAMES)
        if not isinstance(expected, str):
            expected = pytest.approx(np.array(expected), abs=float(off or 1e-15), rel=0)
            actual = np.array(actual, dtype=float)
        assert actual == expected, call
