"""The normal approximation (survey, Eq. 16)."""

import numpy as np

from errlab._numerics.roots import normal_quantile
from errlab.bounds._bound import FloatArray, Measured, Probability, bound


@bound(
    key="NOR", name="Normal approximation", place=0, equations="16", loss="binary", rigorous=False
)
def normal(sample: Measured, delta: FloatArray) -> Probability:
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
    variance = sample.mean * sample.complement  # Eq. 14
    return sample.above(normal_quantile(delta) * np.sqrt(variance / sample.n))  # Eq. 16
