"""McNemar's test: two classifiers on the same test set.

In the lecture's notation ``n01`` counts the cases that A gets wrong and B right, ``n10`` those
that A gets right and B wrong. Thus ``n01 - n10`` is the errors of A minus the errors of B.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray, Scalar
from errlab._core.interval import Interval
from errlab._core.public import public
from errlab._numerics.beta import Beta
from errlab._numerics.roots import bisect
from errlab.compare._comparison import A_AND_B, Finding, comparison
from errlab.compare._result import ComparisonResult, Guarantee, Names
from errlab.compare.proportions import Proportion, two_sided, wilson_limits, z_of

__all__ = ["mcnemar", "mcnemar_table"]

MCNEMAR: dict[str, Guarantee] = {
    "exact": "exact",
    "mid-p": "asymptotic",
    "chi2": "asymptotic",
    "chi2-corrected": "asymptotic",
    "z": "asymptotic",
}


@public
def mcnemar_table(y_true: ArrayLike, pred_a: ArrayLike, pred_b: ArrayLike) -> IntArray:
    """Count the cases by who is wrong: ``table[i, j]``, i for A and j for B, 0 = wrong, 1 = right.

    ``table[0, 1]`` is n01, the cases that A gets wrong and B right; ``table[1, 0]`` is n10.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels.
    pred_a, pred_b : array_like, shape (n,)
        Predicted labels of A and of B.

    Returns
    -------
    ndarray of int, shape (2, 2)
        ``[[n00, n01], [n10, n11]]``.

    Raises
    ------
    ValueError, TypeError
        As `errlab.losses.hard_loss` does.

    References
    ----------
    Lecture notes, "Comparison of two algorithms on the same test set".

    Examples
    --------
    >>> mcnemar_table([0, 1, 1, 0], [0, 0, 0, 0], [0, 1, 0, 1])
    array([[1, 1],
           [1, 1]])
    """
    true, a, b = checks.same_labels(y_true=y_true, pred_a=pred_a, pred_b=pred_b)
    # the row of a case in binary: A right, B right
    cells = 2 * np.asarray(a == true, dtype=np.int64) + np.asarray(b == true, dtype=np.int64)
    return np.bincount(cells, minlength=4).reshape(2, 2).astype(np.int64)


@overload
def mcnemar(
    n01: Scalar, n10: Scalar, *, method: str = ..., delta: float = ..., names: Names = ...
) -> ComparisonResult[float]: ...
@overload
def mcnemar(
    n01: ArrayLike, n10: ArrayLike, *, method: str = ..., delta: float = ..., names: Names = ...
) -> ComparisonResult[FloatArray]: ...
@comparison(
    key="mcnemar",
    name="McNemar",
    place=0,
    takes="counts",
    equations="Lecture notes, z of McNemar; Fagerland et al. 2013",
    guarantee=MCNEMAR,
)
def mcnemar(
    n01: ArrayLike,
    n10: ArrayLike,
    *,
    method: str = "exact",
    delta: float = 0.05,
    names: Names = A_AND_B,
) -> Finding:
    r"""McNemar's test for two classifiers on the same test set.

    Given :math:`m = n_{01} + n_{10}` discordant cases, equal error rates mean
    :math:`n_{01} \sim \mathrm{Bin}(m, 1/2)`. With no discordant case p = 1.

    Parameters
    ----------
    n01 : int or array_like
        Cases that A gets wrong and B right. It broadcasts with `n10`.
    n10 : int or array_like
        Cases that A gets right and B wrong.
    method : {"exact", "mid-p", "chi2", "chi2-corrected", "z"}
        "exact": the binomial tail; never above its level. "mid-p": outcomes as extreme as the
        observed one count half (1 minus half their probability where n01 = n10 > 0). "z": the
        lecture's :math:`|n_{01} - n_{10}| / \sqrt m`; "chi2" is its square; "chi2-corrected"
        takes 1 off the difference first, but not below 0.

    Returns
    -------
    ComparisonResult
        `statistic` is min(n01, n10) for "exact" and "mid-p". `estimate` and `interval` are about
        :math:`(n_{01} - n_{10}) / m`, the difference among the cases on which A and B disagree:
        Clopper-Pearson, mid-p or Wilson as the test is. `paired_difference` gives the interval
        over all cases. Where n01 = n10 the mid-p value is below 1, and a level above it (0.75
        or more) leaves no interval.

    Raises
    ------
    ValueError
        If a count is negative or not whole, the method is unknown, or shapes do not broadcast.
    TypeError
        If an argument is not a number.

    References
    ----------
    McNemar, Psychometrika 12 (1947); Dietterich, Neural Computation 10 (1998); Fagerland,
    Lydersen and Laake, BMC Medical Research Methodology 13:91 (2013), for mid-p.

    Examples
    --------
    >>> result = mcnemar(1, 6)
    >>> result.pvalue
    0.125
    >>> round(mcnemar(1, 6, method="mid-p").pvalue, 4), mcnemar(0, 0).pvalue
    (0.0703, 1.0)
    >>> print(mcnemar(25, 2).reading)
    B is better at level 0.05: difference among the cases on which they disagree 0.852,
    95% interval 0.514 to 0.982 (McNemar, exact, p < 0.0001; guarantee: exact).
    """
    a, b = checks.same_shape(
        n01=checks.count(n01, "n01", 0).astype(float),
        n10=checks.count(n10, "n10", 0).astype(float),
    )
    # discordant cases alone: those on which both are wrong, or right, say nothing of a difference
    statistic, pvalue = _TESTS[method](a, b)
    return Finding(
        statistic,
        np.where(a + b > 0, pvalue, 1.0),
        (a - b) / np.maximum(a + b, 1),
        limits=_limits,
        data=(method, a, b),
        quantity="difference among the cases on which they disagree",
    )


def _exact(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Smaller count, and twice its binomial tail."""
    k = np.minimum(a, b)
    # scipy's bdtr loses three digits where m is large; the incomplete beta function does not
    tail = special.betainc(np.maximum(np.maximum(a, b), 1), k + 1.0, 0.5)
    return k, np.minimum(2 * tail, 1.0)


