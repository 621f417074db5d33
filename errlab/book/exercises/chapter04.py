"""Answers to the exercises of chapter 4, coverage."""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import bounds, coverage
from errlab.book.exercises._exercise import exercise


@exercise(
    "4.1",
    tolerance=5e-4,
    hints=(
        "Coverage adds up the probabilities of all counts for which the bound is high enough.",
        (
            "No normal bound after 0 errors reaches 5%. How probable is that count? Are there "
            "others? coverage.exact enumerates them."
        ),
    ),
    mistakes=[
        (lambda: 0.95, "that is what it promises. How often does it keep the promise?"),
        (
            lambda: coverage.exact("WIL", 0.05, 50),
            "Wilson's and the exact bound do so here. How about the normal one?",
        ),
    ],
)
def normal_coverage_at_five_percent() -> Any:
    """How often does the normal bound hold for L = 5 % and n = 50?"""
    return coverage.exact("NOR", 0.05, 50)


@exercise(
    "4.2",
    asks="count",
    hints=(
        "The bound is lowest for few errors. Where has it no width?",
        "Put small counts into the formula, and compare each bound with 1%.",
    ),
)
def normal_fails_without_errors() -> Any:
    """Which count alone makes the normal bound fail for L = 1 % and n = 10?"""
    return 0


@exercise(
    "4.3",
    hints=(
        "The curve has teeth. The deepest one is not in the middle.",
        "Look at the coverage between 0 and 0.5 on a fine grid: coverage.worst does that.",
    ),
    mistakes=[
        (
            lambda: coverage.worst("WIL", 50, within=(0, 0.5)).coverage,
            "this is how often it holds there. The place is asked.",
        ),
        (
            lambda: coverage.worst("NOR", 50, within=(0, 0.5)).error,
            "this is the worst place of the normal bound.",
        ),
        (lambda: coverage.worst("WIL", 50).error, "this place is above one half."),
    ],
)
def worst_wilson_error() -> Any:
    """At which true error up to one half does Wilson's bound hold least often, for n = 50?"""
    return coverage.worst("WIL", 50, within=(0, 0.5)).error


@exercise(
    "4.4",
    tolerance=1e-4,
    hints=(
        "Average each bound over all counts, weighted with how probable they are; then compare.",
        "The difference of two expected widths, Clopper-Pearson's minus Wilson's.",
    ),
)
def price_of_the_guarantee() -> Any:
    """By how much is Clopper-Pearson wider than Wilson on average, for L = 10 % and n = 100?"""
    exact, approximate = (coverage.expected_width(key, 0.1, 100) for key in ("CP", "WIL"))
    return exact - approximate


@exercise(
    "4.5",
    code=True,
    hints=(
        "The world is the error on all digits left; a test set is a draw of 60 of them.",
        (
            "Put the means of the rows drawn into Jeffreys' bound, and count where it is at least"
            " the world's error."
        ),
    ),
)
def real_coverage_of_jeffreys() -> Any:
    """On how many of 2,000 test sets of 60 digits does Jeffreys' bound hold?"""
    wrong = digit_errors()
    drawn = np.random.default_rng(5).choice(wrong, (2000, 60))
    return float((bounds.upper("JEF", drawn.mean(axis=1), 60) >= wrong.mean()).mean())


def digit_errors() -> Any:
    """Return the errors of the chapter's classifier on the digits it was not trained on."""
    from sklearn.datasets import load_digits
    from sklearn.naive_bayes import GaussianNB

    X, y = load_digits(return_X_y=True)
    return GaussianNB().fit(X[:300], y[:300]).predict(X[300:]) != y[300:]
