"""Many classifiers on one test set: each rate, every pair, and which ranks are shown."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab import bounds
from errlab._core import checks, tables
from errlab._core import rounding as words
from errlab._core.checks import FloatArray, IntArray
from errlab._core.interval import Interval
from errlab._core.public import aligned, public
from errlab._core.statement import Statement, earned
from errlab._numerics.groups import Groups, caution, codes, described, grouped
from errlab._style import BLUE, VERMILION, new_axes, styled
from errlab.compare._melded import melded
from errlab.compare._result import Guarantee, settle
from errlab.compare.groups import mean_difference
from errlab.compare.mcnemar_tables import mcnemar
from errlab.compare.several import holm

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = ["Models", "RatedModel", "RatedPair", "models"]

ADJUST = ("holm", "bonferroni")
_SHOWN = 10  # pairs that are printed; of more, only how many differ


class RatedModel(NamedTuple):
    """One classifier: its errors, the interval of its rate, and the ranks that are left to it.

    Rank 1 is the lowest true error rate. `low` and `high` hold for this rate by itself, `first`
    and `last` for all ranks together.
    """

    name: str
    errors: int
    n: int
    rate: float
    low: float
    high: float
    first: int
    last: int


class RatedPair(NamedTuple):
    """Two classifiers: the error rate of `a` minus that of `b`, with its interval and p-values.

    `n01` counts the cases that `a` alone got wrong, `n10` those that `b` alone did. `adjusted` is
    the p-value to compare with `delta`; the interval excludes 0 if, and only if, it is at most
    that.
    """

    a: str
    b: str
    n01: int
    n10: int
    difference: float
    low: float
    high: float
    pvalue: float
    adjusted: float


@dataclass(frozen=True, repr=False)
class Models(Statement):
    """What one test set shows of several classifiers. It prints as text and shows as HTML.

    Attributes
    ----------
    models : tuple of RatedModel
        The classifiers, lowest error rate first.
    pairs : tuple of RatedPair
        The pairs that were compared, in the order of the models.
    together : tuple of tuple of str
        Which cannot be told apart: the largest sets in which no pair is shown to differ.
    n : int
        Test cases.
    baseline : str or None
        The one that all others were compared with.
    adjust : str
        How the p-values of the pairs are adjusted for their number.
    delta : float
        Probability that one or more of the differences that are shown is none; and that the
        interval of a single rate fails.
    pair_delta : float
        `delta` over the number of pairs: the level of each pair's interval.
    groups : int or None
        Groups that the cases come in, where they were given.
    effective_groups, largest_group : float or None
        How many groups of one size would weigh as much; share of the cases in the largest.
    guarantee : str
        What is proven of the differences that are shown, all of them together.
    interval_guarantee : str
        What is proven of the intervals of the pairs. Those of Fay and Lumbard have a coverage
        that is computed and not proven.
    """

    _between: ClassVar[str] = "<br>"

    models: tuple[RatedModel, ...]
    pairs: tuple[RatedPair, ...]
    together: tuple[tuple[str, ...], ...]
    n: int
    baseline: str | None
    adjust: str
    delta: float
    pair_delta: float
    groups: int | None = None
    effective_groups: float | None = None
    largest_group: float | None = None
    guarantee: Guarantee = "exact"
    interval_guarantee: Guarantee = "none proven"

    @property
    def _test(self) -> str:
        return "exact McNemar test" if self.groups is None else "cluster-robust t"

    @property
    def different(self) -> tuple[RatedPair, ...]:
        """The pairs that are shown to differ."""
        return tuple(pair for pair in self.pairs if pair.adjusted <= self.delta)

    def sentences(self) -> list[str]:
        """Return what is shown, sentence by sentence."""
        against = f" against {self.baseline}" if self.baseline is not None else ""
        differ = "is shown" if len(self.different) == 1 else "are shown"
        verdict = f"Of {len(self.pairs)} pairs{against} {len(self.different) or 'none'} {differ}"
        level = f"at level {self.delta:g} for all of them together"
        if len(self.pairs) == 1:
            verdict = f"They are {'' if self.different else 'not '}shown"
            level = f"at level {self.delta:g}"
        cases = words.count(self.n, "case")
        source = "Fay and Lumbard; its coverage is computed, not proven"
        of_rates = of_ranks = ""
        if self.groups and self.effective_groups:
            cases += f" in {self.groups} groups"
            sized = (self.effective_groups, "effective groups")
            of_rates = f" ({earned('asymptotic', 'Korn and Graubard', *sized, delta=self.delta)})"
            method = f"{self._test} of all pairs"
            source = earned("asymptotic", method, *sized, kind="all intervals", delta=self.delta)
            of_ranks = " (asymptotic)"
        return [
            f"{len(self.models)} classifiers on the same {cases}. {verdict} to differ {level} "
            f"({self._test}, {self.adjust.capitalize()}).",
            *self._of_groups(),
            *map(self._of_one, self.models),
            *self._of_ties(),
            *self._of_pairs(),
            f"The interval of each rate holds by itself with {words.sure(self.delta)} confidence"
            f"{of_rates}, that of each difference with {words.sure(self.pair_delta)} ({source}); "
            f"the ranks hold together with {words.sure(self.delta)}{of_ranks}.",
        ]

    def _of_groups(self) -> list[str]:
        """Return the sentences about the groups: how many, how unequal, and if they are few."""
        if self.groups is None or not self.effective_groups or not self.largest_group:
            return []
        said = described(self.groups, self.effective_groups, self.largest_group)
        return [f"The cases come in {said}.", *caution(self.effective_groups, "rate", "difference")]

    def _of_one(self, model: RatedModel) -> str:
        """Return the sentence of one classifier: its errors, interval and rank."""
        ranks = f"rank {model.first}"
        if model.last > model.first:
            ranks = f"rank {model.first} to {model.last}"
        return (
            f"{model.name}: {model.errors} in {model.n}, {words.percent(model.rate)} "
            f"({words.percent(model.low, math.floor)} to {words.percent(model.high, math.ceil)}), "
            f"{ranks}."
        )

    def _of_ties(self) -> list[str]:
        if not self.together:
            return ["Each is told from each other."] if self.baseline is None else []
        sets = "; ".join(_listed(names) for names in self.together)
        return [f"Not told apart: {sets}."]

    def _of_pairs(self) -> list[str]:
        """Return a sentence a pair, or where the pairs are, if there are many."""
        if len(self.pairs) > _SHOWN:
            return [f"The {len(self.pairs)} differences are in .pairs and .to_frame('pairs')."]
        return [
            f"{pair.a} minus {pair.b}: {words.points(pair.difference, 1)} points, "
            f"{words.points(pair.low, 1, 'down')} to {words.points(pair.high, 1, 'up')}, adjusted "
            f"{words.chance(pair.adjusted, self.delta)}."
            for pair in self.pairs
        ]

    def conditions(self) -> list[str]:
        """Return the conditions under which that holds."""
        draws = "the cases are independent draws"
        if self.groups:
            draws = "the groups, not their cases, are independent draws"
        return [
            f"{draws} from the population that the claim is about",
            "none of them was used to train, tune or choose a classifier",
            "the list of classifiers was fixed before the test",
        ]

    def _numbers(self) -> dict[str, object]:
        """Return what stands in the JSON."""
        return asdict(self) | {
            "models": [model._asdict() for model in self.models],
            "pairs": [pair._asdict() for pair in self.pairs],
        }

    def to_frame(self, table: str = "models") -> DataFrame:
        """Return the models, or the "pairs", as a data frame of pandas, with all digits."""
        rows = self._rows(table)
        return tables.frame({name: [getattr(r, name) for r in rows] for name in rows[0]._fields})

    def to_markdown(self, table: str = "models") -> str:
        """Return the models, or the "pairs", as a table in Markdown, rounded to be read."""
        return tables.markdown(self._cells(table))

    def to_latex(self, table: str = "models") -> str:
        """Return the models, or the "pairs", as a tabular for LaTeX with booktabs."""
        return tables.latex(self._cells(table))

    def _rows(self, table: str) -> tuple[RatedModel, ...] | tuple[RatedPair, ...]:
        """Return the rows of one of the two tables."""
        checks.choice(table, "table", ("models", "pairs"))
        return self.models if table == "models" else self.pairs

    def _cells(self, table: str) -> tables.Columns:
        """Return the columns of a table as they are read."""
        models = self.models
        pairs = self.pairs
        if checks.choice(table, "table", ("models", "pairs")) == "models":
            return {
                "model": [m.name for m in models],
                "errors": [f"{m.errors} of {m.n}" for m in models],
                "error rate": [words.percent(m.rate) for m in models],
                f"{words.sure(self.delta)} interval": [
                    f"{words.percent(m.low, math.floor)} to {words.percent(m.high, math.ceil)}"
                    for m in models
                ],
                "rank": [f"{m.first} to {m.last}" if m.last > m.first else m.first for m in models],
            }
        return {
            "pair": [f"{p.a} minus {p.b}" for p in pairs],
            "difference (points)": [words.points(p.difference, 1) for p in pairs],
            f"{words.sure(self.pair_delta)} interval": [
                f"{words.points(p.low, 1, 'down')} to {words.points(p.high, 1, 'up')}"
                for p in pairs
            ],
            f"p ({self.adjust.capitalize()})": [
                words.chance(p.adjusted, self.delta).removeprefix("p = ").removeprefix("p ")
                for p in pairs
            ],
        }

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw each rate with its interval, and a line beside those not told apart."""
        return _plot(self, ax=ax)


