"""Watching a test as it runs: a confidence sequence that accepts examples as they come."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from errlab._core import checks, rounding
from errlab._core.checks import FloatArray
from errlab._core.interval import Guarantee, Interval
from errlab._core.public import public
from errlab._core.statement import Statement
from errlab.bounds._sequence import Sequence
from errlab.statements.pictures import title, write_at_ends
from errlab.statements.report import words
from errlab.statements.scale import RATES
from errlab.style import BLUE, VERMILION, new_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Watch(Statement):
    """An interval that is valid after each example, made by `errlab.watch`.

    It prints as two lines. Its claims are valid at all looks together.

    Attributes
    ----------
    n : int
        Number of examples so far.
    mean : float or None
        Mean loss so far, or mean difference: error of A minus error of B; None before the first
        example.
    interval : Interval or None
        ``(low, high)`` for the true error, or for the true difference; it never gets wider. None if
        no value is compatible with the losses.
    drift : bool
        Whether no single mean is compatible with the losses, or the mean so far is outside of the
        interval. Then the examples aren't draws from one population, or this is one of the rare
        runs that fail.
    decided : bool
        For two classifiers: whether the interval of the difference excludes 0 and there is no
        drift. False for one classifier.
    guarantee : str
        What is proven: "finite sample", for any number of examples and looks.
    """

    guarantee: Guarantee = "finite sample"

    def __init__(self, delta: float, names: tuple[str, str]) -> None:
        self.delta = delta
        self.names = names
        # whether two classifiers are compared; None before the first example
        self.paired: bool | None = None
        self._sequence = Sequence(delta)
        # one entry for each update
        self._path = [np.array([[0.0], [1.0]])]  # the interval before the first example is 0 to 1
        self._losses = [np.empty(0)]

    def update(self, a: ArrayLike, b: ArrayLike | None = None) -> None:
        """Add the loss of one or more examples; with `b`, the losses of two on the same examples.

        Parameters
        ----------
        a, b : float or array_like, shape (m,)
            Losses in [0, 1], in the order in which the examples came.

        Raises
        ------
        ValueError, TypeError
            If a loss isn't a number in [0, 1], the lengths differ, or one column of losses is mixed
            with two.
        """
        if self.paired is (b is None):
            first, now = ("two", "one") if self.paired else ("one", "two")
            raise ValueError(f"update must go on with losses of {first} classifier(s), got {now}")
        losses = _row(a, "a")
        if b is not None:
            other = _row(b, "b")
            checks.same_length(a=losses, b=other)
            losses = (1 + losses - other) / 2  # convert differences in [-1, 1] to losses in [0, 1]
        self.paired = b is not None
        self._path.append(self._unit(np.array(self._sequence.extend(losses))))
        self._losses.append(losses)

    def _unit(self, values: FloatArray) -> FloatArray:
        """Convert losses in [0, 1] back to differences in [-1, 1] if two are compared."""
        return 2 * values - 1 if self.paired else values

    @property
    def n(self) -> int:
        """The number of examples so far."""
        return self._sequence.n

    @property
    def mean(self) -> float | None:
        """The mean loss or difference so far; None before the first example."""
        return float(self.means[-1]) if self.n else None

    @property
    def interval(self) -> Interval[float] | None:
        """The current interval; None if no mean is compatible with the losses."""
        low, high = self._path[-1][:, -1].tolist()
        return None if low > high else Interval(low, high)

    @property
    def decided(self) -> bool:
        """Whether two are compared and the interval of their difference excludes 0."""
        low, high = self.interval or (0.0, 0.0)
        return bool(self.paired) and not low <= 0 <= high and not self.drift

    @property
    def drift(self) -> bool:
        """Whether the interval is empty, or the mean of all examples so far is outside of it."""
        if self.mean is None:
            return False
        low, high = self.interval or (1.0, -1.0)
        return not low <= self.mean <= high

    def warnings(self) -> list[str]:
        """Return a caution if the mean is outside of its interval."""
        # without an interval, the main sentence says so
        if not self.drift or self.interval is None:
            return []
        return [f"Caution: the mean lies outside of the interval. {self._why()}"]

    def conditions(self) -> list[str]:
        """Return the conditions under which the interval is valid."""
        _, untouched = words.CASES
        noun = "classifiers" if self.paired else "classifier"
        return [
            "the examples are independent draws from one population, which the claim is about and "
            "which stays the same while you watch",
            "they were fed in the order in which they came, none left out for its loss",
            untouched.replace("classifier", noun),
        ]

    def _why(self) -> str:
        """Return the possible reasons for a drift."""
        return (
            "Either the examples are not independent draws from one population, so that the error "
            f"drifts, or this is the one run in {1 / self.delta:.3g} that may fail."
        )

    @property
    def path(self) -> Interval[FloatArray]:
        """The interval after each example so far, two arrays of shape (n,)."""
        return Interval(*np.hstack(self._path)[:, 1:])

    @property
    def means(self) -> FloatArray:
        """The mean after each example so far, shape (n,)."""
        sums = np.concatenate(self._losses).cumsum()
        return self._unit(sums / np.arange(1, self.n + 1))

    def sentences(self) -> list[str]:
        """Return the mean with its interval, and the verdict with its guarantee."""
        if not self.n:
            return ["No example so far."]
        after = f"After {rounding.count(self.n, 'example')}"
        if self.interval is None:
            what = "difference" if self.paired else "error"
            mean, _ = self.rounded()
            return [
                f"{after} no single true {what} fits this stream, whose mean is {mean}.",
                self._why(),
            ]
        mean, ends = self.rounded()
        sure = f"with {rounding.format_confidence(self.delta)} confidence"
        always = (
            "This holds at every look, wherever you stop, if all examples come from one population "
            "(betting; finite sample)."
        )
        if not self.paired:
            value = f"{after} the error is {mean}; {sure} the true one is {ends}."
            return [*self.warnings(), value, always]
        a, b = self.names
        value = (
            f"{after} the error of {a} minus that of {b} is {mean} percentage points; {sure} the "
            f"true difference is {ends}."
        )
        return [*self.warnings(), value, f"{self.better()} {always}"]

    def rounded(self) -> tuple[str, str]:
        """Format mean and interval: percentage points with a sign for two, otherwise percent."""
        show = RATES.show_difference if self.paired else RATES.show
        low, high = self.interval or (0.0, 0.0)
        places = rounding.digits(low, high)
        # round the ends outward
        ends = f"{show(low, places, 'down')} to {show(high, places, 'up')}"
        return show(float(self.means[-1]), places), ends

    def better(self) -> str:
        """Return which of two classifiers is shown to be better."""
        if self.drift:
            return "Which one is better is not to be said of a stream that drifts."
        if self.interval is None or not self.decided:
            return "Neither is shown to be better so far."
        better, worse = reversed(self.names) if self.interval.low > 0 else self.names
        return f"{better} is better than {worse}."

    def _numbers(self) -> dict[str, object]:
        low, high = self.interval or (None, None)
        rest = {name: getattr(self, name) for name in ("drift", "decided", "delta", "guarantee")}
        return {"n": self.n, "mean": self.mean, "low": low, "high": high, **rest}

    @styled
    def plot(self, ax: Axes | None = None) -> Axes:
        """Plot the mean and the interval after each example.

        Examples
        --------
        >>> import errlab
        >>> test = errlab.watch()
        >>> test.update([0, 1, 0, 0] * 50)
        >>> test.plot().get_title("left")
        'True error 15.5% to 36.4%'
        """
        if not self.n:
            raise ValueError("watch must have seen an example before it is drawn, got none")
        ax = new_axes(ax, figsize=(4.86, 3.6))
        unit, what = 1, "Error"
        if self.paired:
            unit, what = 100, "Error of {} minus that of {}, points".format(*self.names)
        # plot at most 400 looks
        every = np.unique(np.linspace(0, self.n - 1, 400).round().astype(int))
        low, high = (unit * end[every] for end in self.path)
        means, cases = unit * self.means[every], every + 1
        sure = f"{rounding.format_confidence(self.delta)} sure at every look"
        ax.fill_between(cases, low, high, step="post", color=BLUE, alpha=0.25, lw=0, label=sure)
        ax.plot(cases, np.transpose([low, high]), color=BLUE, drawstyle="steps-post", lw=1.2)
        ax.plot(cases, means, color="0.2", lw=1.2, label="mean so far")
        ax.set(xlabel="examples so far", xlim=(0, self.n))
        ends = {"mean so far": means[-1]}
        if self.paired:
            ax.axhline(0.0, color=VERMILION, linestyle="--", lw=1.5, label="no difference")
            ends["no difference"] = 0.0
        # the first intervals are very wide, so fit the axis to the last three quarters
        late = len(every) // 4
        drawn = [*low[late:], *high[late:], *ends.values()]
        pad = 0.1 * (max(drawn) - min(drawn))
        ax.set_ylim(min(drawn) - pad, max(drawn) + pad)
        if not self.paired:
            ax.yaxis.set_major_formatter("{x:.0%}")
        write_at_ends(ax, ends)
        after = rounding.count(self.n, "example")
        title(ax, self._finding(), f"{what}, after {after}; coloured: {sure}")
        return ax

    def _finding(self) -> str:
        """Return the current verdict, short enough for a title."""
        if self.interval is None:
            return f"No single true {'difference' if self.paired else 'error'} fits this stream"
        if self.drift:
            return "The mean lies outside of the interval: the stream drifts"
        if self.paired:
            return self.better().rstrip(".")
        _, ends = self.rounded()
        return f"True error {ends}"


def _row(value: ArrayLike, name: str) -> FloatArray:
    """Check losses; a single loss becomes an array of length one."""
    return checks.losses(np.atleast_1d(checks.raw(value, name)), name)


@public
def watch(*, delta: float = 0.05, names: tuple[str, str] = ("A", "B")) -> Watch:
    """Start watching a test as it runs: look as often as you like, and stop when you like.

    Add the losses as they come, with ``.update(loss)`` for one classifier or ``.update(loss_a,
    loss_b)`` for two on the same examples; arrays of losses are accepted, too. The interval is a
    betting confidence sequence (see `errlab.bounds.confidence_sequence`): the probability that it
    *ever* misses is at most `delta`. An interval for a fixed number of examples guarantees this for
    one look only.

    Parameters
    ----------
    delta : float
        Probability that any look may fail, in (0, 1).
    names : tuple of str
        Names of the two classifiers in the printed result.

    Returns
    -------
    Watch
        It has ``.update``, ``.interval``, ``.decided`` and ``.plot()``, and prints as two lines.

    Raises
    ------
    ValueError, TypeError
        If `delta` leaves (0, 1), or `names` are not two different strings.

    References
    ----------
    Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86 (2024), 1-27; Ville,
    Étude critique de la notion de collectif (1939).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> test = watch(names=("old", "new"))
    >>> while not test.decided:
    ...     test.update(rng.random() < 0.3, rng.random() < 0.1)
    >>> print(test)
    After 125 examples the error of old minus that of new is +16.8 percentage points; with 95%
    confidence the true difference is +0.3 to +29.7.
    new is better than old. This holds at every look, wherever you stop, if all examples come from
    one population (betting; finite sample).
    """
    return Watch(checks.one_level(delta), checks.two_names(names))
