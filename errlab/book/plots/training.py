"""Plots of training error against true error."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from errlab import losses
from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._style import VERMILION, look, new_axes, styled

# cells of the unit interval over which a risk is averaged
_CELLS = 2000


def _change_points(x: FloatArray, values: FloatArray) -> FloatArray:
    """Return the positions that a step curve needs: its ends and both sides of each jump."""
    jump = np.flatnonzero(np.diff(values))
    return np.unique(np.concatenate([[0], jump, jump + 1, [len(x) - 1]]))


@styled
def plot_line_classifier(
    x: ArrayLike,
    y: ArrayLike,
    predict: Callable[[FloatArray], ArrayLike],
    chance: Callable[[FloatArray], ArrayLike],
    *,
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

    Raises
    ------
    ValueError, TypeError
        If a point leaves [0, 1], a label is not -1 or +1, or the lengths differ.

    Examples
    --------
    >>> ax = plot_line_classifier(
    ...     [0.2, 0.4], [-1, 1], lambda x: np.where(x > 0.3, 1.0, -1.0), lambda x: 0 * x + 0.5
    ... )
    >>> ax.get_title()
    'training error 0.0%, true error 50.0%'
    """
    points = checks.within(x, "x", 0, 1, ndim=1)
    labels = checks.signs(y, "y")
    checks.same_length(x=points, y=labels)
    train = losses.empirical_error(losses.hard_loss(labels, predict(points)))
    grid = (np.arange(_CELLS) + 0.5) / _CELLS
    said = checks.signs(predict(grid), "predict(x)")
    plus = checks.mean(chance(grid), "chance(x)")
    risk = losses.risk(np.where(said > 0, 1 - plus, plus), np.full(_CELLS, 1 / _CELLS))
    ax = new_axes(ax)
    # fifty points of a smooth curve are enough, but a jump needs both of its sides
    rough = np.union1d(np.arange(0, _CELLS, _CELLS // 50), _change_points(grid, plus.round(2)))
    ax.plot(grid[rough], 2 * plus[rough] - 1, color="0.5", ls="--", label="mean label")
    at = _change_points(grid, said)
    ax.plot(grid[at], said[at], **look(0) | {"marker": ""}, label="prediction")
    for sign, mark in ((1.0, "+"), (-1.0, "x")):
        here = points[labels == sign]
        # beyond the labels -1 and +1, where the curves do not run
        ax.plot(here, np.full(len(here), 1.18 * sign), ls="", marker=mark, color=VERMILION, ms=6)
    ax.lines[-1].set_label("training example")
    ax.set(
        xlabel="x",
        ylabel="label",
        xlim=(0, 1),
        ylim=(-1.4, 1.9),
        yticks=[-1, 0, 1],
        title=f"training error {train:.1%}, true error {risk:.1%}",
    )
    ax.legend(ncols=3, loc="upper center", fontsize=8.5, handlelength=1.8, columnspacing=1.2)
    return ax


@styled
def plot_gaps(gaps: Mapping[str, ArrayLike], *, ax: Axes | None = None) -> Axes:
    """Draw how often each generalization gap came out, as one stepped curve for each name.

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
    >>> ax = plot_gaps({"training": [10, 20, 20], "test": [-10, 0, 10]})
    >>> [line.get_label() for line in ax.lines]
    ['no gap', 'training', 'test']
    """
    samples = {name: checks.within(v, name, -100, 100, ndim=1) for name, v in gaps.items()}
    checks.require(samples, "gaps", "hold at least one sample", gaps)
    # classes of two points, one of them around 0
    edges = np.arange(-101.0, 102, 2)
    ax = new_axes(ax)
    ax.axvline(0, color="0.5", lw=1, label="no gap")
    for i, (name, values) in enumerate(samples.items()):
        share = 100 * np.histogram(values, edges)[0] / len(values)
        shown = np.flatnonzero(share)
        # one empty class on each side
        at = slice(max(shown[0] - 1, 0), shown[-1] + 2)
        style = look(i) | {"marker": ""}
        ax.plot(edges[:-1][at] + 1, share[at], drawstyle="steps-mid", label=name, **style)
    ax.set(xlabel="gap: true error minus empirical error, points", ylabel="classifiers, %")
    ax.legend(ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.2), columnspacing=1)
    return ax
