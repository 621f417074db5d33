"""What evaluation teams have of many models, as losses: labels, a wide table, or a long one."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray
from errlab._core.public import aligned
from errlab._core.scale import RATES, Scale, checked
from errlab._numerics.groups import codes

_WHOLE = "give every model a score for every case, or leave out the cases that one lacks"


class Board(NamedTuple):
    """Losses in [0, 1] of each model on the same cases, and the scale that they come from."""

    names: list[str]
    losses: FloatArray  # models x cases
    scale: Scale
    groups: ArrayLike | None
    scored: bool  # whether they came as scores, not as labels


def of_labels(y_true: ArrayLike, predictions: object, groups: ArrayLike | None) -> Board:
    """Compare the labels that each model predicted with the true ones."""
    given = _named(predictions, "predictions", "classifiers")
    aligned({"y_true": y_true, **given})
    wrong = [
        checks.zero_one_losses(y_true, pred, f"predictions[{name!r}]")
        for name, pred in given.items()
    ]
    return Board([*map(checks.visible, given)], np.array(wrong, dtype=float), RATES, groups, False)


def of_scores(
    scores: object, groups: ArrayLike | None, within: ArrayLike | None, higher_is_better: bool
) -> Board:
    """Check the scores of each model: a mapping of names, or a frame with a column for each."""
    given = _named(scores, "scores", "models")
    aligned({"groups": groups, **given})
    columns = {f"scores[{name!r}]": column for name, column in given.items()}
    for called, column in columns.items():
        row = _gap(column)
        if row is not None:
            raise ValueError(f"{called} has no score in row {row}, counted from 0; {_WHOLE}")
    found = [checked(column, name, within, higher_is_better) for name, column in columns.items()]
    checks.same_length(**columns)
    # a table is graded where one of its columns is: rates are compared with rates only
    scale = min((own for _, own in found), key=lambda own: own.rate)
    losses = scale.losses(np.array([values for values, _ in found]))
    return Board([*map(checks.visible, given)], losses, scale, groups, True)


def of_long(
    table: object, names: Mapping[str, object], within: ArrayLike | None, higher_is_better: bool
) -> Board:
    """Turn a table with one row for each model and case into a wide one.

    `names` holds the columns that `model`, `case`, `score` and perhaps `group` name.
    """
    columns = _columns(table, "a long table")
    for role, name in names.items():
        if name is None:
            raise ValueError(f"a long table needs model=, case= and score=; {role} is missing")
        if name not in columns:
            found = ", ".join(map(str, list(columns)[:20]))
            wanted = checks.show(name)
            raise ValueError(f"the table has no column {wanted} (see {role}=); it has {found}")
    parts = {role: columns[name] for role, name in names.items()}
    who, models = _numbered(parts["model"], "model")
    what, cases = _numbered(parts["case"], "case")
    checks.same_length(**parts)
    row = _gap(parts["score"])
    if row is not None:
        at = f"model {models[who[row]]} and case {cases[what[row]]}"
        raise ValueError(f"the table has no score for {at}; {_WHOLE}")
    # models x cases: the row of the table in which each cell stands
    order = _grid(who, what, models, cases).reshape(len(models), -1)
    groups = None
    if "group" in parts:
        code = codes(parts["group"], "group")[order]
        # the group belongs to the case, whichever model answered it
        for i in np.flatnonzero((code != code[0]).any(axis=0))[:1]:
            raise ValueError(f"each case must have one group, but case {cases[i]} has several")
        groups = code[0]
    called = [str(name) for name in models]
    _several(called, "the table", "models")
    scores = checks.raw(parts["score"], "score")[order].tolist()
    return of_scores(dict(zip(called, scores, strict=True)), groups, within, higher_is_better)


def _grid(who: IntArray, what: IntArray, models: list[object], cases: list[object]) -> IntArray:
    """Return the rows of a long table, model by model and case by case; each cell must be there."""
    # the cell of each row in the grid models x cases, counted row by row
    cells = who * len(cases) + what
    found, order, times = np.unique(cells, return_index=True, return_counts=True)
    for i in np.flatnonzero(times > 1)[:1]:
        m, c = divmod(int(found[i]), len(cases))
        twice = f"model {models[m]} has {times[i]} for case {cases[c]}; average what was repeated"
        raise ValueError(f"each model must have one score a case, but {twice}")
    whole = len(models) * len(cases)
    if len(found) < whole:
        # the first cell that is not where it would be in a full grid
        first = int(np.argmax(np.append(found, -1) != np.arange(len(found) + 1)))
        m, c = divmod(first, len(cases))
        at = f"model {models[m]} and case {cases[c]} ({whole - len(found)} missing of {whole})"
        raise ValueError(f"the table has no score for {at}; {_WHOLE}")
    return np.asarray(order, dtype=np.int64)


def _numbered(column: ArrayLike, name: str) -> tuple[IntArray, list[object]]:
    """Number the values of a column in the order in which they come; return them, too."""
    labels = checks.labels(column, name).tolist()
    number = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    return np.array([number[label] for label in labels], dtype=np.int64), list(number)


def _gap(column: ArrayLike) -> int | None:
    """Return the first row of a column that has no value."""
    array = np.asarray(column)
    if array.ndim != 1 or array.dtype.kind not in "fO":
        return None
    gone = [checks.missing(v) for v in array] if array.dtype.kind == "O" else np.isnan(array)
    return int(np.argmax(gone)) if np.any(gone) else None


def _columns(table: object, argument: str) -> dict[Any, Any]:
    """Return the columns of a frame of pandas, polars or pyarrow, or of a mapping."""
    # pyarrow calls the names column_names, and its columns are the data
    names = getattr(table, "column_names", getattr(table, "columns", None))
    if names is None and hasattr(table, "keys") and not isinstance(table, type):
        names = table.keys()
    if not isinstance(names, Iterable):
        what = f"{argument} must be a mapping of names to columns, or a frame"
        raise TypeError(
            f"{what}, got {checks.show(table)}; name them, as in {{'a': ..., 'b': ...}}"
        )
    listed = list(names)
    _different(listed, argument)
    return {name: table[name] for name in listed}  # type: ignore[index]


def _named(table: object, argument: str, noun: str) -> dict[str, Any]:
    """Return the columns of the models; their names must be texts that differ when shown."""
    given = _columns(table, argument)
    for name in given:
        if not isinstance(name, str):
            raise TypeError(f"{argument} must have names that are texts, got {checks.show(name)}")
    _several([*given], argument, noun)
    return given


def _several(names: list[str], argument: str, noun: str) -> None:
    """Refuse fewer than two, and two that look alike."""
    if len(names) < 2:
        raise ValueError(
            f"{argument} must hold at least 2 {noun}, got {len(names)}; for one take errlab.report"
        )
    _different([*map(checks.visible, names)], argument)


def _different(names: list[Any], argument: str) -> None:
    for name in names:
        if names.count(name) > 1:
            shown = checks.show(name)
            raise ValueError(f"{argument} must have names that differ, got {shown} twice")
