"""The interval that functions with a lower and an upper end return."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple

import numpy as np

from errlab._core import rounding
from errlab._core.checks import FloatOrArray
from errlab._core.conditions import CASES

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    End = TypeVar("End", default=float, covariant=True)
else:
    from typing import TypeVar

    End = TypeVar("End", covariant=True)


# what is proven about an interval
Guarantee = Literal["exact", "finite sample", "asymptotic", "none proven"]


class Interval(NamedTuple, Generic[End]):
    """The two ends of an interval, floats or arrays."""

    low: End
    high: End

    @property
    def details(self) -> str:
        """The claim, its method and its guarantee, one per line."""
        return "\n".join(f"{name}: {value}" for name, value in self.to_dict().items())

    def to_dict(self) -> dict[str, Any]:
        """Return the ends, the claim, the method and the guarantee."""
        words = dict(vars(self))
        if "assumes" in words:
            words["conditions"] = [*words.pop("assumes")]
        return self._asdict() | words


class IntervalClaim(Interval[End]):
    """An interval that prints its quantity, its method and its guarantee."""

    quantity: str
    method: str
    guarantee: Guarantee
    delta: FloatOrArray
    assumes: tuple[str, ...]

    def __repr__(self) -> str:
        """Return the two ends, like any other interval."""
        return f"Interval(low={self.low!r}, high={self.high!r})"

    def __str__(self) -> str:
        """Return the claim on one line; for arrays of intervals, the last one."""
        low_ends, high_ends = map(np.ravel, np.asarray(self))
        low, high = float(low_ends[-1]), float(high_ends[-1])
        ends = f"{rounding.percent(low, math.floor)} to {rounding.percent(high, math.ceil)}"
        if len(low_ends) > 1:
            ends = f"{len(low_ends)} of them, the last {ends}"
        confidence = rounding.format_confidence(float(np.ravel(self.delta)[-1]))
        source = f"{self.method}; {self.guarantee_words}"
        return f"{confidence} interval for {self.quantity}: {ends} ({source})."

    def conditions(self) -> list[str]:
        """Return the conditions under which the claim holds."""
        return [*self.assumes]

    @property
    def guarantee_words(self) -> str:
        """The guarantee as it is printed."""
        return self.guarantee.replace("none proven", "nothing proven")


def claim(
    ends: Interval[End],
    quantity: str,
    method: str,
    guarantee: Guarantee,
    delta: FloatOrArray,
    assumes: tuple[str, ...] = CASES,
) -> Interval[End]:
    """Return the interval with its claim, method and guarantee attached.

    >>> print(claim(Interval(0.0142, 0.0708), "the error", "Clopper-Pearson", "exact", 0.05))
    95% interval for the error: 1.4% to 7.1% (Clopper-Pearson; exact).
    """
    made = IntervalClaim(*ends)
    said = {"quantity": quantity, "method": method, "guarantee": guarantee, "delta": delta}
    vars(made).update(said, assumes=assumes)
    return made
