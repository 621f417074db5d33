"""The two ends of an interval, as every function that has two ends returns them."""

from __future__ import annotations

from typing import Any, NamedTuple

FloatOrArray = Any  # a float where every argument is a scalar, otherwise a float64 array


class Interval(NamedTuple):
    """The two ends of an interval, floats or arrays."""

    low: FloatOrArray
    high: FloatOrArray
