"""Answers to the exercises of chapter 9, the distribution of the generalization error."""

from __future__ import annotations

import numpy as np
from scipy import stats

from errlab import datasets, generalization
from errlab.book.exercises._exercise import exercise

_TWO_LISTS = [40.0, 55.0, 61.0, 48.0, 70.0], [36.0, 50.0, 58.0, 47.0, 60.0]


@exercise(
    "9.1",
    asks="number",
    tolerance=1e-6,
    hints=(
        "FPE raises the training error by what the weights have taken from it.",
        "S times (N + p) / (N - p).",
    ),
    mistakes=[
        (lambda: 20 * (1 + 10 / 50), "N is in the denominator; N - p is right."),
        (
            lambda: 20 * 50 / 40,
            (
                "that corrects the training error to the noise. The next case adds the error of "
                "the weights."
            ),
        ),
        (
            lambda: 20 * (1 + 2 * 10 / 50),
            "this is the first step of an expansion in p/N. Give FPE itself.",
        ),
    ],
)
def final_prediction_error() -> object:
    """What is FPE for a training error of 20, 50 cases and 10 weights?"""
    return generalization.fpe(20.0, 50, 10)


@exercise(
    "9.2",
    tolerance=1e-4,
    hints=(
        "To measure an error you need cases to measure on. Few weights need few cases to train.",
        "One minus the root of 4p / (kurtosis - 1) over N; a Gaussian has kurtosis 3.",
    ),
    mistakes=[
        (
            lambda: 1 - np.sqrt(4 * 10 / 3 / 4000),
            "this is with the kurtosis itself. The formula has the kurtosis minus one.",
        ),
        (lambda: np.sqrt(4 * 10 / 2 / 4000), "this is the share to train on."),
    ],
)
def share_to_hold_out() -> object:
    """Which share to hold out of 4000 cases, 10 weights, Gaussian noise (asymptotically)?"""
    return generalization.optimal_fraction(4000, 10)


@exercise(
    "9.3",
    asks="choice",
    choices=("average", "median"),
    hints=(
        "Move the largest value further out. Which of the two notices?",
        "Half of the values lie below the median however far the others reach.",
    ),
    mistakes=[(lambda: "median", "the long tail pulls the other one.")],
)
def larger_measure() -> object:
    """Which is larger for a long tail to the right: the average or the median?"""
    sample = datasets.ar1_regression(400, p=2, rng=0).y ** 2
    where = generalization.location(sample)
    return "average" if where.mean > where.median else "median"


@exercise(
    "9.4",
    tolerance=5e-4,
    code=True,
    hints=(
        "The splits share training cases, so the usual variance is too small. What corrects it?",
        (
            "The variance of the mean gets 1/5 + 5/15 in place of 1/5; then one side of a t with "
            "four degrees of freedom."
        ),
    ),
    mistakes=[
        (
            lambda: stats.ttest_rel(*_TWO_LISTS, alternative="greater").pvalue,
            "this is the usual paired t test. It takes the splits for independent.",
        ),
        (
            lambda: 2 * generalization.leave_out_t_test(*_TWO_LISTS, n_train=15, n_test=5).pvalue,
            "this is for two sides. The question names one.",
        ),
    ],
)
def corrected_pvalue() -> object:
    """What is the corrected p-value of the two lists of errors (15 to train, 5 to test)?"""
    return generalization.leave_out_t_test(*_TWO_LISTS, n_train=15, n_test=5).pvalue


@exercise(
    "9.5",
    asks="count",
    code=True,
    hints=(
        "Many splits give many errors. Their middle is asked, not their average.",
        (
            "A column of ones beside the features, 200 splits, a quarter out; the median of the "
            "errors."
        ),
    ),
)
def diabetes_median() -> object:
    """What is the median leave-out error on the diabetes data, 200 splits, a quarter out?"""
    from sklearn.datasets import load_diabetes

    X, y = load_diabetes(return_X_y=True)
    design = np.column_stack([np.ones(len(y)), X])
    errors = generalization.leave_out_errors_linear(design, y, test_size=0.25, resamples=200, rng=0)
    return round(float(generalization.location(errors).median))
