"""What may be claimed of scores, and of cases that come in groups."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from errlab import metrics
from errlab._core import rounding as words
from errlab._core.checks import FloatArray
from errlab._core.interval import Guarantee
from errlab._core.scale import Scale
from errlab._core.statement import Statement, earned
from errlab._numerics.groups import ALIKE, FEW, Groups, caution, described
from errlab.compare._means import (
    BETS,
    BETTING,
    BETTING_GROUPS,
    ORDER,
    counted,
    difference_claim,
    mean_claim,
)
from errlab.metrics.groups import design_effect_of
from errlab.statements.report._conditions import CONDITIONS
from errlab.statements.report._pair import pair
from errlab.statements.report._two import OfTwo

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HEAD = "{count} in [{low}, {high}]: a mean of {mean}{over}."
OVER = " over the groups, of {cases} over the cases"
RATE = "{errors} in {cases}: an error rate of {mean}."
SUCCESSES = "{successes} in {cases}: a success rate of {mean}."
IN_GROUPS = "The cases come in {groups}{effect}."
EFFECT = (
    "; the design effect{what} is {effect}, so that they tell about as much as {size} independent "
    "cases"
)
NO_EFFECT = "; they are all equal, so that no design effect can be seen"
BOUND = "With {sure} confidence the true {what} is at {most} {bound} ({how}; {guarantee})."
ENDS = "The two-sided {sure} interval is {low} to {high}."
AT_END = "The mean is an end of it: the bets, in the order that was drawn, rule out even more."
PROVEN = (
    "The mean over groups, where each group counts alike, is {mean}; proven for every number of "
    "groups{price}: with {sure} confidence the true one is at {most} {bound}, and the "
    "two-sided interval is {low} to {high} (betting on the group means, read in a random order; "
    "finite sample)."
)
PRICE = ", which costs width"
APART = (
    "Mind which mean you ask for: over the cases it is {mean}, over the groups, where each counts "
    "alike, {other}, and what is claimed of one does not hold for the other."
)
WIDER = ", and wider for it than method='t'"
CASES = CONDITIONS[0]
GROUPS = (
    "the groups are independent draws from the population that the claim is about; cases of one "
    "group may resemble each other"
)
USED = CONDITIONS[1]
ALONE = CONDITIONS[-1]


@dataclass(frozen=True, repr=False)
class MeanReport(Statement):
    """The claim about a mean score, or about an error rate of cases in groups.

    It prints as text, shows as HTML and plots as a picture. All numbers are on the scale of the
    scores; a rate is in [0, 1].

    Attributes
    ----------
    mean : float
        Mean score on the test: of 0 and 1 the success rate. Of labels the error rate. Where each
        group counts alike, the mean over groups.
    n : int
        Cases tested.
    delta : float
        Probability that a claim may fail.
    bound : float
        One-sided bound on the bad side: a lower one for scores, an upper one for errors.
    low, high : float
        Two-sided interval.
    guarantee : str
        What is proven of `bound`, `low` and `high`.
    method : str
        Where they come from, in words.
    scale : Scale
        Range of the scores, and which end is good.
    groups : int or None
        Number of groups, where cases come in groups.
    effective_groups, largest_group : float or None
        How many groups of one size would weigh as much; share of the cases in the largest.
    design_effect : float or None
        How many times the variance is that of as many independent cases.
    group_mean : float or None
        Mean over groups, where each counts alike.
    proven : tuple of float or None
        Bound and both ends for that mean, which are proven for every number of groups; None where
        they are `bound`, `low` and `high`.
    case_mean : float or None
        Mean over cases, where `mean` is that over groups.
    """

    mean: float
    n: int
    delta: float
    bound: float
    low: float
    high: float
    guarantee: Guarantee
    method: str
    scale: Scale
    groups: int | None = None
    effective_groups: float | None = None
    largest_group: float | None = None
    design_effect: float | None = None
    group_mean: float | None = None
    proven: tuple[float, float, float] | None = None
    case_mean: float | None = None

    def _gaps(self, mean: float, bound: float, low: float, high: float) -> dict[str, str]:
        """Return what fills the gaps of the sentences, rounded outward."""
        places = self.scale.places(high - low)
        least = self.scale.higher_is_better
        return {
            "sure": words.sure(self.delta),
            "what": self.scale.what,
            "most": "least" if least else "most",
            "bound": self.scale.show(bound, places, "down" if least else "up"),
            "low": self.scale.show(low, places, "down"),
            "high": self.scale.show(high, places, "up"),
            "mean": self.scale.show(mean, places),
        }

    def sentences(self) -> list[str]:
        """Return the claim, sentence by sentence."""
        gaps = self._gaps(self.mean, self.bound, self.low, self.high)
        claim = BOUND.format(**gaps, how=self.method, guarantee=_promised(self, self, "bound"))
        return [
            *self._apart(gaps["mean"]),
            self._first(gaps["mean"]),
            *of_groups(self, self.design_effect, "", self.guarantee == "asymptotic"),
            claim,
            ENDS.format(**gaps),
            *self._at_end(),
            *self._proven(),
        ]

    def _first(self, mean: str) -> str:
        """Return what was seen."""
        if not self.scale.rate:
            ends = {"low": f"{self.scale.low:g}", "high": f"{self.scale.high:g}"}
            over = ""
            if self.case_mean is not None:
                places = self.scale.places(self.high - self.low)
                over = OVER.format(cases=self.scale.show(self.case_mean, places))
            return HEAD.format(count=words.count(self.n, "score"), mean=mean, over=over, **ends)
        ones = round(self.mean * self.n)
        cases = words.count(self.n, "test case")
        successes = f"{ones} success{'' if ones == 1 else 'es'}"
        sentence = SUCCESSES if self.scale.higher_is_better else RATE
        return sentence.format(
            errors=words.errors(ones), successes=successes, cases=cases, mean=mean
        )

    def _apart(self, mean: str) -> list[str]:
        """Say first where the mean over cases and that over groups are not the same thing."""
        if self.proven is None or self.group_mean is None:
            return []
        if self.low <= self.group_mean <= self.high and between(self.mean, *self.proven[1:]):
            return []
        gaps = self._gaps(self.group_mean, *self.proven)
        return [APART.format(mean=mean, other=gaps["mean"])]

    def _at_end(self) -> list[str]:
        """Say why the mean is an end of its interval, where it is one inside of the range."""
        room = 1e-12 * self.scale.span
        inside = self.scale.low + room < self.mean < self.scale.high - room
        if self.method not in (BETTING, BETTING_GROUPS) or not inside:
            return []
        return [AT_END] if min(self.mean - self.low, self.high - self.mean) < room else []

    def _proven(self) -> list[str]:
        if self.proven is None or self.group_mean is None:
            return []
        _, low, high = self.proven
        price = PRICE if high - low > self.high - self.low else ""
        return [PROVEN.format(**self._gaps(self.group_mean, *self.proven), price=price)]

    def conditions(self) -> list[str]:
        """Return the conditions under which the claims hold."""
        bets = self.proven is not None or self.method in (BETTING, BETTING_GROUPS)
        order = [ORDER] if bets else []
        return [CASES if self.groups is None else GROUPS, USED, *order, ALONE]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the mean with its interval, and the proven one; return the Axes."""
        from errlab.statements.report._plot import plot_mean

        return plot_mean(self, ax=ax)


