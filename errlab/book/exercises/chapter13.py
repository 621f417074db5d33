"""Answers to the exercises of chapter 13, confusion matrices and curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import bounds, metric, metrics
from errlab.book.exercises._exercise import exercise
from errlab.statements.metric import Metric

_TABLE = metrics.Confusion(tp=45, fp=15, fn=5, tn=935)


def _tumours() -> tuple[Any, Any, Any]:
    """Labels, probabilities and features of the chapter's 300 test cases."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(
        X[:, :4], 1 - y, test_size=300, random_state=0
    )
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    return y_test, model.predict_proba(X_test)[:, 1], X_test


@exercise(
    "13.1",
    tolerance=5e-4,
    hints=(
        "Of the cases called positive, how many are?",
        "True positives over all that were called positive.",
    ),
    mistakes=[
        (
            lambda: _TABLE.rate("recall").value,
            "this is the recall: of the positive cases, how many were found.",
        ),
        (lambda: (45 + 935) / 1000, "this is the accuracy."),
        (lambda: 45 / 1000, "divide by the cases that were called positive."),
    ],
)
def precision_by_hand() -> object:
    """What is the precision of the table?"""
    return _TABLE.rate("precision").value


@exercise(
    "13.2",
    asks="count",
    code=True,
    hints=(
        "Recall is a share of the positives; the healthy do not count. How many ill does it take?",
        "For 10, 20, 30 ill and so on: nine tenths found; the low end of the exact interval.",
    ),
    mistakes=[
        (
            lambda: next(n for n in range(10, 1000, 10) if bounds.lower("CP", 0.9, n) >= 0.85),
            "this is for the one-sided bound. The interval has 2.5% at each end.",
        ),
        (
            lambda: next(
                n for n in range(10, 1000, 10) if bounds.interval("NOR", 0.9, n).low >= 0.85
            ),
            "this is for the normal interval, which promises too much here.",
        ),
        (lambda: 50, "with 50 the interval begins below 80%. It takes more."),
    ],
)
def ill_for_a_recall() -> object:
    """How many positives (in tens), 90 % of them found, bring the low end of recall to 85 %?"""
    return next(
        n
        for n in range(10, 1000, 10)
        if metrics.rate_interval(
            metrics.Confusion(tp=9 * n // 10, fp=15, fn=n // 10, tn=935), "recall"
        ).low
        >= 0.85
    )


@exercise(
    "13.3",
    tolerance=5e-4,
    hints=(
        "Think of 100,000 people. How many alarms come from the ill, how many from the healthy?",
        "95 alarms from 100 ill; 2% of 99,900 healthy. Which share are the first?",
    ),
    mistakes=[
        (
            lambda: 0.95,
            "that is how often an ill person gets an alarm. Asked is the other way round.",
        ),
        (lambda: 0.98, "the healthy are so many that 2% of them outnumber the ill."),
        (
            lambda: 0.95 * 0.001,
            "this is the chance to be ill and have an alarm. Divide by the chance of an alarm.",
        ),
    ],
)
def rare_disease() -> object:
    """How likely is a positive to be ill, at TPR 0.95, FPR 0.02 and prevalence 0.1 %?"""
    return metrics.precision_at(0.95, 0.02, 0.001)


@exercise(
    "13.4",
    hints=(
        "What are recall and precision, if everything is called positive?",
        "Recall is 1 and precision the share of positives; take the harmonic mean.",
    ),
    mistakes=[
        (lambda: (1 + 0.1) / 2, "this is the arithmetic mean. F1 is the harmonic one."),
        (lambda: 0.1, "this is the precision."),
    ],
)
def f1_of_calling_everything() -> object:
    """What is F1 of calling everything positive where one case in ten is?"""
    return 2 / (1 / 0.1 + 1)


@exercise(
    "13.5",
    code=True,
    parts=("area of minus the radius", "area of its logarithm"),
    hints=(
        "The area asks for the order of the cases only. What does each change do to the order?",
        "Compute the area of the first column of X_test; one of the two is its complement.",
    ),
    mistakes=[
        (
            lambda: [_radius_area(), 1 - _radius_area()],
            "the sign turns the order round, the logarithm keeps it.",
        ),
        (lambda: [0.5, 0.5], "that is the area of a score that knows nothing."),
    ],
)
def areas_of_a_changed_score() -> object:
    """What is the area under the ROC curve of minus the mean radius, and of its logarithm?"""
    y_test, _, markers = _tumours()
    radius = markers[:, 0]
    return [metrics.area(y_test, -radius), metrics.area(y_test, np.log(radius))]


def _radius_area() -> float:
    """Return the area of the mean radius as a score."""
    y_test, _, markers = _tumours()
    return float(metrics.area(y_test, markers[:, 0]))


@exercise(
    "13.6",
    asks="count",
    code=True,
    hints=(
        "Announce the surest first. Each adds its own chance to be a false one.",
        "Sort by p, and go on as long as the mean of 1 - p is at most 1%.",
    ),
    mistakes=[
        (
            lambda: int((_tumours()[1] >= 0.99).sum()),
            (
                "these are the ones that are each sure to 99%. The mean of all that are announced"
                " may be 1%."
            ),
        )
    ],
)
def announced_at_one_percent() -> object:
    """How many malignant tumours may be announced at a false discovery rate of 1 %?"""
    return metrics.fdr_threshold(_tumours()[1], 0.01).number


@exercise(
    "13.7",
    asks="number",
    tolerance=5e-4,
    code=True,
    hints=(
        "Two areas on the same cases: one call takes both scores.",
        'errlab.metric(y_test, A, B, metric="roc_auc") has the difference and its ends.',
    ),
    mistakes=[
        (lambda: -_radius_against_texture().high, "A and B are exchanged."),
        (lambda: _radius_against_texture().value, "this is what was seen, not the lower end."),
    ],
)
def radius_beats_texture() -> object:
    """By how much is the area of the mean radius above that of the texture, at least?"""
    return _radius_against_texture().low


def _radius_against_texture() -> Metric:
    """Compare the areas of two markers on the chapter's test cases."""
    y_test, _, markers = _tumours()
    return metric(y_test, markers[:, 0], markers[:, 1], metric="roc_auc")
