"""Power of the t and F tests over folds, from the distributions of normal differences."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
from scipy import special

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.public import public, renamed
from errlab.compare.five_by_two_cv import f_quantile
from errlab.compare.student import t_quantile

_LARGEST = 1e100  # a larger standardized difference has no other power


@public
def paired_t_power(
    difference: float,
    sd: float,
    n: int,
    *,
    n_train: int | None = None,
    n_test: int | None = None,
    delta: float = 0.05,
) -> float:
    """Power of the paired t tests for normal differences, from the noncentral t.

    With `n_train` and `n_test` it is that of `corrected_resampled_t`, where differences correlate
    as that test supposes; otherwise that of `paired_t` and `kfold_paired_t` on independent ones.

    Parameters
    ----------
    difference : float
        Expected difference.
    sd : float
        Standard deviation of one difference, above 0.
    n : int
        Number of differences, at least 2.
    n_train, n_test : int, optional
        Sizes of the parts of a split, both or neither.
    delta : float
        Level of the test.

    Returns
    -------
    float
        Probability that p is at most `delta`.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    References
    ----------
    Nadeau and Bengio, Machine Learning 52 (2003), 239-281.

    Examples
    --------
    >>> round(paired_t_power(0.02, 0.03, 10), 3)
    0.469
    """
    effect = _effect(difference, sd)
    size = checks.one_count(n, "n", 2)
    level = checks.one_delta(delta)
    if (n_train is None) != (n_test is None):
        raise ValueError("give n_train and n_test both, or neither")
    factor = 1 / size
    if n_train is not None and n_test is not None:
        extra = checks.one_count(n_test, "n_test") / checks.one_count(n_train, "n_train")
        # s^2 estimates sd^2 (1 - rho), and the mean has variance (1/n + extra) times that
        effect *= math.sqrt(1 + extra)
        factor += extra
    shift = min(effect / math.sqrt(factor), _LARGEST)
    return t_power(size - 1, shift, t_quantile(size - 1, level))


@renamed(test="method")
@public
def five_by_two_power(
    difference: float, sd: float, *, method: str = "F", delta: float = 0.05
) -> float:
    r"""Exact power of the 5x2 cv tests for ten independent normal differences.

    In each repetition the sum and the difference of the two folds are independent then. For F

    .. math:: f = \tfrac12 + \tfrac12 F', \quad F' \sim F_{5,5}(10\, d^2 / \sigma^2),

    while the test compares f with :math:`F_{10,5}`; for t the sum is integrated over.

    Parameters
    ----------
    difference : float
        Expected difference.
    sd : float
        Standard deviation of one difference, above 0.
    method : {"F", "t"}
        `five_by_two_cv_f` or `five_by_two_cv_t`.
    delta : float
        Level of the test.

    Returns
    -------
    float
        Probability that p is at most `delta`. Without a difference it is not `delta`: both tests
        take as independent what is not, and keep well below their level in this ideal case.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    References
    ----------
    Dietterich, Neural Computation 10 (1998); Alpaydin, Neural Computation 11 (1999).

    Examples
    --------
    >>> round(five_by_two_power(0.04, 0.03), 2), round(five_by_two_power(0.04, 0.03, method="t"), 2)
    (0.26, 0.19)
    """
    effect = _effect(difference, sd)
    level = checks.one_delta(delta)
    if checks.choice(method, "method", ("F", "t")) == "t":
        return _first_fold_power(effect, t_quantile(5, level))
    return _f_power(effect, 2 * f_quantile(level) - 1)


def t_power(df: int, shift: float, bound: float) -> float:
    r"""P(|T| >= bound) for the noncentral t, T = (Z + shift) / S, to 12 digits.

    Z is standard normal and S^2 a chi-squared over its df. One of the two is integrated over:
    that which varies less, so that the distribution function of the other is smooth. (scipy's
    ``nct`` returns nan for about half of all shifts from 8 to 40.)
    """
    if bound > math.sqrt(2 * df):

        def inside(z: FloatArray) -> FloatArray:  # P(S <= |z + shift| / bound)
            s = np.abs(z + shift) / bound
            return np.asarray(special.gammainc(df / 2, df / 2 * np.minimum(s, _LARGEST) ** 2))

        return _normal_mean(inside, [-10.0, float(np.clip(-shift, -10, 10)), 10.0])
    low = math.sqrt(2 / df * special.gammaincinv(df / 2, 1e-25))
    high = math.sqrt(2 / df * special.gammainccinv(df / 2, 1e-25))
    s, weight = _panels([low, high], 60)
    density = (df - 1) * np.log(s / high) - df / 2 * (s**2 - high**2)
    weight = weight * np.exp(density - density.max())
    found = special.ndtr(shift - bound * s) + special.ndtr(-shift - bound * s)
    return float(min(weight @ found / weight.sum(), 1.0))


def _f_power(effect: float, bound: float) -> float:
    """P(U >= bound V), U a noncentral chi-squared and V a central one, each with 5 df."""
    if bound <= 0:
        return 1.0
    noncentrality = 10 * effect**2
    if noncentrality > 1e6:  # U is (z + shift)^2 and 4 more, but for 1e-12 of itself
        shift = math.sqrt(noncentrality)

        def inside(z: FloatArray) -> FloatArray:  # P(V <= U / bound)
            return np.asarray(special.gammainc(2.5, ((z + shift) ** 2 + 4) / bound / 2))

        return _normal_mean(inside, [-10.0, 10.0])
    centre = noncentrality / 2  # U has 2 J more degrees of freedom, with J ~ Poisson(centre)
    reach = 12 * math.sqrt(centre) + 40
    j = np.arange(max(0, math.floor(centre - reach)), math.ceil(centre + reach) + 1)
    weight = np.exp(special.xlogy(j, centre) - centre - special.gammaln(j + 1))
    found = special.betainc(2.5, 2.5 + j, 1 / (1 + bound))
    return float(min(weight @ found / weight.sum(), 1.0))


def _first_fold_power(effect: float, bound: float) -> float:
    r"""P(|p_1| >= bound * sqrt(sum s_i^2 / 5)) for the first of ten differences p_1.

    With u and v the sum and the difference of the first two over sqrt 2, p_1 = (u + v) / sqrt 2
    and s_1 = |v|. Of S^2 = sum s_i^2, chi-squared with 5 df, v is the part c S, where the
    cosine c has the density 3/4 (1 - c^2) and is independent of S. What is left is a noncentral t
    with 5 df for each c.
    """
    cosine, weight = np.polynomial.legendre.leggauss(60)
    weight = weight * (1 - cosine**2)
    edges = math.sqrt(5) * (math.sqrt(0.4) * bound - cosine)
    shift = math.sqrt(2) * effect
    # below 0 the two tails overlap: P(T >= -e) + P(T <= e) = 2 - P(|T| >= e)
    found = [t_power(5, shift, e) if e > 0 else 2 - t_power(5, shift, -e) for e in edges]
    return float(np.clip(weight @ found / weight.sum(), 0, 1))


def _effect(difference: float, sd: float) -> float:
    """Check a difference and its standard deviation; return the size of their ratio."""
    mean = float(checks.numbers(checks.scalar_only(difference, "difference"), "difference"))
    spread = float(checks.within(checks.scalar_only(sd, "sd"), "sd", 0, open_low=True))
    return min(abs(mean) / spread, _LARGEST)


def _panels(edges: list[float], count: int) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss-Legendre on so many panels between each two edges."""
    nodes, weights = np.polynomial.legendre.leggauss(16)
    starts = [np.linspace(a, b, count + 1) for a, b in itertools.pairwise(edges)]
    low = np.concatenate([s[:-1] for s in starts])[:, None]
    width = np.concatenate([np.diff(s) for s in starts])[:, None]
    return (low + width * (1 + nodes) / 2).ravel(), (width * weights / 2).ravel()


def _normal_mean(function: Callable[[FloatArray], FloatArray], edges: list[float]) -> float:
    """Mean of a function of a standard normal variable, smooth between the edges."""
    z, weight = _panels(edges, 20)
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    return float(np.clip((weight * density) @ function(z), 0, 1))
