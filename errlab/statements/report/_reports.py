"""What a test allows to claim of one classifier, and of two on the same cases.

Of labels or scores, of independent cases or of groups. The verdict on the second of two is that it
is better, worse, not worse by more than a margin, or that the test cannot tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab import compare
from errlab._core import rounding
from errlab._core.checks import FloatArray
from errlab._core.interval import Guarantee, Interval
from errlab._core.scale import RATES, Scale
from errlab._core.statement import Evidence, Statement, evidence, method_key
from errlab._numerics.groups import FEW, Groups, caution, described
from errlab.compare import mean_claims as means
from errlab.compare.mean_claims import MeanClaim, count_claim, difference_claim, mean_claim
from errlab.metrics.groups import design_effect_of
from errlab.statements.report import words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAD_SIDE = {False: ("most", "up"), True: ("least", "down")}  # by whether higher is better


@dataclass(frozen=True, repr=False)
class Report(Statement):
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
            return rounding.errors(self.errors)
        right = self.n - self.errors
        return "1 success" if right == 1 else f"{right} successes"

    @property
    def cases(self) -> str:
        """What was tested, in words: the cases, and the groups that they come in."""
        if self.errors is None:
            return self.counted + among(self.groups, " of ")
        return rounding.count(self.n, "test case") + among(self.groups, " in ")

    @property
    def places(self) -> int:
        """Decimals that the estimate deserves."""
        return self.scale.places(self.high - self.low)

    @cached_property
    def evidence(self) -> Evidence:
        """What is proven of bound and interval, or what was measured of claims like them."""
        return evidence_of(self, self, "bound", self.groups_with_errors)

    def gaps(self, *numbers: float) -> dict[str, str]:
        """Fill the gaps of the sentences: an estimate, its bound and both ends, rounded outward."""
        estimate, bound, low, high = numbers or (self.estimate, self.bound, self.low, self.high)
        places = self.scale.places(high - low)
        # the bad side is above for errors, below for scores
        side, outward = BAD_SIDE[self.scale.higher_is_better]
        return {
            "sure": rounding.sure(self.delta),
            "what": self.scale.what,
            "most": side,
            "upper": self.scale.show(bound, places, outward),
            "low": self.scale.show(low, places, "down"),
            "high": self.scale.show(high, places, "up"),
            "rate": self.scale.show(estimate, places),
        }

    def warnings(self) -> list[str]:
        """Return what is to be minded: a coverage below what is claimed, few groups, two means."""
        first, _ = cautions(self, self.evidence)
        return [*first, *apart(self, "mean", self.group_mean)]

    def sentences(self) -> list[str]:
        """Return the claim, sentence by sentence: the value, the bound, and the evidence."""
        gaps = self.gaps()
        value = words.VALUE[self.scale.what].format(
            **gaps,
            errors=self.counted,
            cases=self.cases,
            least=self.scale.low,
            largest=self.scale.high,
            ends=words.ENDS.format(**gaps),
        )
        bound = words.BOUND.format(**gaps, how=said_of(self.method, self.evidence))
        return [*self.warnings(), value, bound, *self._behind()]

    def _behind(self) -> list[str]:
        """Return the evidence behind the two lines."""
        _, later = cautions(self, self.evidence)
        events: list[str] = []
        if self.scale.rate and self.groups_with_errors is not None:
            hold = words.ONE_ERROR if self.groups_with_errors == 1 else words.ERRORS
            events = [hold.format(number=self.groups_with_errors)]
        return [
            *of_groups(self, events, self.design_effect),
            *later,
            *promises(self.evidence, self),
            *self._at_end(),
            *of_groups_alike(self, self.group_mean, words.ALIKE),
            *self.beside(),
        ]

    def _at_end(self) -> list[str]:
        """Say why the mean is an end of its interval, where it is one inside of the range."""
        room = 1e-12 * self.scale.span
        inside = self.scale.low + room < self.estimate < self.scale.high - room
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
        rate = self.scale.show(self.baseline, self.places)
        return [words.BASELINE.format(common=self.common, rate=rate)]

    def conditions(self) -> list[str]:
        """Return the conditions under which the claims hold."""
        independent, untouched = words.CASES
        largest = means.LARGEST.format(most=self.max_group_size)
        conditions = {
            independent: self.groups is None,
            words.GROUPS_DRAWN: self.groups is not None,
            largest: self.groups is not None and self.guarantee == "finite sample",
            untouched: True,
            means.ORDER: self._in_an_order,
            words.ALONE: True,
        }
        return [condition for condition, applies in conditions.items() if applies]

    def _numbers(self) -> dict[str, object]:
        return super()._numbers() | {"evidence": asdict(self.evidence)}

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the estimate, its bound and its interval on one line; return the Axes."""
        from errlab.statements.report._plot import plot_report

        return plot_report(self, ax=ax)


