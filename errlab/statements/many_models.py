"""Many models on the same examples: their rates or mean scores, all pairs, and ranks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks, rounding, tables
from errlab._core.checks import FloatArray, Seed
from errlab._core.evidence import Evidence, evidence, method_key
from errlab._core.interval import Guarantee
from errlab._core.public import public
from errlab._core.statement import Statement
from errlab._numerics.groups import caution, described, grouped
from errlab.compare._holm import holm, pairs_of
from errlab.compare._score import BoolArray
from errlab.statements import mean_claims
from errlab.statements.loss_table import LossTable, of_labels, of_long, of_scores
from errlab.statements.mean_claims import MCNEMAR, Claim, difference_claim
from errlab.statements.scale import Scale
from errlab.style import BLUE, VERMILION, new_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHOWN = 10  # number of pairs that are printed; further ones are only counted
_OF_HOLM = (
    "proven if no difference is shown the wrong way round, which Bonferroni's adjustment rules out "
    "at that level and Holm's is not known to"
)
_BY_STEPS = "shown by Holm's steps, not by this interval"
# Intervals for one mean, by the method that compares pairs.
_OF_MEAN = {
    mean_claims.T_TEST.key: mean_claims.T,
    mean_claims.BETS.key: mean_claims.BETTING,
    mean_claims.BETS_GROUPS.key: mean_claims.BETTING_GROUPS,
}


class RatedModel(NamedTuple):
    """One model: its error rate, success rate or mean score, and its possible ranks.

    Rank 1 is the best. `errors` is a count for labels, and None for scores. `low` and `high` are an
    interval for this estimate alone; `first` and `last` are valid for all ranks together.
    """

    name: str
    errors: int | None
    n: int
    estimate: float
    low: float
    high: float
    first: int
    last: int

    @property
    def counted(self) -> int:
        """What the rate counts: errors or successes."""
        return round(self.estimate * self.n)

    @property
    def rank(self) -> str:
        """The possible ranks, in words."""
        return f"{self.first} to {self.last}" if self.last > self.first else str(self.first)


class RatedPair(NamedTuple):
    """Two models: the estimate of `a` minus that of `b`, with its interval and p-values.

    `n01` counts the examples that only `a` gets wrong, `n10` those that only `b` gets wrong; they
    are None for graded scores. `pvalue` is that of the pair alone: the interval excludes 0 if, and
    only if, it is at most `pair_delta`. `adjusted` is to be compared with `delta`: Holm's steps may
    show a difference whose interval still contains 0.
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
    """Several models on one test set. It prints as two lines and shows as HTML.

    Attributes
    ----------
    models : tuple of RatedModel
        The models, the best first.
    pairs : tuple of RatedPair
        The pairs that were compared, in the order of the models.
    together : tuple of tuple of str
        Models that can't be told apart: the largest sets in which no pair is shown to differ.
    n : int
        Test examples.
    baseline : str or None
        The model with which all others were compared.
    adjust : str
        How the p-values of the pairs are adjusted for their number.
    delta : float
        Probability of one or more false differences; and probability that the interval of a single
        rate fails.
    pair_delta : float
        `delta` divided by the number of pairs: each pair's interval fails with at most this
        probability, so all of them contain the true difference with probability ``1 - delta``.
    scale : Scale
        Range of the scores, and which end is good; for labels the error rate.
    method : str
        The method that compares pairs.
    guarantee : str
        What is proven about all differences that are shown, together.
    interval_guarantee : str
        What is proven about the intervals of the pairs. The coverage of Fay and Lumbard's was
        computed, but isn't proven.
    groups : int or None
        Number of groups, if groups were given.
    effective_groups, largest_group : float or None
        Number of groups of the same size with the same precision; fraction of the examples in the
        largest group.
    max_group_size : int or None
        Largest possible size of a group, on which the proof depends.
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
    scale: Scale
    method: str
    guarantee: Guarantee
    interval_guarantee: Guarantee
    groups: int | None = None
    effective_groups: float | None = None
    largest_group: float | None = None
    max_group_size: int | None = None

    def _rows(self) -> dict[str, tuple[RatedModel, ...] | tuple[RatedPair, ...]]:
        """Return the rows of both tables."""
        return {"models": self.models, "pairs": self.pairs}

    @property
    def _noun(self) -> str:
        """The noun for what is compared: classifiers by labels, models by scores."""
        return "models" if self.models[0].errors is None else "classifiers"

    @property
    def different(self) -> tuple[RatedPair, ...]:
        """The pairs that are shown to differ."""
        return tuple(pair for pair in self.pairs if pair.adjusted <= self.delta)

    def warnings(self) -> list[str]:
        """Return cautions: intervals with low coverage, and too few groups."""
        warnings = list(filter(None, [self._joint_evidence().weakness]))
        if self.effective_groups and self.guarantee == "asymptotic":
            warnings += caution(self.effective_groups)
        return warnings

    def sentences(self) -> list[str]:
        """Return the best model, the verdict on the pairs, and each model's result."""
        cases = rounding.count(self.n, "example")
        groups = []
        if self.groups and self.effective_groups and self.largest_group:
            cases += f" in {self.groups} groups"
            size = described(self.groups, self.effective_groups, self.largest_group)
            groups = [f"The examples come in {size}."]
        # no interval for the best of several, because after selection it would fail too often
        best, *rest = self.models
        level = ", ".join(model.name for model in rest if model.estimate == best.estimate)
        return [
            *self.warnings(),
            f"{len(self.models)} {self._noun} on the same {cases}; the best is "
            f"{self._model_sentence(best, level and f' (level with {level})')}",
            f"{self._verdict()} ({self.method}, {self.adjust.capitalize()}; "
            f"guarantee: {self.guarantee}).",
            *groups,
            *(
                self._model_sentence(model, f" ({self._format_estimate(model)[1]})")
                for model in self.models
            ),
            *self._tie_sentences(),
            *self._pair_sentences(),
            self._guarantee_sentences(),
        ]

    def _verdict(self) -> str:
        """Say how many pairs are shown to differ."""
        n_different = len(self.different)
        level = f"to differ at level {self.delta:g}"
        if len(self.pairs) == 1:
            return f"They are {'' if n_different else 'not '}shown {level}"
        pairs = f"{len(self.pairs)} pairs"
        if self.baseline is not None:
            pairs += f" against {self.baseline}"
        verb = "is" if n_different == 1 else "are"
        return f"Of {pairs} {n_different or 'none'} {verb} shown {level} for all of them together"

    def _model_sentence(self, model: RatedModel, beside: str) -> str:
        """Return a model's name, result and ranks as text."""
        value, _ = self._format_estimate(model)
        mean = f"a mean of {value}"
        if self.scale.rate:
            mean = f"{model.counted} {self._counted(model.counted)} in {model.n}, {value}"
        return f"{model.name}: {mean}{beside}, rank {model.rank}."

    def _tie_sentences(self) -> list[str]:
        """Say which models can't be told apart."""
        if self.together:
            sets = [f"{', '.join(names)} and {last}" for *names, last in self.together]
            return [f"Not told apart: {'; '.join(sets)}."]
        if self.baseline is None:
            return ["All pairs are shown to differ."]
        return []

    def _pair_sentences(self) -> list[str]:
        """Return a sentence for each pair, or the place of the table if there are many."""
        if len(self.pairs) > _SHOWN:
            return [f"The {len(self.pairs)} differences are in .pairs and .to_frame('pairs')."]
        unit = " points" if self.scale.rate else ""
        sentences = []
        for pair in self.pairs:
            gap, ends = self._format_estimate(pair)
            pvalue = rounding.format_pvalue(pair.adjusted, self.delta)
            steps = f" ({_BY_STEPS})" if self._differs_by_steps(pair) else ""
            sentence = f"{pair.a} minus {pair.b}: {gap}{unit}, {ends}, adjusted {pvalue}{steps}."
            sentences.append(sentence)
        return sentences

    def _differs_by_steps(self, pair: RatedPair) -> bool:
        """Whether Holm's method shows a difference whose own interval contains 0."""
        return pair.adjusted <= self.delta and pair.low <= 0 <= pair.high

    def _joint_evidence(self) -> Evidence:
        """Return the evidence for the intervals of all pairs together."""
        return self._measured(f"{method_key(self.method)} of all pairs", "all intervals")

    def _measured(self, method: str, kind: str = "interval") -> Evidence:
        """Return the evidence for intervals of one kind."""
        size, unit = float(self.n), "examples"
        if self.effective_groups:
            size, unit = self.effective_groups, "effective groups"
        return evidence(self.interval_guarantee, method, size, unit, kind=kind, delta=self.delta)

    def _guarantee_sentences(self) -> str:
        """Return the sentence with the guarantee or measured coverage of each kind of claim."""
        of_pair = "Fay and Lumbard; its coverage is computed, not proven"
        of_one = ""
        if method_key(self.method) != MCNEMAR.key:
            pairs = self._joint_evidence()
            measured = pairs.brief if pairs.weakness else pairs.words
            of_pair = f"{self.method}; {measured}"
            of_groups = mean_claims.KORN if self.scale.rate else mean_claims.ROBUST
            of_one = f" ({self._measured(_OF_MEAN.get(method_key(self.method), of_groups)).words})"
        of_ranks = " (asymptotic)" if self.guarantee == "asymptotic" else ""
        sure = rounding.format_confidence(self.delta)
        if self.adjust == "holm" and len(self.pairs) > 1 and not of_ranks:
            of_ranks = f" ({_OF_HOLM})"
        return (
            f"The interval of each {self._mean} holds by itself with {sure} confidence{of_one}, "
            "but less often for the one that came out best; that of each difference with "
            f"{rounding.format_confidence(self.pair_delta)} ({of_pair}); the ranks "
            f"hold together with {sure}{of_ranks}."
        )

    @property
    def _mean(self) -> str:
        """What is estimated for each model."""
        return "rate" if self.scale.rate else "mean"

    def _counted(self, number: int = 0) -> str:
        """Return a number of errors or successes, with its noun."""
        noun, ending = ("success", "es") if self.scale.higher_is_better else ("error", "s")
        return noun if number == 1 else noun + ending

    def conditions(self) -> list[str]:
        """Return the conditions under which the claims hold."""
        draws = "the groups, not their examples," if self.groups else "the examples"
        conditions = [
            f"{draws} are independent draws from the population that the claim is about",
            f"none of them was used to train, tune or choose a {self._noun[:-1]}",
            f"the list of {self._noun} was fixed before the test",
        ]
        if method_key(self.method) == mean_claims.BETS_GROUPS.key:
            met, groups = (self.largest_group or 0.0) * self.n, self.groups or 1
            max_size = self.max_group_size or 0
            conditions.insert(1, mean_claims.largest_condition(max_size, met, groups, self.delta))
        elif self.groups is None and self.max_group_size == 1:
            conditions.insert(1, mean_claims.one_case_condition(self.n, self.delta))
        if method_key(self.method) == mean_claims.AGREE.key:
            conditions.insert(1, mean_claims.ONE_SIZE)
        if method_key(self.method) == mean_claims.BETS.key:
            conditions.append(mean_claims.ORDER)
        return conditions

    def _cells(self, table: str) -> tables.Columns:
        """Return the columns of a table as formatted text."""
        values, ends = zip(*map(self._format_estimate, self._rows()[table]), strict=True)
        rate = self.scale.rate
        if table == "pairs":
            pvalues = []
            for pair in self.pairs:
                pvalue = rounding.format_pvalue(pair.adjusted, self.delta)
                pvalue = pvalue.removeprefix("p ").removeprefix("= ")
                pvalues.append(f"{pvalue}, {_BY_STEPS}" if self._differs_by_steps(pair) else pvalue)
            return {
                "pair": [f"{pair.a} minus {pair.b}" for pair in self.pairs],
                "difference (points)" if rate else "difference": values,
                f"{rounding.format_confidence(self.pair_delta)} interval": ends,
                f"p ({self.adjust.capitalize()})": pvalues,
            }
        counts = {self._counted(): [f"{model.counted} of {model.n}" for model in self.models]}
        return {
            "model": [model.name for model in self.models],
            **(counts if rate else {}),  # no column of counts for mean scores
            self.scale.name: values,
            f"{rounding.format_confidence(self.delta)} interval": ends,
            "rank": [model.rank for model in self.models],
        }

    def _format_estimate(self, row: RatedModel | RatedPair) -> tuple[str, str]:
        """Format a number and its interval, rounded outward."""
        show: Callable[..., str]
        if isinstance(row, RatedModel):
            value, places, show = row.estimate, None, self.scale.show
        else:
            value, places, show = row.difference, 1, self.scale.show_difference
        if not self.scale.rate:
            places = self.scale.places(row.high - row.low)
        ends = f"{show(row.low, places, 'down')} to {show(row.high, places, 'up')}"
        return show(value, places), ends

    @styled
    def plot(self, ax: Axes | None = None) -> Axes:
        """Plot the rates or means with their intervals, and which models aren't told apart."""
        names = [model.name for model in self.models]
        estimates, low, high = np.array([[m.estimate, m.low, m.high] for m in self.models]).T
        scale = self.scale
        ax = new_axes(ax, figsize=(4.8, 1.9 + 0.42 * len(names)))
        rows = np.arange(len(names))
        label = f"{rounding.format_confidence(self.delta)} interval of each {self._mean}"
        ax.hlines(rows, low, high, color=BLUE, lw=2.5, label=label)
        ax.plot(estimates, rows, "o", color="0.2", label=f"{scale.name} on the test")
        # right of all intervals, draw a line beside each set of models that can't be told apart
        left, right = low.min(), high.max()
        step = 0.05 * max(right - left, 1e-3 * scale.span)
        label = "not told apart"
        for number, alike in enumerate(self.together, start=1):
            at = [names.index(name) for name in alike]
            x = np.full(len(at), right + number * step)
            ax.plot(x, at, "s-", color=VERMILION, lw=2, ms=5, label=label)
            label = "_nolegend_"
        start = max(left - step, scale.low - 0.01 * scale.span)
        ax.set(
            xlim=(start, right + (len(self.together) + 2) * step),
            ylim=(len(names) - 0.4, -0.6),
            xlabel=scale.name,
            title=f"{len(names)} {self._noun} on {self.n} examples",
        )
        ax.set_yticks(rows, names)
        ax.legend(loc="upper left", bbox_to_anchor=(0, 0), borderaxespad=4)  # below the axis label
        return ax


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
    max_group_size: int | None = None,
    adjust: str = "holm",
    delta: float = 0.05,
    rng: Seed = 0,
) -> Models:
    r"""Compare several models on the same test examples: rates or mean scores, pairs and ranks.

    Give true labels and predictions; or the scores of each model, 0 and 1 or graded. Scores may be
    a wide table, ``models(scores=table)``, or a long one with a row for each model and example,
    ``models(table, model="model", case="item", score="score")``.

    Pairs of models are compared by the exact McNemar test for labels and for scores of 0 and 1, and
    by betting or a t test for graded scores and for examples in groups. Holm's adjustment limits
    the probability of one or more false differences to `delta`, whatever the dependence:

    .. math:: \tilde p_{(i)} = \min\big(1, \max_{j \le i} (m - j + 1)\, p_{(j)}\big)

    The interval of each pair belongs to its test (for McNemar's test it is Fay and Lumbard's) and
    has the level :math:`\delta / m`, so that all intervals are valid together. Holm's steps are
    more powerful than these intervals: a difference may be shown although its interval contains 0,
    and then the result says so. The interval can't be shortened to exclude 0, because Holm tests
    the last of m pairs at :math:`\delta`, not at :math:`\delta / m`.

    A model's rank is at least 1 plus the number of models shown to be better, and at most k minus
    the number of models shown to be worse. This needs the direction of each difference. With
    Bonferroni's adjustment, all ranks are proven to be right together with probability :math:`1 -
    \delta`. With Holm's it is only proven that no pair of equal models is shown to differ; for
    dependent tests, as here, it isn't proven that no difference is shown in the wrong direction.
    Our simulations found no violation.

    Parameters
    ----------
    y_true : array_like, shape (n,), or a long table
        True labels. With `model`, `case` and `score`: a frame of pandas, polars or pyarrow, or a
        mapping of names to columns.
    predictions : mapping of str to array_like, shape (n,)
        The predicted labels of at least two classifiers, by name; or a frame with a column for
        each.
    scores : mapping of str to array_like, shape (n,)
        In place of labels: the scores of each model, by name; or a frame with a column for each.
    model, case, score, group : str, optional
        Names of the columns of a long table; each model has one score for each example.
    range : tuple of float, optional
        The smallest and the largest possible score, such as ``(1, 5)``. If all scores are 0 or 1,
        it isn't needed: their mean is a success rate.
    higher_is_better : bool
        Whether the largest score is good; False if scores are losses.
    method : {"proven", "t"}
        For graded scores, and for examples in groups. "proven": betting, proven for every number of
        examples or groups. "t": Student's t, cluster-robust for groups, which gives narrower
        intervals but is proven only for many examples or groups.
    baseline : str, optional
        The name of the model with which all others are compared; by default all pairs are compared.
    groups : array_like, shape (n,), optional
        The group of each example, such as its patient. The groups are then the independent units,
        and intervals are by betting (`metrics.grouped_betting`).
    max_group_size : int, optional
        The largest possible size of a group in the population; by default that of the largest group
        here.
    adjust : {"holm", "bonferroni"}
        How p-values are adjusted for the number m of pairs. Bonferroni multiplies each by m.
    delta : float
        Probability of one or more false differences, in (0, 1).
    rng : seed, Generator or None
        Draws the order in which betting reads the scores; fixed by default.

    Returns
    -------
    Models
        Text when printed; ``.models``, ``.pairs``, ``.together``, ``.to_dict()``, ``.to_frame()``,
        ``.to_markdown()``, ``.to_latex()``, ``.plot()``. A difference is always A minus B: of error
        rates for labels, of mean scores for scores.

    Raises
    ------
    ValueError
        If there are fewer than two models, the lengths differ, a label or score is missing or
        occurs twice, the baseline isn't one of the names, a score is outside of the range, or
        predictions are scores or share no label with `y_true`.
    TypeError
        If `predictions` or `scores` isn't a mapping, a name isn't a string, or strings are compared
        with numbers.

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
    level = checks.one_level(delta)
    checks.choice(adjust, "adjust", ("holm", "bonferroni"))
    checks.choice(method, "method", ("proven", "t"))
    better = checks.flag(higher_is_better, "higher_is_better")
    roles: dict[str, object] = {"model": model, "case": case, "score": score}
    if group is not None:
        roles["group"] = group
    if any(name is not None for name in roles.values()):
        if any(part is not None for part in (predictions, scores, groups)):
            raise ValueError(
                "give a long table by itself, as in models(table, model=..., case=..., score=...); "
                "its groups are a column, group=..."
            )
        table = of_long(y_true, roles, range, better)
    elif scores is not None:
        if y_true is not None or predictions is not None:
            raise ValueError("give scores by themselves, not with y_true or predictions")
        table = of_scores(scores, groups, range, better)
    elif y_true is None or predictions is None:
        raise ValueError("models needs y_true and predictions, or scores, or a long table")
    elif range is not None or not better or (method != "proven" and groups is None):
        raise ValueError(
            "range and higher_is_better are for scores, method for scores and groups: give them"
        )
    else:
        table = of_labels(cast("ArrayLike", y_true), predictions, groups)
    units = None
    if table.groups is None:
        checks.require(max_group_size is None, "max_group_size", "come with groups", max_group_size)
    else:
        units = grouped(table.groups, table.losses.shape[1], max_group_size=max_group_size)
        if units.max_size == 1:  # groups of size one are the same as no groups
            units = None
    options: dict[str, Any] = {"units": units, "seed": checks.one_seed(rng), "method": method}
    if isinstance(baseline, str):
        baseline = checks.visible(baseline)
    # best first; a stable sort keeps ties in the given order
    order = np.argsort(table.losses.sum(axis=1), kind="stable")
    names = [table.names[i] for i in order]
    table = table._replace(names=names, losses=table.losses[order])
    result = _models_from_losses(table, baseline, adjust, level, options)
    if table.groups is not None and units is None:
        return replace(result, max_group_size=1)
    return result


def _models_from_losses(
    table: LossTable, baseline: str | None, adjust: str, delta: float, options: dict[str, Any]
) -> Models:
    """Compare the losses of a table, and return the results on the scale of its scores."""
    k, n = table.losses.shape
    pairs = pairs_of(table.names, baseline)
    # Bonferroni: all intervals are valid at once with probability 1 - delta
    pair_delta = delta / len(pairs)
    tests, facts = _pair_claims(table, pairs, pair_delta, options)
    pvalues = np.array([test.pvalue for test in tests])
    adjusted = np.minimum(len(pairs) * pvalues, 1.0)
    if adjust == "holm":
        adjusted = holm(pvalues)
    rated = []
    # models x models: which model is shown to be better than which, and which are compared
    wins, compared = np.zeros((2, k, k), dtype=bool)
    for (a, b), test, pvalue in zip(pairs, tests, adjusted.tolist(), strict=True):
        rated.append(_rated_pair(table, a, b, test, pvalue))
        compared[a, b] = compared[b, a] = True
        wins[a, b] = pvalue <= delta and test.estimate < 0
        wins[b, a] = pvalue <= delta and test.estimate > 0
    # Holm may show a > b and b > c, but not a > c, which they imply: add it (Warshall's algorithm).
    for i in np.arange(k):
        wins |= wins[:, i, None] & wins[i]
    return Models(
        models=_rated_models(table, wins, delta, options),
        pairs=tuple(rated),
        together=_undecided_sets(table.names, compared & ~(wins | wins.T)),
        n=n,
        baseline=baseline,
        adjust=adjust,
        delta=delta,
        pair_delta=pair_delta,
        scale=table.scale,
        **facts,
    )


def _pair_claims(
    table: LossTable, pairs: list[tuple[int, int]], delta: float, options: dict[str, Any]
) -> tuple[list[Claim], dict[str, Any]]:
    """Return the claim about each pair, a minus b, and the fields of `Models` about the test."""
    losses = table.losses
    n = losses.shape[1]
    units = options["units"]
    if table.scale.rate and units is None:
        counts = [
            (_count_only_first_wrong(losses, a, b), _count_only_first_wrong(losses, b, a))
            for a, b in pairs
        ]
        facts = {"method": MCNEMAR, "guarantee": "exact", "interval_guarantee": "none proven"}
        return mean_claims.count_differences(counts, n, delta), facts
    if n == 1 and units is None and options["method"] == "t":
        raise ValueError('method "t" needs at least 2 scores, got 1')
    method, level = mean_claims.TESTS[options["method"], units is not None]
    facts = {"method": method, "guarantee": level, "interval_guarantee": level}
    if units is not None:
        facts |= units.facts
    claims = [difference_claim(losses[a] - losses[b], delta, **options) for a, b in pairs]
    # if methods or guarantees differ between pairs, state the weakest
    labels = {(method_key(claim.method), claim.guarantee) for claim in claims}
    if len(labels) == 1:
        first = claims[0]
        facts["method"] = first.method
        facts["guarantee"] = facts["interval_guarantee"] = first.guarantee
    return claims, facts


def _count_only_first_wrong(losses: FloatArray, a: int, b: int) -> int:
    """Count the examples that a gets wrong and b gets right."""
    return int((losses[a] > losses[b]).sum())


def _rated_pair(table: LossTable, a: int, b: int, test: Claim, pvalue: float) -> RatedPair:
    """Return a pair on the scale of the scores, with its interval and adjusted p-value."""
    scale = table.scale
    low, high = scale.difference_ends(test.low, test.high)
    return RatedPair(
        a=table.names[a],
        b=table.names[b],
        n01=_count_only_first_wrong(table.losses, a, b) if scale.rate else None,
        n10=_count_only_first_wrong(table.losses, b, a) if scale.rate else None,
        difference=scale.difference(test.estimate),
        low=low,
        high=high,
        pvalue=test.pvalue,
        adjusted=pvalue,
    )


def _rated_models(
    table: LossTable, wins: BoolArray, delta: float, options: dict[str, Any]
) -> tuple[RatedModel, ...]:
    """Return each model with its rate or mean score, and its possible ranks."""
    scale = table.scale
    k, n = table.losses.shape
    models = []
    for number, (name, losses) in enumerate(zip(table.names, table.losses, strict=True)):
        errors = int(losses.sum())
        estimate = scale.score(float(losses.mean()))
        if scale.rate:  # divide the count by n, so that 0.68 doesn't become 0.6799999
            estimate = round(n * estimate) / n
        claim = mean_claims.mean_claim(losses, delta, rate=scale.rate, **options)
        low, high = scale.ends(claim.low, claim.high)
        rated = RatedModel(
            name=name,
            errors=None if table.scored else errors,
            n=n,
            estimate=estimate,
            low=min(low, estimate),
            high=max(high, estimate),
            # better models come first; those that aren't shown to be worse might
            first=1 + int(wins[:, number].sum()),
            last=k - int(wins[number].sum()),
        )
        models.append(rated)
    return tuple(models)


def _undecided_sets(names: list[str], alike: BoolArray) -> tuple[tuple[str, ...], ...]:
    """Return the largest sets of models in which no two are shown to differ, in order of names."""
    largest = {frozenset[int]()}
    for i, row in enumerate(alike):
        # add model i to each set without the models that differ from it; drop sets contained in
        # others
        neighbours = frozenset(np.flatnonzero(row).tolist())
        grown = largest | {members & neighbours | {i} for members in largest}
        largest = {s for s in grown if not any(s < other for other in grown)}
    return tuple(tuple(names[i] for i in s) for s in sorted(map(sorted, largest)) if len(s) > 1)
