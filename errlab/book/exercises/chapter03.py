"""Answers to the exercises of chapter 3, bounds for 0/1 losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import bounds
from errlab.book.exercises._exercise import exercise


@exercise("3.1", hint="No errors means mean=0; call bounds.clopper_pearson.", tolerance=5e-4)
def no_errors_in_100() -> Any:
    """What is the upper bound after no error in 100 cases?"""
    return bounds.clopper_pearson(0, 100)


@exercise("3.2", hint="Try growing n with mean=0 until the bound is at most 0.01.", tolerance=0)
def cases_for_one_percent() -> Any:
    """How many cases without an error allow the claim of at most 1 %?"""
    n = np.arange(1, 1000)
    return int(n[bounds.clopper_pearson(0, n) <= 0.01][0])


@exercise("3.3", hint="Put z = 1.645 into Eq. 16 and Eq. 19, or compare the two calls.")
def normal_or_wilson_at_half() -> Any:
    """Which is higher at half errors, n = 50: the normal bound or Wilson's?"""
    return "normal" if bounds.normal(0.5, 50) > bounds.wilson(0.5, 50) else "wilson"


@exercise("3.4", hint="The two bounds at once need delta/2 each.", tolerance=5e-4)
def width_of_two_sided() -> Any:
    """How wide is the 90 % interval after 12 errors in 150?"""
    low, high = bounds.interval("CP", 12 / 150, 150, delta=0.1)
    return high - low


@exercise("3.5", hint="Fit on X_train, predict X_test, then errlab.report(..., delta=0.01).upper.")
def lda_claim() -> Any:
    """What upper bound does LDA on the breast-cancer split allow, at delta = 0.01?"""
    from sklearn.datasets import load_breast_cancer
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.model_selection import train_test_split

    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=200, random_state=3)
    wrong = LinearDiscriminantAnalysis().fit(X_train, y_train).predict(X_test) != y_test
    return bounds.clopper_pearson(wrong.mean(), 200, delta=0.01)
