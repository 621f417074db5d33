"""Guttman's bound, for losses in [0, 1] with their variance (survey, Eqs. 36 to 38)."""

import numpy as np

from errlab._numerics.roots import largest_root
from errlab.bounds._bound import FloatArray, Measured, Probability, bound


@bound(
    key="GUT",
    name="Guttman",
    place=4,
    equations="20, 37, 38",
    rigorous=True,
    needs="var",
    two_sided=True,
)
def guttman(sample: Measured, delta: FloatArray) -> Probability:
    r"""Guttman bound: Chebyshev sharpened by the sample variance.

    With probability at least :math:`1 - \delta`,

    .. math:: (L - \hat L_n)^2 \le \frac{s^2}{n-1}
              + \frac{\sigma^2}{\sqrt\delta} \sqrt{\frac{2}{n(n-1)}},

    solved for the largest :math:`L` after :math:`\sigma^2 \le L(1-L)`. It bounds both sides at
    once. A single case has no sample variance: its bound is 1.

    References
    ----------
    Anguita et al., survey, Eqs. 36 to 38; Guttman, Annals of Mathematical Statistics 19 (1948).

    Examples
    --------
    >>> round(guttman(7 / 200, 200), 4)
    0.0868
    """
    n = sample.n
    a = np.sqrt(2 / (n * (n - 1)) / delta)  # Eq. 37
    return largest_root(sample.above(0), a, sample.var / (n - 1))  # Eq. 38
