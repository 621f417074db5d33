"""What a test allows to claim of one classifier, and of two on the same cases.

Of labels or scores, of independent cases or of groups. The verdict on the second of two is that it
is better, worse, not worse by more than a margin, or that the test cannot tell.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast

import numpy as np

from errlab._core import rounding
from errlab._core.checks import FloatArray, Labels
from errlab._core.interval import Guarantee, Interval
from errlab._core.statement import Evidence, Statement, evidence, method_key
from errlab._numerics.groups import FEW, Groups, caution, described
from errlab.compare._result import settle
from errlab.metrics._groups import design_effect_of
from errlab.statements import mean_claims as means
from errlab.statements.report import words
from errlab.statements.scale import RATES, Scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class _Claim(Statement):
    """What the claims about one classifier and about two have in common."""

    estimate: float
    low: float
    high: float
    delta: float
    guarantee: Guarantee
    method: str
    design_effect: float | None
    group_claim: tuple[float, ...] | None

    _kind: str  # of the simulations that tell of it
    _mean: str  # what is meant by it
    _alike: str  # the sentence about the same of the mean over groups
    _of: str = ""  # of what the design effect is
    _fields: tuple[str, str]  # of the groups with an event, and of the mean over groups
    _ends: tuple[str, ...] = ("low", "high")  # the fields of what is claimed

    def gaps(self, *numbers: float) -> dict[str, str]:
        """Fill the gaps of the sentences: an estimate and its ends, rounded outward."""
        raise NotImplementedError

    def _rough(self) -> list[Report]:
        """Return a report whose bound stands beside it, and is proven for many cases only."""
        return []

    @property
    def _one(self) -> Report:
        """The report that tells of the cases and their groups."""
        return cast(Report, getattr(self, "a", self))

    @cached_property
    def evidence(self) -> Evidence:
        """What is proven of the claim, or what was measured of claims like it."""
        one = self._one
        size, unit = float(one.n), "cases"
        seen = {"groups with an error": getattr(self, self._fields[0])}
        if one.groups and one.effective_groups:
            size, unit = one.effective_groups, "effective groups"
            seen["groups over effective groups"] = one.groups / size
        return evidence(
            self.guarantee,
            self.method,
            size,
            unit,
            kind=self._kind,
            delta=self.delta,
            door="report",
            seen=seen,
        )

    def warnings(self) -> list[str]:
        """Return what is to be minded: a coverage below what is claimed, few groups, two means."""
        return self._cautions[:1] + self._of_groups_alike[0]

    @cached_property
    def _cautions(self) -> list[str]:
        """A weakness, and that groups are few: the first before the claim, the other after it."""
        claims = [self.evidence, *(one.evidence for one in self._rough())]
        weaknesses = [proven.weakness for proven in claims if proven.weakness]
        groups = self._one.effective_groups
        if groups and "asymptotic" in [proven.guarantee for proven in claims]:
            return weaknesses[:1] + caution(groups)
        return weaknesses[:1]

    def _how(self, method: str) -> str:
        """Name a method with its guarantee, for the brackets of the second line."""
        if self.guarantee == "exact":
            return method
        if self._one.groups and self.guarantee == "finite sample":
            method = f"{method}; no group above {self._one.max_group_size} cases"
        return f"{method}; {self.evidence.short}"

    def _promises(self) -> list[str]:
        """Say what is proven and for how many of what, or what was measured of it."""
        if self.guarantee == "exact":
            return []
        promise, one = self.evidence.words, self._one
        if self.guarantee == "finite sample":
            units = f"groups of at most {one.max_group_size} cases" if one.groups else "cases"
            promise = f"{promise}; proven for every number of {units}"
        if method_key(self.method) in means.BET_KEYS:
            promise += ", and wider for it than method='t'"
        return [words.GUARANTEE.format(promise=promise)]

    def _of_groups(self, event: str) -> list[str]:
        """Return the sentence about the groups: how many, how unequal, and what they tell.

        `event` says in how many of them something was seen.
        """
        one, effect = self._one, self.design_effect
        if one.groups is None or not one.effective_groups or not one.largest_group:
            return []
        parts = [described(one.groups, one.effective_groups, one.largest_group)]
        if effect is None:
            event = words.EQUAL
        if event:
            parts.append(event.format(number=getattr(self, self._fields[0])))
        # estimated from a few groups it would pass for a fact
        if effect is not None and one.effective_groups >= FEW:
            size = f"{one.n / max(effect, 1.0):.0f}"
            shown = f"{effect:.{int(effect < 10)}f}"
            parts.append(words.EFFECT.format(of=self._of, effect=shown, size=size))
        return [f"The cases come in {'; '.join(parts)}."]

    @property
    def _of_groups_alike(self) -> tuple[list[str], list[str]]:
        """The warning that two means differ, and what is proven of the one over groups."""
        if self.group_claim is None:
            return [], []
        over_groups = getattr(self, self._fields[1])
        gaps = self.gaps(over_groups, *self.group_claim)
        alike = self._alike.format(**gaps)
        *_, low, high = self.group_claim
        room = self._one.scale.room
        near = low - room <= self.estimate <= high + room
        if near and self.low - room <= over_groups <= self.high + room:
            return [], [alike]
        return [words.APART.format(**gaps, kind=self._mean)], [alike, words.NOT_THE_OTHER]

    def _numbers(self) -> dict[str, object]:
        return super()._numbers() | {"evidence": asdict(self.evidence)}

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the claim with its interval; return the Axes."""
        from errlab.statements.report._plot import plot_pair, plot_report

        if isinstance(self, PairReport):
            return plot_pair(self, ax=ax)
        return plot_report(self._one, ax=ax)


