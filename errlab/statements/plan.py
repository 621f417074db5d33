"""The number of test examples for an interval, a difference, or for "not worse"."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import NoReturn

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from errlab import holdout
from errlab._core import checks
from errlab._core.checks import FloatOrArray
from errlab._core.conditions import CASES
from errlab._core.exports import Result
from errlab._core.public import public
from errlab._core.rounding import format_confidence, in_points
from errlab._numerics.roots import normal_quantile
from errlab.compare import mcnemar_power
from errlab.compare._power import margin_power
from errlab.statements import present

_OF_TWO = {"difference", "disagree", "margin"}  # arguments of a plan for two classifiers
# largest size, before the design effect; power sums over all tables, so larger ones are slow
_LARGEST = 2_000_000


@dataclass(frozen=True)
class Plan(Result):
    """A number of test examples, and what it achieves, printed as one sentence.

    Attributes
    ----------
    n : int
        Number of test examples.
    independent : int
        Number of independent examples with the same precision; n is this times the design effect,
        rounded up.
    buys : str
        What this number of examples achieves, in words.
    delta : float
        Probability that the interval may fail, and level of the test.
    power : float or None
        The exact power with `independent` examples; None for a plan of a width.
    design_effect : float
        How many examples in groups are as precise as one independent example.
    """

    n: int
    independent: int
    buys: str
    delta: float
    power: float | None
    design_effect: float

    def __index__(self) -> int:
        """Return the number of test examples, so that ``int(plan)`` works."""
        return self.n

    def conditions(self) -> list[str]:
        """Return the assumptions behind the number of examples."""
        truth = "the true error rates are those that were planned for; others need another number"
        return [*CASES, truth]

    def __repr__(self) -> str:
        """Return the plan as a sentence."""
        groups = ""
        if self.design_effect != 1:
            effect = f"design effect {self.design_effect:g}"
            groups = f" (as {self.independent} independent ones, {effect})"
        return f"{self.n} test examples{groups}: {self.buys}."


@public
def plan(
    *,
    error: float | None = None,
    half_width: float | None = None,
    max_error: float | None = None,
    difference: float | None = None,
    disagree: float | None = None,
    margin: float | None = None,
    power: float = 0.8,
    delta: float = 0.05,
    design_effect: float = 1.0,
) -> Plan:
    r"""Compute how many test examples are needed.

    Four questions can be answered, each from its own numbers:

    - ``plan(error=, half_width=)``: both ends of the two-sided Clopper-Pearson interval are within
      `half_width` of the error rate that you expect.
    - ``plan(error=, max_error=, power=)``: with this power the exact upper bound is at most
      `max_error`, if the true error rate is `error`.
    - ``plan(difference=, disagree=, power=)``: with this power the exact McNemar test shows this
      difference of two error rates; the power is a sum over all tables.
    - ``plan(margin=, disagree=, power=)``: with this power the interval of Fay and Lumbard shows
      that B isn't worse by more than the margin, if both are equally good (or if the true
      difference is `difference`).

    If examples come in groups, such as patients or prompts, `design_effect` times as many are
    needed. With groups of m examples and intraclass correlation :math:`\rho` it is :math:`1 + (m -
    1) \rho`.

    Parameters
    ----------
    error : float
        Error rate that you expect, in [0, 1]. The largest plan is for 0.5.
    half_width : float
        Largest distance from `error` to an end of the interval, in (0, 1).
    max_error : float
        The target that the error rate is to be shown not to exceed, above `error` and below 1.
    difference : float
        True error rate of A minus that of B: positive if B is better.
    disagree : float
        Fraction of the examples on which exactly one of the two is wrong, in (0, 1], at least
        ``abs(difference)``.
    margin : float
        By how much B may be worse than A, in (0, 1).
    power : float
        Probability of showing the target, the difference or "not worse", in (0, 1).
    delta : float
        Probability that the interval may fail, and level of the test, in (0, 1).
    design_effect : float
        How many examples in groups are as precise as one independent example, at least 1.

    Returns
    -------
    Plan
        The number of examples is ``.n``, or ``int(plan(...))``. Power is a saw-tooth curve: one
        example fewer doesn't reach the power, but an even smaller number may reach it by chance.

    Raises
    ------
    ValueError
        If the arguments fit none of the four questions, or two of them, one leaves its range, or
        more than two million examples would be needed.
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
    1956 test examples: with an error rate of 25.8% neither end of the 95% interval
    (Clopper-Pearson) is further than 2 points from it.
    >>> plan(error=0.03, max_error=0.05).n
    624
    >>> plan(difference=0.04, disagree=0.12, power=0.8).n
    622
    >>> plan(margin=0.03, disagree=0.1).n
    945
    """
    level = checks.one_level(delta)
    goal = checks.one_delta(power, "power")
    effect = float(checks.within(design_effect, "design_effect", 1, ndim=0))
    numbers = present(
        error=error, half_width=half_width, max_error=max_error,
        difference=difference, disagree=disagree, margin=margin,
    )  # fmt: skip
    reached = None
    if numbers.keys() == {"error", "half_width"}:
        independent, buys = _size_for_width(numbers["error"], numbers["half_width"], level)
    elif numbers.keys() == {"error", "max_error"}:
        independent, buys, reached = _size_for_target(
            numbers["error"], numbers["max_error"], goal, level
        )
    elif {"disagree"} < numbers.keys() <= _OF_TWO:
        gap = numbers.get("difference", 0.0)
        independent, buys, reached = _size_for_power(numbers["disagree"], gap, margin, goal, level)
    else:
        named = " and ".join(numbers) or "nothing"
        raise ValueError(
            "plan needs error and half_width or max_error, or difference and disagree, or margin "
            "and disagree, "
            f"got {named}"
        )
    if effect >= 1e9:
        _too_many(effect)
    n = math.ceil(independent * effect * (1 - 1e-15))
    return Plan(n, independent, buys, level, reached, effect)


def _size_for_width(error: ArrayLike, half_width: ArrayLike, delta: float) -> tuple[int, str]:
    """Return the size at which the longer half of the interval is short enough."""
    rate = checks.one_mean(error, "error")
    half = checks.one_delta(half_width, "half_width")
    checks.require(half >= 1e-6, "half_width", "be at least 1e-06", half)
    # the interval extends further towards 1/2
    n = holdout.sample_size_for("CP", epsilon=half, mean=min(rate, 1 - rate), delta=delta / 2)
    buys = (
        f"with an error rate of {100 * rate:g}% neither end of the "
        f"{format_confidence(delta)} interval (Clopper-Pearson) is further than "
        f"{in_points(half)} from it"
    )
    return n, buys


def _size_for_target(
    error: ArrayLike, max_error: ArrayLike, power: float, delta: float
) -> tuple[int, str, float]:
    """Return the size at which the exact upper bound is below a target with this power."""
    rate = checks.one_mean(error, "error")
    target = checks.one_delta(max_error, "max_error")
    checks.require(
        target > rate, "max_error", f"be above the error that you expect, {rate:g}", target
    )

    def power_at(n: int) -> float:
        # the bound is at most the target exactly if P(at most `errors` | target) <= delta
        errors = np.arange(n + 1)
        allowed = int(np.searchsorted(special.bdtr(errors, n, target), delta, side="right")) - 1
        return float(special.bdtr(allowed, n, rate)) if allowed >= 0 else 0.0

    reach = normal_quantile(delta) * math.sqrt(target * (1 - target))
    reach += normal_quantile(1 - power) * math.sqrt(rate * (1 - rate))
    guess = (max(reach, 0.0) / (target - rate)) ** 2
    if guess > _LARGEST:
        _too_many(guess)
    n = _smallest_size(power_at, power, max(math.ceil(guess), 1))
    buys = (
        f"with an error rate of {100 * rate:g}% the {format_confidence(delta)} upper bound "
        f"(Clopper-Pearson) is at most {100 * target:g}% with {100 * power_at(n):.1f}% power"
    )
    return n, buys, power_at(n)


def _size_for_power(
    disagree: ArrayLike, difference: ArrayLike, margin: float | None, power: float, delta: float
) -> tuple[int, str, float]:
    """Return the size at which a test shows the difference, or an interval excludes the margin."""
    gap = float(checks.within(difference, "difference", -1, 1, ndim=0))
    either = float(checks.within(disagree, "disagree", 0, 1, open_low=True, ndim=0))
    rule = f"be at least the difference, {abs(gap):g}, as there is none where they agree"
    checks.require(abs(gap) <= either, "disagree", rule, either)
    checks.require(not 0 < abs(gap) < 1e-5, "difference", "be at least 1e-05 in size", gap)
    # the rates of examples that only A, and only B, gets wrong
    alone = (either + gap) / 2, (either - gap) / 2
    power_of: Callable[..., FloatOrArray] = mcnemar_power
    distance = abs(gap)
    if margin is None:
        rule = "not be 0: no test finds it; to show equality give margin"
        checks.require(gap, "difference", rule, difference)
    else:
        # the interval must be shorter than the distance from the true difference to the margin
        margin = checks.one_delta(margin, "margin")
        distance = margin + gap
        rule = f"be larger than B is truly worse by, {-gap:g}"
        checks.require(distance > 1e-12, "margin", rule, margin)
        power_of = partial(margin_power, margin=margin)
    power_at = cache(lambda n: float(power_of(n, *alone, delta=delta)))
    n = _smallest_size(power_at, power, approximate_size(distance, either, power, delta))
    return n, _power_sentence(gap, either, margin, power_at(n), delta), power_at(n)


def _power_sentence(
    gap: float, either: float, margin: float | None, power: float, delta: float
) -> str:
    """Describe the test's conclusion, its power and its assumptions."""
    with_power = f"with {100 * power:.1f}% power"
    disagree = f"disagree on {100 * either:g}% of the examples"
    size = in_points(abs(gap))
    if margin is None:
        return (
            f"the exact McNemar test finds a difference of {size} {with_power} at level {delta:g}, "
            f"if the two {disagree}"
        )
    truth = "the two are equally good"
    if gap:
        truth = f"B is {'better' if gap > 0 else 'worse'} by {size}"
    return (
        f"the {format_confidence(delta)} interval shows {with_power} that B is not worse than A "
        f"by more than {in_points(margin)}, if {truth} and they {disagree}"
    )


