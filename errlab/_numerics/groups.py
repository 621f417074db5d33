"""Means over examples in groups, such as patients or prompts, with cluster-robust errors.

All functions with ``groups=`` take their standard errors, degrees of freedom and sentences about
groups from here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray
from errlab._core.interval import Interval
from errlab._numerics.roots import beta_quantile

FEW = 10.0  # a report warns if there are fewer effective groups
_FLAT = 1e-12  # differences below this, relative to the largest value, are rounding errors


class Spread(NamedTuple):
    """Means with their cluster-robust standard errors, and those of independent examples."""

    mean: FloatArray
    error: FloatArray
    independent: FloatArray

    def at_least_independent(self) -> Spread:
        """Use the standard errors of independent examples where these are larger.

        Otherwise thirty groups, of which all but one agree, would show more than as many examples
        without groups.
        """
        return self._replace(error=np.maximum(self.error, self.independent))


class Groups(NamedTuple):
    """The group of each example.

    Attributes
    ----------
    code : ndarray of int, shape (n,)
        The number of the group of each example.
    sizes : ndarray of float, shape (G,)
        Examples of each group.
    max_size : float
        The most examples that any group of the population can have.
    """

    code: IntArray
    sizes: FloatArray
    max_size: float

    @property
    def number(self) -> int:
        """The number of groups."""
        return len(self.sizes)

    @property
    def one_size(self) -> bool:
        """Whether all groups have one size, so that the means over groups and examples agree."""
        return bool(np.ptp(self.sizes) == 0)

    @property
    def shares(self) -> FloatArray:
        """Fraction of the examples in each group, shape (G,)."""
        return np.asarray(self.sizes / self.sizes.sum())

    @property
    def effective(self) -> float:
        """Number of groups of equal size that would give the same precision (Kish 1965)."""
        return float(1 / (self.shares**2).sum())

    @property
    def df(self) -> float:
        r"""Degrees of freedom of the standard error of `spread`, by Satterthwaite's approximation.

        With the shares :math:`w_g = n_g / n` they are

        .. math:: 1 \Big/ \Big( \sum_g w_g^2 + \sum_{g \ne h} a_g a_h \Big), \quad
                  a_g = \frac{w_g^2}{1 - w_g},

        the :math:`(\sum \lambda)^2 / \sum \lambda^2` of Bell and McCaffrey (2002) for independent
        examples: G - 1 for groups of the same size, fewer for others.
        """
        w = self.shares
        a = w**2 / (1 - w)
        return float(1 / ((w**2).sum() + a.sum() ** 2 - (a**2).sum()))

    @property
    def facts(self) -> dict[str, float]:
        """Return the numbers of groups that a result reports, by field name."""
        return {
            "groups": self.number,
            "effective_groups": self.effective,
            "largest_group": float(self.shares.max()),
            "max_group_size": int(self.max_size),
        }

    def sums(self, values: FloatArray) -> FloatArray:
        """Sum over each group along the last axis: shape (..., n) to (..., G)."""
        return np.apply_along_axis(lambda row: np.bincount(self.code, row), -1, values)

    def each_alike(self, values: FloatArray) -> tuple[FloatArray, Groups]:
        """Return the mean of each group, and these as groups of size one."""
        alone = Groups(np.arange(self.number), np.ones(self.number), 1.0)
        return self.sums(values) / self.sizes, alone

    def spread(self, values: FloatArray) -> Spread:
        r"""Mean and its cluster-robust standard error CR2, along the last axis.

        .. math:: \sqrt{\sum_g \frac{e_g^2}{1 - n_g / n}} \Big/ n, \quad
                  e_g = \sum_{i \in g} (x_i - \bar x)

        A large group pulls the mean towards itself, so its :math:`e_g` is too small; the divisor
        corrects for that (Bell and McCaffrey 2002). For groups of the same size this is the
        estimate of Liang and Zeger (1986) with the factor :math:`G / (G-1)`.
        """
        n = values.shape[-1]
        mean = values.mean(axis=-1)
        away = values - mean[..., None]
        flat = _FLAT * np.abs(values).max(axis=-1, initial=0.0)[..., None]
        away = np.where(np.abs(away) <= flat, 0.0, away)
        # Groups are independent, and examples within a group may not be, so only group totals
        # count.
        totals = self.sums(away)
        totals = np.where(np.abs(totals) <= flat * self.sizes, 0.0, totals)
        error = np.sqrt((totals**2 / (1 - self.shares)).sum(axis=-1)) / n
        return Spread(mean, error, np.sqrt((away**2).sum(axis=-1) / (n * max(n - 1, 1))))

    def ends(self, spread: Spread, tail: float, low: float, high: float) -> Interval[FloatArray]:
        r"""Ends that each fail with probability `tail`, for a mean of values in [low, high].

        They are those of Student's t, clipped to the range. If all groups have the same mean c, the
        spread can't be estimated, and each group counts as one example. Let values lie in [0, 1],
        and let m be the true mean over groups. The product of :math:`x_g / m` over the groups is
        nonnegative and has mean 1, so by Markov's inequality it reaches 1/tail with probability at
        most `tail`. It does so if :math:`m \le c\, \mathrm{tail}^{1/G}`, which is the lower end;
        for c = 1 it is Clopper and Pearson's.
        """
        mean, error, _ = spread
        half = t_quantile(self.df, tail) * error
        # If all groups agree, there is no spread to estimate. If a fraction s of groups differed,
        # none would be in the sample with probability (1 - s)^G.
        shrunk = tail ** (1 / self.number)
        first, last = (mean * shrunk + end * (1 - shrunk) for end in (low, high))
        return Interval(
            np.where(error > 0, np.maximum(mean - half, low), first),
            np.where(error > 0, np.minimum(mean + half, high), last),
        )

    def pvalue(self, spread: Spread, limit: float) -> FloatArray:
        """Two-sided p-value of the hypothesis that a mean of values in [-limit, limit] is 0."""
        mean, error, _ = spread
        alike = np.minimum(2 * (1 + np.abs(mean) / limit) ** -self.number, 1.0)
        t = mean / np.where(error > 0, error, 1.0)
        return np.where(error > 0, 2 * special.stdtr(self.df, -np.abs(t)), alike)


def grouped(
    groups: ArrayLike | Groups, n: int, *, least: int = 2, max_group_size: int | None = None
) -> Groups:
    """Check the groups of `n` examples.

    A single group is refused, because it doesn't show how much groups differ. Groups that were
    checked before are returned unchanged. If the largest possible size isn't given, it is that of
    the largest group here.
    """
    if isinstance(groups, Groups):
        return groups
    code = codes(groups)
    checks.require(len(code) == n, "groups", f"name the group of each of {n} examples", len(code))
    sizes = np.bincount(code)
    if len(sizes) < least:
        raise ValueError(
            f"groups must hold at least {least} groups, got {len(sizes)}: one group does not "
            "show how much groups differ"
        )
    max_size = largest = int(sizes.max())
    if max_group_size is not None:
        max_size = checks.one_count(max_group_size, "max_group_size")
        rule = f"be at least the examples of the largest group, {largest}"
        checks.require(max_size >= largest, "max_group_size", rule, max_size)
    return Groups(code, sizes.astype(float), float(max_size))


def codes(groups: ArrayLike, name: str = "groups") -> IntArray:
    """Number the groups from 0; their names may have any type that labels can have."""
    names = checks.labels(groups, name)
    if names.dtype.kind == "O":  # objects can't always be sorted
        numbers = {label: number for number, label in enumerate(dict.fromkeys(names.tolist()))}
        return np.array([numbers[label] for label in names.tolist()])
    return np.unique(names, return_inverse=True)[1].astype(np.int64)


def described(number: int, effective: float, largest: float) -> str:
    """Say how many groups there are, and how many groups of equal size would be as precise.

    >>> described(12, 3.92, 0.462)
    '12 groups, which weigh as much as 3.9 of one size: the largest holds 46% of the examples'
    """
    if number - effective < 1e-9 * number:  # the two numbers differ only by rounding
        return f"{number} groups of one size"
    return (
        f"{number} groups, which weigh as much as {effective:.1f} of one size: the largest holds "
        f"{100 * largest:.0f}% of the examples"
    )


def caution(effective: float) -> list[str]:
    """Return a caution if there are too few groups to estimate how much groups differ."""
    if effective < FEW:
        return ["Caution: so few groups hardly show how much groups differ."]
    return []


def t_quantile(df: float, tail: float) -> float:
    """Upper quantile of Student's t, also for tails that are too small for scipy."""
    # df / (df + T^2) has a beta distribution with parameters df/2 and 1/2.
    quantile = -special.stdtrit(df, tail)
    if np.isfinite(quantile):
        return float(quantile)
    probability = beta_quantile(df / 2, 0.5, 2 * tail)
    return float(np.sqrt(df * probability.complement / np.maximum(probability.value, 1e-300)))
