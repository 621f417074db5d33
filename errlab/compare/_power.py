"""Size and power of tests on counts, by enumeration; sample sizes for any test."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray, IntArray
from errlab._core.public import public
from errlab._numerics.roots import first_size, first_whole, ratio
from errlab.compare._fay_lumbard import margin_pvalue
from errlab.compare._mcnemar import METHODS
from errlab.compare._score import BoolArray, Proportion
from errlab.compare._two_proportions import METHODS as TWO_SETS
from errlab.compare._two_proportions import rejects


@public
def mcnemar_size(
    discordant: ArrayLike, *, method: str = "exact", delta: float = 0.05
) -> FloatOrArray:
    """Return the exact type I error of McNemar's test, given the number of discordant examples.

    Parameters
    ----------
    discordant : int or array_like
        Number of examples on which A and B disagree.
    method : str
        As in `mcnemar`.
    delta : float
        Level of the test.

    Returns
    -------
    float or ndarray
        Probability that p is at most `delta` although A and B have the same error rate.

    Raises
    ------
    ValueError, TypeError
        If a count is negative or not whole, or the method is unknown.

    References
    ----------
    Fagerland, Lydersen and Laake, BMC Medical Research Methodology 13:91 (2013).

    Examples
    --------
    >>> round(mcnemar_size(8, method="z"), 4), round(mcnemar_size(8), 4)
    (0.0703, 0.0078)
    """
    m = checks.count(discordant, "discordant", 0)
    k = _largest_rejected(m, method, delta)
    return checks.plain(_rejection_probability(m, k, 0.5))


@public
def mcnemar_power(
    n: int, p01: ArrayLike, p10: ArrayLike, *, method: str = "exact", delta: float = 0.05
) -> FloatOrArray:
    r"""Return the exact power of McNemar's test on n examples; its type I error if p01 = p10.

    The number of discordant examples is Bin(n, p01 + p10), and A's errors among them are binomial;
    the power is a sum over both.

    Parameters
    ----------
    n : int
        Number of test examples.
    p01, p10 : float or array_like
        Probability that A alone is wrong, and that B alone is wrong; their sum is at most 1.
        They broadcast.
    method : str
        As in `mcnemar`.
    delta : float
        Level of the test.

    Returns
    -------
    float or ndarray
        Probability that p is at most `delta`; a float if both are single numbers.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    References
    ----------
    Fagerland, Lydersen and Laake, BMC Medical Research Methodology 13:91 (2013).

    Examples
    --------
    >>> round(mcnemar_power(500, 0.08, 0.04), 3)
    0.703
    >>> mcnemar_power(500, [0.06, 0.08], [0.06, 0.04]).round(3)
    array([0.037, 0.703])
    """
    size = checks.one_count(n)

    def power(apart: float, theta: float) -> float:
        m, probability = binomial(size, apart)
        return float(
            probability @ _rejection_probability(m, _largest_rejected(m, method, delta), theta)
        )

    powers = np.vectorize(power, otypes=[float])(*disagreement(p01, p10))
    return checks.plain(np.minimum(powers, 1.0))


@public
def margin_power(n: int, p01: float, p10: float, *, margin: float, delta: float = 0.05) -> float:
    r"""Return the exact probability of showing that B is not worse than A by more than a margin.

    This is shown if the lower end of Fay and Lumbard's interval, from `paired_difference` with
    ``method="exact"``, is at least ``-margin``. The probability is a sum over all tables.

    Parameters
    ----------
    n : int
        Number of test examples.
    p01, p10 : float
        Probability that A alone is wrong, and that B alone is wrong; their sum is at most 1.
    margin : float
        By how much B may be worse, in (0, 1).
    delta : float
        Level of the two-sided interval.

    Returns
    -------
    float
        The probability. If ``p10 - p01`` equals the margin, it is the probability of a wrong claim,
        at most about ``delta / 2``.

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
    apart, theta = map(float, disagreement(p01, p10))
    allowed = checks.one_delta(margin, "margin")
    level = checks.one_delta(delta)
    m, probability = binomial(size, apart)
    cases = np.array(float(size))

    def holds(x: IntArray) -> BoolArray:
        errors = x.astype(float)
        return margin_pvalue(errors, m - errors, cases, allowed) <= level

    # the smallest number of A's errors that is significant, or m + 1 if none is
    first = first_whole(holds, np.full(m.shape, -1), m + 1)
    return float(min(probability @ scipy.stats.binom.sf(first - 1, m, theta), 1.0))


@public
def power(
    n: int,
    p01: float,
    p10: float,
    *,
    margin: float | None = None,
    method: str = "exact",
    delta: float = 0.05,
) -> float:
    """Return the exact power of a comparison of A and B on the same n examples.

    Without a margin it is the power of McNemar's test (`mcnemar_power`): the probability of showing
    a difference. With a margin it is the probability of showing that B is not worse than A by more
    than the margin.

    Parameters
    ----------
    n : int
        Number of test examples.
    p01, p10 : float
        Probability that A alone is wrong, and that B alone is wrong; their sum is at most 1.
    margin : float, optional
        By how much B may be worse, in (0, 1).
    method : str
        As in `mcnemar`; with a margin only "exact".
    delta : float
        Level of the test, or of the two-sided interval.

    Returns
    -------
    float
        The power.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range, or a margin is given with a method other than "exact".

    Examples
    --------
    >>> round(power(500, 0.08, 0.04), 3), round(power(1000, 0.05, 0.05, margin=0.03), 3)
    (0.703, 0.822)
    """
    rates = checks.one_mean(p01, "p01"), checks.one_mean(p10, "p10")
    name = checks.choice(method, "method", METHODS)
    if margin is None:
        return float(mcnemar_power(n, *rates, method=name, delta=delta))
    checks.require(name == "exact", "method", "be 'exact' with a margin", name)
    return margin_power(n, *rates, margin=margin, delta=delta)


