"""McNemar's test of two classifiers on one test set.

In the lecture's notation ``n01`` counts the examples that A gets wrong and B right, ``n10`` those
that A gets right and B wrong. So ``n01 - n10`` is the number of errors of A minus that of B.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import overload

import numpy as np

from errlab._core import checks
from errlab._core.checks import Scalar
from errlab._numerics.roots import (
    NONE,
    Probability,
    beta_quantile,
    binomial_cdf,
    bisect,
    normal_quantile,
)
from errlab.compare._paired_table import counts_of, of_labelled
from errlab.compare._registry import (
    A_AND_B,
    COMPARISONS,
    ArrayLike,
    ComparisonResult,
    FloatArray,
    Guarantee,
    Interval,
    Names,
    comparison,
)
from errlab.compare._score import BoolArray, Proportion, half_tail, two_sided, wilson_limits
from errlab.compare._suissa_shuster import unconditional

# Each method maps n01 and n10 to a statistic and a p-value; its interval inverts the same test.
Test = Callable[[FloatArray, FloatArray], tuple[FloatArray, FloatArray]]
Upper = Callable[[FloatArray, FloatArray, float], FloatArray]
_LABELS = 5  # from this many pairs on, counts that are all 0 or 1 are probably labels


def mcnemar_exact(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the smaller count and twice its binomial tail."""
    k = np.minimum(a, b)
    return k, np.minimum(2 * half_tail(k, a + b), 1.0)


