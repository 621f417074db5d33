"""Columns of a file as labels and as numbers; what is not clear is refused."""

import math
import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

import numpy as np

from errlab._core import checks
from errlab._core.checks import FloatArray, Labels
from errlab.cli.table import Column, Table

_LONGEST = 30  # digits of a number; longer ones are names
_PLAIN = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*)?")
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
_TRUTH = {"true": 1.0, "false": 0.0}


def numbers(table: Table, name: str) -> FloatArray:
    """Read a column as numbers; true and false are 1 and 0."""
    column = table.columns[name]
    found = np.array([_number(value) for value in _with_points(column)])
    for row in np.flatnonzero(~np.isfinite(found))[:1]:
        value = checks.show(column[row])
        hint = "; write decimal points" if isinstance(column[row], str) and "," in value else ""
        said = f"{name} must be a number, or true or false, got {value}{hint}"
        raise ValueError(f"{table.at(row)}: {said}")
    return found


def _with_points(column: Column) -> Column:
    """Return texts with a decimal comma as those with a point, where it can be nothing else.

    1,234 may be a thousand and more, if no other text shows what the comma is.
    """
    found = {text for text in column if isinstance(text, str) and "," in text}
    points = any(isinstance(text, str) and "." in text for text in column) if found else False
    commas = found and all(map(_COMMA.fullmatch, found))
    if points or not commas or all(map(_THOUSANDS.fullmatch, found)):
        return column
    texts = [text.replace(",", ".") if isinstance(text, str) else text for text in column]
    return np.fromiter(texts, dtype=object)


def _number(value: object) -> float:
    """Return a number, or NaN for what is none."""
    if isinstance(value, str):
        value = _TRUTH.get(value.lower(), value)
    try:
        return float(value)  # type: ignore[arg-type]  # or whatever it is
    except (TypeError, ValueError, OverflowError):
        return math.nan


def labels(table: Table, columns: Sequence[tuple[str, Column]]) -> list[Labels]:
    """Read columns of the cases of a table, given with their names, as labels; the truth first.

    Where all of them are texts, those are numbers if all of them are.
    """
    if all(isinstance(value, str) for _, column in columns for value in column):
        return _of_texts(table, columns)
    try:
        found = [checks.labels(column.tolist(), name) for name, column in columns]
        for other, (name, _) in zip(found[1:], columns[1:], strict=True):
            checks.one_kind(found[0], other, columns[0][0], name)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{table.source}: {error}") from None
    return found


def _of_texts(table: Table, columns: Sequence[tuple[str, Column]]) -> list[Labels]:
    """Turn texts into labels: numbers where all of them are, or else words.

    Two different texts are two labels. But 1 and 1.0 are one where one column writes all its
    numbers in the one way and the other column in the other. And where a row sets two texts
    against each other that are one value in some other way, such as 007 and 7, or True and true,
    only their author knows whether that is an error. The truth comes first.
    """
    # one numbering for all columns, so that equal texts have equal codes
    number: dict[str, int] = {}
    codes = [np.array([number.setdefault(t, len(number)) for t in c]) for _, c in columns]
    texts = list(number)
    values = [_value(text) for text in texts]
    found = [int(v) if v == int(v) else float(v) for v in values if isinstance(v, Decimal)]
    gone = [text for text in texts if text.lower() in checks.MISSING_WORDS]
    if gone and len(found) + len(gone) == len(texts) > len(gone):
        said = f"{table.source}: a label is {gone[0]} among numbers; leave such cases out"
        raise ValueError(said)
    # the same value in another writing has the same code here, and another one in `codes`
    first: dict[str | Decimal, int] = {}
    same = np.array([first.setdefault(value, len(first)) for value in values])
    plain = all(_PLAIN.fullmatch(text) for text in texts)
    one_way = all(len(np.unique(same[own])) == len(own) for own in map(np.unique, codes))
    doubtful = not (plain and one_way)
    for (name, _), column in zip(columns[1:], codes[1:], strict=True):
        # a row sets two writings of one value against each other: an error, or not?
        facing = (codes[0] != column) & (same[codes[0]] == same[column])
        for i in np.flatnonzero(facing & doubtful)[:1]:
            true = texts[codes[0][i]]
            pred = texts[column[i]]
            raise ValueError(
                f"{table.at(i)}: {columns[0][0]} is {true} and {name} is {pred}, one "
                "value in two writings; write each label in one way"
            )
    # a float cannot hold every number, and none a word
    fits = len(found) == len(texts) and len(set(found)) == len(first)
    return [checks.labels(found if fits else texts)[column] for column in codes]


def _value(text: str) -> Decimal | str:
    """Read a number exactly; what is none, or too long for one, is a word."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        return text.lower() if text.lower() in _TRUTH else text
    short = value.is_finite() and abs(value.adjusted()) < _LONGEST and len(text) < _LONGEST
    return value if short else text
