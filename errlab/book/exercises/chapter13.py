"""Answers to the exercises of chapter 13, confusion matrices and curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import metrics
from errlab.book.exercises._exercise import exercise

_TABLE = metrics.Confusion(tp=45, fp=15, fn=5, tn=935)


def _tumours() -> tuple[Any, Any, Any]:
    """Labels, probabilities and mean radius of the chapter's 300 test cases."""
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
    return y_test, model.predict_proba(X_test)[:, 1], X_test[:, 0]


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
def precision_by_hand() -> Any:
    """What is the precision of the table?"""
    return _TABLE.rate("precision").value


@exercise(
    "13.2",
    tolerance=5e-4,
    hints=(
        "Recall is a share of the positives: 45 of how many?",
        "The exact two-sided 95% interval after 45 of 50.",
    ),
    mistakes=[
        (lambda: metrics.rate_interval(_TABLE, "recall").high, "this is the upper end."),
        (lambda: metrics.rate_interval(_TABLE, "precision").low, "this is the precision's."),
        (
            lambda: metrics.rate_interval(_TABLE, "recall", delta=0.1).low,
            "this is the 90% interval's; or the one-sided bound.",
        ),
        (lambda: _TABLE.rate("recall").value, "this is the recall itself."),
    ],
)
def lower_end_of_recall() -> Any:
    """What is the lower end of the exact 95 % interval for its recall?"""
    return metrics.rate_interval(_TABLE, "recall").low


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
def rare_disease() -> Any:
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
def f1_of_calling_everything() -> Any:
    """What is F1 of calling everything positive where one case in ten is?"""
    return 2 / (1 / 0.1 + 1)


@exercise(
    "13.5",
    code=True,
    parts=("lower end", "upper end"),
    hints=(
        "Any number that is higher for the ill is a score; it needs no model.",
        "y_test and the first column of X_test, into metrics.area_interval.",
    ),
)
def area_of_the_radius() -> Any:
    """Which DeLong interval has the area of the mean radius alone?"""
    y_test, _, radius = _tumours()
    return np.array(metrics.area_interval(y_test, radius))


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
def announced_at_one_percent() -> Any:
    """How many malignant tumours may be announced at a false discovery rate of 1 %?"""
    return metrics.fdr_threshold(_tumours()[1], 0.01).number
