"""Objects of JSON as a table: one a line, an array of them, or what pandas writes."""

import json
from typing import IO, Any

from errlab.cli import harnesses
from errlab.cli.table import Row, Table, of_rows
from errlab.cli.text import decoded

_LONGEST = 2**30  # letters of a line, such as an array of all cases


def opened(stream: IO[bytes], source: str) -> Table:
    """Open JSON: a log of a harness, a table of pandas, an array of cases, or a case a line."""
    text = decoded(stream, source, _LONGEST).rstrip()
    lines = {number: line for number, line in enumerate(text.split("\n"), 1) if line.strip()}
    try:
        parse(next(iter(lines.values())), source)
    except ValueError:  # no line for each case, but one value over many lines
        lines = {1: text}
    values = {number: parse(line, source, number) for number, line in lines.items()}
    if len(values) == 1:
        (document,) = values.values()
        table = _of_document(document, source)
        if table is not None:
            return table
    for number, row in values.items():
        if not isinstance(row, dict):
            raise ValueError(f"{source}, line {number}: one JSON object a line is needed")
    return harnesses.of_lines(values, source) or of_rows(values, source)


def parse(text: str, source: str, line: int = 1) -> Any:
    """Read JSON, or say in which line it is none."""
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        line += error.lineno - 1
        reason = error.msg
    except _TwiceError as error:
        reason = str(error)
    except ValueError:
        reason = "too many digits"
    except RecursionError:
        reason = "nested too deeply"
    raise ValueError(f"{source}, line {line}: no JSON ({reason})")


class _TwiceError(ValueError):
    """A name that an object holds twice: which of the values is meant is not known."""


def _object(pairs: list[tuple[str, Any]]) -> Row:
    """Make an object of its pairs, each name of which comes once."""
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(f"{max(names, key=names.count)!r} comes twice in an object")
    return row


def _of_document(document: object, source: str) -> Table | None:
    """Open a document that holds all cases, if it is such a one."""
    rows = document
    if isinstance(document, dict):
        log = harnesses.of_document(document, source)
        if log is not None:
            return log
        rows = _of_object(document)
    if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows):
        return of_rows(dict(enumerate(rows, 1)), source, "element")
    return None


def _of_object(document: Row) -> list[Row] | None:
    """Return the cases of an object: a table of pandas, or an object for each case."""
    data, columns = document.get("data"), document.get("columns")
    if isinstance(data, list) and document.keys() == {"schema", "data"}:  # orient="table"
        return data
    if isinstance(data, list) and isinstance(columns, list):  # orient="split"
        if all(isinstance(row, list) and len(row) == len(columns) for row in data):
            return [dict(zip(columns, row, strict=True)) for row in data]
        return None
    parts = list(document.values())
    if len(parts) < 2 or not all(isinstance(part, dict) and part for part in parts):
        return None
    places = list(parts[0])
    if places == [str(i) for i in range(len(places))]:  # orient="columns": columns of cases
        if any(list(column) != places for column in parts):
            return None
        return [{name: column[at] for name, column in document.items()} for at in places]
    key = "key" if any("id" in row for row in parts) else "id"
    return [{key: name, **row} for name, row in document.items()]
