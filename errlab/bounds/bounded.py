"""Bounds for losses in [0, 1], in the order of the survey's Section 3 and Table 1."""

from __future__ import annotations

import numpy as np

from errlab._core.checks import FloatArray
from errlab._numerics.roots import Share, root_above
from errlab.bounds._bound import Measured, bound

__all__ = ["bernstein", "chebyshev", "chernoff", "hoeffding", "maurer_pontil", "tight_hoeffding"]


@bound(key="CHE", name="Chebyshev", place=3, equations="20, 34, 35", rigorous=True, two_sided=True)
def chebyshev(sample: Measured, delta: FloatArray) -> Share:
    r"""Chebyshev bound: the variance alone limits how far the mean strays.

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
    return root_above(sample.above(0), 1 / (sample.n * delta))  # Eqs. 20, 34, 35


@bound(key="BER", name="Bernstein", place=5, equations="40", rigorous=True)
def bernstein(sample: Measured, delta: FloatArray) -> Share:
    r"""Bernstein bound, in closed form.

    With :math:`t = \log(1/\delta)/n` and the true variance at its largest, :math:`L(1-L)`,

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
    return _solve_bernstein(sample, -np.log(delta) / sample.n)


def _solve_bernstein(sample: Measured, t: FloatArray) -> Share:
    """Solve Eq. 40, with t = log(1/delta)/n."""
    centre = sample.above(t / 3)
    inside = (centre.value < 1) & (centre.rest > 0)  # beyond, the inequality says nothing
    return root_above(centre.or_one(inside), 2 * t)


@bound(key="MAU", name="Maurer-Pontil", place=6, equations="41", rigorous=True, needs="var")
def maurer_pontil(sample: Measured, delta: FloatArray) -> Share:
    r"""Maurer-Pontil bound: Bernstein with the sample variance, "empirical Bernstein".

    .. math:: L \le \hat L_n + \sqrt{\frac{2 s_u^2 \log(2/\delta)}{n}}
              + \frac{7 \log(2/\delta)}{3(n-1)}

    The theorem is about the unbiased variance :math:`s_u^2 = n s^2 / (n-1)`; the survey prints
    the 1/n variance :math:`s^2`. `var` is :math:`s^2`, as everywhere, and is converted here. A
    single case has no sample variance: its bound is 1.

    References
    ----------
    Anguita et al., survey, Eq. 41; Maurer and Pontil, COLT 2009, Theorem 4.

    Examples
    --------
    >>> round(maurer_pontil(7 / 200, 200), 4)
    0.1136
    """
    n = np.maximum(sample.n, 2)
    level = np.log(2) - np.log(delta)  # 2/delta may overflow
    # Eq. 41, with s^2/(n - 1) = s_u^2/n
    distance = np.sqrt(2 * sample.var * level / (n - 1)) + 7 * level / (3 * (n - 1))
    return sample.above(distance).or_one(sample.n > 1)


@bound(key="CRF", name="Chernoff", place=7, equations="42", rigorous=True)
def chernoff(sample: Measured, delta: FloatArray) -> Share:
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


@bound(key="T_HOE", name="Tight Hoeffding", place=8, equations="44, 45", rigorous=True)
def tight_hoeffding(sample: Measured, delta: FloatArray) -> Share:
    r"""Tight Hoeffding bound: the binary Kullback-Leibler divergence, inverted.

    The largest :math:`L \ge \hat L_n` with

    .. math:: n \left[ \hat L_n \log\frac{\hat L_n}{L}
              + (1 - \hat L_n) \log\frac{1 - \hat L_n}{1 - L} \right] \le \log(1/\delta).

    With no error it is :math:`1 - \delta^{1/n}`, the Clopper-Pearson bound.

    References
    ----------
    Anguita et al., survey, Eqs. 43 to 46; Hoeffding, JASA 58 (1963), Theorem 1.

    Examples
    --------
    >>> round(tight_hoeffding(7 / 200, 200), 4)
    0.0764
    """
    return invert_divergence(sample, -np.log(delta) / sample.n)


def invert_divergence(sample: Measured, t: FloatArray) -> Share:
    r"""Solve :math:`kl(m, L) = t` for :math:`L > m` by Newton, from the Bernstein bound down.

    With :math:`x = \log\frac{1-m}{1-L}` we have :math:`L = m + d`, :math:`d = (1-m)(1-e^{-x})`,
    :math:`kl = (1-m) x - m \log(1 + d/m)` and the derivative :math:`d/L`. This is convex and
    increasing in :math:`x`, so Newton falls towards the root from above and never passes it.
    """
    inside = (sample.mean > 0) & (sample.rest > 0)
    m = np.where(inside, sample.mean, 0.5)
    rest = np.where(inside, sample.rest, 0.5)
    x = (t - m * np.log(m)) / rest  # above the root, since log(m/L) >= log(m)
    above = _solve_bernstein(sample, t).rest
    known = inside & (above > 0)
    x = np.where(known, np.minimum(x, np.log(rest / np.where(known, above, 1.0))), x)
    # x = log(rest / (1 - L)) keeps the digits of an L next to 1; kl(m, L) - t is convex in x,
    # so that Newton comes down from above and never passes the root.
    for _ in range(100):
        d = -rest * np.expm1(-x)
        excess = rest * x - m * np.log1p(d / m) - t
        step = np.where(excess > 1e-15 * rest * x, excess * (m + d) / d, 0.0)  # less is rounding
        x = x - step
        if (step <= 1e-8 * x).all():  # it converges quadratically: 1e-16 is left
            break
    none = sample.mean <= 0  # Eq. 46
    root = np.where(none, -np.expm1(-t), m - rest * np.expm1(-x))
    return Share(root, np.where(none, np.exp(-t), rest * np.exp(-x))).or_one(sample.rest > 0)


@bound(key="HOE", name="Hoeffding", place=9, equations="48", rigorous=True)
def hoeffding(sample: Measured, delta: FloatArray) -> Share:
    r"""Hoeffding bound, the form that everybody quotes.

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