def _mid_p(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the smaller count and the p-value that counts ties with it half."""
    k = np.minimum(a, b)
    m = a + b
    upto = half_tail(k, m)
    # 2 (P(X < k) + P(X = k) / 2), which by symmetry is the sum of both tails
    return k, np.where(a == b, 1 - (2 * upto - 1) / 2, upto + half_tail(k - 1, m))


def _chi2(a: FloatArray, b: FloatArray, correction: float = 0.0) -> tuple[FloatArray, FloatArray]:
    """Return z squared as in the lecture notes, optionally corrected, and its p-value."""
    # not below 0, because the correction would make the statistic of a tie 1/m
    gap = np.maximum(np.abs(a - b) - correction, 0)
    # under the null hypothesis n01 has mean m/2 and variance m/4
    m = np.maximum(a + b, 1)
    return gap**2 / m, two_sided(gap / np.sqrt(m))


def _z(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return |z| as in the lecture notes, and its p-value."""
    chi2, pvalue = _chi2(a, b)
    return np.sqrt(chi2), pvalue


def _clopper_pearson(a: FloatArray, b: FloatArray, tail: float) -> FloatArray:
    """Return the q with P(Bin(a + b, q) <= a) = tail; without discordant examples it is 1."""
    return beta_quantile(np.maximum(b, NONE), a + 1, np.array(tail)).complement


def _mid_p_limit(a: FloatArray, b: FloatArray, tail: float) -> FloatArray:
    """Return the q of `_clopper_pearson` if P(X = a) counts half."""

    def above(q: FloatArray) -> BoolArray:
        probability = Probability.of(q)
        # P(X < a) and P(X <= a) fall as functions of q
        return (
            binomial_cdf(a - 1, a + b, probability) + binomial_cdf(a, a + b, probability)
        ) / 2 > tail

    return bisect(above, np.zeros_like(a), np.ones_like(a))


def _wilson(a: FloatArray, b: FloatArray, tail: float, correction: float = 0.0) -> FloatArray:
    """Return Wilson's upper limit for a of a + b."""
    m = np.maximum(a + b, 1)
    # the correction subtracts 1 from |n01 - n10|, which is 1/2 of the count
    share = np.minimum((a + correction / 2) / m, 1)
    high = wilson_limits(Proportion(share, m), normal_quantile(tail)).high
    return np.where(a + b > 0, high, 1.0)


METHODS: dict[str, tuple[Test, Upper]] = {
    "exact": (mcnemar_exact, _clopper_pearson),
    "mid-p": (_mid_p, _mid_p_limit),
    "chi2": (_chi2, _wilson),
    "chi2-corrected": (partial(_chi2, correction=1.0), partial(_wilson, correction=1.0)),
    "z": (_z, _wilson),
}
GUARANTEES: dict[str, Guarantee] = {**dict.fromkeys(METHODS, "asymptotic"), "exact": "exact"}


@overload
def mcnemar(
    only_a_wrong: Scalar,
    only_b_wrong: Scalar,
    *,
    method: str = ...,
    n: Scalar | None = ...,
    delta: float = ...,
    names: Names = ...,
) -> ComparisonResult[float]: ...
@overload
def mcnemar(
    only_a_wrong: ArrayLike,
    only_b_wrong: ArrayLike | None = ...,
    *,
    method: str = ...,
    n: ArrayLike | None = ...,
    delta: float = ...,
    names: Names = ...,
) -> ComparisonResult[FloatArray]: ...
@comparison(
    name="McNemar",
    place=0,
    takes="counts",
    equations="Lecture notes, z of McNemar; Fagerland et al. 2013",
    guarantee=GUARANTEES,
    elsewhere={"unconditional": COMPARISONS["mcnemar-unconditional"]},
)
def mcnemar(
    only_a_wrong: ArrayLike,
    only_b_wrong: ArrayLike | None = None,
    *,
    method: str = "exact",
    n: ArrayLike | None = None,
    delta: float = 0.05,
    names: Names = A_AND_B,
) -> ComparisonResult:
    r"""McNemar's test for two classifiers on the same test set.

    Given :math:`m = n_{01} + n_{10}` discordant examples, equal error rates mean :math:`n_{01} \sim
    \mathrm{Bin}(m, 1/2)`. Without discordant examples p is 1.

    Parameters
    ----------
    only_a_wrong : int, array_like or labelled table
        Number of examples that A gets wrong and B right, :math:`n_{01}`. It broadcasts with
        `only_b_wrong`. Alternatively, as the only argument, a table with two rows for A and two
        columns for B, both labelled "right" and "wrong", such as a DataFrame. A table without
        labels is refused, because libraries differ in the order of its cells.
    only_b_wrong : int or array_like
        Number of examples that A gets right and B wrong, :math:`n_{10}`.
    method : {"exact", "mid-p", "chi2", "chi2-corrected", "z", "unconditional"}
        "exact": the binomial tail; its type I error never exceeds the level. "mid-p": outcomes as
        extreme as the observed one count half (1 minus half their probability if n01 = n10 > 0).
        "z": the lecture's :math:`|n_{01} - n_{10}| / \sqrt m`; "chi2" is its square;
        "chi2-corrected" first subtracts 1 from the difference, but not below 0. "unconditional":
        Suissa and Shuster's exact test, which also keeps its level and is more powerful; see
        `suissa_shuster`.
    n : int or array_like, optional
        Number of all examples, including those on which A and B agree. The unconditional test needs
        it; the other tests don't accept it.

    Returns
    -------
    ComparisonResult
        `statistic` is min(n01, n10) for "exact" and "mid-p". `estimate` and `interval` are about
        :math:`(n_{01} - n_{10}) / m`, the difference among the discordant examples; the interval is
        Clopper-Pearson's, mid-p or Wilson's, depending on the test. `paired_difference` has the
        interval over all examples, and so has "unconditional", whose `statistic` is z. If n01 =
        n10, the mid-p value is below 1, and at a larger level (0.75 or more) there is no interval.

    Raises
    ------
    ValueError
        If a count is negative or not whole, a table lacks the labels, the method is unknown, shapes
        don't broadcast, or `n` is below the sum of the counts, missing for "unconditional", or
        given for another method.
    TypeError
        If an argument is not a number.

    References
    ----------
    McNemar, Psychometrika 12 (1947); Dietterich, Neural Computation 10 (1998); Fagerland,
    Lydersen and Laake, BMC Medical Research Methodology 13:91 (2013), for mid-p.

    Examples
    --------
    >>> result = mcnemar(only_a_wrong=1, only_b_wrong=6)
    >>> result.pvalue
    0.125
    >>> round(mcnemar(1, 6, method="mid-p").pvalue, 4), mcnemar(0, 0).pvalue
    (0.0703, 1.0)
    >>> round(mcnemar(1, 6, method="unconditional", n=100).pvalue, 4)
    0.0713
    >>> mcnemar(25, 2)
    Only A is wrong on 25 examples, only B on 2: the difference among the examples on which they
    disagree is 0.852, 95% interval 0.514 to 0.982. B is better at level 0.05 (McNemar, exact, p <
    0.0001; guarantee: exact).
    """
    if only_b_wrong is None:
        only_a_wrong, only_b_wrong = of_labelled(only_a_wrong)
    _refuse_labels(only_a_wrong, only_b_wrong)
    a, b = checks.same_shape(
        only_a_wrong=checks.count(only_a_wrong, "only_a_wrong", 0).astype(float),
        only_b_wrong=checks.count(only_b_wrong, "only_b_wrong", 0).astype(float),
    )
    if method == "unconditional":
        return _unconditional(a, b, n)
    if n is not None:
        raise ValueError(
            f"n must be left out for the {method} test, which uses only discordant examples, "
            f'got {checks.show(n)}; method="unconditional" needs it'
        )
    # only discordant examples matter: the others say nothing about a difference
    test, upper = METHODS[method]
    return ComparisonResult(
        *test(a, b),
        (a - b) / np.maximum(a + b, 1),
        partial(_limits, upper, a, b),
        quantity="difference among the examples on which they disagree",
        counts=counts_of(a, b),
    )


def _limits(upper: Upper, a: FloatArray, b: FloatArray, *, delta: float) -> Interval[FloatArray]:
    """Return the interval of 2 q - 1; q is the rate of A's errors among discordant examples."""
    # q is the proportion of m examples, so inverting a test of q gives the interval
    return Interval(1 - 2 * upper(b, a, delta / 2), 2 * upper(a, b, delta / 2) - 1)


def _refuse_labels(only_a_wrong: ArrayLike, only_b_wrong: ArrayLike) -> None:
    """Refuse columns of labels, which would be read as counts of one test per example."""
    first, second = (
        checks.raw(column, name)
        for name, column in (("only_a_wrong", only_a_wrong), ("only_b_wrong", only_b_wrong))
    )
    columns = first.shape == second.shape and first.ndim == 1 and len(first) >= _LABELS
    if columns and max(first.max(), second.max()) <= 1:
        raise ValueError(
            "only_a_wrong and only_b_wrong must be counts, got columns of labels; take "
            "report(y_true, pred_a, pred_b), or mcnemar(table[0, 1], table[1, 0]) with "
            "table = mcnemar_table(y_true, pred_a, pred_b)"
        )


def _unconditional(a: FloatArray, b: FloatArray, n: ArrayLike | None) -> ComparisonResult:
    """Check the number of all examples, which the unconditional test needs, and return the test."""
    if n is None:
        raise ValueError(
            "n must be given for the unconditional test, got None: it is the number of all "
            "examples, "
            'including those on which A and B agree; without it take method="exact"'
        )
    a, b, cases = checks.same_shape(only_a_wrong=a, only_b_wrong=b, n=checks.count(n).astype(float))
    for row in np.flatnonzero(a + b > cases)[:1]:
        raise ValueError(
            f"n must be at least only_a_wrong + only_b_wrong = {(a + b).flat[row]:.0f}, got "
            f"{cases.flat[row]:.0f}"
        )
    return unconditional(a, b, cases)
