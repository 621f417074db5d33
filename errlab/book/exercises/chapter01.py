"""Answers to the exercises of chapter 1, test error and true error."""

from __future__ import annotations

from typing import Any

from errlab import losses
from errlab.book.exercises._exercise import exercise


@exercise("1.1", hint="Call losses.risk with the losses [0, 1, 1] and the probabilities.")
def risk_of_three_kinds() -> Any:
    """What is the true error of a model that is wrong on the last two of three kinds?"""
    return losses.risk([0, 1, 1], [0.6, 0.3, 0.1])


@exercise("1.2", hint="Two numbers in a list, hard first. A score of 0 counts as label -1.")
def two_losses() -> Any:
    """What are the mean hard and the mean linear soft loss of four cases?"""
    labels, scores = [1, -1, -1, 1], [0.4, 0.2, -1.5, 0.0]
    hard, soft = losses.from_scores(labels, scores), losses.linear_soft_loss(labels, scores)
    return [hard.mean(), soft.mean()]


@exercise("1.3", hint="What does the table say about a case that it has never seen?")
def unbalanced_lookup() -> Any:
    """What is the true error of a lookup table where 30 % of the labels are 1?"""
    return losses.risk([0, 1], [0.7, 0.3])


@exercise("1.4", hint="The two labels differ if exactly one of them is a wrong one.")
def neighbour_disagrees() -> Any:
    """How often do two labels at one place differ, each being wrong with probability 0.2?"""
    return losses.risk([0, 1, 1, 0], [0.8 * 0.8, 0.8 * 0.2, 0.2 * 0.8, 0.2 * 0.2])


@exercise("1.5", hint="Mean hard loss on X_test minus mean hard loss on X_train.", tolerance=5e-4)
def tree_gap() -> Any:
    """By how much does the test error of a full tree exceed its training error?"""
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import train_test_split
    from sklearn.tree import DecisionTreeClassifier

    X, y = load_breast_cancer(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=200, random_state=3)
    tree = DecisionTreeClassifier(random_state=0).fit(X_train, y_train)
    return (tree.predict(X_test) != y_test).mean() - (tree.predict(X_train) != y_train).mean()
