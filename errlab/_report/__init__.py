"""What may be claimed: predictions in, an honest statement out."""

from __future__ import annotations

from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from errlab import _checks
from errlab._public import public
from errlab._report._pair import PairReport, pair
from errlab._report._single import Report, single
from errlab.compare._result import two_names

__all__ = ["PairReport", "Report", "report"]


@overload
def report(y_true: ArrayLike, y_pred: ArrayLike, *, delta: float = 0.05) -> Report: ...
@overload
def report(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    pred_b: ArrayLike,
    *,
    delta: float = 0.05,
    names: tuple[str, str] = ("A", "B"),
    margin: float | None = None,
) -> PairReport: ...


@public
def report(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    pred_b: ArrayLike | None = None,
    *,
    delta: float = 0.05,
    names: tuple[str, str] = ("A", "B"),
    margin: float | None = None,
) -> Report | PairReport:
    """Say what a test allows to claim about one classifier, or about two on the same cases.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        True and predicted labels of the test cases, of any type. They are compared as labels.
    pred_b : array_like, shape (n,), optional
        The predictions of a second classifier for the same cases; `y_pred` is the first one's.
    delta : float
        Probability that a claim may fail, in (0, 1); each claim is made by itself.
    names : tuple of str
        What to call the two classifiers.
    margin : float, optional
        By how much the second may be worse than the first and still do, as a difference of error
        rates in (0, 1): 0.01 is one percentage point. Then the report says whether the second is
        better, worse, not worse by more than the margin, or whether the test cannot tell.

    Returns
    -------
    Report or PairReport
        Text when printed, HTML in a notebook, a picture by ``.plot()``; a `PairReport` where
        there is a second classifier.

    Raises
    ------
    ValueError
        If the lengths differ, there is no case, a label is missing, `y_pred` holds scores or
        probabilities, or the two columns hold entirely different labels (0 and 1, or -1 and +1,
        belong together). For graded losses take ``bounds.interval("BET", losses=...)``.
    TypeError
        If strings are compared with numbers.

    References
    ----------
    Anguita et al., survey, Eqs. 23 to 26.

    Examples
    --------
    >>> y_true = [0] * 200
    >>> y_pred = [0] * 193 + [1] * 7
    >>> print(report(y_true, y_pred))
    7 errors in 200 test cases: an error rate of 3.5%.
    With 95% confidence the true error is at most 6.5% (exact one-sided Clopper-Pearson bound).
    The two-sided 95% interval is 1.4% to 7.1%.
    This holds if
      - the cases are independent draws from the population that the claim is about
      - none of them was used to train, tune or choose the classifier
      - the test set was used for this report alone; the bound and the interval are two claims, each
        by itself
    """
    level = _checks.one_delta(delta)
    called = two_names(names)
    allowed = None if margin is None else _checks.one_delta(margin, "margin")
    truth = _checks.labels(y_true, "y_true")
    wrong_a = mistakes(y_true, y_pred, "y_pred")
    if pred_b is None:
        if allowed is not None:
            raise ValueError("margin is for two classifiers: give pred_b, too")
        return single(wrong_a, level, truth)
    return pair(wrong_a, mistakes(y_true, pred_b, "pred_b"), level, called, allowed, truth)


def mistakes(y_true: ArrayLike, y_pred: ArrayLike, name: str) -> NDArray[np.bool_]:
    """Return where two columns of labels differ, after checking that they can be compared."""
    true, pred = _checks.same_labels(**{"y_true": y_true, name: y_pred})
    classes, guesses = set(true.tolist()), set(pred.tolist())
    codes = any(classes | guesses <= pair for pair in ({0, 1}, {-1, 1}))
    if not (codes or classes & guesses):
        raise ValueError(
            f"y_true and {name} must share labels, got {_checks.show(sorted(classes, key=str))} "
            f"and {_checks.show(sorted(guesses, key=str))}; give both the same names, or, for "
            "graded scores, take bounds.interval('BET', losses=...)"
        )
    return np.asarray(true != pred, dtype=bool)
