"""The verdict on two: better, worse, not worse by more than a margin, or cannot tell."""

from __future__ import annotations

from typing import Literal

from errlab._core.statement import Statement

# The book's pages fill the same sentences from the reader's own counts.
BETTER = "{better} is better than {worse} at level {level}."
NEITHER = "This test does not show that either is better."


class OfTwo(Statement):
    """A claim about B against A: the interval for A minus B, of errors or of scores."""

    names: tuple[str, str]
    low: float
    high: float
    delta: float
    margin: float | None

    @property
    def _gain(self) -> tuple[float, float]:
        """The interval for what B is better by."""
        return self.low, self.high

    def _differ(self) -> bool:
        """Whether a difference is shown: the interval excludes 0."""
        return self.low > 0 or self.high < 0

    def _margin(self) -> str:
        """Give the margin in percentage points, as it was given."""
        number = f"{100 * (self.margin or 0):.6g}"
        return f"{number} percentage point{'' if number == '1' else 's'}"

    @property
    def verdict(self) -> Literal["better", "worse", "not worse", "cannot tell"]:
        """What is shown of B: "not worse" means by no more than the margin."""
        if self._differ():
            return "better" if sum(self._gain) > 0 else "worse"
        return "not worse" if self.within_margin else "cannot tell"

    @property
    def within_margin(self) -> bool:
        """Whether the whole interval has B worse by no more than the margin."""
        return self.margin is not None and self._gain[0] >= -self.margin

    @property
    def reading(self) -> str:
        """The answer in one sentence."""
        a, b = self.names
        level = f"{self.delta:g}"
        if self.verdict == "better":
            return BETTER.format(better=b, worse=a, level=level)
        if self.margin is None:
            if self.verdict == "worse":
                return BETTER.format(better=a, worse=b, level=level)
            return NEITHER
        margin = f"the margin of {self._margin()}"
        if self.verdict == "worse":
            more = "no more than" if self.within_margin else "perhaps more than"
            if self._gain[1] < -self.margin:
                more = "more than"
            return f"{b} is worse than {a} at level {level}, by {more} {margin}."
        if self.verdict == "not worse":
            return f"{b} is not worse than {a} by more than {margin} at level {level}."
        return f"This test cannot tell whether {b} is worse than {a} by more than {margin}."
