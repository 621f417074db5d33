"""Read, compare and store answers on a page, in Python exactly as in a browser.

`read` reads what a reader types: ``0.035``, ``3.5%``, ``7/200`` and ``0,035`` are numbers, and
``1-0.05^0.01`` and ``sqrt(6)`` are their values. An answer is compared on a grid whose steps are a
quarter of the tolerance, so that a page can store digests of the accepted grid places instead of
the answer. This hides the answer from a glance at the page's source and from a search, but not from
somebody who tries every place. Similarly, the explanation of a choice is encoded with the words of
the choice, so that a reader must choose it to read the explanation. For marked work this isn't
secure enough.
"""

import ast
import base64
import json
import math
import operator
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

_NUMBER = re.compile(r"(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?")
_THOUSANDS = re.compile(r"\d{1,3}([.,]\d{3})+")
_TOKEN = re.compile(rf"{_THOUSANDS.pattern}(?![\d.,e])|{_NUMBER.pattern}|sqrt|[-+*/^()]")
# Text that people write around a number: "~0.03", "= 0.03", "about 3", "3 percent", "299 examples".
_BEFORE = re.compile(
    r"^\s*(?:[a-z]\s*(?==))?(?:[~\u2248\u2243\u223c=]|(?:about|approximately|approx\.?|ca\.?)\s)+",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"\s*(?:per\s?cent|percent|pct\.?)\s*$", re.IGNORECASE)
_COUNTED = re.compile(
    r"(\d)\s*(?:(?:test|new|more)\s)?(?:answer|case|coin|email|error|example|group|image|item|"
    r"label|mistake|model|observation|patient|person|people|photo|picture|point|prompt|question|row|"
    r"sample|scan|submission|task|time|toss|try|tries)(?:e?s)?\s*$",
    re.IGNORECASE,
)
# Square roots, and signs that keyboards lack, as Python writes them.
_ROOT = re.compile(r"(?:(?:np|math)\.)?sqrt|\u221a(?=\()")
_ROOT_OF = re.compile(r"\u221a([\d.,]+)")
_SIGNS = str.maketrans("\u2212\u00d7\u00f7", "-*/")
_OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}

WORDS = {
    "right": "right.",
    "none": "no answer yet.",
    "unread": "this cannot be read as a number. Write it as 0.035, 3.5%, 7/200, sqrt(2) or "
    "1-0.05^0.01.",
    "percent": "the number is right as a percentage. Say so: add the percent sign, or write it as "
    "a fraction of one.",
    "doubled": "the percent sign is one too many: you have typed a fraction of one.",
    "complement": "this is the complement: one minus what is asked.",
    "sign": "the size is right, the sign is not.",
    "share": "a share lies between 0 and 1.",
    "no_share": "a number is asked here, not a percentage.",
    "off_by_one": "off by one. Look at the case on the border again.",
    "near": "close, but not there. Round only at the end, and look at the border.",
    "not_yet": "not yet.",
    "quiz_right": "Right.",
    "quiz_wrong": "Not quite.",
    "good_guess": "Good guess.",
    "guessed": "You guessed: {}.",
    "guessed_number": "You guessed {}; it is {}.",
}


