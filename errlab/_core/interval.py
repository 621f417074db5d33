"""The two ends of an interval, as every function that has two ends returns them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Literal, NamedTuple

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    End = TypeVar("End", default=float, covariant=True)
else:
    from typing import TypeVar

    End = TypeVar("End", covariant=True)


Guarantee = Literal["exact", "finite sample", "asymptotic", "none proven"]  # what is proven


class Interval(NamedTuple, Generic[End]):
    """The two ends of an interval, floats or arrays."""

    low: End
    high: End
