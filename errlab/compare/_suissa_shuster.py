r"""The exact unconditional McNemar test of Suissa and Shuster, with consistent limits.

Of n examples A alone is wrong on x and B alone on y. The counts are multinomial with probabilities
p, q and 1 - p - q; d = p - q is the difference of the error rates, and the other unknown parameter
is a nuisance.

**Test.** Tables are ordered by McNemar's :math:`z^2 = (x - y)^2 / (x + y)`. Given m = x + y and d =
0, the probability T(m) of a table as extreme is binomial, and so is m, with the probability theta
of a discordant example. The p-value is the largest :math:`P(\theta) = E\,T(m)` over all theta in
[0, 1]. With :math:`\theta = \sin^2\varphi` the score and its derivative have :math:`E S^2 = E|S'| =
4 n`, so :math:`|P''| \le 4 n \max T`. Between two angles that are h apart, P exceeds the larger of
its two values by at most :math:`n h^2 \max T / 2`. Angles are added where this could matter, and
the upper bound is returned.

**Limits.** The lower limit for d is Buehler's. It needs an order of the tables by how much they
suggest a large d, and is the smallest d at which the tables that suggest at least as large a d have
a probability above ``delta / 2`` for some nuisance. It covers for any order. The tables that the
test rejects in favour of d > 0 come first, so that the limit is above 0 if, and only if, the test
rejects; both parts are ordered by Tango's lower limit. Adding one to x, or subtracting one from y,
never leaves the set, so its probability rises with d. The nuisance is the smaller one of p and q,
:math:`L \sin^2\varphi` with :math:`L = (1 - |d|) / 2`. That no probability exceeds ``delta / 2``
between two angles is certified as above, with :math:`|P''|^2 \le P \, E(f''/f)^2` by Cauchy and
Schwarz, f being the likelihood. Of n independent examples :math:`E(f''/f)^2 = 2 n (n - 1) I^2 + n
V` with the information :math:`I \le 8 L` and :math:`V = E(f''/f)^2 \le 32 L \cot^2 2\varphi` of one
example.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import scipy
from scipy import special

from errlab._core.checks import IntArray
from errlab._numerics.roots import NONE, bisect, first_whole, normal_quantile
from errlab.compare._paired_table import cells_of, counts_of
from errlab.compare._registry import (
    A_AND_B,
    ArrayLike,
    ComparisonResult,
    FloatArray,
    Interval,
    Names,
    comparison,
)
from errlab.compare._score import BoolArray, half_tail, over_error
from errlab.compare._tango import tango, tango_score

LARGEST = 10_000  # largest number of examples; above it, an interval takes many seconds
# ratios of counts that are this close are equal, because up to LARGEST other ratios differ by more
_SAME = 1e-13
# with probability 1e-14 a binomial count is more standard deviations than this from its mean
_REACH = 8.0
_ABOVE_0 = 1e-300
_SLACK = 0.004  # fraction of delta / 2 reserved for the error of the computed maximum
_STEP = 5e-6  # precision of a limit, in units of 1 / sqrt(n)

Curve = Callable[[FloatArray], FloatArray]


@comparison(
    key="mcnemar-unconditional",
    name="McNemar, unconditional",
    place=18,
    takes="small table",
    equations="Suissa and Shuster 1991; Lloyd and Moldovan 2007",
    guarantee="exact",
)
def suissa_shuster(
    table: ArrayLike, *, delta: float = 0.05, names: Names = A_AND_B
) -> ComparisonResult:
    r"""Exact unconditional McNemar test of two classifiers, with a proven interval.

    .. math:: p = \sup_\theta P_\theta\big(Z^2 \ge z^2\big), \quad
              z = \frac{n_{01} - n_{10}}{\sqrt{n_{01} + n_{10}}}

    Here the number of discordant examples is random, whereas `mcnemar` takes it as given. So that
    test doesn't use up its level, and misses differences that this one shows.

    Parameters
    ----------
    table : array_like, shape (..., 2, 2)
        ``[[n00, n01], [n10, n11]]``, as `mcnemar_table` counts them, with at most 10,000 examples;
        leading axes are several tables.

    Returns
    -------
    ComparisonResult
        `statistic` is z. The type I error never exceeds the level, whatever the probability of a
        discordant example. The interval for the difference of the error rates over all examples has
        a coverage of at least 1 - delta, and excludes 0 if, and only if, ``pvalue <= delta``.

    Raises
    ------
    ValueError
        If the table has another shape, a negative count, no example, or more than 10,000.
    TypeError
        If the table does not hold numbers.

    References
    ----------
    Suissa and Shuster, Biometrics 47 (1991), 361-372, for the test; Lloyd and Moldovan, Statistics
    in Medicine 26 (2007), 3369-3384, for limits of this kind, after Buehler, Journal of the
    American Statistical Association 52 (1957), 482-493.

    Examples
    --------
    >>> suissa_shuster([[59, 6], [16, 80]])
    Only A is wrong on 6 examples, only B on 16: the error of A minus error of B is -0.0621, 95%
    interval -0.129 to -0.00471.
    A is better at level 0.05 (McNemar, unconditional, p = 0.034; guarantee: exact).
    """
    _, x, y, _ = cells = cells_of(table)
    return unconditional(x, y, cells.sum(axis=0), "table")


def unconditional(x: FloatArray, y: FloatArray, n: FloatArray, what: str = "n") -> ComparisonResult:
    """Return the test with its limits for checked counts; `what` names the argument with n."""
    for many in n[n > LARGEST][:1]:
        raise ValueError(
            f"{what} must hold at most {LARGEST:,} examples for the unconditional test, got "
            f'{many:.0f}; take method="exact", whose p-value is quick at any size'
        )
    pvalue = np.vectorize(_pvalue, otypes=[float])(x, y, n)
    limits = partial(_limits, x, y, n, pvalue)
    z = over_error(x - y, x + y)
    return ComparisonResult(z, pvalue, (x - y) / n, limits, counts=counts_of(x, y))


def _limits(
    x: FloatArray, y: FloatArray, n: FloatArray, pvalue: FloatArray, *, delta: float
) -> Interval[FloatArray]:
    """Return the lower limit, and minus the lower limit of the swapped table."""
    lower = np.vectorize(_lower_limit, otypes=[float])
    limits = []
    for a, b in ((x, y), (y, x)):
        rejects = (pvalue <= delta) & (a > b)
        limit: FloatArray = lower(a, b, n, rejects, delta)
        # The limit is above 0 exactly if the test rejects. Rejected tables come first, so this
        # corrects only rounding errors.
        limits.append(np.where(rejects, np.maximum(limit, _ABOVE_0), np.minimum(limit, 0.0)))
    return Interval(limits[0], -limits[1])


# --- the largest probability ----------------------------------------------------------------


def _supremum(
    value_at: Curve, bound: Curve, angles: FloatArray, level: float = 0.0
) -> tuple[float, float]:
    """Return an upper bound of the maximum, to 1e-9 of it, and an angle that exceeds the level.

    With a level, the bound is only refined until it is clear on which side of the level the value
    is. `bound` returns an upper bound for each cell between two angles, from the angles and the
    values at both.
    """
    value = value_at(angles)
    cells = np.array([angles[:-1], angles[1:], value[:-1], value[1:]])
    best = 0.0
    while True:
        best = max(best, float(cells[2:].max()))
        above = bound(cells)
        undecided = above > max(level, best * (1 + 1e-9))
        if 0 < level < best or not undecided.any():
            return max(best, float(above.max())), float(cells[:2].flat[cells[2:].argmax()])
        # halve the cells that could hold the maximum
        left, right, at_left, at_right = cells[:, undecided]
        middle = (left + right) / 2
        value = value_at(middle)
        cells = np.hstack([[left, middle, at_left, value], [middle, right, value, at_right]])


def _angles(n: int) -> FloatArray:
    """Return angles from 0 to pi / 2, one standard deviation of the estimate apart."""
    return np.linspace(0, np.pi / 2, int(np.ceil(np.pi * np.sqrt(n))) + 2)


def _binomial(n: int, shares: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return counts of Bin(n, share) around each mean, and their probabilities, shares x counts.

    Negligible probabilities are left out.
    """
    largest = np.sqrt(n * np.max(shares * (1 - shares), initial=0.0))
    reach = min(n, int(_REACH * largest) + 40)
    k = np.rint(n * shares).astype(np.int64)[:, None] + np.arange(-reach, reach + 1)
    return np.clip(k, 0, n), scipy.stats.binom.pmf(k, n, shares[:, None])


