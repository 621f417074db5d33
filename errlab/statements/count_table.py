"""Labels from a confusion matrix of counts, with one row for each true class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.checks import Labels
from errlab.metrics._confusion import Confusion

_MOST = 10**8  # largest number of examples for which labels are written out


def labels_of(
    table: ArrayLike | Confusion, *, given: dict[str, Any], sided: bool = False
) -> tuple[Labels, Labels]:
    """Return the true and the predicted label of each example that a table counts.

    Rows are the true classes, columns the predicted ones, as in scikit-learn's `confusion_matrix`.

    Parameters
    ----------
    given : dict
        Arguments that a table replaces.
    sided : bool
        Whether the result depends on which class is positive, so that two classes need names.
    """
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"give table by itself, not with {name}")
    if isinstance(table, Confusion):
        counted = [[table.tn, table.fp], [table.fn, table.tp]]
        return labels_of(counted, given={})
    names: Labels | None = None
    if hasattr(table, "columns") and hasattr(table, "index"):
        names = checks.labels(list(table.columns), "the columns of table")
        rows = checks.labels(list(getattr(table, "index")), "the rows of table")  # noqa: B009
        if sorted(map(str, rows)) != sorted(map(str, names)):
            raise ValueError(
                "table must have the same classes in rows (true) and columns (predicted), got rows "
                f"{checks.show(rows.tolist())} and columns {checks.show(names.tolist())}"
            )
        order = [list(map(str, rows)).index(str(name)) for name in names]
        table = np.asarray(table)[order]
    counts = checks.count(table, "table", 0)
    square = counts.ndim == 2 and counts.shape[0] == counts.shape[1] >= 2
    checks.require(square, "table", "be square, with a row for each true class", counts.shape)
    total = int(counts.sum())
    checks.require(0 < total <= _MOST, "table", f"count 1 .. {_MOST:,} examples", total)
    if names is None:
        if len(counts) == 2 and sided:
            raise ValueError(
                "table of two classes must say which row is which: name them, as in "
                "errlab.metrics.Confusion(tp=8, fp=2, fn=4, tn=86) or a DataFrame with rows (true) "
                "and columns (predicted) called 0 and 1"
            )
        names = np.arange(len(counts))
    true, predicted = (np.repeat(side.ravel(), counts.ravel()) for side in np.indices(counts.shape))
    return names[true], names[predicted]