def _promised(claim: MeanReport | MeanPairReport, one: MeanReport, kind: str) -> str:
    """Say what is proven of a claim and for how many of what, or what was measured of it."""
    sized = (one.effective_groups, "effective groups") if one.effective_groups else (one.n, "cases")
    said = earned(claim.guarantee, claim.method, *sized, kind=kind, delta=claim.delta)
    if claim.guarantee == "finite sample":
        units = "groups, which count alike" if one.groups else "cases"
        said += f": proven for every number of {units}"
    return said + (WIDER if claim.method in (BETTING, BETTING_GROUPS, BETS) else "")


def of_groups(report: MeanReport, effect: float | None, what: str, rough: bool) -> list[str]:
    """Return the sentences about the groups: how many, how unequal, and what they tell.

    `rough` says whether something is claimed for many groups only; see `caution`.
    """
    if report.groups is None or not report.effective_groups or not report.largest_group:
        return []
    said = NO_EFFECT
    if effect is not None:
        size = f"{report.n / max(effect, 1.0):.0f}"
        shown = f"{effect:.1f}" if effect < 10 else f"{effect:.0f}"
        # estimated from a few groups it would pass for a fact
        few = report.effective_groups < FEW
        said = "" if few else EFFECT.format(what=what, effect=shown, size=size)
    groups = described(report.groups, report.effective_groups, report.largest_group)
    warning = caution(report.effective_groups) if rough else []
    alike = [ALIKE] if report.case_mean is not None else []
    return [IN_GROUPS.format(groups=groups, effect=said), *warning, *alike]