def among(groups: int | None, link: str) -> str:
    """Name the groups that cases come in, where they do."""
    return "" if groups is None else link + rounding.count(groups, "group")


def evidence_of(claim: Report | PairReport, one: Report, kind: str, events: int | None) -> Evidence:
    """Return what is proven of a claim, or was measured of claims like it.

    `events` counts the groups with an error, of two those in which they differ.
    """
    size, unit = float(one.n), "cases"
    if one.effective_groups:
        size, unit = one.effective_groups, "effective groups"
    return evidence(
        claim.guarantee,
        claim.method,
        size,
        unit,
        kind=kind,
        delta=one.delta,
        door="report",
        seen={} if events is None else {"groups with an error": float(events)},
    )


def said_of(method: str, proven: Evidence) -> str:
    """Name a method with its guarantee, for the brackets of the second line."""
    return method if proven.guarantee == "exact" else f"{method}; {proven.short}"


def cautions(one: Report, *claims: Evidence) -> tuple[list[str], list[str]]:
    """Return what stands first: a weakness, or else that groups are few; and what comes later."""
    weaknesses = [proven.weakness for proven in claims if proven.weakness]
    cautious: list[str] = []
    if one.effective_groups and any(proven.guarantee == "asymptotic" for proven in claims):
        cautious = caution(one.effective_groups)
    if weaknesses:
        return weaknesses[:1], cautious
    return cautious, []


def promises(proven: Evidence, one: Report) -> list[str]:
    """Say what is proven of a claim and for how many of what, or what was measured of it."""
    if proven.guarantee == "exact":
        return []
    promise = proven.words
    if proven.guarantee == "finite sample":
        units = f"groups of at most {one.max_group_size} cases" if one.groups else "cases"
        promise = words.PROVEN.format(guarantee=proven.guarantee, units=units)
    if proven.method in words.BETS:
        promise += words.WIDER
    return [words.GUARANTEE.format(promise=promise)]


def of_groups(report: Report, events: list[str], effect: float | None, of: str = "") -> list[str]:
    """Return the sentence about the groups: how many, how unequal, and what they tell.

    `events` says in how many of them something was seen.
    """
    if report.groups is None or not report.effective_groups or not report.largest_group:
        return []
    parts = [described(report.groups, report.effective_groups, report.largest_group)]
    if effect is None:
        parts.append(words.EQUAL)
    else:
        parts += events
        if report.effective_groups >= FEW:  # estimated from a few groups it would pass for a fact
            size = f"{report.n / max(effect, 1.0):.0f}"
            digits = int(effect < 10)
            parts.append(words.EFFECT.format(of=of, effect=f"{effect:.{digits}f}", size=size))
    return [words.GROUPS.format(groups="; ".join(parts))]


