"""The 2x2 table of two classifiers on one test set.

In the lecture's notation ``n01`` counts the cases that A gets wrong and B right, ``n10`` those
that A gets right and B wrong. Thus ``n01 - n10`` is the errors of A minus the errors of B.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray
from errlab._core.public import public


@public
def mcnemar_table(y_true: ArrayLike, pred_a: ArrayLike, pred_b: ArrayLike) -> IntArray:
    """Count the cases by who is wrong: ``table[i, j]``, i for A and j for B, 0 = wrong, 1 = right.

    ``table[0, 1]`` is n01, the cases that A gets wrong and B right; ``table[1, 0]`` is n10.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True labels.
    pred_a, pred_b : array_like, shape (n,)
        Predicted labels of A and of B.

    Returns
    -------
    ndarray of int, shape (2, 2)
        ``[[n00, n01], [n10, n11]]``.

    Raises
    ------
    ValueError, TypeError
        As `errlab.losses.hard_loss` does.

    References
    ----------
    Lecture notes, "Comparison of two algorithms on the same test set".

    Examples
    --------
    >>> mcnemar_table([0, 1, 1, 0], [0, 0, 0, 0], [0, 1, 0, 1])
    array([[1, 1],
           [1, 1]])
    """
    true, a, b = checks.same_labels(y_true=y_true, pred_a=pred_a, pred_b=pred_b)
    # the row of a case in binary: A right, B right
    cells = 2 * np.asarray(a == true, dtype=np.int64) + np.asarray(b == true, dtype=np.int64)
    return np.bincount(cells, minlength=4).reshape(2, 2).astype(np.int64)


def cells_of(table: ArrayLike) -> FloatArray:
    """Check tables of shape (..., 2, 2), and return n00, n01, n10 and n11."""
    counts = checks.count(table, "table", 0).astype(float)
    if counts.shape[-2:] != (2, 2):
        raise ValueError(f"table must have shape (..., 2, 2), got {counts.shape}")
    checks.require((counts.sum(axis=(-1, -2)) > 0).all(), "table", "count at least 1 case", 0)
    return np.moveaxis(counts.reshape(*counts.shape[:-2], 4), -1, 0)