def mean_report(
    losses: FloatArray,
    delta: float,
    scale: Scale,
    units: Groups | None,
    seed: np.random.SeedSequence,
    method: str = "proven",
) -> MeanReport:
    """Return the report of losses in [0, 1], on the scale of the scores that they come from."""
    values, within = counted(losses, scale.rate, units, method)
    claim = mean_claim(values, delta, rate=scale.rate, units=within, seed=seed, method=method)
    mean = scale.score(float(values.mean()))
    low, high = scale.ends(claim.low, claim.high)
    report = MeanReport(
        mean,
        len(losses),
        delta,
        scale.score(claim.upper),
        min(low, mean),  # it is there already, but for rounding
        max(high, mean),
        claim.guarantee,
        claim.method if units is within else BETTING_GROUPS,
        scale,
    )
    if units is None:
        return report
    means = metrics.group_means(losses, groups=units)
    proven = None
    if claim.guarantee != "finite sample":  # else it has been said
        bets = mean_claim(means, delta, rate=False, units=None, seed=seed)
        proven = (scale.score(bets.upper), *scale.ends(bets.low, bets.high))
    return replace(
        report,
        groups=units.number,
        effective_groups=units.effective,
        largest_group=float(units.shares.max()),
        design_effect=design_effect_of(units.spread(losses)),
        group_mean=scale.score(float(means.mean())),
        proven=proven,
        case_mean=None if units is within else scale.score(float(losses.mean())),
    )


def between(value: float, low: float, high: float) -> bool:
    """Whether a value is in an interval, or beside it by its rounding error."""
    room = 1e-12 * max(abs(low), abs(high), abs(value))
    return low - room <= value <= high + room


ONE = "{name}: {what} {mean}; with {sure} confidence the true one is at {most} {bound}."
BOUNDS = "The two bounds hold each by itself ({how}; {guarantee})."
DIFFERENCE = (
    "{what} of {first} minus that of {second}: {difference}{unit}, {sure} interval {low} to {high} "
    "({how}; {guarantee})."
)
PAIR_PROVEN = (
    "Of the mean over groups, where each group counts alike, it is {difference}{unit}; proven for "
    "every number of groups{price}: {low} to {high}{unit} (betting on the group means "
    "of the differences, read in a random order; finite sample)."
)
PAIR_EXACT = (
    "exact McNemar test of {n10} cases on which only the first is right and {n01} on which only "
    "the second is, {chance}; interval by Fay and Lumbard, its coverage computed, not proven"
)
CLAIMS = (
    "the test set was used for this report alone; the two bounds and the comparison are three "
    "claims, each by itself"
)
CHOSEN = "the pair was chosen before the test, not as the best of many"


