"""Beta variables, with quantiles that hold for tiny tails and for any parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from errlab._checks import FloatArray


class Beta(NamedTuple):
    """A beta variable; with b = 0 it is always 1."""

    a: FloatArray
    b: FloatArray

    def at(self, where: NDArray[np.bool_]) -> Beta:
        """Return some of the variables."""
        return Beta(self.a[where], self.b[where])

    def column(self) -> Beta:
        """Return the variables as a column, for many points each."""
        return Beta(self.a[:, None], self.b[:, None])

    def mirrored(self) -> Beta:
        """Return 1 minus the variable."""
        return Beta(self.b, self.a)

    def below(self, x: FloatArray) -> FloatArray:
        """P(B <= x)."""
        return np.asarray(special.betainc(self.a, self.b, x))

    def above(self, x: FloatArray) -> FloatArray:
        """P(B > x)."""
        return np.asarray(special.betaincc(self.a, self.b, x))

    def low(self, tail: float) -> FloatArray:
        """Quantile with the probability `tail` below it."""
        found = special.betaincinv(self.a, self.b, tail)
        return _mended(found, self, tail, lambda beta, x: beta.below(x) < tail)

    def high(self, tail: float) -> FloatArray:
        """Quantile with the probability `tail` above it."""
        some = Beta(self.a, np.maximum(self.b, 1))
        found = special.betainccinv(some.a, some.b, tail)
        found = _mended(found, some, tail, lambda beta, x: beta.above(x) > tail)
        return np.where(self.b > 0, found, 1.0)


def beta(a: ArrayLike, b: ArrayLike) -> Beta:
    """Return beta variables from their parameters, broadcast."""
    pair = np.broadcast_arrays(np.asarray(a, dtype=float), np.asarray(b, dtype=float))
    return Beta(*pair)


def _mended(
    found: ArrayLike,
    variable: Beta,
    tail: float,
    short: Callable[[Beta, FloatArray], NDArray[np.bool_]],
) -> FloatArray:
    """Bisect where scipy's quantile is not one: nan at tails of 1e-100, off at b = 1e9."""
    x = np.atleast_1d(np.array(found, dtype=float))
    all_of = Beta(*(np.atleast_1d(p) for p in np.broadcast_arrays(*variable)))
    inside = (x > 0) & (x < 1)
    near = np.where(inside, x, 0.5)
    step = 1e-6 * np.minimum(near, 1 - near)
    right = inside & short(all_of, near - step) & ~short(all_of, near + step)
    if not right.all():
        rest = all_of.at(~right)
        low = np.full(rest.a.shape, np.log(1e-320))
        high = np.zeros(rest.a.shape)
        for _ in range(100):
            middle = (low + high) / 2
            yes = short(rest, np.exp(middle))
            low = np.where(yes, middle, low)
            high = np.where(yes, high, middle)
        x[~right] = np.exp((low + high) / 2)
    return x.reshape(np.shape(found))
