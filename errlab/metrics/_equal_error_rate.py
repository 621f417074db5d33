"""The equal error rate: the point of a ROC curve at which both error rates are equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.public import public


@public
def equal_error_rate(fpr: ArrayLike, tpr: ArrayLike) -> float:
    r"""Equal error rate: where :math:`FPR = FNR = 1 - TPR` on the curve.

    It is at the point where the ROC curve, with straight lines between its points, crosses the line
    from the top left to the bottom right.

    Parameters
    ----------
    fpr, tpr : array_like, shape (m,)
        A ROC curve from (0, 0) to (1, 1), on which neither rate falls.

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
    x, y = checks.mean(fpr, "fpr", ndim=1), checks.mean(tpr, "tpr", ndim=1)
    for name, rate in (("fpr", x), ("tpr", y)):
        rises = rate[0] == 0 and rate[-1] == 1 and (np.diff(rate) >= 0).all()
        checks.require(rises, name, "rise from 0 to 1 in one row", rate.tolist())
    checks.same_length(fpr=x, tpr=y)
    # FPR - FNR rises from -1 to 1 along the curve, and is 0 at the equal error rate
    return float(np.interp(0.0, x + y - 1, x))
