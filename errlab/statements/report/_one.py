"""The report on one classifier: its error or scores, from independent examples or groups."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from errlab._core import rounding
from errlab._core.checks import FloatArray, Labels
from errlab._core.evidence import method_key
from errlab._core.interval import Guarantee
from errlab._numerics.groups import Groups
from errlab.metrics._groups import design_effect_of
from errlab.statements import mean_claims as means
from errlab.statements.pictures import DASHED, SOLID, title, write_above
from errlab.statements.report import words
from errlab.statements.report._claim import ReportClaim, Sample
from errlab.statements.scale import RATES, Scale
from errlab.style import VERMILION, new_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, repr=False)
class Report(ReportClaim):
    """The claim about one classifier. It prints as text, shows as HTML and has a plot.

    All numbers are on the scale of the scores; a rate is in [0, 1].

    Attributes
    ----------
    estimate : float
        The observed error rate for labels, or mean score (the success rate for scores of 0 and 1).
    n : int
        Number of test examples.
    errors : int or None
        Number of errors; None for graded scores.
    delta : float
        Probability that a claim may fail.
    bound : float
        One-sided bound: an upper bound for errors, a lower bound for scores.
    low, high : float
        Two-sided interval.
    guarantee : str
        What is proven about `bound`, `low` and `high`.
    method : str
        The method of the bound and the interval, in words.
    scale : Scale
        Range of the scores, and which end is good.
    common : str or None
        The most frequent true label; None if all are the same.
    baseline : float or None
        Error rate of always predicting `common`, on the same examples.
    groups : int or None
        Number of groups, if groups were given.
    effective_groups, largest_group : float or None
        Number of groups of the same size with the same precision; fraction of the examples in the
        largest group.
    design_effect : float or None
        Ratio of the variance to that of as many independent examples.
    groups_with_errors : int or None
        Number of groups with an error, or with a loss above 0.
    max_group_size : int or None
        Largest possible size of a group, on which the proof depends.
    group_mean : float or None
        Mean over groups with equal weights, if they differ in size.
    group_claim : tuple of float or None
        Bound and both ends for that mean, if `method` is betting; None for groups of the same size,
        for which it is the mean over examples.
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

    simulated = "bound"
    noun = "mean"
    over_groups = words.ALIKE

    @property
    def rate(self) -> float:
        """The estimate for labels: the error rate."""
        return self.estimate

    @property
    def upper(self) -> float:
        """The upper bound for labels."""
        return self.bound

    @property
    def counted(self) -> str:
        """The counts, in words."""
        if self.errors is None:
            return rounding.count(self.n, "score")
        if not self.scale.higher_is_better:
            return rounding.count(self.errors, "error")
        right = self.n - self.errors
        return "1 success" if right == 1 else f"{right} successes"

    def _sample(self) -> Sample:
        """Return the examples and groups on which the claim is based."""
        return Sample(
            self.n,
            self.scale,
            self.groups,
            self.effective_groups,
            self.largest_group,
            self.max_group_size,
        )

    def _groups_with_event(self) -> int | None:
        """Return the number of groups with an error."""
        return self.groups_with_errors

    def _group_numbers(self) -> tuple[float, ...]:
        """Return the mean over groups with its bound and ends; empty without such a claim."""
        if self.group_mean is None or self.group_claim is None:
            return ()
        return (self.group_mean, *self.group_claim)

    def gaps(self, *numbers: float) -> dict[str, str]:
        """Return the texts that fill the sentences: estimate, bound and ends, rounded outward."""
        estimate, bound, low, high = numbers or (self.estimate, self.bound, self.low, self.high)
        scale = self.scale
        places = scale.places(high - low)
        # errors have an upper bound, scores a lower one
        side, outward = ("least", "down") if scale.higher_is_better else ("most", "up")
        return {
            "sure": rounding.format_confidence(self.delta),
            "what": scale.what,
            "most": side,
            "upper": scale.show(bound, places, outward),
            "low": scale.show(low, places, "down"),
            "high": scale.show(high, places, "up"),
            "rate": scale.show(estimate, places),
            "errors": self.counted,
        }

    def sentences(self) -> list[str]:
        """Return the claim: the value, the bound, and the evidence."""
        gaps, scale = self.gaps(), self.scale
        cases = rounding.count(self.n, "test example") + self.among(" in ")
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
            words.BOUND.format(**gaps, how=self._source(self.method)),
            *self._of_groups(event),
            *self._cautions[1:],
            *self._promises(),
            *self._at_end(),
            *self._of_means[1],
            *self.beside(),
        ]

    def among(self, link: str) -> str:
        """Return the words for examples in groups, or nothing."""
        return "" if self.groups is None else link + rounding.count(self.groups, "group")

    def _at_end(self) -> list[str]:
        """Return why the mean equals an end of its interval, if it does inside of the range."""
        scale, room = self.scale, self.scale.room
        inside = scale.low + room < self.estimate < scale.high - room
        at_end = min(self.estimate - self.low, self.high - self.estimate) < room
        return [words.AT_END] if self._in_an_order and inside and at_end else []

    @property
    def _in_an_order(self) -> bool:
        """Whether the claim depends on the order in which the scores were read."""
        return method_key(self.method) == means.BETTING.key

    def beside(self) -> list[str]:
        """Return the sentence about the classifier that always predicts the same label."""
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
            max_size = self.max_group_size or 0
            conditions.append(means.largest_condition(max_size, met, self.groups, self.delta))
        elif self.groups is None and self.max_group_size == 1:
            conditions.append(means.one_case_condition(self.n, self.delta))
        conditions.append(untouched)
        if self._in_an_order:
            conditions.append(means.ORDER)
        return [*conditions, words.ALONE]

    @styled
    def plot(self, ax: Axes | None = None) -> Axes:
        """Plot the claim with its bound and interval.

        Examples
        --------
        >>> import errlab
        >>> ax = errlab.report([0] * 200, [0] * 193 + [1] * 7).plot()
        >>> ax.get_title("left")
        'True error at most 6.5%'
        >>> errlab.report(scores=[1, 2, 5, 4] * 9, range=(1, 5)).plot().get_title("left")
        'True mean at least 2.5'
        """
        ax = new_axes(ax, figsize=(4.86, 2.9))
        scale, gaps = self.scale, self.gaps()
        sure, finding = gaps["sure"], f"at {gaps['most']} {gaps['upper']}"
        reach = [self.low, self.high, self.bound]
        ax.plot(reach[:2], [1, 1], "|-", **SOLID, label=f"two-sided {sure} interval")
        if self.group_claim is None:
            alike = f"bound, {sure} sure"
            # shade the values between the bound and the good end of the scale
            marker, sign = (">", -1) if scale.higher_is_better else ("<", 1)
            ax.plot(
                [scale.good, self.bound], [0, 0], f"--{marker}", color=VERMILION, lw=2,
                markevery=[1], label=f"{finding}, {sure} sure",
            )  # fmt: skip
            # around the interval, or from its better end on if that is close to the end of the
            # scale
            gone = [abs(end - scale.good) for end in reach]
            long = self.high - self.low
            near, far = min(gone) - 2 * long, min(scale.span, max(gone) + long / 2)
            if near <= 0:
                far = min(scale.span, 1.25 * max(gone))
                near = -0.01 * far
            limits = sorted(scale.good + sign * end for end in (near, far))
        else:
            alike = "each group alike, dashed"
            ends = self.group_claim[1:]
            label = f"{sure} interval, each group alike"
            ax.plot(ends, [0, 0], "|--", **DASHED, color=VERMILION, label=label)
            reach += ends
            pad, room = 0.15 * (max(reach) - min(reach)), 0.01 * scale.span
            limits = [
                max(min(reach) - pad, scale.low - room),
                min(max(reach) + pad, scale.high + room),
            ]
        label = f"{scale.name} on the test, {gaps['rate']}"
        ax.plot([self.estimate], [1], "o", color="0.2", label=label)
        key = rounding.count(self.n, "example" if scale.rate else "score") + self.among(" in ")
        if scale.rate and self.groups is None:
            key = f"{self.counted} in {rounding.count(self.n, 'test example')}"
        ax.set(xlim=limits, ylim=(-0.5, 2.1), yticks=[], xlabel=f"true {scale.what}")
        ax.locator_params(axis="x", nbins=5)
        if scale.rate:
            ax.xaxis.set_major_formatter("{x:.0%}")
        ax.spines["left"].set_visible(False)
        write_above(ax, f"{sure} interval\ndot: {label}", 1)
        write_above(ax, alike, 0)
        title(ax, f"True {scale.what} {finding}", key)
        return ax


