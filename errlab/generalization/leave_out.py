"""Leave-out resampling without repeats: many splits of one data set, no two of them alike."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab._core import checks
from errlab._core.checks import FloatArray, Seed
from errlab._core.public import public
from errlab._numerics import least_squares

__all__ = ["leave_out_errors_linear", "leave_out_splits"]


@public
def leave_out_splits(
    N: int, test_size: float, resamples: int, *, rng: Seed = None
) -> NDArray[np.bool_]:
    r"""Draw different subsets of the cases to leave out.

    Parameters
    ----------
    N : int
        Number of cases, at least 2.
    test_size : float
        Share :math:`\gamma` to leave out, in (0, 1); :math:`\lceil N \gamma \rceil` cases, which
        must leave one to train on.
    resamples : int
        Number J of subsets, at most the number that exist.
    rng : seed, Generator or None
        Draws them.

    Returns
    -------
    ndarray of bool, shape (J, N)
        True where a case is left out; all rows differ.

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
    share = checks.within(test_size, "test_size", 0, 1, open_low=True, open_high=True, ndim=0)
    size = max(1, int(np.ceil(round(n * float(share), 9))))  # 0.07 * 100 is a little above 7
    if size == n:
        raise ValueError(f"test_size must leave a case to train on, got {float(share):g} of {n}")
    if comb(n, size) < J:
        raise ValueError(
            f"resamples must be at most {comb(n, size)}, the number of ways to leave {size} of "
            f"{n} cases out, got {J}"
        )
    generator = checks.generator(rng)
    if comb(n, size) <= 2 * J:  # nearly all are wanted: list them
        every = np.array(list(combinations(range(n), size)))
        chosen = every[generator.permutation(len(every))[:J]]
        return _mask(chosen, n)
    found = np.zeros((0, n), dtype=bool)
    while len(found) < J:
        draw = _mask(generator.random((J, n)).argpartition(size - 1, axis=1)[:, :size], n)
        # Repeats go: rows are compared as packed bits, and the first of each stays.
        joined = np.vstack([found, draw])
        packed = np.packbits(joined, axis=1)
        first = np.unique(packed, axis=0, return_index=True)[1]
        found = joined[np.sort(first)]
    return found[:J]


def _mask(chosen: NDArray[np.intp], n: int) -> NDArray[np.bool_]:
    mask = np.zeros((len(chosen), n), dtype=bool)
    np.put_along_axis(mask, chosen, True, axis=1)
    return mask


@public
def leave_out_errors_linear(
    X: ArrayLike,
    y: ArrayLike,
    *,
    test_size: float = 0.25,
    resamples: int = 500,
    ridge: float = 0.0,
    rng: Seed = None,
) -> FloatArray:
    """Estimate the error of least squares or ridge regression on many different splits at once.

    Parameters
    ----------
    X : array_like, shape (N, p)
        Design matrix; no intercept is added.
    y : array_like, shape (N,)
        Targets.
    test_size : float
        Share to leave out, in (0, 1), rounded up to whole cases.
    resamples : int
        Number of splits, no two alike.
    ridge : float
        Penalty, at least 0, added to the sum of squares.
    rng : seed, Generator or None
        Draws the splits.

    Returns
    -------
    ndarray, shape (resamples,)
        Mean squared error on the cases that each split leaves out.

    Raises
    ------
    ValueError, TypeError
        If the input is not usable.

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
    alpha = float(checks.within(ridge, "ridge", 0, ndim=0))
    out = leave_out_splits(len(targets), test_size, resamples, rng=rng)
    penalty = np.full(design.shape[1], alpha)
    beta = least_squares.coefficients(design, targets[:, None], (~out).astype(float), penalty)
    # Splits x cases; a split counts the cases that it leaves out.
    squares = (targets - beta[:, :, 0] @ design.T) ** 2
    return np.asarray((squares * out).sum(axis=1) / out.sum(axis=1))
