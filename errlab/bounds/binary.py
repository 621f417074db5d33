"""Bounds for binary losses, in the order of the survey's Section 2, then what we add."""

from __future__ import annotations

import numpy as np
from scipy import special

from errlab._checks import FloatArray
from errlab.bounds._bound import bound
from errlab.losses import Sample


def _z(delta: FloatArray) -> FloatArray:
    """Quantile 1 - delta of the standard normal, exact for the smallest delta too."""
    return -special.ndtri(delta)


def _errors(sample: Sample) -> FloatArray:
    """Number of errors n * mean, with the rounding of mean = k/n undone."""
    k = sample.n * sample.mean
    nearest = np.rint(k)
    return np.where(np.abs(k - nearest) <= 1e-12 * np.maximum(k, 1), nearest, k)


@bound(key="NOR", name="Normal approximation", equations="16", loss="binary", rigorous=False)
def normal(sample: Sample, delta: FloatArray) -> FloatArray:
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
    variance = sample.mean * (1 - sample.mean)  # Eq. 14
    return sample.mean + _z(delta) * np.sqrt(variance / sample.n)  # Eq. 16


@bound(key="WIL", name="Wilson score", equations="19-22", loss="binary", rigorous=False)
def wilson(sample: Sample, delta: FloatArray) -> FloatArray:
    r"""Wilson score bound: the normal approximation with the true variance.

    Solves :math:`(L - \hat L_n) / \sqrt{L(1-L)/n} \le z_{1-\delta}` for :math:`L`. The printed
    Eq. 22 lacks a factor :math:`z`; Eq. 19 is right and stands here.

    References
    ----------
    Anguita et al., survey, Eqs. 18 and 19.

    Examples
    --------
    >>> round(wilson(7 / 200, 200), 4)
    0.0633
    """
    m, n, z = sample.mean, sample.n, _z(delta)
    spread = z * np.sqrt(z**2 / (4 * n**2) + m * (1 - m) / n)
    return (m + z**2 / (2 * n) + spread) / (1 + z**2 / n)  # Eq. 19


@bound(key="CP", name="Clopper-Pearson", equations="23-26", loss="binary", rigorous=True)
def clopper_pearson(sample: Sample, delta: FloatArray) -> FloatArray:
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
    k = _errors(sample)
    inside = k < sample.n
    b = np.where(inside, sample.n - k, 1.0)
    return np.where(inside, special.betainccinv(k + 1, b, delta), 1.0)  # Eq. 25


@bound(
    key="AC", name="Agresti-Coull", equations="Agresti-Coull 1998", loss="binary", rigorous=False
)
def agresti_coull(sample: Sample, delta: FloatArray) -> FloatArray:
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
    z = _z(delta)
    total = sample.n + z**2
    centre = (sample.n * sample.mean + z**2 / 2) / total
    return centre + z * np.sqrt(centre * (1 - centre) / total)


@bound(key="JEF", name="Jeffreys", equations="Brown et al. 2001", loss="binary", rigorous=False)
def jeffreys(sample: Sample, delta: FloatArray) -> FloatArray:
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
    k = _errors(sample)
    return np.asarray(special.betainccinv(k + 0.5, sample.n - k + 0.5, delta))
