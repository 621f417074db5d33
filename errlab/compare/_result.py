"""What a comparison returns, and how it says what was found.

One sign convention holds everywhere: a difference is the error of A minus the error of B, so a
positive one speaks for B.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import InitVar, asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, cast

import numpy as np

from errlab._core import checks
from errlab._core import rounding as words
from errlab._core.checks import FloatArray, FloatOrArray
from errlab._core.checks import Names as Names
from errlab._core.interval import Guarantee as Guarantee
from errlab._core.interval import Interval
from errlab._core.statement import Result

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Number = TypeVar("Number", default=FloatOrArray, covariant=True, bound=FloatOrArray)
else:
    from typing import TypeVar

    Number = TypeVar("Number", covariant=True)

Limits = Callable[[], Interval[FloatOrArray]]
# None for a few methods only, so that no caller of the others has to ask (as for re.Match.group)
MaybeNone = Any


class Posterior(NamedTuple):
    """Posterior probabilities of the three answers; they sum to 1."""

    a_better: FloatOrArray
    equivalent: FloatOrArray
    b_better: FloatOrArray


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonResult(Result, Generic[Number]):
    """The outcome of a comparison of A and B. It prints as one sentence and shows as HTML.

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
        Estimated difference: A minus B, so that a positive one speaks for B. None where more
        than two classifiers are compared.
    delta : float
        Level of the test; the interval is meant to hold with probability ``1 - delta``.
    names : tuple of str
        What A and B are called.
    quantity : str
        What `estimate` and `interval` are about.
    guarantee : {"exact", "finite sample", "asymptotic", "none proven"}
        What is known of the level of the test: it is kept for every sample size under the
        test's own model; kept, but by an inequality; kept in the limit; or nothing is proven.
    interval_guarantee : {"exact", "finite sample", "asymptotic", "none proven"} or None
        The same of the coverage of the interval.
    posterior : Posterior or None
        Probabilities of the three answers, for a Bayesian method.
    interval : Interval or None
        ``(low, high)`` around `estimate`, computed when first asked for. It excludes 0 if and
        only if ``pvalue <= delta``; where p equals delta, the end is the positive (or negative)
        number next to 0 that can be told from it. None where there is no single difference, or
        no difference that the test does not reject; among several comparisons such an interval
        is ``nan`` to ``nan``.
    reading : str
        One sentence that says what was found.
    """

    method: str
    name: str
    statistic: Number
    pvalue: Number | MaybeNone
    estimate: Number | MaybeNone
    delta: float
    guarantee: Guarantee
    interval_guarantee: Guarantee | None = None
    names: Names = ("A", "B")
    quantity: str = "error of A minus error of B"
    posterior: Posterior | None = None
    limits: InitVar[Limits | None] = None

    def __post_init__(self, limits: Limits | None) -> None:
        object.__setattr__(self, "_limits", limits)

    @cached_property
    def interval(self) -> Interval[Number] | None:
        """Interval for the difference; None where there is none."""
        limits: Limits | None = self.__dict__["_limits"]
        if limits is None:
            return None
        found = limits()
        if self.pvalue is not None and self.estimate is not None:
            found = settle(found, self.pvalue, self.estimate, self.delta)
            if np.isnan(found.low).all() and np.ndim(found.low) == 0:
                return None
        return cast("Interval[Number]", Interval(*map(checks.plain, found)))

    @property
    def reading(self) -> str:
        """One sentence for a person; for many tables at once, how many show a difference."""
        verdict, rest = _sentence(self)
        return f"{verdict}{rest}"

    def __repr__(self) -> str:
        """Return the reading."""
        return self.reading

    def _numbers(self) -> dict[str, object]:
        low, high = self.interval or (None, None)
        return asdict(self) | {"low": low, "high": high}

    def _repr_html_(self) -> str:
        verdict, rest = (html.escape(part) for part in _sentence(self))
        return f'<p class="errlab-report"><strong>{verdict}</strong>{rest}</p>'


_NEXT_TO_0 = float(np.finfo(float).tiny)


def settle(
    found: Interval[FloatOrArray], pvalue: FloatOrArray, estimate: FloatOrArray, delta: float
) -> Interval[FloatArray]:
    """Let the p-value decide on which side of 0 the ends are that are 0 but for rounding.

    Test and interval are computed in two ways, and where p is `delta` to the last digits their
    rounding errors may differ. Where the test rejects 0 and the estimate has no sign, no
    difference is left: the interval is ``nan`` to ``nan``.
    """
    low = np.asarray(found.low)
    high = np.asarray(found.high)
    centre = np.asarray(estimate)
    rejects = np.asarray(pvalue) <= delta
    # rejected: the end on the side of 0 is pushed off it, to the next number if need be
    low = np.where(rejects & (centre > 0), np.maximum(low, _NEXT_TO_0), low)
    high = np.where(rejects & (centre < 0), np.minimum(high, -_NEXT_TO_0), high)
    # not rejected: 0 belongs to the interval
    low = np.where(rejects, low, np.minimum(low, 0.0))
    high = np.where(rejects, high, np.maximum(high, 0.0))
    # rejected without a sign: no one difference is left
    none = rejects & (centre == 0)
    low = np.where(none, np.nan, low)
    high = np.where(none, np.nan, high)
    return Interval(low, high)


def _sentence(result: ComparisonResult) -> tuple[str, str]:
    """Return the verdict, and the rest of the sentence with the numbers."""
    if result.posterior is not None:
        return _of_posterior(result, result.posterior)
    rejects = np.less_equal(result.pvalue, result.delta)
    if rejects.ndim:
        return (
            f"{np.count_nonzero(rejects)} of {rejects.size} comparisons show a difference",
            f" at level {result.delta:g} ({result.name}; {_guaranteed(result)}).",
        )
    return _of_one_test(result, bool(rejects))


def _guaranteed(result: ComparisonResult) -> str:
    """Say what is proven of the level, and of the interval where that is something else."""
    own = result.interval_guarantee
    also = f", of its interval: {own}" if own not in (None, result.guarantee) else ""
    return f"guarantee: {result.guarantee}{also}"


def _of_one_test(result: ComparisonResult, rejects: bool) -> tuple[str, str]:
    """Return the verdict of one test, and its numbers."""
    level = f" at level {result.delta:g}"
    chance = words.chance(float(result.pvalue), result.delta)
    source = f"({result.name}, {chance}; {_guaranteed(result)})."
    if result.estimate is None:
        verdict = "differ" if rejects else "are not shown to differ"
        return f"The classifiers' errors {verdict}", f"{level} {source}"
    if result.interval is None:
        return (
            "The differences are not all zero",
            f"{level}, but no one difference fits them: {result.quantity} {result.estimate:.3g} "
            f"on average, no interval {source}",
        )
    low, high = result.interval
    verdict = "Neither is shown to be better"
    if rejects:
        verdict = f"{result.names[result.estimate > 0]} is better"
    return verdict, (
        f"{level}: {result.quantity} {result.estimate:.3g}, {words.sure(result.delta)} interval "
        f"{words.ends(float(low), float(high))} {source}"
    )


def _of_posterior(result: ComparisonResult, posterior: Posterior) -> tuple[str, str]:
    """Return the most probable answer, or the probabilities of the three of them."""
    a, b = result.names
    if np.ndim(posterior.a_better):
        most = np.argmax(np.stack(posterior), axis=0)
        answers = (f"{a} better", "equivalent", f"{b} better")
        counts = ", ".join(f"{np.count_nonzero(most == i)} for {w}" for i, w in enumerate(answers))
        return (
            f"Of {most.size} comparisons, the most probable answer is",
            f": {counts} ({result.name}; {_guaranteed(result)}).",
        )
    return (
        f"{a} is better with probability {posterior.a_better:.3g}, {b} with "
        f"{posterior.b_better:.3g}",
        f", and with {posterior.equivalent:.3g} they are equivalent in practice ({result.name}; "
        f"{_guaranteed(result)}).",
    )
