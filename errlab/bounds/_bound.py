"""The class `Bound`, its checked arguments, and the registry of bounds.

A bound is written as ``f(sample, delta)`` on checked arrays and returns a `Probability`: the upper
bound and its complement. The decorator turns it into the public ``f(mean, n, *, delta=0.05,
var=None)``, which adds checks, broadcasting, the worst-case variance and clipping, and returns a
float for floats. A bound that needs the losses themselves is written as ``f(losses, delta)`` and
becomes ``f(losses, *, delta=0.05, order="shuffle", rng=0)``.

The lower bound is the complement of the upper bound for ``1 - loss``. Formulas compute both with
full precision, so a lower end of 1e-9 has all of its digits.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray as FloatArray
from errlab._core.checks import FloatOrArray, IntArray, Scalar, Seed
from errlab._core.conditions import CASES, ORDER
from errlab._core.interval import Guarantee, Interval, claim
from errlab._core.public import public
from errlab._core.registry import Registry, named_as
from errlab._numerics.roots import Probability as Probability

# FloatArray and Probability are imported here because every formula needs them
Order = Literal["shuffle", "given"]
One = TypeVar("One", covariant=True)
Many = TypeVar("Many", covariant=True)


class Measured(NamedTuple):
    """The counts of a test set and the variance of its losses: arrays of one shape.

    Attributes
    ----------
    n : ndarray
        Number of examples.
    errors, right : ndarray
        Sum of the losses, and `n` minus that sum; whole numbers if the losses are 0 and 1.
    var : ndarray
        1/n variance of the losses.
    """

    n: FloatArray
    errors: FloatArray
    right: FloatArray
    var: FloatArray

    @property
    def mean(self) -> FloatArray:
        """The mean loss."""
        return self.errors / self.n

    @property
    def complement(self) -> FloatArray:
        """The complement of the mean loss."""
        return self.right / self.n

    def above(self, distance: FloatArray | float) -> Probability:
        """Return the mean loss plus this gap."""
        return Probability(self.mean + distance, self.complement - distance)

    @property
    def mirrored(self) -> Measured:
        """The same test with losses ``1 - loss``."""
        return Measured(self.n, self.right, self.errors, self.var)


class FromMean(Protocol):
    """A bound that needs only the mean and n; arrays as arguments give an array."""

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


@dataclass(kw_only=True)
class Bound:
    """An upper bound for the true error; as a decorator it registers the formula.

    Attributes
    ----------
    key, name : str
        Short name (from the survey's Table 1 if it is there) and full name.
    place : int
        Its place among the bounds: first those of the survey's Table 1, then others.
    loss : {"binary", "bounded"}
        Losses in {0, 1} only, or any losses in [0, 1].
    rigorous : bool
        Whether the coverage is at least ``1 - delta`` for every distribution of such losses.
    equations : str
        The equations in the source.
    needs : {"mean", "var", "losses"}
        The data that it uses, besides `n`: the mean, the mean and the variance, or the losses
        themselves.
    two_sided : bool
        Whether the inequality bounds both sides at once, so that an interval uses all of `delta`.
    look : int
        Number of its colour, line style and marker; by default its place.
    function : callable
        The public function: ``function(mean, n, *, delta, var)``, or ``function(losses, *, delta,
        order, rng)`` if ``needs == "losses"``.
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

    @overload
    def __call__(self, formula: Callable[[Measured, FloatArray], Probability]) -> FromMean: ...
    @overload
    def __call__(
        self, formula: Callable[[Probability, float], Probability]
    ) -> Callable[..., FloatOrArray]: ...
    def __call__(self, formula: Callable[..., Probability]) -> Callable[..., FloatOrArray]:
        """Register the formula and return its public function."""
        if self.look < 0:
            self.look = self.place
        make = _of_losses if self.needs == "losses" else _of_mean
        self.formula = formula
        self.function = public(named_as(formula, make(self)))
        BOUNDS.add(self.key, self)
        return self.function


BOUNDS: Registry[Bound] = Registry("bound")
bound = Bound  # lower-case alias for use as a decorator


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
            Number of test examples, at least 1.
        delta : float or array_like
            Probability that the bound may fail, in (0, 1).
        var : float or array_like, optional
            1/n variance of the losses (survey Eq. 10), in [0, mean * (1 - mean)], for bounds that
            use it; by default the largest possible one.

        Returns
        -------
        float or ndarray
            Upper bound for the true error, in [0, 1]; a float if every argument is a scalar.

        Raises
        ------
        ValueError
            If an argument leaves its range, is not finite, or the shapes do not broadcast.
        TypeError
            If an argument is not a number.
        """
        return ask(entry.key, mean, n, delta=delta, var=var).upper()

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
            Losses in [0, 1]; leading axes are separate test sets.
        delta : float
            Probability that the bound may fail, in (0, 1).
        order : {"shuffle", "given"}
            Whether to read the losses in a random order, the same for all test sets, or in the
            order given.
        rng : seed, Generator or None
            Draws the order; fixed by default, so that the same losses have the same bound.

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
        return ask(entry.key, losses=losses, delta=delta, order=order, rng=rng).upper()

    return function


class CheckedBound(NamedTuple):
    """A bound with its checked data and delta, from which both sides are computed.

    Attributes
    ----------
    entry : Bound
        The bound.
    data : Measured or Probability
        The counts of the test; or its losses and their complements, test sets x examples.
    delta : float or ndarray
        Probability that the bound may fail.
    shuffled : bool
        Whether the losses are read in a random order.
    """

    entry: Bound
    data: Measured | Probability
    delta: float | FloatArray
    shuffled: bool = False

    def upper(self) -> FloatOrArray:
        """Return the one-sided upper bound `key` for the true error.

        Examples
        --------
        >>> round(upper("CP", errors=7, n=200), 4)
        0.0647
        >>> round(upper("clopper-pearson", 7 / 200, 200), 4)
        0.0647
        """
        end = self.formula_value(self.data).value
        # the bound depends on the order of the losses, but must not be below their mean
        if isinstance(self.data, Probability):
            end = np.maximum(end, self.data.value.mean(axis=-1))
        return checks.plain(end)

    def lower(self) -> FloatOrArray:
        """Return the one-sided lower bound `key`: one minus the upper bound for ``1 - loss``.

        It is not computed as a difference, which would lose the digits of a small lower end: each
        formula also returns its complement.

        Examples
        --------
        >>> round(lower("CP", errors=7, n=200), 4)
        0.0165
        """
        end = self.formula_value(self.data.mirrored).complement
        # the bound depends on the order of the losses, but must not be above their mean
        if isinstance(self.data, Probability):
            end = np.minimum(end, self.data.value.mean(axis=-1))
        return checks.plain(end)

    def interval(self) -> Interval[FloatOrArray]:
        """Return the two-sided interval `key`: `lower` and `upper`, each at ``delta / 2``.

        A two-sided inequality (Chebyshev, Guttman) uses all of `delta` for both sides. If no true
        error is compatible with the losses, an error is raised, which happens to the betting
        interval if the order of the losses depends on their values.

        Examples
        --------
        >>> low, high = interval("CP", errors=7, n=200)
        >>> round(low, 4), round(high, 4)
        (0.0142, 0.0708)
        """
        # If the ends cross, a bound has failed: swap them. But if the user chose the order, raise
        # an error, because the losses were probably sorted.
        half = self
        # Two one-sided bounds at delta / 2 fail with probability delta at most; a two-sided
        # inequality gets delta.
        if not self.entry.two_sided:
            half = self._replace(delta=self.delta / 2)
        low = half.formula_value(half.data.mirrored).complement
        high = half.formula_value(half.data).value
        empty = low > high
        if isinstance(half.data, Probability) and not self.shuffled and empty.any():
            raise ValueError(
                "losses must be compatible with some true error, got an empty interval (low "
                f"{low[empty][0]:.3g} above high {high[empty][0]:.3g}): independent draws are "
                'hardly ever in such an order; take order="shuffle"'
            )
        first, last = np.minimum(low, high), np.maximum(low, high)
        # the ends depend on the order of the losses, but must contain their mean
        if isinstance(half.data, Probability):
            mean = half.data.value.mean(axis=-1)
            first, last = np.minimum(first, mean), np.maximum(last, mean)
        ends = Interval(checks.plain(first), checks.plain(last))
        proven: Guarantee = "finite sample" if self.entry.rigorous else "asymptotic"
        assumes = (*CASES, ORDER) if isinstance(half.data, Probability) else CASES
        return claim(ends, "the true error", self.entry.name, proven, self.delta, assumes)

    def formula_value(self, data: Measured | Probability) -> Probability:
        """Evaluate the formula and clip it to [0, 1]."""
        # Clip, because formulas may leave [0, 1]; return 1 where they are undefined, as after
        # division by 0.
        with np.errstate(all="ignore"):
            bound = self.entry.formula(data, self.delta)
            # 1: the formula excludes no error
            defined = np.isfinite(bound.value + bound.complement)
        return Probability(*np.clip(bound.or_one(defined), 0.0, 1.0))


def from_mean(
    mean: ArrayLike, n: ArrayLike, delta: ArrayLike, var: ArrayLike | None = None
) -> Measured:
    """Check a mean loss; without `var`, use the largest possible variance.

    Its count k of errors is recovered, without the rounding error of k/n.
    """
    try:
        m = checks.mean(mean)
    except ValueError as error:  # the argument is usually a count of errors
        raise ValueError(
            f"{error}; for a count of errors give errors / n, or call bounds.upper, lower or "
            "interval with errors="
        ) from None
    size = checks.count(n).astype(float)
    v = np.zeros(()) if var is None else checks.within(var, "var", 0, 0.25)
    m, size, v, _ = checks.same_shape(mean=m, n=size, var=v, delta=delta)
    # A mean of 7/200 means 7 errors, although 200 * (7/200) may differ from 7 by rounding.
    k = size * m
    nearest = np.rint(k)
    whole = np.abs(k - nearest) <= 1e-12 * np.maximum(k, 1)
    errors = np.where(whole, nearest, k)
    right = np.where(whole, size - nearest, size * (1 - m))
    worst = errors / size * right / size  # survey Eq. 31
    if (over := v > worst + 1e-12).any():
        raise ValueError(
            f"var must be at most mean*(1-mean) = {worst[over][0]:g}, got {v[over][0]:g} "
            "(the 1/n variance of losses in [0, 1])"
        )
    spread = worst if var is None else np.minimum(v, worst)
    return Measured(size, errors, right, spread)


def from_counts(errors: IntArray, n: IntArray, delta: ArrayLike) -> Measured:
    """Return the counts with their variance, which is known because each loss is 0 or 1."""
    k, size, _ = checks.same_shape(errors=errors.astype(float), n=n.astype(float), delta=delta)
    if (over := k > size).any():
        raise ValueError(f"errors must be at most n = {size[over][0]:.0f}, got {k[over][0]:.0f}")
    right = size - k
    return Measured(size, k, right, k / size * right / size)


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
) -> CheckedBound:
    """Check the arguments of a bound and return them as a `CheckedBound`.

    Parameters
    ----------
    key : str
        The bound: its short name, a key of `BOUNDS`, or its full name, in upper or lower case.
    mean, n : array_like
        Mean loss in [0, 1] and number of test examples.
    errors : array_like of int, optional
        Number of errors, at most `n`, in place of `mean`, for losses of 0 and 1.
    delta : array_like
        Probability that the bound may fail, in (0, 1).
    var : array_like, optional
        1/n variance of the losses; by default the largest possible one.
    losses : array_like, shape (..., n), optional
        The losses themselves, in place of `mean`, `n` and `var`; all 0 or 1 if the bound is valid
        for such losses only.
    order : {"shuffle", "given"}
        For a bound that reads the losses one by one: whether in a random order, or in the order
        given.
    rng : seed, Generator or None
        Draws the order; fixed by default.

    Returns
    -------
    float, ndarray or Interval
        The bound in [0, 1], or the two ends ``(low, high)`` of the interval; arrays if an argument
        is an array.

    Raises
    ------
    ValueError, TypeError
        If the key is unknown, an argument is out of range, not exactly one of `mean`, `errors` and
        `losses` is given, or the bound is not valid for such losses.
    """
    entry = BOUNDS[key]
    shuffled = checks.choice(order, "order", ("shuffle", "given")) == "shuffle"
    generator = checks.generator(rng)
    if losses is not None:
        if not (mean is n is errors is var is None):
            raise ValueError("give losses by themselves, not with mean, n, errors or var")
        losses = checks.losses(losses, ndim=None)
        checks.require(losses.ndim, "losses", "have an axis of examples", losses)
    if entry.needs == "losses":
        level = checks.one_delta(delta)
        if losses is None:
            raise ValueError(f"bound {entry.key!r} reads the losses one by one: give losses=...")
        if shuffled:
            losses = losses[..., generator.permutation(losses.shape[-1])]
        return CheckedBound(entry, Probability.of(losses), level, shuffled)
    levels = checks.delta(delta)
    if losses is not None:
        n = losses.shape[-1]
        graded = losses[(losses > 0) & (losses < 1)]
        # Keep the count of 0/1 losses, because their mean would be rounded.
        if not graded.size:
            errors = losses.sum(axis=-1)
        elif entry.loss == "binary":
            raise ValueError(
                f"bound {entry.key!r} is for losses of 0 and 1, got {graded[0]:.4g}; "
                "for graded losses take BET, or T_HOE if only their mean is known"
            )
        else:
            mean, var = losses.mean(axis=-1), losses.var(axis=-1)
    if n is not None and mean is not None and errors is None:
        test = from_mean(mean, n, levels, var)
    elif n is not None and errors is not None and mean is None:
        if var is not None:
            raise ValueError("give var with mean, not with errors, which determine it")
        test = from_counts(checks.count(errors, "errors", 0), checks.count(n), levels)
    else:
        raise ValueError("give errors and n, or mean and n, or losses by themselves")
    return CheckedBound(entry, test, levels)


class Side(Protocol[One, Many]):
    """Type of `upper`, `lower` and `interval`: numbers give `One`, arrays give `Many`."""

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
        # Any, because mypy can't unpack One | Many, the result for losses of type Any
    ) -> Any: ...


def public_function(answer: Callable[[CheckedBound], object]) -> Side[Any, Any]:
    """Return a public function with the arguments of `ask` that calls a method of `CheckedBound`.

    All three functions have the docstring of `ask`, which is why it describes their return values.
    """
    answer.__qualname__ = answer.__name__
    function = functools.wraps(ask)(lambda *args, **kwargs: answer(ask(*args, **kwargs)))
    # The API page shows the arguments of `ask` and the return type of the method.
    returned = inspect.signature(answer).return_annotation
    signature = inspect.signature(ask).replace(return_annotation=returned)
    function.__signature__ = signature  # type: ignore[attr-defined]
    made = public(named_as(answer, function))
    return made


upper: Side[float, FloatArray] = public_function(CheckedBound.upper)
lower: Side[float, FloatArray] = public_function(CheckedBound.lower)
interval: Side[Interval[float], Interval[FloatArray]] = public_function(CheckedBound.interval)
