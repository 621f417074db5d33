"""What one classifier's test allows to claim."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from errlab import bounds
from errlab._core import rounding as words
from errlab._core.interval import Guarantee
from errlab._core.statement import Statement
from errlab.statements.report._conditions import CONDITIONS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The book's pages fill the same sentences from the reader's own counts.
SENTENCES = (
    "{errors} in {cases}: an error rate of {rate}.",
    "With {sure} confidence the true error is at most {upper} "
    "(exact one-sided Clopper-Pearson bound).",
    "The two-sided {sure} interval is {low} to {high}.",
)
BASELINE = "Always answering {common} would be wrong on {rate} of these cases."


@dataclass(frozen=True, repr=False)
class Report(Statement):
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
    common : str or None
        The most frequent of the true labels; None where they are all the same.
    baseline : float or None
        Error rate of always answering `common`, on the same cases.
    guarantee : str
        What is proven of the bound and of the interval.
    """

    errors: int
    n: int
    rate: float
    delta: float
    upper: float
    low: float
    high: float
    common: str | None = None
    baseline: float | None = None
    guarantee: Guarantee = "exact"

    def sentences(self) -> list[str]:
        """Return the claim, sentence by sentence."""
        places = words.digits(self.low, self.high)
        gaps = {
            "errors": words.errors(self.errors),
            "cases": words.count(self.n, "test case"),
            "rate": words.percent(self.rate, places=places),
            "sure": words.sure(self.delta),
            "upper": words.percent(self.upper, math.ceil, places),
            "low": words.percent(self.low, math.floor, places),
            "high": words.percent(self.high, math.ceil, places),
        }
        return [*(sentence.format(**gaps) for sentence in SENTENCES), *self.beside(places)]

    def beside(self, places: int) -> list[str]:
        """Return the sentence about the classifier that always gives the same answer."""
        if self.baseline is None:
            return []
        rate = words.percent(self.baseline, places=places)
        return [BASELINE.format(common=self.common, rate=rate)]

    def conditions(self) -> list[str]:
        """Return the conditions under which the claims hold."""
        return list(CONDITIONS)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the error rate, the upper bound and the interval on one line; return the Axes."""
        from errlab.statements.report._plot import plot_report

        return plot_report(self, ax=ax)


def single(
    wrong: NDArray[np.bool_], delta: float, y_true: Sequence[Any] | NDArray[Any] = ()
) -> Report:
    """Return the report of a classifier from where it was wrong, and the labels if there are."""
    errors = int(wrong.sum())
    n = len(wrong)
    rate = errors / n
    low, high = bounds.interval("CP", errors=errors, n=n, delta=delta)
    upper = bounds.upper("CP", errors=errors, n=n, delta=delta)
    common, baseline = constant(y_true)
    return Report(errors, n, rate, delta, upper, low, high, common, baseline)


def constant(y_true: Sequence[Any] | NDArray[Any]) -> tuple[str | None, float | None]:
    """Return the most frequent label as text, and how often it is wrong."""
    counts = Counter(np.asarray(y_true).tolist())
    if len(counts) < 2:
        return None, None
    label, times = counts.most_common(1)[0]
    return repr(label), 1 - times / counts.total()
