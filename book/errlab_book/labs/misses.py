"""Intervals of many test sets: each contains the true error or misses it."""

from typing import Any, ClassVar

from matplotlib.axes import Axes

from errlab import bounds, coverage
from errlab.checks import IntArray
from errlab.rounding import count, percent
from errlab_book.labs._lab import WORD, Lab, Number, Option, Whole, binomial, uniform
from errlab_book.labs.claim import KEYS, failure, methods
from errlab_book.plots.holdout import plot_many_intervals


class Misses(Lab):
    """Test sets drawn one by one or by the hundred, and the intervals that miss the true error.

    Attributes
    ----------
    cases : int
        Examples in each test set, at most 10,000.
    error, confidence : float
        The true error and the confidence of the intervals, in percent.
    method : str
        The bound, a key of `errlab.bounds.BOUNDS` that the page can compute.
    seed, drawn : int
        The seed of the test sets, and how many of them are drawn, at most 1,000.

    Examples
    --------
    >>> lab = Misses(cases=50, error=6, drawn=100)
    >>> lab.misses, round(lab.rate, 3)
    (21, 0.193)
    """

    name = "misses"
    title = "How often does the interval miss?"
    python = (
        "1 - errlab.coverage.exact({method}, {error} / 100, {cases}, delta={delta}, "
        'side="two-sided")'
    )
    address: ClassVar[dict[str, str]] = {
        "method": "method",
        "n": "cases",
        "error": "error",
        "confidence": "confidence",
        "seed": "seed",
        "drawn": "drawn",
    }

    method = Option("NOR", KEYS)
    cases = Whole(50, 1, 10_000)
    error = Number(6.0, 0.1, 99.9)
    confidence = Number(95.0, 50.0, 99.9999)
    seed = Whole(1, 0, WORD)
    drawn = Whole(0, 0, 1000)

    @property
    def counts(self) -> IntArray:
        """The number of errors in each test set."""
        return binomial(uniform(self.seed, self.drawn), self.cases, self.error / 100)

    @property
    def misses(self) -> int:
        """The intervals that don't contain the true error."""
        # errlab's bounds refuse an empty list
        if self.drawn == 0:
            return 0
        truth = self.error / 100
        means = self.counts / self.cases
        delta = failure(self.confidence)
        low, high = bounds.interval(self.method, means, self.cases, delta=delta)
        return int(((truth < low) | (truth > high)).sum())

    @property
    def rate(self) -> float:
        """The exact fraction of intervals that miss in the long run."""
        delta, truth = failure(self.confidence), self.error / 100
        exact_coverage = coverage.exact(
            self.method, truth, self.cases, delta=delta, side="two-sided"
        )
        return 1 - float(exact_coverage)

    def words(self) -> dict[str, Any]:
        """Return the methods."""
        return {"methods": methods()}

    def sentences(self) -> list[str]:
        """Return how many intervals have missed, and how many would in the long run."""
        name = bounds.BOUNDS[self.method].name
        promised = f"promised at most {100 - self.confidence:.6g}%"
        sentence = f"{count(self.drawn, 'test set')} of {count(self.cases, 'example')}, {name}"
        missed = f"{count(self.misses, 'interval')} missed a true error of {self.error:g}%"
        return [
            f"{sentence}: {missed}." if self.drawn else f"{sentence}: none drawn yet.",
            f"In the long run {percent(self.rate)} miss; {promised}.",
        ]

    def plot(self) -> Axes:
        """Return a plot of a hundred such intervals."""
        return plot_many_intervals(
            self.method, self.error / 100, self.cases, delta=failure(self.confidence), rng=self.seed
        )
