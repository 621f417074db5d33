"""What one test allows to claim: of labels or scores, of independent cases or of groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import rounding as words
from errlab._core.interval import Guarantee
from errlab._core.scale import RATES, Scale
from errlab._core.statement import Statement, earned
from errlab._numerics.groups import ALIKE, FEW, Groups, caution, described
from errlab.compare import _means
from errlab.compare._means import EXACT, counted, mean_claim
from errlab.metrics.groups import design_effect_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from errlab.statements.report._pair import PairReport

# The book's pages fill the same sentences from the reader's own counts.
RATE = "{errors} in {cases}: an error rate of {rate}."
SUCCESSES = "{errors} in {cases}: a success rate of {rate}."
BOUND = "With {sure} confidence the true {what} is at {most} {upper} ({how})."
ENDS = "The two-sided {sure} interval is {low} to {high}."
BASELINE = "Always answering {common} would be wrong on {rate} of these cases."
AT_END = "The mean is an end of it: the bets, in the order that was drawn, rule out even more."
PROVEN = (
    "The mean over groups, where each group counts alike, is {rate}; proven for every number of "
    "groups{price}: with {sure} confidence the true one is at {most} {upper}, and the "
    "two-sided interval is {low} to {high} (betting on the group means, read in a random order; "
    "finite sample)."
)
BETTING = (_means.BETTING, _means.BETTING_GROUPS)
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


@dataclass(frozen=True, repr=False)
class Report(Statement):
    """The claim that a test allows. It prints as text, shows as HTML and plots as a picture.

    All numbers are on the scale of the scores; a rate is in [0, 1].

    Attributes
    ----------
    estimate : float
        What was seen: of labels the error rate, of scores their mean (of 0 and 1 the success
        rate); where each group counts alike, the mean over groups.
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
    group_mean : float or None
        Mean over groups, where each counts alike.
    proven : tuple of float or None
        Bound and both ends for that mean, which are proven for every number of groups; None where
        they are `bound`, `low` and `high`.
    case_mean : float or None
        Mean over cases, where `estimate` is that over groups.
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
    group_mean: float | None = None
    proven: tuple[float, float, float] | None = None
    case_mean: float | None = None

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
        how = f"exact {EXACT}"
        if self.method != EXACT:
            how = f"{self.method}; {promised(self.guarantee, self.method, self, 'bound')}"
        # the first sentence says what was seen, the last ones what else may be asked
        apart, proven = over_groups(self, "mean", self.group_mean, PROVEN)
        return [
            *apart,
            self._first(gaps["rate"]),
            *of_groups(self, self.design_effect, "", self.guarantee == "asymptotic"),
            BOUND.format(**gaps, how=how),
            ENDS.format(**gaps),
            *self._at_end(),
            *proven,
            *self.beside(),
        ]

    def _first(self, rate: str) -> str:
        """Return what was seen."""
        if self.errors is None:
            over = ""
            if self.case_mean is not None:
                mean = self.scale.show(self.case_mean, self.places)
                over = f" over the groups, of {mean} over the cases"
            ends = f"[{self.scale.low:g}, {self.scale.high:g}]"
            return f"{self.seen} in {ends}: a mean of {rate}{over}."
        sentence = SUCCESSES if self.scale.higher_is_better else RATE
        return sentence.format(errors=self.seen, cases=words.count(self.n, "test case"), rate=rate)

    def _at_end(self) -> list[str]:
        """Say why the mean is an end of its interval, where it is one inside of the range."""
        room = 1e-12 * self.scale.span
        inside = self.scale.low + room < self.estimate < self.scale.high - room
        at_end = min(self.estimate - self.low, self.high - self.estimate) < room
        return [AT_END] if self.method in BETTING and inside and at_end else []

    def beside(self) -> list[str]:
        """Return the sentence about the classifier that always gives the same answer."""
        if self.baseline is None:
            return []
        rate = self.scale.show(self.baseline, self.places)
        return [BASELINE.format(common=self.common, rate=rate)]

    def conditions(self) -> list[str]:
        """Return the conditions under which the claims hold."""
        order = [_means.ORDER] if self.proven is not None or self.method in BETTING else []
        return [CASES[0] if self.groups is None else GROUPS, CASES[1], *order, ALONE]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the estimate, its bound and its interval on one line; return the Axes."""
        from errlab.statements.report._plot import plot_report

        return plot_report(self, ax=ax)


def promised(guarantee: Guarantee, method: str, one: Report, kind: str) -> str:
    """Say what is proven of a claim and for how many of what, or what was measured of it."""
    sized = (one.effective_groups, "effective groups") if one.effective_groups else (one.n, "cases")
    said = earned(guarantee, method, *sized, kind=kind, delta=one.delta)
    if guarantee == "finite sample":
        units = "groups, which count alike" if one.groups else "cases"
        said += f": proven for every number of {units}"
    wider = ", and wider for it than method='t'"
    return said + (wider if method in (*BETTING, _means.BETS) else "")


def of_groups(report: Report, effect: float | None, what: str, rough: bool) -> list[str]:
    """Return the sentences about the groups: how many, how unequal, and what they tell.

    `rough` says whether something is claimed for many groups only; see `caution`.
    """
    if report.groups is None or not report.effective_groups or not report.largest_group:
        return []
    said = ""
    if effect is None:
        said = "; they are all equal, so that no design effect can be seen"
    elif report.effective_groups >= FEW:  # estimated from a few groups it would pass for a fact
        said = f"; the design effect{what} is {effect:.{int(effect < 10)}f}, so that they tell "
        said += f"about as much as {report.n / max(effect, 1.0):.0f} independent cases"
    groups = described(report.groups, report.effective_groups, report.largest_group)
    warning = caution(report.effective_groups) if rough else []
    alike = [ALIKE] if report.case_mean is not None else []
    return [f"The cases come in {groups}{said}.", *warning, *alike]


def over_groups(
    report: Report | PairReport, kind: str, group: float | None, sentence: str
) -> tuple[list[str], list[str]]:
    """Say what is proven of the mean over groups, `group`.

    Say first where it and the mean over cases are not the same thing.
    """
    if report.proven is None or group is None:
        return [], []
    # each mean in the interval of the other: then nothing has to be said apart
    low, high = report.proven[-2:]
    near = between(group, report.low, report.high) and between(report.estimate, low, high)
    gaps = report.gaps(group, *report.proven)
    price = ", which costs width" if high - low > report.high - report.low else ""
    apart = (
        f"Mind which {kind} you ask for: over the cases it is {report.gaps()['rate']}, over the "
        f"groups, where each counts alike, {gaps['rate']}, and what is claimed of one does not "
        "hold for the other."
    )
    return [] if near else [apart], [sentence.format(**gaps, price=price)]


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
    given = np.asarray(losses, dtype=float)
    # what the claim is about: cases, or groups where each counts alike
    values, within = counted(given, scale.rate, units, method)
    claim = mean_claim(values, delta, rate=scale.rate, units=within, seed=seed, method=method)
    n = len(given)
    errors = int(given.sum()) if scale.rate else None
    # from the count, so that 0.68 is not 0.6799999
    estimate = scale.score(float(values.mean()) if errors is None else errors / n)
    low, high = scale.ends(claim.low, claim.high)
    seen: dict[str, Any] = {}
    if units is not None:
        means = units.sums(given) / units.sizes
        # beside a claim for many groups stands what bets on their means prove for any number
        if claim.guarantee != "finite sample":  # else it has been said
            bets = mean_claim(means, delta, rate=False, units=None, seed=seed)
            seen["proven"] = (scale.score(bets.upper), *scale.ends(bets.low, bets.high))
        if within is None:
            seen["case_mean"] = scale.score(float(given.mean()))
        seen |= {"groups": units.number, "effective_groups": units.effective}
        seen |= {"largest_group": float(units.shares.max())}
        seen |= {"design_effect": design_effect_of(units.spread(given))}
        seen |= {"group_mean": scale.score(float(means.mean()))}
    return Report(
        estimate, n, errors, delta, scale.score(claim.upper),
        min(low, estimate), max(high, estimate),  # it is there already, but for rounding
        claim.guarantee, claim.method if units is within else _means.BETTING_GROUPS, scale,
        *constant(y_true), **seen,
    )  # fmt: skip


def constant(y_true: Sequence[Any] | NDArray[Any]) -> tuple[str | None, float | None]:
    """Return the most frequent label as text, and how often it is wrong."""
    counts = Counter(np.asarray(y_true).tolist())
    if len(counts) < 2:
        return None, None
    label, times = counts.most_common(1)[0]
    return repr(label), 1 - times / counts.total()