# --- the test -------------------------------------------------------------------------------


def _pvalue(x: float, y: float, n: float) -> float:
    """Return the largest probability of a table as extreme, over all discordant rates."""
    if x == y:
        return 1.0
    return min(1.0, _largest_probability(int(n), (x - y) ** 2 / (x + y)))


@lru_cache(4096)
def _largest_probability(n: int, ratio: float, level: float = 0.0) -> float:
    """Return the largest probability that (x - y)^2 / m is at least `ratio`; see `_supremum`."""
    m = np.arange(n + 1.0)
    # for m discordant examples, the test rejects up to this smaller count
    fewer = np.floor((m - np.sqrt(ratio * m) * (1 - _SAME)) / 2)
    tail = np.minimum(2 * half_tail(np.maximum(fewer, 0), m), 1.0)
    tail = np.where((fewer >= 0) & (m > 0), tail, 0.0)

    def mean(angles: FloatArray) -> FloatArray:
        k, probability = _binomial(n, np.sin(angles) ** 2)
        return np.asarray((probability * tail[k]).sum(axis=1))

    def bound(cells: FloatArray) -> FloatArray:
        left, right, *ends = cells
        return np.asarray(np.maximum(*ends) + n * tail.max() * (right - left) ** 2 / 2)

    return _supremum(mean, bound, _angles(n), level)[0]


