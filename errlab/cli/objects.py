"""Objects of JSON as a table: one a line, an array of them, or what pandas writes."""

import json
from typing import IO, Any

from errlab.cli import harnesses
from errlab.cli.table import Row, Table, of_rows
from errlab.cli.text import decoded


def opened(stream: IO[bytes], source: str) -> Table:
    """Open JSON: a log of a harness, a table of pandas, an array of cases, or a case a line."""
    text = decoded(stream, source).rstrip()
    lines = {number: line for number, line in enumerate(text.split("\n"), 1) if line.strip()}
    try:
        parse(next(iter(lines.values())), source)
    except ValueError:  # no line for each case, but one value over many lines
        lines = {1: text}
    values = {number: parse(line, source, number) for number, line in lines.items()}
    if len(values) == 1:
        (document,) = values.values()
        if isinstance(document, dict):
            log = harnesses.of_document(document, source)
            if log is not None:
                return log
            document = _of_object(document)
        if isinstance(document, list) and document and all(map(_is_object, document)):
            return of_rows(dict(enumerate(document, 1)), source, "element")
    for number, row in values.items():
        if not _is_object(row):
            raise ValueError(f"{source}, line {number}: one JSON object a line is needed")
    return harnesses.of_lines(values, source) or of_rows(values, source)


def parse(text: str, source: str, line: int = 1) -> Any:
    """Read JSON, or say in which line it is none."""
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        line += error.lineno - 1
        reason = error.msg
    except ValueError:
        reason = "too many digits"
    except RecursionError:
        reason = "nested too deeply"
    raise ValueError(f"{source}, line {line}: no JSON ({reason})")


def _object(pairs: list[tuple[str, Any]]) -> Row:
    """Make an object of its pairs, each name of which comes once."""
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        twice = max(names, key=names.count)
        raise json.JSONDecodeError(f"{twice!r} comes twice in an object", "", 0)
    return row


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _of_object(document: Row) -> list[Row] | None:
    """Return the cases of an object: a table of pandas, or an object for each case."""
    data, columns = document.get("data"), document.get("columns")
    if isinstance(data, list) and document.keys() == {"schema", "data"}:  # orient="table"
        return data
    if isinstance(data, list) and isinstance(columns, list):  # orient="split"
        try:
            return [dict(zip(columns, row, strict=True)) for row in data]
        except (TypeError, ValueError):
            return None
    parts = list(document.values())
    if len(parts) < 2 or not all(_is_object(part) and part for part in parts):
        return None
    places = [str(number) for number in range(len(parts[0]))]
    if all(list(part) == places for part in parts):  # orient="columns": columns of cases
        return [{name: column[at] for name, column in document.items()} for at in places]
    return [{"id": name, **row} for name, row in document.items()]
