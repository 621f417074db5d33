"""A bag of balls: the bootstrap of a test with k errors, drawn ball by ball."""

from typing import Any, ClassVar

import numpy as np
import scipy
import traitlets
from matplotlib.axes import Axes

from errlab import bootstrap, bounds
from errlab.checks import IntArray
from errlab.results import Interval
from errlab.rounding import count, percent
from errlab_book.labs._lab import WORD, Lab, Whole, uniform, within_cases
from errlab_book.plots.bootstrap import plot_resampled_counts


class Bag(Lab):
    """Your own sample as a bag of balls, red for an error, to draw bootstrap samples from.

    Attributes
    ----------
    cases, errors : int
        Balls in the bag, from 2 to 200, and how many of them are red.
    seed, balls : int
        The seed of the draws, and how many balls are drawn; each sample takes as many as there
        are examples.

    Examples
    --------
    >>> lab = Bag(cases=50, errors=1, balls=100)
    >>> lab.samples
    array([1, 0])
    """

    name = "bag"
    title = "A bag of balls"
    python = "errlab.bootstrap.percentile_interval(np.arange({cases}) < {errors})"
    address: ClassVar[dict[str, str]] = {"n": "cases", "k": "errors"}

    cases = Whole(20, 2, 200)
    errors = Whole(2, 0, 200)
    seed = Whole(1, 0, WORD)
    balls = Whole(0, 0, 200_000)

    @traitlets.validate("cases", "errors")
    def _fits(self, proposal: Any) -> int:
        return within_cases(self, proposal)

    @property
    def samples(self) -> IntArray:
        """The red balls in each complete sample."""
        # an incomplete sample isn't counted yet
        whole = self.balls // self.cases
        drawn = np.floor(uniform(self.seed, whole * self.cases) * self.cases)
        red: IntArray = (drawn < self.errors).reshape(whole, self.cases).sum(axis=1)
        return red

    @property
    def percentile(self) -> Interval:
        """The percentile interval for infinitely many samples."""
        return bootstrap.percentile_interval(np.arange(self.cases) < self.errors)

    @property
    def empty(self) -> float:
        """The fraction of samples, in the long run, without a red ball."""
        return float(scipy.stats.binom.pmf(0, self.cases, self.errors / self.cases))

    def sentences(self) -> list[str]:
        """Return the two intervals, and a summary of the samples."""
        low, high = self.percentile
        cp_low, cp_high = bounds.interval("CP", self.errors / self.cases, self.cases)
        drawn = len(self.samples)
        return [
            f"A bag of {count(self.cases, 'ball')}, {self.errors} of them red; "
            f"{count(drawn, 'sample')} drawn.",
            f"95% percentile interval {percent(low, np.floor)} to {percent(high, np.ceil)}, "
            f"Clopper-Pearson {percent(cp_low, np.floor)} to {percent(cp_high, np.ceil)}.",
            f"With endless samples {percent(self.empty)} hold no red ball.",
        ]

    def plot(self) -> Axes:
        """Return a plot of the error rates of infinitely many samples."""
        return plot_resampled_counts(self.errors, self.cases)
