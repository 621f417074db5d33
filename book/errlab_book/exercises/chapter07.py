"""Answers to the exercises of chapter 7, cross-validation."""

from functools import cache
from typing import Any

import numpy as np

from errlab import crossval
from errlab_book.exercises._exercise import exercise


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
    # a model trains on four of five folds, so two models share three
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
    # read from the table of the exercise
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
    "Is it about two models that exist, or about two ways of making them?",
    "On other training tumours each method would give another model. Does the paper mean those?",
    asks="choice",
    choices=("this model", "this procedure"),
    mistakes={
        "the paper recommends a method to people who will train it on tumours of their own.": (
            "this model"
        ),
    },
)
def target_of_a_comparison() -> object:
    """Which error does a paper need if it recommends one learning method over another?"""
    return "this procedure"


@exercise(
    "7.5",
    "A fold is a fifth of the data, and it is tested by a model of the other four.",
    "The variance is multiplied by 1/5 + 1/4 instead of 1/5. Widths go with its square root.",
    asks="number",
    tolerance=5e-3,
    mistakes={
        "that is the factor of the variance. The width goes with its square root.": 2.25,
        "that is for ten folds.": lambda: np.sqrt(1 + 10 / 9),
    },
)
def corrected_width() -> object:
    """How many times as wide is the corrected t as the usual interval, with five folds?"""
    return np.sqrt((1 / 5 + 1 / 4) / (1 / 5))


@exercise(
    "7.6",
    "Go through the steps. Does one let a test image influence the model that it tests?",
    "Filling with the mean of all images does. Does splitting by image do it as well?",
    asks="count",
    mistakes={
        "there is one in the filling and one in the split.": 1,
        "stratifying keeps the classes in proportion, and no model learns from it.": 3,
    },
)
def two_leaks() -> object:
    """How many leaks: the mean of all images, two images of a tumour, stratified folds?"""
    # the mean includes test images, and a tumour may be on both sides; stratifying doesn't leak
    return 2


@exercise(
    "7.7",
    "Every wine is left out once. A linear model gives all these errors from one fit.",
    "A design of ones and scaled features; the mean of the losses with each wine left out.",
    code=True,
    mistakes={"this is the training error.": 0.0},
)
def wine_leave_one_out() -> object:
    """What is the leave-one-out error of a least-squares classifier on the wine data?"""
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    # scale the features, so that their units don't matter, and add a column of ones
    design = np.column_stack([np.ones(len(y)), (X - X.mean(axis=0)) / X.std(axis=0)])
    return crossval.loo_losses_linear(design, y).mean()


@cache
def _wines() -> Any:
    from sklearn.datasets import load_wine
    from sklearn.naive_bayes import GaussianNB

    return crossval.estimate(GaussianNB(), *load_wine(return_X_y=True), cv=10, repeats=10, rng=0)


@exercise(
    "7.8",
    "Next year's wines will train another model. So is it this model, or this procedure?",
    "crossval.estimate with ten folds and ten repeats; its attribute high is the upper end.",
    code=True,
    tolerance=5e-4,
    mistakes={"this is the estimate, not the end of its interval.": lambda: _wines().estimate},
)
def wine_interval() -> object:
    """What is the upper end of the interval for a procedure on the wine data?"""
    return _wines().high
