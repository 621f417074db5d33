"""McNemar's test of two classifiers on one test set; Cochran's of several, Holm's for their pairs.

In the lecture's notation ``n01`` counts the cases that A gets wrong and B right, ``n10`` those
that A gets right and B wrong. Thus ``n01 - n10`` is the errors of A minus the errors of B.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
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
from errlab.compare._result import A_AND_B, ComparisonResult, Finding, Guarantee, Names, comparison
from errlab.compare.proportions import Proportion, two_sided, wilson_limits, z_of
from errlab.compare.suissa_shuster import unconditional

__all__ = ["cochran_q", "holm", "mcnemar", "mcnemar_table"]

MCNEMAR: dict[str, Guarantee] = {
    "exact": "exact",
    **dict.fromkeys(("mid-p", "chi2", "chi2-corrected", "z"), "asymptotic"),
}
_LABELS = 5  # so many pairs of counts of 0 and 1 are taken for labels
_COUNTED = ("exact", "mid-p")  # by binomial tails, the others by the normal distribution


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


def _no_labels(n01: ArrayLike, n10: ArrayLike) -> None:
    """Refuse columns of labels, which would be counts of one test for each case."""
    first, second = checks.raw(n01, "n01"), checks.raw(n10, "n10")
    if not first.ndim == second.ndim == 1 or len(first) != len(second) or len(first) < _LABELS:
        return
    if first.dtype.kind == second.dtype.kind == "b" or max(first.max(), second.max()) <= 1:
        raise ValueError(
            "n01 and n10 must be counts, got columns of labels; take report(y_true, pred_a, "
            "pred_b), or mcnemar(table[0, 1], table[1, 0]) of mcnemar_table(y_true, pred_a, pred_b)"
        )


@overload
def mcnemar(
    n01: Scalar,
    n10: Scalar,
    *,
    method: str = ...,
    n: Scalar | None = ...,
    delta: float = ...,
    names: Names = ...,
) -> ComparisonResult[float]: ...
@overload
def mcnemar(
    n01: ArrayLike,
    n10: ArrayLike,
    *,
    method: str = ...,
    n: ArrayLike | None = ...,
    delta: float = ...,
    names: Names = ...,
) -> ComparisonResult[FloatArray]: ...
@comparison(
    key="mcnemar",
    name="McNemar",
    place=0,
    takes="counts",
    equations="Lecture notes, z of McNemar; Fagerland et al. 2013",
    guarantee=MCNEMAR,
    elsewhere={"unconditional": "mcnemar-unconditional"},
)
def mcnemar(
    n01: ArrayLike,
    n10: ArrayLike,
    *,
    method: str = "exact",
    n: ArrayLike | None = None,
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
    method : {"exact", "mid-p", "chi2", "chi2-corrected", "z", "unconditional"}
        "exact": the binomial tail; never above its level. "mid-p": outcomes as extreme as the
        observed one count half (1 minus half their probability where n01 = n10 > 0). "z": the
        lecture's :math:`|n_{01} - n_{10}| / \sqrt m`; "chi2" is its square; "chi2-corrected"
        takes 1 off the difference first, but not below 0. "unconditional": Suissa and Shuster's
        exact test, never above its level either, and sharper; see `suissa_shuster`.
    n : int or array_like, optional
        All cases, those on which A and B agree included. The unconditional test needs it, and the
        others say nothing of it.

    Returns
    -------
    ComparisonResult
        `statistic` is min(n01, n10) for "exact" and "mid-p". `estimate` and `interval` are about
        :math:`(n_{01} - n_{10}) / m`, the difference among the cases on which A and B disagree:
        Clopper-Pearson, mid-p or Wilson as the test is. `paired_difference` gives the interval
        over all cases, and so does "unconditional" with a z for its `statistic`. Where n01 = n10
        the mid-p value is below 1, and a level above it (0.75 or more) leaves no interval.

    Raises
    ------
    ValueError
        If a count is negative or not whole, the method is unknown, shapes do not broadcast, or `n`
        is below ``n01 + n10``, missing where it is needed, or given where it has no use.
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
    >>> round(mcnemar(1, 6, method="unconditional", n=100).pvalue, 4)
    0.0713
    >>> print(mcnemar(25, 2).reading)
    B is better at level 0.05: difference among the cases on which they disagree 0.852,
    95% interval 0.514 to 0.982 (McNemar, exact, p < 0.0001; guarantee: exact).
    """
    _no_labels(n01, n10)
    a, b = checks.same_shape(
        n01=checks.count(n01, "n01", 0).astype(float),
        n10=checks.count(n10, "n10", 0).astype(float),
    )
    if method == "unconditional":
        return unconditional(*_of_all(a, b, n))
    if n is not None:
        raise ValueError(
            f"n must be left out for the {method} test, which looks at discordant cases alone, "
            f'got {checks.show(n)}; method="unconditional" takes it'
        )
    # discordant cases alone: those on which both are wrong, or right, say nothing of a difference
    test = _binomial if method in _COUNTED else _normal
    statistic, pvalue = test(method, a, b)
    return Finding(
        statistic,
        np.where(a + b > 0, pvalue, 1.0),
        (a - b) / np.maximum(a + b, 1),
        limits=_limits,
        data=(method, a, b),
        quantity="difference among the cases on which they disagree",
    )


