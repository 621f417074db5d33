"""What a test allows to claim of one classifier, and of two on the same cases.

Of labels or scores, of independent cases or of groups. The verdict on the second of two is that it
is better, worse, not worse by more than a margin, or that the test cannot tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab import compare
from errlab._core import rounding as words
from errlab._core.checks import FloatArray
from errlab._core.interval import Guarantee, Interval
from errlab._core.scale import RATES, Scale
from errlab._core.statement import Evidence, Statement, evidence
from errlab._numerics.groups import FEW, Groups, caution, described
from errlab.compare import mean_claims
from errlab.compare.mean_claims import BETTING, EXACT, difference_claim, mean_claim
from errlab.metrics.groups import design_effect_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The book's pages fill the same sentences from the reader's own counts.
RATE = "{errors} in {cases}: an error rate of {rate}."
SUCCESSES = "{errors} in {cases}: a success rate of {rate}."
BOUND = "With {sure} confidence the true {what} is at {most} {upper} ({how})."
ENDS = "The two-sided {sure} interval is {low} to {high}."
BASELINE = "Always answering {common} would be wrong on {rate} of these cases."
AT_END = "The mean is an end of it: the bets, in the order that was drawn, rule out even more."
EACH_ALIKE = (
    "The mean over groups, where each group counts alike, is {rate}: with {sure} confidence the "
    "true one is at {most} {upper}, and the two-sided interval is {low} to {high} (the same bets "
    "on the group means; finite sample)."
)
CASES = (
    "the cases are independent draws from the population that the claim is about",
    "none of them was used to train, tune or choose the classifier",
)
GROUPS = (
    "the groups are independent draws from the population that the claim is about; cases of one "
    "group may resemble each other"
)
ALONE = (
    "the test set was used for this report alone; the bound and the interval are two claims, each "
    "by itself"
)
# Of two.
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
EACH_ALIKE_OF_TWO = (
    "Of the mean over groups, where each group counts alike, it is {difference}{unit}, {sure} "
    "interval {low} to {high}{unit} (the same bets on the group means; finite sample)."
)
CLAIMS = (
    "the test set was used for this report alone; the two bounds and the comparison are three "
    "claims, each by itself{together}"
)
TOGETHER = " (together they hold with at least {sure} confidence)"
CHOSEN = "the pair was chosen before the test, not as the best of many"


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
    def seen(self) -> str:
        """What was counted, in words."""
        if self.errors is None:
            return words.count(self.n, "score")
        if not self.scale.higher_is_better:
            return words.errors(self.errors)
        right = self.n - self.errors
        return f"{right} success{'' if right == 1 else 'es'}"

    @property
    def places(self) -> int:
        """Decimals that the estimate deserves."""
        return self.scale.places(self.high - self.low)

    def gaps(self, *numbers: float) -> dict[str, str]:
        """Fill the gaps of the sentences: an estimate, its bound and both ends, rounded outward."""
        estimate, bound, low, high = numbers or (self.estimate, self.bound, self.low, self.high)
        places = self.scale.places(high - low)
        # the bad side is above for errors, below for scores
        better = self.scale.higher_is_better
        return {
            "sure": words.sure(self.delta),
            "what": self.scale.what,
            "most": "least" if better else "most",
            "upper": self.scale.show(bound, places, "down" if better else "up"),
            "low": self.scale.show(low, places, "down"),
            "high": self.scale.show(high, places, "up"),
            "rate": self.scale.show(estimate, places),
        }

    def sentences(self) -> list[str]:
        """Return the claim, sentence by sentence."""
        gaps = self.gaps()
        found = evidence_of(self, self, "bound", self.groups_with_errors)
        how = f"exact {EXACT}"
        if self.method != EXACT:
            how = f"{self.method}; {promised(found, self.method, self)}"
        # the first sentence says what was seen, the last ones what else may be asked
        apart, alike = over_groups(self, "mean", self.group_mean, EACH_ALIKE)
        errors = ""
        if self.scale.rate:
            hold = "holds" if self.groups_with_errors == 1 else "hold"
            errors = f"{self.groups_with_errors} of them {hold} an error"
        return [
            *([found.weakness] if found.weakness else []),
            *apart,
            self._first(gaps["rate"]),
            *of_groups(self, errors, self.design_effect, "", self.guarantee == "asymptotic"),
            BOUND.format(**gaps, how=how),
            ENDS.format(**gaps),
            *self._at_end(),
            *alike,
            *self.beside(),
        ]

    def _first(self, rate: str) -> str:
        """Return what was seen."""
        if self.errors is None:
            ends = f"[{self.scale.low:g}, {self.scale.high:g}]"
            return f"{self.seen} in {ends}: a mean of {rate}."
        sentence = SUCCESSES if self.scale.higher_is_better else RATE
        return sentence.format(errors=self.seen, cases=words.count(self.n, "test case"), rate=rate)

    def _at_end(self) -> list[str]:
        """Say why the mean is an end of its interval, where it is one inside of the range."""
        room = 1e-12 * self.scale.span
        inside = self.scale.low + room < self.estimate < self.scale.high - room
        at_end = min(self.estimate - self.low, self.high - self.estimate) < room
        return [AT_END] if self.method == BETTING and inside and at_end else []

    def beside(self) -> list[str]:
        """Return the sentence about the classifier that always gives the same answer."""
        if self.baseline is None:
            return []
        rate = self.scale.show(self.baseline, self.places)
        return [BASELINE.format(common=self.common, rate=rate)]

    def conditions(self) -> list[str]:
        """Return the conditions under which the claims hold."""
        draws = CASES[0] if self.groups is None else GROUPS
        largest = []
        if self.groups is not None and self.guarantee == "finite sample":
            largest = [mean_claims.LARGEST.format(most=self.max_group_size)]
        order = [mean_claims.ORDER] if self.method == BETTING else []
        return [draws, *largest, CASES[1], *order, ALONE]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the estimate, its bound and its interval on one line; return the Axes."""
        from errlab.statements.report._plot import plot_report

        return plot_report(self, ax=ax)


