"""Power to show that one classifier is not worse than another by more than a margin."""

from __future__ import annotations

import numpy as np
import scipy

from errlab._core import checks
from errlab._core.checks import IntArray
from errlab._core.public import public
from errlab._numerics.roots import first_whole, normal_quantile
from errlab.compare.fay_lumbard import reaches
from errlab.compare.power import either_wrong, support
from errlab.compare.score import BoolArray


@public
def margin_power(n: int, p01: float, p10: float, *, margin: float, delta: float = 0.05) -> float:
    r"""Exact probability that a paired test shows B to be not worse than A by more than a margin.

    It is shown where the lower end of Fay and Lumbard's interval, that of `paired_difference`
    with ``method="exact"``, is at least ``-margin``. All tables are summed over.

    Parameters
    ----------
    n : int
        Number of test cases.
    p01, p10 : float
        Probability that A alone is wrong, and that B alone is wrong; their sum is at most 1.
    margin : float
        By how much B may be worse, in (0, 1).
    delta : float
        Level of the two-sided interval.

    Returns
    -------
    float
        The probability. Where ``p10 - p01`` is the margin itself it is the chance of a wrong
        claim, at most about ``delta / 2``.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    References
    ----------
    Fay and Lumbard, Statistics in Medicine 40 (2021), 1147-1159.

    Examples
    --------
    >>> round(margin_power(1000, 0.05, 0.05, margin=0.03), 3)
    0.822
    >>> margin_power(1000, 0.05, 0.08, margin=0.03) < 0.025
    True
    """
    size = checks.one_count(n)
    # m of the cases are discordant, and A is wrong on a share of these
    share, apart = map(float, either_wrong(p01, p10))
    allowed = checks.one_delta(margin, "margin")
    level = checks.one_delta(delta)
    m = support(size, apart)
    weight = scipy.stats.binom.pmf(m, size, apart)
    m, weight = m[weight > 1e-12], weight[weight > 1e-12]

    def holds(x: IntArray) -> BoolArray:
        errors = np.clip(x, 0, m).astype(float)
        cases = np.full(m.shape, float(size))
        return (x >= 0) & reaches(errors, m - errors, cases, allowed, delta=level)

    # the number of A's errors at which it is shown grows with m: a guess, and 3 around it
    z = normal_quantile(level / 2)
    guess = np.rint((m - allowed * size + z * np.sqrt(m)) / 2).astype(np.int64)
    low = np.clip(guess - 3, -1, m)
    high = np.clip(guess + 3, 0, m + 1)
    # where the guess was wrong, search the whole range
    low = np.where(holds(low), -1, low)
    high = np.where((high <= m) & holds(high), high, m + 1)
    first = first_whole(holds, low, high)  # A's errors at which it is shown
    theta = 0.5  # without a discordant case it has no meaning
    if apart > 0:
        theta = share / apart
    tail = scipy.stats.binom.sf(first - 1, m, theta)
    return float(min(weight @ tail, 1.0))
