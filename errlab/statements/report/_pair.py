"""What a test of two on the same cases allows to claim, and the verdict on the second.

It is better, worse, not worse by more than a margin, or the test cannot tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from errlab import compare
from errlab._core import rounding as words
from errlab._core.checks import FloatArray
from errlab._core.interval import Guarantee, Interval
from errlab._core.statement import Statement
from errlab._numerics.groups import Groups
from errlab.compare import _means
from errlab.metrics.groups import design_effect_of
from errlab.statements.report import _single
from errlab.statements.report._single import Report, promised

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The book's pages fill the same sentences from the reader's own counts.
BETTER = "{better} is better than {worse} at level {level}."
NEITHER = "This test does not show that either is better."
TRUE = "with {sure} confidence its true {what} is at {most} {upper}."
ONE = "{name}: {errors} in {cases} ({rate}); " + TRUE
ONE_MEAN = "{name}: a mean of {rate}; " + TRUE
DISAGREE = (
    "They disagree in being right on {cases}: only {a} is wrong on {n01}, only {b} on {n10} "
    "(exact McNemar test, {chance})."
)
DIFFERENCE = (
    "{what} of {a} minus that of {b}: {difference}{unit}, {sure} interval {low} to {high} ({how})."
)
OF_MCNEMAR = "of the same test, by Fay and Lumbard; its coverage is computed, not proven"
PROVEN = (
    "Of the mean over groups, where each group counts alike, it is {difference}{unit}; proven for "
    "every number of groups{price}: {low} to {high}{unit} (betting on the group means "
    "of the differences, read in a random order; finite sample)."
)
CLAIMS = (
    "the test set was used for this report alone; the two bounds and the comparison are three "
    "claims, each by itself{together}"
)
TOGETHER = " (together they hold with at least {sure} confidence)"
CHOSEN = "the pair was chosen before the test, not as the best of many"


@dataclass(frozen=True, repr=False)
class PairReport(Statement):
    """The claim that a test of two allows, as text, HTML, JSON and picture.

    The verdict, the p-value and the interval come from one test: the interval excludes 0 if, and
    only if, the verdict names a better one.

    Attributes
    ----------
    a, b : Report
        What may be claimed of each by itself.
    difference : float
        A minus B: of labels the error rate of A minus that of B, positive where B is better; of
        scores the mean score of A minus that of B.
    low, high : float
        Two-sided interval of it.
    pvalue : float
        Of the same test, two-sided: the exact McNemar test of labels and of scores of 0 and 1; by
        betting 2 over the largest capital against no difference.
    delta : float
        Level of the test; probability that a claim may fail.
    names : tuple of str
        What the two are called.
    margin : float or None
        By how much B may be worse and still do, on the scale of the scores or of error rates.
    guarantee, interval_guarantee : str
        What is proven of the level of the test, and of the coverage of the interval.
    method : str
        Where they come from, in words.
    n01, n10 : int or None
        Of independent cases that are right or wrong: those that A alone got wrong, and B alone.
    design_effect : float or None
        How many times the variance of the difference is that of as many independent cases.
    group_difference : float or None
        Mean over groups of the difference, where each counts alike.
    proven : tuple of float or None
        Interval for that, which is proven for every number of groups.
    """

    a: Report
    b: Report
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
    n01: int | None = None
    n10: int | None = None
    design_effect: float | None = None
    group_difference: float | None = None
    proven: tuple[float, float] | None = None

    @property
    def estimate(self) -> float:
        """The difference."""
        return self.difference

    @property
    def n(self) -> int:
        """Cases tested."""
        return self.a.n

    @property
    def _gain(self) -> tuple[float, float]:
        """The interval for what B is better by."""
        if self.a.scale.higher_is_better:
            return -self.high, -self.low
        return self.low, self.high

    @property
    def verdict(self) -> Literal["better", "worse", "not worse", "cannot tell"]:
        """What is shown of B: "not worse" means by no more than the margin."""
        if self.pvalue <= self.delta:
            return "better" if sum(self._gain) > 0 else "worse"
        return "not worse" if self.within_margin else "cannot tell"

    @property
    def within_margin(self) -> bool:
        """Whether the whole interval has B worse by no more than the margin."""
        return self.margin is not None and self._gain[0] >= -self.margin

    @property
    def reading(self) -> str:
        """The answer in one sentence."""
        a, b = self.names
        level = f"{self.delta:g}"
        if self.verdict == "better":
            return BETTER.format(better=b, worse=a, level=level)
        if self.margin is None:
            if self.verdict == "worse":
                return BETTER.format(better=a, worse=b, level=level)
            return NEITHER
        # from here on the margin is part of the answer
        number = f"{100 * self.margin if self.a.scale.rate else self.margin:.6g}"
        unit = f" percentage point{'' if number == '1' else 's'}" if self.a.scale.rate else ""
        margin = f"the margin of {number}{unit}"
        if self.verdict == "worse":
            more = "no more than" if self.within_margin else "perhaps more than"
            if self._gain[1] < -self.margin:
                more = "more than"
            return f"{b} is worse than {a} at level {level}, by {more} {margin}."
        if self.verdict == "not worse":
            return f"{b} is not worse than {a} by more than {margin} at level {level}."
        return f"This test cannot tell whether {b} is worse than {a} by more than {margin}."

    def gaps(self, *numbers: float) -> dict[str, str]:
        """Fill the gaps of the sentences: a difference and its interval, rounded outward."""
        difference, low, high = numbers or (self.difference, self.low, self.high)
        scale = self.a.scale
        places = scale.places(high - low)
        unit = " percentage points" if scale.rate else ""
        shown = scale.show_difference(difference, places)
        return {
            "difference": shown,
            "low": scale.show_difference(low, places, "down"),
            "high": scale.show_difference(high, places, "up"),
            "unit": unit,
            "rate": shown + unit,
        }

    def sentences(self) -> list[str]:
        """Return the claim, sentence by sentence; the answer comes first."""
        both = dict(zip(self.names, (self.a, self.b), strict=True))
        a, b = both
        chance = words.chance(self.pvalue, self.delta)
        rough = [one for one in both.values() if one.guarantee == "asymptotic"]
        bounds = [f"{r.method}; {promised(r.guarantee, r.method, r, 'bound')}" for r in rough[:1]]
        many_only = bool(rough) or self.guarantee == "asymptotic"
        # a count of cases that only one gets wrong, where cases are independent and right or wrong
        disagree: list[str] = []
        if self.n01 is not None and self.n10 is not None:
            cases = words.count(self.n01 + self.n10, "case")
            counts = {"cases": cases, "n01": self.n01, "n10": self.n10}
            disagree = [DISAGREE.format(**counts, a=a, b=b, chance=chance)]
            how = OF_MCNEMAR
        else:
            test = self.method if self.method == _means.BETS else f"{self.method}, {chance}"
            how = f"{test}; {promised(self.guarantee, self.method, self.a, 'interval')}"
        apart, proven = _single.over_groups(self, "difference", self.group_difference, PROVEN)
        named = {"a": a, "b": b, "sure": words.sure(self.delta), "how": how}
        return [
            *apart,
            self.reading,
            *(self._of_one(name, report) for name, report in both.items()),
            *self.a.beside(),
            *(f"The two bounds hold each by itself ({how})." for how in bounds),
            *_single.of_groups(self.a, self.design_effect, " of the difference", many_only),
            *disagree,
            DIFFERENCE.format(**self.gaps(), **named, what=self.a.scale.name.capitalize()),
            *proven,
        ]

    def _of_one(self, name: str, report: Report) -> str:
        """Return the sentence about one of the two."""
        sentence = ONE_MEAN if report.errors is None else ONE
        cases = words.count(report.n, "case")
        return sentence.format(**report.gaps(), name=name, errors=report.seen, cases=cases)

    def conditions(self) -> list[str]:
        """Return the conditions under which the claims hold, and count the claims."""
        together = ""
        if self.guarantee == "exact" and 3 * self.delta < 1:
            together = TOGETHER.format(sure=words.sure(3 * self.delta))
        margin = ["the margin was chosen before the test"] if self.margin is not None else []
        return [*self.a.conditions()[:-1], CLAIMS.format(together=together), CHOSEN, *margin]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the difference with its interval, and the proven one; return the Axes."""
        from errlab.statements.report._plot import plot_pair

        return plot_pair(self, ax=ax)


