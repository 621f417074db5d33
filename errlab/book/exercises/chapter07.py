"""Answers to the exercises of chapter 7, cross-validation."""

from __future__ import annotations

import numpy as np

from errlab import crossval
from errlab.book.exercises._exercise import exercise


@exercise(
    "7.1",
    asks="count",
    hints=("One fold is left out each time.", "Nine of the ten folds train."),
    mistakes=[
        (lambda: 15, "that is how many are tested each time."),
        (lambda: 150, "then none would be left to test on."),
    ],
)
def training_cases() -> object:
    """How many cases train each model in 10-fold cross-validation of 150 cases?"""
    return 135


@exercise(
    "7.2",
    hints=(
        "Each model misses one fold. Which folds do both have?",
        "Each trains on four folds; both have three of them.",
    ),
    mistakes=[
        (
            lambda: 3 / 5,
            (
                "this is a share of all cases. Asked is the share of the cases that one model "
                "trains on."
            ),
        ),
        (lambda: 4 / 5, "this is the share of all cases that train one model."),
    ],
)
def shared_cases() -> object:
    """Which share of its training cases does one fold's model have in common with another's?"""
    return 3 / 4


@exercise(
    "7.3",
    asks="count",
    hints=(
        "The rule takes the simplest model that cannot be told from the best.",
        "Add the best model's standard error to its mean; the first depth at or below that line.",
    ),
    mistakes=[
        (
            lambda: 6,
            (
                "that is the lowest error. The rule takes the simplest within one standard error "
                "of it."
            ),
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
    "7.4",
    tolerance=1e-6,
    parts=("Hoeffding", "Clopper-Pearson"),
    hints=(
        (
            "For which of the two may the folds be averaged inside the proof, and for which must "
            "they all hold?"
        ),
        "Hoeffding's holds for the average as it is. For the other, five failures of 5% add up.",
    ),
    mistakes=[
        (
            lambda: [0.75, 0.95],
            "the other way round: which bound is a convex function of the folds' errors?",
        ),
        (lambda: [0.99, 0.95**5], "folds are not independent; their failures add up."),
    ],
)
def proven_confidence() -> object:
    """What confidence is proven for Eq. 51 with 5 folds: Hoeffding's bound, Clopper-Pearson?"""
    return [crossval.kfold_confidence(key, 5, delta=0.05) for key in ("HOE", "CP")]


@exercise(
    "7.5",
    code=True,
    hints=(
        "Every case is left out once. A linear model gives all these errors from one fit.",
        "A design of ones and scaled features; the mean of the losses with each case left out.",
    ),
    mistakes=[(lambda: 0.0, "this is the training error.")],
)
def wine_leave_one_out() -> object:
    """What is the leave-one-out error of a least-squares classifier on the wine data?"""
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    design = np.column_stack([np.ones(len(y)), (X - X.mean(axis=0)) / X.std(axis=0)])
    return crossval.loo_losses_linear(design, y).mean()


@exercise(
    "7.6",
    code=True,
    tolerance=5e-4,
    hints=(
        "The error of a way of training is what crossval.estimate takes for its target by itself.",
        "crossval.estimate(pipeline, X, y, cv=StratifiedKFold(5)), and its .high.",
    ),
)
def wine_way_of_training() -> object:
    """What is the upper end for nearest neighbours with scaled features on the wine data?"""
    from sklearn.datasets import load_wine
    from sklearn.model_selection import StratifiedKFold
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, y = load_wine(return_X_y=True)
    scaled = make_pipeline(StandardScaler(), KNeighborsClassifier())
    return crossval.estimate(scaled, X, y, cv=StratifiedKFold(5)).high
