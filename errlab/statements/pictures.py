"""Common parts of the plots of statements: titles, and text beside marks."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from errlab.style import BLUE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# colours of an interval, and of the interval for the mean over groups
SOLID: dict[str, Any] = {"color": BLUE, "lw": 3, "ms": 12}
DASHED: dict[str, Any] = {"lw": 2, "ms": 10}


def title(ax: Axes, finding: str, key: str) -> None:
    """Write the finding as the title, wrapped for a phone, with a subtitle."""
    below = textwrap.wrap(key, 50)
    ax.set_title(textwrap.fill(finding, 39), pad=10 + 15 * len(below))
    ax.annotate(
        "\n".join(below), (0, 1), (0, 7), xycoords="axes fraction",
        textcoords="offset points", va="bottom", alpha=0.72,
    )  # fmt: skip


def write_above(ax: Axes, words: str, at: float) -> None:
    """Write text above a mark, aligned at the left."""
    ax.annotate(words, (0, at + 0.22), xycoords=("axes fraction", "data"), va="bottom")


def write_at_ends(ax: Axes, ends: dict[str, float]) -> None:
    """Write names at the right edge, moved apart so that none overlap."""
    bottom, top = ax.get_ylim()
    last = -np.inf
    for name, at in sorted(ends.items(), key=lambda entry: entry[1]):
        last = max(at, last + 0.14 * (top - bottom))  # the height of two lines of text
        ax.annotate(
            textwrap.fill(name, 13), (1, last), (6, 0), xycoords=("axes fraction", "data"),
            textcoords="offset points", va="center", annotation_clip=False,
        )  # fmt: skip
