"""Plots for choosing a bound: where each is the tightest, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from errlab import bounds
from errlab._core import checks
from errlab._style import BLUE, VERMILION, new_axes, styled
from errlab.book.plots._shared import bound_look
from errlab.book.plots.bounds import LOSS_LABEL, UPPER_LABEL
from errlab.book.tables import outward
from errlab.bounds._guide import Ranked


@styled
def plot_tightest(
    keys: Sequence[str],
    *,
    share: float = 1.0,
    n: ArrayLike = (10, 14, 20, 30, 45, 70, 100, 140, 200, 300, 450, 700, 1000),
    mean: ArrayLike | None = None,
    delta: float = 0.05,
    ax: Axes | None = None,
) -> Axes:
    """Draw which bound is the tightest at each size of the test set and each mean loss.

    Parameters
    ----------
    keys : sequence of str
        The bounds that compete; the first of equal ones wins.
    share : float
        Variance of the losses as a share of the largest possible, mean * (1 - mean).
    n, mean : array_like
        Sizes and mean losses of the map.
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
    sizes = checks.count(n, ndim=1)
    means = np.linspace(0.0, 0.9, 19) if mean is None else checks.mean(mean)
    part = checks.one_mean(share, "share")
    m, size = np.meshgrid(means, sizes)
    best = bounds.tightest(list(keys), m, size, delta=delta, var=part * m * (1 - m))
    ax = new_axes(ax)
    for key in keys:
        here = best == key
        if here.any():
            signs: dict[str, Any] = bound_look(key) | {"linestyle": "none", "markersize": 5.5}
            ax.plot(size[here], m[here], label=key, **signs)
    ax.set(xscale="log", xlabel="test examples n", ylabel=LOSS_LABEL)
    span = means[-1] - means[0]
    ax.set_ylim(means[0] - 0.04 * span, means[-1] + 0.18 * span)
    ax.set_xticks([10, 30, 100, 300, 1000], ["10", "30", "100", "300", "1000"], minor=False)
    ax.minorticks_off()
    ax.set_title(f"s² at {part * 100:g}% of its largest value")
    ax.legend(loc="upper center", ncols=5, columnspacing=1.0, handletextpad=0.2)
    return ax


@styled
def plot_ranking(
    entries: Sequence[Ranked], mean: float, *, most: int = 6, ax: Axes | None = None
) -> Axes:
    """Draw the tightest bounds of a ranking, each from the mean loss to its value.

    Parameters
    ----------
    entries : sequence of Ranked
        What `errlab.bounds.rank` returned.
    mean : float
        Mean loss, in [0, 1].
    most : int
        How many of them to draw, at least 1.

    Raises
    ------
    ValueError, TypeError
        If there is no entry or an argument is out of range.

    Examples
    --------
    >>> ax = plot_ranking(bounds.rank(0.1, 200, loss="binary"), 0.1)
    >>> ax.get_title()
    'Clopper-Pearson: 4.3 points above the mean'
    """
    rate = checks.one_mean(mean)
    shown = list(entries)[: checks.one_count(most, "most")]
    if not shown:
        raise ValueError("entries must hold at least one bound, got none")
    ax = new_axes(ax, figsize=(4.8, 2.9))
    for row, entry in enumerate(shown):
        signs = bound_look(entry.key) | {"linestyle": "-"}
        ax.plot([rate, entry.upper], [row, row], label=entry.key, markevery=[1], **signs)
        ax.annotate(
            outward(entry.upper), (entry.upper, row), xytext=(6, 0), textcoords="offset points",
            va="center", fontsize=8.5,
        )  # fmt: skip
    ax.axvline(rate, color="0.5", lw=1, label="mean loss")
    ax.set_yticks(range(len(shown)), [e.name + ("" if e.rigorous else " *") for e in shown])
    right = max(entry.upper for entry in shown)
    end = next(end for end in (0.1, 0.25, 0.5, 1.0) if right <= end)
    ax.set(ylim=(len(shown) - 0.4, -0.6), xlim=(0, 1.15 * end), xlabel=UPPER_LABEL)
    ax.set_xticks(np.linspace(0, end, 6))
    price = outward(100 * (shown[0].upper - rate), spec=".1f")
    ax.set_title(f"{shown[0].name}: {price} points above the mean")
    ax.grid(False, axis="y")
    return ax


@styled
def plot_lowest(lowest: ArrayLike, error: float, tries: int, *, ax: Axes | None = None) -> Axes:
    """Draw the lowest of several bounds on each test set, and on how many it is too low.

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
    >>> plot_lowest([0.2, 0.3, 0.3, 0.4], 0.25, 3).get_title()
    'lowest of 3: right in 75% of the tests'
    """
    values, truth = checks.mean(lowest, "lowest"), checks.one_mean(error, "error")
    right = values >= truth
    ax = new_axes(ax)
    edges = truth + 0.01 * np.arange(-12, 26)  # the true error is an edge: no bar is on both sides
    looks: list[tuple[Any, str, dict[str, Any]]] = [
        (values[~right], "too low", {"color": VERMILION, "hatch": "//", "edgecolor": "white"}),
        (values[right], "right", {"color": BLUE}),
    ]
    for part, label, signs in looks:
        ax.hist(part, bins=edges.tolist(), label=label, **signs)
    ax.axvline(truth, color="0.2", lw=1, label="true error")
    of = f"lowest of {checks.one_count(tries, 'tries')}" if tries > 1 else "one bound"
    ax.set(xlabel="lowest bound", ylabel="test sets", ylim=(0, 75))
    ax.set_title(f"{of}: right in {right.mean():.0%} of the tests")
    ax.legend()
    return ax
