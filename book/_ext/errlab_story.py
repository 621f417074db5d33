"""Still pictures of the story, one for each scene, in the state that its text describes.

A script draws each lab. These pictures replace the labs on paper and where scripts can't run.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from errlab import bounds
from errlab.rounding import percent
from errlab.style import styled
from errlab_book.figures._record import Drawing, drawing
from errlab_book.plots.difference import draw_difference
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, headline, paper, write


def still(lab: Any) -> Drawing:
    """Return the picture of a lab's state."""
    drawn = DRAWN.get(lab.name)
    figure = (drawn(lab) if drawn else lab.plot()).figure
    try:
        return drawing(figure)
    finally:
        plt.close(figure)


def _errors(ax: Axes) -> None:
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    ax.set(xticks=[])


@styled
def winner(lab: Any, width: int = 350, height: int = 240) -> Axes:
    """Draw each model's result on the last test set, the winner, and their common true error."""
    ax = paper(width, height)
    error_rates = lab.counts[-1] / lab.cases
    best = int(error_rates.argmin())
    truth = float(lab.risks[best])
    ax.axhline(truth, color=INK, lw=1, alpha=BODY)
    ax.plot(np.delete(np.arange(lab.models), best), np.delete(error_rates, best), "o", ms=5,
            color=INK, alpha=BODY)  # fmt: skip
    ax.plot([best] * 2, [truth, error_rates[best]], color=ACCENT, lw=1.5)
    ax.plot(best, error_rates[best], "s", ms=9, color=ACCENT)
    write(ax, "the winner", (best, error_rates[best]), (9, 0))
    write(ax, "the truth", (lab.models - 0.5, truth), (4, 0))
    _errors(ax)
    headline(
        ax, f"The winner shows {percent(error_rates[best])}, but is worth {percent(truth)}",
        f"error of {lab.models} models on {lab.cases} examples",
    )  # fmt: skip
    ax.margins(x=0.03, y=0.12)
    return ax


@styled
def misses(lab: Any) -> Axes:
    """Draw the intervals of the lab's own test sets."""
    ax = paper(350, 240)
    truth = lab.error / 100
    low, high = bounds.interval(
        lab.method, lab.counts / lab.cases, lab.cases, delta=1 - lab.confidence / 100
    )
    missed = (low > truth) | (high < truth)
    at = np.arange(lab.drawn)
    ax.vlines(at[~missed], low[~missed], high[~missed], color=INK, lw=1.2, alpha=BODY)
    ax.vlines(at[missed], low[missed], high[missed], color=ACCENT, lw=2.2)
    ax.plot(at[missed], (lab.counts / lab.cases)[missed], "s", ms=5, color=ACCENT)
    ax.axhline(truth, color=INK, lw=1)
    _errors(ax)
    ax.set(ylim=(0, None), xlim=(-2, lab.drawn + 1))
    write(ax, "the truth", (lab.drawn + 1, truth), (4, 0))
    headline(
        ax, f"{missed.sum()} of {lab.drawn} intervals miss",
        f"one model, each time on {lab.cases} new examples",
    )  # fmt: skip
    return ax


@styled
def climb(lab: Any) -> Axes:
    """Draw what the board shows after each submission."""
    ax = paper(350, 230)
    released = lab.released
    at = np.arange(1, len(released) + 1)
    # stop at the last submission; further on, the line would cross its label
    ax.plot(at[[0, -1]], [0.5, 0.5], color=INK, lw=1, alpha=BODY)
    write(ax, "the truth", (at[-1], 0.5), (9, 0))
    ax.step(at, np.minimum.accumulate(released), where="post", color=ACCENT, lw=2)
    ax.plot(at, released, "o", ms=4, color=INK, alpha=BODY)
    ax.plot(at[-1], released[-1], "s", ms=8, color=ACCENT)
    write(ax, "the board", (at[-1], released[-1]), (9, 0))
    ax.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    ax.set(xlabel="submissions", ylim=(-0.05, 0.68), xticks=at[::2])
    headline(
        ax, f"After {len(released)} submissions the board shows {percent(released.min())}",
        f"errors on {lab.cases} coin tosses",
    )  # fmt: skip
    return ax


