"""What a test measured, checked: counts, a mean, or losses in their order."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._numerics.roots import Share

Order = Literal["shuffle", "given"]
ORDERS = ("shuffle", "given")


class Measured(NamedTuple):
    """A test set in numbers: arrays of one shape.

    Attributes
    ----------
    n : ndarray
        Number of cases.
    errors, right : ndarray
        Sum of the losses, and what it leaves to `n`; whole where the losses are 0 and 1.
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
    def rest(self) -> FloatArray:
        """What the mean loss leaves to 1."""
        return self.right / self.n

    def above(self, distance: FloatArray | float) -> Share:
        """Return what lies this far above the mean."""
        return Share(self.mean + distance, self.rest - distance)

    @property
    def mirrored(self) -> Measured:
        """The same test of ``1 - loss``."""
        return Measured(self.n, self.right, self.errors, self.var)


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
    return Measured(size, count, right, count * right / size**2)


def from_mean(
    mean: ArrayLike, n: ArrayLike, delta: ArrayLike, var: ArrayLike | None = None
) -> Measured:
    """Check a mean loss; the variance becomes the worst case where it is not given.

    The counts that it stands for are found with the rounding of mean = k/n undone.
    """
    try:
        m = checks.mean(mean)
    except ValueError as error:  # most often a count
        hint = (
            "a count of errors goes as errors / n, or as errors= to bounds.upper, lower, interval"
        )
        raise ValueError(f"{error}; {hint}") from None
    size = checks.count(n).astype(float)
    v = np.zeros(()) if var is None else checks.within(var, "var", 0, 0.25)
    m, size, v, _ = checks.same_shape(mean=m, n=size, var=v, delta=delta)
    # A mean of 7/200 stands for 7 errors, though 200 * (7/200) may miss 7 by a rounding.
    k = size * m
    nearest = np.rint(k)
    whole = np.abs(k - nearest) <= 1e-12 * np.maximum(k, 1)
    errors = np.where(whole, nearest, k)
    right = np.where(whole, size - nearest, size * (1 - m))
    worst = m * right / size  # survey Eq. 31
    if (over := v > worst + 1e-12).any():
        raise ValueError(
            f"var must be at most mean*(1-mean) = {worst[over][0]:g}, got {v[over][0]:g} "
            "(the 1/n variance of losses in [0, 1])"
        )
    spread = worst if var is None else np.minimum(v, worst)
    return Measured(size, errors, right, spread)


def from_losses(losses: FloatArray, delta: FloatArray, key: str, loss: str) -> Measured:
    """Sum losses up for a bound: counts of 0 and 1, or the mean and variance of graded ones."""
    n = losses.shape[-1]
    # Losses of 0 and 1 stay counts: their mean is not rounded.
    graded = losses[(losses > 0) & (losses < 1)]
    if not graded.size:
        return from_errors(losses.sum(axis=-1), n, delta)
    if loss == "binary":
        raise ValueError(
            f"bound {key!r} is for losses of 0 and 1, got {graded[0]:.4g}; "
            "for graded losses take BET, or T_HOE if only their mean is known"
        )
    return from_mean(losses.mean(axis=-1), n, delta, losses.var(axis=-1))
