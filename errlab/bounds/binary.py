"""Bounds for binary losses: the survey's three, in its order, then two that it does not have."""

from __future__ import annotations

import numpy as np

from errlab._core.checks import FloatArray
from errlab._numerics.beta import beta_quantile
from errlab._numerics.roots import Share, normal_quantile, root_above
from errlab.bounds._bound import Measured, bound

__all__ = ["agresti_coull", "clopper_pearson", "jeffreys", "normal", "wilson"]


@bound(
    key="NOR", name="Normal approximation", place=0, equations="16", loss="binary", rigorous=False
)
def normal(sample: Measured, delta: FloatArray) -> Share:
    r"""Normal approximation with the sample variance (Wald).

    .. math:: L \le \hat L_n + z_{1-\delta} \sqrt{\hat L_n (1 - \hat L_n) / n}

    It claims an error of exactly zero after a test without errors.

    References
    ----------
    Anguita et al., survey, Eq. 16.

    Examples
    --------
    >>> round(normal(7 / 200, 200), 4)
    0.0564
    """
    variance = sample.mean * sample.rest  # Eq. 14
    return sample.above(normal_quantile(delta) * np.sqrt(variance / sample.n))  # Eq. 16


@bound(key="WIL", name="Wilson score", place=1, equations="19-22", loss="binary", rigorous=False)
def wilson(sample: Measured, delta: FloatArray) -> Share:
    r"""Wilson score bound: the normal approximation with the true variance.

    Solves :math:`(L - \hat L_n) / \sqrt{L(1-L)/n} \le z_{1-\delta}` for :math:`L`: the largest
    root of a quadratic, or the smallest where :math:`z_{1-\delta}` is negative. The printed
    Eq. 22 lacks a factor :math:`z`; Eq. 19 is right.

    References
    ----------
    Anguita et al., survey, Eqs. 18 and 19.

    Examples
    --------
    >>> round(wilson(7 / 200, 200), 4)
    0.0633
    """
    z = normal_quantile(delta)
    a = z**2 / sample.n  # Eq. 21
    # Beyond delta = 1/2 the bound is below the mean: the other root, the largest for 1 - loss.
    largest = root_above(sample.above(0), a)
    smallest = root_above(sample.mirrored.above(0), a).mirrored
    return Share(*(np.where(z >= 0, *both) for both in zip(largest, smallest, strict=True)))


@bound(key="CP", name="Clopper-Pearson", place=2, equations="23-26", loss="binary", rigorous=True)
def clopper_pearson(sample: Measured, delta: FloatArray) -> Share:
    r"""Clopper-Pearson bound: the binomial tail, inverted exactly.

    The largest :math:`L` with :math:`P(\mathrm{Bin}(n, L) \le n \hat L_n) \ge \delta`, which is
    the :math:`1-\delta` quantile of the beta distribution with parameters
    :math:`n \hat L_n + 1` and :math:`n - n \hat L_n`. The quantile also serves a count that is
    not whole, as the survey's figures need.

    References
    ----------
    Anguita et al., survey, Eqs. 23 to 26; Clopper and Pearson, Biometrika 26 (1934).

    Examples
    --------
    >>> round(clopper_pearson(7 / 200, 200), 4)
    0.0647
    >>> round(clopper_pearson(0, 100), 4)  # the "rule of three"
    0.0295
    """
    # Where every loss is 1 no error is ruled out, and there is no such beta distribution.
    some = sample.right > 0
    right = np.where(some, sample.right, 1.0)
    return beta_quantile(right, sample.errors + 1, delta).mirrored.or_one(some)  # Eq. 25


@bound(
    key="AC",
    name="Agresti-Coull",
    place=10,
    look=3,
    equations="Agresti-Coull 1998",
    loss="binary",
    rigorous=False,
)
def agresti_coull(sample: Measured, delta: FloatArray) -> Share:
    r"""Agresti-Coull bound: Wald after adding z^2/2 errors and z^2/2 successes.

    .. math:: L \le \tilde p + z_{1-\delta} \sqrt{\tilde p (1 - \tilde p) / \tilde n}, \quad
              \tilde n = n + z^2, \; \tilde p = (n \hat L_n + z^2/2) / \tilde n

    References
    ----------
    Agresti and Coull, The American Statistician 52 (1998), 119-126.

    Examples
    --------
    >>> round(agresti_coull(7 / 200, 200), 4)
    0.0642
    """
    z = normal_quantile(delta)
    # z^2 cases are added, half of them errors.
    total = sample.n + z**2
    centre = (sample.errors + z**2 / 2) / total
    rest = (sample.right + z**2 / 2) / total
    distance = z * np.sqrt(centre * rest / total)
    return Share(centre + distance, rest - distance)


@bound(
    key="JEF",
    name="Jeffreys",
    place=11,
    look=4,
    equations="Brown et al. 2001",
    loss="binary",
    rigorous=False,
)
def jeffreys(sample: Measured, delta: FloatArray) -> Share:
    r"""Jeffreys bound: the posterior quantile under the Beta(1/2, 1/2) prior.

    The :math:`1-\delta` quantile of the beta distribution with parameters
    :math:`n \hat L_n + 1/2` and :math:`n - n \hat L_n + 1/2`, unmodified at the ends.

    References
    ----------
    Brown, Cai and DasGupta, Statistical Science 16 (2001), 101-133.

    Examples
    --------
    >>> round(jeffreys(7 / 200, 200), 4)
    0.0616
    """
    return beta_quantile(sample.right + 0.5, sample.errors + 0.5, delta).mirrored
