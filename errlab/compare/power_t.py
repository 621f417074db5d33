"""Power of the t and F tests over folds, from the distributions of normal differences."""

from __future__ import annotations

import numpy as np
import scipy
from scipy import special

from errlab import _checks


def paired_t_power(
    difference: float,
    sd: float,
    n: int,
    *,
    n_train: int | None = None,
    n_test: int | None = None,
    delta: float = 0.05,
) -> float:
    """Power of the paired t tests for normal differences, from the noncentral t.

    With `n_train` and `n_test` it is that of `corrected_resampled_t`, where differences correlate
    as that test supposes; otherwise that of `paired_t` and `kfold_paired_t` on independent ones.

    Parameters
    ----------
    difference : float
        Expected difference.
    sd : float
        Standard deviation of one difference, above 0.
    n : int
        Number of differences, at least 2.
    n_train, n_test : int, optional
        Sizes of the parts of a split, both or neither.
    delta : float
        Level of the test.

    Returns
    -------
    float
        Probability that p is at most `delta`.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    References
    ----------
    Nadeau and Bengio, Machine Learning 52 (2003), 239-281.

    Examples
    --------
    >>> round(paired_t_power(0.02, 0.03, 10), 3)
    0.469
    """
    mean = float(_checks.numbers(_checks.scalar_only(difference, "difference"), "difference"))
    spread = float(_checks.within(_checks.scalar_only(sd, "sd"), "sd", 0, open_low=True))
    size, level = _checks.one_count(n, "n", 2), _checks.one_delta(delta)
    if (n_train is None) != (n_test is None):
        raise ValueError("give n_train and n_test both, or neither")
    factor = 1 / size
    if n_train is not None:
        extra = _checks.one_count(n_test, "n_test") / _checks.one_count(n_train, "n_train")
        # s^2 estimates sd^2 (1 - rho), and the mean has variance (1/n + extra) times that
        spread, factor = spread / np.sqrt(1 + extra), factor + extra
    return _t_power(size - 1, mean / (spread * np.sqrt(factor)), level)


def five_by_two_power(
    difference: float, sd: float, *, test: str = "F", delta: float = 0.05
) -> float:
    r"""Exact power of the 5x2 cv tests for ten independent normal differences.

    In each repetition the sum and the difference of the two folds are independent then. For F

    .. math:: f = \tfrac12 + \tfrac12 F', \quad F' \sim F_{5,5}(10\, d^2 / \sigma^2),

    while the test compares f with :math:`F_{10,5}`; for t the sum is integrated over.

    Parameters
    ----------
    difference : float
        Expected difference.
    sd : float
        Standard deviation of one difference, above 0.
    test : {"F", "t"}
        `five_by_two_cv_f` or `five_by_two_cv_t`.
    delta : float
        Level of the test.

    Returns
    -------
    float
        Probability that p is at most `delta`. Without a difference it is not `delta`: both tests
        take as independent what is not, and keep well below their level in this ideal case.

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    References
    ----------
    Dietterich, Neural Computation 10 (1998); Alpaydin, Neural Computation 11 (1999).

    Examples
    --------
    >>> round(five_by_two_power(0.04, 0.03), 2), round(five_by_two_power(0.04, 0.03, test="t"), 2)
    (0.26, 0.19)
    """
    mean = float(_checks.numbers(_checks.scalar_only(difference, "difference"), "difference"))
    spread = float(_checks.within(_checks.scalar_only(sd, "sd"), "sd", 0, open_low=True))
    level = _checks.one_delta(delta)
    if _checks.choice(test, "test", ("F", "t")) == "t":
        return _first_fold_power(mean / spread, -float(special.stdtrit(5, level / 2)))
    # beyond a noncentrality of 1e5 the power is 1 to all digits
    shift = min(10 * (mean / spread) ** 2, 1e5)
    # not stats.ncf.sf, which scipy 1.17 gets wrong at noncentrality 0
    return float(1 - special.ncfdtr(5, 5, shift, 2 * special.fdtri(10, 5, 1 - level) - 1))


def _first_fold_power(shift: float, bound: float) -> float:
    """P(|p_1| >= bound * sqrt(sum s_i^2 / 5)) with p_1 = (u + v) / sqrt 2 and s_1 = |v|."""
    v, weight_v = special.roots_hermitenorm(120)
    half, weight_w = special.roots_genlaguerre(120, 1)  # s_2^2 + ... + s_5^2 = 2 half: chi2, 4 df
    edge = np.sqrt(0.4) * bound * np.sqrt(v[:, None] ** 2 + 2 * half)
    centre = np.sqrt(2) * shift + v[:, None]
    found = special.ndtr(centre - edge) + special.ndtr(-centre - edge)
    return float(weight_v @ found @ weight_w / weight_v.sum() / weight_w.sum())


def _t_power(df: int, shift: float, delta: float) -> float:
    # beyond a noncentrality of 30 the power is 1 to all digits for any usual level
    bound = -special.stdtrit(df, delta / 2)
    return float(
        scipy.stats.nct.sf(bound, df, abs(shift)) + scipy.stats.nct.cdf(-bound, df, abs(shift))
    )
