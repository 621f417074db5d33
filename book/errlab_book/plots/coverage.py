"""Plots of the true coverage of bounds for 0/1 losses, and of the price of coverage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from errlab import bounds, checks, coverage
from errlab.checks import FloatArray
from errlab.style import VERMILION, curve, new_axes, styled
from errlab_book.plots._shared import bound_look
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, headline, paper, spread, write

ERROR_LABEL = "true error L"
COVERAGE_LABEL = "coverage"


def _frame(ax: Axes, floor: float, curves: int) -> None:
    """Draw the nominal level, leave room for the legend, and limit the view at `floor`."""
    ax.axhline(0.95, color="0.5", lw=1, label="95%")
    one_row = curves < 4  # up to three names fit in a row above the curves; more go below the axes
    ax.set(ylabel=COVERAGE_LABEL, ylim=(floor, 1 + (1 - floor) * (0.18 if one_row else 0.05)))
    ticks = ax.get_yticks()
    ax.set_yticks(ticks[(ticks >= floor - 1e-9) & (ticks <= 1 + 1e-9)])
    if one_row:
        ax.legend(loc="upper center", ncols=4, columnspacing=1.2)
    else:
        ax.figure.legend(loc="outside lower center", ncols=4, columnspacing=1.2)


def _errors(key: str, n: int) -> FloatArray:
    """Return errors from 0 to one half, including both sides of every jump of the coverage."""
    # the coverage jumps where the true error equals the bound of a count
    jumps = bounds.upper(key, np.arange(n + 1) / n, n)
    errors = np.concatenate([np.linspace(0, 0.5, 101), jumps, jumps + 1e-12])
    return np.unique(errors[(errors >= 0) & (errors <= 0.5)])


@styled
def plot_coverage_against_error(
    keys: Sequence[str], *, n: int, floor: float = 0.8, ax: Axes | None = None
) -> Axes:
    """Draw the exact coverage for 0/1 losses against the true error, with every jump.

    Parameters
    ----------
    keys : sequence of str
        The bounds.
    n : int
        Size of the test set, at least 1.
    floor : float
        Lower end of the view; curves may leave it.

    Raises
    ------
    ValueError, TypeError
        If a key is unknown or an argument is out of range.

    References
    ----------
    Anguita et al., survey, Figures 5 and 6.

    Examples
    --------
    >>> ax = plot_coverage_against_error(["CP"], n=10)
    >>> float(ax.lines[0].get_ydata().min()) >= 0.95
    True
    """
    size = checks.one_count(n)
    ax = new_axes(ax)
    for key in keys:
        errors = _errors(key, size)
        covers = np.asarray(coverage.exact(key, errors, size))
        if len(keys) > 1:
            curve(ax, errors, covers, label=key, look=bound_look(key), lw=1.3)
        else:
            # a single curve needs no markers, so the area below the level can be filled
            signs = bound_look(key) | {"marker": "", "linestyle": "-", "lw": 1}
            ax.plot(errors, covers, label=key, **signs)
            below = covers < 0.95
            ax.fill_between(errors, covers, 0.95, where=below, color=VERMILION, alpha=0.35)
    ax.set(xlabel=ERROR_LABEL, title=f"n = {size}")
    _frame(ax, floor, len(keys))
    return ax


@styled
def plot_coverage_against_n(
    keys: Sequence[str], *, error: float, floor: float = 0.8, ax: Axes | None = None
) -> Axes:
    """Draw the exact coverage for 0/1 losses against the size of the test set.

    Parameters
    ----------
    keys : sequence of str
        The bounds.
    error : float
        True error, in [0, 1].
    floor : float
        Lower end of the view; curves may leave it.

    Raises
    ------
    ValueError, TypeError
        If a key is unknown or an argument is out of range.

    References
    ----------
    Anguita et al., survey, Figures 7 and 8.

    Examples
    --------
    >>> plot_coverage_against_n(["WIL"], error=0.25).get_title("left")
    'true error L = 25%'
    """
    # the sizes of the survey
    sizes = np.arange(10, 201)
    ax = new_axes(ax)
    for key in keys:
        covers = np.asarray(coverage.exact(key, error, sizes))
        curve(ax, sizes, covers, label=key, look=bound_look(key), lw=1.3)
    ax.set(xlabel="test examples n", title=f"{ERROR_LABEL} = {error * 100:g}%")
    _frame(ax, floor, len(keys))
    return ax


@styled
def plot_covering_counts(key: str, *, n: int, error: float, ax: Axes | None = None) -> Axes:
    """Draw the probability of each count of errors, and the counts after which the bound is right.

    Parameters
    ----------
    key : str
        The bound.
    n : int
        Size of the test set, at least 1.
    error : float
        True error, in [0, 1].

    Raises
    ------
    ValueError, TypeError
        If a key is unknown or an argument is out of range.

    References
    ----------
    Anguita et al., survey, Eq. 8.

    Examples
    --------
    >>> plot_covering_counts("WIL", n=10, error=0.25).get_title("left")
    'Wilson score is right 94.4% of the time'
    """
    size = checks.one_count(n)
    rate = checks.one_mean(error, "error")
    counts = np.arange(size + 1)
    chance = scipy.stats.binom.pmf(counts, size, rate)
    holds = bounds.upper(key, counts / size, size) >= rate
    ax = ax or paper(350, 260)
    right: dict[str, Any] = {"color": INK, "alpha": BODY}
    wrong: dict[str, Any] = {"color": ACCENT, "hatch": "///", "edgecolor": "#ffffff"}
    for where, looks in ((holds, right), (~holds, wrong)):
        if where.any():  # leave out empty bars
            ax.bar(counts[where], chance[where], 0.82, lw=0, **looks)
    covers, name = coverage.exact(key, rate, size), bounds.BOUNDS[key].name
    title = f"{name} is right {'100%' if holds.all() else f'{covers:.1%}'} of the time"
    # the axis shows the counts that occur at least once in a thousand tests
    last = int(np.flatnonzero(chance >= 0.001)[-1])
    top = chance.max() / 0.78
    if not holds.all():
        # a bracket over the misses, at the same height for every true error
        failing = counts[~holds]
        ends = [failing[0] - 0.41, min(failing[-1], last) + 0.41]
        ax.plot(ends, [0.86 * top] * 2, color=ACCENT, lw=3, solid_capstyle="butt")
        words = f"bound too low: {1 - covers:.1%}"
        write(ax, words, (ends[0], 0.86 * top), (0, 11), weight="bold")
    ax.set(xlabel=f"errors in {size} examples", xlim=(-0.6, last + 0.6), ylim=(0, top))
    ax.set_xticks(counts[: last + 1 : max(1, size // 10)])
    ax.set_yticks([tick for tick in np.arange(0, 1, 0.1 if top < 0.8 else 0.2) if tick < 0.8 * top])
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    headline(ax, title, f"Probability of each count, true error {rate * 100:g}%")
    return ax


@styled
def plot_worst_coverage(keys: Sequence[str], *, floor: float = 0.0, ax: Axes | None = None) -> Axes:
    """Draw the lowest coverage over all true errors against the size of the test set.

    Parameters
    ----------
    keys : sequence of str
        The bounds.
    floor : float
        Lower end of the view; curves may leave it.

    Raises
    ------
    ValueError, TypeError
        If a key is unknown or an argument is out of range.

    Examples
    --------
    >>> ax = plot_worst_coverage(["WIL"])
    >>> ax.lines[0].get_ydata()[:2].round(4)
    array([0.9088, 0.9169])
    """
    # only every fifth size, because the search for the worst true error takes time
    sizes = np.arange(10, 201, 5)
    lowest_by_bound = {
        key: np.array([coverage.worst(key, int(s), within=(0, 0.5)).coverage for s in sizes])
        for key in keys
    }
    last = [lowest[-1] for lowest in lowest_by_bound.values()]
    ax = ax or paper(350, 270)
    safe = [key for key, lowest in lowest_by_bound.items() if lowest.min() > 0.95 - 1e-6]
    for (key, lowest), place in zip(
        lowest_by_bound.items(), spread(last, 0.085 * (1 - floor)), strict=True
    ):
        line: dict[str, Any] = {"color": INK, "alpha": BODY}
        if key in safe:  # the accent marks the finding
            line = {"color": ACCENT, "lw": 3, "marker": "s", "markevery": [-1], "ms": 7}
        ax.plot(sizes, lowest, clip_on=False, **line)
        bold = "bold" if key in safe else "normal"
        write(ax, bounds.BOUNDS[key].name, (sizes[-1], place), (8, 0), weight=bold)
    ax.axhline(0.95, color=INK, lw=1, alpha=FAINT)
    ax.set(xlabel="test examples", ylim=(floor, 1), xlim=(10, 200), xticks=[10, 50, 100, 150, 200])
    ax.set_yticks([tick for tick in (0, 0.5, 0.8, 0.85, 0.9, 0.95, 1) if tick >= floor])
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    names = " and ".join(bounds.BOUNDS[key].name for key in safe)
    title = f"{names} keeps to 95%,\nthe others here fall below" if safe else "Each falls below 95%"
    headline(ax, title, "Lowest coverage, true errors up to 50%")
    return ax
