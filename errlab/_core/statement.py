"""What every result can do: text, HTML, JSON and tables, and what its method has earned."""

from __future__ import annotations

import functools
import html
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from errlab._core import checks, extras, tables

if TYPE_CHECKING:
    from pandas import DataFrame

PROVEN = ("exact", "finite sample")
NEAR = 2.5  # a simulation with so many times the cases, or so many times fewer, tells of these
_RUNS = 100  # test sets below which a coverage is not told
_CLAIMS = {"interval": "it", "bound": "bound and interval", "all intervals": "all of them together"}
_UNTRIED = "how often it holds in such a case was never tried"
_WEAK = 0.9  # a 95% interval that covers less has to say so first


class Method(str):
    """What people read of a method, with the key by which what was measured of it is found.

    >>> bootstrap = Method("BCa bootstrap of 2000 samples of cases", key="BCa bootstrap")
    >>> bootstrap, method_key(bootstrap), method_key("score interval")
    ('BCa bootstrap of 2000 samples of cases', 'BCa bootstrap', 'score interval')
    """

    key: str

    def __new__(cls, words: str, key: str = "") -> Method:
        """Make the words, and remember the key."""
        made = super().__new__(cls, words)
        made.key = key or words
        return made


def method_key(method: str) -> str:
    """Return the name of a method in the table: its key, or else its words."""
    return getattr(method, "key", str(method))


@functools.cache
def measured() -> tuple[dict[str, Any], ...]:
    """Return the rows of the table that ``studies/guarantees.py`` has written."""
    text = Path(__file__).parents[1].joinpath("guarantees.json").read_text("utf-8")
    return tuple(json.loads(text)["rows"])


@dataclass(frozen=True)
class Evidence:
    """What is proven of a claim, or else the lowest coverage found in simulations like it.

    Attributes
    ----------
    guarantee : str
        What is proven.
    coverage : float or None
        The lowest coverage of a 95% interval; None where it is proven, or was not measured.
    where : str
        The kind of population that did it, such as "few groups hold an error"; empty for one that
        nobody chose to break the method.
    size : float
        What the coverage depends on, in this test set.
    unit : str
        What the size counts.
    sizes : tuple of float
        The smallest and the largest size of the simulations.
    kind : str
        Of which claim: "interval", "bound" or "all intervals".
    delta : float
        Probability that the claim may fail; the coverage is for 0.05.
    method, metric : str or None
        Key of the method, and what the claim is about, by which it was found.
    shown : bool
        Whether the test set shows what that population is like; a weakness stands first only then,
        or where the population was a plain one.
    others : tuple
        Coverage and kind of population where a lower one was found, of whose kind the test set
        shows nothing.
    """

    guarantee: str
    coverage: float | None = None
    where: str = ""
    size: float = 0.0
    unit: str = "cases"
    sizes: tuple[float, float] = (0.0, 0.0)
    kind: str = "interval"
    delta: float = 0.05
    method: str = ""
    metric: str | None = None
    shown: bool = False
    others: tuple[tuple[float, str], ...] = ()

    @property
    def percent(self) -> str:
        """The lowest coverage in percent, rounded down, and never 100%."""
        return _percent(self.coverage or 0)

    @property
    def elsewhere(self) -> list[str]:
        """Sentences about populations of whose kind the test set shows nothing."""
        return [
            f"Elsewhere, where {where}, 95% claims of this kind covered only {_percent(coverage)}; "
            "these data show no sign of it, which does not exclude it."
            for coverage, where in self.others
        ]

    @property
    def short(self) -> str:
        """The guarantee with the lowest coverage, unless that is the weakness that stands first."""
        if self.weakness:
            return self.guarantee
        if self.coverage is None:
            return self.brief
        return f"{self._promise}; {self._level}simulated: at least {self.percent}"

    @property
    def brief(self) -> str:
        """The guarantee, and the lowest coverage with the sizes of its simulations."""
        if self.guarantee in PROVEN:
            return self.guarantee
        if self.coverage is None:
            return f"{self._promise}: {_UNTRIED}"
        reach = " to ".join(dict.fromkeys(f"{end:,.0f}" for end in self.sizes))
        times = f"{_CLAIMS[self.kind]} held in at least {self.percent} of simulated samples"
        return f"{self._promise}: {self._level}{times} with {reach} {self.unit}"

    @property
    def _promise(self) -> str:
        return self.guarantee.replace("none proven", "nothing proven")

    @property
    def _level(self) -> str:
        """The confidence of the simulations, where it is not that of the claim."""
        return "" if math.isclose(self.delta, 0.05) else "at 95% "

    @property
    def words(self) -> str:
        """The same with the kind of population."""
        return f"{self.brief}, least where {self.where}" if self.where else self.brief

    @property
    def weakness(self) -> str:
        """A sentence to begin with, where a 95% claim was found to cover less than 90%; or none."""
        if self.coverage is None or self.coverage >= _WEAK or (self.where and not self.shown):
            return ""
        where = f" where {self.where}" if self.where else ""
        return f"Caution: 95% claims of this kind covered only {self.percent}{where}."


