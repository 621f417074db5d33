"""Holm's adjustment of the p-values of several pairs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._core.public import public


@public
def holm(pvalues: ArrayLike) -> FloatArray:
    r"""Return Holm's adjusted p-values, which limit the probability of any false rejection.

    .. math:: \tilde p_{(i)} = \min\big(1, \max_{j \le i} (m - j + 1)\, p_{(j)}\big)

    The probability of one or more false rejections is at most `delta`, whatever the dependence.

    Parameters
    ----------
    pvalues : array_like, shape (m,)
        The p-values of m tests, each in [0, 1].

    Returns
    -------
    ndarray, shape (m,)
        Adjusted p-values, in the order of `pvalues`.

    Raises
    ------
    ValueError
        If a p-value leaves [0, 1].
    TypeError
        If a p-value is not a number.

    References
    ----------
    Holm, Scandinavian Journal of Statistics 6 (1979), 65-70.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p = checks.within(pvalues, "pvalues", 0, 1, ndim=1)
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def pairs_of(names: Sequence[str], baseline: str | None) -> list[tuple[int, int]]:
    """Return the positions of all pairs of names, or of all pairs with the baseline."""
    if baseline is None:
        return list(itertools.combinations(range(len(names)), 2))
    base = names.index(checks.choice(baseline, "baseline", names))
    return [(i, base) for i in range(len(names)) if i != base]
