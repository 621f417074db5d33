r"""Betting bounds on the mean loss of examples in groups, proven for every number of groups.

Groups are independent draws of a size s and a sum of losses e, with :math:`0 \le e \le s \le M`.
The true mean over examples is the ratio :math:`L = E[e] / E[s]`, in which large groups count for
more because they have more examples. At :math:`r = L` the numbers :math:`r s - e` have mean 0, even
if losses depend on sizes, so a bet against r is a test of it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy import special

from errlab._core.checks import FloatArray
from errlab._core.interval import Interval

_APART = 2.0  # largest ratio of two consecutive stakes
_LEAST = 1e-300  # the smallest factor, as the logarithm of 0 is infinite


class GroupBets(NamedTuple):
    r"""Constant stakes on the groups, and the capital that they win.

    .. math:: K(r) = \frac1J \sum_j \prod_g \left( 1 + f_j(r)\, \frac{r s_g - e_g}{M (1 - r)}
              \right), \quad f_j(r) = \min\left( 1, c_j \sqrt{\frac{1 - r}{r}} \right).

    A factor is at least :math:`1 - f_j \ge 0`, because :math:`e_g - r s_g \le (1 - r) M`, and its
    mean is 1 at the true r. So K(L) is nonnegative with mean 1, and by Markov's inequality it
    reaches :math:`1/\delta` with probability at most :math:`\delta`. The bound is the largest r
    with :math:`K(r) < 1/\delta`.

    The order of a product doesn't matter, and so neither do the order of rows or the names of
    groups. Each factor falls with each loss and grows with r, so one more error never lowers the
    bound, and the r that no bet rules out form an interval. It contains the mean of the test set,
    at which the logarithms of the factors have a mean below 0. Without errors, and with groups of
    the same size, the bound is :math:`1 - \delta^{1/G}`.

    The stakes don't depend on the data. The best stake is :math:`c_1 = \sqrt{2 \log(1/\delta) / G}`
    if all M examples of a group agree, and up to :math:`\sqrt M` times as large if they are
    independent. Graded scores may vary less, so their stakes go up to :math:`\sqrt{(2 - q) / q}`
    with :math:`q = \delta^{1/G}`, which bets everything on each group if two models never differ.

    Attributes
    ----------
    sums, sizes : ndarray, shape (G,)
        Sum of the losses of each group, and its number of examples.
    largest : float
        The largest possible size of a group, M.
    tail : float
        Probability that a bound may fail, :math:`\delta`.
    stakes : ndarray, shape (J,)
        The :math:`c_j`.
    """

    sums: FloatArray
    sizes: FloatArray
    largest: float
    tail: float
    stakes: FloatArray

    @classmethod
    def of(
        cls, sums: FloatArray, sizes: FloatArray, largest: float, tail: float, *, rate: bool
    ) -> GroupBets:
        """Choose the stakes for a bound that fails with probability `tail`.

        `rate` means that each loss is 0 or 1. Then the losses of a group vary at least as much as
        those of independent examples.
        """
        unmet = tail ** (1 / len(sums))
        # the second stake, which is best if no group has an error; the larger one only for 2 or 3
        # groups
        first = math.sqrt(max(-2 * math.log(tail) / len(sums), (1 - unmet) / unmet))
        last = math.sqrt((2 - unmet) / unmet)
        if rate:
            last = min(1.0, first * math.sqrt(largest))
        last = max(first, last)
        number = 1 + math.ceil(math.log(last / first, _APART) - 1e-9)
        return cls(sums, sizes, largest, tail, np.geomspace(first, last, number))

    @property
    def mirrored(self) -> GroupBets:
        """The same bets on ``1 - loss``."""
        return self._replace(sums=self.sizes - self.sums)

    def log_capital(self, rate: float) -> float:
        """Return log K(r) for a candidate rate in (0, 1)."""
        stake = np.minimum(1.0, self.stakes * math.sqrt((1 - rate) / rate))
        won = (rate * self.sizes - self.sums) / (self.largest * (1 - rate))
        # stakes x groups; rounding can make a factor negative
        factors = np.maximum(1 + np.multiply.outer(stake, won), _LEAST)
        return float(special.logsumexp(np.log(factors).sum(axis=1)) - math.log(len(stake)))

    def upper(self) -> float:
        """Return the largest rate that the bets don't reject."""
        from scipy import optimize  # slow to import, and printing the help doesn't need it

        target = -math.log(self.tail)
        # the capital is below 1 at the mean of the test set, and grows with the rate
        low = max(float(self.sums.sum() / self.sizes.sum()), 1e-15)
        high = 1 - 1e-15
        if low >= high or self.log_capital(high) < target:
            return 1.0
        # return the outer end of the last bracket, so that the bound stays valid
        root = optimize.brentq(lambda r: self.log_capital(r) - target, low, high, xtol=1e-14)
        return min(1.0, float(root) + 1e-14)

    def interval(self) -> Interval:
        """Return the interval of rates that neither these bets nor the mirrored ones reject."""
        return Interval(1 - self.mirrored.upper(), self.upper())


def group_interval(
    sums: FloatArray, sizes: FloatArray, largest: float, delta: float, *, rate: bool
) -> tuple[float, Interval]:
    """Return the one-sided bound at `delta` and the interval with `delta / 2` on each side."""
    one, both = (GroupBets.of(sums, sizes, largest, d, rate=rate) for d in (delta, delta / 2))
    return one.upper(), both.interval()


def group_difference(
    sums: FloatArray, sizes: FloatArray, largest: float, delta: float
) -> tuple[Interval, float]:
    """Return the interval of a mean difference in [-1, 1], and the log capital against a mean of 0.

    A difference d becomes a loss (1 + d) / 2, so that no difference is a rate of one half. 2
    divided by the larger capital against one half is a p-value: see `group_pvalue`.
    """
    bets = GroupBets.of((sizes + sums) / 2, sizes, largest, delta / 2, rate=False)
    low, high = bets.interval()
    against = max(bets.log_capital(0.5), bets.mirrored.log_capital(0.5))
    return Interval(2 * low - 1, 2 * high - 1), against


def group_pvalue(log_capital: float) -> float:
    """Return the two-sided p-value: at most `delta` if `group_difference` excludes 0."""
    return min(1.0, 2 * math.exp(-max(log_capital, 0.0)))
