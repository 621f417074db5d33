"""Jeffreys' bound: a quantile of the posterior."""

from errlab._numerics.roots import beta_quantile
from errlab.bounds._bound import FloatArray, Measured, Probability, bound


@bound(
    key="JEF",
    name="Jeffreys",
    place=11,
    look=4,
    equations="Brown et al. 2001",
    loss="binary",
    rigorous=False,
)
def jeffreys(sample: Measured, delta: FloatArray) -> Probability:
    r"""Jeffreys bound: the posterior quantile under the Beta(1/2, 1/2) prior.

    The :math:`1-\delta` quantile of the beta distribution with parameters :math:`n \hat L_n + 1/2`
    and :math:`n - n \hat L_n + 1/2`, also if there is no error, or errors only.

    References
    ----------
    Brown, Cai and DasGupta, Statistical Science 16 (2001), 101-133.

    Examples
    --------
    >>> round(jeffreys(7 / 200, 200), 4)
    0.0616
    """
    return beta_quantile(sample.right + 0.5, sample.errors + 0.5, delta).mirrored
