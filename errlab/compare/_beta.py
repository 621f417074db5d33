"""Beta variables: what a Clopper-Pearson end is a quantile of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from errlab._core.checks import FloatArray
from errlab._numerics.beta import beta_quantile


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
        return np.asarray(beta_quantile(self.a, self.b, np.asarray(tail)).value)

    def high(self, tail: float) -> FloatArray:
        """Quantile with the probability `tail` above it."""
        mirrored = beta_quantile(np.maximum(self.b, 1), self.a, np.asarray(tail))
        return np.where(self.b > 0, mirrored.rest, 1.0)


def beta(a: ArrayLike, b: ArrayLike) -> Beta:
    """Return beta variables from their parameters, broadcast."""
    pair = np.broadcast_arrays(np.asarray(a, dtype=float), np.asarray(b, dtype=float))
    return Beta(*pair)
