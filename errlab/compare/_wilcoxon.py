"""Wilcoxon's signed-rank test of two classifiers on many data sets."""

from __future__ import annotations

import numpy as np
import scipy
from scipy import special

from errlab._core import checks
from errlab._numerics.roots import without_noise
from errlab.compare._registry import (
    A_AND_B,
    ArrayLike,
    ComparisonResult,
    FloatArray,
    Names,
    comparison,
)

_EXACT = 50  # number of differences up to which the exact null distribution is computed
MEDIAN = "median of error of {a} minus error of {b}"


@comparison(
    name="Wilcoxon's signed ranks",
    place=25,
    takes="differences over data sets",
    sample="many data sets",
    equations="Wilcoxon 1945; Demšar 2006, Section 3.1.3",
    guarantee="asymptotic",
)
def wilcoxon(
    differences: ArrayLike, *, delta: float = 0.05, names: Names = A_AND_B
) -> ComparisonResult:
    r"""Wilcoxon's signed-rank test of two classifiers on many data sets.

    .. math:: T = \min(R^+, R^-), \qquad R^{\pm} = \sum_{\pm d_i > 0} \operatorname{rank} |d_i|

    Differences of 0 are ranked, too, and their ranks divided equally between both sums, as in
    Demšar (if the number of zeros is odd, one is left out). With up to 50 differences the p-value
    is exact, also with ties: a sum over all signs of the differences other than 0. With more it is
    normal. Differences are tied if they are equal to within a ten-billionth of the largest, so that
    rounding errors don't matter: 0.13 - 0.12 and 0.12 - 0.11 are tied.

    Parameters
    ----------
    differences : array_like, shape (N,)
        Error of A minus error of B on each of N >= 2 data sets.
    delta : float
        Level of the test, in (0, 1).

    Returns
    -------
    ComparisonResult
        `estimate` and `interval` are None, because the test is about ranks. `guarantee` is "exact"
        with up to 50 differences.

    Raises
    ------
    ValueError
        If there are fewer than 2 differences, or all are 0.
    TypeError
        If a difference is not a number.

    References
    ----------
    Wilcoxon, Biometrics Bulletin 1 (1945); Demšar, Journal of Machine Learning Research 7 (2006),
    Section 3.1.3.

    Examples
    --------
    >>> result = wilcoxon([0.02, 0.03, -0.01, 0.05, 0.04])
    >>> result.statistic, result.pvalue
    (1.0, 0.125)
    """
    array = checks.within(differences, "differences", -checks.LARGE, checks.LARGE, ndim=1)
    d = without_noise(array, np.abs(array).max())
    if len(d) < 2 or not d.any():
        raise ValueError(
            f"differences must be at least 2, not all of them 0, got {checks.show(array.tolist())}"
        )
    zeros = np.flatnonzero(d == 0)
    # drop one of an odd number of zeros, so that both signs get equally many
    d = np.delete(d, zeros[: len(zeros) % 2])
    ranks = scipy.stats.rankdata(np.abs(d))
    signed = ranks[d != 0]
    above = float(ranks[d > 0].sum())
    smaller = min(above, float(signed.sum()) - above)
    statistic = smaller + float(ranks[d == 0].sum() / 2)
    if len(d) > _EXACT:
        # mean and variance of a sum of ranks that are each included with probability 1/2
        z = (smaller - signed.sum() / 2) / np.sqrt((signed**2).sum() / 4)
        pvalue = min(2 * special.ndtr(z), 1.0)
        return ComparisonResult(statistic, pvalue, None, quantity=MEDIAN)
    pvalue = _all_signs(signed, smaller)
    return ComparisonResult(statistic, pvalue, None, quantity=MEDIAN, guarantee="exact")


def _all_signs(ranks: FloatArray, smaller: float) -> float:
    """Return twice the probability of at most the smaller sum, if all signs are equally likely."""
    # midranks are halves, so doubled sums are whole
    mass = np.ones(1)
    for rank in np.rint(2 * ranks).astype(np.int64):
        # each rank is positive with probability 1/2
        none = np.zeros(rank)
        mass = (np.append(mass, none) + np.append(none, mass)) / 2
    return float(min(2 * mass[: round(2 * smaller) + 1].sum(), 1.0))