def _of_all(
    a: FloatArray, b: FloatArray, n: ArrayLike | None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Check the number of all cases, which the unconditional test needs."""
    if n is None:
        raise ValueError(
            "n must be given for the unconditional test: the number of all cases, those on which "
            'both are right or both are wrong included; without it take method="exact"'
        )
    a, b, size = checks.same_shape(n01=a, n10=b, n=checks.count(n).astype(float))
    if (few := a + b > size).any():
        raise ValueError(
            f"n must be at least n01 + n10 = {(a + b)[few][0]:.0f}, got {size[few][0]:.0f}"
        )
    return a, b, size


def _binomial(method: str, a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Smaller count, and twice its binomial tail; for mid-p counts as extreme weigh half."""
    k = np.minimum(a, b)
    m = a + b
    # P(X <= k): scipy's bdtr loses three digits where m is large, the incomplete beta does not
    upto = special.betainc(np.maximum(m - k, 1), k + 1.0, 0.5)
    if method == "exact":
        return k, np.minimum(2 * upto, 1.0)
    # twice (P(X < k) + P(X = k) / 2), by symmetry the sum of both tails
    below = np.where(k > 0, special.betainc(m - k + 1.0, np.maximum(k, 1), 0.5), 0.0)
    return k, np.where(a == b, 1 - (2 * upto - 1) / 2, upto + below)


def _normal(method: str, a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Absolute z of the lecture, or its square, and the p-value."""
    gap = np.abs(a - b)
    if method == "chi2-corrected":
        # Edwards; without the 0 a tie would be told from equality: 1/m instead of 0
        gap = np.maximum(gap - 1, 0)
    # n01 has mean m/2 and variance m/4 where neither is better
    m = np.maximum(a + b, 1)
    z = gap / np.sqrt(m)
    return z if method == "z" else gap**2 / m, two_sided(z)


def _limits(method: str, a: FloatArray, b: FloatArray, *, delta: float) -> Interval[FloatArray]:
    """Interval of 2 q - 1, where q is the chance that a discordant case is A's error."""
    m = a + b
    some = np.maximum(m, 1)
    share = np.where(m > 0, a / some, 0.5)
    # q is a share of m cases, so the interval that inverts each test is one for a proportion
    if method in _COUNTED:
        low, high = 1 - _upper(method, b, a, delta / 2), _upper(method, a, b, delta / 2)
    else:
        # the correction takes 1 off |n01 - n10|, which is 1/2 off the count, 1/(2m) off the share
        step = 1 / (2 * some) if method == "chi2-corrected" else 0.0
        low = wilson_limits(Proportion(np.maximum(share - step, 0), some), z_of(delta)).low
        high = wilson_limits(Proportion(np.minimum(share + step, 1), some), z_of(delta)).high
    # without a discordant case every q is possible
    low = np.where(m > 0, low, 0.0)
    high = np.where(m > 0, high, 1.0)
    return Interval(2 * low - 1, 2 * high - 1)


def _upper(method: str, a: FloatArray, b: FloatArray, tail: float) -> FloatArray:
    """Clopper-Pearson, the q with P(Bin(a + b, q) <= a) = tail; for mid-p P(X = a) weighs half."""
    if method == "exact":
        return Beta(a + 1, b).high(tail)

    def above(q: FloatArray) -> NDArray[np.bool_]:
        # P(X < a) and P(X <= a) as functions of q, falling
        below = np.where(a > 0, special.betaincc(np.maximum(a, 1), b + 1.0, q), 0.0)
        upto = np.where(b > 0, special.betaincc(a + 1.0, np.maximum(b, 1), q), 1.0)
        return (below + upto) / 2 > tail

    return bisect(above, np.zeros_like(a), np.ones_like(a))


@comparison(
    key="cochran_q",
    name="Cochran's Q",
    place=17,
    takes="loss matrix",
    equations="Cochran 1950",
    guarantee="asymptotic",
)
def cochran_q(losses: ArrayLike, *, delta: float = 0.05) -> Finding:
    r"""Cochran's Q: whether k classifiers have the same error rate, on one test set.

    .. math:: Q = \frac{(k-1) \big(k \sum_j C_j^2 - (\sum_j C_j)^2\big)}
              {k \sum_i R_i - \sum_i R_i^2}

    with :math:`C_j` the errors of classifier j and :math:`R_i` the classifiers wrong on case i;
    chi-squared with k - 1 degrees of freedom. For k = 2 it is McNemar's chi2.

    Parameters
    ----------
    losses : array_like, shape (n, k)
        Losses in {0, 1}: a row for each case, a column for each of k >= 2 classifiers.

    Returns
    -------
    ComparisonResult
        `estimate` and `interval` are None: there is no single difference. Where all classifiers
        agree on every case, Q is 0 and p is 1.

    Raises
    ------
    ValueError
        If a loss is not 0 or 1, or there are fewer than 2 classifiers.
    TypeError
        If a loss is not a number.

    References
    ----------
    Cochran, Biometrika 37 (1950), 256-266.

    Examples
    --------
    >>> cochran_q([[0, 1, 1], [0, 1, 0], [0, 0, 0], [1, 1, 1], [0, 1, 1], [0, 1, 0]]).statistic
    6.0
    """
    array = checks.numbers(losses, "losses", ndim=2)
    if not np.isin(array, (0, 1)).all():
        raise ValueError(f"losses must be 0 or 1, got {array[~np.isin(array, (0, 1))][0].item()!r}")
    k = array.shape[1]
    if k < 2:
        raise ValueError(f"losses must have at least 2 columns, got shape {array.shape}")
    errors = array.sum(axis=0)
    wrong = array.sum(axis=1)
    below = k * wrong.sum() - (wrong**2).sum()
    above = (k - 1) * (k * (errors**2).sum() - errors.sum() ** 2)
    statistic = float(above / below) if below > 0 else 0.0
    return Finding(statistic, special.chdtrc(k - 1, statistic), None)


@public
def holm(pvalues: ArrayLike) -> FloatArray:
    r"""Holm's adjusted p-values: reject those at most `delta` and no true null is rejected.

    .. math:: \tilde p_{(i)} = \min\big(1, \max_{j \le i} (m - j + 1)\, p_{(j)}\big)

    The chance of one or more false rejections is at most `delta`, whatever the dependence.

    Parameters
    ----------
    pvalues : array_like, shape (m,)
        The p-values of m tests, each in [0, 1].

    Returns
    -------
    ndarray, shape (m,)
        Adjusted p-values, in the order given.

    Raises
    ------
    ValueError
        If a p-value leaves [0, 1].
    TypeError
        If a p-value is not a number.

    References
    ----------
    Holm, Scandinavian Journal of Statistics 6 (1979), 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p = checks.within(pvalues, "pvalues", 0, 1, ndim=1)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def pairs_of(names: Sequence[str], baseline: str | None) -> list[tuple[int, int]]:
    """Return both places of every pair of names, or of every other one beside the baseline."""
    if baseline is None:
        return list(itertools.combinations(range(len(names)), 2))
    base = names.index(checks.choice(baseline, "baseline", names))
    return [(i, base) for i in range(len(names)) if i != base]
