"""What one classifier's test allows to claim."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from errlab import bounds
from errlab._report import _words as words
from errlab._report._words import CONDITIONS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The book's pages fill the same sentences from the reader's own counts.
SENTENCES = (
    "{errors} in {cases}: an error rate of {rate}.",
    "With {sure} confidence the true error is at most {upper} "
    "(exact one-sided Clopper-Pearson bound).",
    "The two-sided {sure} interval is {low} to {high}.",
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
        gaps = {
            "errors": words.errors(self.errors),
            "cases": words.count(self.n, "test case"),
            "rate": words.percent(self.rate),
            "sure": words.sure(self.delta),
            "upper": words.percent(self.upper, math.ceil),
            "low": words.percent(self.low, math.floor),
            "high": words.percent(self.high, math.ceil),
        }
        return [sentence.format(**gaps) for sentence in SENTENCES]

    def __repr__(self) -> str:
        """Return the claim as a paragraph, with the conditions under which it holds."""
        return words.as_text(self.sentences(), CONDITIONS)

    def _repr_html_(self) -> str:
        return words.as_html(self.sentences(), CONDITIONS)

    def to_json(self) -> str:
        """Return every number, and the claim in words, as JSON."""
        return json.dumps({**asdict(self), "claim": " ".join(self.sentences())}, indent=2)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the error rate, the upper bound and the interval on one line; return the Axes."""
        from errlab._report._plot import plot_report

        return plot_report(self, ax=ax)


def single(wrong: NDArray[np.bool_], delta: float) -> Report:
    """Return the report of a classifier from where it was wrong."""
    errors, n = int(wrong.sum()), len(wrong)
    rate = errors / n
    low, high = bounds.interval("CP", rate, n, delta=delta)
    upper = bounds.clopper_pearson(rate, n, delta=delta)
    return Report(errors, n, rate, delta, upper, low, high)
