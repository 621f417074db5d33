"""Climb a leaderboard by guesses, flips and votes, on a plain board and on a Ladder."""

from typing import Any, ClassVar

import numpy as np
import traitlets
from matplotlib.axes import Axes

from errlab.checks import FloatArray, IntArray
from errlab.rounding import count, percent
from errlab_book.labs._lab import WORD, Lab, Option, Refused, Text, Whole, uniform
from errlab_book.leaderboards import BOARDS
from errlab_book.plots.leaderboard import plot_submissions

SHOWN = 8  # number of flips in the picture: enough to show the idea, and not the whole climb
TRUTH = "The true error is 50% whatever is submitted."


class Climb(Lab):
    """A leaderboard to climb: the labels are coin flips, so the true error is one half.

    Attributes
    ----------
    cases : int
        Test examples, from 5 to 100.
    board : str
        "plain board" or "Ladder".
    seed : int
        The seed of the hidden labels.
    submitted : str
        The submissions so far: words of 0 and 1, separated by commas. Words whose length isn't
        `cases` belong to another board and don't count.

    Examples
    --------
    >>> lab = Climb(cases=5, submitted="00000,11111,10101")
    >>> lab.released
    array([0.8, 0.2, 0.2])
    """

    name = "climb"
    title = "Climb the board"
    python = "labs.Climb(cases={cases}, board={board}, seed={seed}, submitted={submitted}).released"
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
        """The losses of each submission on each example."""
        # ignore messages for another number of examples
        words = [word for word in self.submitted.split(",") if len(word) == self.cases]
        guesses = np.array([[int(bit) for bit in word] for word in words])
        losses: FloatArray = (guesses.reshape(-1, self.cases) != self.labels).astype(float)
        return losses

    @property
    def released(self) -> FloatArray:
        """The score that the board shows after each submission."""
        losses = self.losses
        return BOARDS[self.board](losses).released if len(losses) else np.empty(0)

    def first(self) -> str:
        """Return the page's first guess, drawn from the same random numbers."""
        coins = uniform(self.seed ^ 0x9E3779B9, self.cases) >= 0.5
        return "".join(map(str, coins.astype(int)))

    def flipped(self) -> FloatArray:
        """Return the losses of the first guess, and of eight answers flipped one after the other.

        A flip that changes the board is kept; any other is undone.
        """
        start = self if len(self.losses) else Climb(**self.values() | {"submitted": self.first()})
        best = start.losses[0]
        losses = [best]
        for flipped in range(min(SHOWN, self.cases)):
            tried = best.copy()
            tried[flipped] = 1 - tried[flipped]
            losses.append(tried)
            if BOARDS[self.board](np.array(losses)).leader[-1] == len(losses) - 1:
                best = tried
        return np.array(losses)

    def begun(self, flips: int) -> str:
        """Return the first guess and some flips, as `submitted` holds them."""
        words = self.labels ^ self.flipped()[: flips + 1].astype(int)
        return ",".join("".join(map(str, word)) for word in words)

    def sentences(self) -> list[str]:
        """Return a description of the board."""
        scores = self.released
        if len(scores) > 1:
            best = percent(float(scores.min()))
            sentence = f"{count(len(scores), 'submission')}, the best shown is {best}"
        else:
            sentence = (
                f"a first guess, then {count(min(SHOWN, self.cases), 'answer')} flipped in turn"
            )
        return [f"{count(self.cases, 'hidden label')}, {self.board}: {sentence}.", TRUTH]

    def plot(self) -> Axes:
        """Return a plot of the submissions' errors, or of the first few flips if there are none."""
        losses = self.losses if len(self.losses) > 1 else self.flipped()
        return plot_submissions(losses, BOARDS[self.board])
