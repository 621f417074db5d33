"""Answers to the exercises of chapter 4, coverage."""

import numpy as np

from errlab import bounds, coverage
from errlab.datasets import load_board
from errlab_book.exercises._exercise import exercise


@exercise(
    "4.1",
    "The bound is lowest for few errors. Where has it no width?",
    "Put small counts into the formula, and compare each bound with 1%.",
    asks="count",
)
def normal_fails_without_errors() -> object:
    """Which is the only count for which the normal bound fails, for L = 1 % and n = 10?"""
    # without errors the normal bound is 0; one error raises it above 1%
    return 0


@exercise(
    "4.2",
    "The curve has teeth. The deepest one is not in the middle.",
    "Set the explorer to 50 examples and Wilson, and read the square. In Python: "
    'coverage.worst("WIL", 50, within=(0, 0.5)), which looks beside every jump.',
    mistakes={
        "this is how often it is right there. The place is asked.": lambda: (
            coverage.worst("WIL", 50, within=(0, 0.5)).coverage
        ),
        "this is the worst place of the normal bound.": lambda: (
            coverage.worst("NOR", 50, within=(0, 0.5)).error
        ),
        "this place is above one half.": lambda: coverage.worst("WIL", 50).error,
    },
)
def worst_wilson_error() -> object:
    """At which true error up to one half is Wilson's coverage lowest, for n = 50?"""
    # the lowest point is next to a jump, which a grid would miss
    return coverage.worst("WIL", 50, within=(0, 0.5)).error


@exercise(
    "4.3",
    "One count alone fails. How likely is it?",
    "No error in ten has probability (1 - 0.2) ** 10. In all other tests the bound is right.",
    tolerance=5e-4,
    mistakes={
        "that is what was promised. Here you can compute it.": 0.95,
        "this is Clopper-Pearson's, which never fails here. This bound fails after no "
        "error.": lambda: coverage.exact("CP", 0.2, 10),
    },
)
def fails_after_no_error() -> object:
    """What is the coverage of a bound that fails only after no errors in 10, for L = 20 %?"""
    # all counts but 0
    return 1 - 0.8**10


@exercise(
    "4.4",
    "The price is a difference of two widths.",
    "Take Wilson's mean distance from Clopper-Pearson's, in the row of 50 examples.",
    mistakes={
        "this is how far the bound lies above the test error. What does the guarantee add?": (
            lambda: coverage.expected_width("CP", 0.1, 50)
        ),
        "this is what lies between it and the normal approximation.": lambda: (
            coverage.expected_width("CP", 0.1, 50) - coverage.expected_width("NOR", 0.1, 50)
        ),
        "this is the price with ten examples. More of them make it smaller.": lambda: (
            coverage.expected_width("CP", 0.1, 10) - coverage.expected_width("WIL", 0.1, 10)
        ),
    },
)
def price_of_the_guarantee() -> object:
    """How much wider than Wilson's is the exact bound on average, for L = 10 % and n = 50?"""
    return coverage.expected_width("CP", 0.1, 50) - coverage.expected_width("WIL", 0.1, 50)


@exercise(
    "4.5",
    "With 50 examples the bound fails after no error only. When after one as well?",
    "coverage.exact for 51 examples, then for one more each time; stop at the first below 80%.",
    asks="count",
    code=True,
    mistakes={
        "there it is below 80% as well, but you were asked to start from 50.": lambda: next(
            n for n in range(2, 99) if coverage.exact("NOR", 0.05, n) < 0.8
        ),
        "this is where Wilson's bound leaves 95%.": lambda: next(
            n for n in range(51, 999) if coverage.exact("WIL", 0.05, n) < 0.95
        ),
    },
)
def more_cases_less_coverage() -> object:
    """What is the first n above 50 at which the normal bound covers less than 80 %, L = 5 %?"""
    return next(n for n in range(51, 999) if coverage.exact("NOR", 0.05, n) < 0.8)


@exercise(
    "4.6",
    "The world is the error on all 10,000 images; a test set is a draw of 200 of them.",
    (
        "Put the means of the rows drawn into Jeffreys' bound, and count where it is at least the "
        "world's error."
    ),
    code=True,
)
def real_coverage_of_jeffreys() -> object:
    """On how many of 2,000 test sets of 200 images does Jeffreys' bound cover the true error?"""
    # the population is finite and known: its error rate is the true error
    wrong = sorted(load_board("cifar10").losses["test"], key=np.mean)[1]
    drawn = np.random.default_rng(5).choice(wrong, (2000, 200))
    return float((bounds.upper("JEF", drawn.mean(axis=1), 200) >= wrong.mean()).mean())
