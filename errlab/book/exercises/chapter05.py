"""Answers to the exercises of chapter 5, bounds for losses in [0, 1]."""

from functools import cache

import numpy as np

from errlab import bounds
from errlab._core.checks import FloatArray
from errlab.book.exercises._exercise import exercise


@exercise(
    "5.1",
    "The bound wants losses in [0, 1]. What must you do to yours, and then undo?",
    "Divide the losses by 0.2. The root of log(20) / 1000 is added; then multiply by 0.2.",
    # a sixth of what parts one side from two sides
    tolerance=2e-4,
    mistakes={
        "this is for losses anywhere in [0, 1]. You know more about yours.": lambda: np.sqrt(
            np.log(20) / 1000
        ),
        "this is for two sides. One bound, from above, has all of delta.": lambda: (
            0.2 * np.sqrt(np.log(2 / 0.05) / 1000)
        ),
        "it stretches with the losses, not squared.": lambda: 0.04 * np.sqrt(np.log(20) / 1000),
        "the root is missing.": lambda: 0.2 * np.log(20) / 1000,
    },
)
def hoeffding_for_small_losses() -> object:
    """How far above the mean is Hoeffding's bound, for 500 losses between 0 and 0.2?"""
    # stretched to [0, 1] and back; the width is the same for every mean that leaves it below 1
    return 0.2 * (bounds.hoeffding(0.1, 500) - 0.1)


@exercise(
    "5.2",
    "Push the losses as far apart as you can and keep the mean.",
    "Losses of 0 and 1 only: then the mean of the squares is the mean.",
    # an exact number: nothing is to be rounded
    tolerance=1e-9,
    mistakes={
        "that is the largest of all, at a mean of one half.": 0.25,
        "this is the standard deviation.": lambda: np.sqrt(0.2 * 0.8),
        "this is the mean of the squares. Subtract the square of the mean.": 0.2,
    },
)
def largest_variance() -> object:
    """What is the largest 1/n variance that losses with mean 0.2 can have?"""
    # losses of 0 and 1 lie as far apart as they can
    return 0.2 * 0.8


@exercise(
    "5.3",
    "A mean of zero: for which L is the probability of that at most 5%?",
    "At a mean of zero it is the exact bound for counts: 1 - delta ** (1 / n).",
    # four decimals: the bound for 100 losses of 0 is that for no error in 100
    tolerance=5e-5,
    mistakes={
        "this is the plain Hoeffding bound. The tight one is far lower here.": lambda: (
            bounds.hoeffding(0, 100)
        ),
        "one side has all of the 5%.": 1 - 0.025 ** (1 / 100),
        "no loss seen is not no loss.": 0.0,
    },
)
def no_loss_at_all() -> object:
    """What does tight Hoeffding say after 100 losses of exactly zero?"""
    return bounds.tight_hoeffding(0, 100)


@cache
def digit_losses() -> FloatArray:
    """Return the probability that a classifier gives to the wrong digits, on a test set."""
    from sklearn.datasets import load_digits
    from sklearn.ensemble import RandomForestClassifier

    X, y = load_digits(return_X_y=True)
    forest = RandomForestClassifier(100, random_state=0).fit(X[:1000], y[:1000])
    wrong: FloatArray = 1 - forest.predict_proba(X[1000:1300])[np.arange(300), y[1000:1300]]
    # a sum of 100 votes may be off by the last bit
    return wrong.clip(0, 1)


@exercise(
    "5.4",
    "One minus a probability lies between 0 and 1: it is a loss.",
    (
        "Take the column of the true digit from predict_proba, one minus it, and put all 300 into "
        "the bound."
    ),
    # forests differ a little between versions and processors
    tolerance=2e-3,
    code=True,
    mistakes={
        "this is the mean loss, not the bound.": digit_losses().mean,
        "this is Hoeffding's bound, which sees the mean only.": lambda: bounds.hoeffding(
            digit_losses().mean(), 300
        ),
    },
)
def soft_error_of_the_digits() -> object:
    """What betting bound holds for the probability given to wrong digits?"""
    return bounds.betting(digit_losses())
