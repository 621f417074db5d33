"""The bound of Clopper and Pearson (survey, Eqs. 23 to 26)."""

from errlab._numerics.roots import beta_quantile
from errlab.bounds._bound import FloatArray, Measured, Probability, bound


@bound(key="CP", name="Clopper-Pearson", place=2, equations="23-26", loss="binary", rigorous=True)
def clopper_pearson(sample: Measured, delta: FloatArray) -> Probability:
    r"""Clopper-Pearson bound: the binomial tail, inverted exactly.

    The largest :math:`L` with :math:`P(\mathrm{Bin}(n, L) \le n \hat L_n) \ge \delta`, which is the
    :math:`1-\delta` quantile of the beta distribution with parameters :math:`n \hat L_n + 1` and
    :math:`n - n \hat L_n`. The quantile is also defined for fractional counts, which the survey's
    figures need.

    References
    ----------
    Anguita et al., survey, Eqs. 23 to 26; Clopper and Pearson, Biometrika 26 (1934).

    Examples
    --------
    >>> round(clopper_pearson(7 / 200, 200), 4)
    0.0647
    >>> round(clopper_pearson(0, 100), 4)  # the "rule of three"
    0.0295
    """
    # If every loss is 1, this beta distribution is undefined and the bound is 1.
    return beta_quantile(sample.right, sample.errors + 1, delta).mirrored  # Eq. 25
