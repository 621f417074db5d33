"""How many test cases are needed: for an interval, for a difference, for "not worse"."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from errlab import holdout
from errlab._core import checks
from errlab._core.public import public
from errlab._core.rounding import sure
from errlab._core.statement import Result
from errlab._numerics.roots import first_whole, normal_quantile
from errlab.compare import mcnemar_power
from errlab.compare.power import margin_power

__all__ = ["Plan", "plan"]

_LARGEST = 2_000_000  # cases without the design effect; the power is summed over all tables


@dataclass(frozen=True)
class Plan(Result):
    """A number of test cases, and what it buys. It prints as one sentence.

    Attributes
    ----------
    n : int
        Test cases.
    independent : int
        As many independent cases do the same: n is this times the design effect, rounded up.
    buys : str
        What so many cases buy, in words.
    delta : float
        Probability that the interval fails; level of the test.
    power : float or None
        The power with `independent` cases, computed without approximation; None where only a
        width is asked for.
    design_effect : float
        By how much cases that come in groups tell less than as many independent ones.
    """

    n: int
    independent: int
    buys: str
    delta: float
    power: float | None
    design_effect: float

    def __int__(self) -> int:
        """Return the number of test cases."""
        return self.n

    def __index__(self) -> int:
        """Return the number of test cases."""
        return self.n

    def __repr__(self) -> str:
        """Return the plan as a sentence."""
        groups = ""
        if self.design_effect != 1:
            groups = f" (as {self.independent} independent ones, design effect "
            groups += f"{self.design_effect:g})"
        return f"{self.n} test cases{groups}: {self.buys}."


@public
def plan(
    *,
    error: float | None = None,
    half_width: float | None = None,
    difference: float | None = None,
    disagree: float | None = None,
    margin: float | None = None,
    power: float = 0.8,
    delta: float = 0.05,
    design_effect: float = 1.0,
) -> Plan:
    r"""Say how many test cases are needed, before there is one.

    There are three questions, each with the numbers that it needs:

    - ``plan(error=, half_width=)``: neither end of the two-sided Clopper-Pearson interval is
      further than `half_width` from the error rate that you expect.
    - ``plan(difference=, disagree=, power=)``: the exact McNemar test finds this difference of
      two error rates with this power, summed over all tables.
    - ``plan(margin=, disagree=, power=)``: with this power the interval of Fay and Lumbard has B
      worse by no more than the margin, if the two are equally good (or if `difference` is what
      it is).

    Of cases that come in groups, such as patients or prompts, `design_effect` times as many are
    needed: with groups of m cases and intraclass correlation :math:`\rho` it is
    :math:`1 + (m - 1) \rho`.

    Parameters
    ----------
    error : float
        Error rate that you expect, in [0, 1]. The worst is 0.5.
    half_width : float
        How far an end of the interval may be from it, in (0, 1).
    difference : float
        True error rate of A minus that of B: positive where B is better.
    disagree : float
        Share of the cases on which exactly one of the two is wrong, in (0, 1], at least
        ``abs(difference)``.
    margin : float
        By how much B may be worse than A and still do, in (0, 1).
    power : float
        Probability of finding it, in (0, 1).
    delta : float
        Probability that the interval may fail; level of the test; in (0, 1).
    design_effect : float
        At least 1.

    Returns
    -------
    Plan
        With the number of cases as ``.n``, and as ``int(plan(...))``. Power rises in small jags:
        one case fewer has less than the power asked for, but a still smaller number may have it
        by luck.

    Raises
    ------
    ValueError
        If the arguments belong to none of the three questions or to two, one leaves its range,
        or two million cases do not do.
    TypeError
        If an argument is not a number.

    References
    ----------
    Clopper and Pearson, Biometrika 26 (1934); Connor, Biometrics 43 (1987), 207-211, for the first
    guess at n; Fay and Lumbard, Statistics in Medicine 40 (2021); Kish, Survey Sampling (1965), for
    the design effect.

    Examples
    --------
    >>> plan(error=0.258, half_width=0.02)
    1956 test cases: with an error rate of 25.8% neither end of the 95% interval (Clopper-Pearson)
    is further than 2 points from it.
    >>> plan(difference=0.04, disagree=0.12, power=0.8).n
    622
    >>> plan(margin=0.03, disagree=0.1).n
    945
    """
    level = checks.one_delta(delta)
    goal = checks.one_delta(power, "power")
    effect = float(checks.within(design_effect, "design_effect", 1, ndim=0))
    all_given = {"error": error, "half_width": half_width, "difference": difference}
    all_given |= {"disagree": disagree, "margin": margin}
    given = {name: value for name, value in all_given.items() if value is not None}
    asked = given.keys()
    if asked == {"error", "half_width"}:
        found = _for_width(given["error"], given["half_width"], level)
    elif asked == {"difference", "disagree"}:
        found = _for_difference(given["difference"], given["disagree"], goal, level)
    elif asked in ({"margin", "disagree"}, {"margin", "disagree", "difference"}):
        found = _for_margin(given["margin"], given["disagree"], difference or 0.0, goal, level)
    else:
        named = " and ".join(given) or "nothing"
        raise ValueError(
            "plan needs error and half_width, or difference and disagree, or margin and disagree, "
            f"got {named}"
        )
    independent, buys, reached = found
    n = math.ceil(independent * effect * (1 - 1e-15)) if effect < 1e9 else _too_many(effect)
    return Plan(n, independent, buys, level, reached, effect)


Found = tuple[int, str, float | None]


def _for_width(error: float, half_width: float, delta: float) -> Found:
    """Return the size at which the longer half of the interval is short enough."""
    rate = checks.one_mean(error, "error")
    half = checks.one_delta(half_width, "half_width")
    if half < 1e-6:
        raise ValueError(f"half_width must be at least 1e-06, got {half:g}")
    # the half towards 1/2 is the longer one
    n = holdout.sample_size_for("CP", epsilon=half, mean=min(rate, 1 - rate), delta=delta / 2)
    buys = f"with an error rate of {100 * rate:g}% neither end of the {sure(delta)} interval "
    return n, f"{buys}(Clopper-Pearson) is further than {_points(half)} from it", None


def _for_difference(difference: float, disagree: float, power: float, delta: float) -> Found:
    """Return the size at which the exact McNemar test has the power."""
    p01, p10 = _shares(difference, disagree)
    if p01 == p10:
        raise ValueError("difference must not be 0: no test finds it; to show equality give margin")

    def power_at(n: int) -> float:
        return float(mcnemar_power(n, p01, p10, delta=delta))

    n = _smallest(power_at, power, _guess(abs(p01 - p10), p01 + p10, power, delta))
    found = power_at(n)
    return n, (
        f"the exact McNemar test finds a difference of {_points(abs(p01 - p10))} with "
        f"{100 * found:.1f}% power at level {delta:g}, if the two disagree on "
        f"{100 * (p01 + p10):g}% of the cases"
    ), found  # fmt: skip


def _for_margin(
    margin: float, disagree: float, difference: float, power: float, delta: float
) -> Found:
    """Return the size at which the interval is likely to stay within the margin."""
    allowed = checks.one_delta(margin, "margin")
    p01, p10 = _shares(difference, disagree)
    distance = allowed + p01 - p10
    if distance <= 1e-12:
        raise ValueError(
            "margin must be larger than B is truly worse by, "
            f"got margin {allowed:g} and difference {p01 - p10:g}"
        )

    def power_at(n: int) -> float:
        return margin_power(n, p01, p10, margin=allowed, delta=delta)

    n = _smallest(power_at, power, _guess(distance, p01 + p10, power, delta))
    found = power_at(n)
    truth = "the two are equally good"
    if p01 != p10:
        truth = f"B is {'better' if p01 > p10 else 'worse'} by {_points(abs(p01 - p10))}"
    return n, (
        f"the {sure(delta)} interval shows with {100 * found:.1f}% power that B is not worse than "
        f"A by more than {_points(allowed)}, if {truth} and they disagree on "
        f"{100 * (p01 + p10):g}% of the cases"
    ), found  # fmt: skip


def _shares(difference: float, disagree: float) -> tuple[float, float]:
    """Return how often A alone and how often B alone is wrong."""
    gap = float(checks.within(difference, "difference", -1, 1, ndim=0))
    either = float(checks.within(disagree, "disagree", 0, 1, open_low=True, ndim=0))
    if abs(gap) > either:
        raise ValueError(
            f"disagree must be at least the difference, {abs(gap):g}, got {either:g}: "
            "where they agree there is no difference"
        )
    if 0 < abs(gap) < 1e-5:
        raise ValueError(f"difference must be at least 1e-05 in size, got {gap:g}")
    return (either + gap) / 2, (either - gap) / 2


def _guess(distance: float, disagree: float, power: float, delta: float) -> int:
    """Return Connor's normal approximation to the size, as a place to start."""
    # n01 - n10 has the variance n (disagree - distance^2), and n disagree where it is 0
    spread = math.sqrt(max(disagree - distance**2, 0.0))
    reach = normal_quantile(delta / 2) * math.sqrt(disagree) + normal_quantile(1 - power) * spread
    size = max(reach, 0.0) ** 2 / distance**2
    return _too_many(size) if size > _LARGEST else max(math.ceil(size), 1)


def _smallest(power_at: Callable[[int], float], power: float, guess: int) -> int:
    """Return the size that has the power, where the one below it has not."""
    low = high = guess
    # step down while it is enough, then up while it is not: the answer lies between
    while low > 0 and power_at(low) >= power:
        high = low
        low = min(low - 1, 9 * low // 10)
    while high == low or power_at(high) < power:
        low = high
        high = 11 * high // 10 + 1
        if high > _LARGEST:
            _too_many(high)
    return first_whole(lambda n: power_at(n) >= power, low, high)


def _too_many(size: float) -> int:
    raise ValueError(f"a plan must do with {_LARGEST} cases, but this needs about {size:.3g}")


def _points(share: float) -> str:
    """Give a difference in percentage points."""
    number = f"{100 * share:.6g}"
    return f"{number} point{'' if number == '1' else 's'}"
