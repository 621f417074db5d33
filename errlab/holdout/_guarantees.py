"""The guarantees of a fresh test set: its size, the gap, and both for k models at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from errlab import bounds
from errlab._core import checks
from errlab._core.checks import FloatOrArray, IntArray
from errlab._core.public import public
from errlab._core.spoken import Spoken
from errlab._numerics.roots import first_size
from errlab.losses import risk

_ONE_BY_ONE = 64  # sample_size_for tries every n up to this one
_LARGEST = 2**50  # above this, n * mean is inexact in floating point


class _Moments(NamedTuple):
    mean: float
    variance: float
    worst: float


@public
def gap_bound(n: ArrayLike, *, delta: ArrayLike = 0.05, models: ArrayLike = 1) -> FloatOrArray:
    r"""Return Hoeffding's bound on the generalization gap of k models at once.

    With probability at least :math:`1 - \delta` over the test set,

    .. math:: \max_{t \le k} |R(f_t) - R_S(f_t)| \le \sqrt{\frac{\log(2k/\delta)}{2n}}

    for models that do not depend on the test set, and any loss in [0, 1].

    Parameters
    ----------
    n : int or array_like
        Number of test examples, at least 1.
    delta : float or array_like
        Probability that the bound may fail, in (0, 1).
    models : int or array_like
        Number of models, fixed before the test, at least 1.

    Returns
    -------
    float or ndarray
        The bound, at most 1.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range or the shapes do not broadcast.

    References
    ----------
    Hardt, holdout chapter, both propositions.

    Examples
    --------
    >>> round(gap_bound(10_000), 4)
    0.0136
    >>> round(gap_bound(10_000, models=1000), 4)
    0.023
    """
    k, size, level = checks.same_shape(
        models=checks.count(models, "models"), n=checks.count(n), delta=checks.delta(delta)
    )
    return checks.plain(np.minimum(np.sqrt(np.log(2 * k / level) / (2 * size)), 1.0))


@public
def sample_size(
    epsilon: ArrayLike, *, delta: ArrayLike = 0.05, models: ArrayLike = 1
) -> int | IntArray:
    r"""Return the smallest test set that makes `gap_bound` at most `epsilon`.

    .. math:: n = \left\lceil \frac{\log(2k/\delta)}{2 \epsilon^2} \right\rceil

    Parameters
    ----------
    epsilon : float or array_like
        Largest gap to allow, in (0, 1).
    delta : float or array_like
        Probability that the gap may be larger, in (0, 1).
    models : int or array_like
        Number of models, fixed before the test, at least 1.

    Returns
    -------
    int or ndarray of int
        The number of test examples.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range or the shapes do not broadcast.

    References
    ----------
    Hardt, holdout chapter, both propositions.

    Examples
    --------
    >>> sample_size(0.01)
    18445
    >>> sample_size(0.01, models=1000)
    52984
    """
    k, width, level = checks.same_shape(
        models=checks.count(models, "models"),
        epsilon=checks.within(epsilon, "epsilon", 0, 1, open_low=True, open_high=True),
        delta=checks.delta(delta),
    )
    # Solve Hoeffding's inequality with a union bound over k models: 2 k exp(-2 n width^2) = level.
    evidence = np.log(2 * k / level)
    twice = 2 * width**2  # underflows to 0 if the width is tiny
    fits = (evidence <= twice * checks.EXACT).all()
    checks.require(fits, "epsilon", "not need more than 2**53 examples", width.min())
    n = np.maximum(np.ceil(evidence / twice * (1 - 4e-16)), 1).astype(np.int64)
    n += gap_bound(n, delta=level, models=k) > width  # rounding can make n one too small
    if n.ndim:
        return n
    return int(n)


@public
def failure_probability(n: ArrayLike, epsilon: ArrayLike, *, models: ArrayLike = 1) -> FloatOrArray:
    r"""Return Hoeffding's bound on the probability of a gap above `epsilon`.

    .. math:: \delta = \min\{1, 2k e^{-2 n \epsilon^2}\}

    Parameters
    ----------
    n : int or array_like
        Number of test examples, at least 1.
    epsilon : float or array_like
        The gap, in [0, 1].
    models : int or array_like
        Number of models, fixed before the test, at least 1.

    Returns
    -------
    float or ndarray
        The probability, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range or the shapes do not broadcast.

    Examples
    --------
    >>> round(failure_probability(10_000, 0.01), 4)
    0.2707
    """
    k, size, width = checks.same_shape(
        models=checks.count(models, "models"),
        n=checks.count(n),
        epsilon=checks.mean(epsilon, "epsilon"),
    )
    return checks.plain(np.minimum(2 * k * np.exp(-2 * size * width**2), 1.0))


@public
def gap_coverage(error: ArrayLike, n: ArrayLike, epsilon: ArrayLike) -> FloatOrArray:
    r"""Return the exact probability that a 0/1 test error lies within `epsilon` of the true error.

    :math:`P(|K/n - R| \le \epsilon)` with K binomial; it shows what a rule such as "n =
    1/epsilon^2" achieves.

    Parameters
    ----------
    error : float or array_like
        The true error, in [0, 1].
    n : int or array_like
        Number of test examples, at least 1.
    epsilon : float or array_like
        The gap, in [0, 1].

    Returns
    -------
    float or ndarray
        The probability.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range or the shapes do not broadcast.

    Examples
    --------
    >>> round(gap_coverage(0.5, 10_000, 0.01), 4)
    0.9556
    """
    p, size, width = checks.same_shape(
        error=checks.mean(error, "error"),
        n=checks.count(n),
        epsilon=checks.mean(epsilon, "epsilon"),
    )
    # a whole number of errors at an end belongs to the interval, despite rounding
    slack = 1e-12 * size
    first = np.ceil(size * (p - width) - slack)
    last = np.floor(size * (p + width) + slack)
    binomial = scipy.stats.binom(size, p)
    return checks.plain(binomial.cdf(last) - binomial.cdf(first - 1))


@public
def risk_moments(losses: ArrayLike, probabilities: ArrayLike, n: int) -> Moments:
    r"""Return the exact mean and variance of the empirical risk on n independent examples.

    .. math:: E R_S = R, \qquad \mathrm{var}\, R_S = \frac{\mathrm{var}\, \ell}{n}
              \le \frac{R(1 - R)}{n} \le \frac{1}{4n}

    Parameters
    ----------
    losses : array_like, shape (m,)
        Losses in [0, 1], one for each possible example.
    probabilities : array_like, shape (m,)
        The probability of each example, summing to 1.
    n : int
        Number of test examples, at least 1.

    Returns
    -------
    Moments
        ``(mean, variance, worst)``, with ``worst = 1/(4n)``.

    Raises
    ------
    ValueError, TypeError
        If the lengths differ or the probabilities do not sum to 1.

    Examples
    --------
    >>> risk_moments([0, 1], [0.5, 0.5], 100)
    Moments(mean=0.5, variance=0.0025, worst=0.0025)
    """
    size = checks.one_count(n)
    mean = risk(losses, probabilities)
    spread = risk((checks.losses(losses) - mean) ** 2, probabilities)
    return Moments(mean, spread / size, 1 / (4 * size))


@public
def sample_size_for(
    key: str,
    *,
    epsilon: float | None = None,
    target: float | None = None,
    mean: float,
    delta: float = 0.05,
) -> int:
    r"""Return the smallest test set with which bound `key` reaches a width or a level.

    The mean loss is the one that you expect, and stays fixed while `n` grows. The count ``n *
    mean`` isn't rounded to a whole number (Clopper-Pearson uses the beta quantile), because
    rounding would make the bound jump up and down with `n`. So every bound falls as `n` grows, or
    stays below the mean (some do if `delta` is above 1/2). A few bounds don't fall at the smallest
    `n`, so these are tried one by one. The variance is the largest possible one, ``mean * (1 -
    mean)``.

    Parameters
    ----------
    key : str
        Short name of the bound, a key of `errlab.bounds.BOUNDS`; not one that needs the losses.
    epsilon : float, optional
        Largest width, bound minus mean, above 0. Give either this or `target`.
    target : float, optional
        Largest bound, in (mean, 1].
    mean : float
        Mean loss that you expect on the test set, in [0, 1].
    delta : float
        Probability that the bound may fail, in (0, 1).

    Returns
    -------
    int
        The smallest `n` of at least 1 that achieves this.

    Raises
    ------
    ValueError, TypeError
        If not exactly one of `epsilon` and `target` is given, an argument is out of range, the
        bound needs the losses themselves, or 2**50 examples are not enough.

    Examples
    --------
    >>> sample_size_for("HOE", epsilon=0.05, mean=0.1)
    600
    >>> sample_size_for("CP", target=0.05, mean=0.03)
    343
    """
    expected = checks.one_mean(mean)
    failure = checks.one_delta(delta)
    if epsilon is not None and target is not None:
        raise ValueError("give either epsilon or target, got both")
    if epsilon is not None:
        level = expected + float(checks.within(epsilon, "epsilon", 1 / checks.LARGE, ndim=0))
    elif target is not None:
        level = checks.one_mean(target, "target")
        above = level > expected or level == 1
        checks.require(above, "target", f"be above mean = {expected:g}", level)
    else:
        raise ValueError("give either epsilon or target, got neither")
    if bounds.BOUNDS[key].needs == "losses":
        raise ValueError(f"bound {key!r} needs the losses themselves, not only their expected mean")

    def reached(n: int | IntArray) -> NDArray[np.bool_]:
        return bounds.upper(key, expected, n, delta=failure) <= level

    # Some bounds are not monotone for small n, so try every size.
    small = np.flatnonzero(reached(np.arange(1, _ONE_BY_ONE + 1)))
    if small.size:
        return int(small[0]) + 1
    size = first_size(reached, _ONE_BY_ONE, _LARGEST)
    if size is None:
        raise ValueError(f"bound {key!r} does not reach {level:g} with {_LARGEST} examples")
    return size


class Moments(_Moments, Spoken):
    """Mean and variance of the empirical risk, and the largest variance possible, 1/(4n)."""

    def claim(self) -> str:
        """Return the result in a sentence."""
        return (
            f"The empirical risk has mean {self.mean:.4g} and variance {self.variance:.4g}; "
            f"no risk has more than {self.worst:.4g} (exact, for independent draws)."
        )
