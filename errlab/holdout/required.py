"""How many test cases a bound needs before it is as tight as asked."""

from __future__ import annotations

import numpy as np

from errlab import _checks, bounds
from errlab.bounds import BOUNDS

_ONE_BY_ONE = 64  # up to here every n is looked at
_LARGEST = 2**50  # beyond, n * mean is no longer exact in floating point


def sample_size_for(
    key: str,
    *,
    epsilon: float | None = None,
    target: float | None = None,
    mean: float,
    delta: float = 0.05,
) -> int:
    r"""Return the smallest test set with which bound `key` reaches a width or a level.

    The mean loss is held fixed while `n` grows: it is what you expect to measure. A count
    ``n * mean`` need not be whole, and is not rounded (Clopper-Pearson takes the beta quantile
    there), since rounding would make the bound jump up and down with `n`. So held, every bound
    falls as `n` grows, or stays below the mean (some do where `delta` is above 1/2). Only the
    first few `n` are odd for some bounds, and these are looked at one by one. The variance is
    the largest possible one, ``mean * (1 - mean)``.

    Parameters
    ----------
    key : str
        Short name of the bound, a key of `errlab.bounds.BOUNDS`; not one that needs the losses.
    epsilon : float, optional
        Width to reach: bound minus mean at most this, above 0. Give either this or `target`.
    target : float, optional
        Level to reach: bound at most this, in (mean, 1].
    mean : float
        Mean loss that you expect on the test set, in [0, 1].
    delta : float
        Probability that the bound may fail, in (0, 1).

    Returns
    -------
    int
        The smallest `n` of at least 1 that reaches it.

    Raises
    ------
    ValueError, TypeError
        If not exactly one of `epsilon` and `target` is given, an argument is out of range, the
        bound needs the losses themselves, or 2**50 cases do not reach it.

    Examples
    --------
    >>> sample_size_for("HOE", epsilon=0.05, mean=0.1)
    600
    >>> sample_size_for("CP", target=0.05, mean=0.03)
    343
    """
    expected = float(_checks.mean(_checks.scalar_only(mean, "mean")))
    level = _goal(expected, epsilon, target)
    failure = _checks.one_delta(delta)
    if BOUNDS[key].needs == "losses":
        raise ValueError(f"bound {key!r} needs the losses, the expected mean does not tell enough")

    first = np.arange(1, _ONE_BY_ONE + 1)
    reached = np.flatnonzero(bounds.upper(key, expected, first, delta=failure) <= level)
    if reached.size:
        return int(first[reached[0]])
    low, high = _ONE_BY_ONE, 2 * _ONE_BY_ONE
    while bounds.upper(key, expected, high, delta=failure) > level:
        if high >= _LARGEST:
            raise ValueError(f"bound {key!r} does not reach {level:g} with {_LARGEST} cases")
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if bounds.upper(key, expected, middle, delta=failure) <= level:
            high = middle
        else:
            low = middle
    return high


def _goal(mean: float, epsilon: float | None, target: float | None) -> float:
    """Return the level that the bound must not exceed."""
    if (epsilon is None) == (target is None):
        given = "neither" if epsilon is None else "both"
        raise ValueError(f"give either epsilon or target, got {given}")
    if target is None:
        width = _checks.within(_checks.scalar_only(epsilon, "epsilon"), "epsilon", 0, open_low=True)
        return mean + float(width)
    level = float(_checks.mean(_checks.scalar_only(target, "target"), "target"))
    if level <= mean and level < 1:
        raise ValueError(f"target must be above mean = {mean:g}, got {level:g}")
    return level
