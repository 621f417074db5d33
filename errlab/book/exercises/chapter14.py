"""Exercises of chapter 14: a paragraph that one may print."""

from __future__ import annotations

import numpy as np

from errlab import bounds, report
from errlab.book.exercises._exercise import exercise


@exercise(
    "14.1",
    tolerance=2e-4,
    hints=(
        "A case that was trained on says nothing about new ones. What is left of the file?",
        "The exact one-sided bound at 95%, after the errors and the cases that are left.",
    ),
    mistakes=[
        (
            lambda: bounds.clopper_pearson(3 / 250, 250),
            "the ten copies are still in it. They cannot count: the model has seen them.",
        ),
        (lambda: 3 / 240, "this is the rate. A bound lies above it."),
        (
            lambda: bounds.interval("CP", 3 / 240, 240).high,
            "this is the upper end of the two-sided interval.",
        ),
        (
            lambda: bounds.hoeffding(3 / 240, 240),
            "this is Hoeffding's. For counts an exact bound is lower.",
        ),
    ],
)
def three_in_250_with_copies() -> object:
    """Which upper bound may stand after 3 errors in 250, if ten right ones were trained on?"""
    return bounds.clopper_pearson(3 / 240, 240)


@exercise(
    "14.2",
    hints=(
        "Twenty bounds must hold together for the best one to hold.",
        "Twenty claims share delta: each gets 0.05 / 20.",
    ),
    mistakes=[
        (lambda: bounds.clopper_pearson(3 / 250, 250), "this is the bound for one classifier."),
        (
            lambda: bounds.interval("CP", 3 / 250, 250, delta=0.05 / 20).high,
            "this is the end of a two-sided interval.",
        ),
    ],
)
def best_of_twenty() -> object:
    """Which bound, if that was the best of 20 classifiers tried on these cases?"""
    return bounds.clopper_pearson(3 / 250, 250, delta=0.05 / 20)


@exercise(
    "14.3",
    asks="choice",
    choices=("a", "b", "c"),
    hints=(
        "Read each as a referee: counts, a bound, and how the model was chosen.",
        "Which sentence would you need to ask nothing about?",
    ),
    mistakes=[
        (
            lambda: "a",
            "no counts, no test behind significantly, and no word on the 20 classifiers.",
        ),
        (
            lambda: "b",
            (
                "1.2% is what was seen. No rate measured on 250 cases is the true error with "
                "confidence."
            ),
        ),
    ],
)
def which_sentence() -> object:
    """Which of the sentences a, b, c may be printed?"""
    return "c"


@exercise(
    "14.4",
    asks="count",
    hints=(
        "Without an error the bound depends on n alone. When is it at most 0.02?",
        "The smallest n with 0.98 ** n <= 0.05.",
    ),
    mistakes=[
        (
            lambda: int(np.ceil(np.log(0.025) / np.log(0.98))),
            "this is for the upper end of a two-sided interval. You claim one side only.",
        ),
        (lambda: 150, "the rule of three is near. A smaller number does it."),
    ],
)
def cases_for_two_percent() -> object:
    """How many cases must a test without an error have, to allow the claim of at most 2 %?"""
    return next(n for n in range(1, 1000) if bounds.clopper_pearson(0, n) <= 0.02)


@exercise(
    "14.5",
    code=True,
    hints=(
        "One test set, two columns of predictions: the report compares them.",
        (
            "Give the report the true labels, then A's and B's predictions; its interval has a "
            "lower end."
        ),
    ),
)
def wine() -> object:
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


@exercise(
    "14.6",
    tolerance=5e-4,
    hints=(
        "First the error rate of the ill and that of the healthy, each by itself.",
        "Then their mean, with the shares of the clinic as weights.",
    ),
    mistakes=[
        (lambda: 15 / 200, "that is the error in the test set, where half are ill."),
        (lambda: 0.98 * 0.12 + 0.02 * 0.03, "the two shares are exchanged."),
        (lambda: 0.02 * 0.12, "the healthy ones are wrong sometimes, too, and there are many."),
    ],
)
def error_in_the_clinic() -> object:
    """What is the error where one in fifty is ill, at 12 % for the ill and 3 % for the others?"""
    return 0.02 * 0.12 + 0.98 * 0.03
