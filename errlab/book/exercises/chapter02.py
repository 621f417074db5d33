"""Answers to the exercises of chapter 2, the holdout method."""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import bounds, holdout
from errlab.book.exercises._exercise import exercise


@exercise("2.1", hint="Call holdout.gap_bound with n, or 1.36 divided by a root.", tolerance=2e-4)
def gap_of_2500() -> Any:
    """What is the Hoeffding gap of 2,500 cases?"""
    return holdout.gap_bound(2500)


@exercise("2.2", hint="holdout.sample_size takes delta and models.", tolerance=0)
def cases_for_fifty_models() -> Any:
    """How many cases keep fifty gaps below 0.02 with 99 % probability?"""
    return holdout.sample_size(0.02, delta=0.01, models=50)


@exercise("2.3", hint="holdout.selection_bias has a field for what the winner shows.")
def best_of_200_guesses() -> Any:
    """What error does the best of 200 guessing models show on 500 cases?"""
    return holdout.selection_bias([0.5] * 200, 500).validation


@exercise("2.4", hint="holdout.effective_size takes the number of copies of each distinct case.")
def worth_of_copies() -> Any:
    """How many independent cases are 100 single and 100 double ones worth?"""
    return holdout.effective_size([1] * 100 + [2] * 100)


@exercise("2.5", hint="Train on part.train, choose on part.validation, report on part.test.")
def chosen_machine() -> Any:
    """What upper bound may you claim for the machine chosen on the digits?"""
    from sklearn.datasets import load_digits
    from sklearn.svm import SVC

    X, y = load_digits(return_X_y=True)
    part = holdout.three_way_split(len(y), validation=0.2, test=0.2, rng=7)
    machines = [SVC(gamma=g).fit(X[part.train], y[part.train]) for g in (1e-4, 1e-3, 1e-2, 0.1)]
    seen = [np.mean(m.predict(X[part.validation]) != y[part.validation]) for m in machines]
    wrong = machines[int(np.argmin(seen))].predict(X[part.test]) != y[part.test]
    return bounds.clopper_pearson(wrong.mean(), len(part.test))
