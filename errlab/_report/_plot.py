"""The picture of a report: the error rate, the bound and the interval on one line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from errlab._report import _words as words
from errlab._style import BLUE, GREEN, VERMILION, new_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from errlab._report import PairReport, Report


@styled
def plot_report(report: Report, *, ax: Axes | None = None) -> Axes:
    """Draw what a test allows to claim.

    Parameters
    ----------
    report : Report
        What `errlab.report` returned.

    Examples
    --------
    >>> import errlab
    >>> ax = plot_report(errlab.report([0] * 200, [0] * 193 + [1] * 7))
    >>> ax.get_title()
    '7 errors in 200 test cases'
    """
    ax = new_axes(ax, figsize=(4.8, 2.3))
    sure = words.sure(report.delta)
    places = words.digits(report.low, report.high)
    ax.plot(
        [report.low, report.high], [1, 1], "|-", color=BLUE, lw=3, ms=12,
        label=f"two-sided {sure} interval",
    )  # fmt: skip
    ax.plot(
        [0, report.upper], [0, 0], "--<", color=VERMILION, lw=2, markevery=[1],
        label=f"at most {words.percent(report.upper, math.ceil, places)}, {sure} sure",
    )  # fmt: skip
    ax.plot(
        [report.rate], [1], "o", color="0.2",
        label=f"error rate on the test, {words.percent(report.rate, places=places)}",
    )  # fmt: skip
    end = min(1.0, 1.25 * max(report.high, report.upper))
    ax.set(
        xlim=(-0.01 * end, end),
        ylim=(-0.6, 3.6),
        yticks=[],
        xlabel="true error",
        title=f"{words.errors(report.errors)} in {words.count(report.n, 'test case')}",
    )
    ax.spines["left"].set_visible(False)
    ax.legend(loc="upper right")
    return ax


@styled
def plot_pair(report: PairReport, *, ax: Axes | None = None) -> Axes:
    """Draw what a test of two classifiers allows to claim: the difference and its interval.

    Parameters
    ----------
    report : PairReport
        What `errlab.report` returned for two columns of predictions.

    Examples
    --------
    >>> import errlab
    >>> y = [0, 1] * 50
    >>> a, b = [1, 1] * 6 + y[12:], y[:98] + [1, 1]
    >>> plot_pair(errlab.report(y, a, b)).get_title()
    'A is better only left of 0, B only right of it'
    """
    ax = new_axes(ax, figsize=(4.8, 2.3))
    sure = words.sure(report.delta)
    places = words.digits(report.low, report.high)
    ends = [100 * report.low, 100 * report.high]
    ax.plot(ends, [0, 0], "|-", color=BLUE, lw=3, ms=12, label=f"{sure} interval")
    seen = words.points(report.difference, places)
    ax.plot([100 * report.difference], [0], "o", color="0.2", label=f"on this test, {seen}")
    ax.axvline(0, color=VERMILION, linestyle="--", lw=1.5, label="no difference")
    widest = max(abs(ends[0]), abs(ends[1]))
    if report.margin is not None:
        edge = -100 * report.margin
        ax.axvline(edge, color=GREEN, linestyle=":", lw=2, label="worse by the margin")
        widest = max(widest, -edge)
    reach = 1.2 * widest
    a, b = report.names
    ax.set(
        xlim=(-reach, reach),
        ylim=(-0.6, 3.0 if report.margin is None else 3.8),
        yticks=[],
        xlabel=f"error of {a} minus error of {b}, percentage points",
        title=f"{a} is better only left of 0, {b} only right of it",
    )
    ax.spines["left"].set_visible(False)
    ax.legend(loc="upper left")
    return ax
