r"""The exact unconditional McNemar test of Suissa and Shuster, and limits that belong to it.

Of n cases A alone is wrong on x and B alone on y. The counts are multinomial with probabilities
p, q and the rest; d = p - q is the difference of the error rates, and the rest of what is unknown
is a nuisance.

**Test.** Tables are ordered by McNemar's :math:`z^2 = (x - y)^2 / (x + y)`. Given m = x + y, the
chance T(m) of a table as extreme is binomial where d = 0, and m is binomial with the chance theta
of a discordant case. The p-value is the largest :math:`P(\theta) = E\,T(m)` over all theta in
[0, 1]. With :math:`\theta = \sin^2\varphi` the score and its derivative have
:math:`E S^2 = E|S'| = 4 n`, so :math:`|P''| \le 4 n \max T`: no value between two angles that are
h apart exceeds the larger of the two by more than :math:`n h^2 \max T / 2`. Angles are added where
this could matter, and what is returned is the bound itself.

**Limits.** A lower limit for d is Buehler's, from an order of the tables: the least d for which the
tables that speak at least as much for a large d have a probability above ``delta / 2``, for some
nuisance. It covers whatever the order is. First come the tables that the test rejects in favour of
d > 0, so that the limit is above 0 if, and only if, the test says so; within both parts they are
ordered by Tango's lower limit. The sets are closed under "one more x" and "one y less", whence
their probability rises with d. That none exceeds ``delta / 2`` between two angles is certified as
above, with :math:`|P''|^2 \le P \, E(f''/f)^2` by Cauchy and Schwarz, f being the likelihood.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from scipy import special

from errlab._core.checks import IntArray
from errlab._numerics.roots import bisect, first_whole, normal_quantile
from errlab.compare.paired_table import cells_of
from errlab.compare.registry import (
    A_AND_B,
    ArrayLike,
    ComparisonResult,
    FloatArray,
    Interval,
    Names,
    comparison,
)
from errlab.compare.score import BoolArray
from errlab.compare.tango import tango, tango_score

LARGEST = 10_000  # cases; beyond, an interval takes many seconds
_SAME = 1e-13  # ratios of counts this close are equal; different ones are not, up to LARGEST
_REACH = 8.0  # standard deviations of a binomial count, beyond which 1e-14 is left
_NO_WEIGHT = 1e-20  # a chance of a count that is left out
_ABOVE_0 = 1e-300
_SLACK = 0.004  # share of delta / 2 that is left to the certificate of a limit

_STEP = 5e-6  # how closely a limit is found, in units of 1 / sqrt(n)

Rule = Callable[[FloatArray, FloatArray], BoolArray]
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

    The number of discordant cases is a random number here, which the test of `mcnemar` takes as
    given: that test is kept from using up its level, and misses differences that this one shows.

    Parameters
    ----------
    table : array_like, shape (..., 2, 2)
        ``[[n00, n01], [n10, n11]]`` as `mcnemar_table` counts them; leading axes hold several. At
        most 10,000 cases each.

    Returns
    -------
    ComparisonResult
        `statistic` is z. The p-value never breaks its level, whatever the chance of a discordant
        case. The interval for the difference of the error rates over all cases covers with at
        least 1 - delta, and excludes 0 if, and only if, ``pvalue <= delta``.

    Raises
    ------
    ValueError
        If the table has another shape, a negative count, no case, or more than 10,000.
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
    The error of A minus error of B is -0.0621, 95% interval -0.129 to -0.00471.
    A is better at level 0.05 (McNemar, unconditional, p = 0.034; guarantee: exact).
    """
    cells = cells_of(table)
    return unconditional(cells[1], cells[2], cells.sum(axis=0), "table")


def unconditional(x: FloatArray, y: FloatArray, n: FloatArray, what: str = "n") -> ComparisonResult:
    """Return the test and the limits of checked counts of one shape; `what` gives n."""
    if (many := n > LARGEST).any():
        raise ValueError(
            f"{what} must hold at most {LARGEST:,} cases for the unconditional test, got "
            f'{n[many][0]:.0f}; take method="exact", whose p-value is quick at any size'
        )
    root = np.sqrt(np.maximum(x + y, 1))
    pvalue = np.vectorize(_pvalue, otypes=[float])(x, y, n)
    return ComparisonResult((x - y) / root, pvalue, (x - y) / n, partial(_limits, x, y, n))


def _limits(x: FloatArray, y: FloatArray, n: FloatArray, *, delta: float) -> Interval[FloatArray]:
    """Lower limit, and minus that of the swapped table."""
    lower = np.vectorize(_lower, otypes=[float])
    return Interval(lower(x, y, n, delta), -lower(y, x, n, delta))


# --- the largest probability ----------------------------------------------------------------


