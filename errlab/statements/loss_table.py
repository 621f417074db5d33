"""Losses of many models, from labels, a wide table of scores, or a long one."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray
from errlab._core.public import aligned
from errlab._numerics.groups import codes
from errlab.statements.scale import RATES, Scale, checked

_WHOLE = "give every model a score for every example, or leave out the examples that one lacks"


class LossTable(NamedTuple):
    """Losses in [0, 1] of each model on the same examples, and the scale of their scores."""

    names: list[str]
    losses: FloatArray  # models x examples
    scale: Scale
    groups: ArrayLike | None
    scored: bool  # whether the input was scores, not labels


def of_labels(y_true: ArrayLike, predictions: object, groups: ArrayLike | None) -> LossTable:
    """Return the losses from the labels that each model predicted and the true ones."""
    columns = _columns(predictions, "predictions")
    names = _names(columns, "predictions", "classifiers")
    aligned({"y_true": y_true, **columns})
    losses = [
        checks.zero_one_losses(y_true, column, f"predictions[{name!r}]")
        for name, column in columns.items()
    ]
    return LossTable(names, np.array(losses, dtype=float), RATES, groups, scored=False)


def of_scores(
    scores: object, groups: ArrayLike | None, within: ArrayLike | None, higher_is_better: bool
) -> LossTable:
    """Return the losses from the scores of each model, in a mapping or the columns of a frame."""
    columns = _columns(scores, "scores")
    names = _names(columns, "scores", "models")
    aligned({"groups": groups, **columns})
    named = {f"scores[{name!r}]": column for name, column in columns.items()}
    for name, column in named.items():
        for row in np.flatnonzero(_missing(column))[:1]:
            raise ValueError(f"{name} has no score in row {row}, counted from 0; {_WHOLE}")
    rows = [checked(column, name, within, higher_is_better) for name, column in named.items()]
    checks.same_length(**named)
    # if one column is graded, all are: a rate can't be compared with a mean score
    values, scales = zip(*rows, strict=True)
    scale = min(scales, key=lambda scale: scale.rate)
    return LossTable(names, scale.losses(np.array(values)), scale, groups, scored=True)


def of_long(
    table: object, roles: Mapping[str, object], within: ArrayLike | None, higher_is_better: bool
) -> LossTable:
    """Return the losses from a table with one row for each model and example.

    `roles` holds the columns that `model`, `case`, `score` and perhaps `group` name.
    """
    columns = _columns(table, "a long table")
    for role, name in roles.items():
        if name is None:
            raise ValueError(f"a long table needs model=, case= and score=; {role} is missing")
        if name not in columns:
            choices = ", ".join(map(str, list(columns)[:20]))
            column = checks.show(name)
            raise ValueError(f"the table has no column {column} (see {role}=); it has {choices}")
    parts = {role: columns[name] for role, name in roles.items()}
    rows, models = _numbered(parts["model"], "model")
    places, cases = _numbered(parts["case"], "case")
    checks.same_length(**parts)
    names = _names(map(str, models), "the table", "models")
    scored = np.flatnonzero(~_missing(parts["score"]))
    # flat index of each score in the array models x examples
    shape = (len(models), len(cases))
    cells = np.ravel_multi_index((rows[scored], places[scored]), shape)
    counts = np.bincount(cells, minlength=np.prod(shape)).reshape(shape)
    for m, c in np.argwhere(counts != 1)[:1]:
        model, case = models[m], cases[c]
        if counts[m, c]:
            raise ValueError(
                f"each model must have one score per example, but model {model} has {counts[m, c]} "
                f"for example {case}; average what was repeated"
            )
        holes = f"{np.count_nonzero(counts == 0)} missing of {counts.size}"
        raise ValueError(
            f"the table has no score for model {model} and example {case} ({holes}); {_WHOLE}"
        )
    # models x examples: the row of the table for each entry
    order = scored[np.argsort(cells)].reshape(shape)
    groups = None
    if "group" in parts:
        grid = codes(parts["group"], "group")[order]
        for c in np.flatnonzero(np.ptp(grid, axis=0))[:1]:
            raise ValueError(
                f"each example must have one group, but example {cases[c]} has several"
            )
        groups = grid[0]
    values, scale = checked(parts["score"], "score", within, higher_is_better)
    return LossTable(names, scale.losses(values[order]), scale, groups, scored=True)


def _numbered(column: ArrayLike, name: str) -> tuple[IntArray, list[object]]:
    """Number the values of a column in order of appearance; return numbers and distinct values."""
    labels = checks.labels(column, name).tolist()
    number = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    return np.array([number[label] for label in labels], dtype=np.int64), list(number)


def _missing(column: ArrayLike) -> NDArray[np.bool_]:
    """Return which rows of a column have no value."""
    values = np.atleast_1d(column)
    if values.dtype.kind in "biu":  # whole numbers and booleans can't be missing
        return np.zeros(len(values), dtype=bool)
    return np.array([checks.missing(value) for value in values.tolist()], dtype=bool)


def _columns(table: object, argument: str) -> dict[Any, Any]:
    """Return the columns of a frame of pandas, polars or pyarrow, or of a mapping."""
    # pyarrow's `columns` are the data; its names are `column_names`
    names = getattr(table, "column_names", getattr(table, "columns", None))
    if names is None and hasattr(table, "keys") and not isinstance(table, type):
        names = table.keys()
    if not isinstance(names, Iterable):
        raise TypeError(
            f"{argument} must be a mapping of names to columns, or a frame, got "
            f"{checks.show(table)}; name them, as in {{'a': ..., 'b': ...}}"
        )
    names = list(names)
    _different(names, argument)
    return {name: table[name] for name in names}  # type: ignore[index]


def _names(models: Iterable[object], argument: str, noun: str) -> list[str]:
    """Return the names of at least two models as they are printed; no two may look alike."""
    names = []
    for name in models:
        if not isinstance(name, str):
            raise TypeError(f"{argument} must have names that are strings, got {checks.show(name)}")
        names.append(checks.visible(name))
    if len(names) < 2:
        raise ValueError(
            f"{argument} must hold at least 2 {noun}, got {len(names)}; for one take errlab.report"
        )
    _different(names, argument)
    return names


def _different(names: list[Any], argument: str) -> None:
    """Refuse equal names."""
    for name in names:
        if names.count(name) > 1:
            label = checks.show(name)
            raise ValueError(f"{argument} must have names that differ, got {label} twice")
