"""Climb a leaderboard by guesses, flips and votes, on a plain board and on a Ladder."""

from typing import Any, ClassVar

import numpy as np
import traitlets
from matplotlib.axes import Axes

from errlab._core.checks import FloatArray, IntArray
from errlab._core.rounding import count, percent
from errlab.book.labs._lab import WORD, Lab, Option, Refused, Text, Whole, uniform
from errlab.book.leaderboards import BOARDS
from errlab.book.plots.leaderboard import plot_climb


class Climb(Lab):
    """A leaderboard to climb: the labels are coins, and so the true error is one half.

    Attributes
    ----------
    cases : int
        Test cases, from 5 to 100.
    board : str
        "plain board" or "Ladder".
    seed : int
        The seed of the hidden labels.
    submitted : str
        The submissions so far, words of 0 and 1 with commas between; words of another length than
        `cases` belong to another board and do not count.

    Examples
    --------
    >>> lab = Climb(cases=5, submitted="00000,11111,10101")
    >>> lab.released
    array([0.8, 0.2, 0.2])
    """

    name = "climb"
    title = "Climb the board"
    address: ClassVar[dict[str, str]] = {}

    cases = Whole(20, 5, 100)
    board = Option("plain board", tuple(BOARDS))
    seed = Whole(1, 0, WORD)
    submitted = Text("")

    @traitlets.validate("submitted")
    def _bits(self, proposal: Any) -> str:
        text = str(proposal["value"])
        for word in text.split(",") if text else []:
            if not word or set(word) - {"0", "1"}:
                raise Refused(f"submitted must hold words of 0 and 1, got {word!r}")
        return text

    @property
    def labels(self) -> IntArray:
        """The hidden labels."""
        labels: IntArray = (uniform(self.seed, self.cases) >= 0.5).astype(np.int64)
        return labels

    @property
    def losses(self) -> FloatArray:
        """The losses of each submission on each case."""
        # words of another length belong to a board with another number of cases
        words = [word for word in self.submitted.split(",") if len(word) == self.cases]
        guesses = np.array([[int(bit) for bit in word] for word in words])
        losses: FloatArray = (guesses.reshape(-1, self.cases) != self.labels).astype(float)
        return losses

    @property
    def released(self) -> FloatArray:
        """The score that the board shows after each submission."""
        losses = self.losses
        return BOARDS[self.board](losses).released if len(losses) else np.empty(0)

    def sentences(self) -> list[str]:
        """Return what the board shows."""
        shown = self.released
        begun = f"{count(self.cases, 'test case')}, {self.board}, {count(len(shown), 'submission')}"
        best = f": the best shown is {percent(float(shown.min()))}" if len(shown) else ""
        return [f"{begun}{best}.", "The true error is 50% whatever is submitted."]

    def plot(self) -> Axes:
        """Return how far a vote of random submissions climbs."""
        steps = [1, 3, 10, 30, 100]
        return plot_climb(100, steps, board=self.board, repetitions=5, rng=1)
