"""A file as a table: its examples, the roles of its columns, and the examples that count.

Two files are joined by the identifiers of their examples, never by the order of their rows.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

_LISTED = 500  # characters of the column names in a message
Row = dict[str, Any]  # string or value by column, None if missing
Case = tuple[int, Row]  # line number and row
Name = tuple[str, ...]  # the identifiers of an example


@dataclass
class Table:
    """A file's columns, and the examples that were read.

    Attributes
    ----------
    source : str
        The file.
    names : list of str
        All its columns.
    fetch : callable
        Given names, returns the examples with the values of these columns.
    unit : str
        The unit in which examples are counted.
    harness : str
        For a log: the program that wrote it, and its name for a score.
    scores : sequence of str
        For a log: its columns of scores.
    system : str
        For a log: the model that was run.
    stopped : str
        Why the run that wrote a log may be incomplete; empty if it is complete.
    planned : sequence of tuple of str
        The identifiers of the examples that should have been run, if a log has them.
    values, scored : sequence of str and bool
        The columns of the systems' answers, and whether these are scores.
    truth, group : str or None
        The columns of true labels and of groups.
    keys : tuple of str
        The columns that together identify an example.
    roles : dict of str
        The columns that need a value in each example, each with the option that names it.
    cases : list of tuple of int and dict
        The examples that were read, with their lines.
    note : str
        What a result must say first: which examples don't count.
    remarks : list of str
        What else a result must say: which rows aren't examples, and which are groups.
    task : str
        For a log: the task that was run.
    reported : dict
        For a log: the mean of each score and its standard error, as the harness reports them.
    groups_reported : list of str
        Groups of tasks for which the harness reports means.
    pairs : sequence of str
        The metrics for which a log contains pairs of a true and a predicted label.
    delimited : bool
        Whether a missing quote may join lines.
    repeated : str
        For a log with several answers to each example: what to do about them.
    """

    source: str
    names: list[str]
    fetch: Callable[[Sequence[str]], Iterable[Case]]
    unit: str = "line"
    harness: str = ""
    scores: Sequence[str] = ()
    system: str = ""
    stopped: str = ""
    planned: Sequence[Name] = ()
    values: Sequence[str] = ()
    scored: bool = False
    truth: str | None = None
    group: str | None = None
    keys: tuple[str, ...] = ()
    roles: dict[str, str] = field(default_factory=dict)
    cases: list[Case] = field(default_factory=list)
    note: str = ""
    remarks: list[str] = field(default_factory=list)
    task: str = ""
    reported: dict[str, tuple[float, float | None]] = field(default_factory=dict)
    groups_reported: list[str] = field(default_factory=list)
    pairs: Sequence[str] = ()
    delimited: bool = False
    repeated: str = ""

    def need(self, name: str, option: str, hint: str = "") -> str:
        """Return the name of a column, or raise an error that lists all columns."""
        if name in self.names:
            return name
        listed = textwrap.shorten(", ".join(self.names), _LISTED, placeholder=" ...")
        if len(self.names) == 1 and "|" in listed:
            hint = "; separate its columns by commas"
        raise ValueError(
            f"{self.source} has no column {name} (see {option}); it has {listed}{hint}"
        )

    def read(self, names: Iterable[str]) -> None:
        """Read the values of these columns from the file."""
        wanted = list(dict.fromkeys(names))
        for name in wanted:
            times = self.names.count(name)
            if times > 1:
                raise ValueError(f"{self.source} has {times} columns {name}; rename all but one")
        self.cases = list(self.fetch(wanted))
        if not self.cases:
            raise ValueError(f"{self.source} has no examples")

    def add_columns(self, names: Iterable[str]) -> None:
        """Add columns of the remaining examples."""
        wanted = [name for name in dict.fromkeys(names) if self.names.count(name) == 1]
        values = dict(self.fetch(wanted))
        empty = dict.fromkeys(wanted)
        for line, row in self.cases:
            row |= values.get(line, empty)

    def column(self, name: str) -> list[Any]:
        """Return the values of a column that was read."""
        return [row[name] for _, row in self.cases]

    def at(self, number: int) -> str:
        """Return the file and line of an example, for messages."""
        return f"{self.source}, {self.unit} {self.cases[number][0]}"

    def add_planned(self) -> None:
        """Add planned examples that are missing in the log, with their identifiers only."""
        present = set(self.identified())
        if not present <= set(self.planned):
            return  # the log identifies its examples in another way
        empty = dict.fromkeys(self.cases[0][1])
        for case in self.planned:
            if case not in present:
                row = empty | dict(zip(self.keys, case, strict=True))
                self.cases.append((len(self.cases) + 1, row))

    def check(self, hint: str = "") -> None:
        """Refuse an example with a missing value, or with a list for a value.

        Columns without a role may lack values, unless no column has a role. The hint is for tables
        that lack an answer of a system.
        """
        names = self.roles or self.cases[0][1]
        for number, (_, row) in enumerate(self.cases):
            for name in names:
                value = row[name]
                if self.delimited and isinstance(value, str) and value.splitlines() != [value]:
                    # two missing quotes would turn everything between them into one label
                    raise ValueError(
                        f"{self.source}: the label {value!r} holds a line break; is a quote "
                        "missing?"
                    )
                if value is None:
                    problem = "no value"
                    if name in self.values:
                        problem += hint
                elif isinstance(value, (list, dict)):
                    problem = f"a {type(value).__name__}, where one value is needed"
                else:
                    continue
                raise ValueError(f"{self.at(number)}: {name} has {problem}")

    def identified(self) -> list[Name]:
        """Return the identifiers of each example, as strings."""
        return [tuple(str(row[key]) for key in self.keys) for _, row in self.cases]

    def by_case(self) -> dict[Name, Case]:
        """Return the examples by identifier; refuse an identifier that occurs twice."""
        cases: dict[Name, Case] = {}
        for number, case in enumerate(self.identified()):
            if case in cases:
                named = ", ".join(map(" ".join, zip(self.keys, case, strict=True)))
                raise ValueError(
                    f"{self.at(number)}: {named} comes twice; each example counts once, unless "
                    "--group says what it belongs to"
                )
            cases[case] = self.cases[number]
        return cases


def of_rows(objects: dict[int, Row], source: str, unit: str = "line") -> Table:
    """Return a table of objects by line; 1, 1.0 and True stay distinct."""
    rows = {number: leaves(row, f"{source}, {unit} {number}") for number, row in objects.items()}

    def fetch(names: Sequence[str]) -> Iterator[Case]:
        for number, row in rows.items():
            yield number, {name: row.get(name) for name in names}

    names = dict.fromkeys(name for row in rows.values() for name in row)
    return Table(source, list(names), fetch, unit)


def leaves(whole: Row, place: str) -> Row:
    """Return the values of an object; nested values have dotted names."""
    row: Row = {}
    # a loop, because JSON may be nested more deeply than Python's recursion limit
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


def align(tables: Sequence[Table]) -> None:
    """Sort files in the order of the first, and refuse an example that one of them lacks."""
    first, *others = tables
    cases = first.by_case()
    for table in others:
        same = table.by_case()
        for one, other, absent in (
            (table, first, cases.keys() - same.keys()),
            (first, table, same.keys() - cases.keys()),
        ):
            if absent:
                raise ValueError(
                    f"{one.source} lacks {len(absent)} of the {len(other.cases)} examples of "
                    f"{other.source}, such as {', '.join(min(absent))}; both must hold the same "
                    "examples"
                )
        table.cases = [same[case] for case in cases]