def approximate_size(distance: float, disagree: float, power: float, delta: float) -> int:
    """Return Connor's normal approximation to the size, as a starting value."""
    # n01 - n10 has the variance n (disagree - distance^2), or n disagree if the distance is 0
    spread = math.sqrt(max(disagree - distance**2, 0.0))
    reach = normal_quantile(delta / 2) * math.sqrt(disagree) + normal_quantile(1 - power) * spread
    size = max(reach, 0.0) ** 2 / distance**2
    if size > _LARGEST:
        _too_many(size)
    return max(math.ceil(size), 1)


def _smallest_size(power_at: Callable[[int], float], power: float, guess: int) -> int:
    """Return a size with the power for which the next smaller one lacks it."""
    low = high = guess
    # go down while the power suffices, then up until it does; then bisect
    while low > 0 and power_at(low) >= power:
        high = low
        low = min(low - 1, 9 * low // 10)
    while high == low or power_at(high) < power:
        low = high
        high = 11 * high // 10 + 1
        if high > _LARGEST:
            _too_many(high)
    return bisect_left(range(high), True, low + 1, key=lambda n: power_at(n) >= power)


def _too_many(size: float) -> NoReturn:
    raise ValueError(
        f"a plan can have at most {_LARGEST} examples, but this needs about {size:.3g}"
    )
