"""What a test of two classifiers on the same cases allows to claim."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from errlab import compare
from errlab._core import rounding as words
from errlab._core.interval import Interval
from errlab.compare._result import Guarantee
from errlab.statements.report._conditions import CASES
from errlab.statements.report._single import Report, single
from errlab.statements.report._two import OfTwo

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# The book's pages fill the same sentences from the reader's own counts.
ONE = (
    "{name}: {errors} in {cases} ({rate}); with {sure} confidence its true error is at most "
    "{upper}."
)
DISAGREE = (
    "They disagree in being right on {cases}: only {a} is wrong on {n01}, only {b} on {n10} "
    "(exact McNemar test, {chance})."
)
DIFFERENCE = (
    "Error rate of {a} minus that of {b}: {difference} percentage points, {sure} interval {low} to "
    "{high} (of the same test, by Fay and Lumbard; its coverage is computed, not proven)."
)
CLAIMS = (
    "the test set was used for this report alone; the two bounds and the comparison are three "
    "claims, each by itself{together}"
)
TOGETHER = " (together they hold with at least {sure} confidence)"
CHOSEN = "the pair was chosen before the test, not as the best of many"


@dataclass(frozen=True, repr=False)
class PairReport(OfTwo):
    """The claim that a test of two classifiers allows, as text, HTML, JSON and picture.

    The verdict, the p-value and the interval come from one test, the exact McNemar test with the
    interval of Fay and Lumbard: the interval excludes 0 if, and only if, the verdict names a
    better one.

    Attributes
    ----------
    a, b : Report
        What may be claimed of each by itself.
    n01, n10 : int
        Cases that A got wrong and B right, and the other way round.
    difference : float
        Error rate of A minus that of B: positive where B is better.
    low, high : float
        Fay and Lumbard's interval for that difference.
    pvalue : float
        Two-sided p-value of the exact McNemar test.
    delta : float
        Level of the test; probability that a claim may fail.
    names : tuple of str
        What the two are called.
    margin : float or None
        By how much B may be worse than A and still do, as a difference of error rates.
    guarantee, interval_guarantee : str
        What is proven of the level of the test, and of the coverage of the interval.
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
    margin: float | None = None
    guarantee: Guarantee = "exact"
    interval_guarantee: Guarantee = "none proven"

    def _differ(self) -> bool:
        return self.pvalue <= self.delta

    def sentences(self) -> list[str]:
        """Return the claim, sentence by sentence; the answer comes first."""
        a, b = self.names
        return [
            self.reading,
            *(self._of_one(name, r) for name, r in zip(self.names, (self.a, self.b), strict=True)),
            *self.a.beside(words.digits(self.a.low, self.a.high)),
            DISAGREE.format(
                cases=words.count(self.n01 + self.n10, "case"),
                a=a,
                b=b,
                n01=self.n01,
                n10=self.n10,
                chance=words.chance(self.pvalue, self.delta),
            ),
            self._of_difference(),
        ]

    def _of_one(self, name: str, report: Report) -> str:
        """Return the sentence about one of the two."""
        places = words.digits(report.low, report.high)
        return ONE.format(
            name=name,
            errors=words.errors(report.errors),
            cases=words.count(report.n, "case"),
            rate=words.percent(report.rate, places=places),
            sure=words.sure(report.delta),
            upper=words.percent(report.upper, math.ceil, places),
        )

    def _of_difference(self) -> str:
        """Return the sentence about the difference, its ends rounded outward."""
        a, b = self.names
        places = words.digits(self.low, self.high)
        return DIFFERENCE.format(
            a=a,
            b=b,
            difference=words.points(self.difference, places),
            sure=words.sure(self.delta),
            low=words.points(self.low, places, "down"),
            high=words.points(self.high, places, "up"),
        )

    def conditions(self) -> list[str]:
        """Return the conditions under which the claims hold, and count the claims."""
        sure = words.sure(3 * self.delta) if 3 * self.delta < 1 else ""
        together = TOGETHER.format(sure=sure) if sure else ""
        return [
            *CASES,
            CLAIMS.format(together=together),
            CHOSEN,
            *(["the margin was chosen before the test"] if self.margin is not None else []),
        ]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw both error rates and their difference with its interval; return the Axes."""
        from errlab.statements.report._plot import plot_pair

        return plot_pair(self, ax=ax)


def pair(
    wrong_a: NDArray[np.bool_],
    wrong_b: NDArray[np.bool_],
    delta: float,
    names: tuple[str, str],
    margin: float | None = None,
    y_true: Sequence[Any] | NDArray[Any] = (),
) -> PairReport:
    """Return the report of two classifiers from where each was wrong."""
    n01 = int((wrong_a & ~wrong_b).sum())
    n10 = int((~wrong_a & wrong_b).sum())
    both = int((wrong_a & wrong_b).sum())
    table = [[both, n01], [n10, len(wrong_a) - both - n01 - n10]]
    test = compare.paired_difference(table, method="exact", delta=delta)
    low, high = cast(Interval, test.interval)  # there is a difference, and so an interval
    return PairReport(
        single(wrong_a, delta, y_true),
        single(wrong_b, delta, y_true),
        n01,
        n10,
        float(test.estimate),
        float(low),
        float(high),
        float(test.pvalue),
        delta,
        names,
        margin,
        test.guarantee,
        test.interval_guarantee or "none proven",
    )
