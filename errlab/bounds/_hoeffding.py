"""Hoeffding's bound (survey, Eqs. 47 and 48)."""

import numpy as np

from errlab.bounds._bound import FloatArray, Measured, Probability, bound


@bound(key="HOE", name="Hoeffding", place=9, equations="48", rigorous=True)
def hoeffding(sample: Measured, delta: FloatArray) -> Probability:
    r"""Hoeffding bound, in its usual form.

    .. math:: L \le \hat L_n + \sqrt{\frac{\log(1/\delta)}{2n}}

    References
    ----------
    Anguita et al., survey, Eqs. 47 and 48; Hoeffding, JASA 58 (1963), Theorem 1.

    Examples
    --------
    >>> round(hoeffding(7 / 200, 200), 4)
    0.1215
    """
    return sample.above(np.sqrt(-np.log(delta) / (2 * sample.n)))  # Eq. 48
