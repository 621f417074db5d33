"""The bound of Agresti and Coull (1998)."""

import numpy as np

from errlab._numerics.roots import normal_quantile
from errlab.bounds._bound import FloatArray, Measured, Probability, bound


@bound(
    key="AC",
    name="Agresti-Coull",
    place=10,
    look=3,
    equations="Agresti-Coull 1998",
    loss="binary",
    rigorous=False,
)
def agresti_coull(sample: Measured, delta: FloatArray) -> Probability:
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
    # Add z^2 examples, half of them errors.
    total = sample.n + z**2
    centre = (sample.errors + z**2 / 2) / total
    complement = (sample.right + z**2 / 2) / total
    distance = z * np.sqrt(centre * complement / total)
    return Probability(centre + distance, complement - distance)
