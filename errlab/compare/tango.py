"""Tango's interval for the difference of two error rates on the same cases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from errlab._core.checks import FloatArray
from errlab._core.interval import Interval
from errlab.compare._score import over_error, score_interval, z_of

if TYPE_CHECKING:
    from errlab.compare.paired_interval import Table

__all__: list[str] = []


def tango(table: Table, *, delta: float) -> Interval[FloatArray]:
    r"""All differences d that the score test keeps (Tango 1998).

    .. math:: z(d) = \frac{n_{01} - n_{10} - n d}{\sqrt{n (2 q + d (1 - d))}}

    Here q is the probability that B alone is wrong, fitted under the difference d: the larger
    root of :math:`2 n q^2 + b q + c = 0` with :math:`b = (2 n - n_{01} + n_{10}) d - n_{01} -
    n_{10}` and :math:`c = -n_{10} d (1 - d)`.
    """
    n = table.n
    n01 = table.n01
    n10 = table.n10

    def score(d: FloatArray) -> FloatArray:
        # the fitted share is the larger root of its quadratic
        b = (2 * n - n01 + n10) * d - n01 - n10
        c = -n10 * d * (1 - d)
        q = (np.sqrt(np.maximum(b**2 - 8 * n * c, 0)) - b) / (4 * n)
        return over_error(n01 - n10 - n * d, n * np.maximum(2 * q + d * (1 - d), 0))

    return score_interval(score, table.estimate, z_of(delta))
