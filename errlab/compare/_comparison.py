"""What a comparison returns, and the registry `COMPARISONS` of all of them.

One sign convention holds everywhere: a difference is the error of A minus the error of B, so a
positive one speaks for B.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import InitVar, dataclass
from functools import cached_property, partial
from typing import Any, Literal, NamedTuple, TypeVar, cast

import numpy as np
from scipy import special

from errlab._checks import FloatArray
from errlab._interval import Interval
from errlab._numerics import largest_root
from errlab._registry import Registry

Takes = Literal[
    "counts",
    "table",
    "two test sets",
    "paired losses",
    "fold differences",
    "5x2 differences",
    "loss matrix",
]
F = TypeVar("F", bound=Callable[..., "ComparisonResult"])


class Posterior(NamedTuple):
    """Posterior probabilities of the three answers; they sum to 1."""

    a_better: Any
    equivalent: Any
    b_better: Any


@dataclass(frozen=True, eq=False)
class ComparisonResult:
    """The outcome of a comparison of A and B.

    Attributes
    ----------
    method : str
        Key of the method in `COMPARISONS`.
    statistic : float or ndarray
        Its test statistic.
    pvalue : float, ndarray or None
        Two-sided p-value; None for a Bayesian method.
    estimate : float, ndarray or None
        Estimated difference: A minus B, so that a positive one speaks for B. None where more
        than two classifiers are compared.
    delta : float
        Level of the test; the interval is meant to hold with probability ``1 - delta``.
    quantity : str
        What `estimate` and `interval` are about.
    posterior : Posterior or None
        Probabilities of the three answers, for a Bayesian method.
    interval : Interval or None
        ``(low, high)`` around `estimate`, computed when first asked for.
    reading : str
        One sentence that says what was found.
    """

    method: str
    statistic: Any
    pvalue: Any
    estimate: Any
    delta: float
    quantity: str = "error of A minus error of B"
    posterior: Posterior | None = None
    limits: InitVar[Callable[[], Interval] | None] = None

    def __post_init__(self, limits: Callable[[], Interval] | None) -> None:
        object.__setattr__(self, "_limits", limits)

    @cached_property
    def interval(self) -> Interval | None:
        """Interval for the difference; None where there is no single difference."""
        limits: Callable[[], Interval] | None = self.__dict__["_limits"]
        return None if limits is None else limits()

    @property
    def reading(self) -> str:
        """One sentence for a person; for many tables at once, how many show a difference."""
        name = COMPARISONS[self.method].name
        if self.posterior is not None:
            return _read_posterior(name, self.posterior)
        if np.ndim(self.pvalue):
            shown = np.count_nonzero(np.less_equal(self.pvalue, self.delta))
            return (
                f"{shown} of {np.size(self.pvalue)} comparisons show a difference at level "
                f"{self.delta:g} ({name})."
            )
        return _read_one(name, self)


def _read_one(name: str, result: ComparisonResult) -> str:
    p = result.pvalue
    chance = "p < 0.0001" if p < 1e-4 else f"p = {p:.2g}"
    if result.estimate is None:
        verdict = "differ" if p <= result.delta else "are not shown to differ"
        return f"The classifiers' errors {verdict} at level {result.delta:g} ({name}, {chance})."
    if p > result.delta:
        verdict = "Neither is shown to be better"
    elif result.estimate == 0:
        verdict = "A and B differ, but on average not in one direction"
    else:
        verdict = f"{'B' if result.estimate > 0 else 'A'} is better"
    low, high = cast(Interval, result.interval)  # an estimate comes with an interval
    return (
        f"{verdict} at level {result.delta:g}: {result.quantity} {result.estimate:.3g}, "
        f"{100 * (1 - result.delta):.4g}% interval {low:.3g} to {high:.3g} ({name}, {chance})."
    )


def _read_posterior(name: str, posterior: Posterior) -> str:
    if np.ndim(posterior.a_better):
        most = np.argmax(np.stack(posterior), axis=0)
        counts = ", ".join(f"{np.count_nonzero(most == i)} for {w}" for i, w in enumerate(_WORDS))
        return f"Of {most.size} comparisons, the most probable answer is: {counts} ({name})."
    a, same, b = posterior
    return (
        f"A is better with probability {a:.3g}, B with {b:.3g}, and with {same:.3g} they are "
        f"equivalent in practice ({name})."
    )


_WORDS = ("A better", "equivalent", "B better")


@dataclass(frozen=True)
class Comparison:
    """One registered comparison.

    Attributes
    ----------
    key, name : str
        Short name (function, and method where it has several) and full name.
    takes : str
        What the function is given: discordant counts, a 2x2 table, two test sets, paired losses,
        differences of folds, 5x2 differences, or a matrix of losses.
    paired : bool
        Whether A and B were tested on the same cases.
    equations : str
        Where the formula stands in the source.
    exact : bool
        Whether the test keeps its level under its own model, for every sample size.
    function : callable
        The public function, with its method filled in.
    """

    key: str
    name: str
    takes: Takes
    paired: bool
    equations: str
    exact: bool
    function: Callable[..., ComparisonResult]

    @property
    def summary(self) -> str:
        """First line of the docstring, without its full stop."""
        function = getattr(self.function, "func", self.function)
        return (inspect.getdoc(function) or "").splitlines()[0].rstrip(".")


COMPARISONS: Registry[Comparison] = Registry("comparison")


def comparison(
    *,
    key: str,
    name: str,
    takes: Takes,
    paired: bool,
    equations: str,
    exact: bool | tuple[str, ...] = False,
    methods: tuple[str, ...] = (),
) -> Callable[[F], F]:
    """Register a comparison; one with several `methods` as ``key-method`` for each of them."""

    def decorate(function: F) -> F:
        def add(key: str, name: str, exact: bool, call: Callable[..., ComparisonResult]) -> None:
            COMPARISONS.add(key, Comparison(key, name, takes, paired, equations, exact, call))

        for method in methods:
            keeps = method in exact if isinstance(exact, tuple) else exact
            add(f"{key}-{method}", f"{name}, {method}", keeps, partial(function, method=method))
        if not methods:
            add(key, name, bool(exact), function)
        return function

    return decorate


def z_of(delta: float) -> float:
    """Two-sided standard normal quantile."""
    return float(-special.ndtri(delta / 2))


def two_sided(z: FloatArray) -> FloatArray:
    """Two-sided standard normal p-value."""
    return np.asarray(2 * special.ndtr(-np.abs(z)))


def wilson(p: FloatArray, n: FloatArray, z: FloatArray | float) -> Interval:
    """Two-sided Wilson interval of a proportion, from the quantile `z` (survey Eq. 19)."""
    a = np.square(z) / n
    return Interval(1 - largest_root(1 - p, a, 0.0), largest_root(p, a, 0.0))


def bisect(
    above: Callable[[FloatArray], Any], low: FloatArray, high: FloatArray, steps: int = 60
) -> FloatArray:
    """Last point, from `low` on towards `high`, where `above` still holds; elementwise."""
    low, high = np.array(low, dtype=float), np.array(high, dtype=float)
    for _ in range(steps):
        middle = (low + high) / 2
        holds = np.asarray(above(middle))
        low, high = np.where(holds, middle, low), np.where(holds, high, middle)
    return (low + high) / 2


def score_interval(
    score: Callable[[FloatArray], FloatArray], estimate: FloatArray, z: float
) -> Interval:
    """All differences whose score test does not reject, found by bisection on each side."""

    def kept(d: FloatArray) -> Any:
        return np.abs(score(d)) <= z

    one = np.ones_like(estimate)
    return Interval(bisect(kept, estimate, -one), bisect(kept, estimate, one))


def touch(half: Callable[[FloatArray], FloatArray], distance: FloatArray) -> FloatArray:
    """Quantile z at which an interval of half-width ``half(z)`` reaches from estimate to 0."""
    high = np.ones_like(distance)
    for _ in range(60):
        short = half(high) < distance
        if not short.any():
            break
        high = np.where(short, 2 * high, high)
    return np.where(distance > 0, bisect(lambda z: half(z) < distance, 0 * high, high), 0.0)
