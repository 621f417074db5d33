"""How many of errlab's functions one call runs: arguments are checked only once."""

import cProfile
import os
from pathlib import Path

import numpy as np

import errlab
from errlab import bounds

# with a separator, because errlab_book is beside it
ROOM = f"{Path(errlab.__file__).parent}{os.sep}"


def calls_of_errlab(question):
    """Count the calls of functions in errlab's files, after all imports."""
    question()
    with cProfile.Profile() as profile:
        question()
    ours = [e for e in profile.getstats() if getattr(e.code, "co_filename", "").startswith(ROOM)]
    return sum(entry.callcount for entry in ours)


def test_a_question_takes_few_calls():
    truth = np.arange(200) % 2
    guesses = np.where(np.arange(200) % 29 == 0, 1 - truth, truth)
    assert calls_of_errlab(lambda: bounds.interval("CP", errors=7, n=200)) <= 40
    assert calls_of_errlab(lambda: errlab.report(truth, guesses)) <= 110


def test_counts_reach_the_formula_as_counts(monkeypatch):
    """A mean of k / n would lose the count: n (k / n) isn't always k, as 0.1 + 0.2 isn't 0.3."""
    sizes = np.array([49, 3 * 2**40 + 1, 2**52 - 1])
    errors = np.array([7, 2**40, 2**51 + 1])
    observed = []
    formula = bounds.BOUNDS["WIL"].formula

    def listening(data, delta):
        observed.append(data)
        return formula(data, delta)

    monkeypatch.setattr(bounds.BOUNDS["WIL"], "formula", listening)
    bounds.upper("WIL", errors=errors, n=sizes)
    assert (observed[0].errors == errors).all()
    assert (observed[0].errors + observed[0].right == sizes).all()
