"""Fay and Lumbard's interval: the share of discordant cases, melded with who is wrong on them.

Of n cases m are discordant, and A is wrong on x of these. The difference of the two error rates
is the product of two parameters, each with an exact interval of its own:

    difference = share * (2 theta - 1),   m ~ Bin(n, share),   x given m ~ Bin(m, theta).

Each Clopper-Pearson end is a quantile of a beta variable. Their product, with the ends of both
that are the worse for the claim, is a variable whose quantiles are the ends for the difference
(confidence distributions; Fay, Proschan and Brittain 2015). Where the share is multiplied by 0,
only theta is left: at a difference of 0 the one-sided p-value is the binomial one.
"""

from collections.abc import Callable

import numpy as np
from scipy import special

from errlab._core.checks import FloatArray
from errlab._core.interval import Interval
from errlab._numerics.beta import Beta
from errlab.compare.score import BoolArray

Tail = Callable[[FloatArray], FloatArray]  # a probability for each point s, one for each table

_PANELS = 5
_nodes, _weights = np.polynomial.legendre.leggauss(20)
_GRID = ((np.arange(_PANELS)[:, None] + (1 + _nodes) / 2) / _PANELS).ravel()
_WEIGHTS = np.tile(_weights / 2 / _PANELS, _PANELS)
_BLOCK = 2000  # tables at a time, 2 MB an array
_NO_MASS = 1e-20  # what the quadrature leaves out at each end


