"""The 2x2 table of right and wrong predictions of two classifiers on one test set.

In the lecture's notation ``n01`` counts the examples that A gets wrong and B right, ``n10`` those
that A gets right and B wrong. So ``n01 - n10`` is the number of errors of A minus that of B.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import FloatArray, IntArray
from errlab._core.public import public


@public
def mcnemar_table(y_true: ArrayLike, pred_a: ArrayLike, pred_b: ArrayLike) -> IntArray:
    """Count the examples for each outcome: ``table[i, j]``, i for A, j for B, 0 wrong, 1 right.

    ``table[0, 1]`` is n01, the examples that A gets wrong and B right; ``table[1, 0]`` is n10.

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
    # two binary digits for each example: A right, B right
    cells = 2 * np.asarray(a == true, dtype=np.int64) + np.asarray(b == true, dtype=np.int64)
    return np.bincount(cells, minlength=4).reshape(2, 2).astype(np.int64)


def cells_of(table: ArrayLike) -> FloatArray:
    """Check tables of shape (..., 2, 2), and return n00, n01, n10 and n11."""
    if is_labelled(table):  # labelled rows and columns may come in any order
        only_a, only_b = of_labelled(table)
        rows, columns = sides_of(table)
        cells = np.asarray(table)
        both = (cells[rows.index(side), columns.index(side)] for side in ("wrong", "right"))
        wrong, right = both
        table = [[wrong, only_a], [only_b, right]]
    counts = checks.count(table, "table", 0).astype(float)
    if counts.shape[-2:] != (2, 2):
        raise ValueError(f"table must have shape (..., 2, 2), got {counts.shape}")
    checks.require((counts.sum(axis=(-1, -2)) > 0).all(), "table", "count at least 1 example", 0)
    return np.moveaxis(counts.reshape(*counts.shape[:-2], 4), -1, 0)


_RIGHT = {"right", "correct", "hit", "pass", "passed"}
_WRONG = {"wrong", "incorrect", "error", "miss", "fail", "failed"}


def of_labelled(table: object) -> tuple[int, int]:
    """Return n01 and n10 from a table with labelled rows and columns.

    Rows are for A, columns for B. Without labels, the meaning of a cell depends on the library:
    here the second cell of the first row counts examples that only A gets wrong; in mlxtend's
    `mcnemar_table`, those that only model 2 gets wrong.
    """
    if isinstance(table, (int, float)):
        raise TypeError(
            "mcnemar() needs both counts, as in mcnemar(only_a_wrong=12, only_b_wrong=3), got one"
        )
    if not is_labelled(table):
        raise ValueError(
            "mcnemar takes a table only with rows and columns that are labelled right and wrong, "
            "rows for A: what its cells count differs between libraries; name the two counts, as "
            "in mcnemar(only_a_wrong=table[1][0], only_b_wrong=table[0][1]) for mlxtend's "
            "mcnemar_table, or for statsmodels with rows and columns right, wrong"
        )
    rows, columns = sides_of(table)
    cells = np.asarray(table)
    only_a = cells[rows.index("wrong"), columns.index("right")]
    return only_a, cells[rows.index("right"), columns.index("wrong")]


def is_labelled(table: object) -> bool:
    """Whether the rows and columns of a table are labelled."""
    return [sorted(sides) for sides in sides_of(table)] == [["right", "wrong"]] * 2


def sides_of(table: object) -> list[list[str]]:
    """Return "right", "wrong" or "unknown" for each row and column; empty without labels."""
    axes = (getattr(table, "index", ()), getattr(table, "columns", ()))
    # lists also have an `index`, but it is a method
    return [[] if callable(axis) else list(map(_right_or_wrong, axis)) for axis in axes]


def counts_of(only_a_wrong: FloatArray, only_b_wrong: FloatArray) -> tuple[int, int] | None:
    """Return both counts of a single table, for printing, and None for several tables."""
    if np.ndim(only_a_wrong) or np.ndim(only_b_wrong):
        return None
    return int(only_a_wrong), int(only_b_wrong)


def _right_or_wrong(label: object) -> str:
    """Return whether a label means right, wrong, or is unknown."""
    last = str(label).strip().lower().rpartition(" ")[2]
    return "right" if last in _RIGHT else "wrong" if last in _WRONG else "unknown"
