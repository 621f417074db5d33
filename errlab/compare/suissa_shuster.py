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
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.interval import Interval
from errlab._numerics.roots import normal_quantile
from errlab.compare._result import A_AND_B, Finding, Names, comparison

__all__ = ["suissa_shuster"]

LARGEST = 10_000  # cases; beyond, an interval takes many seconds
_SAME = 1e-13  # ratios of counts this close are equal; different ones are not, up to LARGEST
_REACH = 8.0  # standard deviations of a binomial count, beyond which 1e-14 is left
_ABOVE_0 = 1e-300
_SLACK = 0.004  # share of delta / 2 that is left to the certificate of a limit

Rule = Callable[[FloatArray, FloatArray], NDArray[np.bool_]]


@comparison(
    key="mcnemar-unconditional",
    name="McNemar, unconditional",
    place=18,
    takes="small table",
    equations="Suissa and Shuster 1991; Lloyd and Moldovan 2007",
    guarantee="exact",
)
def suissa_shuster(table: ArrayLike, *, delta: float = 0.05, names: Names = A_AND_B) -> Finding:
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
    A is better at level 0.05: error of A minus error of B -0.0621, 95% interval -0.129 to -0.00471
    (McNemar, unconditional, p = 0.034; guarantee: exact).
    """
    counts = checks.count(table, "table", 0).astype(float)
    if counts.shape[-2:] != (2, 2):
        raise ValueError(f"table must have shape (..., 2, 2), got {counts.shape}")
    checks.require((counts.sum(axis=(-1, -2)) > 0).all(), "table", "count at least 1 case", 0)
    return unconditional(counts[..., 0, 1], counts[..., 1, 0], counts.sum(axis=(-1, -2)), "table")


def unconditional(x: FloatArray, y: FloatArray, n: FloatArray, what: str = "n") -> Finding:
    """Return the test and the limits of checked counts of one shape; `what` gives n."""
    if (many := n > LARGEST).any():
        raise ValueError(
            f"{what} must hold at most {LARGEST:,} cases for the unconditional test, got "
            f'{n[many][0]:.0f}; take method="exact", whose p-value is quick at any size'
        )
    root = np.sqrt(np.maximum(x + y, 1))
    pvalue = np.vectorize(_pvalue, otypes=[float])(x, y, n)
    return Finding((x - y) / root, pvalue, (x - y) / n, limits=_limits, data=(x, y, n))


def _limits(x: FloatArray, y: FloatArray, n: FloatArray, *, delta: float) -> Interval[FloatArray]:
    """Lower limit, and minus that of the swapped table."""
    lower = np.vectorize(_lower, otypes=[float])
    return Interval(lower(x, y, n, delta), -lower(y, x, n, delta))


# --- the test -------------------------------------------------------------------------------


@lru_cache(4096)
def _pvalue(x: float, y: float, n: float) -> float:
    """Largest probability of a table as extreme, over all chances of a discordant case."""
    return 1.0 if x == y else min(1.0, _largest(int(n), (x - y) ** 2 / (x + y)))


def _conditional(n: int, ratio: float) -> FloatArray:
    """T(m) for m = 0 ... n: chance of (x - y)^2 / m >= ratio, given m; ratio is positive."""
    m = np.arange(n + 1.0)
    gap = np.ceil(np.sqrt(ratio * m) * (1 - _SAME))
    gap += (gap - m) % 2  # x - y is odd where m is
    some = (gap <= m) & (m > 0)
    fewer = np.where(some, (m - gap) / 2, 0.0)
    tail = 2 * special.betainc(np.where(some, m - fewer, 1.0), fewer + 1, 0.5)
    return np.where(some, np.minimum(tail, 1.0), 0.0)


Block = tuple[slice, FloatArray]  # counts m, and their probabilities for several angles


def _binomial(n: int, angles: FloatArray) -> list[Block]:
    """Probabilities of m under sin^2 of each angle, in blocks that leave out what is next to 0."""
    blocks = []
    for part in np.array_split(angles, max(1, len(angles) // 8)):
        theta = np.sin(part) ** 2
        reach = _REACH * np.sqrt(n * np.max(theta * (1 - theta))) + 40
        first = max(0, int(n * theta.min() - reach))
        stop = min(n, int(n * theta.max() + reach)) + 1
        m = np.arange(first, stop, dtype=float)
        logs = _log_choose(n)[first:stop] + special.xlogy(m, theta[:, None])
        chance = np.exp(logs + special.xlogy(n - m, np.cos(part)[:, None] ** 2))
        blocks.append((slice(first, stop), chance))
    return blocks


@lru_cache(8)
def _log_choose(n: int) -> FloatArray:
    m = np.arange(n + 1.0)
    logs = special.gammaln(n + 1.0) - special.gammaln(m + 1) - special.gammaln(n - m + 1)
    return np.asarray(logs)


def _mean(blocks: list[Block], tail: FloatArray) -> FloatArray:
    return np.concatenate([chance @ tail[part] for part, chance in blocks])


@lru_cache(4)
def _start(n: int) -> tuple[FloatArray, list[Block]]:
    """Angles to start with, a fifth of a standard deviation of phi apart, and their blocks."""
    angles = np.linspace(0, np.pi / 2, int(np.ceil(np.pi * np.sqrt(n) / 0.2)) + 1)
    return angles, _binomial(n, angles)


def _largest(n: int, ratio: float, level: float | None = None) -> float:
    """Upper bound of the largest P, exact to 1e-9 of it; with a level, on its side of it alone."""
    tail = _conditional(n, ratio)
    angles, blocks = _start(n)
    value = _mean(blocks, tail)
    left, right = angles[:-1], angles[1:]
    at_left, at_right = value[:-1], value[1:]
    best = float(value.max())
    while True:
        above = np.maximum(at_left, at_right) + n * tail.max() * (right - left) ** 2 / 2
        top = max(best, float(above.max()))
        decided = level is not None and (best > level or top <= level)
        if decided or top - best <= 1e-9 * best:
            return best if level is not None and best > level else top
        split = above > best * (1 + 1e-10) if level is None else above > level
        left, right, at_left, at_right = (a[split] for a in (left, right, at_left, at_right))
        middle = (left + right) / 2
        value = _mean(_binomial(n, middle), tail)
        best = max(best, float(value.max()))
        left, right = np.append(left, middle), np.append(middle, right)
        at_left, at_right = np.append(at_left, value), np.append(value, at_right)


@lru_cache(256)
def _critical(n: int, delta: float) -> float:
    """Smallest ratio, to 1e-12 of n, that the test rejects at this level; above n if none."""
    low, high = 0.0, n + 1.0
    for _ in range(45):
        middle = (low + high) / 2
        if _largest(n, middle, delta) <= delta:
            high = middle
        else:
            low = middle
    return high


# --- the limits -----------------------------------------------------------------------------


@lru_cache(4096)
def _lower(x: float, y: float, cases: float, delta: float) -> float:
    """Lower limit of d, above 0 if, and only if, the test says that d is."""
    rejected = x > y and _pvalue(x, y, cases) <= delta
    limit = _buehler(x, y, int(cases), delta, rejected)
    # no more than a step of rounding where the test rejects: its tables come first
    return max(limit, _ABOVE_0) if rejected else min(limit, 0.0)


def _buehler(x: float, y: float, n: int, delta: float, rejected: bool) -> float:
    """Buehler's lower limit: see the module."""
    level = delta / 2
    own = _tango_lower(x, y, n, normal_quantile(level))
    edges = _edges(x, y, n, delta, own, rejected)

    # The d at which the largest of a few probabilities is a little below the level; then the
    # angle that refutes it joins them, until the certificate finds none.
    angles = np.linspace(0, np.pi / 2, int(np.ceil(np.pi * np.sqrt(n))) + 2)
    target = level * (1 - _SLACK)
    unit = 1 / np.sqrt(n)
    d = own
    for _ in range(20):
        d = _solve(_excess(n, edges, angles, target), d, unit)
        if d <= -1:
            break
        worst = _refutation(n, edges, d, level)
        if worst is None:
            return d
        # only those near the largest can matter at the next d, which is close
        chance = _chance(n, edges, d, angles)
        angles = np.append(angles[chance > 0.9 * chance.max()], worst)
    return -1.0


