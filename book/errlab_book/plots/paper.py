"""The basis of a figure: paper sized in pixels, and a title that states the finding.

Names are beside lines. One unit is one pixel of a phone, so text has the same size in every
figure. All marks are black with some opacity, so dark mode can invert them. One accent colour marks
the finding, always together with a second mark such as a square or hatching.
"""

import textwrap
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from errlab.style import VERMILION, Look, styled
from errlab_book.figures import figure_of

INK = "#000000"  # the page's text colour
ACCENT = VERMILION
# opacity of minor text (contrast 4.5:1 on white and near-black), of marks (3:1) and of guides
SOFT, BODY, FAINT = 0.72, 0.5, 0.3


@styled
def paper(width: int = 350, height: int = 260) -> Axes:
    """Return new axes on paper of this size in pixels."""
    ax: Axes = plt.subplots(figsize=(width / 72, height / 72))[1]
    return ax


def headline(ax: Axes, finding: str, key: str = "", *, left: int = 36) -> None:
    """Write the finding as the title, and below it what is drawn.

    `left` is how many pixels of the paper are beside the axes.
    """
    room = 72 * figure_of(ax).get_figwidth() - left
    below = balanced(key, int(room / 6.1))
    ax.set_title("\n".join(balanced(finding, int(room / 7.8))), pad=10 + 15 * len(below))
    if below:
        write(ax, "\n".join(below), (0, 1), (0, 7), of_axes=True, va="bottom", alpha=SOFT)


def balanced(text: str, width: int) -> list[str]:
    """Break text into the fewest lines that fit, of similar length.

    Examples
    --------
    >>> balanced("Only the nested interval stays near 95%", 30)
    ['Only the nested', 'interval stays near 95%']
    """
    lines = textwrap.wrap(text, width)
    while width > 1 and len(shorter := textwrap.wrap(text, width - 1)) == len(lines):
        lines, width = shorter, width - 1
    return lines


def write(
    ax: Axes, words: str, at: tuple[Any, Any], shift: tuple[float, float] = (6, 0), *,
    of_axes: bool = False, **look: Any,
) -> None:  # fmt: skip
    """Write words beside a point, offset in pixels; `of_axes` gives the point in axes fractions."""
    where = ax.transAxes if of_axes else ax.transData
    drawn: Look = {"va": "center", "color": INK, "annotation_clip": False} | look
    ax.annotate(words, at, xycoords=where, xytext=shift, textcoords="offset points", **drawn)


def name_line(ax: Axes, line: Any, name: str, **look: Any) -> None:
    """Write the name of a line at its right end, instead of a legend."""
    write(ax, name, (line.get_xdata()[-1], line.get_ydata()[-1]), **look)


def spread(values: ArrayLike, gap: float) -> NDArray[np.float64]:
    """Move values apart until neighbours differ by `gap`, each as little as possible.

    Examples
    --------
    >>> spread([1.0, 1.0, 5.0], gap=1).tolist()
    [0.5, 1.5, 5.0]
    """
    order = np.argsort(values, kind="stable")
    steps = gap * np.arange(len(order))
    # isotonic regression: pool neighbours that are in the wrong order
    blocks: list[list[float]] = []
    for value in np.asarray(values, float)[order] - steps:
        blocks.append([value])
        while len(blocks) > 1 and np.mean(blocks[-2]) > np.mean(blocks[-1]):
            blocks[-2:] = [blocks[-2] + blocks[-1]]
    moved = np.concatenate([[np.mean(block)] * len(block) for block in blocks]) + steps
    return np.asarray(moved[np.argsort(order, kind="stable")])
