"""Columns of a file as labels or numbers; ambiguous ones are refused."""

import math
import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np

from errlab._core import checks
from errlab._core.checks import FloatArray, Labels
from errlab.cli.table import Table

Column = tuple[str, list[Any]]  # name and values

_LONGEST = 30  # longest number in digits; longer ones are identifiers
_PLAIN = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*)?")
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
# Words for right and wrong; a column that holds any other word isn't one of verdicts.
_VERDICTS = {
    word: value
    for value, words in (
        (1.0, "pass passed yes y ja oui si sí sim t ✓ ✔ ✅ wahr vrai verdadero vero correct right "
              "success successful solved resolved ok"),
        (0.0, "fail failed no n nein non não f ✗ ✘ ❌ falsch faux falso incorrect wrong failure "
              "unsolved unresolved error timeout"),
    )
    for word in words.split()
}  # fmt: skip
_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_TRUTH = {"true": 1.0, "false": 0.0}


def numbers(table: Table, name: str, range: tuple[float, float] | None = None) -> FloatArray:
    """Return a column as numbers; true and false are 1 and 0."""
    column = table.column(name)
    texts = list(map(str, column))
    verdicts = {text.strip().lower() for text in texts}
    # a column of scores in Inspect's samples_df
    if set(texts) <= _LETTERS.keys() and name.startswith("score_"):
        return np.array([_LETTERS[text] for text in texts])
    if verdicts <= _VERDICTS.keys():
        return np.array([_VERDICTS[text.strip().lower()] for text in texts])
    if all(text.endswith("%") for text in texts):
        # 85% is 0.85 on a scale to 1, and 85 on a scale to 100
        return numbers_of_percent(table, name, texts, 100 if range and range[1] > 1 else 1)
    if _has_decimal_commas(set(texts)):
        texts = [text.replace(",", ".") for text in texts]
    values = list(map(_number, texts))
    for number, value in enumerate(values):
        if not math.isfinite(value):
            hint = "; write decimal points" if "," in texts[number] else ""
            booleans = sorted(verdicts & _VERDICTS.keys())
            if booleans:
                others = ", ".join(sorted(verdicts - _VERDICTS.keys())[:3])
                hint = f"; {booleans[0]} is read, but {others} is not: write 1 or 0"
            raise ValueError(
                f"{table.at(number)}: {name} must be a number, or true or false, "
                f"got {checks.show(column[number])}{hint}"
            )
    return np.array(values)


def numbers_of_percent(
    table: Table, name: str, texts: Sequence[str], unit: float = 1
) -> FloatArray:
    """Read 85% as 0.85 of a unit."""
    values = np.array([_number(text.rstrip("% ").replace(",", ".")) for text in texts]) * unit / 100
    for number in np.flatnonzero(~np.isfinite(values))[:1]:
        raise ValueError(f"{table.at(number)}: {name} must be a percentage, got {texts[number]}")
    return values


def _has_decimal_commas(texts: set[str]) -> bool:
    """Whether the commas in a column must be decimal commas.

    1,234 may also be a number above a thousand, unless another text shows what the comma means.
    """
    if any("." in text for text in texts):
        return False
    commas = {text for text in texts if "," in text}
    return all(map(_COMMA.fullmatch, commas)) and not all(map(_THOUSANDS.fullmatch, commas))


def _number(text: str) -> float:
    """Return a number, or NaN if the value isn't one."""
    try:
        return float(_TRUTH.get(text.lower(), text))
    except ValueError:
        return math.nan


def labels(table: Table, columns: Sequence[Column]) -> list[Labels]:
    """Return columns, given with their names, as labels of the examples, the true labels first.

    Strings are read as numbers if all of them are numbers, otherwise as words. Two different
    strings are two labels, except that 1 and 1.0 are equal if one column writes all its numbers in
    the one way and the other column in the other way. If a row has two strings with the same value
    in other spellings, such as 007 and 7, or True and true, only the author knows whether this is
    an error, so they are refused.
    """
    if not all(isinstance(value, str) for _, column in columns for value in column):
        return [np.array(column, dtype=object) for _, column in columns]
    values = {text: _value(text) for _, column in columns for text in column}
    parsed: dict[str, float] = {}
    for text, value in values.items():
        if isinstance(value, Decimal):
            parsed[text] = int(value) if value == int(value) else float(value)
    absent = [text for text in values if text.lower() in checks.MISSING_WORDS]
    if parsed and absent and len(parsed) + len(absent) == len(values):
        raise ValueError(
            f"{table.source}: labels are numbers, but one is {absent[0]}; leave out such examples"
        )
    one_way = [len({values[text] for text in column}) == len(set(column)) for _, column in columns]
    clear = all(map(_PLAIN.fullmatch, values)) and all(one_way)
    truth, true = columns[0]
    for name, column in columns[1:]:
        for row, (text, other) in enumerate(zip(true, column, strict=True)):
            if not clear and text != other and values[text] == values[other]:
                raise ValueError(
                    f"{table.at(row)}: {truth} is {text} and {name} is {other}, one value in two "
                    "spellings; spell each label in one way"
                )
    # a float holds neither a string nor every large number
    numeric = len(parsed) == len(values) and len(set(parsed.values())) == len(set(values.values()))
    array = checks.labels(list(parsed.values() if numeric else values))
    places = {text: place for place, text in enumerate(values)}
    return [array[[places[text] for text in column]] for _, column in columns]


def _value(text: str) -> Decimal | str:
    """Return a number exactly; other or too long values stay strings."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        return text.lower() if text.lower() in _TRUTH else text
    if len(text) < _LONGEST and value.is_finite() and abs(value.adjusted()) < _LONGEST:
        return value
    return text
