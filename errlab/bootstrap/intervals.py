"""Bootstrap intervals for the mean loss on a test set, exact where the losses are 0 and 1.

The mean of a bootstrap sample of 0/1 losses is a binomial count over n, so that the limit of
infinitely many resamples is a matter of quantiles. Losses between 0 and 1 are resampled, or, where
that would take seconds, the same limit comes from their characteristic function.
"""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, Seed
from errlab._core.interval import Interval
from errlab._core.public import public
from errlab._numerics.resampled_mean import WAIT, MeanLimit
from errlab._numerics.roots import normal_quantile
from errlab.bootstrap import _resample
from errlab.bootstrap._bca import acceleration, levels, quantiles, share_below

__all__ = ["bca_interval", "percentile_interval"]


def _binary(losses: FloatArray) -> bool:
    return bool(((losses == 0) | (losses == 1)).all())


def _binomial(n: int, p: float, low: float, high: float) -> Interval:
    """Smallest j with F(j) at least each level, over n."""
    ends = scipy.stats.binom.ppf([low, high], n, p) / n
    return Interval(float(ends[0]), float(ends[1]))


@public
def percentile_interval(
    losses: ArrayLike, *, delta: float = 0.05, resamples: int = 9999, rng: Seed = None
) -> Interval:
    r"""Percentile bootstrap interval for the mean loss.

    For 0/1 losses it is the limit of infinitely many resamples, at once and with no randomness:
    with F the distribution function of a binomial count of n trials and probability
    :math:`\hat L_n`, the ends are the smallest j with :math:`F(j) \ge \delta/2` and with
    :math:`F(j) \ge 1 - \delta/2`, over n. With no error, or errors only, it is a single point:
    the percentile bootstrap knows nothing beyond the sample.

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses in [0, 1]; booleans count as 0 and 1.
    delta : float
        Probability of failure that is aimed at, in (0, 1).
    resamples : int
        Number of bootstrap samples; not used for 0/1 losses. Above 20 million draws, cases times
        resamples, the limit of infinitely many takes their place.
    rng : seed, Generator or None
        Draws them, where they are drawn.

    Returns
    -------
    Interval
        ``(low, high)`` in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If a loss leaves [0, 1], or an option leaves its range.

    References
    ----------
    Efron & Tibshirani (1993), *An Introduction to the Bootstrap*, Chapter 13.

    Examples
    --------
    >>> percentile_interval(7 * [1] + 193 * [0])
    Interval(low=0.01, high=0.06)
    """
    values = checks.losses(losses)
    level = checks.one_delta(delta)
    size = checks.one_count(resamples, "resamples")
    generator = checks.generator(rng)
    if _binary(values):
        return _binomial(len(values), float(values.mean()), level / 2, 1 - level / 2)
    if len(values) * size > WAIT:
        return MeanLimit(values).interval(level / 2, 1 - level / 2)
    means = _resample.means(values, size, generator)
    return quantiles(means, np.array([level / 2, 1 - level / 2]))


@public
def bca_interval(
    losses: ArrayLike, *, delta: float = 0.05, resamples: int = 9999, rng: Seed = None
) -> Interval:
    r"""Bias-corrected and accelerated bootstrap interval (BCa) for the mean loss.

    The percentile levels are moved to

    .. math:: \Phi\left(z_0 + \frac{z_0 + z_\alpha}{1 - a (z_0 + z_\alpha)}\right)

    with :math:`z_0` from the share of resampled means below the mean and the acceleration from
    the jackknife. For 0/1 losses it is the exact limit of infinitely many resamples.

    Of the resampled means that equal the mean, half count as below it, as in SciPy. Eq. 14.14
    counts none of them, and so does R's package boot. For 0/1 losses, where ties are frequent,
    that moves the ends: with 7 errors in 200 from 3 and 14 errors to 2 and 12.

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses in [0, 1], not all equal.
    delta : float
        Probability of failure that is aimed at, in (0, 1).
    resamples : int
        Number of bootstrap samples; not used for 0/1 losses. Above 20 million draws, cases times
        resamples, the limit of infinitely many takes their place.
    rng : seed, Generator or None
        Draws them, where they are drawn.

    Returns
    -------
    Interval
        ``(low, high)`` in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If all losses are equal: neither the bias nor the acceleration is defined then. And if
        a loss leaves [0, 1], or an option leaves its range.

    References
    ----------
    Efron & Tibshirani (1993), *An Introduction to the Bootstrap*, Eqs. 14.9 to 14.15.

    Examples
    --------
    >>> bca_interval(7 * [1] + 193 * [0])
    Interval(low=0.015, high=0.07)
    """
    values = checks.losses(losses)
    level = checks.one_delta(delta)
    size = checks.one_count(resamples, "resamples")
    generator = checks.generator(rng)
    if (values == values[0]).all():
        raise ValueError(
            f"losses must not all be equal for BCa, got {len(values)} times {values[0]:g}; "
            "the bias and the acceleration are undefined, take a bound instead"
        )
    n = len(values)
    mean = float(values.mean())
    z = normal_quantile(level / 2) * np.array([-1, 1])
    a = acceleration(values - mean)
    if _binary(values):
        # All resamples at once: the number of errors in one is binomial.
        errors = round(n * mean)
        share = scipy.stats.binom.cdf([errors - 1, errors], n, mean).mean()
        return _binomial(n, mean, *levels(share, a, z))
    if n * size > WAIT:
        limit = MeanLimit(values)
        return limit.interval(*levels(limit.below(mean), a, z))
    resampled = _resample.means(values, size, generator)
    return quantiles(resampled, levels(share_below(resampled, mean), a, z))