def _supremum(
    value_at: Curve, bound: Curve, angles: FloatArray, level: float = 0.0
) -> tuple[float, float]:
    """Upper bound of the largest value, to 1e-9 of it, and an angle at which the level is passed.

    With a level the bound is only as good as it takes to tell on which side of it the value is.
    `bound` gives one for each cell between two angles: rows left, right, and the values at both.
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
        # halve the cells in which this could matter
        left, right, at_left, at_right = cells[:, undecided]
        middle = (left + right) / 2
        value = value_at(middle)
        cells = np.hstack([[left, middle, at_left, value], [middle, right, value, at_right]])


def _angles(n: int) -> FloatArray:
    """Angles from 0 to a right one, apart by a standard deviation of phi in n cases."""
    return np.linspace(0, np.pi / 2, int(np.ceil(np.pi * np.sqrt(n))) + 2)


def _binomial(n: int, shares: FloatArray) -> tuple[IntArray, FloatArray]:
    """Counts of Bin(n, share) around each mean, and their probabilities, shares x counts.

    What is next to 0 is left out.
    """
    largest = np.sqrt(n * np.max(shares * (1 - shares), initial=0.0))
    reach = min(n, int(_REACH * largest) + 40)
    k = np.rint(n * shares).astype(np.int64)[:, None] + np.arange(-reach, reach + 1)
    share = shares[:, None]
    counts = np.arange(n + 1.0)
    log_choose = -np.log1p(n) - special.betaln(counts + 1, n - counts + 1)
    inside = np.clip(k, 0, n)
    logs = special.xlogy(inside, share) + special.xlog1py(n - inside, -share)
    return inside, np.where(k == inside, np.exp(log_choose[inside] + logs), 0.0)


# --- the test -------------------------------------------------------------------------------


@lru_cache(4096)
def _pvalue(x: float, y: float, n: float) -> float:
    """Largest probability of a table as extreme, over all chances of a discordant case."""
    if x == y:
        return 1.0
    return min(1.0, _largest(int(n), (x - y) ** 2 / (x + y)))


def _largest(n: int, ratio: float, level: float = 0.0) -> float:
    """Largest probability that (x - y)^2 / m is at least a positive ratio; see `_supremum`."""
    tail = _conditional(n, ratio)

    def mean(angles: FloatArray) -> FloatArray:
        m, chance = _binomial(n, np.sin(angles) ** 2)
        return np.asarray((chance * tail[m]).sum(axis=1))

    def bound(cells: FloatArray) -> FloatArray:
        width = cells[1] - cells[0]
        return np.asarray(cells[2:].max(axis=0) + n * tail.max() * width**2 / 2)

    return _supremum(mean, bound, _angles(n), level)[0]


def _conditional(n: int, ratio: float) -> FloatArray:
    """T(m) for m = 0 ... n: chance of (x - y)^2 / m >= ratio, given m."""
    m = np.arange(n + 1.0)
    gap = np.ceil(np.sqrt(ratio * m) * (1 - _SAME))
    gap += (gap - m) % 2  # x - y is odd where m is
    possible = (gap <= m) & (m > 0)
    fewer = np.where(possible, (m - gap) / 2, 0.0)
    tail = 2 * special.betainc(np.where(possible, m - fewer, 1.0), fewer + 1, 0.5)
    return np.where(possible, np.minimum(tail, 1.0), 0.0)


@lru_cache(256)
def _critical(n: int, delta: float) -> float:
    """Smallest ratio, to 1e-12 of n, that the test rejects at this level; above n if none."""

    def accepts(ratio: FloatArray) -> bool:
        return _largest(n, float(ratio), delta) > delta

    steps = 45
    middle = bisect(accepts, np.zeros(()), np.array(n + 1.0), steps=steps)
    # the middle of the last interval, of which the upper end is known to be rejected
    return float(middle) + (n + 1) / 2.0 ** (steps + 1)


# --- the limits -----------------------------------------------------------------------------


def _lower(x: float, y: float, cases: float, delta: float) -> float:
    """Lower limit of d, above 0 if, and only if, the test says that d is."""
    rejected = x > y and _pvalue(x, y, cases) <= delta
    limit = _buehler(x, y, int(cases), delta, rejected)
    # no more than a step of rounding where the test rejects: its tables come first
    return max(limit, _ABOVE_0) if rejected else min(limit, 0.0)


def _buehler(x: float, y: float, n: int, delta: float, rejected: bool) -> float:
    """Buehler's lower limit: see the module."""
    from scipy.optimize import brentq

    counts = (np.asarray(count) for count in (x, y, float(n)))
    own = float(tango(*counts, delta=delta).low)
    tables = TableSet(n, _edges(x, y, n, delta, own, rejected))
    # The d at which the largest of a few probabilities is a little below the level; then the
    # angle that refutes it joins them, until the certificate finds none.
    target = delta / 2 * (1 - _SLACK)
    angles = _angles(n)
    step = _STEP / np.sqrt(n)
    # a limit next to -1 is none, and below -1 there is no probability
    first = 2 * step - 1
    d = 1.0

    def excess(d: float) -> float:
        """By how much the largest probability, which grows with d, is above the target."""
        return float(tables.chance(d, angles).max() - target)

    for _ in range(20):
        if excess(first) > 0:
            break
        d = float(brentq(excess, first, d, xtol=step) - step)
        chance, bound = partial(tables.chance, d), partial(tables.above, d)
        largest, worst = _supremum(chance, bound, _angles(16 * n), delta / 2)
        if largest <= delta / 2:
            return d
        angles = np.append(angles, worst)
    return -1.0


