"""Bootstrap samples of examples, and the quantiles that are the ends of an interval.

Only this module draws with replacement. BCa means bias-corrected and accelerated.
"""

import numpy as np
from scipy import special

from errlab._core.checks import FloatArray, IntArray
from errlab._core.interval import Interval

_CELLS = 2_000_000  # numbers in memory at once


def means(losses: FloatArray, resamples: int, rng: np.random.Generator) -> FloatArray:
    """Return the mean of each of `resamples` bootstrap samples of the losses."""
    n = len(losses)
    batch = max(1, _CELLS // n)
    parts = [
        losses[rng.integers(n, size=(min(batch, resamples - start), n))].mean(axis=1)
        for start in range(0, resamples, batch)
    ]
    return np.concatenate(parts)


def counts(n: int, resamples: int, rng: np.random.Generator) -> IntArray:
    """Return how often each bootstrap sample draws each of n examples, shape (resamples, n)."""
    return tally(rng.integers(n, size=(resamples, n)))


def tally(drawn: IntArray) -> IntArray:
    """Count how often each of the numbers 0 .. n - 1 occurs along the last axis, of length n."""
    return np.apply_along_axis(np.bincount, -1, drawn, minlength=drawn.shape[-1])


def acceleration(away: FloatArray) -> float:
    """Return the acceleration of BCa: Efron and Tibshirani (1993), Eq. 14.15."""
    scale = np.abs(away).max(initial=0.0)
    if scale == 0:
        return 0.0
    # scale to [-1, 1], so that no power overflows
    unit = away / scale
    return float((unit**3).sum() / (6 * (unit**2).sum() ** 1.5))


def share_below(values: FloatArray, point: float) -> float:
    """Return the fraction of resampled values below a point, ties counted half, never 0 or 1."""
    # z0 must be finite, so at least half a resample counts on either side
    count = float((values < point).sum() + (values <= point).sum()) / 2
    return min(max(count, 0.5), len(values) - 0.5) / len(values)


def levels(share: float, a: float, z: FloatArray) -> FloatArray:
    """Return the levels of BCa for the normal quantiles `z` (Eq. 14.10).

    A fraction of one half without acceleration gives the levels of the percentile interval.
    """
    z0 = special.ndtri(share)  # Eq. 14.14
    t = z0 + z
    left = 1 - a * t
    moved = special.ndtr(z0 + t / np.where(left > 0, left, 1))
    # beyond the pole of the formula the level is 0 or 1
    return np.asarray(np.where(left > 0, moved, t > 0), dtype=float)


def quantiles(values: FloatArray, both: FloatArray) -> Interval:
    """Return the smallest resampled values at which their distribution reaches both levels."""
    return Interval(*np.quantile(values, both, method="inverted_cdf").tolist())
