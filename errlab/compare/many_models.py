"""Many models on the same cases: each rate or mean score, every pair, and which ranks are shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks, tables
from errlab._core import rounding as words
from errlab._core.checks import FloatArray, IntArray, Seed
from errlab._core.interval import Interval
from errlab._core.public import public
from errlab._core.scale import Scale
from errlab._core.statement import Statement, earned
from errlab._numerics.groups import ALIKE, Groups, caution, described, grouped
from errlab._style import BLUE, VERMILION, new_axes, styled
from errlab.compare import _means
from errlab.compare._board import Board, of_labels, of_long, of_scores
from errlab.compare._means import MCNEMAR
from errlab.compare._melded import melded
from errlab.compare._result import Guarantee, settle
from errlab.compare.mcnemar_tables import mcnemar
from errlab.compare.several import holm

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Models", "RatedModel", "RatedPair", "models"]

ADJUST = ("holm", "bonferroni")
_SHOWN = 10  # pairs that are printed; of more, only how many differ
ROBUST = "cluster-robust t"
# What the interval of one mean is, where the pairs are compared by these.
_OF_MEAN = {MCNEMAR: _means.EXACT, _means.T_TEST: _means.T, _means.BETS: _means.BETTING}
_OF_RATE_IN_GROUPS = "Korn and Graubard"


class RatedModel(NamedTuple):
    """One model: its error rate, success rate or mean score, and the ranks that are left to it.

    Rank 1 is the best. `errors` counts where labels came in, and is None where scores did. `low`
    and `high` hold for this estimate by itself, `first` and `last` for all ranks together.
    """

    name: str
    errors: int | None
    n: int
    estimate: float
    low: float
    high: float
    first: int
    last: int


class RatedPair(NamedTuple):
    """Two models: the estimate of `a` minus that of `b`, with its interval and p-values.

    `n01` counts the cases that `a` alone got wrong, `n10` those that `b` alone did; they are None
    for graded scores. `adjusted` is the p-value to compare with `delta`; the interval excludes 0
    if, and only if, it is at most that.
    """

    a: str
    b: str
    n01: int | None
    n10: int | None
    difference: float
    low: float
    high: float
    pvalue: float
    adjusted: float


@dataclass(frozen=True, repr=False)
class Models(Statement):
    """What one test set shows of several models. It prints as text and shows as HTML.

    Attributes
    ----------
    models : tuple of RatedModel
        The models, the best first.
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
    scale : Scale
        Range of the scores, and which end is good; of labels the error rate.
    method : str
        How the pairs were compared.
    guarantee : str
        What is proven of the differences that are shown, all of them together.
    interval_guarantee : str
        What is proven of the intervals of the pairs. Those of Fay and Lumbard have a coverage
        that is computed and not proven.
    groups : int or None
        Groups that the cases come in, where they were given.
    effective_groups, largest_group : float or None
        How many groups of one size would weigh as much; share of the cases in the largest.
    """

    _between: ClassVar[str] = "<br>"
    _tables: ClassVar[tuple[str, ...]] = ("models", "pairs")

    models: tuple[RatedModel, ...]
    pairs: tuple[RatedPair, ...]
    together: tuple[tuple[str, ...], ...]
    n: int
    baseline: str | None
    adjust: str
    delta: float
    pair_delta: float
    scale: Scale
    method: str = MCNEMAR
    guarantee: Guarantee = "exact"
    interval_guarantee: Guarantee = "none proven"
    groups: int | None = None
    effective_groups: float | None = None
    largest_group: float | None = None

    @property
    def _noun(self) -> str:
        """What is compared: classifiers by their labels, models by their scores."""
        return "classifiers" if self.models[0].errors is not None else "models"

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
        cases = words.count(self.n, "case") + (f" in {self.groups} groups" if self.groups else "")
        return [
            f"{len(self.models)} {self._noun} on the same {cases}. {verdict} to differ {level} "
            f"({_short(self.method)}, {self.adjust.capitalize()}).",
            *self._of_groups(),
            *map(self._of_one, self.models),
            *self._of_ties(),
            *self._of_pairs(),
            self._of_guarantees(),
        ]

    def _of_groups(self) -> list[str]:
        """Return the sentences about the groups: how many, how unequal, and if they are few."""
        if self.groups is None or not self.effective_groups or not self.largest_group:
            return []
        said = described(self.groups, self.effective_groups, self.largest_group)
        alike = self.method == _means.BETS
        return [
            f"The cases come in {said}.",
            *([ALIKE] if alike else caution(self.effective_groups)),
        ]

    @property
    def _what(self) -> str:
        return "rate" if self.scale.rate else "mean"

    def _of_guarantees(self) -> str:
        """Return the sentence about what is proven, or was measured, of each claim."""
        sized: tuple[float, str] = (self.n, "cases")
        of_one = _OF_MEAN.get(self.method, "")
        source = "Fay and Lumbard; its coverage is computed, not proven"
        kind = self.interval_guarantee
        if self.method == ROBUST and self.effective_groups:
            sized = (self.effective_groups, "effective groups")
            of_one = _OF_RATE_IN_GROUPS if self.scale.rate else _means.ROBUST
        if self.method != MCNEMAR:
            all_pairs = f"{self.method} of all pairs"
            said = earned(kind, all_pairs, *sized, kind="all intervals", delta=self.delta)
            source = f"{self.method}; {said}"
        proven = ""
        if kind != "none proven":
            proven = f" ({earned(kind, of_one, *sized, delta=self.delta)})"
        of_ranks = " (asymptotic)" if kind == "asymptotic" else ""
        sure, of_pair = words.sure(self.delta), words.sure(self.pair_delta)
        return (
            f"The interval of each {self._what} holds by itself with {sure} confidence{proven}, "
            f"that of each difference with {of_pair} ({source}); the ranks hold together with "
            f"{sure}{of_ranks}."
        )

    def _of_one(self, model: RatedModel) -> str:
        """Return the sentence of one model: what it scored, its interval and rank."""
        ranks = f"rank {model.first}"
        if model.last > model.first:
            ranks = f"rank {model.first} to {model.last}"
        seen = "a mean of "
        if self.scale.rate:
            counted = f" {self._counted}" if model.errors is None else ""
            seen = f"{_ones(model)}{counted} in {model.n}, "
        ends = self._ends_of(model)
        return f"{model.name}: {seen}{self._shown(model, model.estimate)} ({ends}), {ranks}."

    @property
    def _counted(self) -> str:
        """What a rate counts."""
        return "successes" if self.scale.higher_is_better else "errors"

    def _shown(self, model: RatedModel, value: float, way: str = "near") -> str:
        """Give a rate in percent, a mean score with the digits that its interval deserves."""
        places = None if self.scale.rate else self.scale.places(model.high - model.low)
        return self.scale.show(value, places, way)

    def _ends_of(self, model: RatedModel) -> str:
        low, high = self._shown(model, model.low, "down"), self._shown(model, model.high, "up")
        return f"{low} to {high}"

    def _of_ties(self) -> list[str]:
        if not self.together:
            return ["Each is told from each other."] if self.baseline is None else []
        sets = "; ".join(_listed(names) for names in self.together)
        return [f"Not told apart: {sets}."]

    def _of_pairs(self) -> list[str]:
        """Return a sentence a pair, or where the pairs are, if there are many."""
        if len(self.pairs) > _SHOWN:
            return [f"The {len(self.pairs)} differences are in .pairs and .to_frame('pairs')."]
        unit = " points" if self.scale.rate else ""
        return [
            f"{pair.a} minus {pair.b}: {self._apart(pair, pair.difference)}{unit}, "
            f"{self._apart(pair, pair.low, 'down')} to {self._apart(pair, pair.high, 'up')}, "
            f"adjusted {words.chance(pair.adjusted, self.delta)}."
            for pair in self.pairs
        ]

    def _apart(self, pair: RatedPair, value: float, way: str = "near") -> str:
        """Give a difference with its sign: of rates in points."""
        places = 1 if self.scale.rate else self.scale.places(pair.high - pair.low)
        return self.scale.show_difference(value, places, way)

    def conditions(self) -> list[str]:
        """Return the conditions under which that holds."""
        draws = "the cases are independent draws"
        if self.groups:
            draws = "the groups, not their cases, are independent draws"
        one = self._noun.removesuffix("s")
        return [
            f"{draws} from the population that the claim is about",
            f"none of them was used to train, tune or choose a {one}",
            f"the list of {self._noun} was fixed before the test",
            *([_means.ORDER] if self.method == _means.BETS else []),
        ]

    def _cells(self, table: str) -> tables.Columns:
        """Return the columns of a table as they are read."""
        rate = self.scale.rate
        if table == "models":
            models = self.models
            counted = {self._counted: [f"{_ones(m)} of {m.n}" for m in models]} if rate else {}
            return {
                "model": [m.name for m in models],
                **counted,
                self.scale.name: [self._shown(m, m.estimate) for m in models],
                f"{words.sure(self.delta)} interval": [self._ends_of(m) for m in models],
                "rank": [f"{m.first} to {m.last}" if m.last > m.first else m.first for m in models],
            }
        pairs = self.pairs
        return {
            "pair": [f"{p.a} minus {p.b}" for p in pairs],
            f"difference{' (points)' if rate else ''}": [
                self._apart(p, p.difference) for p in pairs
            ],
            f"{words.sure(self.pair_delta)} interval": [
                f"{self._apart(p, p.low, 'down')} to {self._apart(p, p.high, 'up')}" for p in pairs
            ],
            f"p ({self.adjust.capitalize()})": [
                words.chance(p.adjusted, self.delta).removeprefix("p = ").removeprefix("p ")
                for p in pairs
            ],
        }

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw each rate or mean with its interval, and a line beside those not told apart."""
        return _plot(self, ax=ax)


