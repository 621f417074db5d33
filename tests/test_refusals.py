"""Refused calls: each call in data/refusals.txt, with its error and its message."""

import re
from pathlib import Path

import fuzz
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import KFold, LeaveOneOut, StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import errlab
from errlab.bounds import BOUNDS
from errlab_book import explore, figures, labs, leaderboards, quiz
from errlab_book.cud_cells import cud_cells
from errlab_book.normal_losses import simulate_normal
from errlab_book.optimal_split import optimal_fraction, split_mse
from errlab_book.plots.data_sets import plot_average_ranks

TABLE = Path(__file__).with_name("data") / "refusals.txt"
SECTIONS = re.split(r"^\[(.+)\]$", TABLE.read_text("utf-8"), flags=re.MULTILINE)[1:]
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


def entries(section):
    """Yield each call, the names bound before it, its error, and the pattern of its message."""
    names, call = dict(NAMES), None
    for line in section.splitlines():
        if line.startswith("    "):
            error, words = line.strip().split(": ", 1)
            yield call, names, error, ".*".join(map(re.escape, words.split("...")))
            call = None
        elif line and not line.startswith("#"):
            assert call is None, f"{call}: how is it refused?"
            if re.match(r"\w+ = ", line):
                exec(line, names)
            else:
                call = line


@pytest.mark.parametrize("section", SECTIONS[1::2], ids=SECTIONS[::2])
def test_refusals(section):
    wrong = []
    for call, names, error, pattern in entries(section):
        try:
            eval(call, names)
            wrong.append(f"{call}: taken")
        except Exception as caught:
            text = f"{type(caught).__name__}: {caught}"
            if not re.fullmatch(f"{error}: .*{pattern}.*", text):  # no dot matches a line break
                wrong.append(f"{call}: {text}")
    assert not wrong, "\n".join(wrong)


def test_what_only_looks_wrong_is_taken():
    """Few counts of 0 and 1; graded scores with two values; a delta of one half."""
    mcnemar, pred = errlab.compare.mcnemar, NAMES["P"]
    assert mcnemar([1, 0, 1], [0, 1, 1]).pvalue.shape == (3,)
    assert mcnemar([2, 0, 1, 0, 1], [0, 1, 1, 1, 0]).pvalue.shape == (5,)
    result = errlab.metric(Y, np.where(pred == 1, 0.7, 0.2), metric="roc_auc")
    assert result.estimate == pytest.approx(errlab.metrics.area(Y, pred), abs=1e-12)
    assert errlab.report(Y, pred, delta=0.5).n == 60
    assert (split_mse(20, 1, [5, 10]) > 0).all()  # p + 4 itself is allowed
    assert "XYZ" not in BOUNDS
    assert BOUNDS.get("XYZ") is None
