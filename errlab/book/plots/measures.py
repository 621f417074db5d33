"""Plots of metrics of all kinds: how often their intervals hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from errlab.book.plots._study import draw_coverage, rows_of
from errlab.book.plots._style import new_axes, styled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

_NAMES = {
    "average precision": "average precision, bootstrap",
    "matthews": "Matthews' correlation, bootstrap",
    "area": "area, score interval",
}


@styled
def plot_metric_coverage(study: Mapping[str, Any], share: float, *, ax: Axes | None = None) -> Axes:
    """Draw the coverage of three metrics' intervals against the cases, from the stored study.

    Parameters
    ----------
    study : mapping
        What ``errlab.book.studies.load("metrics")`` returns.
    share : float
        Share of the cases that are positive, one of the study's.

    Raises
    ------
    ValueError
        If the study has no such setting.

    Examples
    --------
    >>> from errlab.book import studies
    >>> plot_metric_coverage(studies.load("metrics"), 0.3).get_xlabel()
    'cases'
    """
    rows = rows_of(study, "n", share=share)
    ax = new_axes(ax, figsize=(4.8, 3.4))
    draw_coverage(ax, rows, _NAMES, ",")
    ax.set(
        xlabel="cases",
        ylim=(0.75, 1.01),
        title=f"{share:.0%} of the cases are positive",
    )
    ax.legend(loc="lower right")
    return ax
