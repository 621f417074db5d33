"""Answers to the exercises of chapter 8, the bootstrap."""

import numpy as np

from errlab import bootstrap
from errlab.book.exercises._exercise import exercise


@exercise(
    "8.1",
    "Follow one ball. How probable is it that twenty draws all miss it?",
    "Each draw misses it with probability 19/20, and there are twenty.",
    tolerance=5e-4,
    mistakes={
        "that is the limit for many patients. There are twenty.": lambda: np.exp(-1),
        "this is the probability that one draw hits it.": 1 / 20,
    },
)
def share_left_out() -> object:
    """What fraction of 20 patients does a bootstrap sample leave out, on average?"""
    # twenty draws that all miss one patient
    return (1 - 1 / 20) ** 20


@exercise(
    "8.2",
    "The end is 0 as long as samples without an error are not too rare. How rare can they be?",
    (
        "With k red balls of 100 a sample has none with probability (1 - k/100) ** 100; one end "
        "of a 95% interval leaves out 2.5%."
    ),
    asks="count",
    mistakes={
        "that is for 5% at each end: a 90% interval. Each end of 95% leaves out half.": 2,
        "with a single error more than one resample in three shows none.": 0,
        "with so many, fewer than one resample in forty shows none: the end leaves 0.": 4,
    },
)
def errors_that_may_be_luck() -> object:
    """Up to how many errors in 100 is the lower end of the 95 % percentile interval 0?"""
    # the end is 0 as long as resamples without an error are more than 2.5%
    return max(
        k for k in range(20) if bootstrap.percentile_interval(k * [1] + (100 - k) * [0]).low == 0
    )


@exercise(
    "8.3",
    "It is a mixture, and the name says how much of which.",
    "The larger weight, 0.632, belongs to the error on patients that were left out.",
    tolerance=5e-4,
    mistakes={
        "the larger weight belongs to the error on the patients left out.": 0.632 * 0.05
        + 0.368 * 0.30,
        "that mixes the two half and half.": (0.05 + 0.30) / 2,
    },
)
def mixture632() -> object:
    """What does .632 say for the training error 5 % and the leave-one-out error 30 %?"""
    return bootstrap.combine632(0.05, 0.30)


@exercise(
    "8.4",
    "Train on each resample, test on those it has left out, and mix with the training error.",
    (
        "A design of ones and scaled features, 200 resamples, rng=0; any way that trains least "
        "squares on the resamples will do."
    ),
    code=True,
    mistakes={"this is the training error.": 0.0},
)
def wine_632plus() -> object:
    """What is .632+ of the least-squares classifier on the wine data?"""
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    # as in chapter 7: ones and scaled features
    design = np.column_stack([np.ones(len(y)), (X - X.mean(axis=0)) / X.std(axis=0)])
    return bootstrap.loo_bootstrap_linear(design, y, resamples=200, rng=0).point632plus
