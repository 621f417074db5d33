"""The F score of one class."""

from __future__ import annotations

from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.public import public
from errlab.metrics.confusion import confusion

__all__ = ["f_score"]


@public
def f_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, beta: float = 1.0, positive: object = None
) -> float:
    r"""F score: the harmonic mean of precision and recall, recall weighted :math:`\beta^2`.

    .. math:: F_\beta = \frac{(1 + \beta^2) TP}{(1 + \beta^2) TP + \beta^2 FN + FP}

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        True and predicted labels.
    beta : float
        Weight of recall, above 0; 1 gives F1.
    positive : label, optional
        The positive label, as in `confusion`.

    Returns
    -------
    float
        The score, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If no case is positive, neither in truth nor as called, `beta` is not above 0, or strings
        are mixed with numbers.

    Examples
    --------
    >>> f_score([1, 1, 0, 0], [1, 0, 1, 0])
    0.5
    """
    importance = float(checks.within(beta, "beta", 0, open_low=True, ndim=0))
    weight = min(importance, 1e100) ** 2  # with more than this it is the recall to the last digit
    table = confusion(y_true, y_pred, positive=positive)
    total = (1 + weight) * table.tp + weight * table.fn + table.fp
    if total == 0:
        raise ValueError("f_score needs at least one positive case, true or called, got none")
    return (1 + weight) * table.tp / total
