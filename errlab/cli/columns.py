"""Columns of a file as labels and as numbers; what is not clear is refused."""

import math
import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray, Labels
from errlab.cli.table import Table

Column = tuple[str, list[Any]]  # with its name

_LONGEST = 30  # digits of a number; longer ones are names
_PLAIN = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*)?")
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
_TRUTH = {"true": 1.0, "false": 0.0}


def numbers(table: Table, name: str) -> FloatArray:
    """Read a column as numbers; true and false are 1 and 0."""
    column = table.columns[name]
    values = list(map(_number, column))
    if _has_decimal_commas(column):
        values = [_number(str(value).replace(",", ".")) for value in column]
    for number, value in enumerate(values):
        if not math.isfinite(value):
            hint = "; write decimal points" if "," in str(column[number]) else ""
            raise ValueError(
                f"{table.at(number)}: {name} must be a number, or true or false, "
                f"got {checks.show(column[number])}{hint}"
            )
    return np.array(values)


def _has_decimal_commas(column: list[Any]) -> bool:
    """Whether the commas of texts are decimal, and can be nothing else.

    1,234 may be a thousand and more, if no other text shows what the comma is.
    """
    texts = {value for value in column if isinstance(value, str)}
    commas = {text for text in texts if "," in text}
    if not commas or any("." in text for text in texts):
        return False
    return all(map(_COMMA.fullmatch, commas)) and not all(map(_THOUSANDS.fullmatch, commas))


def _number(value: object) -> float:
    """Return a number, or NaN for what is none."""
    if isinstance(value, str):
        value = _TRUTH.get(value.lower(), value)
    try:
        return float(value)  # type: ignore[arg-type]  # or whatever it is
    except (TypeError, ValueError, OverflowError):
        return math.nan


def labels(table: Table, columns: Sequence[Column]) -> list[Labels]:
    """Read columns of the cases of a table, given with their names, as labels; the truth first.

    Where all of them are texts, those are numbers if all of them are.
    """
    if all(isinstance(value, str) for _, column in columns for value in column):
        return _of_texts(table, columns)
    arrays = []
    try:
        for name, column in columns:
            arrays.append(checks.labels(column, name))
            checks.one_kind(arrays[0], arrays[-1], columns[0][0], name)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{table.source}: {error}") from None
    return arrays


def _of_texts(table: Table, columns: Sequence[Column]) -> list[Labels]:
    """Turn texts into labels: numbers where all of them are, or else words.

    Two different texts are two labels. But 1 and 1.0 are one where one column writes all its
    numbers in the one way and the other column in the other. And where a row sets two texts
    against each other that are one value in some other way, such as 007 and 7, or True and true,
    only their author knows whether that is an error. The truth comes first.
    """
    # one numbering for all columns, so that equal texts have equal codes
    numbering: dict[str, int] = {}
    codes = []
    for _, column in columns:
        codes.append(np.array([numbering.setdefault(t, len(numbering)) for t in column]))
    texts = list(numbering)
    values = [_value(text) for text in texts]
    parsed = [int(v) if v == int(v) else float(v) for v in values if isinstance(v, Decimal)]
    absent = [text for text in texts if text.lower() in checks.MISSING_WORDS]
    if parsed and absent and len(parsed) + len(absent) == len(texts):
        message = f"a label is {absent[0]} among numbers; leave such cases out"
        raise ValueError(f"{table.source}: {message}")
    # the same value in another writing has the same code here, and another one in `codes`
    first: dict[str | Decimal, int] = {}
    same = np.array([first.setdefault(value, len(first)) for value in values])
    plain = all(map(_PLAIN.fullmatch, texts))
    one_way = [len(set(same[np.unique(column)])) == len(np.unique(column)) for column in codes]
    if not (plain and all(one_way)):
        _refuse_two_writings(table, columns, codes, same)
    # a float cannot hold every number, and none a word
    numeric = len(parsed) == len(texts) and len(set(parsed)) == len(first)
    array = checks.labels(parsed if numeric else texts)
    return [array[column] for column in codes]


def _refuse_two_writings(
    table: Table, columns: Sequence[Column], codes: Sequence[IntArray], same: IntArray
) -> None:
    """Refuse a row that sets two writings of one value against each other."""
    (truth, true), *others = columns
    for (name, predicted), code in zip(others, codes[1:], strict=True):
        rows = np.flatnonzero((codes[0] != code) & (same[codes[0]] == same[code]))
        if rows.size:
            row = int(rows[0])
            raise ValueError(
                f"{table.at(row)}: {truth} is {true[row]} and {name} is {predicted[row]}, one "
                "value in two writings; write each label in one way"
            )


def _value(text: str) -> Decimal | str:
    """Read a number exactly; what is none, or too long for one, is a word."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        return text.lower() if text.lower() in _TRUTH else text
    if len(text) < _LONGEST and value.is_finite() and abs(value.adjusted()) < _LONGEST:
        return value
    return text
