"""Plots of what a fresh test set guarantees."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from scipy import stats

from errlab import holdout
from errlab._core import checks
from errlab._core.checks import Seed
from errlab._style import BLUE, VERMILION, look, new_axes, styled
from errlab.bounds import interval


@styled
def plot_gap_distribution(risk: float, n: int, *, ax: Axes | None = None) -> Axes:
    r"""Draw where the test error falls around the risk, with two bands for it.

    Parameters
    ----------
    risk : float
        The true error, in [0, 1].
    n : int
        Number of test cases, at least 1.

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
    wide = holdout.gap_bound(size)
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
def plot_many_intervals(
    key: str, risk: float, n: int, *, delta: float = 0.05, rng: Seed = None, ax: Axes | None = None
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
    # a hundred, so that what misses is read as a percentage
    errors = checks.generator(rng).binomial(size, true, 100)
    low, high = interval(key, errors / size, size, delta=delta)
    missed = (low > true) | (high < true)
    at = np.arange(100)
    ax = new_axes(ax)
    ax.vlines(at[~missed], low[~missed], high[~missed], color=BLUE, lw=1, label="holds")
    ax.vlines(at[missed], low[missed], high[missed], color=VERMILION, lw=2.5, label="misses")
    ax.plot(at[missed], errors[missed] / size, ls="", marker="s", color=VERMILION, label="_missed")
    ax.axhline(true, color="0.5", lw=1.5, ls="--", label="true error")
    ax.set(
        xlabel="test set",
        ylabel="interval for the true error",
        title=f"{missed.sum()} of 100 intervals miss",
    )
    ax.margins(y=0.2)
    ax.legend(ncols=3, loc="upper center")
    return ax
