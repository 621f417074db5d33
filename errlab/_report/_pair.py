"""What a test of two classifiers on the same cases allows to claim."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from errlab import compare
from errlab._report import _words as words
from errlab._report._single import Report, single

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CONDITIONS = (*words.CONDITIONS, "the pair was chosen before the test, not as the best of many")


@dataclass(frozen=True)
class PairReport:
    """The claim that a test of two classifiers allows, as text, HTML, JSON and picture.

    Attributes
    ----------
    a, b : Report
        What may be claimed of each by itself.
    n01, n10 : int
        Cases that A got wrong and B right, and the other way round.
    difference : float
        Error rate of A minus that of B: positive where B is better.
    low, high : float
        Tango's interval for that difference.
    pvalue : float
        Two-sided p-value of the exact McNemar test.
    delta : float
        Level of the test; probability that a claim may fail.
    names : tuple of str
        What the two are called.
    """

    a: Report
    b: Report
    n01: int
    n10: int
    difference: float
    low: float
    high: float
    pvalue: float
    delta: float
    names: tuple[str, str] = ("A", "B")

    @property
    def reading(self) -> str:
        """The answer in one sentence."""
        if self.pvalue > self.delta:
            return "This test does not show that either is better."
        better, worse = self.names[::-1] if self.difference > 0 else self.names
        return f"{better} is better than {worse} at level {self.delta:g}."

    def sentences(self) -> list[str]:
        """Return the claim, sentence by sentence; the answer comes first."""
        a, b = self.names
        each = [
            f"{name}: {words.errors(r.errors)} in {r.n} cases ({words.percent(r.rate)}); with "
            f"{words.sure(r.delta)} confidence its true error is at most "
            f"{words.percent(r.upper, math.ceil)}."
            for name, r in zip(self.names, (self.a, self.b), strict=True)
        ]
        chance = "p < 0.0001" if self.pvalue < 1e-4 else f"p = {self.pvalue:.2g}"
        points = [f"{100 * value:+.1f}" for value in (self.difference, self.low, self.high)]
        return [
            self.reading,
            *each,
            f"They disagree in being right on {self.n01 + self.n10} cases: only {a} is wrong on "
            f"{self.n01}, only {b} on {self.n10} (exact McNemar test, {chance}).",
            f"Error rate of {a} minus {b}: {points[0]} percentage points, "
            f"{words.sure(self.delta)} interval {points[1]} to {points[2]} (Tango, approximate).",
        ]

    def __repr__(self) -> str:
        """Return the claim as a paragraph, with the conditions under which it holds."""
        return words.as_text(self.sentences(), CONDITIONS)

    def _repr_html_(self) -> str:
        return words.as_html(self.sentences(), CONDITIONS)

    def to_json(self) -> str:
        """Return every number, and the claim in words, as JSON."""
        return json.dumps({**asdict(self), "claim": " ".join(self.sentences())}, indent=2)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw both error rates and their difference with its interval; return the Axes."""
        from errlab._report._plot import plot_pair

        return plot_pair(self, ax=ax)


def pair(
    wrong_a: NDArray[np.bool_], wrong_b: NDArray[np.bool_], delta: float, names: tuple[str, str]
) -> PairReport:
    """Return the report of two classifiers from where each was wrong."""
    n01, n10 = int((wrong_a & ~wrong_b).sum()), int((~wrong_a & wrong_b).sum())
    both, neither = int((wrong_a & wrong_b).sum()), int((~wrong_a & ~wrong_b).sum())
    gap = compare.paired_difference([[both, n01], [n10, neither]], delta=delta)
    low, high = gap.interval or (math.nan, math.nan)
    return PairReport(
        single(wrong_a, delta),
        single(wrong_b, delta),
        n01,
        n10,
        float(gap.estimate),
        float(low),
        float(high),
        float(compare.mcnemar(n01, n10, method="exact", delta=delta).pvalue),
        delta,
        names,
    )
