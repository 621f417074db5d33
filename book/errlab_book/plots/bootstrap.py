"""Plots of the bootstrap: resampled counts, coverage of its interval, estimates."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from errlab import bootstrap, checks
from errlab.checks import FloatArray
from errlab.style import look, new_axes, styled
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, headline, paper, write


def _losses(errors: int, n: int) -> FloatArray:
    return np.asarray(np.arange(n) < errors, dtype=np.float64)


@styled
def plot_resampled_counts(errors: int, n: int, *, ax: Axes | None = None) -> Axes:
    """Draw the error rates of infinitely many bootstrap samples, with the percentile interval.

    Parameters
    ----------
    errors, n : int
        Errors made and examples tested; ``errors <= n``.

    Raises
    ------
    ValueError, TypeError
        If there are more errors than examples or an argument is out of range.

    Examples
    --------
    >>> " ".join(plot_resampled_counts(7, 200).get_title("left").split())
    'The middle 95% of the samples: 1.0% to 6.0% errors'
    """
    made, size = checks.one_result(errors, n)
    low, high = bootstrap.percentile_interval(_losses(made, size))
    # about six standard deviations above the observed count: bars beyond have no height
    counts = np.arange(min(size, made + int(6 * np.sqrt(made + 1)) + 3) + 1)
    chance = scipy.stats.binom.pmf(counts, size, made / size)
    counts = counts[: 1 + int(np.flatnonzero(chance > 1e-3 * chance.max())[-1])]
    chance = chance[: len(counts)]
    inside = (counts >= round(low * size)) & (counts <= round(high * size))
    ax = ax or paper(350, 250)
    width = 80 / size
    ax.bar(100 * counts[inside] / size, chance[inside], width, color=INK, alpha=BODY, lw=0)
    ax.bar(100 * counts[~inside] / size, chance[~inside], width, color=INK, alpha=FAINT, lw=0)
    top = float(chance.max())
    # above the bars, so that it hides none
    ax.plot([100 * low, 100 * high], [1.12 * top] * 2, "-s", color=ACCENT, lw=4, ms=7)
    # write both ends beside the line, because an interval may have no width
    edge = min(max(100 * (counts[-1] + 0.8) / size, 500 / size), 100 + width)
    middle = (100 * low + 100 * high) / 2
    left = middle < 0.25 * edge
    where = (100 * low if left else middle, 1.12 * top)
    write(ax, "percentile interval", where, (0, 13), ha="left" if left else "center", weight="bold")
    ax.set(xlim=(-0.02 * edge - width / 2, edge), ylim=(0, 1.35 * top), yticks=[])
    ax.xaxis.set_major_formatter("{x:g}%")
    ax.set_xlabel("error rate of a bootstrap sample")
    # rounded outward, as for claims
    ends = np.floor(1000 * low + 1e-9) / 1000, abs(np.ceil(1000 * high - 1e-9)) / 1000
    title = f"The middle 95% of the samples: {ends[0]:.1%} to {ends[1]:.1%} errors"
    headline(ax, title, f"A bag of {size} balls, {made} red; bars: samples of {size}")
    return ax


@styled
def plot_estimates(
    estimates: Mapping[str, ArrayLike], *, truth: float, ax: Axes | None = None
) -> Axes:
    """Draw the estimates of many data sets in a row for each method, with their mean.

    Parameters
    ----------
    estimates : mapping
        Name of a method to its estimates, one for each data set.
    truth : float
        What they estimate.

    Raises
    ------
    ValueError, TypeError
        If an estimate is not finite.

    Examples
    --------
    >>> ax = plot_estimates({"a": [0.4, 0.6]}, truth=0.5)
    >>> [line.get_label() for line in ax.lines]
    ['truth', 'a', 'mean of a']
    """
    ax = new_axes(ax)
    ax.axvline(truth, color="0.5", lw=1, label="truth")
    for row, (name, draws) in enumerate(estimates.items()):
        values = checks.numbers(draws, "estimates", ndim=1)
        # spread vertically, but not at random
        height = row + 0.22 * np.sin(2.4 * np.arange(len(values)))
        ax.plot(values, height, alpha=0.6, ms=4, label=name, **look(row) | {"linestyle": ""})
        ax.plot(values.mean(), row, color="black", marker="|", ms=24, mew=2.5, ls="",
                label=f"mean of {name}")  # fmt: skip
    ax.set_yticks(range(len(estimates)), list(estimates))
    ax.set(ylim=(len(estimates) - 0.4, -0.6), xlabel="estimate, %")
    return ax