@styled
def groups(lab: Any) -> Axes:
    """Draw a column for each patient, and below it both intervals."""
    ax = paper(350, 240)
    wrong = lab.losses.T
    row, column = np.nonzero(wrong)
    tall = len(wrong)

    # one path for the lines of all patients
    def dashes(x: Any, low: Any, high: Any) -> tuple[Any, Any]:
        gap = np.full(len(x), np.nan)
        return np.ravel([x, x, x], "F"), np.ravel([low, high, gap], "F")

    every = np.arange(lab.groups)
    ax.plot(*dashes(every, 0 * every - 0.4, 0 * every + tall - 0.6), color=INK, lw=0.8, alpha=FAINT)
    ax.plot(*dashes(column, row - 0.4, row + 0.4), color=ACCENT, lw=2.2, solid_capstyle="butt")
    top = tall + 7
    interval = lab.by_group
    share = lab.groups / 0.3  # number of columns that an error rate of 1 would have
    truth = lab.words()["error"]
    for place, (name, (low, high)) in enumerate(
        {"by scan": lab.rows, "by patient": (interval.low, interval.high)}.items()
    ):
        y = top + 6 * place
        ax.plot([low * share, high * share], [y, y], color=INK, lw=3, alpha=BODY)
        ax.plot([truth * share] * 2, [y - 0.8, y + 0.8], color=INK, lw=2)
        write(ax, f"{name}: {percent(low, floor)} to {percent(high, ceil)}", (0, y), (0, 11))
    write(ax, f"truth {percent(truth)}", (truth * share, y), (0, -15), ha="center")
    ax.set(ylim=(top + 10, -1), xlim=(-1, lab.groups), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    headline(
        ax, f"{wrong.size} scans tell as much as {interval.effective_size:.0f}",
        f"a column for each of {lab.groups} patients; in colour: wrong",
    )  # fmt: skip
    return ax


@styled
def claim(lab: Any) -> Axes:
    """Draw the error count, and the range that the true error may have."""
    ax = paper(350, 190)
    report = lab.report
    rows = (
        (0, 0.0, report.upper, f"one bound: at most {percent(report.upper, ceil)}"),
        (1, report.low, report.high,
         f"both ends: {percent(report.low, floor)} to {percent(report.high, ceil)}"),
    )  # fmt: skip
    for row, low, high, label in rows:
        look: Any = {"color": INK, "alpha": BODY} if row else {"color": ACCENT}
        ax.plot([low, high], [row, row], lw=9, solid_capstyle="butt", **look)
        ax.plot(report.estimate, row, "|", color=INK, ms=17, mew=2.5)
        write(ax, label, (0, row), (0, 17), weight="normal" if row else "bold")
    ax.plot(report.upper, 0, "s", color=ACCENT, ms=11)
    ax.set(xlim=(0, 1.15 * report.high), ylim=(1.5, -0.8), yticks=[])
    ax.locator_params(axis="x", nbins=5)
    ax.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    headline(
        ax, f"{report.errors} errors in {report.n}: the truth may be {percent(report.upper, ceil)}",
        f"line: the error rate counted, {percent(report.estimate)}", left=12,
    )  # fmt: skip
    return ax


@styled
def pair(lab: Any) -> Axes:
    """Draw the interval for the difference of two models, and zero."""
    return draw_difference(lab.report)


@styled
def ranks(lab: Any) -> Axes:
    """Draw the possible ranks of each model of a board, its leader in colour."""
    ax = paper(350, 270)
    models = lab.found.models
    for row, one in enumerate(models):
        look: Any = {"color": INK, "alpha": BODY} if row else {"color": ACCENT}
        # a bar covers its first and its last rank
        ax.plot([one.first - 0.4, one.last + 0.4], [row, row], lw=5, solid_capstyle="butt", **look)
    ax.plot(models[0].last, 0, "s", color=ACCENT, ms=9)
    write(ax, "the leader", (models[0].last, 0), (9, 0), weight="bold")
    ax.set(xlim=(0, len(models) + 1), ylim=(len(models), -1), yticks=[], xlabel="rank")
    ax.set_xticks([1, *range(10, len(models) + 1, 10)])
    headline(
        ax, f"The leader's rank may be {models[0].first} to {models[0].last}",
        f"the ranks left to each of {len(models)} models by {lab.found.n:,} images", left=12,
    )  # fmt: skip
    return ax


DRAWN: dict[str, Callable[..., Axes]] = {
    "winner": winner,
    "claim": claim,
    "pair": pair,
    "ranks": ranks,
    "misses": misses,
    "climb": climb,
    "groups": groups,
}
