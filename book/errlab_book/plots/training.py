"""Plots of training error against true error."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from errlab import checks, losses
from errlab.checks import FloatArray
from errlab.style import Look, styled
from errlab_book.plots.paper import ACCENT, BODY, INK, headline, paper, write

# number of cells of [0, 1] over which the true error is averaged
_CELLS = 2000


def _change_points(x: FloatArray, values: FloatArray) -> FloatArray:
    """Return the points that a step curve needs: its ends and both sides of each jump."""
    jump = np.flatnonzero(np.diff(values))
    return np.unique(np.concatenate([[0], jump, jump + 1, [len(x) - 1]]))


@styled
def plot_line_classifier(
    x: ArrayLike,
    y: ArrayLike,
    predict: Callable[[FloatArray], ArrayLike],
    chance: Callable[[FloatArray], ArrayLike],
    *,
    key: str = "Marks: training examples; line: what the model says",
    ax: Axes | None = None,
) -> Axes:
    """Draw a classifier of points on a line, with its training error and its true error.

    The points are uniform on [0, 1], so that the true error is an average over the line.

    Parameters
    ----------
    x, y : array_like, shape (n,)
        Training points in [0, 1], and their labels in {-1, +1}.
    predict : callable
        Points of shape (m,) to labels in {-1, +1}.
    chance : callable
        Points of shape (m,) to the probability of the label +1.
    key : str
        What stands below the title.

    Raises
    ------
    ValueError, TypeError
        If a point leaves [0, 1], a label is not -1 or +1, or the lengths differ.

    Examples
    --------
    >>> ax = plot_line_classifier(
    ...     [0.2, 0.4], [-1, 1], lambda x: np.where(x > 0.3, 1.0, -1.0), lambda x: 0 * x + 0.5
    ... )
    >>> ax.get_title(loc="left")
    'No training error, true error 50%'
    """
    points = checks.within(x, "x", 0, 1, ndim=1)
    labels = checks.signs(y, "y")
    checks.same_length(x=points, y=labels)
    train = losses.empirical_error(losses.hard_loss(labels, predict(points)))
    grid = (np.arange(_CELLS) + 0.5) / _CELLS
    predicted = checks.signs(predict(grid), "predict(x)")
    plus = checks.mean(chance(grid), "chance(x)")
    risk = losses.risk(np.where(predicted > 0, 1 - plus, plus), np.full(_CELLS, 1 / _CELLS))
    ax = ax or paper(350, 220)
    # the model predicts the rarer label there, so it is wrong more than half of the time
    wrong = (predicted > 0) != (plus > 0.5)
    wrong &= plus != 0.5
    stretches = [(start / _CELLS, end / _CELLS) for start, end in _runs(wrong)]
    for ends in stretches:
        ax.fill_between(ends, -1, 1, facecolor="none", edgecolor=ACCENT, hatch="////", lw=0)
    # a bracket for each visible region; the label is at the widest, and inside of the picture
    if wide := [ends for ends in stretches if np.ptp(ends) > 0.01]:
        for ends in wide:
            ax.plot(ends, [1.65, 1.65], color=ACCENT, lw=3, solid_capstyle="butt")
        middle = np.clip(np.mean(max(wide, key=np.ptp)), 0.22, 0.78)
        write(ax, "mostly wrong here", (middle, 1.65), (0, 10), ha="center", weight="bold")
    at = _change_points(grid, predicted)
    ax.plot(grid[at], predicted[at], color=INK, lw=2, label="prediction")
    missed = predict(points) != labels
    # to the left of label -1 and to the right of +1, where there is no line
    ax.plot(
        points[~missed],
        1.3 * labels[~missed],
        "o",
        color=INK,
        alpha=BODY,
        ms=6,
        mew=0,
        label="right",
    )
    ax.plot(points[missed], 1.3 * labels[missed], "s", color=ACCENT, ms=7, label="wrong")
    ax.set(xlim=(0, 1), ylim=(-1.6, 2.1), xticks=[], xlabel="position on the line")
    ax.set_yticks([-1, 1], ["−1", "+1"])
    ax.spines["bottom"].set_visible(False)
    title = "No training error" if train == 0 else f"Training error {train:.0%}"
    headline(ax, f"{title}, true error {risk:.0%}", key)
    return ax


def _runs(marked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the start and end of each run of marked cells."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(int)))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


@styled
def plot_gaps(gaps: Mapping[str, ArrayLike], *, ax: Axes | None = None) -> Axes:
    """Draw the distribution of the generalization gap, in one row for each name.

    The first row hatches positive gaps, for which the training error is too low.

    Parameters
    ----------
    gaps : mapping
        A name, and the gaps of many samples in points, from -100 to 100.

    Raises
    ------
    ValueError, TypeError
        If a gap leaves [-100, 100] or there are none.

    Examples
    --------
    >>> ax = plot_gaps({"on training examples": [10, 20, 20], "on fresh ones": [-10, 0, 10]})
    >>> " ".join(ax.get_title(loc="left").split())
    'On training examples the error is 17 points too low'
    """
    samples = {name: checks.within(v, name, -100, 100, ndim=1) for name, v in gaps.items()}
    checks.require(samples, "gaps", "hold at least one sample", gaps)
    ax = ax or paper(350, 290)
    edges = np.arange(-100.0, 101, 2)  # edges at 0, so that no bin lies on both sides
    middles = edges[:-1] + 1
    plain: Look = {"color": INK, "alpha": BODY}
    flattered: Look = {"color": ACCENT, "hatch": "///", "edgecolor": "#ffffff"}
    bottom = -1.6 * (len(samples) - 1)
    for row, (name, values) in enumerate(samples.items()):
        floor = -1.6 * row
        share = np.histogram(values, edges)[0] / len(values)
        for side, style in ((middles > 0, plain if row else flattered), (middles < 0, plain)):
            mask = side & (share > 0)
            if mask.any():
                # one scale for all rows: a bin with all classifiers would be 2.2 high
                bars: Look = {"bottom": floor, "lw": 0} | style
                ax.bar(middles[mask], 2.2 * share[mask], 1.8, **bars)
        ax.axhline(floor, color=INK, lw=0.8, alpha=BODY)
        weight = "bold" if row == 0 else "normal"
        ax.vlines(0, floor, floor + 1.15, color=INK, lw=1)
        words = f"{name}: mean {_signed(values.mean())}"
        place = (0, (floor + 1.38 - bottom) / (1.55 - bottom))  # left of all bars
        write(ax, words, place, (0, 0), of_axes=True, weight=weight)
    ax.set(yticks=[], ylim=(bottom, 1.55))
    ax.set_xlabel("gap: true error minus the sample's, points")
    ax.spines["bottom"].set_visible(False)
    name, mean = next((name, values.mean()) for name, values in samples.items())
    direction = "low" if mean >= 0 else "high"
    headline(
        ax,
        f"{name[0].upper()}{name[1:]} the error is {_points(mean)} points too {direction}",
        f"{len(samples[name])} classifiers; right of 0 the sample flatters",
    )
    return ax


def _points(gap: float) -> str:
    """Format the size of a gap: whole points, and tenths below one."""
    return f"{abs(gap):.0f}" if abs(gap) >= 0.95 else f"{abs(gap):.1f}"


def _signed(gap: float) -> str:
    """Format a gap with its sign."""
    if abs(gap) < 0.05:
        return "0"
    return ("+" if gap > 0 else "−") + _points(gap)
