"""Rows of a CSV, read once, line by line, and texts as labels; what is not clear is refused."""

from __future__ import annotations

import csv
import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation

import numpy as np
from numpy.typing import NDArray

from errlab._core import checks
from errlab._core.checks import IntArray, Labels

_UNDECODED = re.compile("[\udc80-\udcff]")  # bytes that are no UTF-8, as surrogateescape keeps them
_LONGEST = 30  # digits of a number; longer ones are names
_TRUTH = {"true", "false"}
# How programs write a value that is missing; in lower case.
MISSING = {"nan", "na", "n/a", "<na>", "null", "none"}


def rows_of(
    text: Iterable[str], source: str, delimiter: str = ","
) -> Iterator[tuple[int, list[str]]]:
    """Give every row that is not blank, with the number of its last line."""
    rows = csv.reader(clean(text, source), skipinitialspace=True, strict=True, delimiter=delimiter)
    before = 0
    try:
        for row in rows:
            before = rows.line_num
            if len(row) > 1 or any(field.strip() for field in row):
                yield before, row
    except csv.Error as error:
        raise ValueError(
            f'{source}, line {before + 1}: {error}; close each " and double those inside'
        ) from None


def clean(text: Iterable[str], source: str) -> Iterator[str]:
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


def codes_of(
    rows: Iterator[tuple[int, list[str]]], source: str, header: list[str], places: list[int]
) -> tuple[list[tuple[IntArray, list[str]]], IntArray]:
    """Number the texts of some columns: for each its numbers and texts; and the line of each case.

    Numbers of 8 bytes take less room than texts: a million rows fit.
    """
    numbers: list[dict[str, int]] = [{} for _ in places]
    codes = [array("q") for _ in places]
    lines = array("q")
    kept = list(zip(places, codes, numbers, strict=True))
    width = len(header)
    for line, row in rows:
        if len(row) > width:
            raise ValueError(
                f"{source}, line {line}: {len(row)} fields, but the header has {width}; put fields "
                "that hold a comma in quotes"
            )
        # a text becomes the number of its first appearance
        for place, column, number in kept:
            value = row[place].strip() if place < len(row) else ""
            if not value:
                raise ValueError(f"{source}, line {line}: {header[place]} has no value")
            column.append(number.setdefault(value, len(number)))
        if len(row) < width:
            raise ValueError(f"{source}, line {line}: {len(row)} fields, the header has {width}")
        lines.append(line)
    if not lines:
        raise ValueError(f"{source} has no cases below its header")
    for label in (label for number in numbers for label in number):
        if "\n" in label or "\r" in label:
            raise ValueError(
                f"{source}: the label {label!r} holds a line break; is a quote missing?"
            )
    columns = [(np.frombuffer(column, dtype=np.int64), list(number)) for _, column, number in kept]
    return columns, np.frombuffer(lines, dtype=np.int64)


def labels_of(
    columns: Sequence[tuple[IntArray, Sequence[str]]],
    names: Sequence[str],
    lines: IntArray,
    source: str,
) -> list[Labels]:
    """Turn numbered texts into labels: numbers where all of them are, or else words.

    Two different texts are two labels. But 1 and 1.0 are one where one column writes all its
    numbers in the one way and the other column in the other. And where a row sets two texts
    against each other that are one value in some other way, such as 007 and 7, or True and true,
    only their author knows whether that is an error. The truth comes first.
    """
    number: dict[str, int] = {}
    codes = []
    for code, own in columns:
        # one numbering for all columns, so that equal texts have equal codes
        used = np.bincount(code, minlength=len(own)) > 0  # some cases may have been left out
        joint = [
            number.setdefault(t, len(number)) if u else -1 for t, u in zip(own, used, strict=True)
        ]
        codes.append(np.array(joint)[code])
    texts = list(number)
    values = [_number(text) for text in texts]
    gone = [text for text in texts if text.lower() in MISSING]
    if gone and values.count(None) == len(gone) < len(texts):
        raise ValueError(f"{source}: a label is {gone[0]} among numbers; leave such cases out")
    # the same value in another writing has the same code here, and another one in `codes`
    same = _equal(texts, values)
    plain = all(_PLAIN.fullmatch(text) for text in texts)
    if not (plain and all(_one_way(column, same) for column in codes)):
        for name, column in zip(names[1:], codes[1:], strict=True):
            # a row sets two writings of one value against each other: an error, or not?
            facing = (codes[0] != column) & (same[codes[0]] == same[column])
            for i in np.flatnonzero(facing)[:1]:
                true = texts[codes[0][i]]
                pred = texts[column[i]]
                raise ValueError(
                    f"{source}, line {lines[i]}: {names[0]} is {true} and {name} is {pred}, one "
                    "value in two writings; write each label in one way"
                )
    found = _numbers(values)
    fits = len(set(found)) == len(np.unique(same))  # else a float cannot hold them all
    return [checks.labels(found if fits else texts)[column] for column in codes]


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
    """Give texts of the same number, or truth value, the same code, and each other word its own."""
    code: dict[str | Decimal, int] = {}
    words = (text.lower() if text.lower() in _TRUTH else text for text in texts)
    keys = (word if value is None else value for word, value in zip(words, values, strict=True))
    return np.array([code.setdefault(key, len(code)) for key in keys])


def _one_way(column: NDArray[np.int64], same: NDArray[np.int64]) -> bool:
    """Whether a column writes no number in two ways."""
    texts = np.unique(column)
    return len(np.unique(same[texts])) == len(texts)
