"""What a test set measured, clean and broadcast, as the formulas of the bounds see it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._numerics.roots import Share


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

    @property
    def share(self) -> Share:
        """The mean, and what it leaves to 1."""
        return Share(self.mean, self.rest)

    def above(self, distance: FloatArray) -> Share:
        """Return what lies this far above the mean."""
        return Share(self.mean + distance, self.rest - distance)

    @property
    def mirrored(self) -> Measured:
        """The same test of ``1 - loss``."""
        return Measured(self.n, self.right, self.errors, self.rest, self.mean, self.var)


@dataclass(frozen=True)
class Losses:
    """The losses themselves, and what each leaves to 1: arrays of shape (..., n)."""

    loss: FloatArray
    gain: FloatArray

    @property
    def mirrored(self) -> Losses:
        """The losses ``1 - loss``."""
        return Losses(self.gain, self.loss)

    def at_least_mean(self, found: Share) -> Share:
        """Raise an upper bound that is below the mean to it."""
        return Share(
            np.maximum(found.value, self.loss.mean(axis=-1)),
            np.minimum(found.rest, self.gain.mean(axis=-1)),
        )


def from_errors(errors: ArrayLike, n: ArrayLike, delta: FloatArray) -> Measured:
    """Check counts of errors, which stay counts: the mean is taken from them."""
    count = checks.count(errors, "errors", 0).astype(float)
    size = checks.count(n).astype(float)
    checks.same_shape(errors=count, n=size, delta=delta)
    count, size = np.broadcast_arrays(count, size)
    if (count > size).any():
        first = np.argmax(count > size)
        most = int(size.flat[first])
        got = int(count.flat[first])
        raise ValueError(f"errors must be at most n = {most}, got {got}")
    right = size - count
    mean = count / size
    rest = right / size
    return Measured(size, count, right, mean, rest, mean * rest)


def from_mean(
    mean: ArrayLike, n: ArrayLike, delta: FloatArray, var: ArrayLike | None = None
) -> Measured:
    """Check a mean loss; the variance becomes the worst case where it is not given.

    The counts that it stands for are found with the rounding of mean = k/n undone.
    """
    m = checks.mean(mean)
    size = checks.count(n).astype(float)
    v = np.zeros(()) if var is None else checks.within(var, "var", 0, 0.25)
    checks.same_shape(mean=m, n=size, delta=delta, var=v)
    m, size, v = np.broadcast_arrays(m, size, v)
    # A mean of 7/200 stands for 7 errors, though 200 * (7/200) may miss 7 by a rounding.
    k = size * m
    nearest = np.rint(k)
    whole = np.abs(k - nearest) <= 1e-12 * np.maximum(k, 1)
    errors = np.where(whole, nearest, k)
    right = np.where(whole, size - nearest, size * (1 - m))
    rest = np.where(whole, right / size, 1 - m)
    worst = m * rest  # survey Eq. 31
    if (v > worst + 1e-12).any():
        first = np.argmax(v > worst + 1e-12)
        raise ValueError(
            f"var must be at most mean*(1-mean) = {worst.flat[first]:g}, got {v.flat[first]:g} "
            "(the 1/n variance of losses in [0, 1])"
        )
    return Measured(size, errors, right, m, rest, worst if var is None else np.minimum(v, worst))
