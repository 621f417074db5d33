"""Plots for choosing a bound: which is the tightest, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from errlab import bounds, checks
from errlab.style import new_axes, styled
from errlab_book.plots._shared import HATCHED, PLAIN, bound_look
from errlab_book.plots.bounds import LOSS_LABEL


@styled
def plot_tightest(
    keys: Sequence[str], *, share: float = 1.0, delta: float = 0.05, ax: Axes | None = None
) -> Axes:
    """Draw which bound is the tightest at each size of the test set and each mean loss.

    Parameters
    ----------
    keys : sequence of str
        The bounds that compete; the first of equal ones wins.
    share : float
        Variance of the losses as a share of the largest possible, mean * (1 - mean).
    delta : float
        Probability that the bound may fail, in (0, 1).

    Raises
    ------
    ValueError, TypeError
        If a key is unknown or an argument is out of range.

    Examples
    --------
    >>> ax = plot_tightest(["T_HOE", "HOE"])
    >>> [line.get_label() for line in ax.lines]
    ['T_HOE']
    """
    part = checks.one_mean(share, "share")
    # about seven sizes per decade and a mean every five points, so that each marker has room
    sizes = [10, 14, 20, 30, 45, 70, 100, 140, 200, 300, 450, 700, 1000]
    m, size = np.meshgrid(np.linspace(0.0, 0.9, 19), sizes)
    best = bounds.tightest(list(keys), m, size, delta=delta, var=part * m * (1 - m))
    ax = new_axes(ax)
    for key in keys:
        wins = best == key
        if wins.any():
            signs: dict[str, Any] = bound_look(key) | {"linestyle": "none", "markersize": 5.5}
            ax.plot(size[wins], m[wins], label=key, **signs)
    ax.set(xscale="log", xlabel="test examples n", ylabel=LOSS_LABEL)
    # above the map there is room for the legend
    ax.set_ylim(-0.04 * 0.9, 1.18 * 0.9)
    ax.set_xticks([10, 30, 100, 300, 1000], ["10", "30", "100", "300", "1000"], minor=False)
    ax.minorticks_off()
    ax.set_title(f"s² at {part * 100:g}% of its largest value")
    ax.legend(loc="upper center", ncols=5, columnspacing=1.0, handletextpad=0.2)
    return ax


@styled
def plot_lowest(lowest: ArrayLike, error: float, tries: int, *, ax: Axes | None = None) -> Axes:
    """Draw the lowest of several bounds on each test set, and count those that are too low.

    Parameters
    ----------
    lowest : array_like, shape (m,)
        The lowest bound of each test set, in [0, 1].
    error : float
        The true error, in [0, 1].
    tries : int
        Of how many bounds it is the lowest, for the title.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range.

    Examples
    --------
    >>> plot_lowest([0.2, 0.3, 0.3, 0.4], 0.25, 3).get_title("left")
    'lowest of 3: right in 75% of the tests'
    """
    values, truth = checks.mean(lowest, "lowest"), checks.one_mean(error, "error")
    right = values >= truth
    ax = new_axes(ax)
    # the true error is an edge, so that each bar is on one side of it
    edges = truth + 0.01 * np.arange(-12, 26)
    for part, label, signs in (
        (values[~right], "too low", HATCHED),
        (values[right], "right", PLAIN),
    ):
        ax.hist(part, bins=edges.tolist(), label=label, **signs)
    ax.axvline(truth, color="0.2", lw=1, label="true error")
    of = f"lowest of {checks.one_count(tries, 'tries')}" if tries > 1 else "one bound"
    ax.set(xlabel="lowest bound", ylabel="test sets", ylim=(0, 75))
    ax.set_title(f"{of}: right in {right.mean():.0%} of the tests")
    ax.legend()
    return ax
