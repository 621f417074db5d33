r"""Quantiles of the beta distribution to their last digits, however small: binomial tails inverted.

SciPy's ``betaincinv`` loses up to six digits of a small quantile, and takes one number at a time.
Here :math:`t = \mathrm{logit}(x)` is the unknown, and Newton's method (or Householder's, which is
Newton's with three more derivatives) solves for the *logarithm* of the tail. The log of the tail is
concave in :math:`t`, so that it converges from anywhere.

With the density of :math:`t`, :math:`D = x^a y^b / B(a, b)` and :math:`y = 1 - x`, everything
else is smooth: the derivatives of :math:`\log D` are :math:`g = ay - bx` and
:math:`-(a + b)xy`, and the tail over :math:`D` is an integral that 24 points of
Gauss and Legendre give to the last digit (`_tail`).

References
----------
Loader, Fast and accurate computation of binomial probabilities (2000): no large numbers cancel.
Abramowitz and Stegun, 26.5.22: where the search starts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from errlab._numerics.roots import FloatArray, Share, normal_quantile

_ROWS = 8192  # numbers at a time: what is worked on stays in the cache
_LARGE = 1e9  # from here on the first approximation has all digits
_FURTHEST = 700.0  # logit of almost the smallest number; beyond it the log of the tail is a line
_LIFT = 4  # `_tail` integrates for a + 4: a small a decays too slowly
_END = 33.0  # e^-33 is below rounding


def _points(number: int, at_once: int) -> list[tuple[FloatArray, FloatArray]]:
    """Return points and weights on [0, 1], squared so that more of them lie near 0."""
    u, w = np.polynomial.legendre.leggauss(number)
    places = (((u + 1) / 2) ** 2).reshape(-1, at_once, 1)
    return list(zip(places, (w * (u + 1) / 2).reshape(-1, at_once), strict=True))


_FEW = _points(24, 24), _points(24, 4)  # for few numbers all points at once, for many a part
_MANY = _points(40, 40), _points(40, 4)
_HALF_LOG_2PI = 0.9189385332046727


def beta_quantile(a: FloatArray, b: FloatArray, delta: FloatArray) -> Share:
    r"""Return the quantile `delta` of the beta distribution with parameters `a` and `b`.

    :math:`x` with :math:`P(X \le x) = \delta` for :math:`X \sim \mathrm{Beta}(a, b)`, as a
    `Share`: :math:`x` and :math:`1 - x`, both to about 1e-14 of themselves.

    Parameters
    ----------
    a, b : ndarray
        Parameters, above 0; below 1/2, where there is no count of errors, SciPy is asked.
    delta : ndarray
        Level, in (0, 1).

    Examples
    --------
    >>> one, two, level = np.array([1.0]), np.array([2.0]), np.array([0.19])
    >>> beta_quantile(one, two, level)  # 1 - (1 - x)^2 = 0.19
    Share(value=array([0.1]), rest=array([0.9]))
    """
    above = delta > 0.5  # of the two tails the smaller one has the digits
    level = np.where(above, 1 - delta, delta)
    given = (a, b, delta, above, normal_quantile(level), np.log(level))
    shape = np.broadcast_shapes(a.shape, b.shape, delta.shape)
    a, b, delta, above, z, goal = (np.broadcast_to(v, shape).ravel() for v in given)
    usual_a = np.maximum(a, 0.5)
    usual_b = np.maximum(b, 0.5)
    first = np.where(above, usual_b, usual_a)
    second = np.where(above, usual_a, usual_b)
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        t = _solve(first, second, z, goal)
    t = np.where(above, -t, t)
    small = np.exp(-np.abs(t))
    small, large = small / (1 + small), 1 / (1 + small)
    x = np.where(t < 0, small, large)
    y = np.where(t < 0, large, small)
    odd = np.flatnonzero((a < 0.5) | (b < 0.5))
    if odd.size:
        below = a[odd]
        beyond = b[odd]
        level = delta[odd]
        x[odd] = _finite(special.betaincinv(below, beyond, level), 0.0)
        y[odd] = _finite(special.betainccinv(beyond, below, level), 1.0)
    return Share(x.reshape(shape), y.reshape(shape))


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


def _finite(value: FloatArray, otherwise: float) -> FloatArray:
    return np.where(np.isfinite(value), value, otherwise)  # scipy gives nan at delta < 1e-100


def _solve(a: FloatArray, b: FloatArray, z: FloatArray, goal: FloatArray) -> FloatArray:
    """Return logit(x) where the log of the tail is `goal`, with z the normal quantile for it."""
    t = np.empty(a.size)
    going = []
    for start in range(0, a.size, _ROWS):
        part = slice(start, start + _ROWS)
        t[part] = _approximate(a[part], b[part], z[part])
        t[part], far = _improve(a[part], b[part], t[part], goal[part])
        going.append(start + np.flatnonzero(far))
    for _ in range(100):
        left = np.concatenate(going)
        if left.size == 0:
            break
        going = []
        for start in range(0, left.size, _ROWS):
            rows = left[start : start + _ROWS]
            t[rows], far = _improve(a[rows], b[rows], t[rows], goal[rows])
            going.append(rows[far])
    return t


def _improve(
    a: FloatArray, b: FloatArray, t: FloatArray, goal: FloatArray
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Take one step from `t`; return where it leads, and whether another one is needed.

    The step is Householder's of fourth order, or half or twice Newton's at most.
    """
    at = np.clip(t, -_FURTHEST, _FURTHEST)
    odds = np.exp(-at)
    x = 1 / (1 + odds)
    y = odds * x
    n = a + b
    g = a * y - b * x
    spread = np.sqrt(n / (a * b))  # about the standard deviation of logit(X)
    tail = _tail(a, b, x, y)
    mode = _stirling(n) - _stirling(a) - _stirling(b) - _HALF_LOG_2PI - np.log(spread)
    density = mode + a * _log_ratio(n * x / a, -g / a) + b * _log_ratio(n * y / b, g / b)
    newton = (density + np.log(tail) - goal) * tail  # the log's derivative is 1 / tail
    # the higher derivatives over the first: tail' = 1 - g tail, and g' = -n x y
    bend = -n * x * y
    second = g - 1 / tail
    change = bend - second / tail
    third = second**2 + change
    fourth = 2 * second * change + bend * (y - x) + third * (second - 1 / tail)
    square = newton * newton  # powers are slow
    c2 = newton * second / 2
    c3 = square * third / 6
    c4 = square * newton * fourth / 24
    q2 = 1 - c2
    q3 = q2 - c2 + c3
    q4 = q3 - c2 * q2 + c3 - c4
    found = at - newton * np.clip(q3 / q4, 0.5, 2)
    far = np.abs(found - t) > 5e-3 * spread  # a step raises the error to its fifth power
    large = np.minimum(a, b) >= _LARGE
    return np.where(large, t, found), far & ~large


