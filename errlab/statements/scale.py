"""Scores on their own scale, and their losses in [0, 1]."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core import rounding as words
from errlab._core.checks import FloatArray
from errlab._core.interval import Interval

_OUTWARD: dict[str, Callable[[float], float]] = {"near": round, "down": math.floor, "up": math.ceil}


@dataclass(frozen=True)
class Scale:
    """The range of scores, and which end is good.

    Attributes
    ----------
    low, high : float
        The smallest and the largest possible score.
    higher_is_better : bool
        Whether the largest score is good, so that the loss is its distance from the score.
    rate : bool
        Whether all scores are 0 or 1, so that their mean is a rate, given in percent.
    """

    low: float = 0.0
    high: float = 1.0
    higher_is_better: bool = False
    rate: bool = True

    @property
    def what(self) -> str:
        """The quantity that a claim is about, in words."""
        if not self.rate:
            return "mean"
        return "success rate" if self.higher_is_better else "error"

    @property
    def name(self) -> str:
        """The estimated quantity, in words."""
        return {"error": "error rate", "mean": "mean score"}.get(self.what, self.what)

    @cached_property
    def good(self) -> float:
        """The end at which the loss is 0."""
        return self.high if self.higher_is_better else self.low

    @property
    def unit(self) -> float:
        """The factor for printing a difference: 100 for rates, which gives percentage points."""
        return 100.0 if self.rate else 1.0

    @property
    def room(self) -> float:
        """The largest difference of two scores by rounding alone."""
        return 1e-12 * max(abs(self.low), abs(self.high))

    @cached_property
    def span(self) -> float:
        """The length of the range."""
        return self.high - self.low

    def losses(self, scores: FloatArray) -> FloatArray:
        """Return the loss of each score: 0 at the good end, 1 at the other."""
        return np.clip(np.abs(scores - self.good) / self.span, 0.0, 1.0)

    def score(self, loss: float) -> float:
        """Return the score with this loss."""
        return self.good + self.difference(loss)

    def ends(self, low: float, high: float) -> Interval[float]:
        """Return the ends of an interval of losses as scores, the lower one first."""
        return Interval(*sorted((self.score(low), self.score(high))))

    def difference(self, gain: float) -> float:
        """Return the difference of scores that corresponds to a difference of losses."""
        # adding 0.0 turns -0.0 into 0.0
        return (-self.span if self.higher_is_better else self.span) * gain + 0.0

    def difference_ends(self, low: float, high: float) -> Interval[float]:
        """Return the interval for a difference of scores from that for losses, lower end first."""
        return Interval(*sorted((self.difference(low), self.difference(high))))

    def places(self, width: float) -> int:
        """Return the number of decimals for a number with an interval of this length."""
        return words.digits(0.0, width * self.unit / 100)

    def show(self, value: float, places: int | None, rounding: str = "near") -> str:
        """Format a number on this scale: a rate in percent, a score unchanged."""
        if self.rate:
            return words.percent(min(max(value, 0.0), 1.0), _OUTWARD[rounding], places)
        return f"{words.decimals(value, places or 0, words.ROUNDING[rounding]):f}"

    def show_difference(self, value: float, places: int | None, rounding: str = "near") -> str:
        """Format a difference with its sign; for rates, in percentage points."""
        rounded = words.decimals(value * self.unit, places or 0, words.ROUNDING[rounding])
        return f"{rounded:+f}" if rounded else words.format_near_integer(value, 0)


RATES = Scale()


def checked(
    scores: ArrayLike, name: str, within: ArrayLike | None, higher_is_better: bool
) -> tuple[FloatArray, Scale]:
    """Check scores and find their scale: a rate if all are 0 or 1 and no range is given."""
    if isinstance(scores, Mapping) or hasattr(scores, "columns"):
        got = f"got {type(scores).__name__}; several models go to errlab.models(scores=...)"
        raise TypeError(f"{name} must be the scores of one model, {got}")
    try:
        values = checks.numbers(scores, name, ndim=1)
    except TypeError as error:
        raise TypeError(f"{error}; labels go as y_true and y_pred") from None
    low, high = Interval(0.0, 1.0) if within is None else ends_of(within)
    outside = values[(values < low) | (values > high)]
    if outside.size:
        hint = "; give theirs as the range, such as 1 and 5" * (within is None)
        raise ValueError(
            f"{name} must lie in their range, {low:g} to {high:g}, got {checks.show(outside[0])}"
            f"{hint}"
        )
    # with an explicit range, scores are graded, even if all of them are 0 or 1
    binary = within is None and bool(np.isin(values, (0, 1)).all())
    return values, Scale(low, high, higher_is_better, binary)


def ends_of(value: ArrayLike) -> Interval[float]:
    """Check the smallest and the largest score of the range."""
    ends = checks.within(value, "range", -checks.LARGE, checks.LARGE, ndim=1)
    checks.require(len(ends) == 2, "range", "hold two numbers", len(ends))
    low, high = ends.tolist()
    if not low < high:
        raise ValueError(f"range must be the smallest and the largest score, got {low:g}, {high:g}")
    return Interval(low, high)
