"""The equal error rate, read off a ROC curve by interpolation."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.public import public

__all__ = ["equal_error_rate"]


@public
def equal_error_rate(fpr: ArrayLike, tpr: ArrayLike) -> float:
    r"""Equal error rate: where :math:`FPR = FNR = 1 - TPR` on the curve.

    The point where the ROC curve, its points joined by straight lines, meets the line from the
    top left to the bottom right.

    Parameters
    ----------
    fpr, tpr : array_like, shape (m,)
        A ROC curve from (0, 0) to (1, 1), neither rate ever falling.

    Returns
    -------
    float
        The rate, in [0, 1]; 0 for a perfect ranking, 1/2 for chance.

    Raises
    ------
    ValueError, TypeError
        If the curve does not run from (0, 0) to (1, 1), or falls.

    Examples
    --------
    >>> equal_error_rate([0, 0.25, 1], [0, 0.75, 1])
    0.25
    """
    x = checks.mean(fpr, "fpr")
    y = checks.mean(tpr, "tpr")
    for name, rate in (("fpr", x), ("tpr", y)):
        if rate.ndim != 1 or rate[0] != 0 or rate[-1] != 1 or (np.diff(rate) < 0).any():
            raise ValueError(
                f"{name} must rise from 0 to 1 in one row, got {checks.show(rate.tolist())}"
            )
    checks.same_length(fpr=x, tpr=y)
    excess = x + y - 1  # FPR - FNR, from -1 up to 1
    # the first point beyond the diagonal; a straight line joins it to the one before
    after = int(np.argmax(excess >= 0))
    before = after - 1
    share = -excess[before] / (excess[after] - excess[before])
    return float(x[before] + share * (x[after] - x[before]))