@dataclass(frozen=True, repr=False)
class MeanPairReport(OfTwo):
    """The claim about two mean scores on the same cases, or two error rates of cases in groups.

    Attributes
    ----------
    a, b : MeanReport
        What may be claimed of each by itself.
    difference : float
        A minus B, of what is printed: of scores the mean score of A minus that of B, of labels the
        error rate of A minus that of B.
    low, high : float
        Two-sided interval of it; the verdict is that of this interval.
    pvalue : float
        Of the same test: by betting 2 over the largest capital against no difference.
    delta : float
        Level of the test; probability that a claim may fail.
    names : tuple of str
        What the two are called.
    margin : float or None
        By how much B may be worse and still do, on the scale of the scores.
    guarantee, interval_guarantee : str
        What is proven of the level of the test, and of the coverage of the interval.
    method : str
        Where they come from, in words.
    design_effect : float or None
        How many times the variance of the difference is that of as many independent cases.
    group_difference : float or None
        Mean over groups of the difference, where each counts alike.
    proven : tuple of float or None
        Interval for that, which is proven for every number of groups.
    n01, n10 : int or None
        Of independent cases with scores of 0 and 1: those that A alone got wrong, and B alone.
    """

    a: MeanReport
    b: MeanReport
    difference: float
    low: float
    high: float
    pvalue: float
    delta: float
    names: tuple[str, str]
    margin: float | None
    guarantee: Guarantee
    interval_guarantee: Guarantee
    method: str
    design_effect: float | None = None
    group_difference: float | None = None
    proven: tuple[float, float] | None = None
    n01: int | None = None
    n10: int | None = None

    @property
    def _gain(self) -> tuple[float, float]:
        if self.a.scale.higher_is_better:
            return -self.high, -self.low
        return self.low, self.high

    def _margin(self) -> str:
        return super()._margin() if self.a.scale.rate else f"{self.margin:.6g}"

    def _shown(self, difference: float, low: float, high: float) -> dict[str, str]:
        """Return a difference and its interval in words, rounded outward."""
        scale = self.a.scale
        places = scale.places(high - low)
        return {
            "difference": scale.show_difference(difference, places),
            "low": scale.show_difference(low, places, "down"),
            "high": scale.show_difference(high, places, "up"),
            "unit": " percentage points" if scale.rate else "",
        }

    def sentences(self) -> list[str]:
        """Return the claim, sentence by sentence; the answer comes first."""
        scale = self.a.scale
        rough = [one for one in (self.a, self.b) if one.guarantee == "asymptotic"]
        bounds = [
            BOUNDS.format(how=one.method, guarantee=_promised(one, one, "bound"))
            for one in rough[:1]
        ]
        how = self.method.format(chance=words.chance(self.pvalue, self.delta))
        what = scale.what.capitalize() + {"error": " rate", "mean": " score"}.get(scale.what, "")
        gaps = self._shown(self.difference, self.low, self.high)
        said = [
            self.reading,
            *(self._of_one(n, r) for n, r in zip(self.names, (self.a, self.b), strict=True)),
            *bounds,
            *of_groups(
                self.a,
                self.design_effect,
                " of the difference",
                bool(rough) or self.guarantee == "asymptotic",
            ),
            DIFFERENCE.format(
                **gaps,
                what=what,
                first=self.names[0],
                second=self.names[1],
                sure=words.sure(self.delta),
                how=how,
                guarantee=_promised(self, self.a, "interval"),
            ),
        ]
        if self.proven is None or self.group_difference is None:
            return said
        other = self._shown(self.group_difference, *self.proven)
        low, high = self.proven
        price = PRICE if high - low > self.high - self.low else ""
        said.append(PAIR_PROVEN.format(**other, price=price))
        if between(self.group_difference, self.low, self.high) and between(
            self.difference, *self.proven
        ):
            return said
        apart = {
            key: f"{g['difference']}{g['unit']}" for key, g in (("mean", gaps), ("other", other))
        }
        return [APART.format(**apart).replace("which mean", "which difference"), *said]

    def _of_one(self, name: str, report: MeanReport) -> str:
        gaps = report._gaps(report.mean, report.bound, report.low, report.high)
        what = {"error": "error rate"}.get(report.scale.what, report.scale.what)
        return ONE.format(**{**gaps, "name": name, "what": what})

    def conditions(self) -> list[str]:
        """Return the conditions under which the claims hold, and count the claims."""
        first, used, *order, _ = self.a.conditions()
        margin = ["the margin was chosen before the test"] if self.margin is not None else []
        return [first, used, *order, CLAIMS, CHOSEN, *margin]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the difference with its interval, and the proven one; return the Axes."""
        from errlab.statements.report._plot import plot_mean_pair

        return plot_mean_pair(self, ax=ax)


def mean_pair(
    losses_a: FloatArray,
    losses_b: FloatArray,
    delta: float,
    names: tuple[str, str],
    margin: float | None,
    scale: Scale,
    units: Groups | None,
    seed: np.random.SeedSequence,
    method: str = "proven",
) -> MeanPairReport:
    """Return the report of two from the losses of each on the same cases."""
    a, b = (mean_report(x, delta, scale, units, seed, method) for x in (losses_a, losses_b))
    gain = losses_a - losses_b
    values, within = counted(gain, scale.rate, units, method)
    turn = -scale.span if scale.higher_is_better else scale.span  # from losses to scores

    def ends(low: float, high: float) -> tuple[float, float]:
        first, last = sorted((turn * low, turn * high))
        return first + 0.0, last + 0.0  # no -0.0

    report = partial(
        MeanPairReport, a, b, turn * float(values.mean()) + 0.0,
        delta=delta, names=names, margin=margin,
    )  # fmt: skip
    if units is None and scale.rate:
        wrong = losses_a > 0, losses_b > 0
        test = pair(*wrong, delta, names)
        how = PAIR_EXACT.format(n01=test.n01, n10=test.n10, chance="{chance}")
        return report(
            *ends(test.low, test.high), test.pvalue, guarantee=test.guarantee,
            interval_guarantee=test.interval_guarantee, method=how, n01=test.n01, n10=test.n10,
        )  # fmt: skip
    found = difference_claim(values, delta, units=within, seed=seed, method=method)
    report = partial(
        report, *ends(found.low, found.high), found.pvalue, guarantee=found.guarantee,
        interval_guarantee=found.guarantee, design_effect=found.design_effect,
        method=found.method if found.method == BETS else f"{found.method}, {{chance}}",
    )  # fmt: skip
    if units is None:
        return report(design_effect=None)
    if within is None:
        return report(
            design_effect=design_effect_of(units.spread(gain)),
            group_difference=turn * float(values.mean()) + 0.0,
        )
    means = metrics.group_means(gain, groups=units)
    proven = None
    if found.guarantee != "finite sample":
        bets = difference_claim(means, delta, units=None, seed=seed)
        proven = ends(bets.low, bets.high)
    return report(group_difference=turn * float(means.mean()) + 0.0, proven=proven)