def of_groups_alike(claim: Report | PairReport, group: float | None, sentence: str) -> list[str]:
    """Say what is proven of the mean over groups, `group`, where they differ in size."""
    if claim.group_claim is None or group is None:
        return []
    gaps = claim.gaps(group, *claim.group_claim) | {"sure": rounding.sure(claim.delta)}
    return [sentence.format(**gaps), *([words.NOT_THE_OTHER] if _differ(claim, group) else [])]


def apart(claim: Report | PairReport, kind: str, group: float | None) -> list[str]:
    """Say where the mean over groups and that over cases are not the same thing."""
    if claim.group_claim is None or group is None or not _differ(claim, group):
        return []
    return [words.APART.format(kind=kind, rate=claim.gaps(group, *claim.group_claim)["rate"])]


def _differ(claim: Report | PairReport, group: float) -> bool:
    """Whether one of the two means is outside of the interval of the other."""
    low, high = cast(tuple[float, ...], claim.group_claim)[-2:]
    near = between(group, claim.low, claim.high) and between(claim.estimate, low, high)
    return not near


def between(value: float, low: float, high: float) -> bool:
    """Whether a value is in an interval, or beside it by its rounding error."""
    room = 1e-12 * max(abs(low), abs(high), abs(value))
    return low - room <= value <= high + room


def single(
    losses: ArrayLike,
    delta: float,
    scale: Scale = RATES,
    units: Groups | None = None,
    seed: np.random.SeedSequence | None = None,
    method: str = "proven",
    y_true: Sequence[Any] | NDArray[Any] = (),
) -> Report:
    """Return the report of losses in [0, 1], on the scale of the scores that they come from."""
    values = np.asarray(losses, dtype=float)
    if scale.rate and units is None:
        return counted(int(values.sum()), len(values), delta, scale, constant(y_true))
    claim = mean_claim(values, delta, rate=scale.rate, units=units, seed=seed, method=method)
    facts: dict[str, Any] = {}
    if units is not None:
        facts = units.facts | {
            "design_effect": design_effect_of(units.spread(values)),
            "groups_with_errors": int((units.sums(values) > 0).sum()),
        }
        if np.ptp(units.sizes) > 0:  # else the mean over groups is that over cases
            by_group, alone = units.each_alike(values)
            facts["group_mean"] = scale.score(float(by_group.mean()))
            if method == "proven":
                alike = mean_claim(by_group, delta, rate=False, units=alone, seed=seed)
                ends = scale.ends(alike.low, alike.high)
                facts["group_claim"] = (scale.score(alike.upper), *ends)
    errors = int(values.sum()) if scale.rate else None
    return _report(claim, float(values.mean()), len(values), errors, delta, scale, facts)


def counted(
    errors: int, n: int, delta: float, scale: Scale = RATES, facts: Mapping[str, Any] | None = None
) -> Report:
    """Return the report of a count of errors in independent cases."""
    claim = count_claim(errors, n, delta)
    return _report(claim, errors / n, n, errors, delta, scale, facts or {})


def _report(
    claim: MeanClaim,
    loss: float,
    n: int,
    errors: int | None,
    delta: float,
    scale: Scale,
    facts: Mapping[str, Any],
) -> Report:
    """Put a claim about a mean loss on the scale of the scores."""
    estimate = scale.score(loss)
    low, high = scale.ends(claim.low, claim.high)
    return Report(
        estimate=estimate,
        n=n,
        errors=errors,
        delta=delta,
        bound=scale.score(claim.upper),
        low=min(low, estimate),  # it is there already, but for rounding
        high=max(high, estimate),
        guarantee=claim.guarantee,
        method=claim.method,
        scale=scale,
        **facts,
    )


