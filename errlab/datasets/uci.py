"""The eight real problems of Laber and Murphy, from a local folder or from OpenML."""

from __future__ import annotations

import csv
import gzip
import math
import os
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

import numpy as np

from errlab._core import checks, extras
from errlab._core.checks import FloatArray
from errlab._core.public import public
from errlab._core.registry import Registry

if TYPE_CHECKING:
    from _csv import Reader


class Real(NamedTuple):
    """Features of shape (n, p), labels in {-1, +1}, and the names of the features."""

    X: FloatArray
    y: FloatArray
    names: tuple[str, ...]


class Source(NamedTuple):
    """How to get a set: its size, what +1 means, and its place at OpenML.

    `target` names OpenML's target column where it is not the default, and `positive` lists the
    values that count as +1; a number stands for "at least".
    """

    rows: int
    features: int
    label: str
    openml: int | None
    positive: tuple[str, ...] | float
    target: str = "default-target"


# We know no copy of the mammographic masses at OpenML that gives all five features.
UCI: Registry[Source] = Registry(
    "data set",
    {
        "spam": Source(4601, 57, "+1 = spam", 44, ("1",)),
        "ionosphere": Source(351, 34, "+1 = good", 59, ("g",)),
        "heart": Source(270, 13, "+1 = disease present", 53, ("present", "2")),
        "diabetes": Source(768, 8, "+1 = tested positive", 37, ("tested_positive",)),
        "abalone": Source(4177, 9, "+1 = 10 rings or more", 183, 10.0),
        "liver": Source(345, 6, "+1 = selector 2", 8, ("2", "2.0"), "selector"),
        "mammogram": Source(830, 5, "+1 = malignant", None, ("1",)),
        "magic": Source(19020, 10, "+1 = gamma", 1120, ("g",)),
    },
)


@public
def load_uci(name: str, *, data_home: str | os.PathLike[str] | None = None) -> Real:
    """Load one of the eight real sets: spam, ionosphere, heart, diabetes, abalone and so on.

    The file ``<name>.csv`` or ``<name>.csv.gz`` is looked for in `data_home`, then in the folder
    that the environment variable ``ERRLAB_DATA`` names: one header row, numeric features, the
    label in {-1, +1} last. Such a file must hold the set itself, with all its cases and features.
    Else the set comes through scikit-learn's ``fetch_openml``, which keeps it in its own cache.

    Parameters
    ----------
    name : str
        A key of `UCI`. The paper does not say how it made two classes of Abalone; here +1 means
        ten rings or more. The selector of Liver marks a split of the data and is no diagnosis;
        it is used all the same, as was usual in 2008.
    data_home : path, optional
        Folder with the files.

    Returns
    -------
    Real
        ``(X, y, names)``.

    Raises
    ------
    ValueError
        If the name is unknown, or the file does not hold the set: cases or features are missing,
        or a line (which is named) has anything but finite numbers and a label.
    FileNotFoundError
        If the set is neither in a folder nor to be had from OpenML.

    References
    ----------
    Laber and Murphy (2008), Table 1. The UCI Machine Learning Repository.

    Examples
    --------
    >>> load_uci("iris")
    Traceback (most recent call last):
    ...
    ValueError: unknown data set 'iris'; choose one of spam, ionosphere, heart, ...
    """
    source = UCI[name]
    for folder in (data_home, os.environ.get("ERRLAB_DATA")):
        for ending in (".csv", ".csv.gz"):
            path = Path(folder or "") / f"{name}{ending}"
            if folder and path.is_file():
                return _read(path, source)
    try:
        return _openml(name, source)
    except Exception as error:  # whatever goes wrong there, the way out is the same
        raise FileNotFoundError(
            f"data set {name!r} is neither in data_home nor in the folder ERRLAB_DATA, and OpenML "
            f"did not give it ({error}). Get it from the UCI Machine Learning Repository and save "
            f"it as {name}.csv: a header row, {source.features} numeric features, then the label "
            f"({source.label}, else -1)"
        ) from error


