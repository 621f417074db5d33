"""Any bound by its key: what it is asked about, and the answers `upper`, `lower`, `interval`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, overload

from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray, Scalar, Seed
from errlab._core.interval import Interval
from errlab._core.public import public
from errlab._core.registry import named_as
from errlab.bounds import measured
from errlab.bounds.bound import BOUNDS, Question
from errlab.bounds.measured import Order

One = TypeVar("One", covariant=True)
Many = TypeVar("Many", covariant=True)


def ask(
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
) -> Question:
    """Check what a bound is asked about.

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
    entry = BOUNDS[key]
    checks.choice(order, "order", measured.ORDERS)
    generator = checks.generator(rng)
    if losses is not None and not (mean is n is errors is var is None):
        raise ValueError("give losses by themselves, not with mean, n, errors or var")
    if entry.needs == "losses":
        level = checks.one_delta(delta)
        if losses is None:
            raise ValueError(f"bound {entry.key!r} needs losses=...: it reads them one by one")
        ordered = measured.in_order(losses, order, generator)
        return Question(entry, ordered, level, shuffled=order == "shuffle")
    levels = checks.delta(delta)
    if losses is not None:
        test = measured.from_losses(losses, levels, entry.key, entry.loss)
    elif n is not None and mean is not None and errors is None:
        test = measured.from_mean(mean, n, levels, var)
    elif n is not None and errors is not None and mean is None:
        if var is not None:
            raise ValueError("give var with mean, not with errors: theirs is known")
        test = measured.from_errors(errors, n, levels)
    else:
        raise ValueError("give errors and n, or mean and n, or losses by themselves")
    return Question(entry, test, levels)


class Side(Protocol[One, Many]):
    """What is asked of any bound by its key: numbers in, `One` out; arrays in, `Many` out."""

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
    """Make a public function of an answer to a `Question`: with the arguments of `ask`.

    The docstring of `ask` is that of all three functions, and so tells what they return.
    """
    function = functools.wraps(ask)(lambda *args, **kwargs: answer(ask(*args, **kwargs)))
    # The API page shows the arguments of the one, and what the other returns.
    returned = inspect.signature(answer).return_annotation
    signature = inspect.signature(ask).replace(return_annotation=returned)
    function.__signature__ = signature  # type: ignore[attr-defined]
    return public(named_as(answer, function))


@_asks
def upper(question: Question) -> FloatOrArray:
    """Return the one-sided upper bound `key` for the true error.

    Examples
    --------
    >>> round(upper("CP", errors=7, n=200), 4)
    0.0647
    >>> round(upper("clopper-pearson", 7 / 200, 200), 4)
    0.0647
    """
    return checks.plain(question.upper())


@_asks
def lower(question: Question) -> FloatOrArray:
    """Return the one-sided lower bound `key`: one minus the upper bound for ``1 - loss``.

    That difference is not taken from the bound, where a small lower end would lose its digits:
    each formula knows both.

    Examples
    --------
    >>> round(lower("CP", errors=7, n=200), 4)
    0.0165
    """
    return checks.plain(question.lower())


@_asks
def interval(question: Question) -> Interval[FloatOrArray]:
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
    low, high = question.interval()
    return Interval(checks.plain(low), checks.plain(high))
