"""What is proven about a claim, or else its coverage in simulations of similar data."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

PROVEN = ("exact", "finite sample")
GUARANTEE = "Guarantee: {promise}."
NEAR = 2.5  # a simulation counts if its size is within this factor of the test set's
_RUNS = 100  # coverages from fewer simulated test sets are not reported
_CLAIMS = {"interval": "it", "bound": "bound and interval", "all intervals": "all of them together"}
_UNTRIED = "how often it holds in such a case was never tried"
_WEAK = 0.9  # a coverage below this is stated before the claim, as a caution


class Method(str):
    """The printed name of a method, with the key under which its measured coverage is stored.

    >>> bootstrap = Method("BCa bootstrap of 2000 samples of examples", key="BCa bootstrap")
    >>> bootstrap, method_key(bootstrap), method_key("score interval")
    ('BCa bootstrap of 2000 samples of examples', 'BCa bootstrap', 'score interval')
    """

    key: str

    def __new__(cls, words: str, key: str = "") -> Method:
        """Make the string and attach the key."""
        made = super().__new__(cls, words)
        made.key = key or words
        return made


def method_key(method: str) -> str:
    """Return the key of a method in the table, which is its name unless it has another."""
    return getattr(method, "key", str(method))


@functools.cache
def measured() -> tuple[dict[str, Any], ...]:
    """Return the rows of the table that ``studies/guarantees.py`` has written."""
    text = Path(__file__).parents[1].joinpath("guarantees.json").read_text("utf-8")
    return tuple(json.loads(text)["rows"])


@dataclass(frozen=True)
class Evidence:
    """What is proven about a claim, or else the lowest coverage in similar simulations.

    Attributes
    ----------
    guarantee : str
        What is proven.
    coverage : float or None
        The lowest coverage of a 95% interval; None if it is proven, or was not measured.
    where : str
        The population that had it, such as "few groups hold an error"; empty for a population that
        was not chosen to break the method.
    size : float
        The size of this test set on which the coverage depends.
    unit : str
        The unit of that size.
    sizes : tuple of float
        The smallest and the largest size in the simulations.
    kind : str
        The kind of claim: "interval", "bound" or "all intervals".
    delta : float
        Probability that the claim may fail; the coverage is for 0.05.
    method, metric : str or None
        The method's key and the metric, by which the coverage was found.
    shown : bool
        Whether the test set shows signs of that population. A weakness is stated first only then,
        or if the population was an ordinary one.
    others : tuple
        Lower coverages, each with its population, of which the test set shows no sign.
    """

    guarantee: str
    coverage: float | None = None
    where: str = ""
    size: float = 0.0
    unit: str = "examples"
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
        """Sentences about populations with low coverage of which the test set shows no sign."""
        return [
            f"Elsewhere, where {where}, 95% claims of this kind covered only {_percent(coverage)}; "
            "these data show no sign of it, which does not exclude it."
            for coverage, where in self.others
        ]

    @property
    def short(self) -> str:
        """The guarantee and the lowest coverage, unless a caution already gives that coverage."""
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
        """The confidence of the simulations, if it differs from that of the claim."""
        return "" if math.isclose(self.delta, 0.05) else "at 95% "

    @property
    def words(self) -> str:
        """The guarantee and the lowest coverage, with the kind of population that had it."""
        return f"{self.brief}, least where {self.where}" if self.where else self.brief

    def beyond(self, printed: str) -> list[str]:
        """Return the whole guarantee as a sentence, unless `printed` already says it."""
        return [GUARANTEE.format(promise=self.words)] if self.words != printed else []

    @property
    def weakness(self) -> str:
        """A caution if 95% claims covered less than 90% in simulations; otherwise empty."""
        if self.coverage is None or self.coverage >= _WEAK or (self.where and not self.shown):
            return ""
        where = f" where {self.where}" if self.where else ""
        return f"Caution: 95% claims of this kind covered only {self.percent}{where}."


def evidence(
    guarantee: str,
    method: str,
    size: float,
    unit: str = "examples",
    *,
    kind: str = "interval",
    delta: float = 0.05,
    door: str | None = None,
    metric: str | None = None,
    seen: Mapping[str, float | None] | None = None,
    signs: Mapping[str, bool] | None = None,
    n: int | None = None,
) -> Evidence:
    """Look up what is proven about a claim, or else its lowest coverage in similar simulations.

    Parameters
    ----------
    guarantee : str
        What is proven.
    method : str
        The name of the method in the result.
    size : float
        The size on which the coverage depends, in the unit `unit`.
    unit : str
        Such as "examples".
    kind : {"interval", "bound", "all intervals"}
        Which claim: an interval, a bound with its interval, or all intervals at once.
    delta : float
        Probability that the claim may fail; the table is for 0.05.
    door : str, optional
        The function that makes the claim; without it, any.
    metric : str, optional
        The metric. Coverage measured for one metric is never reported for another.
    seen : mapping of str to float, optional
        Statistics of the test set, such as the number of groups with an error. A simulation counts
        only if nine in ten of its test sets have similar statistics, unless no simulation does.
    signs : mapping of str to bool, optional
        Whether the test set shows the sign of each population, by its description in the table.
        Populations without their sign are reported separately from the claim.
    n : int, optional
        Number of examples, if `size` is something else. Within one population, test sets with the
        sign may have another `size` than those without, so a population with a sign is also looked
        up by `n`.

    Returns
    -------
    Evidence
        If the guarantee is asymptotic or none, it has the lowest coverage in simulations of 0.4 to
        2.5 times the size, or else of the two sizes next to it. Above the largest size, that one
        counts; below the smallest, there is no coverage.

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
    rows = _rows_of(claim, door)
    near = _near_sizes(rows, size)
    if not near:
        return claim
    signs = signs or {}
    of_sign = [row for row in rows if row.get("where") in signs and _near(row, near, n)]
    unlike = [row for row in of_sign if not signs[row["where"]]]
    # a population whose sign the test set shows counts, even if its sign is stronger
    shown = [row for row in of_sign if signs[row["where"]]]
    others = [row for row in rows if row.get("where") not in signs and row["size"] in near]
    alike = [row for row in others if _alike(row.get("seen", {}), seen or {})]
    alike = [*shown, *alike] or others
    weaker = _others(unlike)
    if not alike:
        return replace(claim, others=weaker)
    lowest = min(alike, key=_coverage_of)
    where = lowest.get("where", "")
    both = {*lowest.get("seen", {})} & {*(seen or {})}
    return replace(
        claim,
        coverage=lowest["coverage"],
        where=where,
        sizes=(min(near[0], lowest["size"]), max(near[-1], lowest["size"])),
        shown=bool(both) or signs.get(where, False),
        others=tuple(other for other in weaker if other[0] < lowest["coverage"]),
    )


