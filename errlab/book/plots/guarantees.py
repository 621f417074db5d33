"""Plots of what was measured of each method."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from errlab._core import checks
from errlab._core.statement import measured
from errlab._style import look, new_axes, styled
from errlab.book.plots._shared import draw_level


@styled
def plot_guarantees(unit: str, *, ax: Axes | None = None) -> Axes:
    """Draw the coverage of 95% intervals against the size that it depends on, method by method.

    Parameters
    ----------
    unit : str
        What the size counts: "cases", "cases of the rarer class" or "effective groups".

    Raises
    ------
    ValueError
        If no coverage depends on that.

    Examples
    --------
    >>> plot_guarantees("effective groups").get_xlabel()
    'effective groups'
    """
    checks.choice(unit, "unit", sorted({row["unit"] for row in measured()}))
    rows = [row for row in measured() if row["unit"] == unit and row["kind"] == "interval"]
    methods = dict.fromkeys(row["method"] for row in rows)
    ax = new_axes(ax, figsize=(4.8, 3.2 + 0.2 * len(methods)))
    for number, method in enumerate(methods):
        # many settings have the same size: the line goes through the worst of them
        of_one = [(row["size"], row["coverage"]) for row in rows if row["method"] == method]
        sizes = sorted({size for size, _ in of_one})
        lowest = [min(share for at, share in of_one if at == size) for size in sizes]
        style = look(number)
        ax.plot(sizes, lowest, label=method, lw=1.6, **style)
        ax.plot(*np.transpose(of_one), ".", color=style["color"], alpha=0.35, ms=5)
    draw_level(ax)
    ax.set(
        xscale="log",
        xlabel=unit,
        ylabel="share that contain the truth",
        title="Each dot a setting, each line through the lowest",
    )
    # below the label
    ax.legend(loc="upper left", bbox_to_anchor=(0, 0), borderaxespad=4)
    return ax
