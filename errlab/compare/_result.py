"""The result of a comparison: its numbers, and sentences whose verdict agrees with the interval.

A difference is always the error of A minus the error of B, so a positive one means that B is
better.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, cast

import numpy as np

from errlab._core import checks, rounding
from errlab._core.checks import FloatArray, FloatOrArray, Names
from errlab._core.conditions import LARGEST_GROUP, OF_COMPARISONS
from errlab._core.interval import Guarantee, Interval
from errlab._core.statement import Statement

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Number = TypeVar("Number", covariant=True, bound=FloatOrArray, default=FloatOrArray)
else:
    from typing import TypeVar

    Number = TypeVar("Number")

# `Any`, because only few methods return None and the callers of the others needn't check, as for
# re.Match.group
MaybeNone = Any
A_AND_B: Names = ("A", "B")
UNKNOWN: Guarantee = "none proven"
_NEXT_TO_0 = np.finfo(float).tiny
_NO_SPREAD = (
    "Caution: all differences are equal, and this test judges them by their spread: it shows "
    "nothing here."
)


class Posterior(NamedTuple):
    """Posterior probabilities of the three answers; they sum to 1."""

    a_better: FloatOrArray
    equivalent: FloatOrArray
    b_better: FloatOrArray


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonResult(Statement, Generic[Number]):
    """The result of a comparison of A and B, printed as two lines, in a notebook as HTML.

    Attributes
    ----------
    method : str
        Key of the method in `COMPARISONS`.
    name : str
        Full name of the method.
    statistic : float or ndarray
        Its test statistic.
    pvalue : float, ndarray or None
        Two-sided p-value; None for a Bayesian method.
    estimate : float, ndarray or None
        Estimated difference: A minus B, so a positive one means that B is better. None if more than
        two classifiers are compared.
    delta : float
        Level of the test; the interval's confidence is ``1 - delta``.
    names : tuple of str
        Names of A and B.
    quantity : str
        The quantity that `estimate` and `interval` are about.
    counts : tuple of int or None
        For a paired table: the numbers of examples that only A, and only B, gets wrong.
    guarantee : {"exact", "finite sample", "asymptotic", "none proven"}
        What is proven about the level of the test. "exact": under the test's own model it is never
        exceeded; "finite sample": the same, by an inequality; "asymptotic": in the limit of many
        examples.
    interval_guarantee : {"exact", "finite sample", "asymptotic", "none proven"} or None
        The same for the coverage of the interval.
    posterior : Posterior or None
        Probabilities of the three answers, for a Bayesian method.
    interval : Interval or None
        ``(low, high)`` around `estimate`, computed on first use. It excludes 0 if and only if
        ``pvalue <= delta``; if p equals delta, the end is the float next to 0. None if there is no
        single difference, or if the test rejects every difference; among several comparisons such
        an interval is ``nan`` to ``nan``.
    limits : callable or None
        ``limits(delta=...)`` computes the interval at any level. It is a module-level function with
        its data filled in, so that results can be pickled.
    takes : str
        The kind of input, such as "paired losses", which determines the conditions.
    reading : str
        The second line: a sentence with the verdict.
    """

    statistic: Number
    pvalue: Number | MaybeNone
    estimate: Number | MaybeNone
    limits: Callable[..., Interval[FloatArray]] | None = None
    delta: float = 0.05
    guarantee: Guarantee = UNKNOWN
    interval_guarantee: Guarantee | None = None
    names: tuple[str, ...] = A_AND_B
    quantity: str = "error of {a} minus error of {b}"
    posterior: Posterior | None = None
    counts: tuple[int, int] | None = None
    method: str = ""
    name: str = ""
    takes: str = field(default="", repr=False)

    # computed on first use, because some methods search for the ends
    @cached_property
    def interval(self) -> Interval[Number] | None:
        """The interval for the difference, or None."""
        if self.limits is None:
            return None
        ends: Interval[FloatArray] = self.limits(delta=self.delta)
        # a posterior has no test that its interval could contradict
        if self.pvalue is not None:
            ends = settle(ends, self.pvalue, self.estimate, self.delta)
            if np.ndim(ends.low) == 0 and np.isnan(ends.low):
                return None
        return cast("Interval[Number]", Interval(*map(checks.plain, ends)))

    @property
    def reading(self) -> str:
        """The second line: the verdict with its test and guarantee."""
        return self._lines()[1]

    def warnings(self) -> list[str]:
        """Return a caution if the differences have no spread, so that the test shows nothing."""
        ends = self.interval if np.ndim(self.statistic) == 0 else None
        return [_NO_SPREAD] if ends is not None and ends.low == -np.inf else []

    def conditions(self) -> list[str]:
        """Return the conditions of the level; for bets these include the largest group."""
        conditions = [*OF_COMPARISONS.get(self.takes, ())]
        if self.takes == "grouped losses" and self.guarantee == "finite sample":
            conditions.insert(1, LARGEST_GROUP)
        return conditions

    def sentences(self) -> list[str]:
        """Return the value with its interval, and the verdict; for many tests, how many differ."""
        value, verdict = f"{self._value()}.", f"{self._verdict()} ({self._source()})."
        return [*self.warnings(), value, verdict]

    def _numbers(self) -> dict[str, object]:
        low, high = self.interval or (None, None)
        # method and name come first
        numbers = {"method": "", "name": ""} | asdict(self) | {"low": low, "high": high}
        del numbers["limits"], numbers["takes"]
        if self.counts is None:
            del numbers["counts"]
        return numbers

    def _value(self) -> str:
        if np.ndim(self.statistic):
            return f"{np.size(self.statistic)} comparisons"
        if self.estimate is None:
            return f"The statistic is {self.statistic:.4g}"
        value = f"The {self.quantity} is {self.estimate:.3g}"
        if self.counts is not None:  # the winner follows from the counts
            cases = rounding.count(self.counts[0], "example")
            value = (
                f"Only {self.names[0]} is wrong on {cases}, only {self.names[1]} on "
                f"{self.counts[1]}: the {self.quantity} is {self.estimate:.3g}"
            )
        if self.interval is None:
            return value
        ends = rounding.format_interval(float(self.interval.low), float(self.interval.high))
        return f"{value}, {rounding.format_confidence(self.delta)} interval {ends}"

    def _verdict(self) -> str:
        if self.posterior is not None:
            return _of_posterior(self.posterior, self.names)
        # p = delta rejects, because the interval then excludes 0
        rejects = np.less_equal(self.pvalue, self.delta)
        level = f"at level {self.delta:g}"
        if rejects.ndim:
            number = np.count_nonzero(rejects)
            return f"{number} of {rejects.size} comparisons show a difference {level}"
        if self.estimate is None:
            verdict = "differ" if rejects else "are not shown to differ"
            return f"The classifiers' errors {verdict} {level}"
        if self.interval is None:
            return f"The differences are not all zero {level}, but no one difference fits them"
        if rejects:
            return f"{self.names[self.estimate > 0]} is better {level}"
        return f"Neither is shown to be better {level}"

    def _source(self) -> str:
        """Return the method, its p-value and its guarantee."""
        source = self.name
        if self.pvalue is not None and np.ndim(self.pvalue) == 0:
            source += f", {rounding.format_pvalue(float(self.pvalue), self.delta)}"
        source += f"; guarantee: {self.guarantee}"
        if self.interval_guarantee not in (None, self.guarantee):
            source += f", of its interval: {self.interval_guarantee}"
        return source


def settle(
    ends: Interval[FloatOrArray], pvalue: FloatOrArray, estimate: FloatOrArray, delta: float
) -> Interval[FloatArray]:
    """Move ends that are 0 except for rounding to the side of 0 that the p-value requires.

    Test and interval are computed in two ways, whose rounding errors may differ if p and `delta`
    agree to the last digits. If the test rejects 0 and the estimate is 0, it rejects every
    difference: the interval is ``nan`` to ``nan``.
    """
    sign = np.sign(estimate)
    # If the test accepts, 0 belongs to the interval. If it rejects, the end near 0 must exclude 0.
    # If it rejects and the estimate is 0, no difference is left.
    accepts = np.asarray(pvalue) > delta
    low = np.select(
        [accepts, sign > 0, sign == 0],
        [np.minimum(ends.low, 0.0), np.maximum(ends.low, _NEXT_TO_0), np.nan],
        ends.low,
    )
    high = np.select(
        [accepts, sign < 0, sign == 0],
        [np.maximum(ends.high, 0.0), np.minimum(ends.high, -_NEXT_TO_0), np.nan],
        ends.high,
    )
    return Interval(low, high)


def _of_posterior(posterior: Posterior, names: tuple[str, ...]) -> str:
    """Return the probabilities of the three answers; for many posteriors, the likeliest answers."""
    a, b = names
    if np.ndim(posterior.a_better):
        likeliest = np.argmax(np.stack(posterior), axis=0)
        counts = np.bincount(likeliest.ravel(), minlength=3)
        answers = (f"{a} better", "equivalent", f"{b} better")
        listed = ", ".join(map("{} for {}".format, counts, answers))
        return f"Of {likeliest.size} comparisons, the most probable answer is: {listed}"
    better, same, worse = map("{:.3g}".format, posterior)
    return (
        f"{a} is better with probability {better}, {b} with {worse}, and with {same} they are "
        "equivalent in practice"
    )
