"""One file as a table: the columns that were read, what they are for, and which cases count.

Two files are put together by the identifiers of their cases, never by the order of their rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

IDS = ("id", "instance_id", "doc_id", "sample_id", "case_id", "question_id", "prompt_id", "task_id")
# What columns are called, with or without _id, that say which cases belong together.
GROUPS = frozenset(
    {
        "author", "batch", "center", "clinic", "cluster", "conversation", "customer", "device",
        "document", "family", "group", "hospital", "household", "participant", "patient", "person",
        "prompt", "repo", "repository", "scanner", "scene", "session", "site", "source", "speaker",
        "subject", "template", "user", "video",
    }
)  # fmt: skip
TRUTH = "y_true"  # what the true labels are called, unless the user says otherwise
_PREDICTIONS = (("y_pred",), ("pred_a", "pred_b"), ("y_pred_a", "y_pred_b"), ("predicted",))
_NAMED = 20  # columns that a message names
_NO_VALUE: tuple[type, ...] = (type(None), list, dict)  # none, or several in one place
Column = NDArray[np.object_]  # a text or a value for each case, None where there is none
Case = tuple[str, ...]  # the identifiers of a case


@dataclass(frozen=True)
class Log:
    """What the log of a harness says beside its cases.

    Attributes
    ----------
    harness : str
        Who wrote it, and what it calls a score.
    scores : tuple of str
        Its columns of scores.
    keys : tuple of str
        The columns that together name a case.
    group : str or None
        The column of what cases come in groups of.
    model : str
        The model that was run.
    stopped : str
        Why the run that wrote it is not known to be whole; empty where it is.
    planned : sequence of tuple of str
        The cases that were to be run, by their identifiers, where the log names them.
    """

    harness: str = ""
    scores: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    group: str | None = None
    model: str = ""
    stopped: str = ""
    planned: Sequence[Case] = ()


@dataclass(frozen=True)
class Roles:
    """What the columns of a file are for, settled from the options and from what the file has.

    Attributes
    ----------
    values, scored : tuple of str and bool
        The columns of what the systems answered, and whether those are scores.
    truth : str or None
        The column of true labels.
    keys : tuple of str
        The columns that together name a case.
    group, model : str or None
        The columns of what cases come in groups of, and, in a long table, of the system.
    where : sequence of tuple of str
        Columns and the values, as texts, of the cases that count.
    """

    values: tuple[str, ...] = ()
    scored: bool = False
    truth: str | None = None
    keys: tuple[str, ...] = ()
    group: str | None = None
    model: str | None = None
    where: Sequence[tuple[str, str]] = ()

    @property
    def columns(self) -> list[str]:
        """All columns that need a value in each case."""
        names = [self.truth, *self.values, *self.keys, self.group, self.model, *dict(self.where)]
        return [name for name in names if name is not None]


@dataclass(frozen=True)
class Table:
    """One file: what its columns are called and are for, and those that were read.

    Attributes
    ----------
    source : str
        The file.
    names : sequence of str
        All its columns.
    fetch : callable
        Given names, returns the values of these columns, and the line of each case.
    unit : str
        What the cases are counted in.
    log : Log
        What it says of the run that wrote it, where it is a log.
    roles : Roles
        What its columns are for.
    columns, lines : dict of ndarray, and ndarray of int
        The columns that were read, and the line of each case.
    note : str
        What has to be told first: which cases do not count.
    """

    source: str
    names: Sequence[str]
    fetch: Callable[[Sequence[str]], tuple[dict[str, list[Any]], Sequence[int]]]
    unit: str = "line"
    log: Log = Log()
    roles: Roles = Roles()
    columns: dict[str, Column] = field(default_factory=dict)
    lines: NDArray[np.int64] = field(default_factory=lambda: np.arange(0))
    note: str = ""

    def need(self, name: str, option: str, hint: str = "") -> str:
        """Return the name of a column, or say which there are."""
        if name in self.names:
            return name
        listed = ", ".join(self.names[:_NAMED])
        if len(self.names) > _NAMED:
            listed += f" and {len(self.names) - _NAMED} more"
        if len(self.names) == 1 and "|" in listed:
            hint = "; separate its columns by commas"
        message = f"{self.source} has no column {name} (see {option}); it has {listed}{hint}"
        raise ValueError(message)

    def read(self, names: Iterable[str]) -> Table:
        """Return the table with the values of these columns; the file is read here, once."""
        wanted = list(dict.fromkeys(names))
        for name in wanted:
            times = list(self.names).count(name)
            if times > 1:
                raise ValueError(f"{self.source} has {times} columns {name}; rename all but one")
        values, lines = self.fetch(wanted)
        # no array of a list of lists: JSON and Parquet may hold several values in one place
        columns = {name: np.fromiter(values[name], dtype=object) for name in wanted}
        return replace(self, columns=columns, lines=np.asarray(lines))

    def at(self, row: int) -> str:
        """Say where a case stands."""
        return f"{self.source}, {self.unit} {self.lines[row]}"

    def take(self, rows: NDArray[Any]) -> Table:
        """Return some of the cases: those of these numbers, in that order, or those of a mask."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        return replace(self, columns=columns, lines=self.lines[rows])

    def selected(self) -> Table:
        """Return the cases that `--where` keeps, by the values of their columns as texts."""
        mask = np.ones(len(self.lines), dtype=bool)
        for name, text in self.roles.where:
            mask &= [text in _spellings(value) for value in self.columns[name]]
        if not mask.any():
            conditions = " and ".join(f"{name}={text}" for name, text in self.roles.where)
            raise ValueError(f"{self.source} has no case with {conditions}")
        return self.take(mask)

    def with_planned(self) -> Table:
        """Add the cases that were to be run and are not there; they have identifiers only."""
        planned = self.log.planned
        if not planned:
            return self
        keys = self.roles.keys
        present = set(self.cases())
        absent = [case for case in planned if case not in present]
        if not absent or len(present) + len(absent) > len(planned):
            return self  # none is absent, or the log names its cases in another way
        columns = {}
        for name, column in self.columns.items():
            added = np.full(len(absent), None, dtype=object)
            if name in keys:
                added[:] = [case[keys.index(name)] for case in absent]
            columns[name] = np.append(column, added)
        lines = np.append(self.lines, len(self.lines) + 1 + np.arange(len(absent)))
        return replace(self, columns=columns, lines=lines)

    def unanswered(self) -> NDArray[np.bool_]:
        """Return which cases have no value of a system."""
        mask = np.zeros(len(self.lines), dtype=bool)
        for name in self.roles.values:
            mask |= [value is None for value in self.columns[name]]
        return mask

    def checked(self) -> Table:
        """Return the table, or refuse a case that has no value, or several in one place.

        Columns that have no role may lack values, unless none has a role.
        """
        faults = []
        for name in self.roles.columns or self.columns:
            types = list(map(type, self.columns[name]))
            faults += [(types.index(kind), name) for kind in _NO_VALUE if kind in types]
        if not faults:
            return self
        row, name = min(faults, key=lambda fault: fault[0])
        value = self.columns[name][row]
        problem = "no value"
        if value is not None:
            problem = f"a {type(value).__name__}, where one value is needed"
        raise ValueError(f"{self.at(row)}: {name} has {problem}")

    def cases(self) -> list[Case]:
        """Return the identifiers of each case, as texts."""
        identifiers = [map(str, self.columns[key]) for key in self.roles.keys]
        return list(zip(*identifiers, strict=True))

    def by_case(self) -> dict[Case, int]:
        """Return the row of each case by its identifiers, or refuse one that comes twice."""
        keys = self.roles.keys
        rows: dict[Case, int] = {}
        for row, case in enumerate(self.cases()):
            if case in rows:
                named = ", ".join(f"{key} {value}" for key, value in zip(keys, case, strict=True))
                raise ValueError(f"{self.at(row)}: {named} comes twice; each case counts once")
            rows[case] = row
        return rows