def evidence(
    guarantee: str,
    method: str,
    size: float,
    unit: str = "cases",
    *,
    kind: str = "interval",
    delta: float = 0.05,
    door: str | None = None,
    metric: str | None = None,
    seen: Mapping[str, float | None] | None = None,
    signs: Mapping[str, bool] | None = None,
) -> Evidence:
    """Find what is proven of a claim, or else the lowest coverage in simulations that are like it.

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
    door : str, optional
        The function that makes the claim; without it, any.
    metric : str, optional
        What it is about. What was measured of one metric is never told of another.
    seen : mapping of str to float, optional
        What the test set shows of its population, such as the number of groups with an error. A
        setting whose test sets (nine in ten of them) show something else does not count, as long as
        there is another.
    signs : mapping of str to bool, optional
        Whether the test set shows the sign of a kind of population, by its words in the table. A
        kind without its sign is told elsewhere, not beside the claim.

    Returns
    -------
    Evidence
        Where it is asymptotic or none, with the lowest coverage in simulations with between 0.4 and
        2.5 times that size, or with the sizes next to it. Above all sizes those of the largest are
        told, below all nothing.

    Examples
    --------
    >>> evidence("exact", "Clopper-Pearson", 200).words
    'exact'
    >>> evidence("asymptotic", "a method of nobody", 200).words
    'asymptotic: how often it holds in such a case was never tried'
    """
    key = method_key(method)
    claim = Evidence(
        guarantee,
        size=float(size),
        unit=unit,
        kind=kind,
        delta=delta,
        method=key,
        metric=metric,
    )
    if guarantee in PROVEN:
        return claim
    # whoever prints a bound prints its interval, too: the claim is no better than the worse
    kinds = (kind, "interval") if kind == "bound" else (kind,)
    rows = [
        row
        for row in measured()
        if (row["method"], row["unit"], row.get("metric")) == (key, unit, metric)
        and row["kind"] in kinds
        and row["runs"] >= _RUNS
        and door in (None, row["door"])
    ]
    # the sizes that were simulated, and which of them tell of this one
    sizes = sorted({row["size"] for row in rows})
    near = [s for s in sizes if size / NEAR <= s <= size * NEAR]
    if not near:
        # no size is near: take the two around it, or the largest; below the smallest, take none
        at = sum(s < size for s in sizes)
        near = sizes[at - 1 : at + 1] if at else []
    if not near:
        return claim
    rows = [row for row in rows if row["size"] in near]
    signs = signs or {}
    unlike = [row for row in rows if not signs.get(row.get("where", ""), True)]
    rows = [row for row in rows if row not in unlike]
    # a kind whose sign the test set shows counts, however far the test set goes beyond its usual
    alike = [
        row
        for row in rows
        if signs.get(row.get("where", ""), False) or _alike(row.get("seen", {}), seen or {})
    ] or rows
    others = _others(unlike)
    if not alike:
        return replace(claim, others=others)
    lowest = min(alike, key=_coverage_of)
    where = lowest.get("where", "")
    both = {*lowest.get("seen", {})} & {*(seen or {})}
    return replace(
        claim,
        coverage=lowest["coverage"],
        where=where,
        sizes=(near[0], near[-1]),
        shown=bool(both) or signs.get(where, False),
        others=tuple(other for other in others if other[0] < lowest["coverage"]),
    )


def _percent(coverage: float) -> str:
    # not by the last digit of a float: 100 times 0.29 is 28.999999999999996
    return f"{min(math.floor(100 * coverage + 1e-9), 99)}%"


def _coverage_of(row: Mapping[str, Any]) -> float:
    return float(row["coverage"])


