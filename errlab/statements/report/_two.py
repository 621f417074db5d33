"""The report on two classifiers, from their errors or scores on the same examples.

The verdict is that the second is better, worse, or not worse by more than a margin, or that the
test can't tell.
"""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from errlab._core import rounding
from errlab._core.checks import FloatArray
from errlab._core.evidence import Evidence, method_key
from errlab._core.interval import Guarantee
from errlab.statements import mean_claims as means
from errlab.statements.pictures import DASHED, SOLID, title, write_above
from errlab.statements.report import words
from errlab.statements.report._claim import ReportClaim, Sample
from errlab.statements.report._one import Basis, Report, of_units
from errlab.style import GREEN, PALETTE, VERMILION, new_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, repr=False)
class PairReport(ReportClaim):
    """The claim about two classifiers, as text, HTML, JSON and plot.

    The verdict, the p-value and the interval come from one test: the interval excludes 0 if, and
    only if, the verdict names a better one.

    Attributes
    ----------
    a, b : Report
        The report on each classifier.
    difference : float
        A minus B: for labels the difference of error rates, positive if B is better; for scores the
        difference of mean scores.
    low, high : float
        Two-sided interval for the difference.
    pvalue : float
        Two-sided p-value of no difference: by the exact McNemar test for labels and for scores of 0
        and 1; for betting, 2 divided by the largest capital against no difference.
    margin_pvalue : float or None
        P-value of the hypothesis that B is worse by the margin: at most `delta` if no difference in
        the interval is beyond the margin. For labels it belongs to Fay and Lumbard's interval.
    delta : float
        Level of the test, and probability that a claim may fail.
    names : tuple of str
        Names of the two classifiers.
    margin : float or None
        By how much B may be worse, on the scale of the scores or of error rates.
    guarantee, interval_guarantee : str
        What is proven about the verdict, and about the coverage of the interval.
    method : str
        The method behind the verdict, in words: the test of no difference, or the interval if the
        verdict is "not worse".
    n01, n10 : int or None
        For independent examples that are right or wrong: how many only A, and only B, gets wrong.
    design_effect : float or None
        Ratio of the variance of the difference to that of as many independent examples.
    groups_that_differ : int or None
        Number of groups in which the two have different numbers of errors, or different means.
    group_difference : float or None
        Mean difference over groups with equal weights, if they differ in size.
    group_claim : tuple of float or None
        Interval for that mean, if `method` is betting.
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
    groups_that_differ: int | None = None
    margin_pvalue: float | None = None
    group_difference: float | None = None
    group_claim: tuple[float, float] | None = None

    simulated = "interval"
    noun = "difference"
    of_effect = " of the difference"
    over_groups = words.ALIKE_OF_TWO

    @property
    def estimate(self) -> float:  # type: ignore[override]
        """The difference."""
        return self.difference

    @property
    def n(self) -> int:
        """The number of test examples."""
        return self.a.n

    def _sample(self) -> Sample:
        """Return the examples and groups, which are the same for both."""
        return self.a._sample()

    def _groups_with_event(self) -> int | None:
        """Return the number of groups in which the two differ."""
        return self.groups_that_differ

    def _group_numbers(self) -> tuple[float, ...]:
        """Return the difference of means over groups with its ends; empty without such a claim."""
        if self.group_difference is None or self.group_claim is None:
            return ()
        return (self.group_difference, *self.group_claim)

    def _evidence_of_bounds(self) -> list[Evidence]:
        """Return the evidence of each bound, if the bounds are asymptotic."""
        return [one.evidence for one in self._asymptotic_report()]

    @property
    def _improvement(self) -> tuple[float, float]:
        """The interval for the improvement of B over A."""
        if self.a.scale.higher_is_better:
            return -self.high, -self.low
        return self.low, self.high

    @property
    def verdict(self) -> Literal["better", "worse", "not worse", "cannot tell"]:
        """The verdict about B; "not worse" means by no more than the margin."""
        if self.pvalue > self.delta:
            return "not worse" if self.within_margin else "cannot tell"
        return "better" if sum(self._improvement) > 0 else "worse"

    @property
    def within_margin(self) -> bool:
        """Whether B is worse by no more than the margin even at the worst end of the interval."""
        return self.margin is not None and self._improvement[0] >= -self.margin

    @property
    def _beyond_margin(self) -> bool:
        """Whether B is worse by more than the margin even at the best end of the interval."""
        return self.margin is not None and self._improvement[1] < -self.margin

    @property
    def reading(self) -> str:
        """The verdict as a sentence."""
        if self.margin is None:
            return f"{words.ANSWERS[self.verdict].format(**self.gaps())}."
        # the position of the interval relative to the margin
        excess = "perhaps more than"
        if self.within_margin:
            excess = "no more than"
        elif self._beyond_margin:
            excess = "more than"
        margin = f"{self.margin:.6g}"
        if self.a.scale.rate:
            margin = rounding.in_points(self.margin, "percentage point")
        answer = words.ANSWERS_WITH_MARGIN[self.verdict]
        return f"{answer.format(**self.gaps(), excess=excess, margin=margin)}."

    def gaps(self, *numbers: float) -> dict[str, str]:
        """Return the texts that fill the sentences: difference and interval, rounded outward."""
        difference, low, high = numbers or (self.difference, self.low, self.high)
        scale = self.a.scale
        places = scale.places(high - low)
        unit = " percentage points" * scale.rate
        rate = scale.show_difference(difference, places)
        return {
            "difference": rate,
            "low": scale.show_difference(low, places, "down"),
            "high": scale.show_difference(high, places, "up"),
            "unit": unit,
            "rate": rate + unit,
            "what": scale.name.capitalize(),
            "a": self.names[0],
            "b": self.names[1],
            "sure": rounding.format_confidence(self.delta),
            "level": f"{self.delta:g}",
        }

    def _asymptotic_report(self) -> list[Report]:
        """Return the first report with an asymptotic guarantee, if there is one."""
        return [one for one in (self.a, self.b) if one.guarantee == "asymptotic"][:1]

    def sentences(self) -> list[str]:
        """Return the claim: the difference, the verdict, and the evidence."""
        gaps = self.gaps()
        cases = rounding.count(self.n, "example")
        source = self._source(self._test())
        of_one = words.ONE_MEAN if self.a.errors is None else words.ONE
        test = self._promises()
        if self.n01 is not None and self.n10 is not None:
            apart = rounding.count(self.n01 + self.n10, "example")
            counts = words.DISAGREE.format(**gaps, n01=self.n01, n10=self.n10, cases=apart)
            test = [counts, words.OF_MCNEMAR]
        return [
            *self.warnings(),
            words.DIFFERENCE.format(**gaps, cases=cases + self.a.among(" in ")),
            words.ANSWER.format(answer=self.reading[:-1], how=source),
            *(
                of_one.format(**one.gaps(), name=name, cases=cases)
                for name, one in zip(self.names, (self.a, self.b), strict=True)
            ),
            *self.a.beside(),
            *(
                f"The two bounds hold each by itself ({one.method}; {one.evidence.words})."
                for one in self._asymptotic_report()
            ),
            *self._of_groups(words.DIFFER),
            *self._cautions[1:],
            *test,
            *self._of_means[1],
        ]

    def _test(self) -> str:
        """Return the test or interval behind the verdict, with its p-value."""
        if self.verdict == "not worse" and self.margin_pvalue is not None:
            pvalue = rounding.format_pvalue(self.margin_pvalue, self.delta)
            return words.AT_MARGIN.format(method=self.method, chance=pvalue)
        pvalue = rounding.format_pvalue(self.pvalue, self.delta)
        test = words.TEST.format(method=self.method, chance=pvalue)
        settled = self.within_margin or self._beyond_margin
        if self.verdict == "worse" and settled and self.interval_guarantee != self.guarantee:
            test += words.BESIDE
        return test

    def conditions(self) -> list[str]:
        """Return the conditions under which the claims hold, and the number of claims."""
        together = ""
        if self.guarantee == "exact" and 3 * self.delta < 1:
            together = words.TOGETHER.format(sure=rounding.format_confidence(3 * self.delta))
        *of_one, _ = self.a.conditions()
        margin = [words.MARGIN] if self.margin is not None else []
        return [*of_one, words.CLAIMS.format(together=together), words.CHOSEN, *margin]

    def to_dict(self) -> dict[str, Any]:
        """Return every number, the verdict, and the claim in words."""
        return self._numbers() | {"verdict": self.verdict} | super().to_dict()

    @styled
    def plot(self, ax: Axes | None = None) -> Axes:
        """Plot the difference with its interval.

        Examples
        --------
        >>> import errlab
        >>> y = [0, 1] * 50
        >>> a, b = [1, 1] * 6 + y[12:], y[:98] + [1, 1]
        >>> errlab.report(y, a, b).plot().get_title("left")
        'This test does not tell which is better'
        >>> a, b = [1, 2, 5, 4] * 9, [2, 2, 5, 5] * 9
        >>> errlab.report(scores=a, scores_b=b, range=(1, 5)).plot().get_title("left")
        'This test does not tell which is better'
        """
        ax = new_axes(ax, figsize=(4.86, 3.1))
        sure = f"{rounding.format_confidence(self.delta)} interval"
        scale, margin = self.a.scale, self.margin
        unit = scale.unit
        reach = [unit * self.low, unit * self.high]
        ax.plot(reach, [0, 0], "|-", **SOLID, label=sure)
        if self.group_claim is not None:
            alike = [unit * end for end in self.group_claim]
            label = f"{sure}, each group alike"
            ax.plot(alike, [-0.4, -0.4], "|--", **DASHED, color=PALETTE[4], label=label)
            reach += alike
        difference = self.gaps()["difference"]
        ax.plot(
            [unit * self.difference], [0], "o", color="0.2", label=f"on this test, {difference}"
        )
        ax.axvline(0, color=VERMILION, linestyle="--", lw=1.5, label="no difference")
        unknown = "which is better"
        if margin is not None:
            unknown = "whether the margin (dotted) is kept"
            edge = unit * (margin if scale.higher_is_better else -margin)
            ax.axvline(edge, color=GREEN, linestyle=":", lw=2, label="worse by the margin")
            reach.append(edge)
        widest = 1.2 * (max(map(abs, reach)) or 1.0)
        a, b = self.names
        ax.set(xlim=(-widest, widest), yticks=[], ylim=(-0.8, 1.5))
        ax.spines["left"].set_visible(False)
        left, right = (b, a) if scale.higher_is_better else (a, b)
        for name, at, side in ((left, 0, "left"), (right, 1, "right")):
            better = textwrap.fill(f"{name} better", 18)
            ax.annotate(better, (at, 0.98), xycoords="axes fraction", ha=side, va="top")
        write_above(ax, f"{sure}; dot: {difference}", 0)
        finding = {
            "better": f"{b} is better than {a}",
            "worse": f"{a} is better than {b}",
            "not worse": f"{b} is not worse than {a} by more than the margin (dotted)",
            "cannot tell": f"This test does not tell {unknown}",
        }[self.verdict]
        title(ax, finding, f"{scale.what} of {a} minus that of {b}" + ", points" * scale.rate)
        return ax


def pair(
    gain: FloatArray,
    basis: Basis,
    a: Report,
    b: Report,
    names: tuple[str, str] = ("A", "B"),
    margin: float | None = None,
) -> PairReport:
    """Return the report on two classifiers, and one on each, from their losses."""
    delta, scale, units, seed, method = basis
    facts: dict[str, Any] = {}
    if units is None and scale.rate:
        n01, n10 = int((gain > 0).sum()), int((gain < 0).sum())
        (claim,) = means.count_differences([(n01, n10)], a.n, delta)
        facts = {"n01": n01, "n10": n10}
    else:
        claim = means.difference_claim(gain, delta, units=units, seed=seed, method=method)
    if units is not None:
        facts["design_effect"], facts["groups_that_differ"] = of_units(gain, units)
    if units is not None and not units.one_size:
        by_group, alone = units.each_alike(gain)
        graded = basis._replace(scale=replace(scale, rate=False), units=alone)
        over_groups = pair(by_group, graded, a, b)
        facts["group_difference"] = over_groups.difference
        if method == "proven":
            facts["group_claim"] = (over_groups.low, over_groups.high)
    low, high = scale.difference_ends(claim.low, claim.high)
    report = PairReport(
        a=a,
        b=b,
        difference=scale.difference(claim.estimate),
        low=low,
        high=high,
        pvalue=claim.pvalue,
        delta=delta,
        names=names,
        margin=margin,
        guarantee=claim.guarantee,
        interval_guarantee=claim.interval_guarantee,
        method=claim.method,
        **facts,
    )
    if margin is None:
        return report
    pvalue = means.margin_pvalue(
        gain, margin / scale.span, delta, units=units, seed=seed, method=method, rate=scale.rate
    )
    # both are computed separately, but must not contradict each other
    within = report.within_margin
    pvalue = min(pvalue, delta) if within else max(pvalue, math.nextafter(delta, 1))
    report = replace(report, margin_pvalue=pvalue)
    if report.verdict == "not worse" and method_key(claim.method) == means.MCNEMAR.key:
        # the verdict is based on the interval, because McNemar's test is about no difference at all
        return replace(report, method=means.MELDED, guarantee=report.interval_guarantee)
    return report
