"""Answers to the exercises of chapter 9, the distribution of the generalization error."""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import datasets, generalization
from errlab.book.exercises._exercise import exercise


@exercise("9.1", hint="S (N + p) / (N - p), or generalization.fpe.", tolerance=1e-6)
def final_prediction_error() -> Any:
    """What is FPE for a training error of 20, 50 cases and 10 weights?"""
    return generalization.fpe(20.0, 50, 10)


@exercise("9.2", hint="1 minus the root of 4p / (kurtosis - 1) over N.", tolerance=1e-4)
def share_to_hold_out() -> Any:
    """Which share to hold out of 4000 cases, 10 weights, Gaussian noise (asymptotically)?"""
    return generalization.optimal_fraction(4000, 10)


@exercise("9.3", hint="A long tail to the right pulls one of the two with it.")
def larger_measure() -> Any:
    """Which is larger for a long tail to the right: the average or the median?"""
    sample = datasets.ar1_regression(400, p=2, rng=0).y ** 2
    where = generalization.location(sample)
    return "average" if where.mean > where.median else "median"


@exercise("9.4", hint="leave_out_t_test of the two lists, then .pvalue.", tolerance=5e-4)
def corrected_pvalue() -> Any:
    """What is the corrected p-value of the two lists of errors (15 to train, 5 to test)?"""
    full, reduced = [40.0, 55.0, 61.0, 48.0, 70.0], [36.0, 50.0, 58.0, 47.0, 60.0]
    return generalization.leave_out_t_test(full, reduced, n_train=15, n_test=5).pvalue


@exercise("9.5", hint="leave_out_errors_linear on scaled features with ones; location(...).median.")
def diabetes_median() -> Any:
    """What is the median leave-out error on the diabetes data, 200 splits, a quarter out?"""
    from sklearn.datasets import load_diabetes

    X, y = load_diabetes(return_X_y=True)
    design = np.column_stack([np.ones(len(y)), X])
    errors = generalization.leave_out_errors_linear(design, y, fraction=0.25, resamples=200, rng=0)
    return round(generalization.location(errors).median)
