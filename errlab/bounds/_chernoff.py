"""Chernoff's bound (survey, Eq. 42)."""

import numpy as np

from errlab.bounds._bound import FloatArray, Measured, Probability, bound


@bound(key="CRF", name="Chernoff", place=7, equations="42", rigorous=True)
def chernoff(sample: Measured, delta: FloatArray) -> Probability:
    r"""Chernoff bound, multiplicative form.

    .. math:: L \le \hat L_n + \sqrt{\frac{2 \hat L_n \log(1/\delta)}{n}}
              + \frac{2 \log(1/\delta)}{n}

    References
    ----------
    Anguita et al., survey, Eq. 42.

    Examples
    --------
    >>> round(chernoff(7 / 200, 200), 4)
    0.0973
    """
    t = -np.log(delta) / sample.n
    return sample.above(np.sqrt(2 * sample.mean * t) + 2 * t)  # Eq. 42