@lru_cache(256)
def _critical_ratio(n: int, delta: float) -> float:
    """Return the smallest ratio, to 1e-12 of n, that the test rejects; above n if there is none."""

    def accepts(ratio: FloatArray) -> bool:
        return _largest_probability(n, float(ratio), delta) > delta

    middle = bisect(accepts, np.zeros(()), np.array(n + 1.0), steps=45)
    # return the upper end of the last bracket, which is rejected
    return float(middle) + n / 2.0**45


# --- the limits -----------------------------------------------------------------------------


def _lower_limit(x: float, y: float, cases: float, rejected: bool, delta: float) -> float:
    """Return Buehler's lower limit; see the module."""
    from scipy.optimize import brentq

    n = int(cases)
    tables = TableSet(n, _edges(x, y, n, rejected, delta))
    # Find the d at which the maximum over a few angles is just below the level. Then check the
    # maximum over all angles, and add the angle where it exceeds the level.
    target = delta / 2 * (1 - _SLACK)
    angles = _angles(n)
    step = _STEP / np.sqrt(n)
    # no difference is below -1, so a limit this close to -1 is -1
    first = 2 * step - 1
    d = 1.0

    def excess(d: float) -> float:
        """Return the excess of the largest probability, which grows with d, over the target."""
        return float(tables.at_angles(d, angles).max() - target)

    while excess(first) <= 0:
        d = float(brentq(excess, first, d, xtol=step) - step)
        at_angles, bound = partial(tables.at_angles, d), partial(tables.above, d)
        largest, worst = _supremum(at_angles, bound, _angles(16 * n), delta / 2)
        if largest <= delta / 2:
            return d
        angles = np.append(angles, worst)
    return -1.0


def _edges(x: float, y: float, n: int, rejected: bool, delta: float) -> FloatArray:
    """Return, for each y, the smallest x of the tables that suggest at least as large a d."""
    limit = tango(*map(np.asarray, (x, y, float(n))), delta=delta).low
    if limit <= -1:  # every table has a lower limit of at least -1, so all are included
        return np.zeros(n + 1)
    quantile = normal_quantile(delta / 2)
    beyond = _smallest_x(n, lambda a, b: tango_score(a, b, n, limit) >= quantile - 1e-9)
    ratio = _critical_ratio(n, delta) * (1 - _SAME)
    rejected_edges = _smallest_x(n, lambda a, b: (a > b) & ((a - b) ** 2 >= ratio * (a + b)))
    edges = np.maximum(beyond, rejected_edges) if rejected else np.minimum(beyond, rejected_edges)
    # include the observed table, even if rounding puts it outside
    edges[int(y)] = min(edges[int(y)], x)
    # include every table with the same x and a smaller y
    return np.minimum.accumulate(edges[::-1])[::-1]


def _smallest_x(n: int, rule: Callable[[FloatArray, FloatArray], BoolArray]) -> FloatArray:
    """Return for each y the smallest x at which a monotone rule is true, or n + 1."""
    y = np.arange(n + 1.0)
    none = np.full(n + 1, n + 1)
    edges = first_whole(lambda x: rule(np.maximum(x, 0.0), y), np.full(n + 1, -1), none)
    return edges.astype(float)


class TableSet(NamedTuple):
    """The tables of n examples with x >= edges[y], and their probability for a difference d."""

    n: int
    edges: FloatArray

    def at_angles(self, d: float, angles: FloatArray) -> FloatArray:
        """Return the probability at each angle."""
        return self.probability(d, *[np.sin(angles) ** 2] * 2)

    def probability(self, d: float, for_p: FloatArray, for_q: FloatArray) -> FloatArray:
        """Return the probability if the smaller of p and q is a given fraction of its maximum."""
        largest = (1 - abs(d)) / 2
        p = largest * for_p + max(d, 0.0)
        q = largest * for_q + max(-d, 0.0)
        y, weight = _binomial(self.n, q)
        x = self.edges[y]
        # draw y from a binomial distribution, and x given y
        theta = np.clip(p / np.maximum(1 - q, NONE), NONE, 1 - 1e-16)[:, None]
        rest = self.n - y - x + 1
        tail = special.betainc(np.maximum(x, NONE), np.maximum(rest, NONE), theta)
        return np.asarray((weight * tail).sum(axis=1))

    def above(self, d: float, cells: FloatArray) -> FloatArray:
        """Return an upper bound in each cell; see `_supremum`."""
        left, right, *ends = cells
        spread = self.n * (1 - abs(d))
        # the cotangent is largest at an end of a cell
        with np.errstate(divide="ignore"):
            cot = np.maximum(*np.abs(1 / np.tan(2 * cells[:2])))
        curve = (right - left) ** 2 / 8 * np.sqrt(32 * spread**2 + 16 * spread * cot**2)
        # the maximum s of a cell satisfies s <= end + curve sqrt(s)
        above: FloatArray = ((curve + np.sqrt(curve**2 + 4 * np.maximum(*ends))) / 2) ** 2
        # near 0 this bound is too loose; use the largest p and the smallest q of the cell instead
        steep = curve > 1
        above[steep] = self.probability(d, *np.sin(cells[1::-1, steep]) ** 2)
        return above