def _edges(x: float, y: float, n: int, delta: float, own: float, rejected: bool) -> FloatArray:
    """Least x for each y in the set of tables that speak as much for a large d as this one.

    Its own lower limit by Tango is `own`.
    """
    quantile = normal_quantile(delta / 2)
    beyond = _least(n, lambda a, b: tango_score(a, b, n, own) >= quantile - 1e-9)
    ratio = _critical(n, delta)
    if x > y:  # where p is delta to the last digits, p decides
        seen = (x - y) ** 2 / (x + y)
        ratio = min(ratio, seen) if rejected else max(ratio, seen * (1 + 10 * _SAME))
    shown = _least(n, lambda a, b: (a > b) & ((a - b) ** 2 >= ratio * (1 - _SAME) * (a + b)))
    edges = np.maximum(beyond, shown) if rejected else np.minimum(beyond, shown)
    if own <= -1:  # no table has a lower one; its score is 0 / 0
        edges[:] = 0.0
    # closed under one y less
    return np.minimum.accumulate(edges[::-1])[::-1]


def _least(n: int, rule: Rule) -> FloatArray:
    """Least x for each y of which a rule holds, which holds for larger ones, too; or n + 1."""
    y = np.arange(n + 1.0)
    low, high = np.full(n + 1, -1.0), np.full(n + 1, n + 1.0)
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        holds = rule(np.maximum(middle, 0), y)
        high = np.where(holds, middle, high)
        low = np.where(holds, low, middle)
    return high


