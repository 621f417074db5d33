"""Answers to the exercises of chapter 2, the holdout method."""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import bounds, holdout
from errlab.book.exercises._exercise import exercise


@exercise(
    "2.1",
    tolerance=2e-4,
    hints=(
        (
            "The gap shrinks like one over the root of n. What stands above the root, for 95% and"
            " two sides?"
        ),
        "Two sides of 2.5% each: the root of log(2 / 0.05) / (2n).",
    ),
    mistakes=[
        (
            lambda: bounds.hoeffding(0, 2500),
            "this is the one-sided gap. Within means on both sides: log(2/delta).",
        ),
        (lambda: holdout.gap_bound(2500) ** 2, "the root is missing."),
        (
            lambda: holdout.gap_bound(2500, delta=0.025),
            "two sides are in the formula already; do not halve delta as well.",
        ),
    ],
)
def gap_of_2500() -> Any:
    """What is the Hoeffding gap of 2,500 cases?"""
    return holdout.gap_bound(2500)


@exercise(
    "2.2",
    asks="count",
    hints=(
        "All fifty must hold at once: by the union bound they share delta.",
        "log(2 * 50 / 0.01) / (2 * 0.02 ** 2), and up to the next whole case.",
    ),
    mistakes=[
        (
            lambda: holdout.sample_size(0.02, delta=0.01),
            "this is enough for one model. Fifty share delta.",
        ),
        (lambda: holdout.sample_size(0.02, models=50), "this is for 95% probability, not 99%."),
    ],
)
def cases_for_fifty_models() -> Any:
    """How many cases keep fifty gaps below 0.02 with 99 % probability?"""
    return holdout.sample_size(0.02, delta=0.01, models=50)


@exercise(
    "2.3",
    hints=(
        "Each model is at one half, give or take. Where does the luckiest of 200 end?",
        "What a winner of many guessers shows is a field of holdout.selection_bias.",
    ),
    mistakes=[
        (lambda: 0.5, "this is its true error. What it shows is lower: it was picked for that."),
        (
            lambda: 0.5 - holdout.selection_bias([0.5] * 200, 500).validation,
            "this is how far it lies below one half.",
        ),
        (
            lambda: 0.5 - np.sqrt(0.25 / 500),
            "one standard deviation is the luck of one model, not of the best of 200.",
        ),
    ],
)
def best_of_200_guesses() -> Any:
    """What error does the best of 200 guessing models show on 500 cases?"""
    return holdout.selection_bias([0.5] * 200, 500).validation


@exercise(
    "2.4",
    asks="count",
    hints=(
        "A copy brings no news, and the pairs count double in the mean. Both cost.",
        "The square of the sum of the copies, over the sum of their squares.",
    ),
    mistakes=[
        (
            lambda: 200,
            (
                "that is the number of distinct cases. As some count double, the mean is worse "
                "than that."
            ),
        ),
        (lambda: 300, "that is the number of rows. A copy of a case is not a new case."),
        (lambda: 100, "cases that occur twice are worth something as well."),
    ],
)
def worth_of_copies() -> Any:
    """How many independent cases are 100 single and 100 double ones worth?"""
    return holdout.effective_size([1] * 100 + [2] * 100)


@exercise(
    "2.5",
    code=True,
    hints=(
        "Three parts, three purposes: which one may be quoted?",
        (
            "Fit on part.train, choose on part.validation, put the errors on part.test into the "
            "exact bound."
        ),
    ),
)
def chosen_machine() -> Any:
    """What upper bound may you claim for the machine chosen on the digits?"""
    from sklearn.datasets import load_digits
    from sklearn.svm import SVC

    X, y = load_digits(return_X_y=True)
    part = holdout.three_way_split(len(y), validation_size=0.2, test_size=0.2, rng=7)
    machines = [SVC(gamma=g).fit(X[part.train], y[part.train]) for g in (1e-4, 1e-3, 1e-2, 0.1)]
    seen = [np.mean(m.predict(X[part.validation]) != y[part.validation]) for m in machines]
    wrong = machines[int(np.argmin(seen))].predict(X[part.test]) != y[part.test]
    return bounds.clopper_pearson(wrong.mean(), len(part.test))
