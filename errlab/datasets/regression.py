"""The regression problem of Larsen and Hansen's numerical example."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy

from errlab._core import checks
from errlab._core.checks import FloatArray, Seed
from errlab._core.public import public


class Regression(NamedTuple):
    """Data, the true weights, the covariance of the features and the variance of the noise."""

    X: FloatArray
    y: FloatArray
    weights: FloatArray
    covariance: FloatArray
    noise: float


@public
def ar1_regression(
    n: int = 20,
    *,
    p: int = 10,
    sets: int | None = None,
    coefficient: float = 0.6518,
    noise_variance: float = 32.45,
    rng: Seed = None,
) -> Regression:
    r"""Draw :math:`y(k) = z(k)^T w_0 + \varepsilon(k)` with autoregressive features.

    Each component of :math:`z` is a stationary Gaussian AR(1) process of unit variance; at one
    time they have the covariance :math:`H`, drawn at random with unit diagonal, as are the true
    weights. The noise is :math:`N(0, \sigma^2)`, independent.

    Parameters
    ----------
    n, p : int
        Length of a training set and number of features.
    sets : int, optional
        Number of independent training sets; adds a leading axis to `X` and `y`.
    coefficient : float
        AR coefficient, in (-1, 1).
    noise_variance : float
        Variance of the noise, at least 0; 32.45 is the source's lower bound of its error.
    rng : seed, Generator or None
        Source of randomness.

    Returns
    -------
    Regression
        ``(X, y, weights, covariance, noise)``, X of shape (n, p) or (sets, n, p).

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range or does not fit `p`.

    References
    ----------
    Larsen and Hansen, Numerical examples.

    Examples
    --------
    >>> ar1_regression(20, p=10, sets=5, rng=0).X.shape
    (5, 20, 10)
    """
    n = checks.one_count(n)
    p = checks.one_count(p, "p")
    rng = checks.generator(rng)
    batch = () if sets is None else (checks.one_count(sets, "sets"),)
    a = checks.within(coefficient, "coefficient", -1, 1, open_low=True, open_high=True, ndim=0)
    noise_variance = float(checks.within(noise_variance, "noise_variance", 0, ndim=0))
    w = rng.normal(size=p)
    # A correlation matrix at random: a Wishart matrix with p degrees of freedom, scaled.
    factor = rng.normal(size=(p, p))
    factor /= np.linalg.norm(factor, axis=1, keepdims=True)
    H = factor @ factor.T
    steps = rng.normal(size=(*batch, n, p)) @ np.linalg.cholesky(H).T  # (sets) x time x features
    steps[..., 1:, :] *= np.sqrt(1 - a * a)  # the first value has the stationary variance
    X = scipy.signal.lfilter([1.0], [1.0, -a], steps, axis=-2)
    y = X @ w + np.sqrt(noise_variance) * rng.normal(size=(*batch, n))
    return Regression(X, y, w, H, noise_variance)
