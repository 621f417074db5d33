"""What looking again and again costs: exactly, for 0/1 losses."""

from __future__ import annotations

import numpy as np
import scipy

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray
from errlab._core.public import public
from errlab._numerics.roots import first_whole
from errlab.bounds.bound import BOUNDS, ask
from errlab.coverage.exact import Side, two_ends


@public
def peeking(
    key: str,
    error: float,
    n: int,
    *,
    delta: float = 0.05,
    side: Side = "two-sided",
    start: int = 1,
    step: int = 1,
) -> FloatArray:
    r"""Return the exact probability that a bound has missed at one of the looks so far.

    A bound for a fixed number of cases is looked at after case `start`, and then after every
    `step` cases. Entry t - 1 is the probability that at least one look at up to t cases has missed
    the true error,

    .. math:: P\left(\exists\, s \le t : L \notin [\,l(k_s, s), u(k_s, s)]\right), \quad
              k_s = \sum_{i \le s} \ell_i

    The losses are independent and 0 or 1. One row of probabilities, one entry for each number of
    errors, is carried from look to look, and at each look what misses leaves it.

    Parameters
    ----------
    key : str
        The bound: a key of `errlab.bounds.BOUNDS` that needs counts only.
    error : float
        True error, in [0, 1].
    n : int
        Cases at the end, at least 1.
    delta : float
        Probability that one look may fail, in (0, 1).
    side : {"upper", "lower", "two-sided"}
        What is looked at.
    start, step : int
        Cases at the first look, and between looks.

    Returns
    -------
    ndarray, shape (n,)
        The probability after each case; it never falls.

    Raises
    ------
    ValueError, TypeError
        If the bound needs the losses themselves, or an argument leaves its range.

    References
    ----------
    Armitage, McPherson and Rowe, Journal of the Royal Statistical Society A 132 (1969), 235-244.

    Examples
    --------
    >>> missed = peeking("CP", 0.1, 500)
    >>> round(float(missed[-1]), 3)
    0.286
    >>> round(float(peeking("CP", 0.1, 500, start=500)[-1]), 3)
    0.037
    """
    counts = BOUNDS[key].needs != "losses"
    checks.require(counts, "key", "be of a bound that needs counts only", key)
    truth = checks.one_mean(error, "error")
    size = checks.one_count(n)
    level = checks.one_delta(delta)
    first = checks.one_count(start, "start")
    every = checks.one_count(step, "step")
    looks = np.arange(first, size + 1, every)

    def ends(errors: IntArray) -> tuple[FloatArray, FloatArray]:
        """Both ends after so many errors at each look."""
        return two_ends(ask(key, errors=np.clip(errors, 0, looks), n=looks, delta=level), side)

    # Both ends grow with the count, so that the counts that hold the truth are a range.
    before = np.full(len(looks), -1)
    smallest = first_whole(lambda k: ends(k)[1] >= truth, before, looks + 1)
    largest = first_whole(lambda k: ends(k)[0] > truth, before, looks + 1) - 1
    alive = np.array([1.0])  # probability of each number of errors, never missed so far
    low = 0  # the number of errors that alive[0] stands for
    new = np.diff(looks, prepend=0).tolist()  # cases since the look before
    chances = {
        cases: scipy.stats.binom.pmf(np.arange(cases + 1), cases, truth) for cases in set(new)
    }
    missed = np.zeros(size)
    for look, cases, first_held, last_held in zip(looks, new, smallest, largest, strict=True):
        # New cases are independent of those before: the distribution of the sum is a convolution.
        reached = np.convolve(alive, chances[cases])
        alive = reached[max(first_held - low, 0) : max(last_held - low + 1, 0)]
        missed[look - 1] = max(reached.sum() - alive.sum(), 0.0)
        low = max(low, int(first_held))
        if not len(alive):
            break
    return np.clip(np.cumsum(missed), 0.0, 1.0)
