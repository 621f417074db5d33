"""Any bound by its key: what it is asked about, and the answers `upper`, `lower`, `interval`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar, overload

from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray, Scalar, Seed
from errlab._core.interval import Interval
from errlab._core.public import public
from errlab._core.registry import named_as
from errlab._numerics.roots import Share
from errlab.bounds._bound import BOUNDS, ORDERS, Bound, Order, apply, in_order, with_cases
from errlab.bounds._measured import Losses, Measured, from_errors, from_mean

One = TypeVar("One", covariant=True)
Many = TypeVar("Many", covariant=True)


@dataclass(frozen=True)
class Question:
    """A bound and what it is asked about, checked: ready for either side.

    Attributes
    ----------
    entry : Bound
        The bound.
    data : Measured or Losses
        What the test measured, or its losses.
    delta : float or ndarray
        Probability that the bound may fail.
    """

    entry: Bound
    data: Measured | Losses
    delta: float | FloatArray

    def upper(self) -> FloatArray:
        """Return the upper bound."""
        return _held(self.data, self._above(self.data)).value

    def lower(self) -> FloatArray:
        """Return the lower bound: what the bound for ``1 - loss`` leaves to 1."""
        return _held(self.data.mirrored, self._above(self.data.mirrored)).rest

    def both(self, *, fit: bool = False) -> tuple[FloatArray, FloatArray]:
        """Return the two ends of the interval; with `fit`, refuse losses that no error fits."""
        # Two one-sided failures of delta / 2 add up to delta, unless one inequality gives both.
        half = self if self.entry.two_sided else replace(self, delta=self.delta / 2)
        below = half._above(self.data.mirrored)
        above = half._above(self.data)
        low = below.rest
        high = above.value
        if fit and self.entry.needs == "losses" and (empty := low > high).any():
            ends = f"low {low[empty].flat[0]:.3g} above high {high[empty].flat[0]:.3g}"
            raise ValueError(
                f"losses must fit some true error, got an empty interval ({ends}): read in this "
                'order they are no independent draws; take order="shuffle", or another rng fixed '
                "beforehand"
            )
        return _held(self.data.mirrored, below).rest, _held(self.data, above).value

    def _above(self, data: Measured | Losses) -> Share:
        return apply(self.entry.formula, data, self.delta)


def _held(data: Measured | Losses, found: Share) -> Share:
    """Let a bound that reads losses one by one hold their mean; the others do."""
    return data.at_least_mean(found) if isinstance(data, Losses) else found


def ask(
    key: str,
    mean: ArrayLike | None = None,
    n: ArrayLike | None = None,
    errors: ArrayLike | None = None,
    delta: ArrayLike = 0.05,
    var: ArrayLike | None = None,
    losses: ArrayLike | None = None,
    order: Order = "shuffle",
    rng: Seed = 0,
) -> Question:
    """Check what a bound is asked about: losses, or errors and n, or mean and n (and var)."""
    entry = BOUNDS[key]
    checks.choice(order, "order", ORDERS)
    generator = checks.generator(rng)
    if losses is not None:
        if not (mean is None and n is None and errors is None and var is None):
            raise ValueError("give losses by themselves, not with mean, n, errors or var")
        array = with_cases(losses)
        if entry.needs == "losses":
            data = in_order(array, order, generator)
            return Question(entry, data, checks.one_delta(delta))
        return Question(entry, _summed(entry, array, delta), checks.delta(delta))
    if entry.needs == "losses":
        raise ValueError(f"bound {entry.key!r} needs losses=...: it reads them one by one")
    level = checks.delta(delta)
    if errors is not None and n is not None and mean is None:
        if var is not None:
            raise ValueError("give var with mean, not with errors: theirs is known")
        return Question(entry, from_errors(errors, n, level), level)
    if mean is None or n is None or errors is not None:
        raise ValueError("give errors and n, or mean and n, or losses by themselves")
    return Question(entry, from_mean(mean, n, level, var), level)


def _summed(entry: Bound, losses: FloatArray, delta: ArrayLike) -> Measured:
    """Sum losses up: counts of 0 and 1, or the mean and variance of graded ones."""
    size = losses.shape[-1]
    level = checks.delta(delta)
    # Losses of 0 and 1 stay counts: their mean is not rounded.
    graded = (losses > 0) & (losses < 1)
    if not graded.any():
        return from_errors(losses.sum(axis=-1), size, level)
    if entry.loss == "binary":
        raise ValueError(
            f"bound {entry.key!r} is for losses of 0 and 1, got {losses[graded][0]:.4g}; "
            "for graded losses take BET, or T_HOE if only their mean is known"
        )
    return from_mean(losses.mean(axis=-1), size, level, losses.var(axis=-1))


class Side(Protocol[One, Many]):
    """What is asked of any bound by its key: numbers in, `One` out; arrays in, `Many` out."""

    __name__: str

    @overload
    def __call__(
        self,
        key: str,
        mean: Scalar | None = None,
        n: Scalar | None = None,
        *,
        errors: Scalar | None = None,
        delta: Scalar = 0.05,
        var: Scalar | None = None,
        losses: list[float] | None = None,
        order: Order = "shuffle",
        rng: Seed = 0,
    ) -> One: ...
    @overload
    def __call__(
        self,
        key: str,
        mean: ArrayLike | None = None,
        n: ArrayLike | None = None,
        *,
        errors: ArrayLike | None = None,
        delta: ArrayLike = 0.05,
        var: ArrayLike | None = None,
    ) -> Many: ...
    @overload
    def __call__(
        self,
        key: str,
        *,
        losses: ArrayLike,
        delta: ArrayLike = 0.05,
        order: Order = "shuffle",
        rng: Seed = 0,
    ) -> Any: ...  # One or Many; but mypy takes no pair from a union of two that losses=Any fits


@overload
def _asks(
    answer: Callable[[Question], Interval[FloatOrArray]],
) -> Side[Interval[float], Interval[FloatArray]]: ...
@overload
def _asks(answer: Callable[[Question], FloatOrArray]) -> Side[float, FloatArray]: ...
def _asks(answer: Callable[[Question], object]) -> Callable[..., object]:
    """Make a public function of an answer to a `Question`."""

    def function(
        key: str,
        mean: ArrayLike | None = None,
        n: ArrayLike | None = None,
        *,
        errors: ArrayLike | None = None,
        delta: ArrayLike = 0.05,
        var: ArrayLike | None = None,
        losses: ArrayLike | None = None,
        order: Order = "shuffle",
        rng: Seed = 0,
    ) -> object:
        """Ask a bound.

        Parameters
        ----------
        key : str
            The bound: its short name, a key of `BOUNDS`, or its full name, in upper or lower case.
        mean, n : array_like
            Mean loss in [0, 1] and number of test cases.
        errors : array_like of int, optional
            Number of errors, in place of `mean`: losses of 0 and 1, at most `n` of them 1.
        delta : array_like
            Probability that the bound may fail, in (0, 1).
        var : array_like, optional
            1/n variance of the losses; the worst case is taken where it is not given.
        losses : array_like, shape (..., n), optional
            The losses themselves, in place of `mean`, `n` and `var`; all of them 0 or 1 for a
            bound that holds for no others.
        order : {"shuffle", "given"}
            For a bound that reads the losses one by one: whether in a random order, or as they
            stand.
        rng : seed, Generator or None
            Draws that order; a fixed one by default.

        Returns
        -------
        float, ndarray or Interval
            The bound in [0, 1], or the two ends ``(low, high)`` of the interval; arrays where an
            argument is one.

        Raises
        ------
        ValueError, TypeError
            If the key is unknown, an argument is out of range, not exactly one of `mean`,
            `errors` and `losses` is given, or the losses are not those that the bound is for.
        """
        return answer(ask(key, mean, n, errors, delta, var, losses, order, rng))

    return public(named_as(answer, function))


@_asks
def upper(asked: Question) -> FloatOrArray:
    """Return the one-sided upper bound `key` for the true error.

    Examples
    --------
    >>> round(upper("CP", errors=7, n=200), 4)
    0.0647
    >>> round(upper("clopper-pearson", 7 / 200, 200), 4)
    0.0647
    """
    return checks.plain(asked.upper())


@_asks
def lower(asked: Question) -> FloatOrArray:
    """Return the one-sided lower bound `key`: one minus the upper bound for ``1 - loss``.

    That difference is not taken from the bound, where a small lower end would lose its digits:
    each formula knows both.

    Examples
    --------
    >>> round(lower("CP", errors=7, n=200), 4)
    0.0165
    """
    return checks.plain(asked.lower())


@_asks
def interval(asked: Question) -> Interval[FloatOrArray]:
    """Return the two-sided interval `key`: `lower` and `upper`, each at ``delta / 2``.

    An inequality that is two-sided already (Chebyshev, Guttman) takes `delta` on both sides.
    Losses that no true error fits are an error too: it can happen to the betting interval where
    their order depends on their values.

    Examples
    --------
    >>> low, high = interval("CP", errors=7, n=200)
    >>> round(low, 4), round(high, 4)
    (0.0142, 0.0708)
    """
    low, high = asked.both(fit=True)
    return Interval(checks.plain(low), checks.plain(high))
