"""Exercises of chapter 14: a paragraph that one may print."""

from __future__ import annotations

from typing import Any

from errlab import bounds, report
from errlab.book.exercises._exercise import exercise


@exercise("14.1", hint="Build two columns with 3 differences, or use bounds.clopper_pearson.")
def three_in_250() -> Any:
    """Which upper bound may stand in the paper after 3 errors in 250 cases?"""
    return bounds.clopper_pearson(3 / 250, 250)


@exercise("14.2", hint="Twenty claims share delta: each gets 0.05 / 20.")
def best_of_twenty() -> Any:
    """Which bound, if that was the best of 20 classifiers tried on these cases?"""
    return bounds.clopper_pearson(3 / 250, 250, delta=0.05 / 20)


@exercise("14.3", hint="Which sentence gives counts, a bound, and says how the model was chosen?")
def which_sentence() -> Any:
    """Which of the sentences a, b, c may be printed?"""
    return "c"


@exercise("14.4", hint="The smallest n with bounds.clopper_pearson(0, n) <= 0.02.", tolerance=0)
def cases_for_two_percent() -> Any:
    """How many cases must a test without an error have, to allow the claim of at most 2 %?"""
    return next(n for n in range(1, 1000) if bounds.clopper_pearson(0, n) <= 0.02)


@exercise("14.5", hint="errlab.report(y_true, pred_a, pred_b).low, with the wine split given.")
def wine() -> Any:
    """By how much is LDA better than nearest neighbours on the wine data, at least?"""
    from sklearn.datasets import load_wine
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.model_selection import train_test_split
    from sklearn.neighbors import KNeighborsClassifier

    X, y = load_wine(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=78, random_state=3)
    a = KNeighborsClassifier().fit(X_train, y_train).predict(X_test)
    b = LinearDiscriminantAnalysis().fit(X_train, y_train).predict(X_test)
    return report(y_test, a, b).low
