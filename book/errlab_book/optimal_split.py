"""How much of a data set to hold out: the error of a holdout estimate, and the best fraction."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from errlab import checks
from errlab.checks import FloatOrArray


def split_mse(
    N: ArrayLike, p: ArrayLike, n_train: ArrayLike, *, kurtosis: ArrayLike = 3
) -> FloatOrArray:
    r"""Return the mean squared error of a holdout estimate, for a complete linear model.

    In units of :math:`\sigma^4`, with :math:`N_t` training examples and Gaussian inputs,

    .. math:: \frac{1}{N - N_t} \left[\kappa - 1 + \frac{4p}{N_t - p - 1} +
              \frac{2p(p+2)}{(N_t - p - 1)(N_t - p - 3)}\right]

    since the excess error is :math:`\sigma^2 \chi^2_p / \chi^2_{N_t - p + 1}`. Exact for
    Gaussian noise; for other noise the last term is an approximation.

    Parameters
    ----------
    N, p : int or array_like
        Number of examples, and of weights.
    n_train : int or array_like
        Number of training examples, from p + 4 to N - 1.
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
    n, size, train, shape = checks.same_shape(
        N=checks.count(N, "N"),
        p=checks.count(p, "p"),
        n_train=checks.count(n_train, "n_train"),
        kurtosis=checks.within(kurtosis, "kurtosis", 1, open_low=True),
    )
    wrong = train[(train < size + 4) | (train >= n)]
    checks.require(not wrong.size, "n_train", "lie in [p + 4, N - 1]", wrong[:1].tolist())
    # The excess error is a ratio of two chi-squared variables; these are its mean and mean square.
    excess = size / (train - size - 1)
    square = excess * (size + 2) / (train - size - 3)
    return checks.plain((shape - 1 + 4 * excess + 2 * square) / (n - train))


def optimal_fraction(N: int, p: int, *, kurtosis: float = 3, method: str = "asymptotic") -> float:
    r"""Return the fraction of the data to hold out for the most precise estimate of the error.

    .. math:: \gamma = 1 - \sqrt{\beta / N}, \quad \beta = \frac{4p}{\kappa - 1}

    asymptotically, or the minimiser of `split_mse` over all split sizes. (The paper prints
    :math:`\beta = 4 p \sigma^2 / (1 - \kappa)`, negative for Gaussian noise.) This is the best
    split for *measuring* the error of the model trained on the rest. That model is worse than one
    trained on more data: a fraction near 1 doesn't give a good model.

    Parameters
    ----------
    N, p : int
        Number of examples, and of weights.
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
    checks.choice(method, "method", ("asymptotic", "exact"))
    if method == "exact":
        checks.require(n >= size + 5, "N", f"be at least p + 5 = {size + 5}", n)
        train = np.arange(size + 4, n)
        best = train[np.argmin(split_mse(n, size, train, kurtosis=kurtosis))]
        return float(1 - best / n)
    beta = 4 * size / (float(checks.within(kurtosis, "kurtosis", 1, open_low=True, ndim=0)) - 1)
    checks.require(n >= beta, "N", f"be at least 4p/(kurtosis - 1) = {beta:g}", n)
    return float(1 - np.sqrt(beta / n))
