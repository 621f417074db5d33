"""Cases that are objects, such as those of JSON, as rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from errlab.cli.table import Table

Row = dict[str, Any]  # an object of JSON; in a table, by the dotted names of its values


def of_rows(found: dict[int, Row], source: str, unit: str = "line") -> Table:
    """Make a table of objects by their lines; 1, 1.0 and True stay what they are."""
    rows = {number: leaves(row, f"{source}, {unit} {number}") for number, row in found.items()}

    def fetch(names: Sequence[str]) -> tuple[dict[str, list[Any]], list[int]]:
        return {name: [row.get(name) for row in rows.values()] for name in names}, list(rows)

    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    return replace(Table(source, names, fetch), unit=unit)


def leaves(found: Row, place: str) -> Row:
    """Return the values of an object, those inside another by a dotted name."""
    row: Row = {}
    # no recursion: what json reads may be nested more deeply than Python calls
    parts = [("", found)]
    while parts:
        head, part = parts.pop()
        for name, value in part.items():
            dotted = f"{head}{name}"
            if isinstance(value, dict):
                parts.append((f"{dotted}.", value))
            elif dotted in row:
                raise ValueError(f"{place}: two values are called {dotted}; rename one of them")
            else:
                row[dotted] = value
    return row
