"""Plots of comparisons on folds: a posterior, and the result of a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike
from scipy import stats

from errlab import compare
from errlab._core import checks
from errlab._core.interval import Interval
from errlab._style import BLUE, OCHRE, VERMILION, look, new_axes, styled
from errlab.compare._result import Posterior


@styled
def plot_posterior(
    differences: ArrayLike, *, n_train: int, n_test: int, rope: float = 0.01, ax: Axes | None = None
) -> Axes:
    """Draw the posterior of the Bayesian correlated t-test, with its three regions.

    Parameters
    ----------
    differences : array_like, shape (J,)
        Error of A minus error of B on each split; not all equal.
    n_train, n_test : int
        Sizes of the training and the test part of each split.
    rope : float
        Differences from -rope to rope count as equivalent in practice.

    Raises
    ------
    ValueError, TypeError
        If the differences are all equal or an argument is out of range.

    References
    ----------
    Corani and Benavoli, Machine Learning 100 (2015), 285-304.

    Examples
    --------
    >>> ax = plot_posterior([0.02, 0.05, 0.01, 0.04, 0.03], n_train=90, n_test=10)
    >>> ax.get_legend_handles_labels()[1][-1]
    'B better: 0.957'
    """
    array = checks.numbers(differences, "differences", ndim=1)
    result = compare.bayesian_correlated_t(array, n_train=n_train, n_test=n_test, rope=rope)
    low, high = cast(Interval, result.interval)
    checks.require(low < high, "differences", "not all be equal", array[0])
    df = len(array) - 1
    scale = (high - low) / 2 / stats.t.isf(result.delta / 2, df)
    edge = max(4.5 * scale + abs(result.estimate), 1.2 * rope)
    x = np.linspace(-edge, edge, 161)
    ax = new_axes(ax)
    density = stats.t.pdf(x, df, result.estimate, scale)
    ax.plot(x, density, color="black", lw=1.5)
    a, same, b = cast(Posterior, result.posterior)
    regions = (
        ("A better", a, x <= -rope, BLUE, "//"),
        ("equivalent", same, np.abs(x) <= rope, OCHRE, ""),
        ("B better", b, x >= rope, VERMILION, "\\\\"),
    )
    for name, chance, where, colour, hatch in regions:
        ax.fill_between(
            x, 0, density, where=where, facecolor=colour, alpha=0.7, hatch=hatch,
            edgecolor="white", label=f"{name}: {chance:.3f}",
        )  # fmt: skip
    for end in (-rope, rope):
        ax.axvline(end, color="black", lw=1, linestyle=":")
    ax.set(xlabel="error of A minus error of B", ylabel="posterior density", ylim=(0, None))
    ax.legend(loc="upper left")
    return ax


@styled
def plot_rejections(
    rates: Mapping[str, Sequence[float]], labels: Sequence[str], *, ax: Axes | None = None
) -> Axes:
    """Draw one row for each test: how often it found a difference, in several situations.

    Parameters
    ----------
    rates : mapping of str to sequence of float
        For each test its fraction of rejections in each situation.
    labels : sequence of str
        What to call the situations.

    Raises
    ------
    ValueError, TypeError
        If a rate leaves [0, 1] or a test has another number of them than there are labels.

    Examples
    --------
    >>> ax = plot_rejections({"exact": [0.03, 0.4], "z": [0.06, 0.5]}, ["equal", "unequal"])
    >>> [tick.get_text() for tick in ax.get_yticklabels()]
    ['exact', 'z']
    """
    rows = [checks.within(values, name, 0, 1, ndim=1) for name, values in rates.items()]
    same = all(len(row) == len(labels) for row in rows)
    checks.require(same, "rates", f"hold {len(labels)} numbers for each test", rates)
    table = np.array(rows)  # tests x situations
    ax = new_axes(ax, figsize=(4.8, 1.6 + 0.25 * len(rows)))
    for number, label in enumerate(labels):
        marks = {**look(number), "linestyle": "none", "markersize": 6}
        ax.plot(table[:, number], np.arange(len(rows)), label=label, **marks)
    ax.axvline(0.05, color="0.5", lw=1, label="the level")
    ax.set(xlabel="fraction that find a difference", ylim=(len(rows) - 0.4, -0.6))
    ax.set_yticks(range(len(rows)), list(rates), fontsize=9)
    ax.legend(  # above the rows, where it covers none
        loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=4, columnspacing=1,
        handlelength=1.5, fontsize=8.5,
    )  # fmt: skip
    return ax