def _mid_p(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Smaller count, and the tails in which the counts observed weigh half."""
    k = np.minimum(a, b)
    m = a + b
    # twice (P(X < k) + P(X = k) / 2), by symmetry the sum of both tails
    point = special.betainc(np.maximum(m - k, 1), k + 1.0, 0.5)  # P(X <= k)
    below = np.where(k > 0, special.betainc(m - k + 1.0, np.maximum(k, 1), 0.5), 0.0)
    return k, np.where(a == b, 1 - (2 * point - 1) / 2, point + below)


def _z(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Absolute z of the lecture, and its p-value."""
    # n01 has mean m/2 and variance m/4 where neither is better
    z = np.abs(a - b) / np.sqrt(np.maximum(a + b, 1))
    return z, two_sided(z)


def _chi2(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Square of z, with the same p-value."""
    return (a - b) ** 2 / np.maximum(a + b, 1), _z(a, b)[1]


def _corrected(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """As chi2, with 1 taken off the difference."""
    # Edwards; without the 0 a tie would be told from equality: 1/m instead of 0
    z = np.maximum(np.abs(a - b) - 1, 0) / np.sqrt(np.maximum(a + b, 1))
    return z**2, two_sided(z)


_TESTS: dict[str, Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]] = {
    "exact": _exact,
    "mid-p": _mid_p,
    "chi2": _chi2,
    "chi2-corrected": _corrected,
    "z": _z,
}


def _limits(method: str, a: FloatArray, b: FloatArray, *, delta: float) -> Interval[FloatArray]:
    """Interval of 2 q - 1, where q is the chance that a discordant case is A's error."""
    m = a + b
    some = np.maximum(m, 1)
    share = np.where(m > 0, a / some, 0.5)
    # q is a share of m cases, so the interval that inverts each test is one for a proportion
    if method in ("chi2", "z"):
        low, high = wilson_limits(Proportion(share, some), z_of(delta))
    elif method == "chi2-corrected":
        # the correction takes 1 off |n01 - n10|, which is 1/2 off the count, 1/(2m) off the share
        step = 1 / (2 * some)
        low = wilson_limits(Proportion(np.maximum(share - step, 0), some), z_of(delta)).low
        high = wilson_limits(Proportion(np.minimum(share + step, 1), some), z_of(delta)).high
    else:
        upper = _upper_exact if method == "exact" else _upper_mid_p
        low = 1 - upper(b, a, delta / 2)
        high = upper(a, b, delta / 2)
    # without a discordant case every q is possible
    low = np.where(m > 0, low, 0.0)
    high = np.where(m > 0, high, 1.0)
    return Interval(2 * low - 1, 2 * high - 1)


def _upper_exact(a: FloatArray, b: FloatArray, tail: float) -> FloatArray:
    """Clopper-Pearson: the q with P(Bin(a + b, q) <= a) = tail."""
    return Beta(a + 1, b).high(tail)


def _upper_mid_p(a: FloatArray, b: FloatArray, tail: float) -> FloatArray:
    """As Clopper-Pearson, with half the probability of the observed count."""

    def above(q: FloatArray) -> NDArray[np.bool_]:
        # P(X < a) and P(X <= a) as functions of q, falling
        below = np.where(a > 0, special.betaincc(np.maximum(a, 1), b + 1.0, q), 0.0)
        upto = np.where(b > 0, special.betaincc(a + 1.0, np.maximum(b, 1), q), 1.0)
        return (below + upto) / 2 > tail

    shape = np.shape(a)
    return bisect(above, np.zeros(shape), np.ones(shape))
