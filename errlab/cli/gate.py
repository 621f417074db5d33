"""The gate: whether a new system may replace an old one, and what would change the answer."""

import math
from collections.abc import Callable
from decimal import ROUND_CEILING
from typing import NamedTuple

from errlab._core.rounding import significant
from errlab._numerics.roots import normal_quantile
from errlab.statements.plan import approximate_size
from errlab.statements.report import PairReport

_RED = {"worse": 1, "cannot tell": 3}  # exit codes of the verdicts that stop a build
_POWER = 0.8
_EQUAL = "both are equally good"
_AS_SEEN = "the difference is as seen"


class Gate(NamedTuple):
    """The verdict of a gate.

    Attributes
    ----------
    exit_code : int
        0 if the new system is better, or not worse by more than the margin; 1 if it is worse; 3 if
        the test can't decide.
    reason : str
        Why the gate is green or red, and what would make it green.
    sizes : dict of int or None
        About how many examples (or groups) make it green with a power of 80%, for each assumption
        about the true difference; None for more than two million.
    margin : float or None
        If it is red, the smallest margin with which it would be green.
    """

    exit_code: int
    reason: str
    sizes: dict[str, int | None]
    margin: float | None = None


def gate(result: PairReport, asymptotic: Callable[[], PairReport]) -> Gate:
    """Judge the second of two systems.

    `asymptotic` returns the same report by a t test, whose standard error shows how many groups or
    graded scores are needed.
    """
    answer = str(result).splitlines()[1]
    # a difference within the margin is green, even if it is significant
    if result.within_margin or result.verdict not in _RED:
        return Gate(0, f"Green (exit 0): {answer}", {})
    code = _RED[result.verdict]
    gain, lowest = result.difference, result.low
    if result.a.scale.higher_is_better:
        gain, lowest = -gain, -result.high
    # what the next test has to show: a difference above the margin, or above margin + `gain`
    margin = result.margin or 0.0
    distances = {_EQUAL: margin, _AS_SEEN: margin + gain}
    if result.margin is None or result.verdict == "worse":
        del distances[_EQUAL]
    elif gain >= 0:
        del distances[_AS_SEEN]
    if min(distances.values()) <= 0:
        distances = {}  # more examples can't help
    sizes = {}
    needs = []
    unit = " groups" if result.a.groups else " examples"
    for assumption, distance in distances.items():
        size = _size(result, distance, asymptotic)
        sizes[assumption] = size
        number = "more than two million" if size is None else f"about {float(f'{size:.2g}'):,.0f}"
        needs.append(f"{number}{unit} if {assumption}")
        unit = ""
    if result.warnings():  # cautions are printed, too, and the whole message has at most 80 words
        needs = needs[:1]
    enough = significant(-lowest, 2, ROUND_CEILING)
    if needs:
        remedy = f"Green takes {', '.join(needs)}."
    elif float(enough) < result.a.scale.span:
        remedy = f"Only a better system, or a --margin of {enough} set beforehand, is green."
    else:
        remedy = "These examples would not even pass the largest margin; take more of them."
    return Gate(code, f"Red (exit {code}): {answer} {remedy}", sizes, -lowest)


def _size(result: PairReport, distance: float, asymptotic: Callable[[], PairReport]) -> int | None:
    """Return about how many examples or groups show a difference; None above two million."""
    log_level = math.log(2 / result.delta)
    if result.n01 is None or result.n10 is None:
        # solve Bernstein's bound: spread sqrt(2 L / n) + span L / n, with L = log(2 / delta)
        approximate = asymptotic()
        error = (approximate.high - approximate.low) / 2 / normal_quantile(result.delta / 2)
        spread = error * math.sqrt(result.a.groups or result.n)
        reach = spread * (math.sqrt(2 * log_level) + normal_quantile(1 - _POWER))
        linear = 4 * distance * log_level * result.a.scale.span
        return math.ceil(((reach + math.sqrt(reach**2 + linear)) / (2 * distance)) ** 2)
    disagree = (result.n01 + result.n10) / result.n
    if disagree == 0:  # the sample size if the two systems never disagree
        return math.ceil(-log_level / math.log1p(-distance))
    try:  # an approximation, because the exact number takes seconds
        return approximate_size(distance, disagree, _POWER, result.delta)
    except ValueError:
        return None
