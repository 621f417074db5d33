"""Plots of the bootstrap: resampled counts, coverage of its interval, estimates."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike
from scipy import stats

from errlab import bootstrap, bounds
from errlab._core import checks
from errlab._core.checks import FloatArray
from errlab._style import look, new_axes, styled
from errlab.book.plots._shared import HATCHED, PLAIN


def _losses(errors: int, n: int) -> FloatArray:
    return np.asarray(np.arange(n) < errors, dtype=np.float64)


@styled
def plot_resampled_counts(errors: int, n: int, *, ax: Axes | None = None) -> Axes:
    """Draw the error rate of endless bootstrap samples, with the percentile interval in it.

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
    >>> plot_resampled_counts(7, 200).get_title("left")
    'percentile interval 1.0% to 6.0%'
    """
    made, size = checks.one_result(errors, n)
    low, high = bootstrap.percentile_interval(_losses(made, size))
    exact = bounds.interval("CP", made / size, size)
    # about six standard deviations above the count seen: what is beyond has no height
    counts = np.arange(min(size, made + int(6 * np.sqrt(made + 1)) + 3) + 1)
    chance = stats.binom.pmf(counts, size, made / size)
    inside = (counts >= round(low * size)) & (counts <= round(high * size))
    ax = new_axes(ax)
    width = 0.8 / size
    ax.bar(counts[inside] / size, chance[inside], width, label="in the interval", **PLAIN)
    ax.bar(counts[~inside] / size, chance[~inside], width, label="outside", **HATCHED)
    top = float(chance.max())
    # over the bars, where it hides none of them
    ax.plot(exact, [1.12 * top] * 2, color="black", lw=2, marker="|", ms=10, label="exact interval")
    ax.set(xlabel="error rate of a bootstrap sample", ylabel="probability", ylim=(0, 1.65 * top))
    ax.set_title(f"percentile interval {low:.1%} to {high:.1%}")
    ax.legend(loc="upper right")
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
    for row, (name, given) in enumerate(estimates.items()):
        values = checks.numbers(given, "estimates", ndim=1)
        # apart, but not at random
        height = row + 0.22 * np.sin(2.4 * np.arange(len(values)))
        ax.plot(values, height, alpha=0.6, ms=4, label=name, **look(row) | {"linestyle": ""})
        ax.plot(values.mean(), row, color="black", marker="|", ms=24, mew=2.5, ls="",
                label=f"mean of {name}")  # fmt: skip
    ax.set_yticks(range(len(estimates)), list(estimates))
    ax.set(ylim=(len(estimates) - 0.4, -0.6), xlabel="estimate, %")
    return ax
