"""Texts of columns: CSV, TSV and what else is written in lines."""

import csv
import io
import re
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import IO

from errlab.cli.table import Case, Table

_LONGEST = 2**30  # letters of a line, such as a JSON array of all cases
_SEPARATOR = re.compile(r'"?sep=(.)"?', re.IGNORECASE)  # a first line, for Excel
_QUOTED = re.compile('"[^"]*"')


def delimited(stream: IO[bytes], source: str) -> Table:
    """Open columns that are separated by what is most frequent in the header: , or a tab or ;."""
    text = decoded(stream, source)
    first = re.split("[\r\n]", text.lstrip(), maxsplit=1)[0]
    excel = _SEPARATOR.fullmatch(first.strip())
    separator = max(",\t;", key=_QUOTED.sub("", first).count)
    if excel:
        separator = excel.group(1)
    rows = _rows_of(text, source, separator)
    if excel:
        next(rows, None)
    _, header = next(rows, (0, []))
    names = [name.strip() for name in header]
    if not any(names):
        raise ValueError(f"{source} is empty")
    return Table(source, names, partial(_cells, rows, source, names))


def decoded(stream: IO[bytes], source: str) -> str:
    """Read a text, or say in which line it is none; a line that does not end is not read on."""
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
    """Give every row that is not blank, with the number of its last line."""
    texts = io.StringIO(text, newline="")
    rows = csv.reader(texts, skipinitialspace=True, strict=True, delimiter=separator)
    # a row of quoted texts takes several lines: one that does not end began after `before`
    before = 0
    try:
        for row in rows:
            before = rows.line_num
            if len(row) > 1 or any(map(str.strip, row)):
                yield before, row
    except csv.Error as error:
        message = f'{source}, line {before + 1}: {error}; close each " and double those inside'
        raise ValueError(message) from None


def _cells(
    rows: Iterator[tuple[int, list[str]]], source: str, header: list[str], names: Sequence[str]
) -> list[Case]:
    """Read the cells of some columns; equal texts are one object, so that a million rows fit."""
    places = {name: header.index(name) for name in names}
    width = len(header)
    cases: list[Case] = []
    last = 0  # a spreadsheet copies rows of empty cells along, which do not count at the end
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
            raise ValueError(f"{source}, line {line}: {len(row)} fields, {problem}")
        for name, place in places.items():
            text = row[place].strip()
            # two quotes that are missing in different rows make one label of all between them
            if "\n" in text or "\r" in text:
                problem = f"the label {text!r} holds a line break; is a quote missing?"
                raise ValueError(f"{source}: {problem}")
            cells[name] = sys.intern(text) or None
    if not last:
        raise ValueError(f"{source} has no cases below its header")
    return cases[:last]
