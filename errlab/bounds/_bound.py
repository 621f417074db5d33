"""What a bound is, the registry of bounds, and the one decorator that makes one.

A bound is written as ``f(sample, delta)`` on clean arrays. The decorator turns it into the
public ``f(mean, n, *, delta=0.05, var=None)``: checks, broadcasting, the worst-case variance,
the cap at 1, scalar in and scalar out. A bound that needs the losses themselves is written as
``f(losses, delta)`` and becomes ``f(losses, *, delta=0.05)``.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from errlab import _checks, _public
from errlab._checks import FloatArray
from errlab._interval import FloatOrArray, Interval
from errlab._public import public
from errlab._registry import Registry
from errlab.losses import Sample


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
        delta)`` where ``needs == "losses"``.
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

    @property
    def summary(self) -> str:
        """First line of the docstring, without its full stop."""
        return (inspect.getdoc(self.function) or "").splitlines()[0].rstrip(".")


BOUNDS: Registry[Bound] = Registry("bound")

_MEAN_PARAMETERS = """
Parameters
----------
mean : float or array_like
    Mean loss on the test set, in [0, 1]. It broadcasts with the other arguments.
n : int or array_like
    Number of test cases, at least 1.
delta : float or array_like
    Probability that the bound may fail, in (0, 1).
var : float or array_like, optional
    1/n variance of the losses (survey Eq. 10), in [0, mean * (1 - mean)].
    {var}

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
_VAR_USED = "Without it the largest possible one, mean * (1 - mean), is taken."
_VAR_UNUSED = "Checked, but not used by this bound."

_LOSSES_PARAMETERS = """
Parameters
----------
losses : array_like, shape (..., n)
    Losses in [0, 1]; leading axes hold separate test sets.
delta : float
    Probability that the bound may fail, in (0, 1).

Returns
-------
float or ndarray
    Upper bound for the true error, in [0, 1]; a float for one test set, otherwise shape (...).

Raises
------
ValueError
    If `losses` is empty or leaves [0, 1], or `delta` leaves (0, 1).
TypeError
    If an argument is not a number.
"""


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
) -> Callable[[Callable[..., FloatArray]], Callable[..., FloatOrArray]]:
    """Register an upper bound and give it its public signature (see `Bound`)."""

    def decorate(formula: Callable[..., FloatArray]) -> Callable[..., FloatOrArray]:
        if needs == "losses":
            public, parameters = _from_losses(formula), _LOSSES_PARAMETERS
        else:
            public = _from_mean(formula)
            parameters = _MEAN_PARAMETERS.format(var=_VAR_USED if needs == "var" else _VAR_UNUSED)
        for attribute in ("__module__", "__name__", "__qualname__"):
            setattr(public, attribute, getattr(formula, attribute))
        public.__doc__ = _insert(inspect.getdoc(formula) or "", parameters)
        door = _public.public(public)
        sign = place if look is None else look
        entry = Bound(key, name, place, sign, loss, rigorous, equations, needs, two_sided, door)
        BOUNDS.add(key, entry)
        return door

    return decorate


def _insert(doc: str, parameters: str) -> str:
    """Put the common sections between a docstring's summary and its references."""
    head, mark, tail = doc.partition("\nReferences\n")
    text = f"{head.rstrip()}\n{parameters}{mark}{tail}"
    return textwrap.indent(text, "    ").strip() + "\n"


def _from_mean(formula: Callable[..., FloatArray]) -> Callable[..., FloatOrArray]:
    def public(
        mean: ArrayLike, n: ArrayLike, *, delta: ArrayLike = 0.05, var: ArrayLike | None = None
    ) -> FloatOrArray:
        sample, level = clean(mean, n, delta, var)
        with np.errstate(over="ignore", divide="ignore", invalid="ignore", under="ignore"):
            upper = formula(sample, level)
        return _checks.plain(np.clip(upper, 0.0, 1.0))

    return public


def _from_losses(formula: Callable[..., FloatArray]) -> Callable[..., FloatOrArray]:
    def public(losses: ArrayLike, *, delta: float = 0.05) -> FloatOrArray:
        array = _checks.losses(losses, ndim=None)
        if array.ndim == 0:
            raise ValueError(f"losses must have an axis of cases, got shape {array.shape}")
        with np.errstate(over="ignore", divide="ignore", invalid="ignore", under="ignore"):
            upper = formula(array, _checks.one_delta(delta))
        return _checks.plain(np.clip(upper, 0.0, 1.0))

    return public