def tango_score(x: FloatArray | float, y: FloatArray | float, n: int, d: float) -> FloatArray:
    """Tango's score statistic for the difference d (see `paired_interval.tango`)."""
    b = (2 * n - x + y) * d - x - y
    fitted = (np.sqrt(np.maximum(b * b + 8 * n * y * d * (1 - d), 0)) - b) / (4 * n)
    variance = n * np.maximum(2 * fitted + d * (1 - d), 0)
    gap = np.asarray(x - y - n * d)
    none = np.where(gap == 0, 0.0, np.copysign(np.inf, gap))
    return np.where(variance > 0, gap / np.sqrt(np.where(variance > 0, variance, 1.0)), none)


def _tango_lower(x: float, y: float, n: int, quantile: float) -> float:
    low, high = -1.0, (x - y) / n
    for _ in range(50):
        middle = (low + high) / 2
        if tango_score(x, y, n, middle) >= quantile:
            low = middle
        else:
            high = middle
    return low


def _chance(n: int, edges: FloatArray, d: float, angles: FloatArray) -> FloatArray:
    """Probability of the set; the smaller of p and q is sin^2 of the angle times its largest."""
    base = (1 - abs(d)) / 2 * np.sin(angles) ** 2
    return _probability(n, edges, base + max(d, 0.0), base + max(-d, 0.0))


def _excess(
    n: int, edges: FloatArray, angles: FloatArray, target: float
) -> Callable[[float], float]:
    """By how much the largest probability is above a target, as a function of d."""
    return lambda d: float(_chance(n, edges, d, angles).max()) - target


