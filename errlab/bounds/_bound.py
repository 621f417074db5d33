"""What a bound is, the registry of bounds, and the one decorator that makes one.

A bound is written as ``f(sample, delta)`` on clean arrays and returns a `Share`: the upper bound,
and what it leaves to 1. The decorator turns it into the public ``f(mean, n, *, delta=0.05,
var=None)``: checks, broadcasting, the worst-case variance, the cap at 1, scalar in and scalar out.
A bound that needs the losses themselves is written as ``f(losses, delta)`` and
becomes ``f(losses, *, delta=0.05, order="shuffle", rng=0)``.

The lower bound is the upper one for ``1 - loss``, seen from the other side: what *that* leaves to
1. So a formula that keeps the digits of both gives a lower end of 1e-9 with all of its digits.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, Protocol, cast, overload

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray, Scalar, Seed
from errlab._core.public import public
from errlab._core.registry import Registry, named_as
from errlab._numerics.roots import Share
from errlab.bounds._measured import Losses, Measured, from_mean

Order = Literal["shuffle", "given"]
ORDERS = ("shuffle", "given")
Formula = Callable[[Measured, FloatArray], Share]
LossesFormula = Callable[[Losses, float], Share]


class FromMean(Protocol):
    """A bound that needs the mean and n: numbers in, a number out; arrays in, an array out."""

    __name__: str

    @overload
    def __call__(
        self, mean: Scalar, n: Scalar, *, delta: Scalar = 0.05, var: Scalar | None = None
    ) -> float: ...
    @overload
    def __call__(
        self,
        mean: ArrayLike,
        n: ArrayLike,
        *,
        delta: ArrayLike = 0.05,
        var: ArrayLike | None = None,
    ) -> FloatArray: ...


class FromLosses(Protocol):
    """A bound that needs the losses: a number for one test set, an array for several."""

    __name__: str

    @overload
    def __call__(
        self, losses: list[float], *, delta: float = 0.05, order: Order = "shuffle", rng: Seed = 0
    ) -> float: ...
    @overload
    def __call__(
        self, losses: ArrayLike, *, delta: float = 0.05, order: Order = "shuffle", rng: Seed = 0
    ) -> FloatOrArray: ...


class Decorator(Protocol):
    """What ``bound(...)`` returns: it takes a formula of either kind."""

    @overload
    def __call__(self, formula: Formula) -> FromMean: ...
    @overload
    def __call__(self, formula: LossesFormula) -> FromLosses: ...


@dataclass(frozen=True)
class Bound:
    """An upper bound for the true error, as registered.

    Attributes
    ----------
    key, name : str
        Short name (the survey's Table 1 where it has one) and full name.
    place : int
        Where it stands among the bounds: the survey's Table 1, then ours.
    look : int
        Number of its colour, line style and marker; its place, where nothing else is said.
    loss : {"binary", "bounded"}
        Losses in {0, 1} only, or any losses in [0, 1].
    rigorous : bool
        Whether the coverage is at least ``1 - delta`` for every distribution of such losses.
    equations : str
        Where the formula stands in the source.
    needs : {"mean", "var", "losses"}
        What it uses beyond `n`: the mean, the mean and the variance, or the losses themselves.
    two_sided : bool
        Whether the inequality bounds both sides at once, so that an interval takes `delta` whole.
    function : callable
        The public function: ``function(mean, n, *, delta, var)``, or ``function(losses, *,
        delta, order, rng)`` where ``needs == "losses"``.
    """

    key: str
    name: str
    place: int
    look: int
    loss: Literal["binary", "bounded"]
    rigorous: bool
    equations: str
    needs: Literal["mean", "var", "losses"]
    two_sided: bool
    function: Callable[..., FloatOrArray]
    formula: Callable[..., Share] = field(repr=False)

    @property
    def summary(self) -> str:
        """First line of the docstring, without its full stop."""
        return (inspect.getdoc(self.function) or "").splitlines()[0].rstrip(".")


BOUNDS: Registry[Bound] = Registry("bound")


def bound(
    *,
    key: str,
    name: str,
    place: int,
    equations: str,
    loss: Literal["binary", "bounded"],
    rigorous: bool,
    needs: Literal["mean", "var", "losses"] = "mean",
    two_sided: bool = False,
    look: int | None = None,
) -> Decorator:
    """Register an upper bound and give it its public signature (see `Bound`)."""

    def decorate(formula: Callable[..., Share]) -> Callable[..., FloatOrArray]:
        # The function that users call is made here: checks, cap, docstring and registration.
        make = _from_losses if needs == "losses" else _from_mean
        function = public(named_as(formula, make(formula)))
        entry = Bound(
            key, name, place, place if look is None else look, loss, rigorous, equations, needs,
            two_sided, function, formula,
        )  # fmt: skip
        BOUNDS.add(key, entry)
        return function

    return cast(Decorator, decorate)


def _from_mean(formula: Formula) -> Callable[..., FloatOrArray]:
    """Return the public function of a formula that needs the mean and n."""

    def function(
        mean: ArrayLike, n: ArrayLike, *, delta: ArrayLike = 0.05, var: ArrayLike | None = None
    ) -> FloatOrArray:
        """Evaluate a formula.

        Parameters
        ----------
        mean : float or array_like
            Mean loss on the test set, in [0, 1]. It broadcasts with the other arguments.
        n : int or array_like
            Number of test cases, at least 1.
        delta : float or array_like
            Probability that the bound may fail, in (0, 1).
        var : float or array_like, optional
            1/n variance of the losses (survey Eq. 10), in [0, mean * (1 - mean)], for those
            bounds that use it; the largest possible one where it is not given.

        Returns
        -------
        float or ndarray
            Upper bound for the true error, in [0, 1]; a float where every argument is a scalar.

        Raises
        ------
        ValueError
            If an argument leaves its range, is not finite, or the shapes do not broadcast.
        TypeError
            If an argument is not a number.
        """
        level = checks.delta(delta)
        return checks.plain(apply(formula, from_mean(mean, n, level, var), level).value)

    return function


def _from_losses(formula: LossesFormula) -> Callable[..., FloatOrArray]:
    """Return the public function of a formula that needs the losses."""

    def function(
        losses: ArrayLike, *, delta: float = 0.05, order: Order = "shuffle", rng: Seed = 0
    ) -> FloatOrArray:
        """Evaluate a formula.

        Parameters
        ----------
        losses : array_like, shape (..., n)
            Losses in [0, 1]; leading axes hold separate test sets.
        delta : float
            Probability that the bound may fail, in (0, 1).
        order : {"shuffle", "given"}
            Whether to read the losses in a random order, one for all test sets, or as they stand.
        rng : seed, Generator or None
            Draws that order; a fixed one by default, so that the same losses have the same bound.

        Returns
        -------
        float or ndarray
            Upper bound for the true error, in [0, 1]; a float for one test set, otherwise shape
            (...).

        Raises
        ------
        ValueError
            If `losses` is empty or leaves [0, 1], `delta` leaves (0, 1), or `order` is unknown.
        TypeError
            If an argument is not a number.
        """
        level = checks.one_delta(delta)
        data = in_order(with_cases(losses), order, checks.generator(rng))
        return checks.plain(data.at_least_mean(apply(formula, data, level)).value)

    return function


def in_order(losses: FloatArray, order: str, rng: np.random.Generator) -> Losses:
    """Put the cases in the order in which they are to be read."""
    if checks.choice(order, "order", ORDERS) == "shuffle":
        losses = losses[..., rng.permutation(losses.shape[-1])]
    return Losses(losses, 1 - losses)


def with_cases(losses: ArrayLike) -> FloatArray:
    """Check losses in [0, 1] whose last axis is the cases."""
    array = checks.losses(losses, ndim=None)
    if array.ndim == 0:
        raise ValueError(f"losses must have an axis of cases, got shape {array.shape}")
    return array


def apply(
    formula: Callable[..., Share], data: Measured | Losses, delta: float | FloatArray
) -> Share:
    """Evaluate a formula, with its cap."""
    # A formula may leave [0, 1], or divide by a delta that is almost 0: the cap mends both.
    with np.errstate(over="ignore", divide="ignore", invalid="ignore", under="ignore"):
        found = formula(data, delta)
    return Share(np.clip(found.value, 0.0, 1.0), np.clip(found.rest, 0.0, 1.0))