@public
def models(
    y_true: ArrayLike,
    predictions: Mapping[str, ArrayLike],
    *,
    baseline: str | None = None,
    groups: ArrayLike | None = None,
    adjust: str = "holm",
    delta: float = 0.05,
) -> Models:
    r"""Compare several classifiers on the same test cases: rates, pairs, and ranks.

    Each pair is compared by the exact McNemar test. Holm's adjustment keeps the probability of one
    or more differences that are none at `delta`, whatever the dependence:

    .. math:: \tilde p_{(i)} = \min\big(1, \max_{j \le i} (m - j + 1)\, p_{(j)}\big)

    The interval of each pair is that of Fay and Lumbard at level :math:`\delta / m`, so that all
    of them hold at once. Where Holm shows a difference that this interval would leave open, its
    end is moved to 0: adjusted p-value and interval never contradict each other. A model's rank is
    at least 1 plus the number of models that are shown to be better, and at most k less the
    number of those shown to be worse.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels.
    predictions : mapping of str to array_like, shape (n,)
        The predicted labels of each classifier by its name, at least two; or a frame with a
        column for each.
    baseline : str, optional
        The name of the one that all others are compared with; without it every pair is.
    groups : array_like, shape (n,), optional
        The group of each case, such as its patient. Then the groups are the units: rates have the
        interval of Korn and Graubard, pairs the cluster-robust t, both for many groups.
    adjust : {"holm", "bonferroni"}
        How p-values are adjusted for the number m of pairs. Bonferroni takes m times each.
    delta : float
        Probability that one or more of the differences that are shown is none, in (0, 1).

    Returns
    -------
    Models
        Text when printed; ``.models``, ``.pairs``, ``.together``, ``.to_frame()``,
        ``.to_markdown()``, ``.to_latex()``, ``.plot()``.

    Raises
    ------
    ValueError
        If there are fewer than two classifiers, the lengths differ, a label is missing, the
        baseline is none of the names, or predictions hold scores or entirely other labels.
    TypeError
        If `predictions` is no mapping, a name is no text, or words are compared with numbers.

    References
    ----------
    Holm, Scandinavian Journal of Statistics 6 (1979), 65-70; Fay and Lumbard, Statistics in
    Medicine 40 (2021), 1147-1159.

    Examples
    --------
    >>> y_true = [0] * 300
    >>> predictions = {
    ...     "tree": [1] * 60 + [0] * 240,
    ...     "forest": [0] * 35 + [1] * 25 + [0] * 240,
    ...     "boost": [0] * 40 + [1] * 22 + [0] * 238,
    ... }
    >>> found = models(y_true, predictions)
    >>> found.together
    (('boost', 'forest'),)
    >>> print(found.to_markdown())
    | model | errors | error rate | 95% interval | rank |
    | :--- | ---: | ---: | ---: | ---: |
    | boost | 22 of 300 | 7.3% | 4.6% to 10.9% | 1 to 2 |
    | forest | 25 of 300 | 8.3% | 5.4% to 12.1% | 1 to 2 |
    | tree | 60 of 300 | 20.0% | 15.6% to 25.0% | 3 |
    """
    level = checks.one_delta(delta)
    checks.choice(adjust, "adjust", ADJUST)
    wrong = _mistakes(y_true, predictions)
    baseline = checks.visible(baseline) if isinstance(baseline, str) else baseline
    names = sorted(wrong, key=lambda name: int(wrong[name].sum()))  # stable: as they were given
    if baseline is not None:
        checks.choice(baseline, "baseline", names)
    k = len(names)
    n = len(wrong[names[0]])
    a, b = _which(names, baseline)
    table = np.array([wrong[name] for name in names])
    only = _only(table)
    n01 = only[a, b]
    n10 = only[b, a]
    each = level / len(a)
    units = None if groups is None else grouped(groups, n)
    if units is not None and units.number == n:  # groups of one case are cases
        units = None
    if units is None:
        pvalue = np.atleast_1d(mcnemar(n01, n10).pvalue)
        ends = _melded(n01, n10, n, each)
    else:
        pvalue, ends = _robust(table, a, b, units, each)
    adjusted = holm(pvalue) if adjust == "holm" else np.minimum(len(a) * pvalue, 1.0)
    difference = (n01 - n10) / n
    ends = settle(ends, adjusted, difference, level)
    shown = adjusted <= level
    better = np.zeros((k, k), dtype=bool)  # better[i, j]: i is shown to be better than j
    better[a, b] = shown & (difference < 0)
    better[b, a] = shown & (difference > 0)
    better = _closure(better)
    open_ = ~(better[a, b] | better[b, a])
    errors = table.sum(axis=1)
    if units is None:
        low, high = bounds.interval("CP", errors=errors, n=n, delta=level)
    else:
        from errlab.metrics import korn_graubard  # on use: it brings all of the metrics

        code = codes(groups)  # type: ignore[arg-type]
        found = [korn_graubard(row, groups=code, delta=level) for row in table.astype(float)]
        low = [f.low for f in found]
        high = [f.high for f in found]
    columns = (names, errors, [n] * k, errors / n, low, high)
    ranks = (1 + better.sum(axis=0), k - better.sum(axis=1))
    pairs = ([names[i] for i in a], [names[i] for i in b], n01, n10, difference, *ends)
    return Models(
        tuple(RatedModel(*row) for row in _plain_rows(*columns, *ranks)),
        tuple(RatedPair(*row) for row in _plain_rows(*pairs, pvalue, adjusted)),
        _together(names, a[open_], b[open_]),
        n,
        baseline,
        adjust,
        level,
        each,
        None if units is None else units.number,
        None if units is None else units.effective,
        None if units is None else float(units.shares.max()),
        "exact" if units is None else "asymptotic",
        "none proven" if units is None else "asymptotic",
    )


