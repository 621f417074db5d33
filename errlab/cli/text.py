"""Text files: CSV and TSV, and JSON as lines, arrays or pandas tables."""

import csv
import io
import itertools
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import IO, Any

from errlab.cli import harnesses
from errlab.cli.table import Case, Row, Table, of_rows

_LONGEST = 2**30  # longest line in characters, since a JSON array of all examples may be one line
_SEPARATOR = re.compile(r'"?sep=(.)"?', re.IGNORECASE)  # Excel's optional first line
_QUOTED = re.compile('"[^"]*"')


def delimited(stream: IO[bytes], source: str) -> Table:
    """Open a delimited file; the separator is the most frequent of comma, tab and semicolon."""
    text = decoded(stream, source)
    start = text.lstrip()
    if start.startswith("<"):
        raise ValueError(f"{source} is XML or HTML, which errlab can't read: save it as CSV")
    while start.startswith("==="):  # Weka writes such lines above its predictions
        text = "\n" + start.partition("\n")[2]
        start = text.lstrip()
    first = re.split("[\r\n]", start, maxsplit=1)[0]
    excel = _SEPARATOR.fullmatch(first.strip())
    separator = excel.group(1) if excel else max(",\t;", key=_QUOTED.sub("", first).count)
    skipped = 2 if excel else 1  # the lines up to the header
    rows = _rows_of(text, source, separator)
    header = [row for _, row in itertools.islice(rows, skipped)][skipped - 1 :]
    names = _of_providers([name.strip() for row in header for name in row])
    if not any(names):
        raise ValueError(f"{source} is empty")
    if len(names) > 2 and names[0] in ("", "index", "actual", "true", "predicted"):
        # a confusion matrix has one row per class; if one more row follows, it is another table
        after = itertools.islice(_rows_of(text, source, separator), skipped, skipped + len(names))
        _refuse_confusion(after, names, source)

    def fetch(columns: Sequence[str]) -> list[Case]:
        rows = itertools.islice(_rows_of(text, source, separator), skipped, None)
        return _cells(rows, source, names, columns)

    return Table(source, names, fetch, delimited=True)


def _of_providers(names: list[str]) -> list[str]:
    """Return the names that distinguish the providers in promptfoo's columns.

    After each ``[provider] prompt`` it has the columns Status, Score and others.
    """
    providers = [name for name in names if re.match(r"\[.+\]", name)]
    if len(providers) < 2 or names.count("Status") != len(providers):
        return names
    provider = ""
    full = []
    for name in names:
        provider = name if name in providers else provider
        full.append(f"{provider} {name}" if provider and names.count(name) > 1 else name)
    return full


def _refuse_confusion(
    rows: Iterable[tuple[int, list[str]]], names: Sequence[str], source: str
) -> None:
    """Refuse a confusion matrix of counts, whose rows and columns are the same classes."""
    labels = [row[0].strip() for _, row in rows if row]
    if labels == list(names[1:]):
        raise ValueError(
            f"{source} is a confusion matrix: its counts go to errlab.metric(table=..., "
            "metric='f1_macro') or errlab.per_class(table=...), rows true and columns predicted"
        )


def decoded(stream: IO[bytes], source: str) -> str:
    """Decode text line by line; refuse bad bytes, with their line, and endless lines."""
    content = bytearray()
    try:
        for line in iter(partial(stream.readline, _LONGEST + 1), b""):
            content += line
            if b"\0" in line:
                at = content.index(0)
                fault = "a NUL character; it is UTF-16 or no text at all: save it as CSV in UTF-8"
                break
            if len(line) > _LONGEST:
                at = len(content)
                fault = f"more than {_LONGEST:,} letters; break the line"
                break
        else:
            return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = error.start
        fault = "not in UTF-8; convert it, as in: iconv -f LATIN1 -t UTF-8 FILE"
    number = len((content[:at] + b".").splitlines())
    raise ValueError(f"{source}, line {number}: {fault}")


