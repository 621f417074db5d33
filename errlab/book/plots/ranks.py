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
    >>> plot_ranks(found, {"a": 1, "b": 2}).get_title()
    'Of 1 pair 1 is shown to differ'
    """
    rows = np.arange(1, len(found.models) + 1)
    first, last = np.array([[m.first, m.last] for m in found.models]).T
    ax = new_axes(ax, figsize=(5.6, 1.3 + 0.19 * len(rows)))
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
    ax.set_yticks(rows, [m.name for m in found.models], fontsize="xx-small")
    ax.legend(loc="upper right", fontsize="x-small")
    return ax