def _spellings(value: object) -> tuple[str, ...]:
    """Return how a value may be written on the command line; JSON has true for True."""
    text = str(value)
    if isinstance(value, (bool, np.bool_)):
        return text, text.lower()
    return (text,)


def groups_by_name(name: str) -> bool:
    """Whether a column is called as groups are; what usually names the cases does not count."""
    return name.lower().removesuffix("_id") in GROUPS and name not in IDS


def true_labels(names: Sequence[str], wanted: str = TRUTH) -> str:
    """Find the column of true labels: the one that is named, or what is usual in any case."""
    if wanted != TRUTH:
        return wanted
    return _in_any_case(names, TRUTH) or _in_any_case(names, "actual") or TRUTH


def _in_any_case(names: Sequence[str], wanted: str) -> str | None:
    """Return the column of this name, or the only one that differs from it in capitals alone."""
    if wanted in names:
        return wanted
    found = [name for name in names if name.lower() == wanted]
    return found[0] if len(found) == 1 else None


def predictions(names: Sequence[str], truth: str = TRUTH) -> list[str]:
    """Find the columns of predictions where the user has not named them."""
    for usual in _PREDICTIONS:
        found = [_in_any_case(names, name) for name in usual]
        if None not in found:
            return [name for name in found if name is not None]
    others = [name for name in names if name not in (truth, *IDS)]
    if len(others) == 2 and truth in names:
        return others
    return ["y_pred"]


def align(tables: Sequence[Table]) -> list[Table]:
    """Bring files to the order of the first, and refuse a case that is not in all of them."""
    first = tables[0]
    cases = first.by_case()
    aligned = [first]
    for table in tables[1:]:
        rows = table.by_case()
        _no_absent(first.source, cases, table.source, rows)
        _no_absent(table.source, rows, first.source, cases)
        aligned.append(table.take(np.array([rows[case] for case in cases], dtype=np.intp)))
    return aligned


def _no_absent(other: str, cases: dict[Case, int], source: str, rows: dict[Case, int]) -> None:
    """Refuse a file that lacks cases of another one."""
    absent = [case for case in cases if case not in rows]
    if absent:
        raise ValueError(
            f"{source} lacks {len(absent)} of the {len(cases)} cases of {other}, such as "
            f"{', '.join(absent[0])}; both must hold the same cases"
        )
