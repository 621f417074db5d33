"""Drawing the ranks of many models: which are left to each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from errlab._style import BLUE, VERMILION, new_axes, styled

if TYPE_CHECKING:
    from errlab.compare.many_models import Models


@styled
def plot_ranks(
    found: Models, beside: Mapping[str, int] | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw the ranks that are left to each model, and its rank on another test set.

    Parameters
    ----------
    found : Models
        What `errlab.compare.models` returned.
    beside : mapping of str to int, optional
        The rank of each model on another set; a square is outside its bar.

    Raises
    ------
    KeyError
        If a model has no rank beside.

    Examples
    --------
    >>> from errlab import compare
    >>> found = compare.models([0] * 50, {"a": [0] * 50, "b": [0] * 25 + [1] * 25})
    >>> plot_ranks(found, {"a": 1, "b": 2}).get_title("left")
    'Of 1 pair 1 is shown to differ'
    """
    rows = np.arange(1, len(found.models) + 1)
    first, last = np.array([[m.first, m.last] for m in found.models]).T
    ax = new_axes(ax, figsize=(4.2, 1.3 + 0.155 * len(rows)))
    # a rank that is known is a bar of no length, and still to be seen
    ax.hlines(rows, first - 0.3, last + 0.3, color=BLUE, lw=4, alpha=0.45, label="ranks left")
    ax.plot(rows, rows, "o", color="0.2", ms=3, label="rank on this test set")
    if beside:
        place = np.array([beside[m.name] for m in found.models])
        inside = (first <= place) & (place <= last)
        ax.plot(place[inside], rows[inside], "d", color=BLUE, ms=4, label="rank beside")
        if not inside.all():
            label = "rank beside, outside"
            ax.plot(place[~inside], rows[~inside], "s", color=VERMILION, ms=6, label=label)
    pairs, shown = len(found.pairs), len(found.different)
    many, are = "s" if pairs != 1 else "", "is" if shown == 1 else "are"
    ax.set(xlabel="rank", xlim=(0, len(rows) + 1), ylim=(len(rows) + 0.8, 0.2))
    ax.set_title(f"Of {pairs} pair{many} {shown} {are} shown to differ")
    ax.set_yticks(rows, [_shortened(m.name) for m in found.models], fontsize=7)
    ax.legend(loc="upper right", fontsize=7)
    return ax


def _shortened(name: str, most: int = 20) -> str:
    """Leave out the middle of a long name; what differs is mostly at its ends."""
    tail = (most - 1) // 2
    return name if len(name) <= most else f"{name[: most - 1 - tail]}…{name[-tail:]}"


@styled
def plot_before_after(
    rates: Mapping[str, tuple[float, float]],
    names: tuple[str, str],
    *,
    marked: str,
    ax: Axes | None = None,
) -> Axes:
    """Draw two rates of each model as a line from one to the other; one model in colour.

    Parameters
    ----------
    rates : mapping of str to tuple of float
        The two rates of each model.
    names : tuple of str
        What the two are.
    marked : str
        The model in colour.

    Raises
    ------
    KeyError
        If `marked` is none of the models.

    Examples
    --------
    >>> drawn = plot_before_after({"a": (0.4, 0.2), "b": (0.3, 0.3)}, ("old", "new"), marked="a")
    >>> drawn.get_title("left")
    'a: 40% to 20%'
    """
    ax = new_axes(ax, figsize=(4.8, 3.4))
    for model, (before, after) in rates.items():
        if model != marked:
            ax.plot([0, 1], [100 * before, 100 * after], "o-", color="0.6", lw=1.2, ms=3)
    first, last = (100 * rate for rate in rates[marked])
    ax.plot([0, 1], [first, last], "o-", color=VERMILION, lw=3, ms=6)
    ax.annotate(marked, (1, last), (8, 0), textcoords="offset points", va="center")
    ax.set(xlim=(-0.1, 1.7), ylim=(0, None), ylabel="solved, %")
    ax.set_title(f"{marked}: {first:.0f}% to {last:.0f}%")
    ax.set_xticks([0, 1], names)
    return ax
