"""How much of a data set to hold out: the error of an estimate by a split, and its optimum."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray
from errlab._core.public import public

__all__ = ["optimal_fraction", "split_mse"]


@public
def split_mse(
    N: ArrayLike, p: ArrayLike, n_train: ArrayLike, *, kurtosis: ArrayLike = 3
) -> FloatOrArray:
    r"""Mean squared error of a holdout estimate, for a complete linear model.

    In units of :math:`\sigma^4`, with :math:`N_t` training cases and Gaussian inputs,

    .. math:: \frac{1}{N - N_t} \left[\kappa - 1 + \frac{4p}{N_t - p - 1} +
              \frac{2p(p+2)}{(N_t - p - 1)(N_t - p - 3)}\right]

    since the excess error is :math:`\sigma^2 \chi^2_p / \chi^2_{N_t - p + 1}`. Exact for
    Gaussian noise; for other noise the last term is an approximation.

    Parameters
    ----------
    N, p : int or array_like
        Number of cases, and of weights.
    n_train : int or array_like
        Number of training cases, from p + 4 to N - 1.
    kurtosis : float or array_like
        Kurtosis of the noise, above 1 (3 for Gaussian noise).

    Returns
    -------
    float or ndarray
        Expected squared difference of the holdout estimate from the error of the model that was
        trained, over the squared noise variance.

    Raises
    ------
    ValueError, TypeError
        If a number leaves its range.

    Examples
    --------
    >>> split_mse(20, 1, 10)
    0.2625
    """
    n = checks.count(N, "N").astype(float)
    size = checks.count(p, "p").astype(float)
    train = checks.count(n_train, "n_train").astype(float)
    shape = _kurtosis(kurtosis)
    n, size, train, shape = checks.same_shape(N=n, p=size, n_train=train, kurtosis=shape)
    if (train < size + 4).any() or (train > n - 1).any():
        at = np.flatnonzero((train < size + 4) | (train > n - 1))[0]
        raise ValueError(
            f"n_train must lie in [p + 4, N - 1] = [{size.flat[at] + 4:g}, {n.flat[at] - 1:g}], "
            f"got {train.flat[at]:g}"
        )
    return checks.plain(_split_mse(n, size, train, shape))


def _kurtosis(value: ArrayLike) -> FloatArray:
    return checks.within(value, "kurtosis", 1, open_low=True)


def _split_mse(
    n: float | FloatArray, p: float | FloatArray, train: FloatArray, kurtosis: float | FloatArray
) -> FloatArray:
    """Return the formula of `split_mse`, on clean numbers."""
    excess = p / (train - p - 1)
    square = excess * (p + 2) / (train - p - 3)
    return (kurtosis - 1 + 4 * excess + 2 * square) / (n - train)


@public
def optimal_fraction(N: int, p: int, *, kurtosis: float = 3, method: str = "asymptotic") -> float:
    r"""Share of the data to hold out for the most precise estimate of the error.

    .. math:: \gamma = 1 - \sqrt{\beta / N}, \quad \beta = \frac{4p}{\kappa - 1}

    asymptotically, or the minimiser of `split_mse` over all whole splits. (The paper prints
    :math:`\beta = 4 p \sigma^2 / (1 - \kappa)`, negative for Gaussian noise.) It is the best
    split for *measuring* the error of the model trained on the rest. That model is worse than
    one trained on more: a share near 1 is no way to get a good model.

    Parameters
    ----------
    N, p : int
        Number of cases, and of weights.
    kurtosis : float
        Kurtosis of the noise, above 1 (3 for Gaussian noise).
    method : {"asymptotic", "exact"}
        Which of the two; the formula needs N of at least beta, the minimiser p + 5.

    Returns
    -------
    float
        The share to hold out, in [0, 1).

    Raises
    ------
    ValueError, TypeError
        If N is too small, or a number leaves its range.

    References
    ----------
    Larsen & Hansen, after Eq. 6.

    Examples
    --------
    >>> optimal_fraction(2000, 10)
    0.9
    >>> optimal_fraction(2000, 10, method="exact")
    0.9015
    """
    n = checks.one_count(N, "N")
    size = checks.one_count(p, "p")
    shape = float(_kurtosis(checks.scalar_only(kurtosis, "kurtosis")))
    checks.choice(method, "method", ("asymptotic", "exact"))
    if method == "asymptotic":
        beta = 4 * size / (shape - 1)
        if n < beta:
            raise ValueError(f"N must be at least 4p/(kurtosis - 1) = {beta:g}, got {n}")
        return float(1 - np.sqrt(beta / n))
    if n < size + 5:
        raise ValueError(f"N must be at least p + 5 = {size + 5}, got {n}")
    low = size + 4
    high = n - 1
    # The formula is smooth in n_train: its minimum is next to that over real numbers.
    inner = scipy.optimize.minimize_scalar(
        lambda train: _split_mse(n, size, train, shape), bounds=(low, high), method="bounded"
    )
    near = np.clip(np.floor(inner.x) + np.arange(-2, 4), low, high)
    ends = np.concatenate([[low, high], near])
    best = ends[np.argmin(_split_mse(n, size, ends, shape))]
    return float(1 - best / n)