@dataclass(frozen=True, repr=False)
class Report(_Claim):
    """The claim that a test allows. It prints as text, shows as HTML and plots as a picture.

    All numbers are on the scale of the scores; a rate is in [0, 1].

    Attributes
    ----------
    estimate : float
        What was seen: of labels the error rate, of scores their mean (of 0 and 1 the success
        rate).
    n : int
        Cases tested.
    errors : int or None
        Errors made; None for graded scores.
    delta : float
        Probability that a claim may fail.
    bound : float
        One-sided bound on the bad side: an upper one for errors, a lower one for scores.
    low, high : float
        Two-sided interval.
    guarantee : str
        What is proven of `bound`, `low` and `high`.
    method : str
        Where they come from, in words.
    scale : Scale
        Range of the scores, and which end is good.
    common : str or None
        The most frequent of the true labels; None where they are all the same.
    baseline : float or None
        Error rate of always answering `common`, on the same cases.
    groups : int or None
        Number of groups, where cases come in groups.
    effective_groups, largest_group : float or None
        How many groups of one size would weigh as much; share of the cases in the largest.
    design_effect : float or None
        How many times the variance is that of as many independent cases.
    groups_with_errors : int or None
        Groups that hold an error, or a loss above 0.
    max_group_size : int or None
        The most cases that a group can have: a condition of what is proven.
    group_mean : float or None
        Mean over groups of several sizes, where each counts alike.
    group_claim : tuple of float or None
        Bound and both ends for that mean, where `method` is betting; None for groups of one size,
        for which it is the mean over cases.
    """

    estimate: float
    n: int
    errors: int | None
    delta: float
    bound: float
    low: float
    high: float
    guarantee: Guarantee
    method: str
    scale: Scale
    common: str | None = None
    baseline: float | None = None
    groups: int | None = None
    effective_groups: float | None = None
    largest_group: float | None = None
    design_effect: float | None = None
    groups_with_errors: int | None = None
    max_group_size: int | None = None
    group_mean: float | None = None
    group_claim: tuple[float, float, float] | None = None

    _kind = "bound"
    _mean = "mean"
    _alike = words.ALIKE
    _fields = ("groups_with_errors", "group_mean")
    _ends = ("bound", "low", "high")

    @property
    def rate(self) -> float:
        """The estimate, of labels the error rate."""
        return self.estimate

    @property
    def upper(self) -> float:
        """The bound, of labels an upper one."""
        return self.bound

    @property
    def counted(self) -> str:
        """What was counted, in words."""
        if self.errors is None:
            return rounding.count(self.n, "score")
        if not self.scale.higher_is_better:
            return rounding.count(self.errors, "error")
        right = self.n - self.errors
        return "1 success" if right == 1 else f"{right} successes"

    def gaps(self, *numbers: float) -> dict[str, str]:
        """Fill the gaps of the sentences: an estimate, its bound and both ends, rounded outward."""
        estimate, bound, low, high = numbers or (self.estimate, self.bound, self.low, self.high)
        scale = self.scale
        places = scale.places(high - low)
        # the bad side is above for errors, below for scores
        side, outward = ("least", "down") if scale.higher_is_better else ("most", "up")
        return {
            "sure": rounding.sure(self.delta),
            "what": scale.what,
            "most": side,
            "upper": scale.show(bound, places, outward),
            "low": scale.show(low, places, "down"),
            "high": scale.show(high, places, "up"),
            "rate": scale.show(estimate, places),
            "errors": self.counted,
        }

    def sentences(self) -> list[str]:
        """Return the claim, sentence by sentence: the value, the bound, and the evidence."""
        gaps, scale = self.gaps(), self.scale
        cases = rounding.count(self.n, "test case") + self.among(" in ")
        if self.errors is None:
            cases = self.counted + self.among(" of ")
        value = words.VALUE[scale.what].format(
            **gaps, cases=cases, ends=words.ENDS.format(**gaps), least=scale.low, largest=scale.high
        )
        event = ""
        if scale.rate:
            event = words.ONE_ERROR if self.groups_with_errors == 1 else words.ERRORS
        return [
            *self.warnings(),
            value,
            words.BOUND.format(**gaps, how=self._how(self.method)),
            *self._of_groups(event),
            *self._cautions[1:],
            *self._promises(),
            *self._at_end(),
            *self._of_groups_alike[1],
            *self.beside(),
        ]

    def among(self, link: str) -> str:
        """Name the groups that cases come in, where they do."""
        return "" if self.groups is None else link + rounding.count(self.groups, "group")

    def _at_end(self) -> list[str]:
        """Say why the mean is an end of its interval, where it is one inside of the range."""
        scale, room = self.scale, self.scale.room
        inside = scale.low + room < self.estimate < scale.high - room
        at_end = min(self.estimate - self.low, self.high - self.estimate) < room
        return [words.AT_END] if self._in_an_order and inside and at_end else []

    @property
    def _in_an_order(self) -> bool:
        """Whether the claim rests on the order in which the scores were read."""
        return method_key(self.method) == means.BETTING.key

    def beside(self) -> list[str]:
        """Return the sentence about the classifier that always gives the same answer."""
        if self.baseline is None:
            return []
        rate = self.scale.show(self.baseline, self.scale.places(self.high - self.low))
        return [words.BASELINE.format(common=self.common, rate=rate)]

    def conditions(self) -> list[str]:
        """Return the conditions under which the claims hold."""
        independent, untouched = words.CASES
        conditions = [independent if self.groups is None else words.GROUPS_DRAWN]
        if method_key(self.method) == means.ALIKE.key:
            conditions.append(means.ONE_SIZE)
        elif self.groups is not None and self.guarantee == "finite sample":
            met = (self.largest_group or 0.0) * self.n
            most = self.max_group_size or 0
            conditions.append(means.largest_condition(most, met, self.groups, self.delta))
        elif self.groups is None and self.max_group_size == 1:
            conditions.append(means.one_case_condition(self.n, self.delta))
        conditions.append(untouched)
        if self._in_an_order:
            conditions.append(means.ORDER)
        return [*conditions, words.ALONE]


