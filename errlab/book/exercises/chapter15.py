"""Answers to the exercises of chapter 15, thirty examples and no test set."""

from functools import cache

import numpy as np

from errlab import datasets
from errlab.book.exercises._exercise import exercise
from errlab.training_set import LeastSquares, cud_bound


@cache
def _copied() -> tuple[float, float]:
    """Return CUD's upper end for forty Gaussian patients, and for these with a copy of each."""
    X, y, _ = datasets.gaussian_mixture(40, rng=5)
    # the same seed for both, so that only the copies differ
    once = cud_bound(X, y, rng=0).interval.high
    return once, cud_bound(np.vstack([X, X]), np.hstack([y, y]), rng=0).interval.high


@cache
def _held(*, peek: bool) -> int:
    """Count the 60 draws in which CUD holds the error; the scores may peek at all women."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.decomposition import PCA
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    data = load_breast_cancer()
    y = np.where(data.target == 0, 1.0, -1.0)
    held = 0
    for seed in range(60):
        order = np.random.default_rng(seed).permutation(len(y))
        a = order[:30]
        b = order[30:]
        # three directions: with thirty patients the thirty features would fit any labels
        scores = make_pipeline(StandardScaler(), PCA(3)).fit(data.data[order if peek else a])
        X_a = scores.transform(data.data[a])
        X_b = scores.transform(data.data[b])
        error = np.mean(LeastSquares().fit(X_a, y[a]).predict(X_b) != y[b])
        low, high = cud_bound(X_a, y[a], resamples=100, rng=seed).interval
        # the 539 others are the population, so their error is the truth
        held += bool(low <= error <= high)
    return held


@exercise(
    "15.1",
    "The interval stands around the training error.",
    "The quantile is half of the width: add it to 3/30.",
    mistakes={
        "the quantile is half of the width already.": 3 / 30 + 0.125,
        "this is the quantile. Where does the interval stand?": 0.25,
        "this is the training error.": 0.1,
    },
)
def upper_end() -> object:
    """What is the upper end after 3 errors in 30, with a quantile of 0.25?"""
    return 3 / 30 + 0.25


@exercise(
    "15.2",
    "The title of the last explorer counts the cells for 10, 20, 30 and 50 patients.",
    "One patient is a line through zero and makes two cells. What does each further one add?",
    asks="count",
    mistakes={
        "each line through zero cuts two of the old cells, one on each side.": 70,
        "that is how many ranges 70 cuts make of a line. Here they go through one point of "
        "a plane.": 71,
        "that is for lines in any place. These all go through zero.": 1 + 70 + 70 * 69 // 2,
    },
)
def cells_of_seventy() -> object:
    """Into how many cells do 70 different patients cut the plane?"""
    # every line through zero has two ends on a circle, and n lines cut it into 2 n arcs
    return 2 * 70


@exercise(
    "15.3",
    "The line is the same, and so is the training error. What does CUD believe of the number?",
    "np.vstack([X, X]) and the labels twice; compare the two high ends.",
    code=True,
    mistakes={
        "nothing was learned, but the interval does not know that: it counts eighty patients.": 0.0,
        "this is the upper end with the copies. By how much did it fall?": lambda: _copied()[1],
        "this is the upper end without copies. By how much does it fall?": lambda: _copied()[0],
    },
)
def copies_of_forty() -> object:
    """By how much does CUD's upper end fall if each of 40 patients stands in the file twice?"""
    once, twice = _copied()
    return once - twice


@exercise(
    "15.4",
    "A loop over the seeds: scaler, components, interval from 30 women; the error from the rest.",
    "Count the seeds for which low <= error <= high.",
    asks="count",
    code=True,
    mistakes={
        "scaler or components have seen the other women, too.": lambda: _held(peek=True),
    },
)
def sixty_times_thirty() -> object:
    """In how many of 60 draws of 30 tumours does CUD hold the error on the others?"""
    return _held(peek=False)
