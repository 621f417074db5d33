"""Answers to the exercises of chapter 5: bounds for losses in [0, 1], and which to take."""

from functools import cache

import numpy as np

from errlab import bounds, holdout
from errlab.checks import FloatArray
from errlab_book.exercises._exercise import exercise


@exercise(
    "5.1",
    "The bound wants losses in [0, 1]. What must you do to yours, and then undo?",
    "Divide the losses by 0.2. The root of log(20) / 1000 is added; then multiply by 0.2.",
    # a sixth of the difference between the one-sided and the two-sided width
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
    # rescale to [0, 1] and back; the mean doesn't matter as long as the bound is below 1
    return 0.2 * (bounds.hoeffding(0.1, 500) - 0.1)


@exercise(
    "5.2",
    "Push the losses as far apart as you can and keep the mean.",
    "Losses of 0 and 1 only: then the mean of the squares is the mean.",
    # the answer is exact, so there is nothing to round
    tolerance=1e-9,
    mistakes={
        "that is the largest of all, at a mean of one half.": 0.25,
        "this is the standard deviation.": lambda: np.sqrt(0.2 * 0.8),
        "this is the mean of the squares. Subtract the square of the mean.": 0.2,
        "that is 1 - 0.2. The mean is the other factor.": 0.8,
    },
)
def largest_variance() -> object:
    """What is the largest 1/n variance that losses with mean 0.2 can have?"""
    # losses of 0 and 1 are as far apart as possible
    return 0.2 * 0.8


def _calm(part: float) -> FloatArray:
    """Return 200 losses with a mean of 10% and this fraction of the largest variance."""
    from scipy import stats

    both = 1 / part - 1
    losses: FloatArray = stats.beta(0.1 * both, 0.9 * both).ppf((np.arange(200) + 0.5) / 200)
    return losses


def _worth(losses: FloatArray) -> int:
    """Return the n from which Bentkus's bound is as low as the betting bound on these losses."""
    target = float(bounds.upper("BET", losses=losses))
    return holdout.sample_size_for("BEN", target=target, mean=float(losses.mean()))


@exercise(
    "5.3",
    "Set n to 200 and the variance to a quarter of the largest; the title counts.",
    "From how many losses on would Bentkus's bound, which sees their mean, be as low as betting's?",
    asks="count",
    mistakes={
        "that is how many there are. Betting looks at each, and learns more from them.": 200,
        "a quarter of the variance would be worth that if it were known for nothing.": 800,
        "that is for a twentieth of the largest variance.": lambda: _worth(_calm(0.05)),
    },
)
def worth_of_calm_losses() -> object:
    """How many examples are 200 losses with a quarter of the largest variance worth to betting?"""
    return _worth(_calm(0.25))


@exercise(
    "5.4",
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
    # by default only proven bounds are ranked, tightest first
    return bounds.rank(0.1, 100, loss="binary")[0].key


@exercise(
    "5.5",
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
    """How many more examples are needed if the interval, not only the bound, must end at 8 %?"""
    one, two = (
        holdout.sample_size_for("CP", target=0.08, mean=0.05, delta=delta)
        for delta in (0.05, 0.025)
    )
    return two - one


@exercise(
    "5.6",
    "The lowest fails as soon as one of the three does.",
    "At worst no two of them fail together: then their failures add up.",
    # an exact answer, and close to the answer for independent bounds
    tolerance=1e-9,
    mistakes={
        "you have chosen after seeing them. Each has its own chance to fail.": 0.95,
        "this would need the three to be independent. They see the same losses.": 0.95**3,
    },
)
def lowest_of_three() -> object:
    """Which confidence does the lowest of three bounds guarantee, each at 95 %?"""
    return 1 - 3 * 0.05


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
    "5.7",
    "One minus a probability lies between 0 and 1: it is a loss.",
    (
        "Take the column of the true digit from predict_proba, one minus it, and put all 300 into "
        "the bound."
    ),
    # forests differ a little between versions and processors
    tolerance=2e-3,
    code=True,
    mistakes={
        "this is the mean loss, not the bound.": lambda: digit_losses().mean(),
        "this is Hoeffding's bound, which sees the mean only.": lambda: bounds.hoeffding(
            digit_losses().mean(), 300
        ),
    },
)
def soft_error_of_the_digits() -> object:
    """What betting bound holds for the probability given to wrong digits?"""
    return bounds.betting(digit_losses())


@exercise(
    "5.8",
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
    # Maurer-Pontil is the tightest for all n above the last one at which Bentkus is
    keys = bounds.applicable("bounded")
    first = bounds.tightest(keys, 0.15, np.arange(5, 1001), var=0.004)
    # index 0 is n = 5; return the first n after Bentkus's last one
    return 6 + int(np.flatnonzero(first == "BEN")[-1])
