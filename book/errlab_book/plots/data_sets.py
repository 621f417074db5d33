"""Plots of many models: the possible ranks after a test, and average ranks over many data sets."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike
from scipy import special

from errlab import checks
from errlab.checks import FloatArray
from errlab.compare import nemenyi_difference
from errlab.compare._friedman import rank_sums
from errlab.results import DataSets, Models
from errlab.style import look, new_axes, styled
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, headline, paper


@styled
def plot_rank_intervals(found: Models, *, ax: Axes | None = None) -> Axes:
    """Draw the ranks that each model may have after a test.

    Parameters
    ----------
    found : Models
        What ``errlab.models`` returned.

    Examples
    --------
    >>> import errlab
    >>> scores = {"a": [1] * 30, "b": [1] * 28 + [0] * 2, "c": [0] * 30}
    >>> print(plot_rank_intervals(errlab.models(scores=scores)).get_title("left"))
    30 examples: the leader
    may be rank 1 to 2
    """
    k = len(found.models)
    rows = np.arange(1, k + 1)
    first, last = (np.array([getattr(m, name) for m in found.models]) for name in ("first", "last"))
    ax = ax or paper(350, 130 + 22 * k)
    ax.hlines(rows[1:], first[1:] - 0.3, last[1:] + 0.3, color=INK, alpha=FAINT, lw=9)
    # a bar, since lines can't be hatched
    ax.barh(
        1,
        last[0] - first[0] + 0.6,
        0.5,
        first[0] - 0.3,
        color=ACCENT,
        hatch="////",
        ec="#ffffff",
        lw=0,
    )
    ax.plot(rows, rows, "D", color=INK, ms=5)
    ax.set(xlim=(0.5, k + 0.5), ylim=(k + 0.6, 0.4), xlabel="rank (1 is best)")
    ax.set_xticks(rows)
    ax.set_yticks(rows, [model.name for model in found.models])
    which = "is rank 1" if last[0] == 1 else f"may be rank 1 to {last[0]}"
    headline(
        ax,
        f"{found.n:,} examples: the leader {which}",
        "Bar: ranks that it may have. Diamond: its place on these examples",
    )
    return ax


@styled
def plot_average_ranks(found: DataSets, *, ax: Axes | None = None) -> Axes:
    """Draw average ranks with half the critical difference on each side.

    By Nemenyi's test, two classifiers differ if their lines don't overlap.

    Parameters
    ----------
    found : DataSets
        What ``compare.friedman`` returned, by Nemenyi.

    Raises
    ------
    ValueError
        If the pairs were compared otherwise, so that there is no critical difference.

    Examples
    --------
    >>> from errlab import compare
    >>> plot_average_ranks(compare.friedman([[0.1, 0.2, 0.3]] * 9)).get_xlabel()
    'average rank (1 is best)'
    """
    if found.critical_difference is None:
        raise ValueError("found must be of method nemenyi, which has a critical difference")
    # a stable sort, so that of equal ranks the first name is on top
    order = np.argsort(found.ranks, kind="stable")
    rows = np.arange(len(order))
    ranks = found.ranks[order]
    half = found.critical_difference / 2
    ax = ax or paper(350, 150 + 24 * len(order))
    low, high = ranks - half, ranks + half
    # find the models that are tied with the best from the gap, because line ends are rounded
    level = (ranks - ranks[0] < found.critical_difference) & (rows > 0)
    ax.hlines(rows, low, high, color=INK, alpha=BODY, lw=3)
    ax.axvspan(low[0], high[0], color=INK, alpha=0.1, lw=0)
    ax.axvline(high[0], color=INK, lw=1, ls=":")
    ax.plot(ranks[~level], rows[~level], "o", color=INK, ms=7, clip_on=False, zorder=3)
    ax.plot(ranks[level], rows[level], "s", color=ACCENT, ms=8, clip_on=False, zorder=3)
    # lines end at the first and the last rank, beyond which no average rank can lie
    ax.set(xlim=(1, len(rows)), ylim=(len(rows) - 0.4, -0.6))
    ax.set(xlabel="average rank (1 is best)", xticks=range(1, len(rows) + 1))
    ax.set_yticks(rows, [found.names[i] for i in order])
    ax.tick_params(axis="y", pad=8)  # a mark at rank 1 extends beyond the edge
    others = int(level.sum())
    finding = f"{others} other{'s' * (others > 1)} may be as good as the best"
    headline(
        ax,
        f"{found.n} data sets: {finding if others else 'the best beats all others'}",
        "Lines that meet are less than the critical difference "
        f"({found.critical_difference:.2f}) apart: no difference is shown",
        left=16 + 7 * max(map(len, found.names)),
    )
    return ax


@functools.cache
def rank_alarms(k: int, n: int, delta: float = 0.05) -> dict[str, float]:
    """Compute the exact probability that tests of average ranks find a difference of equal models.

    All orders of the classifiers are alike on each data set, and there are no ties.

    Parameters
    ----------
    k : int
        Classifiers, 3 or 4.
    n : int
        Data sets, in 2 .. 30.
    delta : float
        Level of the tests, in (0, 1).

    Returns
    -------
    dict
        By the name of the test: Friedman's chi-squared, Iman and Davenport's F, Nemenyi's pairs.

    Examples
    --------
    >>> round(rank_alarms(3, 5)["Friedman, chi-squared"], 4)
    0.0394
    """
    many = checks.one_count(n, "n", 2)
    # enumerate all rank sums; their number grows as n^(k - 1)
    checks.require(k in (3, 4) and many <= 30, "k and n", "be 3 or 4 and at most 30", (k, many))
    mass = rank_sums(np.tile(np.arange(k), (many, 1)))
    assert mass is not None, "so few sums are all worked out"
    # the last sum is the total minus the others
    sums = np.indices(mass.shape)
    ranks = np.concatenate([sums, many * k * (k - 1) // 2 - sums.sum(axis=0, keepdims=True)])
    squares = ((2 * ranks - many * (k - 1)) ** 2).sum(axis=0)  # four times the squares of the sums
    # the statistic depends only on the sum of squares, so equal sums are merged
    chances = np.bincount(squares.ravel(), mass.ravel())
    possible = np.flatnonzero(chances)
    statistic = 3 * possible / (many * k * (k + 1))
    chi_squared = special.chdtrc(k - 1, statistic) <= delta
    f = iman_davenport(statistic, many, k)[1] <= delta
    gap = (ranks.max(axis=0) - ranks.min(axis=0)) / many
    return {
        "Friedman, chi-squared": float(chances[possible[chi_squared]].sum()),
        "Iman and Davenport's F": float(chances[possible[f]].sum()),
        "Nemenyi, some pair": float(mass[gap >= nemenyi_difference(many, k, delta=delta)].sum()),
    }


def iman_davenport(statistic: ArrayLike, n: int, k: int) -> tuple[FloatArray, FloatArray]:
    """Return F_F for Friedman's statistics, and the p-values; F_F is huge if all rows agree."""
    chi = np.asarray(statistic, float)
    rest = n * (k - 1) - chi
    # avoid a division by 0 if all data sets give the same ranks
    agree = rest <= 1e-9 * n
    ratio = np.where(agree, np.finfo(float).max, (n - 1) * chi / np.where(agree, 1.0, rest))
    return ratio, np.where(agree, 0.0, special.fdtrc(k - 1, (k - 1) * (n - 1), ratio))


@styled
def plot_rank_alarms(
    k: int, sizes: Sequence[int], *, delta: float = 0.05, ax: Axes | None = None
) -> Axes:
    """Draw how often tests over many data sets find a difference of equal classifiers, exactly.

    Parameters
    ----------
    k : int
        Classifiers, 3 or 4.
    sizes : sequence of int
        Numbers of data sets, each in 2 .. 30.
    delta : float
        Level of the tests, in (0, 1).

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> plot_rank_alarms(3, [5, 10]).get_ylabel()
    'type I error'
    """
    alarms = [rank_alarms(k, int(n), delta) for n in sizes]
    ax = new_axes(ax, figsize=(4.8, 4.0))
    for number, name in enumerate(alarms[0]):
        ax.plot(list(sizes), [row[name] for row in alarms], label=name, lw=1.8, **look(number))
    ax.axhline(delta, color="0.3", lw=1, linestyle=":", label=f"level {delta:g}")
    ax.set(
        xlabel="data sets",
        ylabel="type I error",
        ylim=(0, 1.8 * delta),
        title=f"{k} equal classifiers",
    )
    ax.figure.legend(loc="outside lower center", ncols=2)
    return ax
