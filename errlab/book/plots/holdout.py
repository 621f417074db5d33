"""Plots of what a fresh test set guarantees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from errlab import holdout
from errlab._core import checks
from errlab._core.checks import Seed
from errlab.book.plots._style import BLUE, VERMILION, bound_look, curve, look, new_axes, styled
from errlab.bounds import interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "plot_copies",
    "plot_gap_distribution",
    "plot_many_intervals",
    "plot_sample_size",
    "plot_shift",
    "plot_standard_error",
]


@styled
def plot_standard_error(n: Sequence[int], *, ax: Axes | None = None) -> Axes:
    r"""Draw the standard deviation of a 0/1 test error against the true error.

    It is :math:`\sqrt{R(1-R)/n}`, and at most :math:`1/(2\sqrt n)`.

    Parameters
    ----------
    n : sequence of int
        Sizes of the test set.

    Raises
    ------
    ValueError, TypeError
        If a size is not a whole number of at least 1.

    Examples
    --------
    >>> [line.get_label() for line in plot_standard_error([100]).lines]
    ['n = 100', 'largest possible']
    """
    risks = np.linspace(0, 1, 101)
    ax = new_axes(ax)
    for i, size in enumerate(checks.count(n, ndim=1)):
        moments = [holdout.risk_moments([0, 1], [1 - r, r], int(size)) for r in risks]
        spread = np.sqrt([m.variance for m in moments])
        curve(ax, risks, spread, label=f"n = {size:,}", look=look(i))
        ax.axhline(np.sqrt(moments[0].worst), color="0.5", lw=1, ls=":", label="largest possible")
    for line in ax.lines[1:-1:2]:  # one entry in the legend for all of them
        line.set_label("_largest possible")
    ax.set(xlabel="true error R", ylabel="standard deviation\nof the test error", xlim=(0, 1))
    ax.set_ylim(0, 1.5 * ax.get_ylim()[1])
    ax.legend(loc="upper center", ncols=2)
    return ax


@styled
def plot_gap_distribution(
    risk: float, n: int, *, delta: float = 0.05, ax: Axes | None = None
) -> Axes:
    r"""Draw where the test error falls around the risk, with two bands for it.

    Parameters
    ----------
    risk : float
        The true error, in [0, 1].
    n : int
        Number of test cases, at least 1.
    delta : float
        Probability that the wider band, Hoeffding's, may fail, in (0, 1).

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    Examples
    --------
    >>> plot_gap_distribution(0.5, 100).get_title()
    'within 1/√n: 96.5%, within Hoeffding: 99.3%'
    """
    true = checks.one_mean(risk, "risk")
    size = checks.one_count(n)
    narrow = min(1 / np.sqrt(size), 1.0)
    wide = holdout.gap_bound(size, delta=delta)
    spread = 4.5 * np.sqrt(size * true * (1 - true)) + 1
    counts = np.arange(max(0, int(size * true - spread)), min(size, int(size * true + spread)) + 1)
    counts = counts[:: max(1, len(counts) // 60)]
    chance = stats.binom.pmf(counts, size, true)
    ax = new_axes(ax)
    ax.vlines(counts / size, 0, chance / chance.max(), color=BLUE, lw=1.5, label="test error")
    shares = []
    for i, (half, name) in enumerate(((narrow, "R ± 1/√n"), (wide, "R ± Hoeffding"))):
        style = look(i + 1) | {"marker": "|", "linestyle": "-", "ms": 12}
        ax.plot([true - half, true + half], [1.1 + 0.12 * i] * 2, lw=2, label=name, **style)
        shares.append(holdout.gap_coverage(true, size, half))
    ax.set(
        xlabel="error on the test set",
        ylabel="probability, highest = 1",
        ylim=(0, 1.75),
        yticks=[0, 0.5, 1],
        title=f"within 1/√n: {shares[0]:.1%}, within Hoeffding: {shares[1]:.1%}",
    )
    ax.legend(loc="upper center", ncols=3, fontsize=8.5, handlelength=1.5, columnspacing=1.0)
    return ax


@styled
def plot_sample_size(
    models: Sequence[int] = (1,), *, delta: float = 0.05, ax: Axes | None = None
) -> Axes:
    r"""Draw the test cases needed against the gap to allow, on two logarithmic scales.

    Parameters
    ----------
    models : sequence of int
        Numbers of models that share the test set; a curve for each.
    delta : float
        Probability that the gap may be larger, in (0, 1).

    Raises
    ------
    ValueError, TypeError
        If an argument leaves its range.

    Examples
    --------
    >>> [line.get_label() for line in plot_sample_size([1, 100]).lines]
    ['1/ε²', 'Hoeffding', '100 models']
    """
    gaps = np.geomspace(0.005, 0.1, 41)
    ax = new_axes(ax)
    ax.plot(gaps, 1 / gaps**2, color="0.5", lw=1.5, ls="--", label="1/ε²")
    for i, k in enumerate(checks.count(models, "models", ndim=1)):
        cases = holdout.sample_size(gaps, delta=delta, models=int(k))
        curve(ax, gaps, cases, label="Hoeffding" if k == 1 else f"{k:,} models", look=look(i))
    ax.set(xscale="log", yscale="log", xlabel="gap to allow, ε", ylabel="test cases needed")
    ticks = [0.005, 0.01, 0.02, 0.05, 0.1]
    ax.set_xticks(ticks, [f"{t:g}" for t in ticks])
    ax.set_xticks([], minor=True)
    powers = [100, 1000, 10_000, 100_000]
    ax.set_yticks(powers, [f"{t:,}" for t in powers])
    ax.legend()
    return ax


@styled
def plot_many_intervals(
    key: str,
    risk: float,
    n: int,
    *,
    repetitions: int = 100,
    delta: float = 0.05,
    rng: Seed = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the intervals of many test sets, and mark those that miss the true error.

    Parameters
    ----------
    key : str
        Short name of a bound.
    risk : float
        The true error, in [0, 1].
    n : int
        Number of cases in each test set, at least 1.
    repetitions : int
        Number of test sets, at least 1.
    delta : float
        Probability that an interval may miss, in (0, 1).
    rng : seed, Generator or None
        Source of randomness.

    Raises
    ------
    ValueError, TypeError
        If the key is unknown or an argument leaves its range.

    Examples
    --------
    >>> plot_many_intervals("NOR", 0.2, 500, rng=0).get_title()
    '6 of 100 intervals miss'
    """
    true = checks.one_mean(risk, "risk")
    size = checks.one_count(n)
    total = checks.one_count(repetitions, "repetitions")
    errors = checks.generator(rng).binomial(size, true, total)
    low, high = interval(key, errors / size, size, delta=delta)
    missed = (low > true) | (high < true)
    at = np.arange(total)
    ax = new_axes(ax)
    ax.vlines(at[~missed], low[~missed], high[~missed], color=BLUE, lw=1, label="holds")
    ax.vlines(at[missed], low[missed], high[missed], color=VERMILION, lw=2.5, label="misses")
    ax.plot(at[missed], errors[missed] / size, ls="", marker="s", color=VERMILION, label="_missed")
    ax.axhline(true, color="0.5", lw=1.5, ls="--", label="true error")
    ax.set(
        xlabel="test set",
        ylabel="interval for the true error",
        title=f"{missed.sum()} of {total} intervals miss",
    )
    ax.margins(y=0.2)
    ax.legend(ncols=3, loc="upper center")
    return ax


