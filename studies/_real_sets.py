"""Load the eight real problems of Laber and Murphy, from a local folder or from OpenML.

The paper doesn't say how it made two classes of Abalone; here +1 means ten rings or more. The label
of Liver isn't a diagnosis, but marks a split of the data; it is used anyway, as was usual in 2008.
"""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.datasets import fetch_openml


class Source(NamedTuple):
    """How to get a data set: its size, what +1 means, and its place at OpenML.

    `target` is the name of OpenML's target column if it isn't the default. `positive` lists the
    values that count as +1; a number stands for "at least".
    """

    rows: int
    features: int
    label: str
    openml: int | None
    positive: tuple[str, ...] | float
    target: str = "default-target"


# No copy of the mammographic masses at OpenML has all five features.
SOURCES = {
    "spam": Source(4601, 57, "+1 = spam", 44, ("1",)),
    "ionosphere": Source(351, 34, "+1 = good", 59, ("g",)),
    "heart": Source(270, 13, "+1 = disease present", 53, ("present", "2")),
    "diabetes": Source(768, 8, "+1 = tested positive", 37, ("tested_positive",)),
    "abalone": Source(4177, 9, "+1 = 10 rings or more", 183, 10.0),
    "liver": Source(345, 6, "+1 = selector 2", 8, ("2", "2.0"), "selector"),
    "mammogram": Source(830, 5, "+1 = malignant", None, ("1",)),
    "magic": Source(19020, 10, "+1 = gamma", 1120, ("g",)),
}


def load(name: str) -> tuple[Any, Any]:
    """Return features and labels in {-1, +1}.

    Searches the folder in the environment variable ``ERRLAB_DATA`` for ``<name>.csv`` or
    ``<name>.csv.gz``: one header row, numeric features, the label last. If there is no such file,
    scikit-learn's ``fetch_openml`` loads the set, and caches it.
    """
    source = SOURCES[name]
    folder = Path(os.environ.get("ERRLAB_DATA", ""))
    local = [path for ending in (".csv", ".csv.gz") if (path := folder / (name + ending)).is_file()]
    if local:
        table = np.loadtxt(local[0], delimiter=",", skiprows=1, comments=None, quotechar='"')
        X, y = table[:, :-1], table[:, -1]
    elif source.openml is not None:
        X, y = _from_openml(name, source)
    else:
        raise FileNotFoundError(
            f"{name}.csv must stand in the folder that ERRLAB_DATA names: a header row, "
            f"{source.features} numeric features, then the label ({source.label}, else -1)"
        )
    if X.shape != (source.rows, source.features) or not np.isin([-1, 1], y).all():
        raise ValueError(f"{name} must have {source.rows} examples of {source.features} features")
    return X, y


def _from_openml(name: str, source: Source) -> tuple[Any, Any]:
    """Return OpenML's version of the data set, with the columns of the original repository."""
    with warnings.catch_warnings():  # OpenML rightly says that Liver's selector isn't a label
        warnings.filterwarnings("ignore", message=".*has flag is_ignore")
        bunch = fetch_openml(
            data_id=source.openml, target_column=source.target, as_frame=False, parser="liac-arff"
        )
    X = np.asarray(bunch.data, dtype=float)
    if name == "abalone":  # OpenML stores sex as one column of codes
        order = [str(value) for value in bunch.categories["Sex"]]
        sex = np.column_stack([X[:, 0] == order.index("M"), X[:, 0] == order.index("F")])
        X = np.hstack([sex, X[:, 1:]])
    target = np.asarray(bunch.target)
    if isinstance(source.positive, float):
        positive = target.astype(float) >= source.positive
    else:
        positive = np.isin(target.astype(str), source.positive)
    return X, np.where(positive, 1.0, -1.0)