def constant(y_true: Sequence[Any] | NDArray[Any]) -> dict[str, Any]:
    """Return the most frequent label as text, and how often it is wrong, for a `Report`."""
    counts = Counter(np.asarray(y_true).tolist())
    if len(counts) < 2:
        return {}
    label, times = counts.most_common(1)[0]
    return {"common": repr(label), "baseline": 1 - times / counts.total()}


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
    group_difference: float | None = None
    group_claim: tuple[float, float] | None = None

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
        if self.pvalue > self.delta:
            return "not worse" if self.within_margin else "cannot tell"
        return "better" if sum(self._gain) > 0 else "worse"

    @property
    def within_margin(self) -> bool:
        """Whether the whole interval has B worse by no more than the margin."""
        return self.margin is not None and self._gain[0] >= -self.margin

    @property
    def reading(self) -> str:
        """The answer in one sentence."""
        return f"{self._answer()}."

    def _answer(self) -> str:
        """Return the answer, without the stop at its end."""
        a, b = self.names
        answers = words.ANSWERS if self.margin is None else words.ANSWERS_WITH_MARGIN
        return answers[self.verdict].format(
            a=a, b=b, level=f"{self.delta:g}", excess=self._excess(), margin=self._margin()
        )

    def _excess(self) -> str:
        """Say where the interval of what B is worse by stands to the margin."""
        if self.within_margin:
            return "no more than"
        if self._gain[1] < -(self.margin or 0.0):
            return "more than"
        return "perhaps more than"

    def _margin(self) -> str:
        """Name the margin, of rates in percentage points."""
        if self.margin is None:
            return ""
        if not self.a.scale.rate:
            return f"the margin of {self.margin:.6g}"
        number = f"{100 * self.margin:.6g}"
        unit = "percentage point" if number == "1" else "percentage points"
        return f"the margin of {number} {unit}"

    @cached_property
    def evidence(self) -> Evidence:
        """What is proven of the test, or what was measured of claims like it."""
        return evidence_of(self, self.a, "interval", self.groups_that_differ)

    def gaps(self, *numbers: float) -> dict[str, str]:
        """Fill the gaps of the sentences: a difference and its interval, rounded outward."""
        difference, low, high = numbers or (self.difference, self.low, self.high)
        scale = self.a.scale
        places = scale.places(high - low)
        unit = words.UNITS[scale.rate]
        rate = scale.show_difference(difference, places)
        return {
            "difference": rate,
            "low": scale.show_difference(low, places, "down"),
            "high": scale.show_difference(high, places, "up"),
            "unit": unit,
            "rate": rate + unit,
        }

    def warnings(self) -> list[str]:
        """Return what is to be minded: a coverage below what is claimed, few groups, two means."""
        first, _ = self._cautions()
        return [*first, *apart(self, "difference", self.group_difference)]

    def _cautions(self) -> tuple[list[str], list[str]]:
        """Return the cautions of the test and of the bounds."""
        return cautions(self.a, self.evidence, *(one.evidence for one in self._rough()))

    def _rough(self) -> list[Report]:
        """Return the first of the two whose bound is proven for many cases only."""
        return [one for one in (self.a, self.b) if one.guarantee == "asymptotic"][:1]

    def sentences(self) -> list[str]:
        """Return the claim, sentence by sentence: the difference, the answer, and the evidence."""
        a, b = self.names
        difference = words.DIFFERENCE.format(
            **self.gaps(),
            what=self.a.scale.name.capitalize(),
            a=a,
            b=b,
            cases=rounding.count(self.n, "case") + among(self.a.groups, " in "),
            sure=rounding.sure(self.delta),
        )
        test = words.TEST.format(
            method=self.method, chance=rounding.chance(self.pvalue, self.delta)
        )
        answer = words.ANSWER.format(answer=self._answer(), how=said_of(test, self.evidence))
        return [*self.warnings(), difference, answer, *self._behind()]

    def _behind(self) -> list[str]:
        """Return the evidence behind the two lines."""
        differ = [words.DIFFER.format(number=self.groups_that_differ)]
        _, later = self._cautions()
        return [
            *map(self._of_one, self.names, (self.a, self.b)),
            *self.a.beside(),
            *self._of_bounds(),
            *of_groups(self.a, differ, self.design_effect, " of the difference"),
            *later,
            *self._of_test(),
            *of_groups_alike(self, self.group_difference, words.ALIKE_OF_TWO),
        ]

    def _of_one(self, name: str, report: Report) -> str:
        """Return the sentence about one of the two."""
        sentence = words.ONE_MEAN if report.errors is None else words.ONE
        cases = rounding.count(report.n, "case")
        return sentence.format(**report.gaps(), name=name, errors=report.counted, cases=cases)

    def _of_bounds(self) -> list[str]:
        """Say how the bounds were made where they are proven for many cases only."""
        return [
            words.BOUNDS.format(how=f"{one.method}; {one.evidence.words}") for one in self._rough()
        ]

    def _of_test(self) -> list[str]:
        """Say what the test counted, or what is proven of it."""
        if self.n01 is None or self.n10 is None:
            return promises(self.evidence, self.a)
        a, b = self.names
        cases = rounding.count(self.n01 + self.n10, "case")
        disagree = words.DISAGREE.format(cases=cases, a=a, b=b, n01=self.n01, n10=self.n10)
        return [disagree, words.OF_MCNEMAR]

    def conditions(self) -> list[str]:
        """Return the conditions under which the claims hold, and count the claims."""
        together = ""
        if self.guarantee == "exact" and 3 * self.delta < 1:
            together = words.TOGETHER.format(sure=rounding.sure(3 * self.delta))
        *of_one, _ = self.a.conditions()
        margin = [words.MARGIN] if self.margin is not None else []
        return [*of_one, words.CLAIMS.format(together=together), words.CHOSEN, *margin]

    def _numbers(self) -> dict[str, object]:
        return super()._numbers() | {"evidence": asdict(self.evidence)}

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
    if units is None and scale.rate:
        n01, n10 = int((gain > 0).sum()), int((gain < 0).sum())
        return counted_pair(a, b, n01, n10, names, margin)
    claim = difference_claim(gain, delta, units=units, seed=seed, method=method)
    facts: dict[str, Any] = {}
    if units is not None:
        facts["design_effect"] = design_effect_of(units.spread(gain))
        facts["groups_that_differ"] = int((units.sums(gain) != 0).sum())
        if np.ptp(units.sizes) > 0:
            by_group, alone = units.each_alike(gain)
            facts["group_difference"] = scale.difference(float(by_group.mean()))
            if method == "proven":
                alike = difference_claim(by_group, delta, units=alone, seed=seed)
                facts["group_claim"] = scale.difference_ends(alike.low, alike.high)
    low, high = scale.difference_ends(claim.low, claim.high)
    return PairReport(
        a=a,
        b=b,
        difference=scale.difference(float(gain.mean())),
        low=low,
        high=high,
        pvalue=claim.pvalue,
        delta=delta,
        names=names,
        margin=margin,
        guarantee=claim.guarantee,
        interval_guarantee=claim.guarantee,
        method=claim.method,
        **facts,
    )


def counted_pair(
    a: Report,
    b: Report,
    n01: int,
    n10: int,
    names: tuple[str, str] = ("A", "B"),
    margin: float | None = None,
) -> PairReport:
    """Return the report of two from the cases that A alone got wrong, and those that B did."""
    # on which both are wrong, or right, is no matter
    table = [[0, n01], [n10, a.n - n01 - n10]]
    test = compare.paired_difference(table, method="exact", delta=a.delta)
    low, high = a.scale.difference_ends(*cast(Interval, test.interval))  # there is a difference
    return PairReport(
        a=a,
        b=b,
        difference=a.scale.difference((n01 - n10) / a.n),
        low=low,
        high=high,
        pvalue=float(test.pvalue),
        delta=a.delta,
        names=names,
        margin=margin,
        guarantee=test.guarantee,
        interval_guarantee=test.interval_guarantee or "none proven",
        method=means.MCNEMAR,
        n01=n01,
        n10=n10,
    )
