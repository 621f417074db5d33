"""One file as a table: the cases that were read, what the columns are for, and which cases count.

Two files are put together by the identifiers of their cases, never by the order of their rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

_NAMED = 20  # columns that a message names
_NO_VALUE = (type(None), list, dict)  # none, or several in one place
Row = dict[str, Any]  # of each column a text or a value, None where there is none
Cases = Sequence[tuple[int, Row]]  # each with its line
Name = tuple[str, ...]  # the identifiers of a case


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
    planned: Sequence[Name] = ()


@dataclass(frozen=True)
class Table:
    """One file: what its columns are called and are for, and the cases that were read.

    Attributes
    ----------
    source : str
        The file.
    names : sequence of str
        All its columns.
    fetch : callable
        Given names, returns the cases with the values of these columns.
    unit : str
        What the cases are counted in.
    log : Log
        What it says of the run that wrote it, where it is a log.
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
    cases : sequence of tuple of int and dict
        Those that were read, by their lines.
    note : str
        What has to be told first: which cases do not count.
    """

    source: str
    names: Sequence[str]
    fetch: Callable[[Sequence[str]], Iterable[tuple[int, Row]]]
    unit: str = "line"
    log: Log = Log()
    values: Sequence[str] = ()
    scored: bool = False
    truth: str | None = None
    keys: tuple[str, ...] = ()
    group: str | None = None
    model: str | None = None
    where: Sequence[tuple[str, str]] = ()
    cases: Cases = field(default=())
    note: str = ""

    @property
    def wanted(self) -> list[str]:
        """All columns that need a value in each case."""
        names = [self.truth, *self.values, *self.keys, self.group, self.model, *dict(self.where)]
        return [name for name in names if name is not None]

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
        return replace(self, cases=list(self.fetch(wanted)))

    @cached_property
    def columns(self) -> dict[str, list[Any]]:
        """The values of each column that was read."""
        return {name: [row[name] for _, row in self.cases] for name in self.cases[0][1]}

    def at(self, number: int) -> str:
        """Say where a case stands."""
        return f"{self.source}, {self.unit} {self.cases[number][0]}"

    def selected(self) -> Table:
        """Return the cases that `--where` keeps, by the values of their columns as texts."""
        where = self.where
        cases = []
        for line, row in self.cases:
            if all(text in _spellings(row[name]) for name, text in where):
                cases.append((line, row))
        if not cases:
            conditions = " and ".join(f"{name}={text}" for name, text in where)
            raise ValueError(f"{self.source} has no case with {conditions}")
        return replace(self, cases=cases)

    def with_planned(self) -> Table:
        """Add the cases that were to be run and are not there; they have identifiers only."""
        planned = self.log.planned
        present = set(self.identified())
        absent = [case for case in planned if case not in present]
        if not absent or len(present) + len(absent) > len(planned):
            return self  # none is absent, or the log names its cases in another way
        empty = dict.fromkeys(self.cases[0][1])
        cases = list(self.cases)
        for case in absent:
            cases.append((len(cases) + 1, empty | dict(zip(self.keys, case, strict=True))))
        return replace(self, cases=cases)

    def unanswered(self) -> list[bool]:
        """Return which cases have no value of a system."""
        values = self.values
        return [any(row[name] is None for name in values) for _, row in self.cases]

    def checked(self) -> Table:
        """Return the table, or refuse a case that has no value, or several in one place.

        Columns that have no role may lack values, unless none has a role.
        """
        names = self.wanted or list(self.cases[0][1])
        for number, (_, row) in enumerate(self.cases):
            for name in names:
                value = row[name]
                if type(value) not in _NO_VALUE:
                    continue
                problem = "no value"
                if value is not None:
                    problem = f"a {type(value).__name__}, where one value is needed"
                raise ValueError(f"{self.at(number)}: {name} has {problem}")
        return self

    def identified(self) -> Iterator[Name]:
        """Give the identifiers of each case, as texts."""
        for _, row in self.cases:
            yield tuple(str(row[key]) for key in self.keys)

    def by_case(self) -> dict[Name, tuple[int, Row]]:
        """Return each case by its identifiers, or refuse one that comes twice."""
        keys = self.keys
        cases: dict[Name, tuple[int, Row]] = {}
        for number, case in enumerate(self.identified()):
            if case in cases:
                named = ", ".join(f"{key} {value}" for key, value in zip(keys, case, strict=True))
                raise ValueError(f"{self.at(number)}: {named} comes twice; each case counts once")
            cases[case] = self.cases[number]
        return cases


def of_rows(objects: dict[int, Row], source: str, unit: str = "line", log: Log = Log()) -> Table:
    """Make a table of objects by their lines; 1, 1.0 and True stay what they are."""
    rows = {number: leaves(row, f"{source}, {unit} {number}") for number, row in objects.items()}

    def fetch(names: Sequence[str]) -> Iterator[tuple[int, Row]]:
        for number, row in rows.items():
            yield number, {name: row.get(name) for name in names}

    names = dict.fromkeys(name for row in rows.values() for name in row)
    return Table(source, list(names), fetch, unit, log)


def leaves(whole: Row, place: str) -> Row:
    """Return the values of an object, those inside another by a dotted name."""
    row: Row = {}
    # no recursion: what json reads may be nested more deeply than Python calls
    parts = [("", whole)]
    while parts:
        prefix, part = parts.pop()
        for name, value in part.items():
            dotted = prefix + name
            if isinstance(value, dict):
                parts.append((f"{dotted}.", value))
            elif dotted in row:
                raise ValueError(f"{place}: two values are called {dotted}; rename one of them")
            else:
                row[dotted] = value
    return row


def _spellings(value: object) -> tuple[str, ...]:
    """Return how a value may be written on the command line; JSON has true for True."""
    return (str(value), str(value).lower()) if isinstance(value, bool) else (str(value),)


def align(tables: Sequence[Table]) -> list[Table]:
    """Bring files to the order of the first, and refuse a case that is not in all of them."""
    first, *others = tables
    cases = first.by_case()
    aligned = [first]
    for table in others:
        own = table.by_case()
        for source, held, other, wanted in (
            (table.source, own, first.source, cases),
            (first.source, cases, table.source, own),
        ):
            absent = [case for case in wanted if case not in held]
            if absent:
                raise ValueError(
                    f"{source} lacks {len(absent)} of the {len(wanted)} cases of {other}, such as "
                    f"{', '.join(absent[0])}; both must hold the same cases"
                )
        aligned.append(replace(table, cases=[own[case] for case in cases]))
    return aligned
