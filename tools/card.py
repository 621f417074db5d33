"""The picture by which other sites show a link to the book: 1200 x 630 pixels, drawn from data."""

from __future__ import annotations

import io
import textwrap

import matplotlib.pyplot as plt

from errlab import bounds
from errlab.book.plots.bounds import plot_tail

WIDTH, HEIGHT, DPI = 1200, 630, 100
DARK = "#0b2e4f"
FITS = ((46, 13, 3), (34, 18, 4), (26, 24, 5))  # size of the letters, letters a line, lines
SAYS = "7 errors in 200 test cases. What may you claim?"


def fitted(title: str) -> tuple[int, list[str]]:
    """Return the size and the lines of a title: as large as fits beside the figure."""
    tried = [(size, textwrap.wrap(title, width), width, most) for size, width, most in FITS]
    fits = (one for one in tried if len(one[1]) <= one[3] and max(map(len, one[1])) <= one[2])
    size, lines, _, most = next(fits, tried[-1])
    return size, lines[:most]


def picture(title: str, author: str) -> bytes:
    """Return the card as a PNG: title, author, and the tail that makes a bound.

    Parameters
    ----------
    title, author : str
        Of the book.
    """
    upper = bounds.clopper_pearson(7 / 200, 200)
    figure = plt.figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI, facecolor="white")
    try:
        ax = figure.add_axes((0.56, 0.13, 0.41, 0.66))
        plot_tail(7, 200, upper, ax=ax)
        ax.set_title("")
        ax.set(xlim=(-1, 30))
        ax.tick_params(labelsize=15)
        ax.xaxis.label.set_fontsize(17)
        ax.yaxis.label.set_fontsize(17)
        if legend := ax.get_legend():
            legend.remove()
        size, lines = fitted(title)
        figure.text(0.05, 0.9, "\n".join(lines), size=size, weight="bold", va="top", color=DARK)
        claim = f"{SAYS} At most {upper:.1%}, at 95% confidence."
        figure.text(0.05, 0.3, textwrap.fill(claim, 34), size=21, va="center", color="#222222")
        figure.text(0.05, 0.07, author, size=19, color="#444444")
        stream = io.BytesIO()
        figure.savefig(stream, format="png", dpi=DPI, metadata={"Software": None})
    finally:
        plt.close(figure)
    return stream.getvalue()
