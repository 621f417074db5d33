"""Answers to the exercises of chapter 3, bounds for 0/1 losses."""

from functools import cache

import numpy as np

from errlab import bounds
from errlab_book.exercises._exercise import exercise, tumours


# used by the answer and by three mistakes, so it is trained once
@cache
def _lda_error() -> float:
    """Return the test error of LDA on the chapter's split of the breast-cancer data."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    X_train, X_test, y_train, y_test = tumours()
    wrong = LinearDiscriminantAnalysis().fit(X_train, y_train).predict(X_test) != y_test
    return float(wrong.mean())


def _printed(low: float, high: float) -> tuple[float, float]:
    """Return an interval as the lab prints it, in tenths of a percent, rounded outward."""
    return np.floor(1000 * low) / 1000, np.ceil(1000 * high) / 1000


@exercise(
    "3.1",
    "For which true error would a test without an error be as rare as one in twenty?",
    "Solve (1 - L) ** 100 = 0.05 for L.",
    # the lab prints it rounded up
    tolerance=5e-4,
    mistakes={
        "this is the upper end of the two-sided interval. One side has all of the 5%.": lambda: (
            bounds.interval("CP", 0, 100).high
        ),
        "that is the test error. No error seen is not no error.": 0.0,
        "5% is the chance that the bound fails, not the bound.": 0.05,
    },
)
def no_errors_in_100() -> object:
    """What is the upper bound after no errors in 100 examples?"""
    return bounds.clopper_pearson(0, 100)


@exercise(
    "3.2",
    "Without an error the bound depends on n alone. When is it at most 0.01?",
    "The smallest n with 0.99 ** n <= 0.05.",
    asks="count",
    mistakes={
        "this is for the upper end of a two-sided interval. You claim one side only.": lambda: int(
            np.ceil(np.log(0.025) / np.log(0.99))
        ),
        "the rule of three is near. A smaller number does it.": 300,
        "this is Hoeffding's number. The exact bound needs far fewer.": lambda: int(
            np.ceil(np.log(20) / (2 * 0.01**2))
        ),
    },
)
def examples_for_one_percent() -> object:
    """How many examples without an error allow the claim of at most 1 %?"""
    # the bound falls with n, so the first n with a small enough bound is the smallest
    n = np.arange(1, 1000)
    return int(n[bounds.clopper_pearson(0, n) <= 0.01][0])


@exercise(
    "3.3",
    "Wilson pulls the centre towards one half. Where is the centre here?",
    "The centres are equal, so compare the widths: Wilson's formula, folded above, divides by "
    "1 + z²/n.",
    asks="choice",
    choices=("normal", "wilson"),
    mistakes={
        "at one half, Wilson does not move the centre, and it divides the width by "
        "something above 1.": "wilson",
    },
)
def normal_or_wilson_at_half() -> object:
    """Which is higher if half of 50 examples are errors: the normal bound or Wilson's?"""
    return "normal" if bounds.normal(0.5, 50) > bounds.wilson(0.5, 50) else "wilson"


@exercise(
    "3.4",
    "Ninety percent between two ends: how much may each end fail?",
    "Each end fails at most one time in twenty. Subtract the lower from the upper.",
    # the lab prints both ends rounded outward
    tolerance=1e-3,
    mistakes={
        "this is the 95% interval. 90% was asked.": lambda: np.ptp(
            bounds.interval("CP", 12 / 150, 150)
        ),
        "each end has 10% here, which makes it an 80% interval.": lambda: np.ptp(
            bounds.interval("CP", 12 / 150, 150, delta=0.2)
        ),
        "this is the upper end. The width is asked.": lambda: (
            bounds.interval("CP", 12 / 150, 150, delta=0.1).high
        ),
        "this is the normal interval. The exact one was asked.": lambda: np.ptp(
            bounds.interval("NOR", 12 / 150, 150, delta=0.1)
        ),
    },
    # both ends as the lab prints them, each rounded outward
    reading=lambda: float(np.ptp(_printed(*bounds.interval("CP", 0.08, 150, delta=0.1)))),
)
def width_of_two_sided() -> object:
    """How wide is the 90 % interval after 12 errors in 150?"""
    # 5% at each end, so delta is 10%
    low, high = bounds.interval("CP", 12 / 150, 150, delta=0.1)
    return high - low


@exercise(
    "3.5",
    "A claim must stay true when it is rounded. Which way is that?",
    "Type the counts into the lab, or call bounds.clopper_pearson; then keep one digit after the "
    "point of the percentage.",
    tolerance=5e-4,
    mistakes={
        "a bound is rounded up to the digit that you print, or it claims too much.": lambda: (
            np.floor(1000 * bounds.clopper_pearson(7 / 300, 300)) / 1000
        ),
        "this is the upper end of the two-sided interval. The claim has one end.": lambda: (
            np.ceil(1000 * bounds.interval("CP", 7 / 300, 300).high) / 1000
        ),
        "this is the normal approximation, and you call it exact.": lambda: (
            np.ceil(1000 * bounds.normal(7 / 300, 300)) / 1000
        ),
        "this is the test error, which other emails would have given otherwise.": 7 / 300,
    },
)
def claim_to_print() -> object:
    """Which bound, in tenths of a per cent, can be printed after 7 errors in 300?"""
    return float(np.ceil(1000 * bounds.clopper_pearson(7 / 300, 300)) / 1000)


@exercise(
    "3.6",
    "An approximation may be right on average, or for large n. Which is right by construction?",
    "The column Proven of the lab tells.",
    asks="choice",
    choices=("normal", "wilson", "jeffreys", "blaker"),
    mistakes={
        "after no error it claims a true error of 0.": "normal",
        "it is close to its level, now above and now below it.": "wilson",
        "it is right on average over true errors, but not for each of them.": "jeffreys",
    },
)
def proven() -> object:
    """Which of the four is proven for every true error and number of examples?"""
    keys = {"normal": "NOR", "wilson": "WIL", "jeffreys": "JEF", "blaker": "BLA"}
    (only,) = (name for name, key in keys.items() if bounds.BOUNDS[key].rigorous)
    return only


@exercise(
    "3.7",
    "The same steps as in the chapter, with a stricter delta.",
    "Count the errors on X_test, and bound them with delta=0.01.",
    code=True,
    mistakes={
        "this is the bound at 95%. A delta of 0.01 means 99%.": lambda: bounds.clopper_pearson(
            _lda_error(), 200
        ),
        "this is the test error, not the bound.": _lda_error,
        "this is the end of a two-sided interval.": lambda: (
            bounds.interval("CP", _lda_error(), 200, delta=0.01).high
        ),
    },
)
def lda_claim() -> object:
    """What upper bound does LDA on the breast-cancer split allow, at delta = 0.01?"""
    return bounds.clopper_pearson(_lda_error(), 200, delta=0.01)