def _others(rows: list[dict[str, Any]]) -> tuple[tuple[float, str], ...]:
    """Return the lowest coverage of each kind of population, where it was below 90%."""
    lowest: dict[str, float] = {}
    for row in sorted(rows, key=_coverage_of):
        if row.get("where") and _coverage_of(row) < _WEAK:
            lowest.setdefault(row["where"], _coverage_of(row))
    return tuple((coverage, where) for where, coverage in lowest.items())


def _alike(usual: Mapping[str, tuple[float, float]], seen: Mapping[str, float | None]) -> bool:
    """Whether what is seen is what nine in ten test sets of a setting have shown."""
    both = [(value, usual[name]) for name, value in seen.items() if name in usual]
    return all(value is None or low <= value <= high for value, (low, high) in both)


class Result:
    """The exports of every result: a dictionary, JSON, tables for other programs, HTML.

    A result prints two lines: the value with its interval and what it rests on, and the verdict or
    the bound with its guarantee. What is to be minded stands before them. `details` holds the rest:
    the evidence, and the conditions under which the claim holds. `to_dict` has everything.

    A result with tables of its own names them in `_tables`, the usual one first; of any other the
    table is one row, its numbers.
    """

    _tables: ClassVar[tuple[str, ...]] = ()
    _between: ClassVar[str] = " "  # what stands between two sentences of the details in HTML

    def sentences(self) -> list[str]:
        """Return the claim as sentences: warnings, the two that are printed, and the evidence."""
        return [repr(self)]

    def warnings(self) -> list[str]:
        """Return what is to be minded, such as a coverage below what is claimed; often nothing."""
        return []

    def conditions(self) -> list[str]:
        """Return the conditions under which the claim holds."""
        return []

    @property
    def details(self) -> str:
        """The evidence and the conditions, as text; empty where there is no more to say."""
        lines = self._evidence()
        if self.conditions():
            lines += ["This holds if", *(f"  - {condition}" for condition in self.conditions())]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return every number, the verdict where there is one, and the claim in words."""
        verdict = {"verdict": self.verdict} if hasattr(self, "verdict") else {}
        words = {
            "claim": " ".join(self._lines()),
            "details": " ".join(self._evidence()),
            "warnings": self.warnings(),
            "conditions": self.conditions(),
        }
        return {**self._numbers(), **verdict, **words}

    def to_json(self) -> str:
        """Return the same as JSON."""
        return json.dumps(self.to_dict(), indent=2, default=lambda array: array.tolist())

    def to_frame(self, table: str | None = None) -> DataFrame:
        """Return the first table, or the one of that name, as a data frame with all digits."""
        return extras.load("pandas").DataFrame(self._columns(self._which(table)))

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

    def _lines(self) -> list[str]:
        """Return the two lines that are printed, the warnings at the front of the first."""
        front = len(self.warnings()) + 1
        sentences = self.sentences()
        return [" ".join(sentences[:front]), *sentences[front : front + 1]]

    def _evidence(self) -> list[str]:
        """Return the sentences that are not printed."""
        return self.sentences()[len(self.warnings()) + 2 :]

    def _columns(self, table: str) -> tables.Columns:
        """Return the columns of a table with all digits, but for what no row has."""
        if table:
            rows = getattr(self, table)
            columns = zip(rows[0]._fields, zip(*rows, strict=True), strict=True)
            return {name: cells for name, cells in columns if set(cells) != {None}}
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


class Statement(Result):
    """A result that is a list of sentences, of which the first two are printed."""

    def __repr__(self) -> str:
        """Return what is printed."""
        return self._printed()

    def _printed(self) -> str:
        """Return the two lines; a notebook asks whoever has a `__repr__` of its own for no more."""
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        first, *second = map(html.escape, self._lines())
        lines = f"<p><strong>{first}</strong></p><p>{' '.join(second)}</p>"
        # the details, folded, where there are some
        evidence = self._between.join(map(html.escape, self._evidence()))
        items = "".join(f"<li>{html.escape(condition)}</li>" for condition in self.conditions())
        parts = f"<p>{evidence}</p>" if evidence else ""
        if items:
            parts += f"<p>This holds if</p><ul>{items}</ul>"
        if parts:
            lines += f"<details><summary>Evidence and conditions</summary>{parts}</details>"
        return f'<div class="errlab-report">{lines}</div>'