@styled
def plot_copies(
    keys: Sequence[str], risk: float, n: int, copies: Sequence[int], *, ax: Axes | None = None
) -> Axes:
    """Draw the exact coverage of 95% intervals where each test case is there several times.

    Parameters
    ----------
    keys : sequence of str
        Short names of bounds.
    risk : float
        The true error, in [0, 1].
    n : int
        Number of different test cases, at least 1.
    copies : sequence of int
        How often each case is there, at least 1.

    Raises
    ------
    ValueError, TypeError
        If a key is unknown or an argument leaves its range.

    Examples
    --------
    >>> plot_copies(["NOR"], 0.2, 50, [1, 2]).get_xlabel()
    'copies of each test case'
    """
    times = checks.count(copies, "copies", ndim=1)
    ax = new_axes(ax)
    for key in keys:
        share = [holdout.interval_coverage(key, risk, n, error=risk, copies=int(c)) for c in times]
        curve(ax, times, share, label=key, look=bound_look(key))
    ax.axhline(0.95, color="0.5", lw=1, label="claimed")
    ax.set(xlabel="copies of each test case", ylabel="coverage", ylim=(0, 1.05))
    ax.legend()
    return ax


@styled
def plot_shift(
    key: str, tested: float, targets: Sequence[float], n: ArrayLike, *, ax: Axes | None = None
) -> Axes:
    """Draw how often a 95% interval holds the true error of another population.

    Parameters
    ----------
    key : str
        Short name of a bound.
    tested : float
        True error on the population that was tested, in [0, 1].
    targets : sequence of float
        True errors on the populations of interest, in [0, 1]; a curve for each.
    n : array_like of int
        Sizes of the test set.

    Raises
    ------
    ValueError, TypeError
        If the key is unknown or an argument leaves its range.

    Examples
    --------
    >>> [line.get_label() for line in plot_shift("CP", 0.1, [0.1, 0.15], [10, 20]).lines]
    ['where you tested (10%)', 'error 15% there']
    """
    sizes = checks.count(n, ndim=1)
    ax = new_axes(ax)
    for i, target in enumerate(targets):
        share = [holdout.interval_coverage(key, tested, int(m), error=target) for m in sizes]
        name = (
            f"where you tested ({target:.0%})" if target == tested else f"error {target:.0%} there"
        )
        curve(ax, sizes, share, label=name, look=look(i))
    ax.set(xscale="log", xlabel="test cases n", ylabel="interval holds the error", ylim=(0, 1.05))
    ticks = [10**i for i in range(1, 7) if sizes.min() <= 10**i <= sizes.max()]
    ax.set_xticks(ticks, [f"{t:,}" for t in ticks])
    ax.legend(loc="lower left")
    return ax
