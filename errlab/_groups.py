"""Cases that come in groups: patients, prompts, sessions. Sums over each, whatever their order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab import _checks
from errlab._checks import FloatArray, IntArray

_FLAT = 1e-12  # deviations of this size, relative to the largest value, are rounding errors


class Spread(NamedTuple):
    """Means, their cluster-robust standard errors, and the deviation of each value."""

    mean: FloatArray
    error: FloatArray
    away: FloatArray


class Groups(NamedTuple):
    """Cases sorted by their group.

    Attributes
    ----------
    order : ndarray of int, shape (n,)
        The cases, group after group.
    starts : ndarray of int, shape (G,)
        Where each group starts in that order.
    sizes : ndarray of float, shape (G,)
        Cases of each group.
    """

    order: IntArray
    starts: IntArray
    sizes: FloatArray

    @property
    def number(self) -> int:
        """How many groups there are."""
        return len(self.starts)

    def sums(self, values: FloatArray) -> FloatArray:
        """Sum over each group along the last axis: shape (..., n) to (..., G)."""
        return np.add.reduceat(values[..., self.order], self.starts, axis=-1)

    def spread(self, values: FloatArray) -> Spread:
        r"""Mean, and its cluster-robust standard error, along the last axis.

        .. math:: \sqrt{\frac{G}{G-1} \sum_g e_g^2} \Big/ n, \quad
                  e_g = \sum_{i \in g} (x_i - \bar x)

        Liang and Zeger (1986), with the factor of Cameron and Miller (2015).
        """
        n = values.shape[-1]
        mean = values.mean(axis=-1)
        away = values - mean[..., None]
        flat = _FLAT * np.abs(values).max(axis=-1, initial=0.0)[..., None]
        away = np.where(np.abs(away) <= flat, 0.0, away)
        totals = self.sums(away)
        totals = np.where(np.abs(totals) <= flat * self.sizes, 0.0, totals)
        factor = self.number / (self.number - 1)
        return Spread(mean, np.sqrt(factor * (totals**2).sum(axis=-1)) / n, away)


def grouped(groups: ArrayLike, n: int, name: str = "groups", least: int = 2) -> Groups:
    """Check what group each of `n` cases belongs to, and sort them by it.

    One group is refused: it does not tell how much groups differ.
    """
    code = codes(groups, name)
    if len(code) != n:
        raise ValueError(f"{name} must name the group of each of {n} cases, got {len(code)}")
    order = np.argsort(code, kind="stable").astype(np.int64)
    sizes = np.bincount(code)
    if len(sizes) < least:
        raise ValueError(
            f"{name} must hold at least {least} groups, got {len(sizes)}: one group cannot tell "
            "how much groups differ"
        )
    starts = np.concatenate([[0], sizes.cumsum()[:-1]]).astype(np.int64)
    return Groups(order, starts, sizes.astype(float))


def codes(groups: ArrayLike, name: str = "groups") -> NDArray[np.int64]:
    """Number the groups from 0 on; names of any type that can be labels."""
    names = _checks.labels(groups, name)
    if names.dtype.kind == "O":  # objects need no order
        seen: dict[object, int] = {}
        return np.array([seen.setdefault(x, len(seen)) for x in names.tolist()], dtype=np.int64)
    return np.unique(names, return_inverse=True)[1].astype(np.int64)
