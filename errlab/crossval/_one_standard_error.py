"""The one-standard-error rule: the simplest model that is about as good as the best."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.public import public


@public
def one_standard_error(means: ArrayLike, standard_errors: ArrayLike, complexity: ArrayLike) -> int:
    """Choose the simplest model within one standard error of the best one.

    Parameters
    ----------
    means, standard_errors : array_like, shape (m,)
        Estimated error of each model, and its standard error (at least 0).
    complexity : array_like, shape (m,)
        A number that grows with complexity. Among models of equal complexity the best is chosen; if
        these are equal, too, the first.

    Returns
    -------
    int
        Index of the chosen model.

    Raises
    ------
    ValueError, TypeError
        If the lengths differ, a number is not finite, or a standard error is negative.

    References
    ----------
    Hastie, Tibshirani & Friedman, *The Elements of Statistical Learning*, Section 7.10; lecture
    notes, "the one standard error rule".

    Examples
    --------
    >>> one_standard_error([0.30, 0.22, 0.20, 0.21], [0.03, 0.03, 0.03, 0.03], [1, 2, 3, 4])
    1
    """
    error = checks.numbers(means, "means", ndim=1)
    spread = checks.within(standard_errors, "standard_errors", 0, ndim=1)
    order = checks.numbers(complexity, "complexity", ndim=1)
    checks.same_length(means=error, standard_errors=spread, complexity=order)
    best = int(error.argmin())
    limit = error[best] + spread[best]
    # tolerance for rounding, so that a tie is within one standard error
    near = np.flatnonzero(error <= limit + 1e-12 * abs(limit))
    return int(near[np.lexsort((error[near], order[near]))[0]])
