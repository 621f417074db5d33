"""Numbers in sentences: rounded outward, and never so far that they contradict their verdict."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal

_UP = Context(prec=4, rounding=ROUND_CEILING)


def as_computed(value: float) -> Decimal:
    """Return a number without its last digits, which are rounding errors: 0.3, not 0.1 + 0.2."""
    return Decimal(f"{value:.12g}")


def decimals(value: float, digits: int, rounding: str = ROUND_HALF_EVEN) -> Decimal:
    """Round to `digits` decimals, with more of them where a number other than 0 would become 0."""
    exact = as_computed(value)
    while True:
        rounded = exact.quantize(Decimal(1).scaleb(-digits), rounding=rounding)
        if rounded or not exact or digits > 12:
            return rounded
        digits += 1


def significant(value: float, digits: int, rounding: str) -> str:
    """Round an end of an interval outward, to so many significant digits."""
    rounded = Context(prec=digits, rounding=rounding).create_decimal(as_computed(value))
    return f"{float(rounded):.{digits}g}"


def ends(low: float, high: float) -> str:
    """Give an interval in three significant digits, rounded outward; a bare 0 as what it is."""
    left = "above 0" if 0 < low < 1e-300 else significant(low, 3, ROUND_FLOOR)
    right = "below 0" if -1e-300 < high < 0 else significant(high, 3, ROUND_CEILING)
    return f"{left} to {right}"


def sure(delta: float) -> str:
    """Give the confidence as a percentage, never more of it than there is, and never 100%."""
    percent = 100 - 100 * _UP.create_decimal(f"{delta:.9g}")  # 1 - 0.95 is 0.05 and a little
    return f"{percent.normalize():f}%"


def chance(pvalue: float, delta: float) -> str:
    """Give a p-value with as many digits as its comparison with `delta` needs."""
    least = min(1e-4, delta / 10)
    if pvalue < least:
        return f"p < {least:.4f}" if least == 1e-4 else f"p < {least:.1g}"
    for digits in range(2, 18):
        text = f"{pvalue:.{digits}g}"
        if (float(text) <= delta) == (pvalue <= delta):
            break
    return f"p = {text}"
