"""Answers to the exercises of chapter 4, coverage."""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import bounds, coverage
from errlab.book.exercises._exercise import exercise


@exercise("4.1", hint="coverage.exact takes the key, the true error and n.", tolerance=5e-4)
def normal_coverage_at_five_percent() -> Any:
    """How often does the normal bound hold for L = 5 % and n = 50?"""
    return coverage.exact("NOR", 0.05, 50)


@exercise("4.2", hint="The bound fails only where no error occurs: what is (1 - L)^n?")
def normal_fails_without_errors() -> Any:
    """Which count alone makes the normal bound fail for L = 1 % and n = 10?"""
    return 0


@exercise("4.3", hint="coverage.worst returns the coverage and where it lies; try growing n.")
def worst_wilson_error() -> Any:
    """At which true error up to one half does Wilson's bound hold least often, for n = 50?"""
    return coverage.worst("WIL", 50, within=(0, 0.5)).error


@exercise("4.4", hint="Subtract two calls of coverage.expected_width.", tolerance=1e-4)
def price_of_the_guarantee() -> Any:
    """By how much is Clopper-Pearson wider than Wilson on average, for L = 10 % and n = 100?"""
    exact, approximate = (coverage.expected_width(key, 0.1, 100) for key in ("CP", "WIL"))
    return exact - approximate


@exercise("4.5", hint="Draw with rng.choice(wrong, (2000, 60)), take means of the rows.")
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