@public
def models(
    y_true: object = None,
    predictions: object = None,
    *,
    scores: object = None,
    model: str | None = None,
    case: str | None = None,
    score: str | None = None,
    group: str | None = None,
    range: ArrayLike | None = None,
    higher_is_better: bool = True,
    method: str = "proven",
    baseline: str | None = None,
    groups: ArrayLike | None = None,
    adjust: str = "holm",
    delta: float = 0.05,
    rng: Seed = 0,
) -> Models:
    r"""Compare several models on the same test cases: rates or mean scores, pairs, and ranks.

    Give true labels and predictions; or the scores of each model, 0 and 1 or graded, as a wide
    table, ``models(scores=table)``, or as a long one, ``models(table, model="model", case="item",
    score="score")``, with one row for each model and case.

    Each pair of labels, or of scores of 0 and 1, is compared by the exact McNemar test; graded
    scores are bet upon, or compared by the t test. Holm's adjustment keeps the probability of one
    or more differences that are none at `delta`, whatever the dependence:

    .. math:: \tilde p_{(i)} = \min\big(1, \max_{j \le i} (m - j + 1)\, p_{(j)}\big)

    The interval of each pair is that of its test (for McNemar's, of Fay and Lumbard) at level
    :math:`\delta / m`, so that all of them hold at once. Where Holm shows a difference that this
    interval would leave open, its end is moved to 0: adjusted p-value and interval never contradict
    each other. A model's rank is at least 1 plus the number of models that are shown to be better,
    and at most k less the number of those shown to be worse.

    Parameters
    ----------
    y_true : array_like, shape (n,), or a long table
        True labels. With `model`, `case` and `score`: a frame of pandas, polars or pyarrow, or a
        mapping of names to columns.
    predictions : mapping of str to array_like, shape (n,)
        The predicted labels of each classifier by its name, at least two; or a frame with a
        column for each.
    scores : mapping of str to array_like, shape (n,)
        In place of labels: the scores of each model by its name; or a frame.
    model, case, score, group : str, optional
        Names of the columns of a long table; each model has one score for each case.
    range : tuple of float, optional
        The smallest and the largest score that there can be, such as ``(1, 5)``. Scores that are
        all 0 or 1 need none: their mean is a success rate.
    higher_is_better : bool
        Whether the largest score is good; False where the scores are losses.
    method : {"proven", "t"}
        For graded scores: betting, proven for every number of cases, or of groups, which count
        alike; or Student's t, which is shorter, and proven for many only.
    baseline : str, optional
        The name of the one that all others are compared with; without it every pair is.
    groups : array_like, shape (n,), optional
        The group of each case, such as its patient. Then the groups are the units: rates have the
        interval of Korn and Graubard and their pairs the cluster-robust t, for many groups.
    adjust : {"holm", "bonferroni"}
        How p-values are adjusted for the number m of pairs. Bonferroni takes m times each.
    delta : float
        Probability that one or more of the differences that are shown is none, in (0, 1).
    rng : seed, Generator or None
        Draws the order in which betting reads the scores; a fixed one by default.

    Returns
    -------
    Models
        Text when printed; ``.models``, ``.pairs``, ``.together``, ``.to_dict()``, ``.to_frame()``,
        ``.to_markdown()``, ``.to_latex()``, ``.plot()``. A difference is always A minus B: of
        labels that of the error rates, of scores that of the mean scores.

    Raises
    ------
    ValueError
        If there are fewer than two models, the lengths differ, a label or a score is missing or
        comes twice, the baseline is none of the names, a score is outside the range, or
        predictions hold scores or entirely other labels.
    TypeError
        If `predictions` or `scores` is no mapping, a name is no text, or words are compared with
        numbers.

    References
    ----------
    Holm, Scandinavian Journal of Statistics 6 (1979), 65-70; Fay and Lumbard, Statistics in
    Medicine 40 (2021), 1147-1159; Waudby-Smith and Ramdas, Journal of the Royal Statistical
    Society B 86 (2024), 1-27, for graded scores.

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

    >>> marks = {"small": [3, 4, 2, 3] * 50, "large": [4, 5, 4, 3] * 50}
    >>> print(models(scores=marks, range=(1, 5)).to_markdown())
    | model | mean score | 95% interval | rank |
    | :--- | ---: | ---: | ---: |
    | large | 4.00 | 3.86 to 4.11 | 1 |
    | small | 3.00 | 2.86 to 3.11 | 2 |

    >>> table = {"model": ["a", "a", "b", "b"], "item": [1, 2, 1, 2], "right": [1, 0, 1, 1]}
    >>> [m.name for m in models(table, model="model", case="item", score="right").models]
    ['b', 'a']
    """
    level = checks.one_delta(delta)
    checks.choice(adjust, "adjust", ADJUST)
    way = checks.choice(method, "method", ("proven", "t"))
    long = {"model": model, "case": case, "score": score}
    better = checks.flag(higher_is_better, "higher_is_better")
    given = (predictions is not None, scores is not None)
    if any(name is not None for name in (*long.values(), group)):
        if any(given) or groups is not None:
            raise ValueError(
                "give a long table by itself, as in models(table, model=..., case=..., score=...); "
                "its groups are a column, group=..."
            )
        board = of_long(y_true, long | ({} if group is None else {"group": group}), range, better)
    elif scores is not None:
        if y_true is not None or any(given[:1]):
            raise ValueError("give scores by themselves, not with y_true or predictions")
        board = of_scores(scores, groups, range, better)
    elif y_true is None or predictions is None:
        raise ValueError("models needs y_true and predictions, or scores, or a long table")
    elif range is not None or not better or way != "proven":
        raise ValueError("range, higher_is_better and method are for scores: give scores")
    else:
        board = of_labels(cast("ArrayLike", y_true), predictions, groups)
    return _compared(board, baseline, adjust, level, way, checks.one_seed(rng))