def _edges(x: float, y: float, n: int, delta: float, own: float, rejected: bool) -> FloatArray:
    """Least x for each y in the set of tables that speak as much for a large d as this one.

    Its own lower limit by Tango is `own`.
    """
    quantile = normal_quantile(delta / 2)
    beyond = _least(n, lambda a, b: tango_score(a, b, n, own) >= quantile - 1e-9)
    ratio = _critical(n, delta)
    # where p is delta to the last digits, p decides
    own_ratio = (x - y) ** 2 / max(x + y, 1)
    if rejected:
        ratio = min(ratio, own_ratio)
    elif x > y:
        ratio = max(ratio, own_ratio * (1 + 10 * _SAME))
    shown = _least(n, lambda a, b: (a > b) & ((a - b) ** 2 >= ratio * (1 - _SAME) * (a + b)))
    edges = np.maximum(beyond, shown)
    if not rejected:
        edges = np.minimum(beyond, shown)
    if own <= -1:  # no table has a lower one; its score is 0 / 0
        edges[:] = 0.0
    # closed under one y less
    return np.minimum.accumulate(edges[::-1])[::-1]


def _least(n: int, rule: Rule) -> FloatArray:
    """Least x for each y of which a rule holds, which holds for larger ones, too; or n + 1."""
    y = np.arange(n + 1.0)
    none = np.full(n + 1, n + 1)
    edges = first_whole(lambda x: rule(np.maximum(x, 0.0), y), np.full(n + 1, -1), none)
    return edges.astype(float)


class TableSet(NamedTuple):
    """The tables of n cases with x >= edges[y], and their probability where d is the difference.

    The smaller one of p and q is sin^2 of an angle times the largest that it can be.
    """

    n: int
    edges: FloatArray

    def chance(self, d: float, angles: FloatArray) -> FloatArray:
        """Probability under each angle."""
        base = (1 - abs(d)) / 2 * np.sin(angles) ** 2
        return self.probability(base + max(d, 0.0), base + max(-d, 0.0))

    def probability(self, p: FloatArray, q: FloatArray) -> FloatArray:
        """Probability under each p and q."""
        y, weight = _binomial(self.n, q)
        x = self.edges[y]
        # y is binomial, and x given y
        theta = np.clip(p / np.maximum(1 - q, 1e-300), 0, 1)[:, None]
        rest = self.n - y - x + 1
        tail = (x == 0).astype(float)
        some = (x > 0) & (rest > 0) & (weight > _NO_WEIGHT)
        special.betainc(np.maximum(x, 1), np.maximum(rest, 1), theta, out=tail, where=some)
        return np.asarray((weight * tail).sum(axis=1))

    def above(self, d: float, cells: FloatArray) -> FloatArray:
        """Upper bound in each cell: see `_supremum`."""
        left, right, at_left, at_right = cells
        curve = (right - left) ** 2 / 8 * _curvature(self.n, d, left, right)
        # s <= end + curve sqrt(s) for the largest s of a cell
        ends = np.maximum(at_left, at_right)
        above: FloatArray = ((curve + np.sqrt(curve**2 + 4 * ends)) / 2) ** 2
        # where a probability is next to 0 the bound is infinite; p at its largest and q at its
        # smallest are one, too
        steep = np.isinf(curve)
        q, p = (1 - abs(d)) / 2 * np.sin(cells[:2, steep]) ** 2
        above[steep] = self.probability(p + max(d, 0.0), q + max(-d, 0.0))
        return above


def _curvature(n: int, d: float, left: FloatArray, right: FloatArray) -> FloatArray:
    r"""Upper bound of the root of E (f''/f)^2 over the angles of each cell.

    Of n independent cases it is :math:`2 n (n - 1) I^2 + n V` with the information I and
    :math:`V = E (f''/f)^2` of one case. Its probabilities are b, b + \|d\| and 1 - \|d\| - 2 b.
    """
    largest = (1 - abs(d)) / 2
    low = largest * np.sin(left) ** 2
    high = largest * np.sin(right) ** 2
    with np.errstate(divide="ignore"):
        inverse = 1 / low + 1 / (low + abs(d)) + 4 / np.maximum(2 * (largest - high), 0)
    quarter = (left < np.pi / 4) & (right > np.pi / 4)
    slope = largest * np.where(quarter, 1.0, np.maximum(np.sin(2 * left), np.sin(2 * right)))
    bend = 2 * largest * np.maximum(np.abs(np.cos(2 * left)), np.abs(np.cos(2 * right)))
    information = np.minimum(8 * largest, slope**2 * inverse)
    return np.sqrt(2 * n * (n - 1) * information**2 + n * bend**2 * inverse)
