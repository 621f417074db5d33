"""What every result can do: text, HTML, JSON and tables, and what its method has earned."""

from __future__ import annotations

import functools
import html
import json
import math
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from errlab._core import checks, tables

if TYPE_CHECKING:
    from pandas import DataFrame

_NEAR = 2.5  # a simulation with so many times the cases, or so many times fewer, tells of these
_RUNS = 100  # test sets below which a coverage is not told


@functools.cache
def measured() -> tuple[dict[str, Any], ...]:
    """Return the rows of the table that ``studies/guarantees.py`` has written."""
    text = Path(__file__).parents[1].joinpath("guarantees.json").read_text("utf-8")
    return tuple(json.loads(text)["rows"])


def method_key(method: str) -> str:
    """Return the name of a method in the table: what every door calls it, up to its numbers.

    >>> method_key("BCa bootstrap of 2000 samples of cases")
    'BCa bootstrap'
    """
    return re.split(r",| of \d", method)[0].removeprefix("one-sided bound of ")


def earned(
    guarantee: str,
    method: str,
    size: float,
    unit: str = "cases",
    *,
    kind: str = "interval",
    delta: float = 0.05,
) -> str:
    """Say what is proven of a method, and where nothing is for finite samples, what was measured.

    Parameters
    ----------
    guarantee : str
        What is proven.
    method : str
        What a door calls the method.
    size : float
        What its coverage depends on: the number of what `unit` names.
    unit : str
        Such as "cases".
    kind : {"interval", "bound", "all intervals"}
        Which claim: an interval, a bound with its interval, or all intervals at once.
    delta : float
        Probability that the claim may fail; the table is for 0.05.

    Returns
    -------
    str
        The guarantee; where it is asymptotic or none, with the range of the coverages in
        simulations with between 0.4 and 2.5 times that size, or with the sizes next to it. Both
        ends are rounded down, and never 100%. Above all sizes those of the largest are told, below
        all nothing.

    Examples
    --------
    >>> earned("exact", "Clopper-Pearson", 200)
    'exact'
    >>> earned("asymptotic", "a method of nobody", 200)
    'asymptotic; not measured at this size'
    """
    if guarantee in ("exact", "finite sample"):
        return guarantee
    asked = (method_key(method), unit)
    # whoever prints a bound prints its interval, too: the claim is no better than the worse
    kinds = ("bound", "interval") if kind == "bound" else (kind,)
    rows = [
        row
        for row in measured()
        if (row["method"], row["unit"]) == asked and row["kind"] in kinds and row["runs"] >= _RUNS
    ]
    # the sizes that were simulated, and which of them tell of this one
    sizes = sorted({row["size"] for row in rows})
    near = [s for s in sizes if size / _NEAR <= s <= size * _NEAR]
    if not near and sizes and size > sizes[0]:
        # none is near: the two around it, or the largest of all
        at = sum(s < size for s in sizes)
        near = sizes[at - 1 : at + 1]
    if not near:
        return f"{guarantee}; not measured at this size"
    found = [row["coverage"] for row in rows if row["size"] in near]
    # down, but not by the last digit of a float: 100 times 0.29 is 28.999999999999996
    ends = [f"{min(math.floor(100 * end + 1e-9), 99)}" for end in (min(found), max(found))]
    reach = [f"{end:,.0f}" for end in (near[0], near[-1])]
    covered, sized = (" to ".join(dict.fromkeys(pair)) for pair in (ends, reach))
    what = {"interval": "", "bound": "bound and interval ", "all intervals": "together "}[kind]
    level = "" if math.isclose(delta, 0.05) else "at 95% "
    return f"{guarantee}; {level}{what}covered {covered}% in simulations with {sized} {unit}"


class Result:
    """The exports of every result: a dictionary, JSON, tables for other programs, HTML.

    A result with tables of its own names them in `_tables`, the usual one first; of any other the
    table is one row, its numbers.
    """

    _tables: ClassVar[tuple[str, ...]] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return every number, the verdict where there is one, and the claim in words."""
        verdict = {"verdict": self.verdict} if hasattr(self, "verdict") else {}
        return {**self._numbers(), **verdict, "claim": self._claim()}

    def to_json(self) -> str:
        """Return the same as JSON."""
        return json.dumps(self.to_dict(), indent=2, default=lambda array: array.tolist())

    def to_frame(self, table: str | None = None) -> DataFrame:
        """Return the first table, or the one of that name, as a data frame with all digits."""
        return tables.frame(self._columns(self._which(table)))

    def to_markdown(self, table: str | None = None) -> str:
        """Return the first table, or the one of that name, in Markdown, rounded to be read."""
        return tables.markdown(self._cells(self._which(table)))

    def to_latex(self, table: str | None = None) -> str:
        """Return the first table, or the one of that name, as a tabular for LaTeX with booktabs."""
        return tables.latex(self._cells(self._which(table)))

    def _repr_html_(self) -> str:
        return f'<p class="errlab-report">{html.escape(repr(self))}</p>'

    def _numbers(self) -> dict[str, object]:
        """Return what stands in the dictionary beside the claim."""
        rows = {name: [row._asdict() for row in getattr(self, name)] for name in self._tables}
        return asdict(self) | rows  # type: ignore[call-overload,no-any-return]

    def _claim(self) -> str:
        return repr(self)

    def _columns(self, table: str) -> tables.Columns:
        """Return the columns of a table with all digits, but for what no row has."""
        if table:
            rows = getattr(self, table)
            columns = {name: [getattr(row, name) for row in rows] for name in rows[0]._fields}
            return {n: cells for n, cells in columns.items() if any(c is not None for c in cells)}
        single = (str, int, float)
        return {name: [v] for name, v in self._numbers().items() if isinstance(v, single)}

    def _cells(self, table: str) -> tables.Columns:
        """Return the columns of a table as they are read."""
        columns = self._columns(table).items()
        return {name: [f"{v:.4g}" if isinstance(v, float) else v] for name, (v,) in columns}

    def _which(self, table: str | None) -> str:
        """Return the name of the table that is meant."""
        if table is None:
            return next(iter(self._tables), "")
        return checks.choice(table, "table", self._tables)


@dataclass(frozen=True, repr=False)
class Statement(Result):
    """Sentences, and the conditions under which they hold."""

    _between: ClassVar[str] = " "  # what stands between two sentences in HTML

    def sentences(self) -> list[str]:
        """Return the claim as sentences."""
        raise NotImplementedError

    def conditions(self) -> list[str]:
        """Return the conditions under which the claim holds."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """Return the claim as a paragraph, with the conditions under which it holds."""
        held = [f"  - {condition}" for condition in self.conditions()]
        return "\n".join([*self.sentences(), "This holds if", *held])

    def _repr_html_(self) -> str:
        first, *rest = (html.escape(sentence) for sentence in self.sentences())
        held = "".join(f"<li>{html.escape(condition)}</li>" for condition in self.conditions())
        more = self._between.join(rest)
        return (
            f'<div class="errlab-report"><p><strong>{first}</strong></p><p>{more}</p>'
            f"<p>This holds if</p><ul>{held}</ul></div>"
        )

    def _claim(self) -> str:
        return " ".join(self.sentences())