class Basis(NamedTuple):
    """What all claims of a report have in common."""

    delta: float
    scale: Scale = RATES
    units: Groups | None = None
    seed: means.Draws = None
    method: str = "proven"


def single(losses: FloatArray, basis: Basis, y_true: Labels | None = None) -> Report:
    """Return the report of losses in [0, 1], on the scale of the scores that they come from."""
    delta, scale, units, seed, method = basis
    claim = means.mean_claim(losses, delta, rate=scale.rate, units=units, seed=seed, method=method)
    errors = int(losses.sum()) if scale.rate else None
    facts = _of_units(Report, losses, basis, single)
    if units is not None:
        facts |= units.facts
    labels = Counter([] if y_true is None else y_true.tolist())
    if len(labels) > 1:  # how often the most frequent label is wrong
        label, times = labels.most_common(1)[0]
        facts = {"common": repr(label), "baseline": 1 - times / labels.total()}
    return _report(claim, float(losses.mean()), len(losses), errors, basis, facts)


def counted(errors: int, n: int, delta: float) -> Report:
    """Return the report of a count of errors in independent cases."""
    claim = means.count_claim(errors, n, delta)
    return _report(claim, errors / n, n, errors, Basis(delta), {})


def _of_units(
    kind: type[_Claim],
    values: FloatArray,
    basis: Basis,
    report: Callable[[FloatArray, Basis], _Claim],
) -> dict[str, Any]:
    """Return what a report tells of its groups, where they count alike as well; by its fields."""
    units = basis.units
    if units is None:
        return {}
    events, mean = kind._fields
    facts: dict[str, Any] = {
        "design_effect": design_effect_of(units.spread(values)),
        events: int((units.sums(values) != 0).sum()),
    }
    if np.ptp(units.sizes) > 0:  # else the mean over groups is that over cases
        # the same report of their means, which are no rates
        by_group, alone = units.each_alike(values)
        graded = replace(basis.scale, rate=False)
        alike = report(by_group, basis._replace(scale=graded, units=alone))
        facts[mean] = alike.estimate
        if basis.method == "proven":
            facts["group_claim"] = tuple(getattr(alike, end) for end in kind._ends)
    return facts