def _log_ratio(ratio: FloatArray, minus_one: FloatArray) -> FloatArray:
    """Return the logarithm of a ratio that is also known less 1."""
    return np.where(minus_one < -0.5, np.log(ratio), np.log1p(minus_one))


def _tail(a: FloatArray, b: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    r"""Return :math:`P(X \le x)` over the density of logit(X) at x.

    With :math:`x' = x e^{-r}`, tail over density is

    .. math:: \frac{1}{y} \int_0^\infty e^{-\psi(r)} dr, \quad
              \psi(r) = a r - (b-1) \log\left[1 + \frac{x}{y} (1 - e^{-r})\right],

    taken for :math:`a + 4`, and brought back by :math:`T(a) = [1 + (a+b) x T(a+1)] / a`.
    """
    high = a + _LIFT
    odds = x / y
    more = b - 1
    # where it ends: where a parabola would reach _END, and one step of Newton's
    slope = high - more * odds
    curve = np.maximum(more * odds * (1 + odds), 1e-300)
    root = np.sqrt(slope**2 + 2 * _END * curve)
    end = np.where(slope > 0, 2 * _END / (slope + root), (root - slope) / curve)
    left = np.exp(-end)
    away = odds * (1 - left)
    psi = high * end - more * np.log1p(away)
    end = end + (_END - psi) / (high - more * odds * left / (1 + away))
    total = np.zeros_like(end)
    minus_end = -end
    minus_odds = -odds
    points = (_FEW if b.min() >= 1 else _MANY)[a.size > 400]  # a small b bends psi sharply at 0
    minus_r, psi = np.empty((2, len(points[0][0]), a.size))  # new memory is slow: take it once
    for u, w in points:
        np.multiply(u, minus_end, out=minus_r)
        np.expm1(minus_r, out=psi)
        psi *= minus_odds
        np.log1p(psi, out=psi)
        psi *= more
        minus_r *= high
        psi += minus_r
        total += w @ np.exp(psi, out=psi)
    tail: FloatArray = end / y * total
    for lower in range(_LIFT - 1, -1, -1):
        tail = (1 + (a + lower + b) * x * tail) / (a + lower)
    return tail


def _approximate(a: FloatArray, b: FloatArray, z: FloatArray) -> FloatArray:
    """Return a first logit(x): Abramowitz and Stegun 26.5.22, or a normal one for small a or b."""
    enough = (a >= 1) & (b >= 1)
    inverse_a = 1 / np.where(enough, 2 * a - 1, 1.0)
    inverse_b = 1 / np.where(enough, 2 * b - 1, 1.0)
    h = 2 / (inverse_a + inverse_b)
    level = (z**2 - 3) / 6
    w = z * np.sqrt(h + level) / h - (inverse_b - inverse_a) * (level + 5 / 6 - 2 / (3 * h))
    t: FloatArray = np.log(a / b) - np.where(enough, 2 * w, z * np.sqrt(1 / a + 1 / b))
    return t


def _stirling(a: FloatArray) -> FloatArray:
    r"""Return :math:`\log \Gamma(a + 1) - (a + 1/2) \log a + a - \log \sqrt{2 \pi}`."""
    r = 1 / a**2
    rest: FloatArray = (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r / 1188)))) / a
    small = np.flatnonzero(a < 16)
    if small.size:
        s = a[small]
        rest[small] = special.gammaln(s + 1) - (s + 0.5) * np.log(s) + s - _HALF_LOG_2PI
    return rest
