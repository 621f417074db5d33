"""The empirical distribution of the generalization error: location, dispersion, transform."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray
from errlab._core.public import public

__all__ = [
    "Dispersion",
    "Location",
    "dispersion",
    "location",
    "log_transform",
    "probability_greater",
]


class Location(NamedTuple):
    """Where a distribution lies: mean, 5 % trimmed mean, median (floats or arrays)."""

    mean: FloatOrArray
    trimmed_mean: FloatOrArray
    median: FloatOrArray


class Dispersion(NamedTuple):
    """How far it spreads: standard deviation, median absolute deviation, interquartile range."""

    std: FloatOrArray
    mad: FloatOrArray
    iqr: FloatOrArray


def _sample(errors: ArrayLike) -> FloatArray:
    array = checks.within(errors, "errors", 0, checks.LARGE)
    if array.ndim == 0:
        raise ValueError(f"errors must have an axis of resamples, got shape {array.shape}")
    return array


@public
def location(errors: ArrayLike) -> Location:
    """Mean, 5 % trimmed mean and median of the generalization errors.

    The trimmed mean leaves out the 5 % of the errors at each end and is an average of the rest;
    the integral in the paper lacks the factor 1/.9 that makes it one.

    Parameters
    ----------
    errors : array_like, shape (..., J)
        Generalization errors, at least 0; leading axes hold separate distributions.

    Returns
    -------
    Location
        ``(mean, trimmed_mean, median)``, floats for one distribution, else arrays.

    Raises
    ------
    ValueError, TypeError
        If `errors` is empty, negative or not finite.

    Examples
    --------
    >>> location(list(range(20)) + [1000])
    Location(mean=56.66666666, trimmed_mean=10.0, median=10.0)
    """
    array = _sample(errors)
    trimmed = scipy.stats.trim_mean(array, 0.05, axis=-1)
    parts = (array.mean(axis=-1), trimmed, np.median(array, axis=-1))
    return Location(*map(checks.plain, parts))


@public
def dispersion(errors: ArrayLike) -> Dispersion:
    """Standard deviation (1/J), median absolute deviation and interquartile range.

    Parameters
    ----------
    errors : array_like, shape (..., J)
        Generalization errors, at least 0; leading axes hold separate distributions.

    Returns
    -------
    Dispersion
        ``(std, mad, iqr)``, floats for one distribution, else arrays. The median absolute
        deviation is not rescaled.

    Raises
    ------
    ValueError, TypeError
        If `errors` is empty, negative or not finite.

    Examples
    --------
    >>> dispersion([1.0, 2.0, 3.0, 4.0, 5.0])
    Dispersion(std=1.414213562, mad=1.0, iqr=2.0)
    """
    array = _sample(errors)
    median = np.median(array, axis=-1, keepdims=True)
    low, high = np.quantile(array, [0.25, 0.75], axis=-1)
    mad = np.median(np.abs(array - median), axis=-1)
    return Dispersion(*map(checks.plain, (array.std(axis=-1), mad, high - low)))


@public
def log_transform(errors: ArrayLike) -> FloatOrArray:
    r"""Transform long-tailed errors: :math:`\tilde G = \log(1 + G)`.

    Parameters
    ----------
    errors : float or array_like
        Generalization errors, at least 0.

    Returns
    -------
    float or ndarray
        The transformed errors; an error of 0 stays 0.

    Raises
    ------
    ValueError, TypeError
        If an error is negative or not finite.

    Examples
    --------
    >>> log_transform([0.0, np.e - 1])
    array([0., 1.])
    """
    return checks.plain(np.log1p(checks.within(errors, "errors", 0)))


@public
def probability_greater(second: ArrayLike, first: ArrayLike) -> float:
    r"""Estimate :math:`\operatorname{Prob}(G_2 > G_1)` from two empirical distributions.

    Parameters
    ----------
    second, first : array_like, shape (J,)
        Errors of the second and of the first model, on the same splits: element j of both comes
        from split j.

    Returns
    -------
    float
        Share of pairs in which the second error is the greater one; ties count half.

    Raises
    ------
    ValueError, TypeError
        If an error is negative or not finite, or the lengths differ.

    Examples
    --------
    >>> probability_greater([2.0, 3.0, 1.0], [1.0, 2.0, 1.0])
    0.8333333333
    """
    two = checks.within(second, "second", 0, ndim=1)
    one = checks.within(first, "first", 0, ndim=1)
    checks.same_length(second=two, first=one)
    return float((np.sign(two - one).mean() + 1) / 2)