def _read(path: Path, source: Source) -> Real:
    """Read a local file, and hold it to what is known of the set."""
    opened: Callable[..., IO[str]] = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8-sig", newline="") as file:
            names, table = _table(path, csv.reader(file))
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"{path} must be a whole gzip file, got: {error}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} must be text in UTF-8, got: {error}") from error
    if not names:
        raise ValueError(f"{path} is empty")
    X = table[:, :-1]
    y = table[:, -1]
    if X.shape != (source.rows, source.features):
        raise ValueError(
            f"{path} must have {source.rows} cases of {source.features} features, "
            f"got {len(X)} of {X.shape[1]}"
        )
    if len(np.unique(y)) < 2:
        raise ValueError(f"{path} must have cases of both labels, got only {y[0]:+g}")
    return Real(X, y, tuple(names[:-1]))


def _table(path: Path, rows: Reader) -> tuple[list[str], FloatArray]:
    """Read a header and numbers below it; the last column holds labels in {-1, +1}."""
    table: list[list[float]] = []
    names: list[str] = []
    try:
        for row in rows:
            where = f"{path}, line {rows.line_num}"
            if not names:
                names = _header(row, where)
            elif row:
                table.append(_numbers(row, names, where))
    except csv.Error as error:
        raise ValueError(f"{path}, line {rows.line_num}: {error}") from error
    return names, np.array(table, dtype=float).reshape(len(table), len(names))


def _header(row: list[str], where: str) -> list[str]:
    """Check that a row names the columns: a file without a header would lose its first case."""
    names = [name.strip() for name in row]
    if any(_is_number(name) for name in names):
        raise ValueError(f"{where} must be a header of names, got {','.join(row)!r}")
    if len(names) < 2 or not all(names) or len(set(names)) < len(names):
        raise ValueError(f"{where} must name each column once, got {','.join(row)!r}")
    return names


def _numbers(row: list[str], names: list[str], where: str) -> list[float]:
    """Read one case: finite features, and a label that is -1 or +1."""
    if len(row) != len(names):
        raise ValueError(f"{where} must have {len(names)} columns, got {len(row)}")
    values = []
    for name, text in zip(names, row, strict=True):
        value = float(text) if _is_number(text) else math.nan
        if not math.isfinite(value):
            raise ValueError(f"{where}: {name} must be a finite number, got {text!r}")
        values.append(value)
    if values[-1] not in (-1.0, 1.0):
        raise ValueError(f"{where}: {names[-1]} must be a label, -1 or +1, got {row[-1]!r}")
    return values


def _is_number(text: str) -> bool:
    """Whether a text is a number in the usual writing."""
    if "_" in text or not text.isascii():  # which Python reads as numbers, and nobody means
        return False
    try:
        float(text)
    except ValueError:
        return False
    return True


def _openml(name: str, source: Source) -> Real:
    """Return the data set as OpenML has it, in the columns of the repository."""
    fetch_openml = extras.load("sklearn.datasets").fetch_openml
    if source.openml is None:
        raise LookupError("we know no copy there with all features")
    with warnings.catch_warnings():  # Liver's selector is flagged there as no label, and rightly
        warnings.filterwarnings("ignore", message=".*has flag is_ignore")
        bunch = fetch_openml(
            data_id=source.openml, target_column=source.target, as_frame=False, parser="liac-arff"
        )
    X = np.asarray(bunch.data, dtype=float)
    names = tuple(map(str, bunch.feature_names))
    if name == "abalone":  # Sex is one column of codes there
        order = [str(value) for value in bunch.categories["Sex"]]
        sex = np.column_stack([X[:, 0] == order.index("M"), X[:, 0] == order.index("F")])
        X = np.hstack([sex, X[:, 1:]])
        names = ("sex_male", "sex_female", *names[1:])
    target = np.asarray(bunch.target)
    if isinstance(source.positive, float):
        positive = target.astype(float) >= source.positive
    else:
        positive = np.isin(target.astype(str), source.positive)
    if X.shape != (source.rows, source.features) or not 0 < positive.mean() < 1:
        raise LookupError(f"it has another shape there: {X.shape}")
    return Real(checks.matrix(X, "X"), np.where(positive, 1.0, -1.0), names)
