"""What a type checker, and so an editor, says that a call returns: numbers in, a number out."""

import re

import pytest
from mypy import api

pytestmark = pytest.mark.slow  # mypy reads numpy anew

CALLS = """
import numpy as np
from errlab import bootstrap, bounds, compare, coverage, crossval, holdout, metrics

rates = np.array([0.1, 0.2])
"""
FLOAT = "float"
PAIR = f"tuple[{FLOAT}, {FLOAT}, fallback=Interval[{FLOAT}]]"
ARRAY = "ndarray[tuple[Any, ...], dtype[float64]]"
RETURNS = {
    "bounds.clopper_pearson(0.1, 50)": FLOAT,
    "bounds.clopper_pearson(np.float64(0.1), np.int64(50))": FLOAT,
    "bounds.clopper_pearson([0.1, 0.2], 50)": ARRAY,
    "bounds.wilson(rates, 50, delta=0.1)": ARRAY,
    "bounds.betting([0.0, 0.5, 1.0])": FLOAT,
    "bounds.upper('CP', 0.1, 50)": FLOAT,
    "bounds.upper('CP', errors=7, n=200)": FLOAT,
    "bounds.lower('CP', errors=[7, 8], n=200)": ARRAY,
    "bounds.upper('BET', losses=[0.0, 0.5])": FLOAT,
    "bounds.interval('CP', errors=7, n=200)": PAIR,
    "bounds.interval('CP', rates, 200)": f"tuple[{ARRAY}, {ARRAY}, fallback=Interval[{ARRAY}]]",
    "bounds.interval('CP', errors=7, n=200).low": FLOAT,
    "metrics.equal_error_rate([0, 1], [0, 1])": FLOAT,
    "metrics.rate_interval(metrics.Confusion(1, 2, 3, 4), 'TPR').low": FLOAT,
    "holdout.gap_bound(200)": FLOAT,
    "holdout.gap_bound([100, 200], delta=0.1)": ARRAY,
    "holdout.sample_size(0.05)": "int",
    "coverage.exact('CP', 0.1, 50)": FLOAT,
    "coverage.expected_width('CP', rates, 50)": ARRAY,
    "bootstrap.combine632(0.1, 0.2)": FLOAT,
    "compare.mcnemar_size([5, 6])": ARRAY,
    "crossval.one_standard_error([0.1], [0.1], [1])": "int",
    "holdout.sample_size_for('CP', target=0.1, mean=0.05)": "int",
}


@pytest.fixture(scope="module")
def revealed(tmp_path_factory):
    """Ask mypy once for all of them."""
    file = tmp_path_factory.mktemp("types") / "calls.py"
    asked = "".join(f"reveal_type({call})\n" for call in RETURNS)
    file.write_text(CALLS + asked, encoding="utf-8")
    cache = tmp_path_factory.mktemp("cache")
    said, wrong, status = api.run(
        ["--config-file=", "--ignore-missing-imports", f"--cache-dir={cache}", str(file)]
    )
    assert status == 0, said + wrong
    first = CALLS.count("\n") + 1
    lines = dict(enumerate(RETURNS, start=first))
    said_of = re.findall(r':(\d+): note: Revealed type is "(.*)"', said)
    return {lines[int(number)]: re.sub(r"\b[\w.]+\.", "", what) for number, what in said_of}


@pytest.mark.parametrize("call", RETURNS)
def test_an_editor_is_told_what_comes_back(revealed, call):
    assert revealed[call] == RETURNS[call]
