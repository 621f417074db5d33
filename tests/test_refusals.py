"""Refused calls: each call in data/refusals.txt, with its error and its message."""

import re

import fuzz
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import KFold, LeaveOneOut, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from tables import entries, pattern, sections

import errlab
from errlab.bounds import BOUNDS
from errlab_book import explore, figures, labs, leaderboards, quiz
from errlab_book.cud_cells import cud_cells
from errlab_book.normal_losses import simulate_normal
from errlab_book.optimal_split import optimal_fraction, split_mse
from errlab_book.plots.data_sets import plot_average_ranks

TABLE = dict(sections("refusals.txt"))
RNG = np.random.default_rng(3)
Y = RNG.integers(0, 2, 60)


class Right(ClassifierMixin, BaseEstimator):
    """A model that is always right: the label is the first column."""

    classes_ = np.array([0, 1])

    def fit(self, X, y):
        return self

    def predict(self, X):
        return X[:, 0]


def mean_gap(y_true, score):
    return float(np.mean(np.asarray(score) - y_true))


NAMES = {name: getattr(errlab, name) for name in errlab.__all__ if not name.startswith("_")} | {
    "errlab": errlab, "np": np, "pd": pd, "sparse": sparse, "BOUNDS": BOUNDS, "mean_gap": mean_gap,
    "X": RNG.normal(size=(60, 3)), "Y": Y, "P": np.where(RNG.random(60) < 0.2, 1 - Y, Y),
    "Q": np.where(RNG.random(60) < 0.3, 1 - Y, Y), "SCORE": RNG.random(60),
    "Nearest": fuzz.Nearest, "Right": Right, "RidgeClassifier": RidgeClassifier,
    "GaussianNB": GaussianNB, "KFold": KFold, "LeaveOneOut": LeaveOneOut,
    "StratifiedKFold": StratifiedKFold, "split_mse": split_mse, "explore": explore,

    "figures": figures, "labs": labs, "leaderboards": leaderboards,
    "quiz": quiz, "optimal_fraction": optimal_fraction, "cud_cells": cud_cells,
    "plot_average_ranks": plot_average_ranks, "simulate_normal": simulate_normal,
}  # fmt: skip


@pytest.mark.parametrize("title", TABLE)
def test_refusals(title):
    wrong = []
    for call, names, (line,) in entries(TABLE[title], NAMES):
        error, words = line.split(": ", 1)
        try:
            eval(call, names)
            wrong.append(f"{call}: taken")
        except Exception as caught:
            text = f"{type(caught).__name__}: {caught}"
            # no dot matches a line break
            if not re.fullmatch(f"{error}: .*{pattern(words)}.*", text):
                wrong.append(f"{call}: {text}")
    assert not wrong, "\n".join(wrong)
