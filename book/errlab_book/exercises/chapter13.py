"""Answers to the exercises of chapter 13, leaderboards."""

import numpy as np

from errlab import holdout
from errlab_book import leaderboards
from errlab_book.exercises._exercise import exercise, tumours


@exercise(
    "13.1",
    "The gap is given, and the number of models asked: solve the formula for it.",
    "2 k exp(-2 * 1000 * 0.06 ** 2) must stay at or below 0.05.",
    asks="count",
    mistakes={
        "off means on both sides: each model takes two chances to fail.": lambda: int(
            0.05 * np.exp(2 * 1000 * 0.06**2)
        ),
        "one model is only off by 4.3 points. There is room up to 6.": 1,
        "there is a 2 in the exponent as well.": lambda: int(0.05 / 2 * np.exp(1000 * 0.06**2)),
    },
)
def models_within_six_points() -> object:
    """How many fixed models can 1,000 examples judge within 6 points, with 95% for all together?"""
    # the gap grows slowly, with the logarithm of the number of models
    return max(k for k in range(1, 1000) if holdout.gap_bound(1000, models=k) <= 0.06)


@exercise(
    "13.2",
    "The Ladder asks whether the difference is more than its own standard error.",
    "With m corrected and 3 broken: (m - 3) squared must be more than m + 3.",
    asks="count",
    mistakes={"it would be better by one example, less than the standard error.": 4},
)
def mended_to_move() -> object:
    """How many errors must a submission fix for the Ladder to move, if it breaks 3 examples?"""
    # the leader gets the first ten wrong; the submission corrects `mended` of these and spoils
    # three others
    example = np.arange(20)
    leader = example < 10
    moves = [
        holdout.ladder([leader, (example >= mended) & (example < 13)]).leader[1] == 1
        for mended in range(11)
    ]
    return moves.index(True)


@exercise(
    "13.3",
    "On the random labels every model is wrong half of the time. How much of the 26% is that?",
    "0.26 = 0.6 R + 0.4 / 2: solve for R.",
    # an answer with three decimals
    tolerance=5e-4,
    mistakes={
        "that is the part from the clean labels. They are 60% of all: divide.": 0.26 - 0.4 / 2,
        "a random label is right half of the time.": (0.26 - 0.4) / 0.6,
    },
)
def clean_error() -> object:
    """What is the error rate on clean labels if 40% random ones show 26%?"""
    # whatever the model has learned, it is wrong on half of the random labels
    return (0.26 - 0.4 / 2) / (1 - 0.4)


@exercise(
    "13.4",
    "A score must fall below the last one shown by more than the step.",
    "Go through them one by one, and keep what was shown when nothing better came.",
    parts=("1st score", "2nd score", "3rd score", "4th score", "5th score"),
    mistakes={
        "it is better, but not by more than the step: the last score stays.": lambda: (
            np.minimum.accumulate([0.5, 0.45, 0.3, 0.25, 0.1])
        ),
    },
)
def ladder_by_hand() -> object:
    """What does the Ladder with step 0.1 show after errors 0.5, 0.45, 0.3, 0.25 and 0.1?"""
    # twenty examples; each of the five models gets the first ones wrong, as many as its errors
    losses = np.arange(20) < np.array([[10], [9], [6], [5], [2]])
    return holdout.ladder(losses.astype(float), step=0.1).released


@exercise(
    "13.5",
    "Random labels raise every error, and they shrink every gap. What do they leave alone?",
    "Exercise 13.3 turns 26% into 10%. Do the same with 28%, and compare.",
    asks="choice",
    choices=("both rates", "the two points", "the order"),
    mistakes={
        "half of the random labels count as errors, so both rates are too high.": "both rates",
        "the noise shrinks all gaps: on clean labels this one is larger.": "the two points",
    },
)
def what_lasts() -> object:
    """What remains on clean labels of 26% against 28%, measured with 40% random labels?"""
    noisy_errors = np.array([0.26, 0.28])
    clean = (noisy_errors - 0.4 / 2) / (1 - 0.4)
    lasts = {
        "both rates": np.allclose(clean, noisy_errors),
        "the two points": np.isclose(np.diff(clean), np.diff(noisy_errors)),
        "the order": clean[0] < clean[1],
    }
    (only,) = (name for name, is_so in lasts.items() if is_so)
    return only


@exercise(
    "13.6",
    "The winner is chosen on a fifth of the examples. What does it show on the others?",
    (
        "One row of losses for each model; split the columns 200 times; "
        "public_private of errlab_book.leaderboards does that."
    ),
    code=True,
    tolerance=1e-3,
)
def neighbours_of_tumours() -> object:
    """How optimistic is the public winner among 60 nearest-neighbour classifiers?"""
    from sklearn.neighbors import KNeighborsClassifier

    X_train, X_test, y_train, y_test = tumours(300, seed=0)
    models = [KNeighborsClassifier(k).fit(X_train, y_train) for k in range(1, 61)]
    losses = [model.predict(X_test) != y_test for model in models]
    return leaderboards.public_private(
        np.array(losses, dtype=float), public_size=0.2, repeats=200, rng=0
    ).optimism