def melded(x: FloatArray, y: FloatArray, n: FloatArray, *, delta: float) -> Interval[FloatArray]:
    """Interval for the difference of two error rates, paired.

    Parameters
    ----------
    x, y, n : ndarray
        Cases that A alone is wrong on, that B alone is wrong on, and all of them.
    delta : float
        Each end fails with probability delta / 2.

    Returns
    -------
    Interval
        ``(low, high)``; each end is that of the other order of A and B, mirrored.
    """
    rows = np.array([np.ravel(counts) for counts in (x, y, n)], dtype=float)
    # The quadrature needs a row of nodes for each table: blocks keep it in the cache.
    blocks = np.array_split(rows, 1 + rows.shape[1] // _BLOCK, axis=1)
    # The lower end is the upper one with A and B exchanged, mirrored at 0.
    low = np.concatenate([-_upper(b, a, size, delta / 2) for a, b, size in blocks])
    high = np.concatenate([_upper(a, b, size, delta / 2) for a, b, size in blocks])
    return Interval(low.reshape(np.shape(x)), high.reshape(np.shape(x)))


def reaches(x: FloatArray, y: FloatArray, n: FloatArray, d: float, *, delta: float) -> BoolArray:
    """Whether the lower end of `melded` is at least -d, for some d in (0, 1); one quadrature each.

    The upper end for the other order is at most d where the probability of more is at most
    delta / 2.
    """
    # A and B are exchanged: y errors of A alone in place of x.
    share, theta, both, end = _factors(y, x, n, delta / 2)
    shown = end <= d
    beyond = _tail(share.at(both), theta.at(both), above=True)
    distances = np.full(np.count_nonzero(both), float(d))
    shown[both] = beyond(distances) <= delta / 2
    return shown


def _factors(
    x: FloatArray, y: FloatArray, n: FloatArray, tail: float
) -> tuple[Beta, Beta, BoolArray, FloatArray]:
    """Return the share and theta for an upper end above 0, and where neither is 1 for certain.

    Last the end where one of them is: no integral is needed, it is a quantile of the other.
    """
    m = x + y
    share = Beta(m + 1, n - m)
    theta = Beta(x + 1, y)
    both = (share.b > 0) & (theta.b > 0)
    one, other = share.at(~both), theta.at(~both)
    end = np.ones(m.shape)
    end[~both] = np.where(one.b == 0, 2 * other.high(tail) - 1, one.high(tail))
    return share, theta, both, end


def _upper(x: FloatArray, y: FloatArray, n: FloatArray, tail: float) -> FloatArray:
    """Upper end: the d at which the melded one-sided p-value is `tail`.

    p(d) = P(share * (2 theta - 1) >= d), with theta ~ Beta(x + 1, y), its upper
    Clopper-Pearson variable, and for the share its upper one, Beta(m + 1, n - m), where d > 0
    and its lower one, Beta(m, n - m + 1), where d < 0. So p(0) = P(theta >= 1/2).
    """
    share, theta, both, end = _factors(x, y, n, tail)
    # p(0) says on which side of 0 the end lies, and so which share variable is the worse one.
    at_0 = np.where(y > 0, special.betaincc(x + 1, np.maximum(y, 1), 0.5), 1.0)
    below = at_0 <= tail
    both &= ~below
    end[both] = _solve(share.at(both), theta.at(both), tail, above=True)
    # Even a difference of 0 is rejected: the end is negative, its size found from below, with
    # 1 - theta in place of theta.
    lower, mirrored = Beta(x + y, n - x - y + 1), Beta(y, x + 1)
    end[below] = -_solve(lower.at(below), mirrored.at(below), tail, above=False)
    return end


def _solve(share: Beta, theta: Beta, tail: float, *, above: bool) -> FloatArray:
    """Find s in [0, 1] with P(share (2 theta - 1) > s) = tail; with `above` false, <= s."""
    # Both factors lie beyond their quantiles with 1/2 times twice the tail, so s is at least the
    # product of these; one of two lies beyond with at most half the tail each, so it is at most
    # the product of those. The other side is the same from below.
    quantile = Beta.high if above else Beta.low
    near = quantile(share, 0.5) * np.maximum(2 * quantile(theta, 2 * tail) - 1, 0)
    far = quantile(share, tail / 2) * np.maximum(2 * quantile(theta, tail / 2) - 1, 0)
    probability = _tail(share, theta, above)
    return _root(probability, np.minimum(near, far), np.maximum(near, far), tail)


def _tail(share: Beta, theta: Beta, above: bool) -> Tail:
    """Return P(share (2 theta - 1) > s) as a function of s; with `above` false, P(<= s).

    The probability is integrated over the logarithm of whichever factor varies less on that
    scale, so that the distribution function of the other is smooth between the nodes.
    """
    narrow = _narrow(share, theta)
    parts = [
        (rows, integral(share.at(rows), theta.at(rows), above))
        for rows, integral in ((narrow, _over_theta), (~narrow, _over_share))
        if rows.any()
    ]

    def probability(s: FloatArray) -> FloatArray:
        chance = np.empty(s.shape)
        for rows, part in parts:
            chance[rows] = part(s[rows])
        return chance

    return probability


def _narrow(share: Beta, theta: Beta) -> BoolArray:
    """Whether 2 theta - 1 varies less than the share, on the scale of logarithms."""
    total = theta.a + theta.b
    # Standard deviations over means: what a factor varies by in relative terms.
    tilt = np.maximum((theta.a - theta.b) / total, 1e-9)  # mean of 2 theta - 1
    spread_theta = 2 * np.sqrt(theta.a * theta.b / (total + 1)) / total / tilt
    spread_share = np.sqrt(share.b / (share.a * (share.a + share.b + 1)))
    return np.asarray((spread_theta < spread_share / 2) & (theta.low(_NO_MASS) > 0.55))


def _root(probability: Tail, low: FloatArray, high: FloatArray, tail: float) -> FloatArray:
    """Find where a probability is `tail`, between low and high.

    The false position of Illinois, on the normal scale, where the probability is nearly linear.
    """
    goal = special.ndtri(tail)

    def excess(s: FloatArray) -> FloatArray:
        chance = np.clip(probability(s), 1e-300, 1 - 1e-16)
        return np.asarray(special.ndtri(chance) - goal)

    at_low = excess(low)
    at_high = excess(high)
    point = low
    sign = np.zeros(low.shape)  # that of the last point
    for _ in range(50):
        # The secant between the ends, its weight held to [0, 1] against rounding.
        gap = at_high - at_low
        weight = np.clip(-at_low / np.where(gap == 0, 1.0, gap), 0, 1)
        last = point
        point = low + weight * (high - low)
        if (np.abs(point - last) <= 1e-11 * point).all():  # the next step would be far smaller
            break
        value = excess(point)
        # Illinois: an end that stays twice counts half, lest it stay for ever
        again = np.where(np.sign(value) == sign, 0.5, 1.0)
        sign = np.sign(value)
        is_low = sign == np.sign(at_low)
        at_low = np.where(is_low, value, at_low * again)
        at_high = np.where(is_low, at_high * again, value)
        low = np.where(is_low, point, low)
        high = np.where(is_low, high, point)
    return point


def _over_share(share: Beta, theta: Beta, above: bool) -> Tail:
    """Integrate over share = t > s, which leaves theta > 1/2 + s / (2 t)."""
    first = share.low(_NO_MASS)
    last = share.high(_NO_MASS)
    side = theta.mirrored().column() if above else theta.column()
    sign = -1 if above else 1

    def probability(s: FloatArray) -> FloatArray:
        # rows x nodes: log t from where the share has mass, or from s, to its last mass
        log_t = _grid(np.maximum(first, s), last)
        log_rest = np.log(np.maximum(-np.expm1(log_t), 1e-300))  # of 1 - t
        density = share.a[:, None] * log_t + (share.b[:, None] - 1) * log_rest
        # theta must exceed 1/2 + s / (2 t), or 1 - theta stay below 1/2 - s / (2 t)
        half = np.minimum(s[:, None] * np.exp(-log_t), 1) / 2
        mean = _mean(side.below(0.5 + sign * half), density)
        rest = 0.0 if above else share.below(s)
        return share.above(s) * mean + rest

    return probability


def _over_theta(share: Beta, theta: Beta, above: bool) -> Tail:
    """Integrate over 2 theta - 1 = w > s, which leaves share > s / w."""
    first = 2 * theta.low(_NO_MASS) - 1
    last = 2 * theta.high(_NO_MASS) - 1
    column = share.column()

    def probability(s: FloatArray) -> FloatArray:
        # rows x nodes, now in log w = log(2 theta - 1)
        log_w = _grid(np.maximum(first, s), last)
        log_rest = np.log(np.maximum(-np.expm1(log_w), 1e-300))  # of 2 - 2 theta
        # the density of theta = (1 + w) / 2 in log w: (1 + w)^(a-1) (1 - w)^(b-1) w
        bend = (theta.a[:, None] - 1) * np.log1p(np.exp(log_w))
        density = log_w + bend + (theta.b[:, None] - 1) * log_rest
        edge = np.minimum(s[:, None] * np.exp(-log_w), 1)
        inside = column.above(edge) if above else column.below(edge)
        middle = (1 + s) / 2
        rest = 0.0 if above else theta.below(middle)
        return theta.above(middle) * _mean(inside, density) + rest

    return probability


def _grid(start: FloatArray, end: FloatArray) -> FloatArray:
    """Nodes between the logarithms of two positive numbers, shape (rows, nodes)."""
    first = np.log(start)[:, None]
    last = np.log(np.maximum(end, start))[:, None]
    return np.asarray(first + (last - first) * _GRID)


def _mean(inside: FloatArray, log_density: FloatArray) -> FloatArray:
    """Mean under a density without its constant, which would lose digits where n is large."""
    weights = np.exp(log_density - log_density.max(axis=1, keepdims=True)) * _WEIGHTS
    return np.asarray((weights * inside).sum(axis=1) / weights.sum(axis=1))