class Basis(NamedTuple):
    """What all claims of a report share: examples, groups, confidence."""

    delta: float
    scale: Scale = RATES
    units: Groups | None = None
    seed: means.Draws = None
    method: str = "proven"


def single(losses: FloatArray, basis: Basis, y_true: Labels | None = None) -> Report:
    """Return the report for losses in [0, 1], on the scale of the original scores."""
    delta, scale, units, seed, method = basis
    claim = means.mean_claim(losses, delta, rate=scale.rate, units=units, seed=seed, method=method)
    errors = int(losses.sum()) if scale.rate else None
    facts: dict[str, Any] = {}
    if units is not None:
        facts |= units.facts
        facts["design_effect"], facts["groups_with_errors"] = of_units(losses, units)
    # with equal sizes the mean over groups is the mean over examples
    if units is not None and not units.one_size:
        by_group, alone = units.each_alike(losses)
        over_groups = single(
            by_group, basis._replace(scale=replace(scale, rate=False), units=alone)
        )
        facts["group_mean"] = over_groups.estimate
        if method == "proven":
            facts["group_claim"] = (over_groups.bound, over_groups.low, over_groups.high)
    labels = Counter([] if y_true is None else y_true.tolist())
    if len(labels) > 1:  # the error of always predicting the most frequent label
        label, times = labels.most_common(1)[0]
        facts |= {"common": repr(label), "baseline": 1 - times / labels.total()}
    return _report(claim, len(losses), errors, basis, facts)


def counted(errors: int, n: int, delta: float) -> Report:
    """Return the report for a count of errors in independent examples."""
    claim = means.count_claim(errors, n, delta)
    return _report(claim, n, errors, Basis(delta), {})


def of_units(values: FloatArray, units: Groups) -> tuple[float | None, int]:
    """Return the design effect of a mean, and the number of groups with a nonzero sum."""
    return design_effect_of(units.spread(values)), int((units.sums(values) != 0).sum())


def _report(
    claim: means.Claim, n: int, errors: int | None, basis: Basis, facts: dict[str, Any]
) -> Report:
    """Convert a claim about a mean loss to the scale of the scores."""
    scale = basis.scale
    estimate = scale.score(claim.estimate)
    low, high = scale.ends(claim.low, claim.high)
    return Report(
        estimate=estimate,
        n=n,
        errors=errors,
        delta=basis.delta,
        bound=scale.score(claim.upper),
        low=min(low, estimate),  # the ends contain the estimate except for rounding
        high=max(high, estimate),
        guarantee=claim.guarantee,
        method=claim.method,
        scale=scale,
        **facts,
    )
