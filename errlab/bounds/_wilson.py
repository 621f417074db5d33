"""Wilson's score bound (survey, Eqs. 18 to 22)."""

import numpy as np

from errlab._numerics.roots import largest_root, normal_quantile
from errlab.bounds._bound import FloatArray, Measured, Probability, bound


@bound(key="WIL", name="Wilson score", place=1, equations="19-22", loss="binary", rigorous=False)
def wilson(sample: Measured, delta: FloatArray) -> Probability:
    r"""Wilson score bound: the normal approximation with the variance at the true error.

    Solves :math:`(L - \hat L_n) / \sqrt{L(1-L)/n} \le z_{1-\delta}` for :math:`L`: the largest root
    of a quadratic, or the smallest if :math:`z_{1-\delta}` is negative. The printed Eq. 22 lacks a
    factor :math:`z`; Eq. 19 is right.

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
    # For delta > 1/2 the bound is below the mean, so it is the smallest root.
    largest = largest_root(sample.above(0), a)
    smallest = largest_root(sample.mirrored.above(0), a).mirrored
    return Probability(*np.where(z >= 0, largest, smallest))