def read(text: str, *, count: bool = False) -> tuple[float, bool] | None:
    """Read a number as a reader types it.

    Parameters
    ----------
    text : str
        Such as ``"0.035"``, ``"3.5%"``, ``"7/200"``, ``"0,035"``, ``"sqrt(6)"`` or
        ``"1-0.05^0.01"``.
    count : bool
        Whether a whole number is asked: then ``"1,244"`` has a separator of thousands.

    Returns
    -------
    (value, percent) or None
        The number and whether it had a percent sign; None if it isn't a number.

    Examples
    --------
    >>> read("3.5%"), read("7/200"), read("0,035")
    ((0.035, True), (0.035, False), (0.035, False))
    >>> round(read("1 - 0.05^(1/100)")[0], 4)
    0.0295
    """
    text = _COUNTED.sub(r"\1", _PERCENT.sub("%", _BEFORE.sub("", text).rstrip(" .")))
    # thin and narrow spaces between thousands, typographic signs, and both ways to write powers
    text = re.sub(r"\s", "", text).lower().translate(_SIGNS).replace("**", "^")
    text = _ROOT.sub("sqrt", _ROOT_OF.sub(r"sqrt(\1)", text))
    percent = text.endswith("%")
    text = text.removesuffix("%")
    tokens = [match[0] for match in _TOKEN.finditer(text)]
    # letters between numbers, so this isn't a formula
    if "".join(tokens) != text:
        return None
    # remove leading zeros, which Python would refuse
    numbers = [repr(_number(t, count)) if re.search(r"\d", t) else t for t in tokens]
    try:
        tree = ast.parse(" ".join(numbers).replace("^", "**"), mode="eval")
        value = _value(tree.body)
    except (ArithmeticError, KeyError, RecursionError, SyntaxError, TypeError, ValueError):
        return None
    # the root of a negative number
    if isinstance(value, complex) or not math.isfinite(value):
        return None
    return (value / 100 if percent else value), percent


def _value(node: ast.AST) -> Any:
    """Return the value of a formula; raise KeyError if it is more than arithmetic."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.UnaryOp):
        return _OPERATORS[type(node.op)](_value(node.operand))
    # `sqrt` is the only allowed name; TypeError or ValueError if the root doesn't exist
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return math.sqrt(*map(_value, node.args))
    raise KeyError(type(node))


def _number(text: str, count: bool) -> float:
    # "1,244" may be a number with three decimals, or a count with a separator of thousands
    if _THOUSANDS.fullmatch(text) and (count or not _NUMBER.fullmatch(text)):
        return float(re.sub("[.,]", "", text))
    return float(text.replace(",", "."))


def place(value: float, step: float) -> int:
    """Return the place of a number on a grid, as the page computes it."""
    return math.floor(value / step + 0.5)


def digest(text: str) -> str:
    """Return eight letters that identify a text: FNV-1a, mixed as in MurmurHash3.

    Examples
    --------
    >>> digest("errlab")
    '67d76ed4'
    """
    h = 2166136261
    for byte in text.encode():
        h = (h ^ byte) * 16777619 & 0xFFFFFFFF
    # FNV mixes in the last letter only once, so digests of neighbouring grid places would be
    # similar
    h = (h ^ h >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return f"{h ^ h >> 16:08x}"


def places(value: float, within: float) -> range:
    """Return the correct places of the grid; its steps are a quarter of `within`."""
    step = within / 4
    # add a millionth of a step, because an answer that is off by exactly the tolerance is right
    low = math.ceil((value - within) / step - 1e-6)
    high = math.floor((value + within) / step + 1e-6)
    return range(low, high + 1)


def veil(text: str, key: str) -> str:
    """Encode a text so that a page can store it before there is an answer.

    Examples
    --------
    >>> veil("46%", "a question")
    'Vg4S'
    """
    return base64.b64encode(_masked(text.encode(), key)).decode()


def unveil(veiled: str, key: str) -> str:
    """Return the text that `veil` encoded with this key.

    Examples
    --------
    >>> unveil("Vg4S", "a question")
    '46%'
    """
    return _masked(base64.b64decode(veiled), key).decode()


def _masked(data: bytes, key: str) -> bytes:
    # concatenate digests until they are as long as the text
    stream = "".join(digest(f"{key} {i}") for i in range(len(data) // 8 + 1)).encode()
    return bytes(a ^ b for a, b in zip(data, stream, strict=False))


@cache
def script() -> str:
    """Return the script that makes answers interactive; a page needs it once."""
    source = files(__package__).joinpath("answers.js").read_text("utf-8")
    source = source.replace("__WORDS__", json.dumps(WORDS))
    return f"<script data-errlab-answers>{source}</script>"
