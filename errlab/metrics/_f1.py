"""F scores, and an interval for F1 from three counts."""

from __future__ import annotations

from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._core.interval import Interval, claim
from errlab._core.public import public
from errlab.bounds import interval
from errlab.metrics._confusion import Confusion, confusion


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
        If no true or predicted label is positive, `beta` is not above 0, or strings are mixed with
        numbers.

    Examples
    --------
    >>> f_score([1, 1, 0, 0], [1, 0, 1, 0])
    0.5
    """
    # from 1e100 on, the score equals the recall to the last digit
    weight = min(float(checks.within(beta, "beta", 0, open_low=True, ndim=0)), 1e100) ** 2
    table = confusion(y_true, y_pred, positive=positive)
    total = (1 + weight) * table.tp + weight * table.fn + table.fp
    checks.require(total > 0, "y_true and y_pred", "hold at least one positive example", 0)
    return (1 + weight) * table.tp / total


@public
def f1(y_true: ArrayLike, y_pred: ArrayLike, *, positive: object = None) -> float:
    r"""F1 score: the harmonic mean of precision and recall.

    `f1_interval` gives its interval.

    .. math:: F_1 = \frac{2 TP}{2 TP + FN + FP}

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        True and predicted labels.
    positive : label, optional
        The positive label, as in `confusion`.

    Returns
    -------
    float
        The score, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If no true or predicted label is positive, or strings are mixed with numbers.

    Examples
    --------
    >>> round(f1([1, 1, 1, 0, 0], [1, 1, 0, 1, 0]), 4)  # 4 / (4 + 1 + 1)
    0.6667
    """
    return f_score(y_true, y_pred, positive=positive)


@public
def f1_interval(tp: int, fp: int, fn: int, *, delta: float = 0.05) -> Interval:
    r"""Exact interval for F1, from the counts of true positives and of both kinds of error.

    Among the examples that aren't true negatives, each is a true positive with probability
    :math:`J`, independently of the others, and F1 is an increasing function of :math:`J`:

    .. math:: F_1 = \frac{2 \, TP}{2 \, TP + FP + FN} = \frac{2 J}{1 + J}, \qquad
              TP \sim \mathrm{Bin}(TP + FP + FN, J)

    So Clopper-Pearson's interval for :math:`J` gives one for F1.

    Parameters
    ----------
    tp, fp, fn : int
        Numbers of true positives, false positives and false negatives, each at least 0, together at
        least 1.
    delta : float
        Probability that the interval may fail, in (0, 1).

    Returns
    -------
    Interval
        ``(low, high)`` for the F1 of the population from which the examples are drawn. Its coverage
        is at least ``1 - delta``.

    Raises
    ------
    ValueError
        If a count is negative or not whole, all three are 0, or `delta` leaves (0, 1).
    TypeError
        If an argument is not a number.

    References
    ----------
    Clopper & Pearson (1934) for the binomial proportion J, which is Jaccard's index; the relation
    of F1 to it is algebra.

    Examples
    --------
    >>> low, high = f1_interval(8, 0, 0)  # all found, no false alarm
    >>> round(low, 3), round(high, 3)
    (0.773, 1.0)
    """
    table = Confusion(tp, fp, fn, tn=0)
    low, high = interval("CP", errors=table.tp, n=table.n, delta=checks.one_delta(delta))
    ends = Interval(2 * low / (1 + low), 2 * high / (1 + high))
    return claim(ends, "F1", "Clopper-Pearson for Jaccard's index", "exact", delta)
