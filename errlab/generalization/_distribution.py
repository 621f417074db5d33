"""Resampling the generalization error, and describing its distribution by a few numbers."""

from __future__ import annotations

from math import ceil, comb
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray, Seed
from errlab._core.public import public
from errlab._core.spoken import Spoken, shorten
from errlab._numerics import least_squares


@public
def leave_out_splits(
    N: int, test_size: float, resamples: int, *, rng: Seed = 0
) -> NDArray[np.bool_]:
    r"""Draw distinct subsets of the examples to leave out.

    Parameters
    ----------
    N : int
        Number of examples, at least 2.
    test_size : float
        Fraction :math:`\gamma` to leave out, in (0, 1): :math:`\lceil N \gamma \rceil` examples, so
        that at least one is left to train on.
    resamples : int
        Number J of subsets, at most the number of distinct ones.
    rng : seed, Generator or None
        Draws the subsets; the same in each call by default.

    Returns
    -------
    ndarray of bool, shape (J, N)
        True if an example is left out; all rows differ.

    Raises
    ------
    ValueError, TypeError
        If there are fewer than J subsets, or nothing is left to train on.

    References
    ----------
    Larsen & Hansen, the basic algorithm, steps 1 and 2.

    Examples
    --------
    >>> leave_out_splits(4, 0.5, 6, rng=0).sum(axis=0)  # all six pairs
    array([3, 3, 3, 3])
    """
    n = checks.one_count(N, "N", 2)
    J = checks.one_count(resamples, "resamples")
    share = checks.one_delta(test_size, "test_size")
    size = ceil(round(n * share, 9)) or 1  # round first, because 0.07 * 100 is slightly above 7
    checks.require(size < n, "test_size", "leave an example to train on", test_size)
    ways = comb(n, size)
    checks.require(ways >= J, "resamples", f"be at most {ways}, which is all the splits", J)
    generator = checks.generator(rng)
    splits: dict[bytes, NDArray[np.bool_]] = {}  # distinct splits in the order of drawing
    while len(splits) < J:
        # Give each example a random number, and leave out the examples with the smallest.
        ranks = generator.random((J, n)).argsort(axis=1).argsort(axis=1)
        splits |= {row.tobytes(): row for row in ranks < size}
    return np.array([*splits.values()][:J])


@public
def leave_out_errors_linear(
    X: ArrayLike,
    y: ArrayLike,
    *,
    test_size: float = 0.25,
    resamples: int = 500,
    rng: Seed = 0,
) -> FloatArray:
    """Estimate the error of least squares on many different splits at once.

    Parameters
    ----------
    X : array_like, shape (N, p)
        Design matrix; no intercept is added.
    y : array_like, shape (N,)
        Targets.
    test_size : float
        Fraction to leave out, in (0, 1), rounded up to whole examples.
    resamples : int
        Number of splits, all different.
    rng : seed, Generator or None
        Draws the splits; the same in each call by default.

    Returns
    -------
    ndarray, shape (resamples,)
        Mean squared error on the examples that each split leaves out.

    Raises
    ------
    ValueError, TypeError
        If the shapes of the arguments don't fit, or an option is invalid.

    References
    ----------
    Larsen & Hansen, Eq. 7.

    Examples
    --------
    >>> X = np.arange(1.0, 13)[:, None]
    >>> leave_out_errors_linear(X, 2 * X[:, 0], resamples=3, rng=0).round(9)
    array([0., 0., 0.])
    """
    design = checks.matrix(X)
    targets = checks.within(y, "y", -checks.LARGE, checks.LARGE, ndim=1)
    checks.same_length(X=design, y=targets)
    out = leave_out_splits(len(targets), test_size, resamples, rng=rng)
    beta = least_squares.coefficients(design, targets[:, None], (~out).astype(float))
    # Splits x examples; each split counts the examples that it leaves out.
    squares = (targets - beta[:, :, 0] @ design.T) ** 2
    return np.asarray((squares * out).sum(axis=1) / out.sum(axis=1))


class _Location(NamedTuple):
    mean: FloatOrArray
    trimmed_mean: FloatOrArray
    median: FloatOrArray


class _Dispersion(NamedTuple):
    std: FloatOrArray
    mad: FloatOrArray
    iqr: FloatOrArray


def _sample(errors: ArrayLike) -> FloatArray:
    array = checks.within(errors, "errors", 0, checks.LARGE)
    checks.require(array.ndim, "errors", "have an axis of resamples", errors)
    return array


@public
def location(errors: ArrayLike) -> Location:
    """Return the mean, 5 % trimmed mean and median of the generalization errors.

    The trimmed mean is the average after leaving out 5% of the errors at each end; the integral in
    the paper lacks the factor 1/.9 of an average.

    Parameters
    ----------
    errors : array_like, shape (..., J)
        Generalization errors, at least 0; leading axes are separate distributions.

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
    Location(mean=56.66..., trimmed_mean=10.0, median=10.0)
    """
    array = _sample(errors)
    trimmed_mean = scipy.stats.trim_mean(array, 0.05, axis=-1)
    numbers = (array.mean(axis=-1), trimmed_mean, np.median(array, axis=-1))
    return Location(*map(checks.plain, numbers))


@public
def dispersion(errors: ArrayLike) -> Dispersion:
    """Return the standard deviation (1/J), median absolute deviation and interquartile range.

    Parameters
    ----------
    errors : array_like, shape (..., J)
        Generalization errors, at least 0; leading axes are separate distributions.

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
    Dispersion(std=1.4142..., mad=1.0, iqr=2.0)
    """
    array = _sample(errors)
    mad = scipy.stats.median_abs_deviation(array, axis=-1)
    parts = (array.std(axis=-1), mad, scipy.stats.iqr(array, axis=-1))
    return Dispersion(*map(checks.plain, parts))


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
        Fraction of pairs in which the second error is greater; ties count half.

    Raises
    ------
    ValueError, TypeError
        If an error is negative or not finite, or the lengths differ.

    Examples
    --------
    >>> probability_greater([2.0, 3.0, 1.0], [1.0, 2.0, 1.0])
    0.8333...
    """
    two = checks.within(second, "second", 0, ndim=1)
    one = checks.within(first, "first", 0, ndim=1)
    checks.same_length(second=two, first=one)
    return float(np.heaviside(two - one, 0.5).mean())


class Location(_Location, Spoken):
    """The location of a distribution: mean, 5 % trimmed mean, median (floats or arrays)."""

    def claim(self) -> str:
        """Return the result in a sentence."""
        parts = (f"{name} {shorten(part)}" for name, part in self.to_dict().items())
        return f"Where the errors lie: {', '.join(parts)}."


class Dispersion(_Dispersion, Spoken):
    """The spread: standard deviation, median absolute deviation, interquartile range."""

    def claim(self) -> str:
        """Return the result in a sentence."""
        parts = (f"{name} {shorten(part)}" for name, part in self.to_dict().items())
        return f"How far the errors spread: {', '.join(parts)}."