def _compared(
    board: Board,
    baseline: str | None,
    adjust: str,
    delta: float,
    way: str,
    seed: np.random.SeedSequence,
) -> Models:
    """Compare the losses of a board, and say it on the scale of its scores."""
    scale = board.scale
    baseline = checks.visible(baseline) if isinstance(baseline, str) else baseline
    n = len(next(iter(board.losses.values())))
    units = None if board.groups is None else grouped(board.groups, n)
    if units is not None and units.number == n:  # groups of one case are cases
        units = None
    columns = {
        name: _means.counted(column, scale.rate, units, way)[0]
        for name, column in board.losses.items()
    }
    # the best first; the sort is stable, so that ties stay as they were given
    names = sorted(columns, key=lambda name: float(columns[name].sum()))
    if baseline is not None:
        checks.choice(baseline, "baseline", names)
    losses = np.array([columns[name] for name in names])
    k = len(names)
    # groups that count as one case each are the columns of `losses` already
    within = units if losses.shape[1] == n else None
    if way == "t" and units is None and not scale.rate and n == 1:
        raise ValueError('method "t" needs at least 2 scores, got 1')
    a, b = _which(names, baseline)
    # Bonferroni for the intervals: all of them hold at once with probability 1 - delta
    each = delta / len(a)
    # counts for each pair, whether or not the groups let them decide
    n01, n10 = _alone(losses, a, b) if scale.rate else (None, None)
    if n01 is not None and n10 is not None and units is None:
        test: str = MCNEMAR
        kinds: tuple[Guarantee, Guarantee] = ("exact", "none proven")
        gap = (n01 - n10) / n
        pvalue = np.atleast_1d(mcnemar(n01, n10).pvalue)
        size = np.full(len(a), float(n))
        low, high = melded(n01.astype(float), n10.astype(float), size, delta=each)
    else:
        options: dict[str, Any] = {"units": within, "seed": seed, "method": way}
        gains = [losses[i] - losses[j] for i, j in zip(a, b, strict=True)]
        found = [_means.difference_claim(gain, each, **options) for gain in gains]
        test = ROBUST if within is not None else _means.BETS if way == "proven" else _means.T_TEST
        kinds = ("finite sample",) * 2 if test == _means.BETS else ("asymptotic",) * 2
        gap = np.array([gain.mean() for gain in gains])
        low, high, pvalue = (np.array([claim[i] for claim in found]) for i in (0, 1, 2))
    # from here on: one entry for each pair, a against b
    adjusted = holm(pvalue) if adjust == "holm" else np.minimum(len(a) * pvalue, 1.0)
    shown = adjusted <= delta
    wins = np.zeros((k, k), dtype=bool)  # wins[i, j]: i is shown to be better than j
    wins[a, b] = shown & (gap < 0)
    wins[b, a] = shown & (gap > 0)
    # Holm may show a > b and b > c and stop short of a > c, which follows from the two
    wins = _closure(wins)
    undecided = ~(wins[a, b] | wins[b, a])
    # from losses to scores: a good score is a small loss, so that the ends change places
    turn = -scale.span if scale.higher_is_better else scale.span
    ends = (high, low) if scale.higher_is_better else (low, high)
    gap = turn * gap + 0.0  # no -0.0
    ends = settle(Interval(*(turn * end + 0.0 for end in ends)), adjusted, gap, delta)
    # as many are ahead as are shown to be better; all but those shown to be worse may be
    first = 1 + wins.sum(axis=0)
    last = k - wins.sum(axis=1)
    rated = [_of_one(row, board, n, delta, within, seed, way) for row in losses]
    rows = [
        RatedModel(name, *one, int(first[i]), int(last[i]))
        for i, (name, one) in enumerate(zip(names, rated, strict=True))
    ]
    none = [None] * len(a)
    counts = (none, none) if n01 is None or n10 is None else (n01, n10)
    pairs = ([names[i] for i in a], [names[i] for i in b], *counts, gap, *ends, pvalue, adjusted)
    return Models(
        tuple(rows),
        tuple(RatedPair(*row) for row in _plain_rows(*pairs)),
        _together(names, a[undecided], b[undecided]),
        n,
        baseline,
        adjust,
        delta,
        each,
        scale,
        test,
        *kinds,
        None if units is None else units.number,
        None if units is None else units.effective,
        None if units is None else float(units.shares.max()),
    )