def evidence_of(claim: Report | PairReport, one: Report, kind: str, events: int | None) -> Evidence:
    """Return what is proven of a claim, or was measured of claims like it.

    `events` counts the groups with an error, of two those in which they differ.
    """
    sized = (one.effective_groups, "effective groups") if one.effective_groups else (one.n, "cases")
    seen = {} if events is None else {"groups with an error": float(events)}
    return evidence(
        claim.guarantee, claim.method, *sized, kind=kind, delta=one.delta, door="report", seen=seen
    )


def promised(found: Evidence, method: str, one: Report) -> str:
    """Say what is proven of a claim and for how many of what, or what was measured of it."""
    said = found.brief if found.weakness else found.words
    if found.guarantee == "finite sample":
        sized = f"groups of at most {one.max_group_size} cases" if one.groups else "cases"
        said += f": proven for every number of {sized}"
    bets = (BETTING, mean_claims.BETTING_GROUPS, mean_claims.BETS, mean_claims.BETS_GROUPS)
    return said + (", and wider for it than method='t'" if method in bets else "")


def of_groups(report: Report, seen: str, effect: float | None, what: str, rough: bool) -> list[str]:
    """Return the sentences about the groups: how many, how unequal, and what they tell.

    `seen` says in how many of them something was seen, and `rough` whether something is claimed
    for many groups only; see `caution`.
    """
    if report.groups is None or not report.effective_groups or not report.largest_group:
        return []
    parts = [described(report.groups, report.effective_groups, report.largest_group)]
    if effect is None:
        parts.append("they are all equal, so that no design effect can be seen")
    else:
        parts += [seen] if seen else []
        if report.effective_groups >= FEW:  # estimated from a few groups it would pass for a fact
            size = report.n / max(effect, 1.0)
            parts.append(
                f"the design effect{what} is {effect:.{int(effect < 10)}f}, so that they tell "
                f"about as much as {size:.0f} independent cases"
            )
    warning = caution(report.effective_groups) if rough else []
    return [f"The cases come in {'; '.join(parts)}.", *warning]


