"""Answers to the exercises of chapter 15, thirty examples and no test set."""

from functools import cache

import numpy as np

from errlab import datasets
from errlab.training_set import LeastSquares, cud_bound
from errlab_book.exercises._exercise import exercise
from errlab_book.studies.small_samples import methods, rows


@cache
def _copied() -> tuple[float, float]:
    """Return CUD's upper end for forty Gaussian patients, and for the same with a copy of each."""
    X, y, _ = datasets.gaussian_mixture(40, rng=5)
    # the same seed for both, so that only the copies differ
    once = cud_bound(X, y, rng=0).interval.high
    return once, cud_bound(np.vstack([X, X]), np.hstack([y, y]), rng=0).interval.high


@cache
def _held(*, peek: bool) -> int:
    """Count the draws of 60 in which CUD contains the error; scores may be fitted to all women."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.decomposition import PCA
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    data = load_breast_cancer()
    y = np.where(data.target == 0, 1.0, -1.0)
    covered = 0
    for seed in range(60):
        order = np.random.default_rng(seed).permutation(len(y))
        a = order[:30]
        b = order[30:]
        # three features, because with all thirty any labels of thirty patients could be fitted
        scores = make_pipeline(StandardScaler(), PCA(3)).fit(data.data[order if peek else a])
        X_a = scores.transform(data.data[a])
        X_b = scores.transform(data.data[b])
        error = np.mean(LeastSquares().fit(X_a, y[a]).predict(X_b) != y[b])
        low, high = cud_bound(X_a, y[a], resamples=100, rng=seed).interval
        # the 539 other patients are the population, so their error rate is the true error
        covered += bool(low <= error <= high)
    return covered


@exercise(
    "15.1",
    "Two samples of three have one level, the third has the other.",
    "Weight each level with its fraction of the samples, then subtract the nearer level.",
    tolerance=5e-4,
    parts=("mean of the samples", "distance to the nearer level"),
    mistakes={
        "two thirds of the samples have the low error, one third the high one.": [0.28, 0.09],
        "the two levels are not equally frequent.": [0.235, 0.135],
        "this is a level that the truth can take. What is the mean of all samples?": [0.10, 0.0],
    },
)
def between_the_levels() -> object:
    """What is the mean of samples with errors 10% and 37%, and how far is it from a true error?"""
    low, high = 0.10, 0.37
    # a third of the samples give a distant line, so the average line is near no sample's line
    mean = low + (high - low) / 3
    return [mean, min(mean - low, high - mean)]


@exercise(
    "15.2",
    "The table has a column for the lowest coverage and one for the width.",
    "Strike out all whose lowest coverage is below 85%, then take the narrowest of the rest.",
    asks="choice",
    choices=tuple(method.name for method in methods().values()),
    mistakes={
        "it is the narrowest of all, but look at its lowest coverage.": "Bayesian set",
        "it is narrow, and covers well on average. In its worst setting it is below 85%.": (
            "Normal approximation"
        ),
        "it covers, but it isn't the narrowest that gives 85%.": "CUD bound",
        "of all seven it fails most on its worst setting.": "Quantile bootstrap",
        "bootstrap quantiles cover less than 85% in the worst setting, reflected as well.": (
            "Reflected bootstrap"
        ),
        "a test-set formula around the .632 estimate covers well on average, not everywhere.": (
            "Inverted binomial"
        ),
    },
)
def narrowest_at_85() -> object:
    """Which interval is the narrowest of those that cover at least 85% in each setting?"""
    covers = [key for key in methods() if min(row[key] for row in rows()) >= 0.85]
    best = min(covers, key=lambda key: float(np.mean([row[f"{key} width"] for row in rows()])))
    return str(methods()[best].name)


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
    """By how much does CUD's upper end fall if each of 40 patients is in the file twice?"""
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
    """In how many of 60 draws of 30 tumours does CUD contain the error on the others?"""
    return _held(peek=False)
