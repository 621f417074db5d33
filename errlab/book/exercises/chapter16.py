"""Exercises of chapter 16: looking while it runs."""

from __future__ import annotations

import numpy as np

from errlab import bounds, coverage
from errlab.book.exercises._exercise import exercise


@exercise(
    "16.1",
    tolerance=5e-4,
    hints=(
        "The chance that a look has missed, of a 95% interval, with a look after each case.",
        "coverage.peeking gives it after each case; take the last entry.",
    ),
    mistakes=[
        (lambda: 0.05, "that is promised to one look, and this is the largest that it may be."),
        (
            lambda: float(coverage.peeking("CP", 0.2, 300, start=300)[-1]),
            "this is one look, at the end.",
        ),
        (
            lambda: float(coverage.peeking("CP", 0.2, 300, start=10, step=10)[-1]),
            "this is a look after every ten cases.",
        ),
    ],
)
def three_hundred_looks() -> object:
    """How probably does any of 300 looks at Clopper-Pearson miss a true error of 20%?"""
    return float(coverage.peeking("CP", 0.2, 300)[-1])


@exercise(
    "16.2",
    asks="choice",
    choices=("a", "b", "c"),
    hints=(
        "What does each of them promise, and to how many looks?",
        "A rule of when to stop may depend on all that was seen, if the promise is for all looks.",
    ),
    mistakes=[
        (lambda: "a", "the test was made for a number of cases that is fixed beforehand."),
        (lambda: "b", "fewer looks cost less, but they cost: one look is what 5% are promised to."),
    ],
)
def a_rule_for_stopping() -> object:
    """Which rule for stopping keeps its level?"""
    return "c"


@exercise(
    "16.3",
    asks="count",
    code=True,
    hints=(
        "Feed the losses, and ask after each case whether the upper end is below the limit.",
        "bounds.confidence_sequence gives all ends at once; find the first that is small enough.",
    ),
)
def cases_until_ten_percent() -> object:
    """After how many cases of that run is an error of 10% or more excluded?"""
    losses = np.random.default_rng(16).random(2000) < 0.05
    return int((bounds.confidence_sequence(losses).high < 0.1).argmax()) + 1
