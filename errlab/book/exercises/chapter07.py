"""Answers to the exercises of chapter 7, cross-validation."""

from __future__ import annotations

import numpy as np

from errlab import crossval
from errlab.book.exercises._exercise import exercise


@exercise(
    "7.1",
    hints=(
        "Each model misses one fold. Which folds do both have?",
        "Each trains on four folds; both have three of them.",
    ),
    mistakes=[
        (
            lambda: 3 / 5,
            "this is a fraction of all examples. The question is about those that train a model.",
        ),
        (lambda: 4 / 5, "this is the fraction of all examples that train one model."),
    ],
)
def shared_examples() -> object:
    """In five-fold cross-validation, what fraction of its training data do two models share?"""
    return 3 / 4


@exercise(
    "7.2",
    asks="count",
    hints=(
        "The rule takes the simplest model that is within one standard error of the best.",
        "Add the best model's standard error to its mean; the first depth at or below that line.",
    ),
    mistakes=[
        (
            lambda: 6,
            "that is the lowest error. The rule takes the simplest model near it.",
        ),
        (lambda: 4, "it is within the line, but a simpler one is too."),
        (lambda: 2, "its error is above the line: 0.224 plus 0.018."),
    ],
)
def one_standard_error_choice() -> object:
    """Which depth does the one-standard-error rule choose?"""
    depth = [1, 2, 3, 4, 6, 8]
    means = [0.31, 0.26, 0.235, 0.228, 0.224, 0.24]
    errors = [0.021, 0.020, 0.019, 0.019, 0.018, 0.019]
    return depth[crossval.one_standard_error(means, errors, depth)]


@exercise(
    "7.3",
    asks="choice",
    choices=("too low", "right", "too high"),
    hints=(
        "Which losses picked the setting, and which measured it?",
        "On pure noise, what did the luckiest of five rules show?",
    ),
    mistakes=[
        (lambda: "right", "each of the fifty is about right. The lowest was picked for its luck."),
        (
            lambda: "too high",
            "smaller training sets push it up, but the choice among fifty weighs more.",
        ),
    ],
)
def lowest_of_fifty() -> object:
    """Is the lowest of fifty cross-validated errors too low, right or too high?"""
    return "too low"


@exercise(
    "7.4",
    code=True,
    hints=(
        "Every wine is left out once. A linear model gives all these errors from one fit.",
        "A design of ones and scaled features; the mean of the losses with each wine left out.",
    ),
    mistakes=[(lambda: 0.0, "this is the training error.")],
)
def wine_leave_one_out() -> object:
    """What is the leave-one-out error of a least-squares classifier on the wine data?"""
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    design = np.column_stack([np.ones(len(y)), (X - X.mean(axis=0)) / X.std(axis=0)])
    return crossval.loo_losses_linear(design, y).mean()
