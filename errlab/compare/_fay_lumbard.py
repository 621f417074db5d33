"""Fay and Lumbard's melded interval for paired rates: discordant fraction times its imbalance.

Of n examples m are discordant, and A is wrong on x of these. The difference of the two error rates
is the product of two parameters, each of which has an exact interval:

    difference = share * (2 theta - 1),   m ~ Bin(n, share),   x given m ~ Bin(m, theta).

Each Clopper-Pearson end is a quantile of a beta variable. The product of two such variables, each
chosen conservatively, has quantiles that are the ends for the difference (confidence distributions;
Fay, Proschan and Brittain 2015). At a difference of 0 only theta matters, and the one-sided p-value
is binomial.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import special

from errlab._core.checks import FloatArray
from errlab._core.interval import Interval
from errlab._numerics.roots import NONE, beta_quantile, false_position
from errlab.compare._score import BoolArray

TailFunction = Callable[[FloatArray], FloatArray]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(100)
_NO_MASS = np.array(1e-20)  # probability outside the range of the quadrature, at each end


def melded(x: FloatArray, y: FloatArray, n: FloatArray, *, delta: float) -> Interval[FloatArray]:
    """Return the interval for the difference of two paired error rates.

    Parameters
    ----------
    x, y, n : ndarray
        Numbers of examples: A alone wrong, B alone wrong, and all.
    delta : float
        Each end fails with probability delta / 2.

    Returns
    -------
    Interval
        ``(low, high)``; exchanging A and B mirrors the interval.
    """
    # exchanging A and B mirrors the interval at 0, so the upper end gives both
    return Interval(-_upper_end(y, x, n, delta / 2), _upper_end(x, y, n, delta / 2))


def margin_pvalue(x: FloatArray, y: FloatArray, n: FloatArray, d: float) -> FloatArray:
    """Return the delta at which the lower end of `melded` is -d, for a d in (0, 1).

    After exchanging A and B, the upper end is at most d exactly if the probability of a larger
    value is at most delta / 2, which takes one quadrature.
    """
    tail_probability = _product_tail(y, x, n, np.ones_like(x, dtype=bool))
    return np.minimum(2 * tail_probability(np.full_like(x, d)), 1.0)


def _upper_end(x: FloatArray, y: FloatArray, n: FloatArray, tail: float) -> FloatArray:
    """Return the upper end: the d at which the melded one-sided p-value is `tail`.

    p(d) = P(share * (2 theta - 1) >= d). Here theta ~ Beta(x + 1, y) is the upper Clopper-Pearson
    variable. For d > 0 the share has its upper variable, Beta(m + 1, n - m), and for d < 0 its
    lower one, Beta(m, n - m + 1). So p(0) = P(theta >= 1/2).
    """
    # p(0) gives the sign of the end, and so which of the two beta variables is conservative
    above = special.betainc(np.maximum(y, NONE), x + 1, 0.5) > tail
    tail_probability = _product_tail(x, y, n, above)
    goal = special.ndtri(tail)

    def excess(s: FloatArray) -> FloatArray:
        # the probability is nearly linear in s on the normal scale
        inside = np.clip(tail_probability(s), 1e-306, 1 - 1e-16)
        return np.asarray(special.ndtri(inside) - goal)

    root = false_position(excess, np.zeros(x.shape), np.ones(x.shape))
    # if A alone is wrong on every example, both factors are 1, and the search would find no root
    end = np.where(x == n, 1.0, root)
    return np.where(above, end, -end)


class Factor(NamedTuple):
    """Variables ``1 - scale * (1 - B)`` with B beta: scale 1 for a fraction, 2 for 2 theta - 1."""

    a: FloatArray
    b: FloatArray
    scale: FloatArray

    def beta(self, x: FloatArray) -> FloatArray:
        """Return the value of B at which the variable is x."""
        return (x + (self.scale - 1)) / self.scale

    def tail(self, x: FloatArray, above: BoolArray) -> FloatArray:
        """Return P(F > x) if `above` is true, otherwise P(F <= x)."""
        # P(B > value) = P(1 - B < complement), and 1 - B has a beta distribution, too
        point = np.where(above, (1 - x) / self.scale, self.beta(x))
        a, b = np.where(above, (self.b, self.a), (self.a, self.b))
        return np.asarray(special.betainc(a, b, point))

    def ends(self) -> FloatArray:
        """Return the ends of a range with almost all probability; the lower end is above 0."""
        low = beta_quantile(self.a, self.b, _NO_MASS)
        high = beta_quantile(self.b, self.a, _NO_MASS).mirrored
        # 1 - scale (1 - B), computed without rounding if B is near 0
        ends = [end.value - (self.scale - 1) * end.complement for end in (low, high)]
        return np.maximum(ends, 1e-300)


def _product_tail(x: FloatArray, y: FloatArray, n: FloatArray, above: BoolArray) -> TailFunction:
    """Return P(fraction * (2 theta - 1) > s) as a function of s.

    If the end is below 0, `above` is false, and the result is P(<= s) with 1 - theta in place of
    theta.
    """
    # add a last axis for the nodes of the quadrature
    x, y, n = (counts[..., None] for counts in (x, y, n))
    above = above[..., None]
    m = x + y
    # with only discordant examples the upper fraction is 1; without an error of B, theta is 1
    share = Factor(m + above, np.maximum(n - m + ~above, NONE), np.ones_like(m))
    right = np.where(above, np.maximum(y, NONE), x + 1)
    theta = Factor(np.where(above, x + 1, y), right, np.full_like(m, 2))
    # Integrate over the logarithm of the factor that varies less on this scale, so that the
    # distribution function of the other is smooth between the nodes.
    of_share, of_theta = share.ends(), theta.ends()
    narrow = 2 * np.log(of_theta[1] / of_theta[0]) < np.log(of_share[1] / of_share[0])
    outer = Factor(*np.where(narrow, theta, share))
    inner = Factor(*np.where(narrow, share, theta))
    first, last = np.where(narrow, of_theta, of_share)

    def tail_probability(s: FloatArray) -> FloatArray:
        point = s[..., None]
        # from the start of t's range, or from s if it is later, to the end of the range
        start = np.log(np.maximum(first, point))
        end = np.log(np.maximum(last, point))
        log_t = start + (end - start) * (1 + _NODES) / 2
        log_rest = np.log(np.maximum(-np.expm1(log_t), NONE))
        bend = (outer.a - 1) * np.log(outer.beta(np.exp(log_t)))
        density = log_t + bend + (outer.b - 1) * log_rest
        # the density's constant cancels, and would lose digits for large n
        weights = _WEIGHTS * np.exp(density - density.max(axis=-1, keepdims=True))
        edge = np.minimum(point * np.exp(-log_t), 1)
        inside = inner.tail(edge, above)
        mean = np.average(inside, axis=-1, weights=weights, keepdims=True)
        beyond = outer.tail(point, above)
        return np.where(above, beyond * mean, beyond + (1 - beyond) * mean)[..., 0]

    return tail_probability
