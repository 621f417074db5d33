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
from errlab.bounds.bound import Question, ask
from errlab.bounds.measured import Order

One = TypeVar("One", covariant=True)
Many = TypeVar("Many", covariant=True)


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
