"""Columns of labels from a CSV file, read once, line by line; what is not clear is refused."""

from __future__ import annotations

import csv
import io
import re
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from typing import IO

import numpy as np
from numpy.typing import NDArray

from errlab import _checks
from errlab._checks import IntArray, Labels

# How a file begins that is no text in UTF-8, and what to do about it.
NOT_TEXT = (
    (b"\x1f\x8b", "is compressed; unpack it first, as in: gzip -dc FILE | errlab report -"),
    (b"BZh", "is compressed; unpack it first, as in: bzip2 -dc FILE | errlab report -"),
    (b"\xfd7zXZ", "is compressed; unpack it first, as in: xz -dc FILE | errlab report -"),
    (b"\x28\xb5\x2f\xfd", "is compressed; unpack it first, as in: zstd -dc FILE | errlab report -"),
    (b"PK\x03\x04", "is a ZIP or Excel file; save the table as CSV"),
    (b"PAR1", "is a Parquet file; save the table as CSV"),
    (b"\xff\xfe", "is in UTF-16; convert it, as in: iconv -f UTF-16 -t UTF-8 FILE"),
    (b"\xfe\xff", "is in UTF-16; convert it, as in: iconv -f UTF-16 -t UTF-8 FILE"),
)

_UNDECODED = re.compile("[\udc80-\udcff]")  # bytes that are no UTF-8, as surrogateescape keeps them
_LONGEST = 30  # digits of a number; longer ones are names


def read(path: str, wanted: list[str] | None) -> tuple[list[str], list[Labels]]:
    """Read y_true and one or two columns of predictions, from a file or (``-``) standard input.

    Returns
    -------
    names, columns : list of str, list of ndarray
        ``y_true`` first.

    Raises
    ------
    ValueError, OSError
        In one line that names the file, where it is bound to a line that line, and the remedy.
    """
    if path != "-":
        with open(path, "rb") as stream:
            return _parse(stream, path, wanted)
    if sys.stdin is None or sys.stdin.closed:
        raise ValueError("standard input is closed")
    given: IO[bytes] = getattr(sys.stdin, "buffer", None) or io.BytesIO(sys.stdin.read().encode())
    return _parse(given, "standard input", wanted)


def _parse(
    stream: IO[bytes], source: str, wanted: list[str] | None
) -> tuple[list[str], list[Labels]]:
    """Tell by its beginning whether a file is text, and read its columns."""
    start = stream.peek(8) if isinstance(stream, io.BufferedReader) else b""
    for magic, remedy in NOT_TEXT:
        if start.startswith(magic):
            raise ValueError(f"{source} {remedy}")
    text = io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline="")
    try:
        names, codes, lines, labels = _table(rows_of(text, source), source, wanted)
    finally:
        text.detach()  # whoever opened the stream closes it
    return names, labels_of(codes, labels, names, lines, source)


def rows_of(
    text: Iterable[str], source: str, delimiter: str = ","
) -> Iterator[tuple[int, list[str]]]:
    """Give every row that is not blank, with the number of its last line."""
    rows = csv.reader(_clean(text, source), skipinitialspace=True, strict=True, delimiter=delimiter)
    before = 0
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            if "field larger" in str(error):
                problem = f"a field of more than {csv.field_size_limit()} characters"
            elif "unexpected end" in str(error):
                problem = "a quote is opened and not closed"
            else:
                problem = f"quotes that do not fit ({error})"
            raise ValueError(
                f'{source}, line {before + 1}: {problem}; close each " and double those inside'
            ) from None
        if row is None:
            return
        before = rows.line_num
        if len(row) > 1 or any(field.strip() for field in row):
            yield rows.line_num, row


def _clean(text: Iterable[str], source: str) -> Iterator[str]:
    """Pass the lines on, but for what is no text."""
    for number, line in enumerate(text, 1):
        if "\0" in line:
            raise ValueError(
                f"{source}, line {number}: a NUL character; it is UTF-16 or no text at all: save "
                "it as CSV in UTF-8"
            )
        if not line.isascii() and _UNDECODED.search(line):
            raise ValueError(
                f"{source}, line {number}: not in UTF-8; convert it, as in: iconv -f LATIN1 -t "
                "UTF-8 FILE"
            )
        yield line


def _table(
    rows: Iterator[tuple[int, list[str]]], source: str, wanted: list[str] | None
) -> tuple[list[str], list[array[int]], array[int], list[str]]:
    """Read the wanted columns: for each case a number of its label, and its line."""
    header = [field.strip() for field in next(rows, (0, []))[1]]
    if not header:
        raise ValueError(f"{source} is empty")
    names = ["y_true", *(wanted or _predictions(header))]
    return (names, *codes_of(rows, source, header, _places(names, header, source)))


