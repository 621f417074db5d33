"""Plots of the bounds for losses in [0, 1], and of which bound is the tightest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from errlab import _checks, bounds, coverage
from errlab.book.plots._style import BLUE, VERMILION, bound_look, curve, new_axes, styled
from errlab.book.plots.bounds import UPPER_LABEL
from errlab.book.plots.coverage import ERROR_LABEL, _frame
from errlab.bounds import BOUNDS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SURVEY = ("CHE", "GUT", "BER", "MAU", "CRF", "T_HOE", "HOE")


@styled
def plot_normal_coverage(
    keys: Sequence[str] = SURVEY,
    *,
    n: ArrayLike,
    error: ArrayLike,
    outside: str = "clip",
    delta: float = 0.05,
    repeats: int = 1000,
    floor: float = 0.9,
    rng: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """Draw the coverage that the survey simulates, with normal draws in place of losses.

    All bounds see the same draws. One of `n` and `error` is a list, and is the horizontal axis.

    Parameters
    ----------
    keys : sequence of str
        The bounds.
    n : int or array_like of int
        Size of the test set.
    error : float or array_like
        True error, in [0, 1].
    outside : {"clip", "drop"}
        What becomes of a test set whose mean leaves [0, 1].
    delta : float
        Probability that the bound may fail, in (0, 1).
    repeats : int
        Test sets at each point; the survey takes 1000.
    floor : float
        Lower end of the view; curves may leave it.
    rng : int
        Seed.

    Raises
    ------
    ValueError, TypeError
        If not exactly one of `n` and `error` is a list, or an argument is out of range.

    References
    ----------
    Anguita et al., survey, Figures 13 to 16.

    Examples
    --------
    >>> ax = plot_normal_coverage(["T_HOE"], n=10, error=[0.1, 0.3], repeats=50)
    >>> len(ax.lines[0].get_xdata())
    2
    """
    sizes = _checks.count(n)
    errors = _checks.mean(error, "error")
    level = _checks.one_delta(delta)
    if (sizes.ndim == 1) == (errors.ndim == 1):
        raise ValueError(
            f"one of n and error must be a list, got shapes {sizes.shape} and {errors.shape}"
        )
    across, label = (sizes, "test cases n") if sizes.ndim else (errors, ERROR_LABEL)
    pairs = list(np.broadcast(errors, sizes))
    ax = new_axes(ax)
    for key in keys:
        covers = [
            coverage.simulate_normal(
                key, float(e), int(s), delta=level, outside=outside, repeats=repeats, rng=rng + i
            ).coverage
            for i, (e, s) in enumerate(pairs)
        ]
        curve(ax, across, covers, label=key, look=bound_look(key), lw=1.3)
    fixed = f"n = {int(sizes)}" if errors.ndim else f"{ERROR_LABEL} = {float(errors) * 100:g}%"
    ax.set(xlabel=label, title=f"{fixed}, normal draws")
    _frame(ax, level, floor, len(keys))
    return ax


@styled
def plot_normal_losses(error: float, *, ax: Axes | None = None) -> Axes:
    """Draw the normal law that the survey takes its losses from, and what leaves [0, 1].

    Parameters
    ----------
    error : float
        Its mean L, in (0, 1); its variance is L (1 - L).

    Raises
    ------
    ValueError, TypeError
        If `error` is out of range.

    References
    ----------
    Anguita et al., survey, Section 4.2.

    Examples
    --------
    >>> plot_normal_losses(0.01).get_title()
    'L = 1%: 46% of the draws are no losses'
    """
    mean = float(
        _checks.within(
            _checks.scalar_only(error, "error"), "error", 0, 1, open_low=True, open_high=True
        )
    )
    sigma = np.sqrt(mean * (1 - mean))
    law = stats.norm(mean, sigma)
    x = np.unique(np.r_[np.linspace(mean - 3.2 * sigma, mean + 3.2 * sigma, 81), 0, 1])
    ax = new_axes(ax, figsize=(4.8, 2.9))
    density = law.pdf(x)
    ax.plot(x, density, color="0.2", label="density of the draws")
    ax.fill_between(
        x, 0, density, where=(x >= 0) & (x <= 1), color=BLUE, alpha=0.35, label="in [0, 1]"
    )
    for side, label in ((x <= 0, "outside"), (x >= 1, "_outside")):
        ax.fill_between(
            x, 0, density, where=side, color=VERMILION, hatch="//", edgecolor="white", label=label
        )
    share = law.cdf(0) + law.sf(1)
    ax.set(
        xlabel="value drawn as a loss",
        ylabel="density",
        ylim=(0, 1.45 * density.max()),
        title=f"L = {mean * 100:g}%: {share:.0%} of the draws are no losses",
    )
    ax.legend(loc="upper center", ncols=3, columnspacing=1.2)
    return ax


@styled
def plot_bound_values(
    mean: float,
    n: int,
    *,
    var: float | None = None,
    keys: Sequence[str] | None = None,
    delta: float = 0.05,
    ax: Axes | None = None,
) -> Axes:
    """Draw the value of each bound as a point on a line of its own, for one test result.

    Parameters
    ----------
    mean : float
        Mean loss on the test set, in [0, 1].
    n : int
        Size of the test set, at least 1.
    var : float, optional
        1/n variance of the losses; the largest possible one where it is not given.
    keys : sequence of str, optional
        The bounds; the survey's ten where they are not given.
    delta : float
        Probability that the bound may fail, in (0, 1).

    Raises
    ------
    ValueError, TypeError
        If a key is unknown or an argument is out of range.

    References
    ----------
    Anguita et al., survey, Table 1.

    Examples
    --------
    >>> ax = plot_bound_values(0.25, 200)
    >>> len(ax.get_yticks())
    10
    """
    chosen = list(keys or ("NOR", "WIL", "CP", *SURVEY))
    ax = new_axes(ax, figsize=(4.8, 3.9))
    for row, key in enumerate(chosen):
        value = bounds.upper(key, mean, n, delta=delta, var=var)
        signs = bound_look(key) | {"linestyle": "-"}
        ax.plot([mean, value], [row, row], label=key, markevery=[1], **signs)
        ax.annotate(
            f"{value:.1%}", (value, row), xytext=(6, 0), textcoords="offset points",
            va="center", fontsize=8.5,
        )  # fmt: skip
    ax.axvline(mean, color="0.5", lw=1, label="mean loss")
    ax.set_yticks(range(len(chosen)), [BOUNDS[key].name for key in chosen])
    ax.set(ylim=(len(chosen) - 0.4, -0.6), xlim=(0, 1.15), xlabel=UPPER_LABEL)
    ax.set_xticks(np.linspace(0, 1, 6))
    ax.set_title(f"mean loss {mean * 100:g}%, n = {n}")
    ax.grid(False, axis="y")
    return ax


@styled
def plot_upper_against_deviation(
    keys: Sequence[str] = ("GUT", "MAU", "BER", "T_HOE", "HOE"),
    *,
    mean: float,
    n: int,
    delta: float = 0.05,
    ax: Axes | None = None,
) -> Axes:
    """Draw upper bounds against the standard deviation of the losses, at one mean and size.

    Parameters
    ----------
    keys : sequence of str
        The bounds.
    mean : float
        Mean loss on the test set, in [0, 1].
    n : int
        Size of the test set, at least 1.
    delta : float
        Probability that the bound may fail, in (0, 1).

    Raises
    ------
    ValueError, TypeError
        If a key is unknown or an argument is out of range.

    Examples
    --------
    >>> ax = plot_upper_against_deviation(mean=0.25, n=200)
    >>> ax.get_xlabel()
    'standard deviation s of the losses'
    """
    largest = np.sqrt(mean * (1 - mean))
    s = np.linspace(0, largest, 81)
    ax = new_axes(ax)
    for key in keys:
        values = bounds.upper(key, mean, n, delta=delta, var=s**2)
        label = f"{BOUNDS[key].name} ({key})"
        curve(ax, s, np.broadcast_to(values, s.shape), label=label, look=bound_look(key))
    ax.set(
        xlabel="standard deviation s of the losses",
        ylabel=UPPER_LABEL,
        title=f"mean loss {mean * 100:g}%, n = {n}",
    )
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + 0.6 * (high - low))  # room for the legend
    ax.legend(loc="upper left")
    return ax
