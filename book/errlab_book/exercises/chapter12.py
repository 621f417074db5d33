"""Exercises of chapter 12: looking while it runs."""

import numpy as np

from errlab import bounds, coverage
from errlab_book.exercises._exercise import exercise


@exercise(
    "12.1",
    "If 60% were the true error, how often would k examples in a row be answered correctly?",
    "One look: 0.4 to the power of k, at most 5%. All looks: 1 + 1.2 times 0.6 to the power of k.",
    asks="count",
    parts=("one planned look", "a look after each"),
    mistakes={
        "so many right answers in a row still happen in more than 5% of such tests.": [3, 6],
        "that shares the 5% between two ends, but you claim one only.": [5, 6],
        "after that many the capital is still below 16.": [4, 5],
        "that adds up the gains. But the gambler stakes the gains as well.": [4, 27],
        "looking after each is not free: what excludes 60% at one look is not enough.": [4, 4],
        "each of two gamblers would need 40 of 1. This one has all the capital.": [4, 7],
    },
)
def right_answers_until_claimed() -> object:
    """After how many right answers is an error of 60% excluded, at one look or at all looks?"""
    run = np.arange(1, 50)
    one_look = (0.4**run <= 0.05).argmax()
    # the stake is a fraction of the capital, so gains multiply
    all_looks = ((1 + 1.2 * 0.6) ** run >= 20).argmax()
    return [int(run[one_look]), int(run[all_looks])]


@exercise(
    "12.2",
    "What does each of them promise, and to how many looks?",
    "A rule of when to stop may depend on all that was seen, if the promise is for all looks.",
    asks="choice",
    choices=("a", "b", "c"),
    mistakes={
        "the test was made for a number of examples that is fixed beforehand.": "a",
        "fewer looks cost less, but still cost: the 5% are promised to a single look.": "b",
    },
)
def a_rule_for_stopping() -> object:
    """Which rule for stopping keeps its level?"""
    return "c"


@exercise(
    "12.3",
    "How large may the probability be that any of the four misses, and what does each add?",
    "Failures add up at most. So for the second answer each look gets a quarter of 5%.",
    tolerance=5e-4,
    parts=("probability of a miss", "confidence of each"),
    mistakes={
        "this holds for independent looks. Later looks share the examples of earlier ones.": [
            1 - 0.95**4,
            1 - 0.05 / 4,
        ],
        "this is one look's probability to miss. Each of the four adds its own.": [
            0.05,
            1 - 0.05 / 4,
        ],
        "four looks at this may miss more often than 5%, as the first answer says.": [
            4 * 0.05,
            0.95,
        ],
        "this is the probability that one look may fail, not its confidence.": [
            4 * 0.05,
            0.05 / 4,
        ],
        "flipped: each look must be surer than all four together, not less sure.": [4 * 0.05, 0.8],
    },
)
def four_planned_looks() -> object:
    """How often may one of four looks at 95 % miss, and which confidence makes it 5 %?"""
    # Bonferroni's inequality needs no independence, which the looks don't have
    return [4 * 0.05, 1 - 0.05 / 4]


@exercise(
    "12.4",
    "Feed the losses, and ask after each example whether the upper end is below the limit.",
    "bounds.confidence_sequence gives all ends at once; find the first that is small enough.",
    asks="count",
    code=True,
)
def examples_until_ten_percent() -> object:
    """After how many examples of that run is an error of 10% or more excluded?"""
    losses = np.random.default_rng(16).random(2000) < 0.05
    # valid at every look, so the run may end at the first example where it excludes 10%
    return int((bounds.confidence_sequence(losses).high < 0.1).argmax()) + 1


@exercise(
    "12.5",
    "coverage.peeking can start at a look of your choice, and take steps between looks.",
    "start and step are both 100; the last entry has the misses of all ten looks.",
    tolerance=5e-4,
    code=True,
    mistakes={
        "this looks after each example. Ten looks cost less.": lambda: coverage.peeking(
            "CP", 0.05, 1000
        )[-1],
        "this is the last look alone, without the nine before it.": lambda: coverage.peeking(
            "CP", 0.05, 1000, start=1000
        )[-1],
        "this holds for independent looks. Later looks share the examples of earlier ones.": (
            1 - 0.95**10
        ),
        "this is the most that ten looks can cost. It can be computed exactly.": 10 * 0.05,
    },
)
def ten_looks() -> object:
    """How often does one of ten looks at a 95% interval miss a true error of 5%?"""
    return coverage.peeking("CP", 0.05, 1000, start=100, step=100)[-1]
