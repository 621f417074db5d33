"""Test rows that belong together, and the intervals with and without that knowledge."""

from typing import Any, ClassVar

import numpy as np
from matplotlib.axes import Axes

from errlab import bounds, metrics
from errlab.checks import FloatArray
from errlab.results import GroupedMean
from errlab.rounding import count, percent
from errlab_book.labs._lab import WORD, Lab, Number, Whole, uniform
from errlab_book.plots.groups import ERROR, plot_grouped_tests
from errlab_book.tables import outward


class Groups(Lab):
    """Patients with several scans each: an interval for scans, and one for patients.

    Attributes
    ----------
    groups, size : int
        Patients, from 10 to 200, and scans of each, at most 20.
    alike : float
        In percent, the correlation of two scans of one patient.
    seed : int
        The seed of the test set.

    Examples
    --------
    >>> lab = Groups(alike=100)
    >>> lab.by_group.n, round(lab.by_group.effective_size)
    (960, 119)
    """

    name = "groups"
    title = "How many examples are these?"
    python = "labs.Groups(groups={groups}, size={size}, alike={alike}, seed={seed}).by_group"
    address: ClassVar[dict[str, str]] = {"groups": "groups", "size": "size", "alike": "alike"}

    groups = Whole(120, 10, 200)
    size = Whole(8, 1, 20)
    alike = Number(0.0, 0.0, 100.0)
    seed = Whole(1, 0, WORD)

    @property
    def losses(self) -> FloatArray:
        """The losses, patients x scans: a scan copies its patient's outcome at random."""
        levels = uniform(self.seed, self.groups * (1 + 2 * self.size)).reshape(self.groups, -1)
        shared, copies, independent = levels[:, :1], levels[:, 1::2], levels[:, 2::2]
        # a pair copies the outcome with the product of the two probabilities, so each has the root
        lots = np.where(copies < np.sqrt(self.alike / 100), shared, independent)
        losses: FloatArray = np.asarray(lots < ERROR, dtype=float)
        return losses

    @property
    def rows(self) -> tuple[float, float]:
        """The interval that treats all scans as independent."""
        low, high = bounds.interval("CP", errors=int(self.losses.sum()), n=self.losses.size)
        return float(low), float(high)

    @property
    def by_group(self) -> GroupedMean:
        """The interval of bets on whole patients, as in a report."""
        names = np.repeat(np.arange(self.groups), self.size)
        return metrics.grouped_betting(self.losses.ravel(), groups=names)

    def sentences(self) -> list[str]:
        """Return both intervals, and how many independent scans these would be worth."""
        by_group = self.by_group
        n = self.losses.size
        return [
            f"{count(n, 'scan')} of {count(self.groups, 'patient')}: "
            f"{int(self.losses.sum())} are wrong, {percent(by_group.estimate)}.",
            f"Scan by scan the 95% interval is {outward(*self.rows)}, "
            f"patient by patient {outward(by_group.low, by_group.high)}.",
            f"They tell about as much as {by_group.effective_size:.0f} independent scans.",
        ]

    def words(self) -> dict[str, Any]:
        """Return the true error."""
        return {"error": ERROR}

    def plot(self) -> Axes:
        """Return a plot of fifty such tests, scan by scan."""
        return plot_grouped_tests(self.size, self.alike / 100)
