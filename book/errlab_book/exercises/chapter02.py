"""Answers to the exercises of chapter 2, the holdout method."""

import numpy as np

from errlab import bounds, holdout
from errlab_book.exercises._exercise import exercise


@exercise(
    "2.1",
    "The gap shrinks like one over the root of n.",
    "Which factor must n grow by, so that its root doubles? Give all the examples.",
    asks="count",
    mistakes={
        "twice the examples take the gap down by the root of two only.": 2 * 2500,
        "that is how many more. How many are there in all?": 3 * 2500,
        "the root of n must double, not be squared. Which n has twice the root of 2,500?": 2500
        * 2500,
    },
)
def cases_for_half_the_gap() -> object:
    """How many examples in total halve the Hoeffding gap of 2,500?"""
    # the larger test set must have half of that gap
    return holdout.sample_size(holdout.gap_bound(2500) / 2)


@exercise(
    "2.2",
    "All fifty must hold at once: by the union bound they share delta.",
    "log(2 * 50 / 0.01) / (2 * 0.02 ** 2), and up to the next whole example.",
    asks="count",
    mistakes={
        "this is enough for one model. Fifty share delta.": lambda: holdout.sample_size(
            0.02, delta=0.01
        ),
        "this is for 95% probability, not 99%.": lambda: holdout.sample_size(0.02, models=50),
    },
)
def cases_for_fifty_models() -> object:
    """How many examples keep fifty gaps below 0.02 with 99 % probability?"""
    return holdout.sample_size(0.02, delta=0.01, models=50)


@exercise(
    "2.3",
    "A copy brings no news, and the pairs count double in the mean. Both cost.",
    "The square of the sum of the copies, over the sum of their squares.",
    asks="count",
    mistakes={
        "that is what they are worth once you drop the copies. The mean over all rows counts some "
        "double, and is worse.": 200,
        "that is the number of rows. A copy is not a new example.": 300,
        "examples that occur twice are worth something as well.": 100,
    },
)
def worth_of_copies() -> object:
    """How many independent examples is a mean over 100 single and 100 double ones worth?"""
    return holdout.effective_size([1] * 100 + [2] * 100)


@exercise(
    "2.4",
    "The smallest of ten numbers counts, and each of them varies more with fewer examples.",
    "Set the lab to ten models and 50 examples, and draw many validation sets. Take what winners "
    "show on average from what they are worth.",
    tolerance=3e-3,
    mistakes={
        "this is what the winner shows. How far is that below its true error?": lambda: (
            holdout.selection_bias([0.3] * 10, 50).validation
        ),
        "this is the standard deviation of one model's error. The best of ten is further out.": (
            np.sqrt(0.3 * 0.7 / 50)
        ),
        "each model is right on average, but the winner was picked for a low number.": 0.0,
    },
)
def how_much_the_winner_flatters() -> object:
    """By how much does the best of ten models, all at 30 %, flatter itself on 50 examples?"""
    return holdout.selection_bias([0.3] * 10, 50).optimism


@exercise(
    "2.5",
    "Something leaks if a test email had a say in what the filter learned.",
    "For each step ask which emails it looked at: those for training, those for the test, or both.",
    asks="choice",
    choices=("a", "b", "c", "d"),
    mistakes={
        "that is no leak: the interval is right, but about another company.": "d",
        "this mean comes from the training emails alone, as it should.": "a",
        "copies inside the test set make an interval too narrow, but training never sees "
        "them.": "c",
    },
)
def which_step_leaks() -> object:
    """Which step lets the test leak: scaling by training means, words from all, or copies?"""
    # the labels of test emails helped to choose the words, so these suit the test emails too well
    return "b"


@exercise(
    "2.6",
    "Three parts, three purposes: which one can you quote?",
    (
        "Fit on part.train, choose on part.validation, put the errors on part.test into the exact "
        "bound."
    ),
    code=True,
)
def chosen_machine() -> object:
    """What upper bound can you claim for the machine chosen on the digits?"""
    from sklearn.datasets import load_digits
    from sklearn.svm import SVC

    X, y = load_digits(return_X_y=True)
    part = holdout.three_way_split(len(y), validation_size=0.2, test_size=0.2, rng=7)
    # the validation emails chose the kernel's width, so the bound may not use them again
    machines = [SVC(gamma=g).fit(X[part.train], y[part.train]) for g in (1e-4, 1e-3, 1e-2, 0.1)]
    errors = [np.mean(m.predict(X[part.validation]) != y[part.validation]) for m in machines]
    wrong = machines[int(np.argmin(errors))].predict(X[part.test]) != y[part.test]
    # the winner is fixed before the test, so the bound has all of delta
    return bounds.clopper_pearson(wrong.mean(), len(part.test))
