"""Models compared on a validation set, which the reader can draw again and again."""

from typing import Any, ClassVar

import numpy as np
from matplotlib.axes import Axes

from errlab.checks import FloatArray, IntArray
from errlab.rounding import count, percent
from errlab_book.labs._lab import WORD, Lab, Option, Whole, binomial, uniform
from errlab_book.plots.holdout import plot_winner

CANDIDATES = ("equally good", "different")


class Winner(Lab):
    """Models on a validation set, the one with the lowest error there, and its true error.

    Attributes
    ----------
    models, cases : int
        Models, at most 100, and validation examples, from 10 to 5,000.
    candidates : str
        "equally good": all have a true error of 30%. "different": from 20% to 40%.
    seed, sets : int
        The seed of the validation sets, and how many of them are drawn, at most 1,000.

    Examples
    --------
    >>> lab = Winner(models=20, sets=3)
    >>> lab.shown
    array([0.21 , 0.275, 0.235])
    """

    name = "winner"
    title = "The winner of a validation set"
    python = (
        "labs.Winner(models={models}, cases={cases}, candidates={candidates}, seed={seed}, "
        "sets={sets}).shown"
    )
    address: ClassVar[dict[str, str]] = {"models": "models", "cases": "cases"}

    models = Whole(1, 1, 100)
    cases = Whole(200, 10, 5000)
    candidates = Option("equally good", CANDIDATES)
    seed = Whole(6, 0, WORD)
    sets = Whole(1, 1, 1000)

    @property
    def risks(self) -> FloatArray:
        """The true error of each model."""
        # evenly spaced from 20% to 40%, so on average as good as equal models at 30%
        middle = (np.arange(self.models) + 0.5) / self.models
        risks: FloatArray = 0.2 + 0.2 * middle
        return risks if self.candidates == "different" else np.full(self.models, 0.3)

    @property
    def counts(self) -> IntArray:
        """The errors of each model on each validation set."""
        levels = uniform(self.seed, self.sets * self.models).reshape(self.sets, self.models)
        return binomial(levels, self.cases, self.risks)

    @property
    def shown(self) -> FloatArray:
        """The validation error of each set's winner."""
        return np.asarray(self.counts.min(axis=1) / self.cases)

    @property
    def truth(self) -> FloatArray:
        """The true error of each of these winners; among equal models the first wins."""
        return np.asarray(self.risks[self.counts.argmin(axis=1)])

    @property
    def again(self) -> FloatArray:
        """The error of each winner but the last on the next validation set."""
        winners = self.counts[:-1].argmin(axis=1)
        return np.asarray(self.counts[1:][np.arange(len(winners)), winners] / self.cases)

    def sentences(self) -> list[str]:
        """Return the winner's error in the last set and on average, and its true error."""
        lowest = self.shown
        truth = self.truth
        setting = f"{count(self.models, 'model')}, {self.candidates}"
        return [
            f"{setting}, {count(self.cases, 'validation example')}: the winner shows "
            f"{percent(lowest[-1])}, its true error is {percent(truth[-1])}.",
            f"Over {count(self.sets, 'validation set')}, winners show {percent(lowest.mean())} on "
            f"average, at a true error of {percent(truth.mean())}.",
        ]

    def words(self) -> dict[str, Any]:
        """Return the kinds of candidates."""
        return {"candidates": CANDIDATES}

    def plot(self) -> Axes:
        """Return the last validation set."""
        return plot_winner(self.risks, self.cases, seen=self.counts[-1] / self.cases)
