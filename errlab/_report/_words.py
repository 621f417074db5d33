"""The words that all reports share."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN

from errlab._rounding import chance, decimals, sure

__all__ = [
    "CASES",
    "CONDITIONS",
    "chance",
    "count",
    "digits",
    "errors",
    "percent",
    "points",
    "sure",
]

CASES = (
    "the cases are independent draws from the population that the claim is about",
    "none of them was used to train, tune or choose the classifier",
)
CONDITIONS = (
    *CASES,
    "the test set was used for this report alone; the bound and the interval are two claims, each "
    "by itself",
)


def digits(low: float, high: float) -> int:
    """Decimals of a percentage that a test deserves: a tenth of its interval, at least one."""
    width = 100 * (high - low)
    return max(1, min(12, math.ceil(1 - math.log10(width)))) if width > 0 else 1


def percent(
    value: float, outward: Callable[[float], float] = round, places: int | None = None
) -> str:
    """Give a percentage; the end of an interval is rounded outward, so the claim stays true."""
    if value in (0, 1):
        return f"{value:.0%}"
    if places is None:
        places = 1 if 0.001 <= value <= 0.999 else 3
    scale = 10**places
    steps = value * 100 * scale
    whole = round(steps)
    if abs(steps - whole) > 1e-10 * whole:  # less is the rounding of a number such as 0.025
        whole = int(outward(steps))
    if whole == 0 and places < 12:  # a number other than 0 is not printed as 0
        return percent(value, outward, places + 1)
    return f"{whole / scale:.{places}f}%"


_WAY = {"near": ROUND_HALF_EVEN, "down": ROUND_FLOOR, "up": ROUND_CEILING}


def points(value: float, places: int, way: str = "near") -> str:
    """Give a difference in percentage points with its sign; more places where it would be 0."""
    rounded = decimals(100 * value, places, _WAY[way])
    if rounded:
        return f"{rounded:+f}"
    return "0" if value == 0 else f"{'above' if value > 0 else 'below'} 0"


def count(number: int, noun: str) -> str:
    """Count something in words."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def errors(number: int) -> str:
    """Count errors in words."""
    return count(number, "error")
