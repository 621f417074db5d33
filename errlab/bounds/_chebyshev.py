"""Chebyshev's bound (survey, Eqs. 32 to 35)."""

from errlab._numerics.roots import largest_root
from errlab.bounds._bound import FloatArray, Measured, Probability, bound


@bound(key="CHE", name="Chebyshev", place=3, equations="20, 34, 35", rigorous=True, two_sided=True)
def chebyshev(sample: Measured, delta: FloatArray) -> Probability:
    r"""Chebyshev bound: from the variance alone, for any distribution of the losses.

    Solves, with :math:`\sigma^2 \le L(1-L)`,

    .. math:: (L - \hat L_n)^2 \le \frac{\sigma^2}{n \delta}

    for the largest :math:`L`. It bounds both sides at once.

    References
    ----------
    Anguita et al., survey, Eqs. 32 to 35.

    Examples
    --------
    >>> round(chebyshev(7 / 200, 200), 4)
    0.147
    """
    return largest_root(sample.above(0), 1 / (sample.n * delta))  # Eqs. 20, 34, 35
