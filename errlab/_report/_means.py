"""What may be claimed of scores, and of cases that come in groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from errlab import _rounding as words
from errlab import bounds, compare, metrics
from errlab._checks import FloatArray
from errlab._interval import Guarantee, Interval
from errlab._report._conditions import CONDITIONS
from errlab._report._scale import Scale
from errlab._report._two import OfTwo
from errlab._statement import Statement

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

HEAD = "{count} in [{low}, {high}]: a mean of {mean}."
RATE = "{errors} in {cases}: an error rate of {mean}."
IN_GROUPS = "The cases come in {groups}; {effect}."
EFFECT = (
    "the design effect{what} is {effect}, so that they tell as much as {size} independent cases"
)
NO_EFFECT = "they are all equal, so that no design effect can be seen"
BOUND = "With {sure} confidence the true {what} is at {most} {bound} ({how}; {guarantee})."
ENDS = "The two-sided {sure} interval is {low} to {high}."
PROVEN = (
    "Proven for every number of groups, where each group counts alike: with {sure} confidence the "
    "true {what} is at {most} {bound}, and the two-sided interval is {low} to {high} (betting on "
    "the group means, read in a random order; finite sample)."
)
SAID = {
    "exact": "exact",
    "finite sample": "finite sample: proven for every number of cases",
    "asymptotic": "asymptotic: proven for many groups only",
    "none proven": "none proven",
}
BETTING = "betting bound, the cases read in a random order"
KORN = "one-sided bound of Korn and Graubard, Clopper-Pearson with the effective number of cases"
COPIES = "Clopper-Pearson bound that takes each group for one case"
ROBUST = "one-sided cluster-robust t bound"
HEAPS = "betting bound on the group means, which are all equal"
CASES = CONDITIONS[0]
GROUPS = (
    "the groups are independent draws from the population that the claim is about; cases of one "
    "group may resemble each other"
)
USED = CONDITIONS[1]
ORDER = "the order in which the scores are read was fixed beforehand, not chosen among several"
ALONE = CONDITIONS[-1]


class Claim(NamedTuple):
    """A one-sided bound and a two-sided interval, of losses."""

    upper: float
    low: float
    high: float


@dataclass(frozen=True, repr=False)
class MeanReport(Statement):
    """The claim about a mean score, or about an error rate of cases in groups.

    It prints as text, shows as HTML and plots as a picture. All numbers are on the scale of the
    scores; an error rate is in [0, 1].

    Attributes
    ----------
    mean : float
        Mean score on the test, or error rate.
    n : int
        Cases tested.
    delta : float
        Probability that a claim may fail.
    bound : float
        One-sided bound on the bad side: an upper one for an error rate.
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
    design_effect : float or None
        How many times the variance is that of as many independent cases.
    proven : tuple of float or None
        Bound and both ends that are proven for every number of groups, for the mean over groups.
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
    design_effect: float | None = None
    proven: tuple[float, float, float] | None = None

    @property
    def what(self) -> str:
        """What the claim is about, in words."""
        return "error" if self.scale.rate else "mean"

    def _gaps(self, bound: float, low: float, high: float) -> dict[str, str]:
        """Return what fills the gaps of the sentences, rounded outward."""
        places = self.scale.places(high - low)
        floor = self.scale.higher_is_better
        side = "down" if floor and not self.scale.rate else "up"
        return {
            "sure": words.sure(self.delta),
            "what": self.what,
            "most": "least" if side == "down" else "most",
            "bound": self.scale.show(bound, places, side),
            "low": self.scale.show(low, places, "down"),
            "high": self.scale.show(high, places, "up"),
            "mean": self.scale.show(self.mean, places),
        }

    def sentences(self) -> list[str]:
        """Return the claim, sentence by sentence."""
        gaps = self._gaps(self.bound, self.low, self.high)
        if self.scale.rate:
            errors = round(self.mean * self.n)
            cases = words.count(self.n, "test case")
            first = RATE.format(errors=words.errors(errors), cases=cases, mean=gaps["mean"])
        else:
            ends = {"low": f"{self.scale.low:g}", "high": f"{self.scale.high:g}"}
            first = HEAD.format(count=words.count(self.n, "score"), mean=gaps["mean"], **ends)
        said = BOUND.format(**gaps, how=self.method, guarantee=self._guaranteed())
        groups = of_groups(self.n, self.groups, self.design_effect)
        return [first, *groups, said, ENDS.format(**gaps), *self._proven()]

    def _guaranteed(self) -> str:
        text = SAID[self.guarantee]
        return text.replace("of cases", "of groups, which count alike") if self.groups else text

    def _proven(self) -> list[str]:
        return [] if self.proven is None else [PROVEN.format(**self._gaps(*self.proven))]

    def conditions(self) -> list[str]:
        """Return the conditions under which the claims hold."""
        bets = self.proven is not None or self.method in (BETTING, HEAPS)
        order = [ORDER] if bets else []
        return [CASES if self.groups is None else GROUPS, USED, *order, ALONE]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the mean with its interval, and the proven one; return the Axes."""
        from errlab._report._plot import plot_mean

        return plot_mean(self, ax=ax)


def of_groups(n: int, groups: int | None, effect: float | None, what: str = "") -> list[str]:
    """Return the sentence about the groups, where there are any."""
    if groups is None:
        return []
    said = NO_EFFECT
    if effect is not None:
        size = f"{n / max(effect, 1.0):.0f}"
        shown = f"{effect:.1f}" if effect < 10 else f"{effect:.0f}"
        said = EFFECT.format(what=what, effect=shown, size=size)
    return [IN_GROUPS.format(groups=words.count(groups, "group"), effect=said)]


def mean_report(
    losses: FloatArray,
    delta: float,
    scale: Scale,
    groups: ArrayLike | None,
    seed: np.random.SeedSequence,
) -> MeanReport:
    """Return the report of losses in [0, 1], on the scale of the scores that they come from."""
    if groups is None:
        claim = betting(losses, delta, seed)
        return _on_scale(losses, delta, scale, claim, "finite sample", BETTING)
    proven = betting(metrics.group_means(losses, groups=groups), delta, seed)
    kind = metrics.korn_graubard if scale.rate else metrics.grouped_t
    found = kind(losses, groups=groups, delta=delta)
    claim = Claim(found.upper, found.low, found.high)
    method = KORN if scale.rate else ROBUST
    if scale.rate and found.design_effect is None:
        method = COPIES
    flat = not scale.rate and found.standard_error == 0
    if flat:  # an interval of no length says nothing
        claim = proven
        method = HEAPS
    report = _on_scale(
        losses, delta, scale, claim, "finite sample" if flat else found.guarantee, method
    )
    ends = scale.ends(proven.low, proven.high)
    return MeanReport(
        **{
            **vars(report),
            "groups": found.groups,
            "design_effect": found.design_effect,
            "proven": None if flat else (scale.score(proven.upper), *ends),
        }
    )


def betting(losses: FloatArray, delta: float, seed: np.random.SeedSequence) -> Claim:
    """Return the betting bound and interval of losses, in one random order."""
    upper = bounds.upper("BET", losses=losses, delta=delta, rng=seed)
    low, high = bounds.interval("BET", losses=losses, delta=delta, rng=seed)
    return Claim(float(upper), float(low), float(high))


def _on_scale(
    losses: FloatArray, delta: float, scale: Scale, claim: Claim, guarantee: Guarantee, method: str
) -> MeanReport:
    """Return the report of a claim about losses, on the scale of the scores."""
    low, high = (min(max(end, 0.0), 1.0) for end in (claim.low, claim.high))
    return MeanReport(
        scale.score(float(losses.mean())),
        len(losses),
        delta,
        scale.score(min(claim.upper, 1.0)),
        *scale.ends(low, high),
        guarantee,
        method,
        scale,
    )


ONE = "{name}: {what} {mean}; with {sure} confidence the true one is at {most} {bound}."
DIFFERENCE = (
    "{what} of {first} minus that of {second}: {difference}{unit}, {sure} interval {low} to {high} "
    "({how}; {guarantee})."
)
PAIR_PROVEN = (
    "Proven for every number of groups, where each group counts alike: {low} to {high}{unit} "
    "(betting on the group means of the differences, read in a random order; finite sample)."
)
T_TEST = "cluster-robust t test, {chance}"
BETS = "betting on the differences, read in a random order"
FLAT = "betting on the group means of the differences, which are all equal"
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
        Positive where B is better: the score of B minus that of A where higher is better, the
        error or score of A minus that of B otherwise.
    low, high : float
        Two-sided interval of it; the verdict is that of this interval.
    pvalue : float or None
        Of the same test; None for betting.
    delta : float
        Level of the test; probability that a claim may fail.
    names : tuple of str
        What the two are called.
    margin : float or None
        By how much B may be worse and still do, on the scale of the scores.
    guarantee : str
        What is proven of the interval.
    method : str
        Where it comes from, in words.
    design_effect : float or None
        How many times the variance of the difference is that of as many independent cases.
    proven : tuple of float or None
        Interval that is proven for every number of groups, for the mean over groups.
    """

    a: MeanReport
    b: MeanReport
    difference: float
    low: float
    high: float
    pvalue: float | None
    delta: float
    names: tuple[str, str]
    margin: float | None
    guarantee: Guarantee
    method: str
    design_effect: float | None = None
    proven: tuple[float, float] | None = None

    def _margin(self) -> str:
        return super()._margin() if self.a.scale.rate else f"{self.margin:.6g}"

    def _show(self, value: float, width: float, way: str = "near") -> str:
        if self.a.scale.rate:
            return words.points(value, words.digits(0.0, width), way)
        return words.points(value / 100, words.digits(0.0, width / 100), way)

    def sentences(self) -> list[str]:
        """Return the claim, sentence by sentence; the answer comes first."""
        scale = self.a.scale
        width = self.high - self.low
        names = self.names[::-1] if scale.higher_is_better and not scale.rate else self.names
        unit = " percentage points" if scale.rate else ""
        how = self.method
        if self.pvalue is not None:
            how = how.format(chance=words.chance(self.pvalue, self.delta))
        guarantee = SAID[self.guarantee]
        if self.a.groups:
            guarantee = guarantee.replace("of cases", "of groups, which count alike")
        said = [
            self.reading,
            *(self._of_one(n, r) for n, r in zip(self.names, (self.a, self.b), strict=True)),
            *of_groups(self.a.n, self.a.groups, self.design_effect, " of the difference"),
            DIFFERENCE.format(
                what="Error rate" if scale.rate else "Mean score",
                first=names[0],
                second=names[1],
                difference=self._show(self.difference, width),
                unit=unit,
                sure=words.sure(self.delta),
                low=self._show(self.low, width, "down"),
                high=self._show(self.high, width, "up"),
                how=how,
                guarantee=guarantee,
            ),
        ]
        if self.proven is not None:
            low, high = self.proven
            ends = self._show(low, high - low, "down"), self._show(high, high - low, "up")
            said.append(PAIR_PROVEN.format(low=ends[0], high=ends[1], unit=unit))
        return said

    def _of_one(self, name: str, report: MeanReport) -> str:
        gaps = report._gaps(report.bound, report.low, report.high)
        what = "error rate" if report.scale.rate else "mean"
        return ONE.format(**{**gaps, "name": name, "what": what})

    def conditions(self) -> list[str]:
        """Return the conditions under which the claims hold, and count the claims."""
        first, used, *order, _ = self.a.conditions()
        margin = ["the margin was chosen before the test"] if self.margin is not None else []
        return [first, used, *order, CLAIMS, CHOSEN, *margin]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the difference with its interval, and the proven one; return the Axes."""
        from errlab._report._plot import plot_mean_pair

        return plot_mean_pair(self, ax=ax)


def mean_pair(
    losses_a: FloatArray,
    losses_b: FloatArray,
    delta: float,
    names: tuple[str, str],
    margin: float | None,
    scale: Scale,
    groups: ArrayLike | None,
    seed: np.random.SeedSequence,
) -> MeanPairReport:
    """Return the report of two from the losses of each on the same cases."""
    both = [mean_report(x, delta, scale, groups, seed) for x in (losses_a, losses_b)]
    gain = losses_a - losses_b
    span = scale.span
    if groups is None:
        low, high = _of_differences(gain, delta, seed)
        found: tuple[float, float, float | None] = low, high, None
        guarantee: Guarantee = "finite sample"
        method = BETS
        proven = None
        effect = None
    else:
        effect = metrics.grouped_t(gain, groups=groups).design_effect
        means = metrics.group_means(gain, groups=groups)
        proven = _of_differences(means, delta, seed)
        test = compare.grouped_difference(losses_a, losses_b, groups=groups, delta=delta)
        ends = cast(Interval, test.interval)
        found = float(ends.low), float(ends.high), float(test.pvalue)
        guarantee = "asymptotic"
        method = T_TEST
        if ends.low == ends.high:  # an interval of no length says nothing
            found = (*proven, None)
            guarantee = "finite sample"
            method = FLAT
            proven = None
    return MeanPairReport(
        both[0],
        both[1],
        span * float(gain.mean()),
        span * max(found[0], -1.0),
        span * min(found[1], 1.0),
        found[2],
        delta,
        names,
        margin,
        guarantee,
        method,
        effect,
        None if proven is None else (span * proven[0], span * proven[1]),
    )


def _of_differences(
    gain: FloatArray, delta: float, seed: np.random.SeedSequence
) -> tuple[float, float]:
    """Return the betting interval of differences in [-1, 1]."""
    claim = betting((1 + np.clip(gain, -1, 1)) / 2, delta, seed)
    low = 2 * claim.low - 1
    high = 2 * claim.high - 1
    # a difference of 0 stands at one half, where rounding of the ends decides nothing
    return (0.0 if abs(low) < 1e-15 else low), (0.0 if abs(high) < 1e-15 else high)
