"""Measured coverage of evaluation tools' intervals: tables and code for their page."""

import textwrap
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from errlab import checks
from errlab_book.studies import load
from errlab_book.tables import Table

__all__ = ["Cell", "calls", "cell", "kept", "not_offered", "points", "table_of"]

KINDS = ("accuracy", "area", "f1", "pair", "groups", "winner")


class Cell(NamedTuple):
    """Results of one call in one situation, over both seeds."""

    coverage: float
    se: float
    width: float
    sets: int


def cell(call: str, situation: str) -> Cell:
    """Return the results of one call in one situation.

    Parameters
    ----------
    call : str
        Its name in ``studies/tools.py``.
    situation : str
        Such as ``"A100"``.

    Returns
    -------
    Cell
        Coverage, its simulation error, mean width and the number of test sets.

    Raises
    ------
    ValueError
        If that was not measured.

    Examples
    --------
    >>> cell("scipy_default", "A50").coverage > 0.95
    True
    """
    rows = load("tools")["settings"]
    matching = [row for row in rows if (row["call"], row["situation"]) == (call, situation)]
    checks.require(matching, "call and situation", "be measured", (call, situation))
    (row,) = matching
    answered = np.array(row["sets"]) - np.array(row["refused"])
    share = float(np.average(row["coverage"], weights=answered))
    error = float(np.sqrt(share * (1 - share) / answered.sum()))
    width = float(np.average(row["width"], weights=answered))
    return Cell(share, error, width, int(answered.sum()))


def kept(call: str, situation: str) -> str:
    """Return the coverage of a call in words, with the arguments of `cell`.

    Examples
    --------
    >>> kept("scipy_default", "A50")[-1]
    '%'
    """
    return f"{cell(call, situation).coverage:.1%}"


def points(call: str, situation: str) -> str:
    """Return the mean width of a call in points, with the arguments of `cell`.

    Examples
    --------
    >>> 15 < float(points("scipy_default", "A50")) < 20
    True
    """
    return f"{100 * cell(call, situation).width:.1f}"


def table_of(kind: str) -> Table:
    """Show the results of all calls that answer one kind of question.

    Parameters
    ----------
    kind : {"accuracy", "area", "f1", "pair", "groups", "winner"}
        What is asked.

    Returns
    -------
    Table
        A row for each call, the default of a tool above what it offers by name: coverage with each
        seed, and in brackets the mean width in points.

    Raises
    ------
    ValueError
        If there is no such kind.

    Examples
    --------
    >>> table_of("f1").columns[:2]
    ('Tool', 'Interval')
    """
    checks.choice(kind, "kind", KINDS)
    study = load("tools")
    situations = {k: s["words"] for k, s in study["situations"].items() if s["kind"] == kind}
    table: dict[str, dict[str, str]] = {
        key: {} for key, call in study["calls"].items() if call["kind"] == kind
    }
    for row in study["settings"]:
        if row["situation"] in situations:
            table.setdefault(row["call"], {})[row["situation"]] = _words(row)
    order = sorted(table, key=lambda call: _place(study["calls"][call]))
    rows = []
    for call in order:
        one = study["calls"][call]
        method = one["words"] if one["role"] == "default" else f"by name: {one['words']}"
        cells = (table[call].get(key, "not measured") for key in situations)
        rows.append((one["tool"], method, *cells))
    caption = f"{_SAID[kind]}: coverage with each seed, and mean width in points"
    return Table(("Tool", "Interval", *situations.values()), tuple(rows), caption, paired=True)


def _words(row: Mapping[str, Any]) -> str:
    """Return coverage for each seed, and the width."""
    shares = ", ".join(f"{100 * share:.1f}" for share in row["coverage"])
    refused = sum(row["refused"])
    without = f"; {refused} without an interval" if refused else ""
    return f"{shares}% ({100 * np.mean(row['width']):.1f}{without})"


def _place(call: Mapping[str, Any]) -> tuple[str, bool]:
    return call["tool"].lower(), call["role"] != "default"


def not_offered(kind: str) -> str:
    """Return the tools without a call for one kind of question, as a list in words.

    Parameters
    ----------
    kind : str
        As for `table_of`.

    Raises
    ------
    ValueError
        If there is no such kind.

    Examples
    --------
    >>> "evalsig" in not_offered("accuracy")
    True
    """
    checks.choice(kind, "kind", KINDS)
    every = load("tools")["calls"].values()
    having = {call["tool"] for call in every if call["kind"] == kind}
    return ", ".join(sorted({call["tool"] for call in every} - having, key=str.lower))


def calls() -> str:
    """Return the code of every row's call as Markdown, tool by tool.

    Examples
    --------
    >>> "binomtest" in calls()
    True
    """
    every = load("tools")["calls"].values()
    parts = []
    for tool in sorted({call["tool"] for call in every}, key=str.lower):
        tool_calls = [call for call in every if call["tool"] == tool]
        parts.append(f"**{tool} {tool_calls[0]['version']}**")
        for call in sorted(tool_calls, key=lambda one: (KINDS.index(one["kind"]), *_place(one))):
            role = "" if call["role"] == "default" else ", by name"
            parts.append(f"*{_SAID[call['kind']]}: {call['words']}{role}*")
            parts.append(textwrap.indent(call["source"], "    "))
    return "\n\n".join(parts)


_SAID = {
    "accuracy": "Accuracy", "area": "Area", "f1": "F1", "pair": "Two models",
    "groups": "Groups", "winner": "Best of ten",
}  # fmt: skip
