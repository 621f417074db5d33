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


@exercise("13.1", hint="Of the cases called positive, how many are?", tolerance=5e-4)
def precision_by_hand() -> Any:
    """What is the precision of the table?"""
    return _TABLE.rate("precision").value


@exercise("13.2", hint="metrics.rate_interval takes the table and the rate.", tolerance=5e-4)
def lower_end_of_recall() -> Any:
    """What is the lower end of the exact 95 % interval for its recall?"""
    return metrics.rate_interval(_TABLE, "recall").low


@exercise("13.3", hint="metrics.precision_at is Bayes' rule.", tolerance=5e-4)
def rare_disease() -> Any:
    """How likely is a positive to be ill, at TPR 0.95, FPR 0.02 and prevalence 0.1 %?"""
    return metrics.precision_at(0.95, 0.02, 0.001)


@exercise("13.4", hint="Recall is 1, precision the prevalence; take the harmonic mean.")
def f1_of_calling_everything() -> Any:
    """What is F1 of calling everything positive where one case in ten is?"""
    return 2 / (1 / 0.1 + 1)


@exercise("13.5", hint="The mean radius is itself a score; metrics.area_interval.", tolerance=1e-3)
def area_of_the_radius() -> Any:
    """Which DeLong interval has the area of the mean radius alone?"""
    y_test, _, radius = _tumours()
    return np.array(metrics.area_interval(y_test, radius))


@exercise("13.6", hint="metrics.fdr_threshold(p, 0.01).number", tolerance=0)
def announced_at_one_percent() -> Any:
    """How many malignant tumours may be announced at a false discovery rate of 1 %?"""
    return metrics.fdr_threshold(_tumours()[1], 0.01).number
