"""Exercises of chapter 11: is A really better than B?"""

from __future__ import annotations

from typing import Any

from errlab import compare
from errlab.book.exercises._exercise import exercise


@exercise("11.1", hint="Call compare.mcnemar with n01 = 3 and n10 = 12.", tolerance=5e-4)
def exact_p() -> Any:
    """What is the exact p-value if A alone is wrong on 3 cases and B alone on 12?"""
    return compare.mcnemar(3, 12).pvalue


@exercise("11.2", hint="Try mcnemar(m, 0) for m = 1, 2, ... until p is at most 0.05.", tolerance=0)
def fewest_disagreements() -> Any:
    """How many cases must A and B disagree on, at least, for the exact test to find anything?"""
    return next(m for m in range(1, 100) if compare.mcnemar(m, 0).pvalue <= 0.05)


@exercise(
    "11.3",
    hint="Ten folds have nine degrees of freedom: kfold_paired_t does it, or t.isf(0.025, 9).",
    tolerance=5e-4,
)
def half_width_of_ten_folds() -> Any:
    """How far does the 95 % interval of these ten differences reach above their mean?"""
    differences = [0.02, 0.05, -0.01, 0.04, 0.03, 0.00, 0.06, 0.02, -0.02, 0.01]
    result = compare.kfold_paired_t(differences)
    low, high = result.interval or (0.0, 0.0)
    return (high - low) / 2


@exercise(
    "11.4",
    hint="sample_size(lambda n: mcnemar_power(n, p01, p10)), with p01 - p10 = 0.02 and their "
    "sum 0.06.",
    tolerance=0,
)
def cases_for_two_points() -> Any:
    """How many cases show a difference of 2 points, at 6 % disagreement, with power 80 %?"""
    return compare.sample_size(lambda n: compare.mcnemar_power(n, 0.04, 0.02))


@exercise(
    "11.5",
    hint="Fit both on X_train, count with mcnemar_table, then mcnemar(table[0, 1], table[1, 0]).",
    tolerance=5e-4,
)
def neighbours_against_logistic() -> Any:
    """What is the exact p-value of nearest neighbours against logistic regression?"""
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=200, random_state=3)
    a = KNeighborsClassifier().fit(X_train, y_train)
    b = make_pipeline(StandardScaler(), LogisticRegression()).fit(X_train, y_train)
    table = compare.mcnemar_table(y_test, a.predict(X_test), b.predict(X_test))
    return compare.mcnemar(table[0, 1], table[1, 0]).pvalue