def _of_one(
    losses: FloatArray,
    board: Board,
    n: int,
    delta: float,
    units: Groups | None,
    seed: np.random.SeedSequence,
    way: str,
) -> tuple[int | None, int, float, float, float]:
    """Return the errors, the n cases, the estimate and both ends of one model."""
    scale = board.scale
    errors = int(losses.sum())
    estimate = scale.score(float(losses.mean()))
    if scale.rate:  # from the count, so that 0.68 is not 0.6799999
        estimate = (n - errors if scale.higher_is_better else errors) / n
    claim = _means.mean_claim(losses, delta, rate=scale.rate, units=units, seed=seed, method=way)
    low, high = scale.ends(claim.low, claim.high)
    return None if board.scored else errors, n, estimate, min(low, estimate), max(high, estimate)


def _short(method: str) -> str:
    """Return a method without how it was carried out."""
    return method.split(",")[0]


def _ones(model: RatedModel) -> int:
    """Count what a rate is of: the errors, or the successes."""
    return round(model.estimate * model.n)


def _which(names: list[str], baseline: str | None) -> tuple[IntArray, IntArray]:
    """Return the places of both sides of every pair that is compared."""
    if baseline is None:
        a, b = np.triu_indices(len(names), 1)
        return a.astype(np.int64), b.astype(np.int64)
    base = names.index(baseline)
    others = np.array([i for i in range(len(names)) if i != base], dtype=np.int64)
    return others, np.full(len(others), base, dtype=np.int64)