def codes_of(
    rows: Iterator[tuple[int, list[str]]], source: str, header: list[str], places: list[int]
) -> tuple[list[array[int]], array[int], list[str]]:
    """Number the texts of some columns: their numbers, the line of each case, and the texts."""
    number: dict[str, int] = {}
    codes = [array("q") for _ in places]
    lines = array("q")
    kept = list(zip(places, codes, strict=True))
    width = len(header)
    for line, row in rows:
        if len(row) > width:
            raise ValueError(
                f"{source}, line {line}: {len(row)} fields, but the header has {width}; put fields "
                "that hold a comma in quotes"
            )
        for place, column in kept:
            value = row[place].strip() if place < len(row) else ""
            if not value:
                raise ValueError(f"{source}, line {line}: {header[place]} has no value")
            column.append(number.setdefault(value, len(number)))
        if len(row) < width:
            raise ValueError(f"{source}, line {line}: {len(row)} fields, the header has {width}")
        lines.append(line)
    if not lines:
        raise ValueError(f"{source} has no cases below its header")
    for label in number:
        if "\n" in label or "\r" in label:
            raise ValueError(
                f"{source}: the label {label!r} holds a line break; is a quote missing?"
            )
    return codes, lines, list(number)


def _places(names: list[str], header: list[str], source: str) -> list[int]:
    """Find each wanted column, once."""
    if len(names) > 3:
        raise ValueError(f"--pred must name one or two columns, got {len(names) - 1}")
    if "y_true" in names[1:]:
        raise ValueError("--pred must name a column of predictions, got y_true")
    if len(set(names)) < len(names):
        raise ValueError(f"--pred must name two different columns, got {names[1]} twice")
    for name in names:
        if name not in header:
            found = ", ".join(header)
            other = re.search(r"[;\t|]", found)
            hint = "; separate its columns by commas" if len(header) == 1 and other else ""
            raise ValueError(f"{source} has no column {name} (see --pred); it has {found}{hint}")
        if header.count(name) > 1:
            raise ValueError(
                f"{source} has {header.count(name)} columns {name}; leave one, or rename the others"
            )
    return [header.index(name) for name in names]


def _predictions(header: list[str]) -> list[str]:
    """Find the columns of predictions where the user has not named them."""
    for names in (["y_pred"], ["pred_a", "pred_b"], ["y_pred_a", "y_pred_b"]):
        if all(name in header for name in names):
            return names
    others = [name for name in header if name != "y_true"]
    return others if len(others) == 2 and "y_true" in header else ["y_pred"]


def labels_of(
    codes: Sequence[array[int] | IntArray],
    texts: list[str],
    names: list[str],
    lines: array[int] | IntArray,
    source: str,
) -> list[Labels]:
    """Turn numbered texts into labels: numbers where all of them are, or else words.

    Two different texts are two labels. But 1 and 1.0 are one where one column writes all its
    numbers in the one way and the other column in the other. And where a row sets two texts
    against each other that are one number in some other way, such as 007 and 7, only their author
    knows whether that is an error.
    """
    columns = [np.frombuffer(column, dtype=np.int64) for column in codes]
    values = [_number(text) for text in texts]
    gone = [text for text in texts if text.lower() == "nan"]
    if gone and values.count(None) == len(gone) < len(texts):
        raise ValueError(f"{source}: a label is {gone[0]} among numbers; leave such cases out")
    same = _equal(texts, values)
    plain = all(_PLAIN.fullmatch(text) for text in texts)
    if not (plain and all(_one_way(column, same) for column in columns)):
        for name, column in zip(names[1:], columns[1:], strict=True):
            facing = (columns[0] != column) & (same[columns[0]] == same[column])
            for i in np.flatnonzero(facing)[:1]:
                true = texts[columns[0][i]]
                pred = texts[column[i]]
                raise ValueError(
                    f"{source}, line {lines[i]}: y_true is {true} and {name} is {pred}, one number "
                    "in two writings; write each label in one way"
                )
    found = _numbers(values)
    fits = len(set(found)) == len(np.unique(same))  # else a float cannot hold them all
    return [_checks.labels(found if fits else texts)[column] for column in columns]


_PLAIN = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*)?")


def _number(text: str) -> Decimal | None:
    """Read a number exactly; what is none, or too long for one, is a word."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    short = value.is_finite() and abs(value.adjusted()) < _LONGEST and len(text) < _LONGEST
    return value if short else None


def _numbers(values: list[Decimal | None]) -> list[int | float]:
    """Whole numbers and fractions, or an empty list where one of them is a word."""
    if None in values:
        return []
    numbers = [value for value in values if value is not None]
    return [int(value) if value == int(value) else float(value) for value in numbers]


def _equal(texts: list[str], values: list[Decimal | None]) -> NDArray[np.int64]:
    """Give texts of the same number the same code, and each word its own."""
    code: dict[str | Decimal, int] = {}
    keys = (text if value is None else value for text, value in zip(texts, values, strict=True))
    return np.array([code.setdefault(key, len(code)) for key in keys])


def _one_way(column: NDArray[np.int64], same: NDArray[np.int64]) -> bool:
    """Whether a column writes no number in two ways."""
    texts = np.unique(column)
    return len(np.unique(same[texts])) == len(texts)
