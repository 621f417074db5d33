"""Hoeffding's bound with the binary divergence (survey, Eqs. 43 to 46)."""

import numpy as np

from errlab.bounds._bound import FloatArray, Measured, Probability, bound


@bound(key="T_HOE", name="Tight Hoeffding", place=8, equations="44, 45", rigorous=True)
def tight_hoeffding(sample: Measured, delta: FloatArray) -> Probability:
    r"""Tight Hoeffding bound: the binary Kullback-Leibler divergence, inverted.

    The largest :math:`L \ge \hat L_n` with

    .. math:: n \left[ \hat L_n \log\frac{\hat L_n}{L}
              + (1 - \hat L_n) \log\frac{1 - \hat L_n}{1 - L} \right] \le \log(1/\delta).

    Without errors it is :math:`1 - \delta^{1/n}`, the Clopper-Pearson bound.

    References
    ----------
    Anguita et al., survey, Eqs. 43 to 46; Hoeffding, JASA 58 (1963), Theorem 1.

    Examples
    --------
    >>> round(tight_hoeffding(7 / 200, 200), 4)
    0.0764
    """
    return invert_divergence(sample, -np.log(delta) / sample.n)


def invert_divergence(sample: Measured, t: FloatArray) -> Probability:
    r"""Solve :math:`kl(m, L) = t` for :math:`L > m` by Newton, from above.

    With :math:`x = \log\frac{1-m}{1-L}` we have :math:`L = m + d`, :math:`d = (1-m)(1-e^{-x})`,
    :math:`kl = (1-m) x - m \log(1 + d/m)` and the derivative :math:`d/L`. This is convex and
    increasing in :math:`x`, so Newton falls towards the root from above and never passes it.
    """
    inside = (sample.mean > 0) & (sample.complement > 0)
    m = np.where(inside, sample.mean, 0.5)
    complement = np.where(inside, sample.complement, 0.5)
    x = (t - m * np.log(m)) / complement  # start above the root, since log(m/L) >= log(m)
    # Hoeffding's bound is above the root, too; if it exceeds 1, it has no logarithm.
    x = np.fmin(x, -np.log1p(-np.sqrt(t / 2) / complement))
    # x = log(complement / (1 - L)) keeps the digits of an L near 1.
    for _ in range(100):
        d = -complement * np.expm1(-x)
        excess = complement * x - m * np.log1p(d / m) - t
        # an excess below this is rounding
        step = np.where(excess > 1e-15 * complement * x, excess * (m + d) / d, 0.0)
        x = x - step
        if (step <= 1e-8 * x).all():  # convergence is quadratic, so the error is now about 1e-16
            break
    none = sample.mean <= 0  # Eq. 46
    root = np.where(none, -np.expm1(-t), m - complement * np.expm1(-x))
    return Probability(root, np.where(none, np.exp(-t), complement * np.exp(-x))).or_one(
        sample.complement > 0
    )
