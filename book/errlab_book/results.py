"""Draw the results of a reader's function that computes but doesn't draw."""

import contextlib
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from errlab.checks import FloatArray
from errlab.style import styled
from errlab_book.plots.paper import ACCENT, BODY, INK, headline, paper, write

# number of points of a curve; with more values, only every second, third, ... is computed
_POINTS = 41


@dataclass
class Result:
    """A call of a function, and the values that its first argument can take.

    `axes` is the picture of the result, if the function drew none.
    """

    function: Callable[..., Any]
    chosen: Mapping[str, Any]
    first: str
    values: Sequence[Any]
    label: str = ""
    axes: Axes | None = field(default=None, init=False)

    def at(self, value: Any) -> float:
        """Return the function's value at another first argument; None if it raises an error."""
        try:
            return float(np.ravel(self.function(**{**self.chosen, self.first: value}))[0])
        except Exception:
            return np.nan

    def __str__(self) -> str:
        """Return the call as text."""
        arguments = ", ".join(f"{name}={value}" for name, value in self.chosen.items())
        return f"{call(self.function)}({arguments})"


def call(function: Callable[..., Any]) -> str:
    """Return a function's name; for a partial, that of its function."""
    while isinstance(function, functools.partial):
        function = function.func
    return str(getattr(function, "__qualname__", type(function).__name__))


def is_drawn(obj: Any) -> bool:
    """Return whether a function's result is a figure, axes or a list of them."""
    while isinstance(obj, (list, tuple, np.ndarray)) and len(obj):
        obj = obj[0]
    return isinstance(obj, (Artist, Figure))


def drawn(result: Result) -> Any:
    """Return the figure that a function draws, or a picture of its result.

    Raises
    ------
    TypeError
        If it draws nothing, and returns no numbers.
    """
    with _blank() as (paper_of_plt, before):
        output = result.function(**result.chosen)
        if is_drawn(output):
            return output
        if set(plt.get_fignums()) - before:
            return plt.gcf()
        if paper_of_plt.axes:
            return paper_of_plt
        if output is None:
            raise TypeError(
                f"{call(result.function)} must draw something or return a number, a pair, a list "
                "of numbers, a Figure or Axes, got None: is a return missing?"
            )
    result.axes = plot_result(result, output)
    return result.axes


@contextlib.contextmanager
def _blank() -> Iterator[tuple[Figure, set[int]]]:
    """Give `plt` a new figure to draw on, and close any other."""
    blank = plt.figure()
    before = set(plt.get_fignums())
    try:
        # only the explorer shows the picture, so disable plt.show
        with mock.patch.object(plt, "show"):
            yield blank, before
    finally:
        plt.close(blank)


@styled
def plot_result(result: Result, returned: Any, *, ax: Axes | None = None) -> Axes:
    """Draw the result of a call, with the call itself as the title.

    Parameters
    ----------
    result : Result
        The call.
    returned : float, pair or sequence of float
        A number is drawn on the curve over all values of the first argument, a pair as an
        interval, more numbers as a histogram.

    Raises
    ------
    TypeError
        If it holds no numbers.
    ValueError
        If it holds none that has a place on an axis.

    Examples
    --------
    >>> plot_result(Result(lambda n: 3 / n, {"n": 100}, "n", [50, 100]), 0.03).get_title("left")
    '<lambda>(n=100) = 0.03'
    """
    numbers = _numbers(result, returned)
    ax = ax or paper(350, 230)
    if numbers.size == 1:
        _curve(ax, result, numbers[0])
        finding = f"{result} = {numbers[0]:.4g}"
    elif numbers.size == 2:
        _interval(ax, *numbers)
        finding = f"{result}: {numbers[0]:.4g} to {numbers[1]:.4g}"
    else:
        ax.hist(numbers, bins=min(40, len(np.unique(numbers))), color=INK, alpha=BODY)
        ax.set(yticks=[])
        finding = f"{result}: {numbers.size:,} numbers, mean {numbers.mean():.4g}"
    headline(ax, finding)
    return ax


def _numbers(result: Result, returned: Any) -> FloatArray:
    """Return a result as numbers that can be drawn on an axis."""
    try:
        numbers = np.ravel(np.asarray(returned, dtype=float))
    except (TypeError, ValueError):
        raise TypeError(
            f"{call(result.function)} must return a number, a pair, a list of numbers, a Figure or "
            f"Axes, got {returned!r:.60}"
        ) from None
    finite: FloatArray = numbers[np.isfinite(numbers)]
    # a pair with an infinite end can't be drawn as an interval
    if not finite.size or numbers.size == 2 != finite.size:
        raise ValueError(f"{result} must return finite numbers, got {returned!r:.60}")
    return finite


def _curve(ax: Axes, result: Result, number: float) -> None:
    """Draw a number on the curve over the first argument."""
    chosen = result.chosen[result.first]
    step = -(-len(result.values) // _POINTS)
    ordinal = all(isinstance(v, (int, float)) for v in result.values)
    values = result.values[::step] if ordinal else result.values
    place = chosen if ordinal else list(values).index(chosen)
    places = values if ordinal else range(len(values))
    heights = [number if value == chosen else result.at(value) for value in values]
    ax.plot(places, heights, "o-", color=INK, alpha=BODY, ms=4, lw=1.4)
    ax.plot(place, number, "s", color=ACCENT, ms=9)
    if not ordinal:
        ax.set_xticks(places, list(map(str, values)))
    ax.set_xlabel(result.label or result.first, loc="left")


def _interval(ax: Axes, low: float, high: float) -> None:
    """Draw a pair as an interval, with its ends."""
    ax.plot([low, high], [0, 0], color=ACCENT, lw=6, solid_capstyle="butt")
    write(ax, f"{low:.4g}", (low, 0), (0, 14), ha="center")
    write(ax, f"{high:.4g}", (high, 0), (0, 14), ha="center", weight="bold")
    # from 0, because most intervals of this book are near 0
    left, right = min(0.0, low, high), max(0.0, low, high)
    margin = 0.15 * (right - left or 1)
    ax.set(yticks=[], ylim=(-1, 1), xlim=(left - margin * (left < 0), right + margin))
