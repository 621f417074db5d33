"""Bounds that the survey does not have: two for binary losses, two for losses in [0, 1]."""

from __future__ import annotations

import numpy as np

from errlab._checks import FloatArray
from errlab.bounds._bound import bound
from errlab.bounds.binary import beta_quantile, count_of_errors, normal_quantile
from errlab.losses import Sample


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
    z = normal_quantile(delta)
    total = sample.n + z**2
    centre = (sample.n * sample.mean + z**2 / 2) / total
    return np.asarray(centre + z * np.sqrt(centre * (1 - centre) / total))


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
    k = count_of_errors(sample)
    return beta_quantile(k + 0.5, sample.n - k + 0.5, delta)
