"""Answers to the exercises of chapter 7, cross-validation."""

import numpy as np

from errlab import crossval
from errlab.book.exercises._exercise import exercise


@exercise(
    "7.1",
    "Each model misses one fold. Which folds do both have?",
    "Each trains on four folds; both have three of them.",
    mistakes={
        "this is a fraction of all examples. The question is about those that train a model.": 3
        / 5,
        "this is the fraction of all examples that train one model.": 4 / 5,
    },
)
def shared_examples() -> object:
    """In five-fold cross-validation, what fraction of its training data do two models share?"""
    # of five folds each model has four, and two models have three in common
    return 3 / 4


@exercise(
    "7.2",
    "The rule takes the simplest model that is within one standard error of the best.",
    "Add the best model's standard error to its mean; the first depth at or below that line.",
    asks="count",
    mistakes={
        "that is the lowest error. The rule takes the simplest model near it.": 6,
        "it is within the line, but a simpler one is too.": 4,
        "its error is above the line: 0.224 plus 0.018.": 2,
    },
)
def one_standard_error_choice() -> object:
    """Which depth does the one-standard-error rule choose?"""
    # read off the table of the exercise
    depth = [1, 2, 3, 4, 6, 8]
    means = [0.31, 0.26, 0.235, 0.228, 0.224, 0.24]
    errors = [0.021, 0.020, 0.019, 0.019, 0.018, 0.019]
    return depth[crossval.one_standard_error(means, errors, depth)]


@exercise(
    "7.3",
    "Which losses picked the setting, and which measured it?",
    "On pure noise, what did the luckiest of five rules show?",
    asks="choice",
    choices=("too low", "right", "too high"),
    mistakes={
        "each of the fifty is about right. The lowest was picked for its luck.": "right",
        "smaller training sets push it up, but the choice among fifty weighs more.": "too high",
    },
)
def lowest_of_fifty() -> object:
    """Is the lowest of fifty cross-validated errors too low, right or too high?"""
    return "too low"


@exercise(
    "7.4",
    "Every wine is left out once. A linear model gives all these errors from one fit.",
    "A design of ones and scaled features; the mean of the losses with each wine left out.",
    code=True,
    mistakes={"this is the training error.": 0.0},
)
def wine_leave_one_out() -> object:
    """What is the leave-one-out error of a least-squares classifier on the wine data?"""
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    # scaled, so that no feature rules the fit by its unit; ones for the constant
    design = np.column_stack([np.ones(len(y)), (X - X.mean(axis=0)) / X.std(axis=0)])
    return crossval.loo_losses_linear(design, y).mean()