def _melded(n01: IntArray, n10: IntArray, n: int, delta: float) -> Interval[FloatArray]:
    """Fay and Lumbard's interval of each pair."""
    size = np.full(len(n01), float(n))
    return melded(n01.astype(float), n10.astype(float), size, delta=delta)


def _robust(
    wrong: NDArray[np.bool_], a: IntArray, b: IntArray, units: Groups, delta: float
) -> tuple[FloatArray, Interval[FloatArray]]:
    """P-value and interval of each pair by the cluster-robust t; pair by pair, to save memory."""
    rows = wrong.astype(float)
    found = [mean_difference(rows[i] - rows[j], units, delta) for i, j in zip(a, b, strict=True)]
    pvalue = np.array([p for p, _ in found])
    return pvalue, Interval(*np.array([ends for _, ends in found]).T)


def _mistakes(
    y_true: ArrayLike, predictions: Mapping[str, ArrayLike]
) -> dict[str, NDArray[np.bool_]]:
    """Return where each classifier is wrong, by its name."""
    mapping = hasattr(predictions, "items") and hasattr(predictions, "keys")
    if not mapping or isinstance(predictions, type):
        raise TypeError(
            "predictions must be a mapping of names to predicted labels, got "
            f"{checks.show(predictions)}"
        )
    given = dict(predictions.items())
    for name in given:
        if not isinstance(name, str):
            raise TypeError(f"predictions must have names that are texts, got {checks.show(name)}")
    if len(given) < 2:
        raise ValueError(
            f"predictions must hold at least 2 classifiers, got {len(given)}; for one take "
            "errlab.report"
        )
    aligned({"y_true": y_true, **given})
    wrong = {}
    for name, pred in given.items():
        shown = checks.visible(name)
        if shown in wrong:
            raise ValueError(f"predictions must have names that differ, got {shown} twice")
        wrong[shown] = checks.mistakes(y_true, pred, f"predictions[{name!r}]")
    return wrong


