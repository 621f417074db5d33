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
from errlab._core.checks import FloatArray as FloatArray
from errlab._core.checks import FloatOrArray, Scalar, Seed
from errlab._core.public import public
from errlab._core.registry import Registry, named_as
from errlab._numerics.roots import Share as Share
from errlab.bounds import measured
from errlab.bounds.measured import Measured as Measured
from errlab.bounds.measured import Order

# FloatArray, Measured and Share are here too: with them and `bound` a formula is written


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
    ) -> FloatOrArray:
        """Return the bound."""


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
        return checks.plain(ask(entry.key, mean, n, delta=delta, var=var).upper())

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
        question = ask(entry.key, losses=losses, delta=delta, order=order, rng=rng)
        return checks.plain(question.upper())

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
    shuffled : bool
        Whether the losses are read in an order that was drawn.
    """

    entry: Bound
    data: Measured | Share
    delta: float | FloatArray
    shuffled: bool = False

    def upper(self) -> FloatArray:
        """Return the upper bound."""
        return self._beside_mean(self._share(self.data).value, np.maximum)

    def lower(self) -> FloatArray:
        """Return the lower bound: what the bound for ``1 - loss`` leaves to 1."""
        return self._beside_mean(self._share(self.data.mirrored).rest, np.minimum)

    @property
    def half(self) -> Question:
        """The same question at the level that each end of an interval has."""
        # Two one-sided failures of delta / 2 add up to delta, unless one inequality gives both.
        return self if self.entry.two_sided else replace(self, delta=self.delta / 2)

    def interval(self) -> tuple[FloatArray, FloatArray]:
        """Return both ends.

        Where no true error fits losses that were drawn in their order, one of the chances that
        `delta` allows for has come true, and the two ends change places.
        Losses in an order of somebody's are refused: most often they are sorted.
        """
        half = self.half
        low = half._share(half.data.mirrored).rest
        high = half._share(half.data).value
        empty = low > high
        if isinstance(half.data, Share) and not self.shuffled and empty.any():
            raise ValueError(
                "losses must fit some true error, got an empty interval (low "
                f"{low[empty][0]:.3g} above high {high[empty][0]:.3g}): independent draws hardly "
                'ever come in such an order; take order="shuffle"'
            )
        first = np.minimum(low, high)
        last = np.maximum(low, high)
        return half._beside_mean(first, np.minimum), half._beside_mean(last, np.maximum)

    def _share(self, data: Measured | Share) -> Share:
        """Evaluate the formula, with its cap."""
        # A formula may leave [0, 1], or divide by 0 or by a delta near it: the cap mends both.
        with np.errstate(over="ignore", divide="ignore", invalid="ignore", under="ignore"):
            bound = self.entry.formula(data, self.delta)
            defined = np.isfinite(bound.value + bound.rest)  # elsewhere no error is ruled out
        return Share(*np.clip(bound.or_one(defined), 0.0, 1.0))

    def _beside_mean(self, end: FloatArray, outer: Callable[..., FloatArray]) -> FloatArray:
        """Let a bound that reads losses one by one hold their mean; the others do."""
        if isinstance(self.data, Share):
            return outer(end, self.data.value.mean(axis=-1))
        return end


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
    shuffled = checks.choice(order, "order", measured.ORDERS) == "shuffle"
    generator = checks.generator(rng)
    if losses is not None:
        if not (mean is n is errors is var is None):
            raise ValueError("give losses by themselves, not with mean, n, errors or var")
        losses = checks.losses(losses, ndim=None)
        checks.require(losses.ndim, "losses", "have an axis of cases", losses)
    if entry.needs == "losses":
        level = checks.one_delta(delta)
        if losses is None:
            raise ValueError(f"bound {entry.key!r} needs losses=...: it reads them one by one")
        if shuffled:
            losses = losses[..., generator.permutation(losses.shape[-1])]
        return Question(entry, Share.of(losses), level, shuffled)
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
