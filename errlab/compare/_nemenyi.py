"""Nemenyi's test of all pairs of classifiers by their average ranks over data sets."""

import math

import numpy as np
import scipy

from errlab._core.checks import FloatArray


def nemenyi_pvalues(z: FloatArray, k: int) -> FloatArray:
    """P-values of differences of average ranks in units of their standard error, k classifiers."""
    tails = scipy.stats.studentized_range.sf(z * np.sqrt(2), k, np.inf)
    return np.asarray(np.clip(tails, 0.0, 1.0))


def nemenyi_difference(n: int, k: int, delta: float) -> float:
    """Return the difference of two average ranks from which on Nemenyi's test shows it."""
    q = float(scipy.stats.studentized_range.isf(delta, k, np.inf))
    return q / math.sqrt(2) * math.sqrt(k * (k + 1) / (6 * n))
