"""Answers to the exercises of chapter 3, bounds for 0/1 losses."""

from __future__ import annotations

from functools import cache

import numpy as np

from errlab import bounds
from errlab.book.exercises._exercise import exercise


@cache
def _lda_error() -> float:
    """Return the test error of LDA on the chapter's split of the breast-cancer data."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.model_selection import train_test_split

    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=200, random_state=3)
    wrong = LinearDiscriminantAnalysis().fit(X_train, y_train).predict(X_test) != y_test
    return float(wrong.mean())


@exercise(
    "3.1",
    tolerance=2e-4,
    hints=(
        "For which true error would a test without an error be as rare as one in twenty?",
        "Solve (1 - L) ** 100 = 0.05 for L.",
    ),
    mistakes=[
        (
            lambda: bounds.interval("CP", 0, 100).high,
            "this is the upper end of the two-sided interval. One side has all of the 5%.",
        ),
        (lambda: 0.0, "that is the test error. No error seen is not no error."),
        (
            lambda: 3 / 100,
            "the rule of three is near, and a little too high. Give the exact bound.",
        ),
        (lambda: 0.05, "5% is the chance that the bound fails, not the bound."),
    ],
)
def no_errors_in_100() -> object:
    """What is the upper bound after no error in 100 examples?"""
    return bounds.clopper_pearson(0, 100)


@exercise(
    "3.2",
    asks="count",
    hints=(
        "Without an error the bound depends on n alone. When is it at most 0.01?",
        "The smallest n with 0.99 ** n <= 0.05.",
    ),
    mistakes=[
        (
            lambda: int(np.ceil(np.log(0.025) / np.log(0.99))),
            "this is for the upper end of a two-sided interval. You claim one side only.",
        ),
        (lambda: 300, "the rule of three is near. A smaller number does it."),
        (
            lambda: int(np.ceil(np.log(20) / (2 * 0.01**2))),
            "this is Hoeffding's number. The exact bound needs far fewer.",
        ),
    ],
)
def examples_for_one_percent() -> object:
    """How many examples without an error allow the claim of at most 1 %?"""
    n = np.arange(1, 1000)
    return int(n[bounds.clopper_pearson(0, n) <= 0.01][0])


@exercise(
    "3.3",
    asks="choice",
    choices=("normal", "wilson"),
    hints=(
        "Wilson pulls the centre towards one half. Where is the centre here?",
        "The centres are equal, so compare the widths: Eq. 19 divides by 1 + z²/n.",
    ),
    mistakes=[
        (
            lambda: "wilson",
            (
                "at one half, Wilson does not move the centre, and it divides the width by "
                "something above 1."
            ),
        )
    ],
)
def normal_or_wilson_at_half() -> object:
    """Which is higher at half errors, n = 50: the normal bound or Wilson's?"""
    return "normal" if bounds.normal(0.5, 50) > bounds.wilson(0.5, 50) else "wilson"


@exercise(
    "3.4",
    tolerance=5e-4,
    hints=(
        "Ninety percent between two ends: how much may each end fail?",
        "Each end fails at most one time in twenty. Subtract the lower from the upper.",
    ),
    mistakes=[
        (
            lambda: np.ptp(bounds.interval("CP", 12 / 150, 150)),
            "this is the 95% interval. 90% was asked.",
        ),
        (
            lambda: np.ptp(bounds.interval("CP", 12 / 150, 150, delta=0.2)),
            "each end has 10% here, which makes it an 80% interval.",
        ),
        (
            lambda: bounds.interval("CP", 12 / 150, 150, delta=0.1).high,
            "this is the upper end. The width is asked.",
        ),
        (
            lambda: np.ptp(bounds.interval("NOR", 12 / 150, 150, delta=0.1)),
            "this is the normal interval. The exact one was asked.",
        ),
    ],
)
def width_of_two_sided() -> object:
    """How wide is the 90 % interval after 12 errors in 150?"""
    low, high = bounds.interval("CP", 12 / 150, 150, delta=0.1)
    return high - low


@exercise(
    "3.5",
    code=True,
    hints=(
        "The same steps as in the chapter, with a stricter delta.",
        "Count the errors on X_test, and bound them with delta=0.01.",
    ),
    mistakes=[
        (
            lambda: bounds.clopper_pearson(_lda_error(), 200),
            "this is the bound at 95%. A delta of 0.01 means 99%.",
        ),
        (lambda: _lda_error(), "this is the test error, not the bound."),
        (
            lambda: bounds.interval("CP", _lda_error(), 200, delta=0.01).high,
            "this is the end of a two-sided interval.",
        ),
    ],
)
def lda_claim() -> object:
    """What upper bound does LDA on the breast-cancer split allow, at delta = 0.01?"""
    return bounds.clopper_pearson(_lda_error(), 200, delta=0.01)
