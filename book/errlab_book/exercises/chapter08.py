"""Answers to the exercises of chapter 8, the bootstrap."""

from typing import Any

import numpy as np

import errlab
from errlab import bootstrap
from errlab_book.exercises._exercise import exercise, tumours


@exercise(
    "8.1",
    "A hard tumour is hard for both. In which of the two does it count for A and for B at once?",
    "The variance of a difference is that of A plus that of B, less twice what they share.",
    asks="choice",
    choices=("wider", "narrower", "the same"),
    mistakes={
        "there is more that varies: the tumours of A and those of B.": "narrower",
        "each score alone varies as before, but no longer both together.": "the same",
    },
)
def tumours_of_their_own() -> object:
    """What becomes of the interval of a difference if each classifier has its own samples?"""
    sick, a, b = _answers()
    rng = np.random.default_rng(0)
    mine, others = rng.integers(len(sick), size=(2, 2000, len(sick)))  # resamples x tumours

    def scores(predicted: Any, rows: Any) -> Any:
        hits = (predicted & sick)[rows].sum(axis=1)
        return 2 * hits / (predicted[rows].sum(axis=1) + sick[rows].sum(axis=1))

    def width(rows_of_b: Any) -> float:
        low, high = np.quantile(scores(b, rows_of_b) - scores(a, mine), [0.025, 0.975])
        return float(high - low)

    # resampling varies by up to half a per cent
    return "wider" if width(others) > 1.005 * width(mine) else "narrower"


def _answers() -> tuple[Any, Any, Any]:
    """Return which test tumours are malignant, and which of them A and B predict as malignant."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, X_test, y, y_test = tumours()
    a = KNeighborsClassifier().fit(X, y).predict(X_test) == 0
    b = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y).predict(X_test) == 0
    return y_test == 0, a, b


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
    """Up to how many errors in 100 is the low end of the 95 % percentile interval 0?"""
    # the lower end is 0 as long as more than 2.5% of the resamples have no error
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
    """What is .632 for the training error 5 % and the leave-one-out error 30 %?"""
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


@exercise(
    "8.5",
    "The call is the one for the F-score, with another metric.",
    'The attribute `low` of `errlab.metric(sick, b, a, metric="mcc")`.',
    code=True,
    mistakes={
        "that is the lower end for A minus B.": lambda: -_mcc().high,
        "that is the upper end.": lambda: _mcc().high,
        "that is the difference itself.": lambda: _mcc().estimate,
    },
)
def lower_end_of_the_mcc() -> object:
    """What is the lower end of the interval for B's Matthews correlation minus A's?"""
    return _mcc().low


def _mcc() -> Any:
    sick, a, b = _answers()
    return errlab.metric(sick, b, a, metric="mcc")