def _rows_of(claim: Evidence, door: str | None) -> list[dict[str, Any]]:
    """Return the simulations of the claim's method, with its unit and its metric."""
    # a bound is printed with its interval, so the lower of their two coverages counts
    kinds = ("bound", "interval") if claim.kind == "bound" else (claim.kind,)
    key = (claim.method, claim.unit, claim.metric)
    return [
        row
        for row in measured()
        if (row["method"], row["unit"], row.get("metric")) == key
        and row["kind"] in kinds
        and row["runs"] >= _RUNS
        and door in (None, row["door"])
    ]


def _near_sizes(rows: list[dict[str, Any]], size: float) -> list[float]:
    """Return the simulated sizes that are close to a test set's, or else those next to it."""
    sizes = sorted({row["size"] for row in rows})
    near = [s for s in sizes if size / NEAR <= s <= size * NEAR]
    if near:
        return near
    # if no size is close, use the two around it, or the largest; below the smallest, none
    at = sum(s < size for s in sizes)
    return sizes[at - 1 : at + 1] if at else []


def _percent(coverage: float) -> str:
    # the tolerance is for rounding: 100 * 0.29 is 28.999999999999996
    return f"{min(math.floor(100 * coverage + 1e-9), 99)}%"


def _coverage_of(row: Mapping[str, Any]) -> float:
    return float(row["coverage"])


def _near(row: Mapping[str, Any], sizes: list[float], n: int | None) -> bool:
    """Whether the size of a setting is close to that of the test set, by either count."""
    cases = row["like"].get("n", 0)
    return row["size"] in sizes or bool(n and n / NEAR <= cases <= n * NEAR)


def _others(rows: list[dict[str, Any]]) -> tuple[tuple[float, str], ...]:
    """Return the lowest coverage of each kind of population if it is below 90%."""
    lowest: dict[str, float] = {}
    for row in sorted(rows, key=_coverage_of):
        if row.get("where") and _coverage_of(row) < _WEAK:
            lowest.setdefault(row["where"], _coverage_of(row))
    return tuple((coverage, where) for where, coverage in lowest.items())


def _alike(usual: Mapping[str, tuple[float, float]], values: Mapping[str, float | None]) -> bool:
    """Whether the statistics are in the range of nine in ten test sets of a simulation."""
    both = [(value, usual[name]) for name, value in values.items() if name in usual]
    return all(value is None or low <= value <= high for value, (low, high) in both)