def _report(
    claim: means.MeanClaim,
    loss: float,
    n: int,
    errors: int | None,
    basis: Basis,
    facts: dict[str, Any],
) -> Report:
    """Put a claim about a mean loss on the scale of the scores."""
    scale = basis.scale
    estimate = scale.score(loss)
    low, high = scale.ends(claim.low, claim.high)
    return Report(
        estimate=estimate,
        n=n,
        errors=errors,
        delta=basis.delta,
        bound=scale.score(claim.upper),
        low=min(low, estimate),  # it is there already, but for rounding
        high=max(high, estimate),
        guarantee=claim.guarantee,
        method=claim.method,
        scale=scale,
        **facts,
    )


@dataclass(frozen=True, repr=False)
class PairReport(_Claim):
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
        Of no difference, two-sided: by the exact McNemar test of labels and of scores of 0 and 1;
        by betting 2 over the largest capital against no difference.
    margin_pvalue : float or None
        The same of a B that is worse by the margin: at most `delta` where the whole interval has B
        worse by no more than the margin. Of labels it is that of Fay and Lumbard's interval.
    delta : float
        Level of the test; probability that a claim may fail.
    names : tuple of str
        What the two are called.
    margin : float or None
        By how much B may be worse and still do, on the scale of the scores or of error rates.
    guarantee, interval_guarantee : str
        What is proven of the verdict, and of the coverage of the interval.
    method : str
        What the verdict rests on, in words: the test of no difference, or where it is "not worse"
        the interval.
    n01, n10 : int or None
        Of independent cases that are right or wrong: those that A alone got wrong, and B alone.
    design_effect : float or None
        How many times the variance of the difference is that of as many independent cases.
    groups_that_differ : int or None
        Groups in which not both made as many errors, or have the same mean.
    group_difference : float or None
        Mean over groups of several sizes of the difference, where each counts alike.
    group_claim : tuple of float or None
        Interval for that, where `method` is betting.
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

    _kind = "interval"
    _mean = "difference"
    _alike = words.ALIKE_OF_TWO
    _of = " of the difference"
    _fields = ("groups_that_differ", "group_difference")

    @property
    def estimate(self) -> float:  # type: ignore[override]
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
        if self.pvalue > self.delta:
            return "not worse" if self.within_margin else "cannot tell"
        return "better" if sum(self._gain) > 0 else "worse"

    @property
    def within_margin(self) -> bool:
        """Whether the whole interval has B worse by no more than the margin."""
        return self.margin is not None and self._gain[0] >= -self.margin

    @property
    def _beyond_margin(self) -> bool:
        """Whether the whole interval has B worse by more than the margin."""
        return self.margin is not None and self._gain[1] < -self.margin

    @property
    def reading(self) -> str:
        """The answer in one sentence."""
        if self.margin is None:
            return f"{words.ANSWERS[self.verdict].format(**self.gaps())}."
        # where the interval of what B is worse by stands to the margin
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
        """Fill the gaps of the sentences: a difference and its interval, rounded outward."""
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
            "sure": rounding.sure(self.delta),
            "level": f"{self.delta:g}",
        }

    def _rough(self) -> list[Report]:
        """Return the first of the two that is one."""
        return [one for one in (self.a, self.b) if one.guarantee == "asymptotic"][:1]

    def sentences(self) -> list[str]:
        """Return the claim, sentence by sentence: the difference, the answer, and the evidence."""
        gaps = self.gaps()
        each = rounding.count(self.n, "case")
        how = self._how(self._test())
        of_one = words.ONE_MEAN if self.a.errors is None else words.ONE
        test = self._promises()
        if self.n01 is not None and self.n10 is not None:
            apart = rounding.count(self.n01 + self.n10, "case")
            counts = words.DISAGREE.format(**gaps, n01=self.n01, n10=self.n10, cases=apart)
            test = [counts, words.OF_MCNEMAR]
        return [
            *self.warnings(),
            words.DIFFERENCE.format(**gaps, cases=each + self.a.among(" in ")),
            words.ANSWER.format(answer=self.reading[:-1], how=how),
            *(
                of_one.format(**one.gaps(), name=name, cases=each)
                for name, one in zip(self.names, (self.a, self.b), strict=True)
            ),
            *self.a.beside(),
            *(
                f"The two bounds hold each by itself ({one.method}; {one.evidence.words})."
                for one in self._rough()
            ),
            *self._of_groups(words.DIFFER),
            *self._cautions[1:],
            *test,
            *self._of_groups_alike[1],
        ]

    def _test(self) -> str:
        """Name what the verdict rests on, with its own p-value."""
        if self.verdict == "not worse" and self.margin_pvalue is not None:
            chance = rounding.chance(self.margin_pvalue, self.delta)
            return words.AT_MARGIN.format(method=self.method, chance=chance)
        chance = rounding.chance(self.pvalue, self.delta)
        test = words.TEST.format(method=self.method, chance=chance)
        settled = self.within_margin or self._beyond_margin
        if self.verdict == "worse" and settled and self.interval_guarantee != self.guarantee:
            test += words.BESIDE
        return test

    def conditions(self) -> list[str]:
        """Return the conditions under which the claims hold, and count the claims."""
        together = ""
        if self.guarantee == "exact" and 3 * self.delta < 1:
            together = words.TOGETHER.format(sure=rounding.sure(3 * self.delta))
        *of_one, _ = self.a.conditions()
        margin = [words.MARGIN] if self.margin is not None else []
        return [*of_one, words.CLAIMS.format(together=together), words.CHOSEN, *margin]


