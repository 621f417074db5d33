"""Tango's score interval for the difference of two error rates on the same cases."""

import numpy as np

from errlab._core.checks import FloatArray, FloatOrArray
from errlab._core.interval import Interval
from errlab.compare._score import over_error, score_interval


def tango(n01: FloatArray, n10: FloatArray, n: FloatArray, *, delta: float) -> Interval[FloatArray]:
    """Return all differences d that the score test doesn't reject (Tango 1998)."""
    return score_interval(lambda d: tango_score(n01, n10, n, d), (n01 - n10) / n, delta)


def tango_score(
    n01: FloatOrArray, n10: FloatOrArray, n: FloatOrArray, d: FloatOrArray
) -> FloatArray:
    r"""Return the score statistic of the difference d.

    .. math:: z(d) = \frac{n_{01} - n_{10} - n d}{\sqrt{n (2 q + d (1 - d))}}

    Here q is the probability that B alone is wrong, fitted under the difference d: the larger
    root of :math:`2 n q^2 + b q + c = 0` with :math:`b = (2 n - n_{01} + n_{10}) d - n_{01} -
    n_{10}` and :math:`c = -n_{10} d (1 - d)`.
    """
    b = (2 * n - n01 + n10) * d - n01 - n10
    c = -n10 * d * (1 - d)
    q = (np.sqrt(np.maximum(b**2 - 8 * n * c, 0)) - b) / (4 * n)
    variance = n * np.maximum(2 * q + d * (1 - d), 0)
    return over_error(np.asarray(n01 - n10 - n * d), np.asarray(variance))
