"""Quantiles of the beta distribution: binomial tails inverted."""

import numpy as np
from scipy import special

from errlab._core.checks import FloatArray, FloatOrArray, IntArray
from errlab._numerics.roots import Share

NONE = 1e-300  # a parameter in place of 0, where no beta distribution is left but a certainty


def beta_quantile(a: FloatOrArray, b: FloatOrArray, delta: FloatOrArray) -> Share:
    r"""Return the quantile `delta` of the beta distribution with parameters `a` and `b`.

    :math:`x` with :math:`P(X \le x) = \delta` for :math:`X \sim \mathrm{Beta}(a, b)`, as a
    `Share`: :math:`x` and :math:`1 - x`, each to about 1e-12 of itself for parameters up to 1e5,
    and to 1e-8 up to 1e7. Where SciPy finds none, at levels below 1e-100, it is 0.

    Parameters
    ----------
    a, b : ndarray
        Parameters, above 0.
    delta : ndarray
        Level, in (0, 1).

    Examples
    --------
    >>> one, two, level = np.array([1.0]), np.array([2.0]), np.array([0.19])
    >>> beta_quantile(one, two, level)  # 1 - (1 - x)^2 = 0.19
    Share(value=array([0.1]), rest=array([0.9]))
    """
    a, b, delta = np.broadcast_arrays(a, b, delta)
    x = special.betaincinv(a, b, delta)
    x = np.where(np.isnan(x), 0.0, x)
    rest = np.asarray(1 - x)
    # Next to 1 the difference has lost its digits: 1 - X is a beta variable, too.
    near = x > 0.99
    rest[near] = special.betainccinv(b[near], a[near], delta[near])
    return Share(x, rest)


def binomial_cdf(k: FloatArray | IntArray, n: FloatArray | int, rate: Share) -> FloatArray:
    """P(Bin(n, rate) <= k) for whole k of at least -1: an incomplete beta function.

    >>> binomial_cdf(np.array([-1.0, 0.0, 2.0]), np.array(2.0), Share.of(np.array(0.1)))
    array([0.  , 0.81, 1.  ])
    """
    inside = (k >= 0) & (k < n)
    above = np.where(inside, k + 1, 1.0)
    below = np.where(inside, n - k, 1.0)
    # of the rate and its rest, the smaller one has the digits
    by_rate = special.betaincc(above, below, rate.value)
    by_rest = special.betainc(below, above, rate.rest)
    tail = np.where(rate.value < 0.5, by_rate, by_rest)
    return np.where(inside, tail, k >= n)
