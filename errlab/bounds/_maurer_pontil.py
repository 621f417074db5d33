"""The bound of Maurer and Pontil (survey, Eq. 41)."""

import numpy as np

from errlab.bounds._bound import FloatArray, Measured, Probability, bound


@bound(key="MAU", name="Maurer-Pontil", place=6, equations="41", rigorous=True, needs="var")
def maurer_pontil(sample: Measured, delta: FloatArray) -> Probability:
    r"""Maurer-Pontil bound: Bernstein with the sample variance, "empirical Bernstein".

    .. math:: L \le \hat L_n + \sqrt{\frac{2 s_u^2 \log(2/\delta)}{n}}
              + \frac{7 \log(2/\delta)}{3(n-1)}

    The theorem is about the unbiased variance :math:`s_u^2 = n s^2 / (n-1)`; the survey prints
    the 1/n variance :math:`s^2`. `var` is :math:`s^2`, as everywhere, and is converted here. A
    single case has no sample variance: its bound is 1.

    References
    ----------
    Anguita et al., survey, Eq. 41; Maurer and Pontil, COLT 2009, Theorem 4.

    Examples
    --------
    >>> round(maurer_pontil(7 / 200, 200), 4)
    0.1136
    """
    n = sample.n
    level = np.log(2) - np.log(delta)  # 2/delta may overflow
    # Eq. 41, with s^2/(n - 1) = s_u^2/n
    distance = np.sqrt(2 * sample.var * level / (n - 1)) + 7 * level / (3 * (n - 1))
    return sample.above(distance)