def over_groups(
    report: Report | PairReport, kind: str, group: float | None, sentence: str
) -> tuple[list[str], list[str]]:
    """Say what is proven of the mean over groups, `group`, where they differ in size.

    Say first where it and the mean over cases are not the same thing.
    """
    if report.group_claim is None or group is None:
        return [], []
    # each mean in the interval of the other: then nothing has to be said apart
    low, high = report.group_claim[-2:]
    near = between(group, report.low, report.high) and between(report.estimate, low, high)
    gaps = report.gaps(group, *report.group_claim)
    apart = (
        f"Mind which {kind} you ask for: over the cases it is {report.gaps()['rate']}, over the "
        f"groups, where each counts alike, {gaps['rate']}, and what is claimed of one does not "
        "hold for the other."
    )
    return [] if near else [apart], [sentence.format(**gaps | {"sure": words.sure(report.delta)})]


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
    claim = mean_claim(values, delta, rate=scale.rate, units=units, seed=seed, method=method)
    n = len(values)
    errors = int(values.sum()) if scale.rate else None
    # from the count, so that 0.68 is not 0.6799999
    estimate = scale.score(float(values.mean()) if errors is None else errors / n)
    low, high = scale.ends(claim.low, claim.high)
    seen: dict[str, Any] = {}
    if units is not None:
        seen = units.facts | {
            "design_effect": design_effect_of(units.spread(values)),
            "groups_with_errors": int((units.sums(values) > 0).sum()),
        }
        if np.ptp(units.sizes) > 0:
            means, alike = units.each_alike(values)
            seen["group_mean"] = scale.score(float(means.mean()))
            if method == "proven":
                of_means = mean_claim(means, delta, rate=False, units=alike, seed=seed)
                ends = scale.ends(of_means.low, of_means.high)
                seen["group_claim"] = (scale.score(of_means.upper), *ends)
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
        **constant(y_true),
        **seen,
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
            worse = BETTER.format(better=a, worse=b, level=level)
            return worse if self.verdict == "worse" else NEITHER
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
        of_bounds = [evidence_of(r, r, "bound", r.groups_with_errors) for r in rough[:1]]
        of_test = evidence_of(self, self.a, "interval", self.groups_that_differ)
        bounds = [
            f"{rough[0].method}; {promised(found, rough[0].method, self.a)}" for found in of_bounds
        ]
        many_only = bool(rough) or self.guarantee == "asymptotic"
        # a count of cases that only one gets wrong, where cases are independent and right or wrong
        disagree: list[str] = []
        if self.n01 is not None and self.n10 is not None:
            cases = words.count(self.n01 + self.n10, "case")
            counts = {"cases": cases, "n01": self.n01, "n10": self.n10}
            disagree = [DISAGREE.format(**counts, a=a, b=b, chance=chance)]
            how = OF_MCNEMAR
        else:
            test = self.method if self.method == mean_claims.BETS else f"{self.method}, {chance}"
            how = f"{test}; {promised(of_test, self.method, self.a)}"
        apart, alike = over_groups(self, "difference", self.group_difference, EACH_ALIKE_OF_TWO)
        differ = f"the two differ in {self.groups_that_differ} of them"
        named = {"a": a, "b": b, "sure": words.sure(self.delta), "how": how}
        weak = [found.weakness for found in (of_test, *of_bounds) if found.weakness]
        return [
            *weak[:1],
            *apart,
            self.reading,
            *(self._of_one(name, report) for name, report in both.items()),
            *self.a.beside(),
            *(f"The two bounds hold each by itself ({how})." for how in bounds),
            *of_groups(self.a, differ, self.design_effect, " of the difference", many_only),
            *disagree,
            DIFFERENCE.format(**self.gaps(), **named, what=self.a.scale.name.capitalize()),
            *alike,
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
    if units is None and scale.rate:
        n01, n10 = int((gain > 0).sum()), int((gain < 0).sum())
        # on which both are wrong, or right, is no matter
        table = [[0, n01], [n10, a.n - n01 - n10]]
        test = compare.paired_difference(table, method="exact", delta=delta)
        low, high = cast(Interval, test.interval)  # there is a difference, and so an interval
        kinds = (test.guarantee, test.interval_guarantee or "none proven")
        pvalue = float(test.pvalue)
        way: str = mean_claims.MCNEMAR
        seen = {"n01": n01, "n10": n10}
    else:
        found = difference_claim(gain, delta, units=units, seed=seed, method=method)
        low, high, pvalue, kind, way = found
        kinds = (kind, kind)
    if units is not None:
        seen["design_effect"] = design_effect_of(units.spread(gain))
        seen["groups_that_differ"] = int((units.sums(gain) != 0).sum())
        if np.ptp(units.sizes) > 0:
            means, alike = units.each_alike(gain)
            seen["group_difference"] = turn * float(means.mean()) + 0.0
            if method == "proven":
                of_means = difference_claim(means, delta, units=alike, seed=seed)
                seen["group_claim"] = ends(of_means.low, of_means.high)
    return PairReport(
        a, b, turn * float(gain.mean()) + 0.0, *ends(low, high), pvalue, delta, names, margin,
        *kinds, way, **seen,
    )  # fmt: skip
