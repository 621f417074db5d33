"""Answers to the exercises of chapter 7, cross-validation."""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import crossval
from errlab.book.exercises._exercise import exercise


@exercise("7.1", hint="Each of the k models is trained on (k - 1)/k of the cases.", tolerance=0)
def training_cases() -> Any:
    """How many cases train each model in 10-fold cross-validation of 150 cases?"""
    return 135


@exercise(
    "7.2", hint="Count how many training cases two folds' models share: k - 2 of k - 1 parts."
)
def shared_cases() -> Any:
    """Which share of its training cases does one fold's model have in common with another's?"""
    return 3 / 4


@exercise("7.3", hint="Lowest mean plus its standard error; then the first model below that line.")
def one_standard_error_choice() -> Any:
    """Which depth does the one-standard-error rule choose?"""
    depth = [1, 2, 3, 4, 6, 8]
    means = [0.31, 0.26, 0.235, 0.228, 0.224, 0.24]
    errors = [0.021, 0.020, 0.019, 0.019, 0.018, 0.019]
    return depth[crossval.one_standard_error(means, errors, depth)]


@exercise("7.4", hint="crossval.kfold_confidence; Hoeffding is the key HOE.", tolerance=1e-6)
def proven_confidence() -> Any:
    """What confidence is proven for Eq. 51 with 5 folds: Hoeffding's bound, Clopper-Pearson?"""
    return [crossval.kfold_confidence(key, 5, delta=0.05) for key in ("HOE", "CP")]


@exercise("7.5", hint="A column of ones, scaled features, loo_losses_linear; then the mean.")
def wine_leave_one_out() -> Any:
    """What is the leave-one-out error of a least-squares classifier on the wine data?"""
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    design = np.column_stack([np.ones(len(y)), (X - X.mean(axis=0)) / X.std(axis=0)])
    return crossval.loo_losses_linear(design, y).mean()
