"""Tables for notebooks: plain text in a test, accessible HTML in the book."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Claim", "Table", "claims", "table"]


@dataclass(frozen=True)
class Table:
    """Columns, rows of text and a caption. The first column names the row."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""

    def __repr__(self) -> str:
        """Align the columns as text."""
        cells = [self.columns, *self.rows]
        widths = [max(len(row[i]) for row in cells) for i in range(len(self.columns))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in cells
        ]
        lines.insert(1, "  ".join("-" * width for width in widths))
        return "\n".join(([self.caption] if self.caption else []) + lines)

    def _repr_html_(self) -> str:
        caption = f"<caption>{html.escape(self.caption)}</caption>" if self.caption else ""
        head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in self.columns)
        body = "".join(f"<tr>{self._row(row)}</tr>" for row in self.rows)
        name = html.escape(self.caption or "Table")
        # the wrapper scrolls on a narrow screen, so it must be reachable by keyboard
        return (
            f'<div class="errlab-table" tabindex="0" role="region" '
            f'aria-label="{name}"><table class="table">{caption}'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )

    @staticmethod
    def _row(row: tuple[str, ...]) -> str:
        first = f'<th scope="row">{html.escape(row[0])}</th>'
        return first + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:])


class Claim(NamedTuple):
    """What a source says, where, what we find, whether it holds, and where that is taught."""

    source: str
    place: str
    claim: str
    found: str
    holds: bool | str
    lesson: str


_VERDICT = {True: "holds", False: "fails"}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def table(
    rows: Iterable[Any],
    *,
    columns: Sequence[str] | None = None,
    caption: str = "",
    formats: Mapping[str, str] | None = None,
) -> Table:
    """Make a table from dictionaries, NamedTuples or sequences.

    Parameters
    ----------
    rows : iterable
        Dictionaries or NamedTuples (their fields name the columns), or sequences with `columns`.
    columns : sequence of str, optional
        Names of the columns; needed where the rows are plain sequences.
    caption : str
        Title of the table.
    formats : dict, optional
        A format for each column that is not to be shown to four significant digits, such as
        ``{"error": ".1%"}``.

    Returns
    -------
    Table

    Raises
    ------
    ValueError
        If there are no rows, a row has the wrong length or other names, or the columns have no
        names.
    TypeError
        If a row is neither a mapping nor a sequence.

    Examples
    --------
    >>> table([{"bound": "CP", "upper": 0.0647}, {"bound": "HOE", "upper": 0.1216}])
    bound  upper
    -----  ------
    CP     0.0647
    HOE    0.1216
    """
    listed = list(rows)
    if not listed:
        raise ValueError("rows must hold at least one row, got none")
    named = isinstance(listed[0], Mapping)
    for number, row in enumerate(listed):
        if isinstance(row, str) or not isinstance(
            row, Mapping if named else (Sequence, np.ndarray)
        ):
            kind = "mapping as the first one is" if named else "sequence"
            raise TypeError(f"rows[{number}] must be a {kind}, got {row!r}")
    if named:
        names = list(listed[0])
        for number, row in enumerate(listed):
            if set(row) != set(names):
                raise ValueError(f"rows[{number}] must have the names {names}, got {list(row)}")
        values = [[row[name] for name in names] for row in listed]
    else:
        names = list(getattr(listed[0], "_fields", columns or ()))
        values = [list(row) for row in listed]
    shown = list(columns) if columns is not None else names
    if formats is not None and not set(formats) <= set(names):
        raise ValueError(f"formats must name columns of {names}, got {list(formats)}")
    if not names or any(len(row) != len(shown) for row in values):
        raise ValueError(f"every row must have the {len(shown)} columns {shown}")
    styles = [(formats or {}).get(name) for name in names]
    cells = tuple(
        tuple(format(v, s) if s else _text(v) for v, s in zip(row, styles, strict=True))
        for row in values
    )
    return Table(tuple(shown), cells, caption)


def claims(entries: Iterable[Sequence[Any]]) -> Table:
    """Judge what the sources say, for the page that audits each of them.

    The cell that calls it stands at the end of a chapter, whose numbers it uses, and has the tag
    ``audit``: no reader of the chapter sees it, and `tools/sources.py` lays out its rows.

    Parameters
    ----------
    entries : iterable of (source, place, claim, found, holds, lesson)
        `source` is a key of `book/sources.toml`; `place` the start of a heading of the source, and
        after a comma what is numbered there; `holds` True, False, or words such as "only for small
        n"; `lesson` a chapter, with # and a heading of it, such as ``"3#your-own-test"``.

    Returns
    -------
    Table

    Raises
    ------
    ValueError
        If an entry has not these six parts.
    TypeError
        If a verdict is neither True nor False nor words: no number is taken for one.

    Examples
    --------
    >>> claims([("survey", "4.1, Fig. 3", "NOR is lowest", "up to 0.47", False, "3")])
    Source  Place        Claim          What we find  Verdict  Lesson
    ------  -----------  -------------  ------------  -------  ------
    survey  4.1, Fig. 3  NOR is lowest  up to 0.47    fails    3
    """
    rows = []
    for number, entry in enumerate(entries):
        if isinstance(entry, str) or not isinstance(entry, Sequence) or len(entry) != 6:
            parts = "(source, place, claim, found, holds, lesson)"
            raise ValueError(f"entries[{number}] must be {parts}, got {entry!r}")
        row = Claim(*entry)
        if not isinstance(row.holds, (bool, np.bool_, str)):
            rule = "holds must be True, False or words"
            raise TypeError(f"{rule}, got {row.holds!r} for {row.claim!r}")
        verdict = row.holds if isinstance(row.holds, str) else _VERDICT[bool(row.holds)]
        rows.append(row._replace(holds=verdict))
    return table(rows, columns=("Source", "Place", "Claim", "What we find", "Verdict", "Lesson"))
