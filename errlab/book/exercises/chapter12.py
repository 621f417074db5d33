"""Answers to the exercises of chapter 12, leaderboards."""

from __future__ import annotations

from typing import Any

import numpy as np

from errlab import holdout
from errlab.book.exercises._exercise import exercise


@exercise("12.1", hint="holdout.gap_bound takes the number of models.", tolerance=5e-4)
def gap_of_100_models() -> Any:
    """How far may the test error of any of 100 fixed models be off, at n = 1,000?"""
    return holdout.gap_bound(1000, models=100)


@exercise("12.2", hint="Put all numbers 1 to 200 into holdout.climb_gap at once.", tolerance=0)
def submissions_for_ten_points() -> Any:
    """How many submissions give an expected gap of at least 0.1 on 400 cases?"""
    k = np.arange(1, 201)
    return int(k[holdout.climb_gap(400, k) >= 0.1][0])


@exercise("12.3", hint="Solve R' = (1 - v) R + v / 2 for R.", tolerance=5e-4)
def clean_error() -> Any:
    """What is the error with clean labels where 40 % random ones show 0.26?"""
    return (0.26 - 0.4 / 2) / (1 - 0.4)


@exercise("12.4", hint="A score must fall below the last one shown by more than the step.")
def ladder_by_hand() -> Any:
    """What does the Ladder with step 0.1 show after errors 0.5, 0.45, 0.3, 0.25 and 0.1?"""
    losses = np.arange(20) < np.array([[10], [9], [6], [5], [2]])
    return holdout.ladder(losses.astype(float), step=0.1).released


@exercise("12.5", hint="One row of losses for each model, then holdout.public_private.")
def neighbours_of_tumours() -> Any:
    """How optimistic is the public winner among 60 nearest-neighbour classifiers?"""
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import train_test_split
    from sklearn.neighbors import KNeighborsClassifier

    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=300, random_state=0)
    models = [KNeighborsClassifier(k).fit(X_train, y_train) for k in range(1, 61)]
    losses = [model.predict(X_test) != y_test for model in models]
    return holdout.public_private(
        np.array(losses, dtype=float), public=0.2, repetitions=200, rng=0
    ).optimism


@exercise("12.6", hint="Count what it mends and what it breaks, n10 and n01, and put 3 for n01.")
def mended_to_move() -> Any:
    """How many errors must a submission mend that breaks 3 cases, for the Ladder to move?"""
    case = np.arange(20)
    leader = case < 10
    moves = [
        holdout.ladder([leader, (case >= mended) & (case < 13)]).leader[1] == 1
        for mended in range(11)
    ]
    return moves.index(True)