@public
def two_proportions_power(
    p_a: float, n_a: int, p_b: float, n_b: int, *, method: str = "newcombe", delta: float = 0.05
) -> float:
    """Return the exact power of `two_proportions`; its type I error if p_a = p_b.

    The power is a sum over all pairs of error counts.

    Parameters
    ----------
    p_a, n_a : float, int
        True error rate of A and size of its test set.
    p_b, n_b : float, int
        True error rate of B and size of its test set.
    method : str
        As in `two_proportions`.
    delta : float
        Level of the test.

    Returns
    -------
    float
        Probability that the difference is significant.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    References
    ----------
    Newcombe, Statistics in Medicine 17 (1998), 873-890.

    Examples
    --------
    >>> round(two_proportions_power(0.17, 1286, 0.20, 1286), 3)
    0.5
    """
    name = checks.choice(method, "method", TWO_SETS)
    level = checks.one_delta(delta)
    rate_a, rate_b = checks.one_mean(p_a, "p_a"), checks.one_mean(p_b, "p_b")
    size_a, size_b = checks.one_count(n_a, "n_a"), checks.one_count(n_b, "n_b")
    errors_a, chance_a = binomial(size_a, rate_a)
    errors_b, chance_b = binomial(size_b, rate_b)
    # all pairs: errors of A x errors of B
    a = Proportion(errors_a[:, None] / size_a, size_a)
    b = Proportion(errors_b / size_b, size_b)
    return float(np.minimum(chance_a @ rejects(name, a, b, level) @ chance_b, 1.0))


@public
def sample_size(
    power_at: Callable[[int], FloatOrArray], *, power: float = 0.8, start: int = 2
) -> int:
    """Return the smallest sample size at which a test reaches the power.

    The size reaches the power, and the next smaller size doesn't. The power of a test on counts is
    a saw-tooth curve, so an even smaller size may reach the power by chance.

    Parameters
    ----------
    power_at : callable
        Power as a function of the sample size, such as
        ``lambda n: mcnemar_power(n, 0.08, 0.04)``.
    power : float
        Desired power, in (0, 1).
    start : int
        Smallest size considered.

    Returns
    -------
    int
        The sample size, at least `start`.

    Raises
    ------
    ValueError
        If `power` leaves (0, 1), a million examples don't reach it, or `power_at` returns nan or a
        number outside of [0, 1].
    TypeError
        If `power_at` is not callable, or doesn't return a number.

    Examples
    --------
    >>> sample_size(lambda n: mcnemar_power(n, 0.08, 0.04))
    622
    """
    checks.function(power_at, "power_at")
    goal = checks.one_delta(power, "power")
    first = checks.one_count(start, "start")

    def reached(n: int) -> bool:
        return checks.one_mean(power_at(n), f"power_at({n})") >= goal

    size = first_size(reached, first, 2_000_000)
    if size is None:
        raise ValueError(f"power must be reached with a million examples, got {goal:g}")
    return size


def disagreement(p01: ArrayLike, p10: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Check the rates at which only A, and only B, is wrong; return their sum and A's fraction."""
    a, b = checks.same_shape(p01=checks.mean(p01, "p01"), p10=checks.mean(p10, "p10"))
    apart = a + b
    checks.require(apart.max(initial=0.0) <= 1, "p01 + p10", "be at most 1", apart.max())
    return apart, ratio(a, apart)


def binomial(n: int, p: float) -> tuple[IntArray, FloatArray]:
    """Return the counts of Bin(n, p) with non-negligible probability, and their probabilities."""
    # farther counts have a total probability of about 1e-15
    reach = 8 * np.sqrt(n * p * (1 - p)) + 20
    counts = np.arange(max(0, int(n * p - reach)), min(n, int(n * p + reach)) + 1)
    return counts, scipy.stats.binom.pmf(counts, n, p)


def _largest_rejected(m: IntArray, method: str, delta: float) -> IntArray:
    """Return the largest k with mcnemar(k, m - k) significant, or -1 if there is none."""
    test, _ = METHODS[checks.choice(method, "method", METHODS)]
    level = checks.one_delta(delta)

    def accepts(k: IntArray) -> BoolArray:
        fewer = np.maximum(k, 0).astype(float)  # k = -1 means that no k is significant
        return test(fewer, m - fewer)[1] > level

    return first_whole(accepts, np.full(m.shape, -1), m // 2 + 1) - 1


def _rejection_probability(m: IntArray, k: IntArray, share: float) -> FloatArray:
    """Return P(X <= k or X >= m - k) for X ~ Bin(m, share), with k < m / 2."""
    either: FloatArray = scipy.stats.binom.cdf(k, m, share) + scipy.stats.binom.cdf(k, m, 1 - share)
    return np.minimum(either, 1.0)
