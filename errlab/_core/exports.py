"""Exports of every result: a dictionary, JSON, tables for other programs, HTML."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NamedTuple

from errlab._core import checks, extras, tables

if TYPE_CHECKING:
    from pandas import DataFrame


class Result:
    """The exports of every result: a dictionary, JSON, tables for other programs, HTML.

    A result prints two lines: the value with its interval and its data, and the verdict or the
    bound with its guarantee. Cautions come before them. `details` has the evidence and the
    conditions under which the claim holds, and `to_dict` has everything.

    A result with tables returns their rows from `_rows`, the default table first. Any other result
    is a table of one row, with its numbers.
    """

    def _rows(self) -> Mapping[str, Sequence[NamedTuple]]:
        """Return the rows of each table by its name."""
        return {}

    def sentences(self) -> list[str]:
        """Return the claim as sentences: cautions, the two printed sentences, and the evidence."""
        return [repr(self)]

    def warnings(self) -> list[str]:
        """Return the cautions, such as a coverage below the confidence; usually there are none."""
        return []

    def conditions(self) -> list[str]:
        """Return the conditions under which the claim holds."""
        return []

    @property
    def details(self) -> str:
        """The evidence and the conditions as text; empty if there are none."""
        lines = self._evidence()
        if self.conditions():
            lines += ["This holds if", *(f"  - {condition}" for condition in self.conditions())]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return every number, and the claim in words."""
        words = {
            "claim": " ".join(self._lines()),
            "details": " ".join(self._evidence()),
            "warnings": self.warnings(),
            "conditions": self.conditions(),
        }
        return {**self._numbers(), **words}

    def to_json(self) -> str:
        """Return the dictionary as JSON."""
        return json.dumps(self.to_dict(), indent=2, default=lambda array: array.tolist())

    def to_frame(self, table: str | None = None) -> DataFrame:
        """Return the named table, or the first, as a data frame with all digits."""
        return extras.load("pandas").DataFrame(self._columns(self._which(table)))

    def to_markdown(self, table: str | None = None) -> str:
        """Return the named table, or the first, in Markdown with rounded numbers."""
        return tables.markdown(self._cells(self._which(table)))

    def to_latex(self, table: str | None = None) -> str:
        """Return the named table, or the first, as a LaTeX tabular with booktabs."""
        return tables.latex(self._cells(self._which(table)))

    def _repr_html_(self) -> str:
        if not self.conditions():
            return f'<p class="errlab-report">{html.escape(repr(self))}</p>'
        return f'<div class="errlab-report"><p>{html.escape(repr(self))}</p>{self._folded()}</div>'

    def _folded(self, between: str = " ") -> str:
        """Return the details as folded HTML, or nothing if there are none."""
        evidence = between.join(map(html.escape, self._evidence()))
        items = "".join(f"<li>{html.escape(condition)}</li>" for condition in self.conditions())
        parts = f"<p>{evidence}</p>" if evidence else ""
        if items:
            parts += f"<p>This holds if</p><ul>{items}</ul>"
        if not parts:
            return ""
        return f"<details><summary>Evidence and conditions</summary>{parts}</details>"

    def _numbers(self) -> dict[str, object]:
        """Return the numbers of the dictionary."""
        tables = {name: [row._asdict() for row in rows] for name, rows in self._rows().items()}
        return asdict(self) | tables  # type: ignore[call-overload,no-any-return]

    def _lines(self) -> list[str]:
        """Return the two printed lines, with any cautions at the start of the first."""
        front = len(self.warnings()) + 1
        sentences = self.sentences()
        return [" ".join(sentences[:front]), *sentences[front : front + 1]]

    def _evidence(self) -> list[str]:
        """Return the sentences that are not printed."""
        return self.sentences()[len(self.warnings()) + 2 :]

    def _columns(self, table: str) -> tables.Columns:
        """Return the columns of a table with all digits, without columns empty in every row."""
        if table:
            rows = self._rows()[table]
            columns = zip(rows[0]._fields, zip(*rows, strict=True), strict=True)
            return {name: cells for name, cells in columns if set(cells) != {None}}
        single = (str, int, float)
        return {name: [v] for name, v in self._numbers().items() if isinstance(v, single)}

    def _cells(self, table: str) -> tables.Columns:
        """Return the columns of a table as formatted text."""
        columns = self._columns(table).items()
        return {name: [f"{v:.4g}" if isinstance(v, float) else v] for name, (v,) in columns}

    def _which(self, table: str | None) -> str:
        """Return the full name of a table, by default the first."""
        if table is None:
            return next(iter(self._rows()), "")
        return checks.choice(table, "table", tuple(self._rows()))
