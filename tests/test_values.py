"""Known values: each call in data/values.txt gives the value on the line below it."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as peer
from scipy import stats
from tables import entries, pattern, sections

import errlab
from errlab import training_set
from errlab._core import rounding
from errlab._core.registry import Registry
from errlab._numerics import roots
from errlab.statements.metric._asked import asked
from errlab_book import optimal_split

TABLE = dict(sections("values.txt"))


def odds(interval):
    """Odds ratios of an interval of the surplus among the discordant."""
    share = np.array(interval) / 2 + 0.5
    return share / (1 - share)


NAMES = {name: getattr(errlab, name) for name in errlab.__all__} | {
    "errlab": errlab, "np": np, "stats": stats, "odds": odds, "roots": roots,
    "rounding": rounding, "optimal_split": optimal_split, "pd": pd,
    "learner": training_set.LeastSquares(), "Registry": Registry, "asked": asked, "peer": peer,
}  # fmt: skip


@pytest.mark.parametrize("title", TABLE)
def test_values(title):
    for call, names, lines in entries(TABLE[title], NAMES):
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("always")
            result = eval(call, names)
        texts = [str(warning.message) for warning in raised]
        wanted = [line.removeprefix("warns ") for line in lines if line.startswith("warns ")]
        assert len(texts) == len(wanted), (call, texts)
        for words, text in zip(wanted, texts, strict=True):
            assert re.search(pattern(words), text), (call, text)
        for line in lines:
            if line.startswith("says "):
                assert re.search(pattern(line.removeprefix("says ")), str(result)), (call, result)
            elif not line.startswith("warns "):
                value, _, off = line.partition(" within ")
                expected = eval(value, names)
                if not isinstance(expected, str):
                    expected = np.array(expected, dtype=float)
                    expected = pytest.approx(expected, abs=float(off or 1e-15), rel=0)
                    result = np.array(result, dtype=float)
                assert result == expected, call
