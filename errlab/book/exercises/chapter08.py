"""Answers to the exercises of chapter 8, the bootstrap."""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import bootstrap
from errlab.book.exercises._exercise import exercise


@exercise("8.1", hint="Each draw misses a given case with probability 1 - 1/n.", tolerance=5e-4)
def share_left_out() -> Any:
    """Which share of 20 cases does a bootstrap sample leave out, on average?"""
    return (1 - 1 / 20) ** 20


@exercise("8.2", hint="percentile_interval of 5 ones and 95 zeros, with delta=0.1.", tolerance=1e-6)
def ninety_percent_interval() -> Any:
    """What is the 90 % percentile interval after 5 errors in 100 cases?"""
    return bootstrap.percentile_interval(5 * [1] + 95 * [0], delta=0.1)


@exercise("8.3", hint="What can you draw from a bag that holds zeros only?", tolerance=1e-9)
def upper_end_without_errors() -> Any:
    """What is the upper end of the percentile interval without any error?"""
    return bootstrap.percentile_interval(50 * [0]).high


@exercise("8.4", hint="combine632 with and without no_information.", tolerance=5e-4)
def both_estimates() -> Any:
    """What are .632 and .632+ for the errors 0.05 and 0.30, no-information rate 0.5?"""
    return [
        bootstrap.combine632(0.05, 0.30),
        bootstrap.combine632(0.05, 0.30, no_information=0.5),
    ]


@exercise(
    "8.5", hint="loo_bootstrap_linear on the scaled features and a column of ones; .point632plus."
)
def wine_632plus() -> Any:
    """What is .632+ of the least-squares classifier on the wine data?"""
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    design = np.column_stack([np.ones(len(y)), (X - X.mean(axis=0)) / X.std(axis=0)])
    return bootstrap.loo_bootstrap_linear(design, y, resamples=200, rng=0).point632plus
