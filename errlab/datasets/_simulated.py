"""Simulated problems: classification, each with its Bayes error, and regression."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike

from errlab._core import checks, rounding
from errlab._core.checks import FloatArray, Seed
from errlab._core.public import public
from errlab._core.spoken import Spoken

# Ends a < b of the middle of chi-square with 1 degree of freedom: P(a < x < b) = 1/2 and E[x; a < x
# < b] = E[x]/2, solved numerically. The second condition is P(a < x < b) = 1/2 with 3 degrees of
# freedom.
_BAND = (0.2590542485931902, 2.543192030894689)
_NOISE_VARIANCE = 32.45  # Larsen and Hansen's lower bound for the error of the true weights


class _Simulated(NamedTuple):
    X: FloatArray
    y: FloatArray
    bayes_error: float


def _with_noise(X: FloatArray, y: FloatArray, noise: float, rng: np.random.Generator) -> Simulated:
    """Flip each label of the Bayes rule with a probability, which is then the Bayes error."""
    return Simulated(X, np.where(rng.random(len(y)) < noise, -y, y), noise)


@public
def donut(n: int, *, label_noise: float = 0.2, rng: Seed = 0) -> Simulated:
    r"""Draw a disc and the ring around it, with equal areas: the limit f* is close to Bayes.

    The points are uniform in the unit disc. The label is -1 for :math:`|x|^2 < 1/2`, +1 in the
    ring, and wrong with probability `label_noise`. Least squares on :math:`(1, x_1^2, x_2^2)` tends
    to a multiple of :math:`|x|^2 - 1/2`, which is the Bayes classifier.

    Parameters
    ----------
    n : int
        Number of examples, at least 1.
    label_noise : float
        Probability of a wrong label, in [0, 0.5].
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.

    Returns
    -------
    Simulated
        ``(X, y, bayes_error)`` with X of shape (n, 2).

    Raises
    ------
    ValueError, TypeError
        If `n` or `label_noise` leaves its range.

    References
    ----------
    Laber and Murphy (2008), Table 1: "f* close to Bayes". The definition is ours.

    Examples
    --------
    >>> X, y, bayes_error = donut(30, rng=0)
    >>> X.shape, bayes_error
    ((30, 2), 0.2)
    """
    n = checks.one_count(n)
    noise = float(checks.within(label_noise, "label_noise", 0, 0.5, ndim=0))
    rng = checks.generator(rng)
    # The squared radius of a uniform point on the disc is uniform, so 1/2 halves the area.
    square = rng.random(n)
    angle = rng.uniform(0, 2 * np.pi, n)
    X = np.sqrt(square)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return _with_noise(X, np.where(square < 0.5, -1.0, 1.0), noise, rng)


@public
def outlier(n: int, *, share: float = 0.1, rng: Seed = 0) -> Simulated:
    r"""Draw two separated classes and some distant points that turn the line: f* far from Bayes.

    A fraction of the examples is near (-20, 0) and positive. The others have the label :math:`y =
    \pm 1` with equal probability and :math:`x \sim N((y, 0), \mathrm{diag}(1/4, 1))`. The distant
    points pull the slope of least squares to the wrong side.

    Parameters
    ----------
    n : int
        Number of examples, at least 1.
    share : float
        Fraction of distant points, in [0, 1].
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.

    Returns
    -------
    Simulated
        ``(X, y, bayes_error)`` with X of shape (n, 2). The Bayes error ignores the overlap of the
        distant points with the others, which is below 1e-80.

    Raises
    ------
    ValueError, TypeError
        If `n` or `share` leaves its range.

    References
    ----------
    Laber and Murphy (2008), Table 1: "f* far from Bayes". The definition is ours.

    Examples
    --------
    >>> X, y, bayes_error = outlier(30, rng=0)
    >>> round(bayes_error, 4)
    0.0205
    """
    n = checks.one_count(n)
    rng = checks.generator(rng)
    share = checks.one_mean(share, "share")
    y = rng.choice([-1.0, 1.0], n)
    X = rng.normal(size=(n, 2)) * [0.5, 1.0]
    distant = rng.random(n) < share
    X[:, 0] += np.where(distant, -20.0, y)
    bayes_error = (1 - share) * float(scipy.stats.norm.sf(2))
    return Simulated(X, np.where(distant, 1.0, y), bayes_error)


@public
def chi2_small(n: int, *, rng: Seed = 0) -> Simulated:
    r"""Draw skewed features without linear signal and with little noise: f* = 0, far from Bayes.

    Two independent features have chi-square distributions with one degree of freedom. The label is
    +1 in the band :math:`a < x_1 < b` and -1 outside, and wrong with probability .05. The band has
    probability one half and contributes half of the mean of :math:`x_1`, so :math:`E[y] = E[y x_1]
    = E[y x_2] = 0`, and least squares on :math:`(1, x_1, x_2)` tends to zero.

    Parameters
    ----------
    n : int
        Number of examples, at least 1.
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.

    Returns
    -------
    Simulated
        ``(X, y, bayes_error)`` with X of shape (n, 2).

    Raises
    ------
    ValueError, TypeError
        If `n` leaves its range.

    References
    ----------
    Laber and Murphy (2008), Table 1: "f* = 0, low noise, far from Bayes". The definition is
    ours.

    Examples
    --------
    >>> X, y, bayes_error = chi2_small(30, rng=0)
    >>> X.shape, bayes_error
    ((30, 2), 0.05)
    """
    n = checks.one_count(n)
    rng = checks.generator(rng)
    X = rng.chisquare(1, size=(n, 2))
    inside = (_BAND[0] < X[:, 0]) & (X[:, 0] < _BAND[1])
    return _with_noise(X, np.where(inside, 1.0, -1.0), 0.05, rng)


@public
def three_points(n: int, *, rng: Seed = 0) -> Simulated:
    r"""Draw three points on a line with the boundary near the middle one: highly non-normal.

    The feature is -1, 0 or 4 with probabilities .46, .34 and .2. The label is -1 at -1 and +1 at
    the others, and wrong with probability .1. The point at 4 has so much leverage that the limit of
    least squares is slightly negative at 0. So the middle point, with a third of all examples, is
    on either side of the boundary, depending on the sample.

    Parameters
    ----------
    n : int
        Number of examples, at least 1.
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.

    Returns
    -------
    Simulated
        ``(X, y, bayes_error)`` with X of shape (n, 1).

    Raises
    ------
    ValueError, TypeError
        If `n` leaves its range.

    References
    ----------
    Laber and Murphy (2008), Table 1: training error "highly non-normal, f* far from Bayes". The
    definition is ours.

    Examples
    --------
    >>> X, y, bayes_error = three_points(30, rng=0)
    >>> sorted(set(X.ravel().tolist()))
    [-1.0, 0.0, 4.0]
    """
    n = checks.one_count(n)
    rng = checks.generator(rng)
    x = rng.choice([-1.0, 0.0, 4.0], n, p=[0.46, 0.34, 0.2])
    return _with_noise(x[:, None], np.where(x < 0, -1.0, 1.0), 0.1, rng)


@public
def gaussian_mixture(
    n: int, *, p: int = 2, separation: ArrayLike = 2.0, rng: Seed = 0
) -> Simulated:
    r"""Draw two equally probable Gaussian classes with unit covariance.

    The means are :math:`\pm \Delta/2` on the first axis, and the Bayes error is
    :math:`\Phi(-\Delta/2)`.

    Parameters
    ----------
    n, p : int
        Number of examples and of features, at least 1.
    separation : float
        Distance between the means, at least 0.
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.

    Returns
    -------
    Simulated
        ``(X, y, bayes_error)`` with X of shape (n, p).

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    References
    ----------
    Any text on linear discriminant analysis.

    Examples
    --------
    >>> round(gaussian_mixture(10, separation=2.0, rng=0).bayes_error, 4)
    0.1587
    """
    n = checks.one_count(n)
    p = checks.one_count(p, "p")
    rng = checks.generator(rng)
    gap = float(checks.within(separation, "separation", 0, ndim=0))
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    X = rng.normal(size=(n, p))
    X[:, 0] += y * gap / 2
    return Simulated(X, y, float(scipy.stats.norm.cdf(-gap / 2)))


class _Regression(NamedTuple):
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
    rng: Seed = 0,
) -> Regression:
    r"""Draw :math:`y(k) = z(k)^T w_0 + \varepsilon(k)` with autoregressive features.

    Each component of :math:`z` is a stationary Gaussian AR(1) process of unit variance. Their
    covariance at a given time is a random matrix :math:`H` with unit diagonal, and the true weights
    are random, too. The noise is independent :math:`N(0, \sigma^2)`
    with :math:`\sigma^2 = 32.45`, the source's lower bound for its error.

    Parameters
    ----------
    n, p : int
        Length of a training set and number of features.
    sets : int, optional
        Number of independent training sets; adds a leading axis to `X` and `y`.
    coefficient : float
        AR coefficient, in (-1, 1).
    rng : seed, Generator or None
        Source of randomness; the same in each call by default.

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
    batch: tuple[int, ...] = ()
    if sets is not None:
        batch = (checks.one_count(sets, "sets"),)
    a = checks.within(coefficient, "coefficient", -1, 1, open_low=True, open_high=True, ndim=0)
    w = rng.normal(size=p)
    # A random correlation matrix: a Wishart matrix with p degrees of freedom, scaled.
    factor = rng.normal(size=(p, p))
    factor /= np.linalg.norm(factor, axis=1, keepdims=True)
    H = factor @ factor.T
    steps = rng.normal(size=(*batch, n, p)) @ np.linalg.cholesky(H).T  # (sets) x time x features
    steps[..., 1:, :] *= np.sqrt(1 - a * a)  # the first value has the stationary variance
    X = scipy.signal.lfilter([1.0], [1.0, -a], steps, axis=-2)
    y = X @ w + np.sqrt(_NOISE_VARIANCE) * rng.normal(size=(*batch, n))
    return Regression(X, y, w, H, _NOISE_VARIANCE)


class _Described(Spoken):
    """A result whose sentence says how large it is, and what is known about the problem."""

    def claim(self) -> str:
        """Return the result in a sentence."""
        parts = self.to_dict()
        *sets, n, p = np.shape(parts["X"])
        size = f"{rounding.count(n, 'simulated example')} of {rounding.count(p, 'variable')}"
        if sets:
            size = f"{rounding.count(sets[0], 'set')} of {size}"
        facts = ", ".join([*parts][2:])
        return f"{size}, with what is known of the problem: {facts}."

    __repr__ = claim  # arrays would fill the screen


class Simulated(_Described, _Simulated):
    """Features of shape (n, p), labels in {-1, +1}, and the smallest possible error."""


class Regression(_Described, _Regression):
    """Data, the true weights, the covariance of the features and the variance of the noise."""
