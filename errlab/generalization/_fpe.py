"""Akaike's final prediction error (FPE), a formula in place of resampling, and its log form."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray
from errlab._core.public import public


def _noise(training_mse: ArrayLike, N: ArrayLike, p: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return an estimate of the noise variance, and p / N."""
    error, n, size = checks.same_shape(
        training_mse=checks.within(training_mse, "training_mse", 0),
        N=checks.count(N, "N"),
        p=checks.count(p, "p"),
    )
    # With as many weights as examples the training error is 0, whatever the noise.
    wrong = n <= size
    if wrong.any():
        raise ValueError(f"N must be above p = {size[wrong][0]}, got {n[wrong][0]}")
    # N - p degrees of freedom make the training error too small by the factor (N - p) / N.
    return error * n / (n - size), size / n


@public
def fpe(training_mse: ArrayLike, N: ArrayLike, p: ArrayLike) -> FloatOrArray:
    r"""Akaike's final prediction error: :math:`S_N(\hat w) \, (N + p) / (N - p)`.

    Parameters
    ----------
    training_mse : float or array_like
        Mean squared error on the training set (sum of squares over N), at least 0.
    N, p : int or array_like
        Number of training examples, and of weights, below N.

    Returns
    -------
    float or ndarray
        Estimate of the average generalization error.

    Raises
    ------
    ValueError, TypeError
        If N is not above p, or a number leaves its range.

    References
    ----------
    Akaike (1969), "Fitting autoregressive models for prediction"; Larsen & Hansen.

    Examples
    --------
    >>> fpe(1.0, 20, 10)
    3.0
    """
    var, weights = _noise(training_mse, N, p)
    return checks.plain(var * (1 + weights))  # (N + p) / (N - p) = N / (N - p) (1 + p / N)


@public
def log_fpe(training_mse: ArrayLike, N: ArrayLike, p: ArrayLike) -> FloatOrArray:
    r"""FPE for the transformed error :math:`\log(1 + G)`.

    .. math:: \log(1 + \sigma^2) + \frac{\sigma^2}{1 + \sigma^2} \frac pN,
              \quad \sigma^2 = \frac{N S_N(\hat w)}{N - p}

    The paper's footnote 14 prints :math:`S_N / (N - p)` for the noise variance, which lacks
    the factor N.

    Parameters
    ----------
    training_mse : float or array_like
        Mean squared error on the training set, at least 0.
    N, p : int or array_like
        Number of training examples, and of weights, below N.

    Returns
    -------
    float or ndarray
        Estimate of the average of log(1 + G).

    Raises
    ------
    ValueError, TypeError
        If N is not above p, or a number leaves its range.

    References
    ----------
    Larsen & Hansen, footnote 14.

    Examples
    --------
    >>> round(log_fpe(0.5, 20, 10), 4)  # log 2 + 1/4
    0.9431
    """
    var, weights = _noise(training_mse, N, p)
    return checks.plain(np.log1p(var) + var / (1 + var) * weights)