def _rows_of(text: str, source: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that isn't blank, with the number of its last line."""
    texts = io.StringIO(text, newline="")
    rows = csv.reader(texts, skipinitialspace=True, strict=True, delimiter=separator)
    # quoted text can take several lines; an open quote began after line `before`
    before = 0
    try:
        for row in rows:
            before = rows.line_num
            if len(row) > 1 or any(map(str.strip, row)):
                yield before, row
    except csv.Error as error:
        raise ValueError(
            f'{source}, line {before + 1}: {error}; close each " and double those inside'
        ) from None


def _cells(
    rows: Iterator[tuple[int, list[str]]], source: str, header: list[str], names: Sequence[str]
) -> list[Case]:
    """Yield the cells of some columns; equal strings share one object, which saves memory."""
    places = {name: header.index(name) for name in names}
    width = len(header)
    cases: list[Case] = []
    last = 0  # spreadsheets may write empty rows at the end, which don't count
    for line, row in rows:
        cells = dict.fromkeys(names)
        cases.append((line, cells))
        if not any(map(str.strip, row)):
            continue
        last = len(cases)
        if len(row) != width:
            problem = f"the header has {width}"
            if len(row) > width:
                problem = f"but {problem}; put fields that hold a comma in quotes"
                if row[0].strip() == "1" and len(row) == width + 1:
                    problem += ", or write row names of R with col.names = NA"
            raise ValueError(f"{source}, line {line}: {len(row)} fields, {problem}")
        for name, place in places.items():
            text = row[place].strip()
            cells[name] = sys.intern(text) or None
    if not last:
        raise ValueError(f"{source} has no examples below its header; add a line for each")
    return cases[:last]


def objects(stream: IO[bytes], source: str) -> Table:
    """Open JSON: a harness's log, a pandas table, an array of examples, or an example per line."""
    text = decoded(stream, source).rstrip()
    lines = {number: line for number, line in enumerate(text.split("\n"), 1) if line.strip()}
    try:
        parse(next(iter(lines.values())), source)
    except ValueError:  # a single JSON value over many lines instead of JSON Lines
        lines = {1: text}
    values = {number: parse(line, source, number) for number, line in lines.items()}
    if len(values) == 1:
        (document,) = values.values()
        if isinstance(document, dict):
            log = harnesses.of_document(document, source)
            if log is not None:
                return log
            document = _of_object(document)
        if isinstance(document, list) and {*map(type, document)} == {dict}:
            log = harnesses.of_array(document, source)
            if log is not None:
                return log
            return of_rows(dict(enumerate(document, 1)), source, "element")
        if isinstance(document, list) and all(map(_is_pair, document)) and document:
            return _of_pairs(dict(enumerate(document, 1)), source, "element")
    if len(values) > 1 and all(map(_is_pair, values.values())):
        return _of_pairs(values, source)
    for number, row in values.items():
        if not isinstance(row, dict):
            raise ValueError(f"{source}, line {number}: one JSON object a line is needed")
    return harnesses.of_lines(values, source) or of_rows(values, source)


def _is_pair(value: object) -> bool:
    """Whether a value is a pair of labels."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and not any(isinstance(part, (list, dict)) for part in value)
    )


def _of_pairs(pairs: dict[int, Any], source: str, unit: str = "line") -> Table:
    """Return a table from pairs of true and predicted labels."""
    rows = {number: dict(zip(("y_true", "y_pred"), p, strict=True)) for number, p in pairs.items()}
    table = of_rows(rows, source, unit)
    table.remarks.append("Pairs are read as true label, predicted label.")
    return table


def parse(text: str, source: str, line: int = 1) -> Any:
    """Parse JSON, or raise an error with the line."""
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        line += error.lineno - 1
        reason = error.msg
    except ValueError:
        reason = "too many digits"
    except RecursionError:
        reason = "nested too deeply"
    raise ValueError(f"{source}, line {line}: not valid JSON ({reason})")


def _object(pairs: list[tuple[str, Any]]) -> Row:
    """Return an object from its pairs; refuse duplicate names."""
    row = dict(pairs)
    if len(row) < len(pairs):
        names = [name for name, _ in pairs]
        twice = max(names, key=names.count)
        raise json.JSONDecodeError(f"{twice!r} comes twice in an object", "", 0)
    return row


def _of_object(document: Row) -> list[Row] | None:
    """Return the examples of an object: a pandas table, or one object for each example."""
    match document:
        case {"schema": _, "data": [*rows]}:  # orient="table"
            return rows
        case {"columns": [*columns], "data": [*rows]}:  # orient="split"
            try:
                return [dict(zip(columns, row, strict=True)) for row in rows]
            except (TypeError, ValueError):
                return None
    # an array of examples beside settings of the run, such as {"tests": [...]}
    arrays = [v for v in document.values() if isinstance(v, list) and {*map(type, v)} == {dict}]
    if len(arrays) == 1 and not any(
        isinstance(v, list) and v is not arrays[0] for v in document.values()
    ):
        return arrays[0]
    lists = {name: v for name, v in document.items() if isinstance(v, list)}
    nested = any(isinstance(part, (list, dict)) for v in lists.values() for part in v)
    others = [v for name, v in document.items() if name not in lists]
    if not nested and not any(isinstance(v, dict) for v in others):
        sizes = {len(v) for v in lists.values()}
        if len(lists) > 1 and len(sizes) == 1:  # a list for each column
            return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]
    parts = list(document.values())
    if len(parts) < 2 or not all(isinstance(part, dict) and part for part in parts):
        return None
    places = [str(number) for number in range(len(parts[0]))]
    if all(list(part) == places for part in parts):  # orient="columns": columns of examples
        return [{name: column[at] for name, column in document.items()} for at in places]
    return [{"id": name, **row} for name, row in document.items()]
