"""What a bound is, what it is asked about, and the registry of bounds.

A bound is written as ``f(sample, delta)`` on clean arrays and returns a `Share`: the upper bound,
and what it leaves to 1. The decorator turns it into the public ``f(mean, n, *, delta=0.05,
var=None)``: checks, broadcasting, the worst-case variance, the cap at 1, scalar in and scalar out.
A bound that needs the losses themselves is written as ``f(losses, delta)`` and
becomes ``f(losses, *, delta=0.05, order="shuffle", rng=0)``.

The lower bound is the upper one for ``1 - loss``, seen from the other side: what *that* leaves to
1. So a formula that keeps the digits of both gives a lower end of 1e-9 with all of its digits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, overload

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray, Scalar, Seed
from errlab._core.public import public
from errlab._core.registry import Registry, named_as
from errlab._numerics.roots import Share

Order = Literal["shuffle", "given"]
ORDERS = ("shuffle", "given")


@dataclass(frozen=True)
class Measured:
    """A test set in numbers: arrays of one shape.

    Attributes
    ----------
    n : ndarray
        Number of cases.
    errors, right : ndarray
        Sum of the losses, and what it leaves to `n`; whole where the losses are 0 and 1.
    mean, rest : ndarray
        The mean loss, and what it leaves to 1.
    var : ndarray
        1/n variance of the losses.
    """

    n: FloatArray
    errors: FloatArray
    right: FloatArray
    mean: FloatArray
    rest: FloatArray
    var: FloatArray

    def above(self, distance: FloatArray | float) -> Share:
        """Return what lies this far above the mean."""
        return Share(self.mean + distance, self.rest - distance)

    @property
    def mirrored(self) -> Measured:
        """The same test of ``1 - loss``."""
        return Measured(self.n, self.right, self.errors, self.rest, self.mean, self.var)


def from_errors(errors: ArrayLike, n: ArrayLike, delta: ArrayLike) -> Measured:
    """Check counts of errors, which stay counts: the mean is taken from them."""
    count = checks.count(errors, "errors", 0).astype(float)
    size = checks.count(n).astype(float)
    count, size, _ = checks.same_shape(errors=count, n=size, delta=delta)
    if (over := count > size).any():
        raise ValueError(
            f"errors must be at most n = {size[over][0]:.0f}, got {count[over][0]:.0f}"
        )
    right = size - count
    mean = count / size
    rest = right / size
    return Measured(size, count, right, mean, rest, mean * rest)


def from_mean(
    mean: ArrayLike, n: ArrayLike, delta: ArrayLike, var: ArrayLike | None = None
) -> Measured:
    """Check a mean loss; the variance becomes the worst case where it is not given.

    The counts that it stands for are found with the rounding of mean = k/n undone.
    """
    try:
        m = checks.mean(mean)
    except ValueError as error:  # most often a count
        way = "a count of errors goes as errors / n, or as errors= to bounds.upper, lower, interval"
        raise ValueError(f"{error}; {way}") from None
    size = checks.count(n).astype(float)
    v = np.zeros(()) if var is None else checks.within(var, "var", 0, 0.25)
    m, size, v, _ = checks.same_shape(mean=m, n=size, var=v, delta=delta)
    # A mean of 7/200 stands for 7 errors, though 200 * (7/200) may miss 7 by a rounding.
    k = size * m
    nearest = np.rint(k)
    whole = np.abs(k - nearest) <= 1e-12 * np.maximum(k, 1)
    right = np.where(whole, size - nearest, size * (1 - m))
    rest = np.where(whole, right / size, 1 - m)
    worst = m * rest  # survey Eq. 31
    if (over := v > worst + 1e-12).any():
        raise ValueError(
            f"var must be at most mean*(1-mean) = {worst[over][0]:g}, got {v[over][0]:g} "
            "(the 1/n variance of losses in [0, 1])"
        )
    spread = worst if var is None else np.minimum(v, worst)
    return Measured(size, np.where(whole, nearest, k), right, m, rest, spread)


def with_cases(losses: ArrayLike) -> FloatArray:
    """Check losses in [0, 1] whose last axis is the cases."""
    array = checks.losses(losses, ndim=None)
    checks.require(array.ndim, "losses", "have an axis of cases", array)
    return array


def in_order(losses: ArrayLike, order: str, rng: Seed) -> Share:
    """Put losses, and what each leaves to 1, in the order in which they are to be read."""
    array = with_cases(losses)
    generator = checks.generator(rng)
    if checks.choice(order, "order", ORDERS) == "shuffle":
        array = array[..., generator.permutation(array.shape[-1])]
    return Share.of(array)


class FromMean(Protocol):
    """A bound that needs the mean and n: numbers in, a number out; arrays in, an array out."""

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

    def __call__(
        self, losses: ArrayLike, *, delta: float = 0.05, order: Order = "shuffle", rng: Seed = 0
    ) -> FloatOrArray: ...


@dataclass(kw_only=True)
class Bound:
    """An upper bound for the true error; as a decorator it registers the formula.

    Attributes
    ----------
    key, name : str
        Short name (the survey's Table 1 where it has one) and full name.
    place : int
        Where it stands among the bounds: the survey's Table 1, then ours.
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
    falls : bool
        Whether more cases with the same mean never raise it. Blaker's may rise a little.
    look : int
        Number of its colour, line style and marker; its place, where nothing else is said.
    function : callable
        The public function: ``function(mean, n, *, delta, var)``, or ``function(losses, *,
        delta, order, rng)`` where ``needs == "losses"``.
    """

    key: str
    name: str
    place: int
    equations: str
    rigorous: bool
    loss: Literal["binary", "bounded"] = "bounded"
    needs: Literal["mean", "var", "losses"] = "mean"
    two_sided: bool = False
    falls: bool = True
    look: int = -1
    function: Callable[..., FloatOrArray] = field(init=False)
    formula: Callable[..., Share] = field(init=False, repr=False)

    @overload
    def __call__(self, formula: Callable[[Measured, FloatArray], Share]) -> FromMean: ...
    @overload
    def __call__(self, formula: Callable[[Share, float], Share]) -> FromLosses: ...
    def __call__(self, formula: Callable[..., Share]) -> Callable[..., FloatOrArray]:
        """Register the formula; return the public function that is made of it."""
        if self.look < 0:
            self.look = self.place
        make = _of_losses if self.needs == "losses" else _of_mean
        self.formula = formula
        self.function = public(named_as(formula, make(self)))
        BOUNDS.add(self.key, self)
        return self.function


BOUNDS: Registry[Bound] = Registry("bound")
bound = Bound  # the name of the decorator


def _of_mean(entry: Bound) -> Callable[..., FloatOrArray]:
    """Return the public function of a bound that needs the mean and n."""

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
        return checks.plain(Question(entry, from_mean(mean, n, level, var), level).upper())

    return function


def _of_losses(entry: Bound) -> Callable[..., FloatOrArray]:
    """Return the public function of a bound that needs the losses."""

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
        return checks.plain(Question(entry, in_order(losses, order, rng), level).upper())

    return function


@dataclass(frozen=True)
class Question:
    """A bound and what it is asked about, checked: ready for either side.

    Attributes
    ----------
    entry : Bound
        The bound.
    data : Measured or Share
        What the test measured; or its losses and what each leaves to 1, test sets x cases.
    delta : float or ndarray
        Probability that the bound may fail.
    """

    entry: Bound
    data: Measured | Share
    delta: float | FloatArray

    def upper(self) -> FloatArray:
        """Return the upper bound."""
        return self.held(self.above(self.data).value, np.maximum)

    def lower(self) -> FloatArray:
        """Return the lower bound: what the bound for ``1 - loss`` leaves to 1."""
        return self.held(self.above(self.data.mirrored).rest, np.minimum)

    @property
    def half(self) -> Question:
        """The same question at the level that each end of an interval has."""
        # Two one-sided failures of delta / 2 add up to delta, unless one inequality gives both.
        return self if self.entry.two_sided else replace(self, delta=self.delta / 2)

    def above(self, data: Measured | Share) -> Share:
        """Evaluate the formula, with its cap."""
        # A formula may leave [0, 1], or divide by a delta that is almost 0: the cap mends both.
        with np.errstate(over="ignore", divide="ignore", invalid="ignore", under="ignore"):
            found = self.entry.formula(data, self.delta)
        return Share(np.clip(found.value, 0.0, 1.0), np.clip(found.rest, 0.0, 1.0))

    def held(self, end: FloatArray, hold: Callable[..., FloatArray]) -> FloatArray:
        """Let a bound that reads losses one by one hold their mean; the others do."""
        return hold(end, self.data.value.mean(axis=-1)) if isinstance(self.data, Share) else end
