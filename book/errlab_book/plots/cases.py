"""Drawing for the pages of cases: intervals below each other, lines from before to after."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from matplotlib.axes import Axes

from errlab.style import Look
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, write


def draw_rows(
    ax: Axes, rows: Mapping[str, tuple[float, ...]], accent: str, view: tuple[float, float]
) -> None:
    """Draw intervals below each other, each under its label, with both ends and a marked value."""
    for y, (words, (low, high, *marks)) in enumerate(rows.items()):
        bold = words == accent
        look: Look = {"color": ACCENT, "lw": 6} if bold else {"color": INK, "lw": 4, "alpha": BODY}
        ax.plot([low, high], [y, y], solid_capstyle="butt", **look)
        for mark in marks:
            ax.plot(mark, y, "s" if bold else "o", color=INK, ms=5)
        write(ax, words, (view[0], y), (0, 15), weight="bold" if bold else "normal")
    ax.set(ylim=(len(rows) - 0.6, -0.8), xlim=view, yticks=[])


def draw_slopes(
    ax: Axes, ends: Mapping[str, tuple[float, float]], accent: str, strong: Collection[str]
) -> None:
    """Draw a line from before to after for each name: the accent on top, the others fainter."""
    for name, line in ends.items():
        if name != accent:
            alpha = BODY if name in strong else FAINT
            ax.plot([0, 1], line, "o-", color=INK, alpha=alpha, lw=1.2, ms=3)
    ax.plot([0, 1], ends[accent], "s-", color=ACCENT, lw=3, ms=7)
