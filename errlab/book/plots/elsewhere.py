"""Plots of the error elsewhere: at other class shares, and with a machine's labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from errlab._core import checks
from errlab._style import BLUE, VERMILION, new_axes, styled
from errlab.book.plots._shared import draw_level, draw_methods, rows_of
from errlab.metrics import error_at_shares

_MACHINE = {
    "naive": "the judge's labels, as if true",
    "classical": "human labels alone",
    "tuned": "both, tuned",
    "plain": "both, full trust",
    "proven": "both, proven",
}


@styled
def plot_class_shares(
    losses: ArrayLike, strata: ArrayLike, stratum: Any, *, most: float = 1.0, ax: Axes | None = None
) -> Axes:
    """Draw the error against the share that a class has elsewhere, with its proven interval.

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses of the test cases, in [0, 1].
    strata : array_like, shape (n,)
        The class of each, one of two.
    stratum : label
        The class whose share is varied.
    most : float
        Largest share, in (0, 1].

    Raises
    ------
    ValueError
        If there are not two classes, or `stratum` is none of them.

    Examples
    --------
    >>> ax = plot_class_shares([1, 0, 0, 1, 0], ["ill", "ill", "well", "well", "well"], "ill")
    >>> ax.get_xlabel()
    'fraction of "ill" where it is used'
    """
    values = checks.losses(losses)
    classes = checks.labels(strata, "strata")
    names = sorted(set(classes.tolist()), key=str)
    checks.require(len(names) == 2, "strata", "hold two classes", names)
    checks.choice(stratum, "stratum", names)
    # what is left of the population is the other class
    (other,) = (name for name in names if name != stratum)
    top = float(checks.within(most, "most", 0, 1, open_low=True, ndim=0))
    # with no case of a class it says nothing
    shares = np.linspace(0.005, min(top, 0.995), 51)
    found = [error_at_shares(values, classes, {stratum: s, other: 1 - s}) for s in shares.tolist()]
    ax = new_axes(ax, figsize=(4.8, 3.2))
    low, high = (np.array([getattr(f, end) for f in found]) for end in ("low", "high"))
    ax.fill_between(shares, low, high, color=BLUE, alpha=0.2, lw=0, label="proven 95% interval")
    ax.plot(shares, [f.estimate for f in found], color=BLUE, lw=1.8, label="error rate")
    here = float(np.mean([label == stratum for label in classes.tolist()]))
    if here <= top:
        ax.plot(here, values.mean(), "s", color=VERMILION, ms=7, label="the test set as it is")
    ax.set(
        xlabel=f'fraction of "{stratum}" where it is used',
        ylabel="error rate",
        xlim=(0, top),
        ylim=(0, None),
        title="The same classifier elsewhere",
    )
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter("{x:.0%}")
    ax.legend(loc="upper left")
    return ax


@styled
def plot_machine_labels(
    study: Mapping[str, Any], n: int, *, quantity: str = "coverage", ax: Axes | None = None
) -> Axes:
    """Draw coverage or width of intervals from few human labels and many of a judge, as stored.

    Parameters
    ----------
    study : mapping
        What ``errlab.book.studies.load("elsewhere")`` returns.
    n : int
        True labels, one of the study's numbers.
    quantity : {"coverage", "width"}
        What is drawn against the fraction of labels that the judge has wrong.

    Raises
    ------
    ValueError
        If the study has no such setting, or `quantity` is another.

    Examples
    --------
    >>> from errlab.book import studies
    >>> plot_machine_labels(studies.load("elsewhere"), 100).get_title("left")
    '100 human labels, 2,000 more from the judge'
    """
    checks.choice(quantity, "quantity", ("coverage", "width"))
    rows = rows_of(study, "share", kind="machine", n=n)
    ax = new_axes(ax, figsize=(4.8, 3.6))
    places = [100 * share for share, _ in rows]
    key = "{} width" if quantity == "width" else "{}"
    draw_methods(ax, places, rows, {key.format(name): text for name, text in _MACHINE.items()})
    if quantity == "coverage":
        draw_level(ax)
    ax.set(
        xlabel="labels that the judge has wrong, %",
        ylabel="coverage" if quantity == "coverage" else "mean width",
        xticks=places,
        ylim=(-0.03, 1.05) if quantity == "coverage" else (0, 0.36),
        title=f"{n} human labels, 2,000 more from the judge",
    )
    ax.legend(loc="upper left", bbox_to_anchor=(0, -0.18), ncols=2)
    return ax
