"""Objects of JSON as a table: one a line, an array of them, or what pandas writes."""

from __future__ import annotations

import json
from typing import IO, Any

from errlab.cli import harnesses
from errlab.cli.rows import Row, of_rows
from errlab.cli.table import Table
from errlab.cli.text import lines

_LONGEST = 2**30  # letters of a line, such as an array of all cases


def opened(stream: IO[bytes], source: str) -> Table:
    """Open JSON: a log of a harness, a table of pandas, an array of cases, or a case a line."""
    text = "".join(lines(stream, source, longest=_LONGEST)).rstrip()
    parts = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    try:
        parse(parts[0][1], source, 1)
    except ValueError:  # no line for each case, but one value over many lines
        parts = [(1, text)]
    found: dict[int, Any] = {number: parse(part, source, number) for number, part in parts}
    if len(found) == 1:
        (whole,) = found.values()
        if isinstance(whole, dict) and (log := harnesses.of_document(whole, source)):
            return log
        rows = _rows_of(whole)
        if rows is not None:
            return of_rows(rows, source, "element")
    for number, row in found.items():
        if not isinstance(row, dict):
            raise ValueError(f"{source}, line {number}: one JSON object a line is needed")
    if log := harnesses.of_lines(found, source):
        return log
    return of_rows(found, source)


def parse(text: str, source: str, line: int = 1) -> object:
    """Read JSON, or say in which line it is none."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        deep = isinstance(error, RecursionError)
        why = getattr(error, "msg", "nested too deeply" if deep else "too many digits")
        if isinstance(error, _TwiceError):
            why = str(error)
        at = line + getattr(error, "lineno", 1) - 1
        raise ValueError(f"{source}, line {at}: no JSON ({why})") from None


class _TwiceError(ValueError):
    """A name that an object holds twice: which of the values is meant is not known."""


def _once(pairs: list[tuple[str, Any]]) -> Row:
    """Make an object of its pairs, each name of which comes once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(f"{max(names, key=names.count)!r} comes twice in an object")
    return found


def _rows_of(whole: object) -> dict[int, Row] | None:
    """Return the cases of a document that holds all of them, if it is such a one."""
    rows = _of_object(whole) if isinstance(whole, dict) else whole
    if not (isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows)):
        return None
    return dict(enumerate(rows, 1))


def _of_object(whole: Row) -> list[Row] | None:
    """Return the cases of an object: a table of pandas, or an object for each case."""
    data = whole.get("data")
    if isinstance(data, list) and {"schema", "data"} == whole.keys():  # orient="table"
        return data
    if isinstance(data, list) and {"columns", "data"} <= whole.keys():  # orient="split"
        columns = whole["columns"]
        whole_rows = all(isinstance(row, list) and len(row) == len(columns) for row in data)
        return [dict(zip(columns, row, strict=True)) for row in data] if whole_rows else None
    inner = list(whole.values())
    if len(inner) < 2 or not all(isinstance(value, dict) and value for value in inner):
        return None
    places = list(inner[0])
    if places == [str(i) for i in range(len(places))]:  # orient="columns": columns of cases
        if any(list(column) != places for column in inner):
            return None
        return [{name: column[at] for name, column in whole.items()} for at in places]
    key = "key" if any("id" in row for row in inner) else "id"
    return [{key: name} | row for name, row in whole.items()]
