"""Numbers in sentences: rounded outward, and never so far that they contradict their verdict."""

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal

_UP = Context(prec=4, rounding=ROUND_CEILING)


def as_computed(value: float) -> Decimal:
    """Return a number without its last digits, which are rounding errors: 0.3, not 0.1 + 0.2."""
    return Decimal(f"{value:.12g}")


def decimals(value: float, digits: int, rounding: str = ROUND_HALF_EVEN) -> Decimal:
    """Round to `digits` decimals, with more of them where a number other than 0 would become 0."""
    exact = as_computed(value)
    rounded = exact.quantize(Decimal(1).scaleb(-digits), rounding)
    # a number too small for 12 decimals is printed as 0
    if rounded or not exact or digits > 12:
        return rounded
    return decimals(value, digits + 1, rounding)


def significant(value: float, digits: int, rounding: str) -> str:
    """Round an end of an interval outward, to so many significant digits."""
    rounded = Context(prec=digits, rounding=rounding).create_decimal(as_computed(value))
    return f"{float(rounded):.{digits}g}"


def ends(low: float, high: float) -> str:
    """Give an interval in three significant digits, rounded outward; a bare 0 as what it is."""
    left = "above 0" if 0 < low < 1e-300 else significant(low, 3, ROUND_FLOOR)
    right = "below 0" if -1e-300 < high < 0 else significant(high, 3, ROUND_CEILING)
    return f"{left} to {right}"


def places(low: float, high: float) -> int:
    """Decimals for an interval: two digits of its width, three of its larger end."""
    # the larger need of the two: digits of the width, or digits of the end
    scales = [high - low, max(abs(low), abs(high)) / 10]
    return max((1 - math.floor(math.log10(scale)) for scale in scales if scale > 0), default=0)


def fixed(value: float, places: int, rounding: str = ROUND_HALF_EVEN) -> str:
    """Round to so many decimals, or to more where what is not 0 or 1 would become it."""
    exact = as_computed(value)
    for digits in range(places, places + 16):
        rounded = exact.quantize(Decimal(1).scaleb(-digits), rounding, Context(prec=700))
        if all((rounded == whole) == (exact == whole) for whole in (-1, 0, 1)):
            return f"{float(rounded):.15g}"
    return beside(exact, rounded)


def beside(value: float | Decimal, whole: int | Decimal) -> str:
    """Say on which side of a whole number a value is that would be printed as it."""
    if value == whole:
        return f"{whole + 0:.0f}"  # 0, not -0
    return f"{'above' if value > whole else 'below'} {whole + 0:.0f}"


def sure(delta: float) -> str:
    """Give the confidence as a percentage, never more of it than there is, and never 100%."""
    # nine digits: 1 - 0.95 is 0.05 and a little, and must not print as 94.99%
    percent = 100 - 100 * _UP.create_decimal(f"{delta:.9g}")
    return f"{percent.normalize():f}%"


def chance(pvalue: float, delta: float) -> str:
    """Give a p-value with as many digits as its comparison with `delta` needs."""
    floor = min(1e-4, delta / 10)
    if pvalue < floor:
        return f"p < {floor:.1g}"
    # digits until the printed number is on the same side of the level
    for digits in range(2, 18):
        text = f"{pvalue:.{digits}g}"
        if (float(text) <= delta) == (pvalue <= delta):
            break
    return f"p = {text}"


def digits(low: float, high: float) -> int:
    """Decimals of a percentage that a test deserves: a tenth of its interval, at least one."""
    width = 100 * (high - low)
    if width <= 0:
        return 1
    # one decimal for a width above a point, two for one above a tenth of a point, and so on
    return max(1, min(12, math.ceil(1 - math.log10(width))))


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
        # outward, so that the printed end claims no more than the computed one
        whole = int(outward(steps))
    if whole == 0 and places < 9:  # a number other than 0 is not printed as 0
        return percent(value, outward, places + 1)
    if whole == 0 or (whole == 100 * scale and places > 1):  # the zeros would claim digits
        return f"{whole // scale}%"
    return f"{whole / scale:.{places}f}%"


ROUNDING = {"near": ROUND_HALF_EVEN, "down": ROUND_FLOOR, "up": ROUND_CEILING}


def in_points(share: float, noun: str = "point") -> str:
    """Give a difference in percentage points, without its sign."""
    number = f"{100 * share:.6g}"
    return f"{number} {noun}" if number == "1" else f"{number} {noun}s"


def count(number: int, noun: str) -> str:
    """Count something in words."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
