"""The exact coverage and width of a bound for 0/1 losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, FloatOrArray, Scalar
from errlab._core.public import public
from errlab.coverage._outcomes import (
    SIDES,
    Ends,
    Side,
    between,
    covered,
    is_one_range,
    outcomes,
    probabilities,
    width,
)

_SAME = 1e-12  # coverages closer than this are equal but for rounding


class Worst(NamedTuple):
    """The worst coverage, and the true error at which, or next to which, it occurs."""

    coverage: float
    error: float


def _each_size(
    key: str,
    error: ArrayLike,
    n: ArrayLike,
    delta: ArrayLike,
    side: Side,
    evaluate: Callable[[Ends, FloatArray, int], FloatArray],
) -> FloatOrArray:
    """Validate, then evaluate all errors of each distinct pair of `n` and `delta` at once."""
    checks.choice(side, "side", SIDES)
    e, size, level = checks.same_shape(
        error=checks.mean(error, "error"), n=checks.count(n), delta=checks.delta(delta)
    )
    # The bound is evaluated once for each size and level, however many errors there are.
    pairs = np.stack([size.ravel().astype(float), level.ravel()])
    distinct, which = np.unique(pairs, axis=1, return_inverse=True)
    result = np.empty(e.size)
    for index, (cases, one_level) in enumerate(distinct.T):
        here = which.ravel() == index
        ends = outcomes(key, int(cases), float(one_level), side)
        result[here] = evaluate(ends, e.ravel()[here], int(cases))
    return checks.plain(result.reshape(e.shape))


@overload
def exact(
    key: str, error: Scalar, n: Scalar, *, delta: Scalar = 0.05, side: Side = "upper"
) -> float: ...
@overload
def exact(
    key: str, error: ArrayLike, n: ArrayLike, *, delta: ArrayLike = 0.05, side: Side = "upper"
) -> FloatArray: ...
@public
def exact(
    key: str,
    error: ArrayLike,
    n: ArrayLike,
    *,
    delta: ArrayLike = 0.05,
    side: Side = "upper",
) -> FloatOrArray:
    r"""Return the exact probability that bound `key` holds, for 0/1 losses (survey Eq. 8).

    .. math:: C(L, n) = \sum_{k : L \le U(k/n)} \binom nk L^k (1-L)^{n-k}

    Where the bound grows with the count, as all of ours do, that is one binomial tail from the
    smallest count whose bound holds. That is checked, and the sum is taken where it fails. A
    bound that depends on the order of the losses is evaluated on all :math:`2^n` sequences.

    Parameters
    ----------
    key : str
        Short name of the bound, a key of `errlab.bounds.BOUNDS`.
    error : float or array_like
        True error, in [0, 1]. It broadcasts with `n` and `delta`.
    n : int or array_like
        Number of test cases, at least 1; at most 14 for a bound that needs the losses.
    delta : float or array_like
        Probability that the bound may fail, in (0, 1).
    side : {"upper", "lower", "two-sided"}
        Which bound must hold: the upper, the lower, or both ends of the interval.

    Returns
    -------
    float or ndarray
        The coverage, in [0, 1]; a float where every argument is a scalar.

    Raises
    ------
    ValueError, TypeError
        If the key or the side is unknown, or an argument is out of range.

    References
    ----------
    Anguita et al., survey, Eq. 8 and Figs. 5 to 8.

    Examples
    --------
    >>> round(exact("WIL", 0.25, 10), 4)
    0.9437
    >>> exact("CP", [0.1, 0.2, 0.3], 10).round(4)
    array([1.    , 1.    , 0.9718])
    """
    return _each_size(key, error, n, delta, side, covered)


@public
def expected_width(
    key: str,
    error: ArrayLike,
    n: ArrayLike,
    *,
    delta: ArrayLike = 0.05,
    side: Side = "upper",
) -> FloatOrArray:
    r"""Return the exact mean width of bound `key`, for 0/1 losses.

    The width is :math:`U - \hat L_n` for the upper bound (the survey's unluckiness factor),
    :math:`\hat L_n` minus the bound for the lower, and high minus low for the interval.
    Parameters and errors are those of `exact`.

    Returns
    -------
    float or ndarray
        The mean width; a float where every argument is a scalar.

    Examples
    --------
    >>> round(expected_width("CP", 0.25, 200), 4)
    0.0553
    """

    def mean_width(ends: Ends, errors: FloatArray, size: int) -> FloatArray:
        widths = width(ends.low, ends.high, ends.mean, side)
        return np.asarray(probabilities(ends, errors, size) @ widths)

    return _each_size(key, error, n, delta, side, mean_width)


@public
def worst(
    key: str,
    n: int,
    *,
    delta: float = 0.05,
    side: Side = "upper",
    within: tuple[float, float] = (0.0, 1.0),
) -> Worst:
    """Return the lowest coverage over all true errors, exactly, for 0/1 losses.

    Between two values of the bound the counts that cover are one fixed range, whose probability
    rises and then falls in the error. So its lowest value is next to one of those values, or at
    an end of `within`, and the limits from both sides are all that has to be looked at. A limit
    need not be attained: with no error at all, a bound of 0 fails for every error above 0.

    Parameters
    ----------
    key : str
        Short name of the bound, a key of `errlab.bounds.BOUNDS`.
    n : int
        Number of test cases, at least 1.
    delta : float
        Probability that the bound may fail, in (0, 1).
    side : {"upper", "lower", "two-sided"}
        Which bound must hold.
    within : tuple of float
        The smallest and the largest true error to consider, in [0, 1].

    Returns
    -------
    Worst
        ``(coverage, error)``: the infimum, and the true error at or next to which it lies; the
        smallest one, where there are several, as with Clopper-Pearson.

    Raises
    ------
    ValueError, TypeError
        If the key or the side is unknown, an argument is out of range, or the counts that cover
        are not one range (a bound that depends on the order of the losses).

    Examples
    --------
    >>> coverage, error = worst("WIL", 10, within=(0, 0.5))
    >>> round(coverage, 4), round(error, 4)
    (0.9088, 0.2129)
    >>> round(worst("CP", 10).coverage, 4)
    0.95
    """
    size = checks.one_count(n)
    level = checks.one_delta(delta)
    checks.choice(side, "side", SIDES)
    limits = checks.mean(within, "within")
    if limits.shape != (2,):
        raise ValueError(f"within must hold two errors, got shape {limits.shape}")
    low, high = limits
    if low > high:
        raise ValueError(f"within must go from the smallest to the largest error, got {within}")
    ends = outcomes(key, size, level, side)
    if not is_one_range(ends):
        raise ValueError(f"worst needs a bound that never falls in the count of errors, not {key}")
    # The true errors at which a count starts or stops covering: the ends of all intervals.
    jumps = np.concatenate([ends.low, ends.high])
    jumps = np.unique(np.concatenate([[low, high], jumps[(jumps > low) & (jumps < high)]]))
    inner = (jumps[1:] + jumps[:-1]) / 2  # the counts that cover are the same between two jumps
    # Between two jumps the counts first .. last cover: the first whose upper end is not below
    # the error, the last whose lower end is not above it.
    first = np.searchsorted(np.maximum.accumulate(ends.high), inner, side="left")
    last = np.searchsorted(np.maximum.accumulate(ends.low), inner, side="right") - 1
    # The limits from the right and from the left of each jump, and the two ends themselves.
    errors = np.concatenate([jumps[:-1], jumps[1:], [low, high]])
    coverage = np.concatenate(
        [
            between(first, last, size, jumps[:-1]),
            between(first, last, size, jumps[1:]),
            covered(ends, np.array([low, high]), size),
        ]
    )
    lowest = coverage.min()
    # the rounding of the ends and of the sums grows with the number of counts
    equal = coverage <= lowest + max(_SAME, 4 * size * np.finfo(float).eps)
    return Worst(float(lowest), float(errors[equal].min()))
