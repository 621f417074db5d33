"""Answers to the exercises of chapter 6, which bound."""

import numpy as np

from errlab import bounds, holdout
from errlab.book.exercises._exercise import exercise


@exercise(
    "6.1",
    "A guarantee: no approximation. Errors are counted: the binomial distribution is known.",
    "Which bound inverts the binomial distribution itself?",
    asks="choice",
    choices=("CP", "HOE", "JEF", "T_HOE", "WIL"),
    mistakes={
        "it is proven, but knows only that losses lie in [0, 1].": "HOE",
        "it is proven, but forgets that losses are 0 or 1.": "T_HOE",
        "it is an approximation: there are true errors where it fails too often.": "WIL",
        "it is close on average, but without a guarantee.": "JEF",
    },
)
def for_counts_with_a_guarantee() -> object:
    """Which bound is tightest for 0/1 losses when a guarantee is needed?"""
    # without a word on it only proven bounds compete, tightest first
    return bounds.rank(0.1, 100, loss="binary")[0].key


@exercise(
    "6.2",
    "The second end wants half of delta. Plan twice, and compare.",
    "The smallest n at mean 0.05 whose bound is at most 0.08: once at 5%, once at 2.5%.",
    asks="count",
    mistakes={
        "this is what the one-sided plan takes. What does the second end add to it?": lambda: (
            holdout.sample_size_for("CP", target=0.08, mean=0.05)
        ),
        "this is all that the two-sided plan takes. How many are added?": lambda: (
            holdout.sample_size_for("CP", target=0.08, mean=0.05, delta=0.025)
        ),
        "half of delta is left for each end, and that has its price.": 0,
        "this is Hoeffding's price.": lambda: (
            holdout.sample_size_for("HOE", target=0.08, mean=0.05, delta=0.025)
            - holdout.sample_size_for("HOE", target=0.08, mean=0.05)
        ),
    },
)
def price_of_the_second_end() -> object:
    """How many more examples if the interval, not only the bound, shall end at 8 %?"""
    one, two = (
        holdout.sample_size_for("CP", target=0.08, mean=0.05, delta=delta)
        for delta in (0.05, 0.025)
    )
    return two - one


@exercise(
    "6.3",
    "The lowest fails as soon as one of the three does.",
    "At worst no two of them fail together: then their failures add up.",
    # an exact number, and near what independence would give
    tolerance=1e-9,
    mistakes={
        "you have chosen after seeing them. Each has its own chance to fail.": 0.95,
        "this would need the three to be independent. They see the same losses.": 0.95**3,
    },
)
def lowest_of_three() -> object:
    """What is still guaranteed for the lowest of three bounds, each at 95 %?"""
    return 1 - 3 * 0.05


@exercise(
    "6.4",
    "With few examples the bound that learns the variance has not paid for it yet.",
    "For each n, sort the proven bounds at this mean and variance; see where MAU leads.",
    asks="count",
    code=True,
    mistakes={
        "there it passes tight Hoeffding. Another bound is lower still.": lambda: next(
            n
            for n in range(2, 1001)
            if bounds.upper("MAU", 0.15, n, var=0.004) < bounds.upper("T_HOE", 0.15, n)
        ),
        "there it passes plain Hoeffding. Others are lower still.": lambda: next(
            n
            for n in range(2, 1001)
            if bounds.upper("MAU", 0.15, n, var=0.004) < bounds.upper("HOE", 0.15, n)
        ),
    },
)
def where_the_variance_is_worth_learning() -> object:
    """From how many examples on is Maurer-Pontil the tightest, for mean 0.15 and variance 0.004?"""
    # the lead changes hands where Bentkus stops: after its last lead Maurer-Pontil is ahead
    keys = bounds.applicable("bounded")
    first = bounds.tightest(keys, 0.15, np.arange(5, 1001), var=0.004)
    # place 0 is n = 5, and asked is the first n after the last lead
    return 6 + int(np.flatnonzero(first == "BEN")[-1])