def _alone(losses: FloatArray, a: IntArray, b: IntArray) -> tuple[IntArray, IntArray]:
    """Count for each pair the cases that only the one got wrong, and those that only the other."""
    # cases on which i and j are both wrong: the product of two columns of 0 and 1
    both = losses @ losses.T  # exact up to 2**53 cases, and quick
    only = np.rint(losses.sum(axis=1)[:, None] - both).astype(np.int64)
    return only[a, b], only[b, a]


def _closure(better: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Add what follows: better than one that is better than a third."""
    found = better.copy()
    # Warshall: whoever beats i also beats those that i beats
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
        # each maximal set holds the pivot or one that it is told from: only these branch
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
    rates: FloatArray = np.array([model.estimate for model in found.models])
    low = np.array([model.low for model in found.models])
    high = np.array([model.high for model in found.models])
    rows = np.arange(len(rates))
    sure = words.sure(found.delta)
    what = found.scale.name
    kind = "rate" if found.scale.rate else "mean"
    ax.hlines(rows, low, high, color=BLUE, lw=2.5, label=f"{sure} interval of each {kind}")
    ax.plot(rates, rows, "o", color="0.2", label=f"{what} on the test")
    left = float(low.min())
    right = float(high.max())
    step = 0.05 * max(right - left, 1e-3 * found.scale.span)
    for number, names in enumerate(found.together):
        inside = [place[name] for name in names]
        ax.plot(
            [right + (number + 1) * step] * len(inside), inside, "s-", color=VERMILION, lw=2, ms=5,
            label=None if number else "not told apart",
        )  # fmt: skip
    ax.set(
        xlim=(
            max(left - step, found.scale.low - 0.01 * found.scale.span),
            right + (len(found.together) + 2) * step,
        ),
        ylim=(len(rates) - 0.4, -0.6),
        xlabel=what,
        title=f"{len(rates)} {found._noun} on {found.n} cases",
    )
    ax.set_yticks(rows, [model.name for model in found.models])
    ax.legend(loc="upper left", bbox_to_anchor=(0, 0), borderaxespad=4)  # below the label
    return ax
