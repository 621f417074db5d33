"""Answers to the exercises of chapter 5, bounds for losses in [0, 1]."""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import bounds
from errlab.book.exercises._exercise import exercise


@exercise("5.1", hint="The square root of log(1/delta) / (2n).", tolerance=5e-4)
def hoeffding_width() -> Any:
    """How far above the mean loss is Hoeffding's bound, for 500 cases?"""
    return bounds.hoeffding(0.1, 500) - 0.1


@exercise(
    "5.2", hint="Losses of 0 and 1 only: then the mean of squares is the mean.", tolerance=1e-9
)
def largest_variance() -> Any:
    """What is the largest 1/n variance that losses with mean 0.2 can have?"""
    return 0.2 * 0.8


@exercise(
    "5.3", hint="Call bounds.maurer_pontil(0.25, 200, var=s**2) on a grid of s.", tolerance=0.004
)
def where_the_variance_pays() -> Any:
    """Below which s is Maurer-Pontil lower than tight Hoeffding, for mean 0.25, n = 200?"""
    s = np.linspace(0, 0.433, 2001)
    below = bounds.maurer_pontil(0.25, 200, var=s**2) < bounds.tight_hoeffding(0.25, 200)
    return float(s[below].max())


@exercise("5.4", hint="1 - delta ** (1 / n), or call the bound with mean 0.", tolerance=5e-5)
def no_loss_at_all() -> Any:
    """What does tight Hoeffding say after 100 losses of exactly zero?"""
    return bounds.tight_hoeffding(0, 100)


@exercise("5.5", hint="1 - predict_proba of the true class is a loss in [0, 1].", tolerance=2e-3)
def soft_error_of_the_digits() -> Any:
    """What betting bound holds for the probability given to wrong digits?"""
    return bounds.betting(digit_losses())


def digit_losses() -> Any:
    """Return the probability that a classifier gives to the wrong digits, on a test set."""
    from sklearn.datasets import load_digits
    from sklearn.ensemble import RandomForestClassifier

    X, y = load_digits(return_X_y=True)
    forest = RandomForestClassifier(100, random_state=0).fit(X[:1000], y[:1000])
    wrong = 1 - forest.predict_proba(X[1000:1300])[np.arange(300), y[1000:1300]]
    return wrong.clip(0, 1)
