"""Answers to the exercises of chapter 16, what to write in the paper."""

import numpy as np

from errlab import bounds
from errlab_book.exercises._exercise import exercise


@exercise(
    "16.1",
    "A patient whom the model was trained on says nothing about new ones. Who is left?",
    "None of the twenty was an error: the exact one-sided bound for 3 errors in 180.",
    mistakes={
        "the twenty copies are still in it. They can't count: the model has seen them.": lambda: (
            bounds.clopper_pearson(3 / 200, 200)
        ),
        "this is the rate. A bound lies above it.": 3 / 180,
        "this is the upper end of the two-sided interval.": lambda: (
            bounds.interval("CP", errors=3, n=180).high
        ),
        "this is Hoeffding's bound. For counts an exact bound is lower.": lambda: bounds.hoeffding(
            3 / 180, 180
        ),
    },
)
def twenty_copies() -> object:
    """Which upper bound remains for 3 errors in 200, if 20 of the right ones were trained on?"""
    # the twenty patients were right, so the errors stay and the number of patients falls
    return bounds.clopper_pearson(3 / 180, 180)


@exercise(
    "16.2",
    "Twenty bounds must be right together, so that the bound of the best one is.",
    "Twenty claims share delta: each gets 0.05 / 20. The slider above has this setting.",
    mistakes={
        "this is the bound for one classifier.": lambda: bounds.clopper_pearson(3 / 200, 200),
        "this is the end of a two-sided interval.": lambda: (
            bounds.interval("CP", errors=3, n=200, delta=0.05 / 20).high
        ),
    },
)
def best_of_twenty() -> object:
    """Which bound applies if that was the best of 20 classifiers, named before the test?"""
    # all twenty bounds must be valid for the winner's to be, so each gets a twentieth of 5%
    return bounds.clopper_pearson(3 / 200, 200, delta=0.05 / 20)


@exercise(
    "16.3",
    "Read each as a referee: counts, a bound, and how the model was chosen.",
    "Which sentence would you need to ask nothing about?",
    asks="choice",
    choices=("a", "b", "c"),
    mistakes={
        "no counts, no test behind significantly, and no word on the 20 classifiers.": "a",
        "1.5% is what was seen. No rate measured on 200 patients is the true error with "
        "confidence.": "b",
    },
)
def which_sentence() -> object:
    """Which of the sentences a, b, c can you print?"""
    # the only report with counts, a bound, and the number of classifiers that were tried
    return "c"


@exercise(
    "16.4",
    "Without an error the bound depends on n alone. When is it at most 0.02?",
    "The smallest n with 0.98 ** n <= 0.05.",
    asks="count",
    mistakes={
        "this is for the upper end of a two-sided interval. You claim one side only.": lambda: int(
            np.ceil(np.log(0.025) / np.log(0.98))
        ),
        "the rule of three is near. A smaller number does it.": 150,
    },
)
def cases_for_two_percent() -> object:
    """How many patients without an error allow the claim "at most 2 %"?"""
    return next(n for n in range(1, 1000) if bounds.clopper_pearson(0, n) <= 0.02)


@exercise(
    "16.5",
    "First the error rate of the ill and that of the healthy, each by itself.",
    "Then their mean, with the fractions of the clinic as weights.",
    tolerance=5e-4,
    mistakes={
        "that is the error in the test set, where half are ill.": 15 / 200,
        "the two shares are exchanged.": 0.98 * 0.12 + 0.02 * 0.03,
        "the healthy ones are wrong sometimes, too, and there are many.": 0.02 * 0.12,
    },
)
def error_in_the_clinic() -> object:
    """What is the error if one in fifty is ill, with 12 % for the ill and 3 % for the others?"""
    # the error rates of the ill and of the healthy stay; only their fractions change
    return 0.02 * 0.12 + 0.98 * 0.03