def _probability(n: int, edges: FloatArray, p: FloatArray, q: FloatArray) -> FloatArray:
    """Probability of x >= edges[y] under each p and q."""
    found = np.empty(len(q))
    order = np.argsort(q)
    for part in np.array_split(order, max(1, len(q) // 8)):
        p_, q_ = p[part, None], q[part, None]
        reach = _REACH * np.sqrt(n * np.max(q_ * (1 - q_))) + 40
        first = max(0, int(n * q_.min() - reach))
        stop = min(n, int(n * q_.max() + reach)) + 1
        y = np.arange(first, stop, dtype=float)
        x = edges[first:stop]
        possible = x <= n - y
        y, x = y[possible], x[possible]
        # y is binomial, and x given y
        share = np.clip(p_ / np.maximum(1 - q_, 1e-300), 0, 1)
        tail = np.where(x > 0, special.betainc(np.maximum(x, 1), n - y - x + 1, share), 1.0)
        logs = _log_choose(n)[first:stop][possible] + special.xlogy(y, q_)
        found[part] = np.sum(np.exp(logs + special.xlog1py(n - y, -q_)) * tail, axis=1)
    return found


def _solve(excess: Callable[[float], float], start: float, unit: float) -> float:
    """Where a rising function of d crosses 0, to 1e-5 of the unit and not above it."""
    step, at = unit / 8, excess(start)
    # the crossing lies between `inside`, where the function is not above 0, and `outside`
    inside = outside = start
    below = above = at
    while at > 0:
        if inside <= -1:
            return -1.0
        outside, above = inside, at
        inside, step = max(inside - step, -1.0), 3 * step
        at = below = excess(inside)
    while inside == outside or above <= 0:
        if inside >= 1:
            return 1.0
        outside, step = min(inside + step, 1.0), 3 * step
        above = excess(outside)
        if above <= 0:
            inside, below = outside, above
    # false position with the Illinois rule: an end that stays counts half
    tiny = 1e-5 * unit
    stays = 0
    while outside - inside > tiny:
        d = min(max(inside - below * (outside - inside) / (above - below), inside), outside)
        d = min(max(d, inside + tiny / 2), outside - tiny / 2)
        at = excess(d)
        if at > 0:
            outside, above = d, at
            below, stays = (below / 2, 1) if stays == 1 else (below, 1)
        else:
            inside, below = d, at
            above, stays = (above / 2, -1) if stays == -1 else (above, -1)
    return inside


def _refutation(n: int, edges: FloatArray, d: float, level: float) -> float | None:
    """Angle at which the probability exceeds the level; None if that is proven of none."""
    most = (1 - abs(d)) / 2
    angles = np.linspace(0, np.pi / 2, int(np.ceil(np.pi * np.sqrt(n) / 0.25)) + 2)
    chance = _chance(n, edges, d, angles)
    left, right = angles[:-1], angles[1:]
    at_left, at_right = chance[:-1], chance[1:]
    for _ in range(40):
        if chance.max(initial=0.0) > level:
            return float(angles[chance.argmax()])
        curve = (right - left) ** 2 / 8 * _curvature(n, d, left, right)
        # s <= end + curve sqrt(s) for the largest s of a cell
        ends = np.maximum(at_left, at_right)
        above = ((curve + np.sqrt(curve**2 + 4 * ends)) / 2) ** 2
        # where a probability is next to 0 the bound is infinite; p at its largest and q at its
        # smallest are one, too
        for k in np.flatnonzero(np.isinf(curve)):
            low, high = most * np.sin(left[k]) ** 2, most * np.sin(right[k]) ** 2
            p, q = np.array([high + max(d, 0.0)]), np.array([low + max(-d, 0.0)])
            above[k] = _probability(n, edges, p, q)[0]
        open_ = above > level
        if not open_.any():
            return None
        left, right, at_left, at_right = (a[open_] for a in (left, right, at_left, at_right))
        angles = (left + right) / 2
        chance = _chance(n, edges, d, angles)
        left, right = np.append(left, angles), np.append(angles, right)
        at_left, at_right = np.append(at_left, chance), np.append(chance, at_right)
    return float(left[0])


def _curvature(n: int, d: float, left: FloatArray, right: FloatArray) -> FloatArray:
    r"""Upper bound of the root of E (f''/f)^2 over the angles of each cell.

    Of n independent cases it is :math:`2 n (n - 1) I^2 + n V` with the information I and
    :math:`V = E (f''/f)^2` of one case. Its probabilities are b, b + \|d\| and 1 - \|d\| - 2 b.
    """
    most = (1 - abs(d)) / 2
    low, high = most * np.sin(left) ** 2, most * np.sin(right) ** 2
    with np.errstate(divide="ignore"):
        inverse = 1 / low + 1 / (low + abs(d)) + 4 / np.maximum(2 * (most - high), 0)
    quarter = (left < np.pi / 4) & (right > np.pi / 4)
    slope = most * np.where(quarter, 1.0, np.maximum(np.sin(2 * left), np.sin(2 * right)))
    bend = 2 * most * np.maximum(np.abs(np.cos(2 * left)), np.abs(np.cos(2 * right)))
    information = np.minimum(8 * most, slope**2 * inverse)
    return np.sqrt(2 * n * (n - 1) * information**2 + n * bend**2 * inverse)
