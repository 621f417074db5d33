"""Cases that are objects, such as those of JSON, as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from errlab.cli.table import Log, Table

Row = dict[str, Any]  # an object of JSON; in a table, by the dotted names of its values


def of_rows(objects: dict[int, Row], source: str, unit: str = "line", log: Log = Log()) -> Table:  # noqa: B008
    """Make a table of objects by their lines; 1, 1.0 and True stay what they are."""
    rows = {number: leaves(row, f"{source}, {unit} {number}") for number, row in objects.items()}

    def fetch(names: Sequence[str]) -> tuple[dict[str, list[Any]], list[int]]:
        columns = {}
        for name in names:
            columns[name] = [row.get(name) for row in rows.values()]
        return columns, list(rows)

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