def pair(
    gain: FloatArray,
    basis: Basis,
    a: Report,
    b: Report,
    names: tuple[str, str] = ("A", "B"),
    margin: float | None = None,
) -> PairReport:
    """Return the report of two from the losses of A minus those of B, and the report of each."""
    delta, scale, units, seed, method = basis
    if units is None and scale.rate:
        n01, n10 = int((gain > 0).sum()), int((gain < 0).sum())
        (claim,) = means.count_differences([(n01, n10)], a.n, delta)
        # computed in two ways, which may not contradict each other
        ends = settle(Interval(claim.low, claim.high), claim.pvalue, claim.difference, delta)
        low, high = map(float, ends)
        facts: dict[str, Any] = {"interval_guarantee": "none proven", "n01": n01, "n10": n10}
    else:
        claim = means.difference_claim(gain, delta, units=units, seed=seed, method=method)
        low, high = claim.low, claim.high
        facts = _of_units(
            PairReport, gain, basis, lambda values, graded: pair(values, graded, a, b)
        )
        facts["interval_guarantee"] = claim.guarantee
    low, high = scale.difference_ends(low, high)
    report = PairReport(
        a=a,
        b=b,
        difference=scale.difference(claim.difference),
        low=low,
        high=high,
        pvalue=claim.pvalue,
        delta=delta,
        names=names,
        margin=margin,
        guarantee=claim.guarantee,
        method=claim.method,
        **facts,
    )
    if margin is None:
        return report
    pvalue = means.margin_pvalue(
        gain, margin / scale.span, delta, units=units, seed=seed, method=method, rate=scale.rate
    )
    # computed in two ways, which may not contradict each other
    within = report.within_margin
    pvalue = min(pvalue, delta) if within else max(pvalue, math.nextafter(delta, 1))
    report = replace(report, margin_pvalue=pvalue)
    if report.verdict == "not worse" and method_key(claim.method) == means.MCNEMAR.key:
        # McNemar's test is about no difference: this verdict rests on the interval
        return replace(report, method=means.MELDED, guarantee=report.interval_guarantee)
    return report
