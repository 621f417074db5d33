"""Numbers in sentences, rounded outward, and precise enough not to contradict the verdict."""

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal

_UP = Context(prec=4, rounding=ROUND_CEILING)


def as_computed(value: float) -> Decimal:
    """Return a number without its last digits, which are rounding errors: 0.3, not 0.1 + 0.2."""
    return Decimal(f"{value:.12g}")


def decimals(value: float, digits: int, rounding: str = ROUND_HALF_EVEN) -> Decimal:
    """Round to `digits` decimals, or to more if a nonzero number would become 0."""
    exact = as_computed(value)
    rounded = exact.quantize(Decimal(1).scaleb(-digits), rounding)
    # a number too small for 12 decimals is printed as 0
    if rounded or not exact or digits > 12:
        return rounded
    return decimals(value, digits + 1, rounding)


def significant(value: float, digits: int, rounding: str) -> str:
    """Round one end of an interval outward to a number of significant digits."""
    rounded = Context(prec=digits, rounding=rounding).create_decimal(as_computed(value))
    return f"{float(rounded):.{digits}g}"


def format_interval(low: float, high: float) -> str:
    """Format an interval with three significant digits, rounded outward."""
    left = "above 0" if 0 < low < 1e-300 else significant(low, 3, ROUND_FLOOR)
    right = "below 0" if -1e-300 < high < 0 else significant(high, 3, ROUND_CEILING)
    return f"{left} to {right}"


def places(low: float, high: float) -> int:
    """Return the decimals for an interval: two digits of its width, three of its larger end."""
    # enough decimals for both the width and the larger end
    scales = [high - low, max(abs(low), abs(high)) / 10]
    return max((1 - math.floor(math.log10(scale)) for scale in scales if scale > 0), default=0)


def fixed(value: float, places: int, rounding: str = ROUND_HALF_EVEN) -> str:
    """Round to a number of decimals, or to more if the result would wrongly be -1, 0 or 1."""
    exact = as_computed(value)
    for digits in range(places, places + 16):
        rounded = exact.quantize(Decimal(1).scaleb(-digits), rounding, Context(prec=700))
        if all((rounded == whole) == (exact == whole) for whole in (-1, 0, 1)):
            return f"{float(rounded):.15g}"
    return format_near_integer(exact, rounded)


def format_near_integer(value: float | Decimal, whole: int | Decimal) -> str:
    """Write a value that rounds to a whole number as "above" or "below" it."""
    if value == whole:
        return f"{whole + 0:.0f}"  # 0, not -0
    return f"{'above' if value > whole else 'below'} {whole + 0:.0f}"


def format_confidence(delta: float) -> str:
    """Format the confidence as a percentage, rounded down and never 100%."""
    # nine digits, because 1 - 0.95 is slightly above 0.05 and must not print as 94.99%
    percent = 100 - 100 * _UP.create_decimal(f"{delta:.9g}")
    return f"{percent.normalize():f}%"


def format_pvalue(pvalue: float, delta: float) -> str:
    """Format a p-value with enough digits to compare it with `delta`."""
    floor = min(1e-4, delta / 10)
    if pvalue < floor:
        return f"p < {floor:.1g}"
    # add digits until the printed number is on the same side of delta
    for digits in range(2, 18):
        text = f"{pvalue:.{digits}g}"
        if (float(text) <= delta) == (pvalue <= delta):
            break
    return f"p = {text}"


def digits(low: float, high: float) -> int:
    """Return the decimals for a percentage: a tenth of its interval's width, and at least one."""
    width = 100 * (high - low)
    if width <= 0:
        return 1
    # one decimal for widths above a point, two for widths above a tenth of a point, and so on
    return max(1, min(12, math.ceil(1 - math.log10(width))))


def percent(
    value: float, outward: Callable[[float], float] = round, places: int | None = None
) -> str:
    """Format a percentage; an end of an interval is rounded outward, so the claim stays true."""
    if value in (0, 1):
        return f"{value:.0%}"
    if places is None:
        places = 1 if 0.001 <= value <= 0.999 else 3
    scale = 10**places
    steps = value * 100 * scale
    whole = round(steps)
    # a smaller excess is a rounding error in numbers such as 0.025
    if abs(steps - whole) > 1e-10 * whole:
        # outward, so that the printed end claims no more than the computed one
        whole = int(outward(steps))
    if whole == 0 and places < 9:  # a nonzero number must not print as 0
        return percent(value, outward, places + 1)
    # trailing zeros would suggest a precision that the number lacks
    if whole == 0 or (whole == 100 * scale and places > 1):
        return f"{whole // scale}%"
    return f"{whole / scale:.{places}f}%"


ROUNDING = {"near": ROUND_HALF_EVEN, "down": ROUND_FLOOR, "up": ROUND_CEILING}


def in_points(share: float, noun: str = "point") -> str:
    """Format the size of a difference in percentage points, without its sign."""
    number = f"{100 * share:.6g}"
    return f"{number} {noun}" if number == "1" else f"{number} {noun}s"


def count(number: int, noun: str) -> str:
    """Return a number with its noun, in the singular or plural."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
