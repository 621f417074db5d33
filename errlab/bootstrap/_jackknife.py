"""The jackknife: bias and standard error of a statistic from its leave-one-out values."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.public import public

__all__ = ["Jackknife", "jackknife"]


class Jackknife(NamedTuple):
    """The bias-corrected estimate, the bias and the standard error."""

    estimate: float
    bias: float
    standard_error: float


@public
def jackknife(value: float, left_out: ArrayLike) -> Jackknife:
    r"""Jackknife a statistic.

    .. math:: bias = (n-1) (\bar\theta_{(\cdot)} - \hat\theta), \quad
              se^2 = \frac{n-1}{n} \sum_i (\theta_{(i)} - \bar\theta_{(\cdot)})^2

    Nothing is drawn at random, and nothing is drawn with replacement (the lecture notes say
    so): each case is left out once.

    Parameters
    ----------
    value : float
        The statistic of all n cases.
    left_out : array_like, shape (n,)
        The statistic without each case in turn, n at least 2.

    Returns
    -------
    Jackknife
        ``(estimate, bias, standard_error)`` with ``estimate = value - bias``.

    Raises
    ------
    ValueError, TypeError
        If a number is not finite, or there is a single one.

    References
    ----------
    Efron & Tibshirani (1993), *An Introduction to the Bootstrap*, Chapter 11.

    Examples
    --------
    >>> x = np.array([1.0, 2.0, 6.0])  # the 1/n variance becomes the 1/(n-1) variance
    >>> result = jackknife(x.var(), [x[[1, 2]].var(), x[[0, 2]].var(), x[[0, 1]].var()])
    >>> round(result.estimate, 12), x.var(ddof=1).item()
    (7.0, 7.0)
    """
    theta = float(checks.numbers(checks.scalar_only(value, "value"), "value"))
    values = checks.within(left_out, "left_out", -checks.LARGE, checks.LARGE, ndim=1)
    n = len(values)
    if n < 2:
        raise ValueError(f"left_out must hold at least 2 values, got {n}")
    bias = float((n - 1) * (values.mean() - theta))
    return Jackknife(theta - bias, bias, float(np.sqrt(n - 1) * values.std()))