def clean(
    mean: ArrayLike, n: ArrayLike, delta: ArrayLike, var: ArrayLike | None
) -> tuple[Sample, FloatArray]:
    """Validate and broadcast; the variance becomes the worst case where it is not given."""
    m, size, level = _checks.mean(mean), _checks.count(n).astype(float), _checks.delta(delta)
    if var is None:
        m, size, level = _checks.same_shape(mean=m, n=size, delta=level)
        return Sample(m, size, m * (1 - m)), level
    v = _checks.within(var, "var", 0, 0.25)
    m, size, level, v = _checks.same_shape(mean=m, n=size, delta=level, var=v)
    worst = m * (1 - m)  # survey Eq. 31
    if (v > worst + 1e-12).any():
        at = np.flatnonzero(v > worst + 1e-12)[0]
        raise ValueError(
            f"var must be at most mean*(1-mean) = {worst.flat[at]:g}, got {v.flat[at]:g} "
            "(the 1/n variance of losses in [0, 1])"
        )
    return Sample(m, size, np.minimum(v, worst)), level


def _evaluate(key: str, mean: Any, n: Any, delta: Any, var: Any, losses: Any) -> FloatOrArray:
    entry = BOUNDS[key]
    if losses is not None:
        if mean is not None or n is not None or var is not None:
            raise ValueError("give either losses, or mean and n (and var), not both")
        if entry.needs == "losses":
            return entry.function(losses, delta=delta)
        array = _checks.losses(losses, ndim=None)
        if array.ndim == 0:
            raise ValueError(f"losses must have an axis of cases, got shape {array.shape}")
        mean, n, var = array.mean(axis=-1), array.shape[-1], array.var(axis=-1)
    if entry.needs == "losses":
        raise ValueError(f"bound {key!r} needs losses=..., the mean and n do not tell enough")
    if mean is None or n is None:
        raise ValueError("give either losses, or mean and n")
    return entry.function(mean, n, delta=delta, var=var)


@public
def upper(
    key: str,
    mean: ArrayLike | None = None,
    n: ArrayLike | None = None,
    *,
    delta: ArrayLike = 0.05,
    var: ArrayLike | None = None,
    losses: ArrayLike | None = None,
) -> FloatOrArray:
    """Return the one-sided upper bound `key` for the true error.

    Parameters
    ----------
    key : str
        Short name of the bound, a key of `BOUNDS`.
    mean, n : array_like
        Mean loss in [0, 1] and number of test cases; not needed where `losses` is given.
    delta : array_like
        Probability that the bound may fail, in (0, 1).
    var : array_like, optional
        1/n variance of the losses; the worst case is taken where it is not given.
    losses : array_like, shape (..., n), optional
        The losses themselves, in place of `mean`, `n` and `var`.

    Returns
    -------
    float or ndarray
        The bound, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If the key is unknown or an argument is out of range.

    Examples
    --------
    >>> round(upper("CP", 7 / 200, 200), 4)
    0.0647
    """
    return _evaluate(key, mean, n, delta, var, losses)


@public
def lower(
    key: str,
    mean: ArrayLike | None = None,
    n: ArrayLike | None = None,
    *,
    delta: ArrayLike = 0.05,
    var: ArrayLike | None = None,
    losses: ArrayLike | None = None,
) -> FloatOrArray:
    """Return the one-sided lower bound `key`, by reflection: ``1 - upper(1 - mean)``.

    Parameters, errors and return value are those of `upper`.

    Examples
    --------
    >>> round(lower("CP", 7 / 200, 200), 4)
    0.0165
    """
    mirrored = None if mean is None else 1 - _checks.mean(mean)
    reflected = None if losses is None else 1 - _checks.losses(losses, ndim=None)
    value = 1 - _evaluate(key, mirrored, n, delta, var, reflected)
    return _checks.plain(np.abs(value))  # 1 - 1 is 0, never -0


@public
def interval(
    key: str,
    mean: ArrayLike | None = None,
    n: ArrayLike | None = None,
    *,
    delta: ArrayLike = 0.05,
    var: ArrayLike | None = None,
    losses: ArrayLike | None = None,
) -> Interval:
    """Return the two-sided interval `key`: `lower` and `upper`, each at ``delta / 2``.

    An inequality that is two-sided already (Chebyshev, Guttman) takes `delta` on both sides.
    Parameters and errors are those of `upper`.

    Returns
    -------
    Interval
        ``(low, high)``, each a float or an array in [0, 1].

    Examples
    --------
    >>> low, high = interval("CP", 7 / 200, 200)
    >>> round(low, 4), round(high, 4)
    (0.0142, 0.0708)
    """
    level = _checks.delta(delta) / (1 if BOUNDS[key].two_sided else 2)
    array = np.zeros(()) if losses is None else _checks.losses(losses, ndim=None)
    if BOUNDS[key].needs == "losses" and array.ndim:
        both = _evaluate(key, mean, n, level[()], var, np.stack([1 - array, array]))
        return Interval(_checks.plain(np.abs(1 - both[0])), _checks.plain(both[1]))
    return Interval(
        lower(key, mean, n, delta=level[()], var=var, losses=losses),
        upper(key, mean, n, delta=level[()], var=var, losses=losses),
    )
