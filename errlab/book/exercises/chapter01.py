"""Answers to the exercises of chapter 1, test error and true error."""

from __future__ import annotations

import numpy as np

from errlab import losses
from errlab.book.exercises._exercise import exercise


@exercise(
    "1.1",
    hints=(
        "The model is the same. What the average weighs the losses with is not.",
        "Losses 0, 1, 1: weigh them once with 0.6, 0.3, 0.1 and once with 0.35, 0.45, 0.2.",
    ),
    mistakes=[
        (
            lambda: 0.0,
            "the model stays, its true error does not: that depends on which patients come.",
        ),
        (lambda: 0.65, "this is the true error at the new place. By how much does it rise?"),
        (lambda: 0.4, "this is the true error at the old place. By how much does it rise?"),
        (lambda: 0.45 - 0.3, "the last kind becomes more frequent as well."),
        (lambda: 0.35 - 0.6, "this is what becomes of the patients that it gets right."),
    ],
)
def the_same_model_elsewhere() -> object:
    """By how much does the true error rise where the three kinds come with other probabilities?"""
    here = [0.6, 0.3, 0.1]
    there = [0.35, 0.45, 0.2]
    return losses.risk([0, 1, 1], there) - losses.risk([0, 1, 1], here)


@exercise(
    "1.2",
    parts=("mean 0/1 loss", "mean soft loss"),
    hints=(
        (
            "The 0/1 loss asks only which side of zero the score is on. A score of 0 counts as "
            "label -1."
        ),
        "The linear soft loss is (1 - label * score) / 2, clipped to [0, 1].",
    ),
    mistakes=[
        (
            lambda: [
                losses.from_scores([1, -1, -1, 1], [0.4, 0.2, -1.5, 0.1]).mean(),
                np.mean([0.3, 0.6, -0.25, 0.5]),
            ],
            "watch the two odd examples: a score of 0 is label -1, and losses stay in [0, 1].",
        )
    ],
)
def two_losses() -> object:
    """What are the mean hard and the mean linear soft loss of four examples?"""
    labels = [1, -1, -1, 1]
    scores = [0.4, 0.2, -1.5, 0.0]
    hard = losses.from_scores(labels, scores)
    soft = losses.linear_soft_loss(labels, scores)
    return [hard.mean(), soft.mean()]


@exercise(
    "1.3",
    hints=(
        "The two labels differ if exactly one of them is flipped.",
        "Flipped and true, or true and flipped: add the two probabilities.",
    ),
    mistakes=[
        (lambda: 0.2, "the neighbour's label may be flipped too."),
        (lambda: 0.2 * 0.8, "this is one of the two ways. The other one is as probable."),
        (lambda: 1 - 0.8 * 0.8, "if both labels are flipped, they agree."),
        (lambda: 0.2 * 0.2, "if both labels are flipped, they agree."),
    ],
)
def neighbour_disagrees() -> object:
    """How often do two labels at one place differ, each flipped with probability 0.2?"""
    return losses.risk([0, 1, 1, 0], [0.8 * 0.8, 0.8 * 0.2, 0.2 * 0.8, 0.2 * 0.2])


@exercise(
    "1.4",
    code=True,
    tolerance=5e-4,
    hints=(
        "A full tree knows its training examples by heart. What is left of the difference?",
        "Take the mean hard loss on X_test and on X_train, and subtract.",
    ),
    mistakes=[(lambda: 0.0, "that is its error on the training examples alone.")],
)
def tree_gap() -> object:
    """By how much does the test error of a full tree exceed its training error?"""
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import train_test_split
    from sklearn.tree import DecisionTreeClassifier

    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=200, random_state=3)
    tree = DecisionTreeClassifier(random_state=0).fit(X_train, y_train)
    return (tree.predict(X_test) != y_test).mean() - (tree.predict(X_train) != y_train).mean()