def pair(
    a: Report,
    b: Report,
    gain: FloatArray,
    names: tuple[str, str] = ("A", "B"),
    margin: float | None = None,
    units: Groups | None = None,
    seed: np.random.SeedSequence | None = None,
    method: str = "proven",
) -> PairReport:
    """Return the report of two from that of each, and the losses of A minus those of B."""
    delta, scale = a.delta, a.scale
    turn = -scale.span if scale.higher_is_better else scale.span  # from losses to scores

    def ends(low: float, high: float) -> tuple[float, float]:
        # a gain in losses is a loss in scores: the ends change sides
        first, last = sorted((turn * low, turn * high))
        return first + 0.0, last + 0.0  # no -0.0

    seen: dict[str, Any] = {}
    values = gain
    if units is None and scale.rate:
        n01, n10 = int((gain > 0).sum()), int((gain < 0).sum())
        # on which both are wrong, or right, is no matter
        table = [[0, n01], [n10, a.n - n01 - n10]]
        test = compare.paired_difference(table, method="exact", delta=delta)
        low, high = cast(Interval, test.interval)  # there is a difference, and so an interval
        kinds = (test.guarantee, test.interval_guarantee or "none proven")
        pvalue, way = float(test.pvalue), _means.MCNEMAR
        seen = {"n01": n01, "n10": n10}
    else:
        values, within = _means.counted(gain, scale.rate, units, method)
        found = _means.difference_claim(values, delta, units=within, seed=seed, method=method)
        low, high, pvalue, kind, way = found
        kinds = (kind, kind)
    if units is not None:
        # beside a claim for many groups stands what bets on their means prove for any number
        means = units.sums(gain) / units.sizes
        if kinds[0] != "finite sample":  # else it has been said
            bets = _means.difference_claim(means, delta, units=None, seed=seed)
            seen["proven"] = ends(bets.low, bets.high)
        seen["design_effect"] = design_effect_of(units.spread(gain))
        seen["group_difference"] = turn * float(means.mean()) + 0.0
    return PairReport(
        a, b, turn * float(values.mean()) + 0.0, *ends(low, high), pvalue, delta, names, margin,
        *kinds, way, **seen,
    )  # fmt: skip
