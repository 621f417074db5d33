"""Bernstein's bound (survey, Eqs. 39 and 40)."""

import numpy as np

from errlab._numerics.roots import largest_root
from errlab.bounds._bound import FloatArray, Measured, Probability, bound


@bound(key="BER", name="Bernstein", place=5, equations="40", rigorous=True)
def bernstein(sample: Measured, delta: FloatArray) -> Probability:
    r"""Bernstein bound, in closed form.

    With :math:`t = \log(1/\delta)/n` and the largest possible variance, :math:`L(1-L)`,

    .. math:: L \le \hat L_n + \sqrt{2 t L (1-L)} + t/3.

    The survey solves this numerically; it is the quadratic of `largest_root` with the centre
    :math:`\hat L_n + t/3`. (In the printed Eq. 39 the root must close after its first term.)

    References
    ----------
    Anguita et al., survey, Eqs. 39 and 40.

    Examples
    --------
    >>> round(bernstein(7 / 200, 200), 4)
    0.0894
    """
    t = -np.log(delta) / sample.n
    centre = sample.above(t / 3)
    # the inequality excludes no error once its centre reaches 1
    inside = (centre.value < 1) & (centre.complement > 0)
    return largest_root(centre.or_one(inside), 2 * t)  # Eq. 40