def _which(names: list[str], baseline: str | None) -> tuple[IntArray, IntArray]:
    """Return the places of both sides of every pair that is compared."""
    if baseline is None:
        a, b = np.triu_indices(len(names), 1)
        return a.astype(np.int64), b.astype(np.int64)
    base = names.index(baseline)
    others = np.array([i for i in range(len(names)) if i != base], dtype=np.int64)
    return others, np.full(len(others), base, dtype=np.int64)


def _only(wrong: NDArray[np.bool_]) -> IntArray:
    """Count for each pair (i, j) the cases that i got wrong and j right."""
    table = wrong.astype(np.float64)  # exact up to 2**53 cases, and quick
    both = table @ table.T
    return np.asarray(np.rint(table.sum(axis=1)[:, None] - both), dtype=np.int64)


def _closure(better: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Add what follows: better than one that is better than a third."""
    found = better.copy()
    for i in range(len(found)):
        found |= found[:, i, None] & found[i]
    return found


def _together(names: list[str], a: IntArray, b: IntArray) -> tuple[tuple[str, ...], ...]:
    """Return the largest sets of which no pair is told apart, in the order of the names."""
    near: dict[int, set[int]] = {i: set() for i in range(len(names))}
    for i, j in zip(a.tolist(), b.tolist(), strict=True):
        near[i].add(j)
        near[j].add(i)
    found: list[list[int]] = []

    def grow(members: set[int], open_to: set[int], done: set[int]) -> None:
        """Bron and Kerbosch (1973), with a pivot."""
        if not open_to and not done:
            found.append(sorted(members))
            return
        pivot = max(open_to | done, key=lambda i: len(near[i] & open_to))
        for i in sorted(open_to - near[pivot]):
            grow(members | {i}, open_to & near[i], done & near[i])
            open_to = open_to - {i}
            done = done | {i}

    grow(set(), set(near), set())
    return tuple(tuple(names[i] for i in s) for s in sorted(found) if len(s) > 1)


def _plain_rows(*columns: ArrayLike) -> list[tuple[Any, ...]]:
    """Return the rows of some columns, as Python's own numbers."""
    lists = [list(c) if isinstance(c, list) else np.asarray(c).tolist() for c in columns]
    return list(zip(*lists, strict=True))


def _listed(names: tuple[str, ...]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}"


@styled
def _plot(found: Models, *, ax: Axes | None = None) -> Axes:
    """Draw the rates, and a line beside those not told apart.

    Parameters
    ----------
    found : Models
        What `models` returned.
    """
    ax = new_axes(ax, figsize=(4.8, 1.9 + 0.42 * len(found.models)))
    place = {model.name: row for row, model in enumerate(found.models)}
    rates: FloatArray = np.array([model.rate for model in found.models])
    low = np.array([model.low for model in found.models])
    high = np.array([model.high for model in found.models])
    rows = np.arange(len(rates))
    sure = words.sure(found.delta)
    ax.hlines(rows, low, high, color=BLUE, lw=2.5, label=f"{sure} interval of each rate")
    ax.plot(rates, rows, "o", color="0.2", label="error rate on the test")
    left = float(low.min())
    right = float(high.max())
    step = 0.05 * max(right - left, 1e-3)
    for number, names in enumerate(found.together):
        inside = [place[name] for name in names]
        ax.plot(
            [right + (number + 1) * step] * len(inside), inside, "s-", color=VERMILION, lw=2, ms=5,
            label=None if number else "not told apart",
        )  # fmt: skip
    ax.set(
        xlim=(max(left - step, -0.01), right + (len(found.together) + 2) * step),
        ylim=(len(rates) - 0.4, -0.6),
        xlabel="error rate",
        title=f"{len(rates)} classifiers on {found.n} cases",
    )
    ax.set_yticks(rows, [model.name for model in found.models])
    ax.legend(loc="upper left", bbox_to_anchor=(0, 0), borderaxespad=4)  # below the label
    return ax
