"""Plots of the possible ranks of many models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from errlab.style import styled
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, headline, paper

if TYPE_CHECKING:
    from errlab.results import Models


@styled
def plot_ranks(
    found: Models, beside: Mapping[str, int] | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw the possible ranks of each model, and its rank on another test set.

    Parameters
    ----------
    found : Models
        What `errlab.models` returned.
    beside : mapping of str to int, optional
        The rank of each model on another set; a square is outside its bar.

    Raises
    ------
    KeyError
        If a model has no rank beside.

    Examples
    --------
    >>> import errlab
    >>> found = errlab.models([0] * 50, {"a": [0] * 50, "b": [0] * 25 + [1] * 25})
    >>> " ".join(plot_ranks(found, {"a": 1, "b": 2}).get_title("left").split())
    'None of 2 leave their bars on the other set'
    """
    rows = np.arange(1, len(found.models) + 1)
    first, last = np.array([[m.first, m.last] for m in found.models]).T
    ax = ax or paper(350, 125 + 15 * len(rows))
    # a rank that is certain is a bar of length 0, which must still be visible
    ax.hlines(rows, first - 0.3, last + 0.3, color=INK, lw=5, alpha=FAINT)
    ax.plot(rows, rows, "o", color=INK, ms=4)
    if beside:
        place = np.array([beside[m.name] for m in found.models])
        inside = (first <= place) & (place <= last)
        ax.plot(place[inside], rows[inside], "d", color=INK, alpha=BODY, ms=5)
        ax.plot(place[~inside], rows[~inside], "s", color=ACCENT, ms=7)
        out = int((~inside).sum())
        leave = "leaves its bar" if out == 1 else "leave their bars"
        finding = f"{out or 'None'} of {len(rows)} {leave} on the other set"
        key = "Bars: the ranks that are left; dots: here; diamonds, squares: on the other set"
    else:
        # the question that a board is read for: which models may be the best
        may = first == 1
        ax.hlines(rows[may], first[may] - 0.3, last[may] + 0.3, color=INK, lw=5, alpha=BODY)
        finding = f"{may.sum()} of {len(rows)} may be the first"
        key = "Bars: the ranks left to each, dark if the first is one; dots: on this test set"
    ax.set(xlabel="rank", xlim=(0, len(rows) + 1), ylim=(len(rows) + 0.8, 0.2))
    ax.set_xticks([1, *range(5, len(rows) + 1, 5)] if len(rows) > 4 else rows)
    ax.set_yticks(rows, [_shortened(m.name) for m in found.models], fontsize=11)
    longest = max(len(_shortened(m.name)) for m in found.models)
    headline(ax, finding, key, left=24 + 7 * longest)
    return ax


def _shortened(name: str, max_length: int = 20) -> str:
    """Leave out the middle of a long name, because names mostly differ at the ends."""
    tail = (max_length - 1) // 2
    return name if len(name) <= max_length else f"{name[: max_length - 1 - tail]}…{name[-tail:]}"
