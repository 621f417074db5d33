"""What may be claimed: predictions in, an honest statement out."""

from __future__ import annotations

import html
import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from errlab import _checks, bounds

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_CONDITIONS = (
    "the cases are independent draws from the population that the claim is about",
    "none of them was used to train, tune or choose the classifier",
    "the test set was used for this one claim",
)


@dataclass(frozen=True)
class Report:
    """The claim that a test allows. It prints as text, shows as HTML and plots as a picture.

    Attributes
    ----------
    errors, n : int
        Errors made and cases tested.
    rate : float
        Error rate on the test set.
    delta : float
        Probability that a claim may fail.
    upper : float
        Rigorous one-sided upper bound for the true error (Clopper-Pearson).
    low, high : float
        Rigorous two-sided interval for the true error (Clopper-Pearson).
    """

    errors: int
    n: int
    rate: float
    delta: float
    upper: float
    low: float
    high: float

    def sentences(self) -> list[str]:
        """Return the claim, sentence by sentence."""
        plural = "" if self.errors == 1 else "s"
        sure = f"{100 * (1 - self.delta):.6g}%"
        rate = _percent(self.rate)
        return [
            f"{self.errors} error{plural} in {self.n} test cases: an error rate of {rate}.",
            f"With {sure} confidence the true error is at most {_percent(self.upper, math.ceil)} "
            "(exact one-sided Clopper-Pearson bound).",
            f"The two-sided {sure} interval is {_percent(self.low, math.floor)} to "
            f"{_percent(self.high, math.ceil)}.",
        ]

    def __repr__(self) -> str:
        """Return the claim as a paragraph, with the conditions under which it holds."""
        conditions = "\n".join(f"  - {condition}" for condition in _CONDITIONS)
        return "\n".join([*self.sentences(), "This holds if", conditions])

    def _repr_html_(self) -> str:
        first, *rest = (html.escape(sentence) for sentence in self.sentences())
        conditions = "".join(f"<li>{html.escape(condition)}</li>" for condition in _CONDITIONS)
        return (
            f'<div class="errlab-report"><p><strong>{first}</strong></p><p>{" ".join(rest)}</p>'
            f"<p>This holds if</p><ul>{conditions}</ul></div>"
        )

    def to_json(self) -> str:
        """Return every number, and the claim in words, as JSON."""
        return json.dumps({**asdict(self), "claim": " ".join(self.sentences())}, indent=2)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the error rate, the upper bound and the interval on one line; return the Axes."""
        from errlab.plots.report import plot_report

        return plot_report(self, ax=ax)


def _percent(value: float, outward: Callable[[float], float] = round) -> str:
    """Give a percentage; the end of an interval is rounded outward, so the claim stays true."""
    if value in (0, 1):
        return f"{value:.0%}"
    digits = 1 if 0.001 <= value <= 0.999 else 3
    scale = 10**digits
    return f"{outward(value * 100 * scale) / scale:.{digits}f}%"


def report(y_true: ArrayLike, y_pred: ArrayLike, *, delta: float = 0.05) -> Report:
    """Say what a test allows to claim about the true error of a classifier.

    Parameters
    ----------
    y_true, y_pred : array_like, shape (n,)
        True and predicted labels of the test cases, of any type. They are compared as labels.
    delta : float
        Probability that a claim may fail, in (0, 1).

    Returns
    -------
    Report
        Text when printed, HTML in a notebook, a picture by ``.plot()``.

    Raises
    ------
    ValueError
        If the lengths differ, there is no case, a label is missing, or the two columns hold
        entirely different labels.
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
      - the test set was used for this one claim
    """
    wrong = mistakes(y_true, y_pred)
    level = _checks.one_delta(delta)
    errors, n = int(wrong.sum()), len(wrong)
    rate = errors / n
    low, high = bounds.interval("CP", rate, n, delta=level)
    return Report(errors, n, rate, level, bounds.clopper_pearson(rate, n, delta=level), low, high)


def mistakes(y_true: ArrayLike, y_pred: ArrayLike, name: str = "y_pred") -> np.ndarray[Any, Any]:
    """Return where two columns of labels differ, after checking that they can be compared."""
    true, pred = _checks.labels(y_true, "y_true"), _checks.labels(y_pred, name)
    _checks.same_length(**{"y_true": true, name: pred})
    words = [array.dtype.kind in "US" for array in (true, pred)]
    if "O" not in (true.dtype.kind, pred.dtype.kind) and words[0] != words[1]:
        raise TypeError(
            f"y_true and {name} must hold labels of one kind, "
            f"got {true[0].item()!r} and {pred[0].item()!r}"
        )
    classes, guesses = set(true.tolist()), set(pred.tolist())
    if len(classes) > 1 and not classes & guesses:
        raise ValueError(
            f"y_true and {name} must share labels, got {sorted(classes, key=str)[:5]} "
            f"and {sorted(guesses, key=str)[:5]}"
        )
    return np.asarray(true != pred)
