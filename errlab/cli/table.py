"""One file as a table: the columns that were read, what they are for, and which cases count.

Two files are put together by the identifiers of their cases, never by the order of their rows.
"""

from __future__ import annotations

import itertools
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
_NAMED = 20  # columns that a message names
Column = NDArray[np.object_]  # a text or a value for each case, None where there is none
Case = tuple[str, ...]  # the identifiers of a case


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
    scores : tuple of str
        In the log of a harness: its columns of scores.
    harness : str
        Who wrote it, and what it calls a score.
    model : str
        In the log of a harness: the model that was run.
    stopped : str
        Why the run that wrote it is not known to be whole; empty where it is.
    planned : sequence of tuple of str
        The cases that were to be run, by their identifiers, where the log names them.
    unit : str
        What the cases are counted in.
    keys : tuple of str
        The columns that together name a case.
    group : str or None
        The column of what cases come in groups of.
    values, scored : tuple of str and bool
        The columns of what the systems said, and whether those are scores.
    truth : str or None
        The column of true labels.
    columns, lines : dict of ndarray, and ndarray of int
        The columns that were read, and the line of each case.
    optional : frozenset of str
        Those of them that need no value in each case.
    told : str
        What is said first: which cases do not count.
    """

    source: str
    names: Sequence[str]
    fetch: Callable[[Sequence[str]], tuple[dict[str, list[Any]], Sequence[int]]]
    scores: tuple[str, ...] = ()
    harness: str = ""
    model: str = ""
    stopped: str = ""
    planned: Sequence[Case] = ()
    unit: str = "line"
    keys: tuple[str, ...] = ()
    group: str | None = None
    values: tuple[str, ...] = ()
    scored: bool = False
    truth: str | None = None
    columns: dict[str, Column] = field(default_factory=dict)
    lines: Sequence[int] | NDArray[np.int64] = ()
    optional: frozenset[str] = frozenset()
    told: str = ""

    def need(self, name: str, option: str, hint: str = "") -> str:
        """Return the name of a column, or say which there are."""
        if name in self.names:
            return name
        more = len(self.names) - _NAMED
        found = ", ".join(self.names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
        if len(self.names) == 1 and "|" in found:
            hint = "; separate its columns by commas"
        raise ValueError(f"{self.source} has no column {name} (see {option}); it has {found}{hint}")

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
        return replace(self, columns=columns, lines=lines)

    def at(self, row: int) -> str:
        """Say where a case stands."""
        return f"{self.source}, {self.unit} {self.lines[row]}"

    def take(self, rows: NDArray[Any]) -> Table:
        """Return some of the cases: those of these numbers, in that order, or those of a mask."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        return replace(self, columns=columns, lines=np.asarray(self.lines)[rows])

    def where(self, asked: Sequence[tuple[str, str, str]]) -> Table:
        """Return the cases with these values, such as ``("filter", "=", "none")``, as texts."""
        mask = np.ones(len(self.lines), dtype=bool)
        for name, _, text in asked:
            mask &= [text in _writings(value) for value in self.columns[name]]
        if not mask.any():
            raise ValueError(f"{self.source} has no case with {' and '.join(map(''.join, asked))}")
        return self.take(mask)

    def with_planned(self) -> Table:
        """Add the cases that were to be run and are not there; they have identifiers only."""
        there = set(self.cases()) if self.planned else set()
        absent = [case for case in self.planned if case not in there]
        if not absent or len(there) + len(absent) > len(self.planned):
            return self  # none is absent, or the log names its cases in another way
        columns = dict(self.columns)
        for name, column in columns.items():
            place = self.keys.index(name) if name in self.keys else None
            more = [None if place is None else case[place] for case in absent]
            columns[name] = np.concatenate([column, np.array(more, dtype=object)])
        lines = np.append(self.lines, len(self.lines) + 1 + np.arange(len(absent)))
        return replace(self, columns=columns, lines=lines)

    def unscored(self) -> NDArray[np.bool_]:
        """Return which cases have no value of a system."""
        mask = np.zeros(len(self.lines), dtype=bool)
        for name in self.values:
            mask |= [value is None for value in self.columns[name]]
        return mask

    def checked(self) -> Table:
        """Return the table, or refuse a case that has no value, or several in one place."""
        faults = []
        for name in [name for name in self.columns if name not in self.optional]:
            bad = (r for r, v in enumerate(self.columns[name]) if v is None or _several(v))
            faults += [(row, name) for row in itertools.islice(bad, 1)]
        for row, name in sorted(faults, key=lambda fault: fault[0])[:1]:
            value = self.columns[name][row]
            many = f"a {type(value).__name__}, where one value is needed"
            raise ValueError(f"{self.at(row)}: {name} has {'no value' if value is None else many}")
        return self

    def cases(self) -> list[Case]:
        """Return the identifiers of each case, as texts."""
        parts = [map(str, self.columns[key]) for key in self.keys]
        return list(zip(*parts, strict=True))

    def by_case(self) -> dict[Case, int]:
        """Return the row of each case by its identifiers, or refuse one that comes twice."""
        rows: dict[Case, int] = {}
        for row, case in enumerate(self.cases()):
            if case in rows:
                named = ", ".join(f"{k} {value}" for k, value in zip(self.keys, case, strict=True))
                raise ValueError(f"{self.at(row)}: {named} comes twice; each case counts once")
            rows[case] = row
        return rows


def _several(value: object) -> bool:
    return isinstance(value, (list, dict))


def _writings(value: object) -> tuple[str, ...]:
    """Return how a value may be written on the command line; JSON has true for True."""
    text = str(value)
    return (text, text.lower()) if isinstance(value, (bool, np.bool_)) else (text,)


def groups_by_name(name: str) -> bool:
    """Whether a column is called as groups are; what usually names the cases does not count."""
    return name.lower().removesuffix("_id") in GROUPS and name not in IDS


def predictions(names: Sequence[str], truth: str = "y_true") -> list[str]:
    """Find the columns of predictions where the user has not named them."""
    for usual in (["y_pred"], ["pred_a", "pred_b"], ["y_pred_a", "y_pred_b"]):
        if set(usual) <= set(names):
            return usual
    others = [name for name in names if name not in (truth, *IDS)]
    return others if len(others) == 2 and truth in names else ["y_pred"]


def align(tables: Sequence[Table]) -> list[Table]:
    """Bring files to the order of the first, and refuse a case that is not in all of them."""
    found = [(table.source, table.by_case()) for table in tables]
    for other in found[1:]:
        for (has, cases), (lacks, rows) in ((found[0], other), (other, found[0])):
            missing = [case for case in cases if case not in rows]
            if missing:
                raise ValueError(
                    f"{lacks} lacks {len(missing)} of the {len(cases)} cases of {has}, such as "
                    f"{', '.join(missing[0])}; both must hold the same cases"
                )
    # row numbers of each file, in the order of the first one's cases
    orders = [np.array([rows[case] for case in found[0][1]], dtype=np.intp) for _, rows in found]
    return [table.take(order) for table, order in zip(tables, orders, strict=True)]
