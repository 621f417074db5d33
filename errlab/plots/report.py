"""The picture of a report: the error rate, the bound and the interval on one line."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from errlab.plots._style import new_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from errlab._report import Report


@styled
def plot_report(report: Report, *, ax: Axes | None = None) -> Axes:
    """Draw what a test allows to claim.

    Parameters
    ----------
    report : Report
        What `errlab.report` returned.
    ax : Axes, optional
        Where to draw; new axes where it is not given.

    Returns
    -------
    Axes

    Examples
    --------
    >>> import errlab
    >>> ax = plot_report(errlab.report([0] * 200, [0] * 193 + [1] * 7))
    >>> ax.get_title()
    '7 errors in 200 test cases'
    """
    ax = new_axes(ax, figsize=(4.8, 2.3))
    sure = f"{(1 - report.delta) * 100:g}%"
    ax.plot(
        [report.low, report.high], [1, 1], "|-", color="#0072b2", lw=3, ms=12,
        label=f"two-sided {sure} interval",
    )  # fmt: skip
    ax.plot(
        [0, report.upper], [0, 0], "--<", color="#d55e00", lw=2, markevery=[1],
        label=f"at most {math.ceil(report.upper * 1000) / 10}%, {sure} sure",
    )  # fmt: skip
    ax.plot(
        [report.rate], [1], "o", color="0.2", label=f"error rate on the test, {report.rate:.1%}"
    )
    end = min(1.0, 1.25 * max(report.high, report.upper))
    plural = "" if report.errors == 1 else "s"
    ax.set(
        xlim=(-0.01 * end, end),
        ylim=(-0.6, 3.6),
        yticks=[],
        xlabel="true error",
        title=f"{report.errors} error{plural} in {report.n} test cases",
    )
    ax.spines["left"].set_visible(False)
    ax.legend(loc="upper right")
    return ax
