"""Plots of the error in another population: other class shares, or a machine's labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from errlab import checks
from errlab.metrics import error_at_shares
from errlab.style import BLUE, VERMILION, new_axes, styled
from errlab_book.plots._shared import rows_of
from errlab_book.plots.paper import ACCENT, BODY, INK, SOFT, headline, paper, write

_MACHINE = {
    "naive": "judge's labels as if true",
    "classical": "human labels alone",
    "tuned": "human and judge, trust tuned",
    "plain": "human and judge, full trust",
    "proven": "human and judge, proven",
}


@styled
def plot_class_shares(
    losses: ArrayLike, strata: ArrayLike, stratum: Any, *, most: float = 1.0, ax: Axes | None = None
) -> Axes:
    """Draw the error against a class's share of another population, with its proven interval.

    Parameters
    ----------
    losses : array_like, shape (n,)
        Losses of the test examples, in [0, 1].
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
    # all other examples of the population are of the other class
    (other,) = (name for name in names if name != stratum)
    top = float(checks.within(most, "most", 0, 1, open_low=True, ndim=0))
    # undefined if a class has no example
    shares = np.linspace(0.005, min(top, 0.995), 51)
    estimates = [
        error_at_shares(values, classes, {stratum: s, other: 1 - s}) for s in shares.tolist()
    ]
    ax = new_axes(ax, figsize=(4.8, 3.2))
    low, high = (np.array([getattr(f, end) for f in estimates]) for end in ("low", "high"))
    ax.fill_between(shares, low, high, color=BLUE, alpha=0.2, lw=0, label="proven 95% interval")
    ax.plot(shares, [f.estimate for f in estimates], color=BLUE, lw=1.8, label="error rate")
    test_share = float(np.mean([label == stratum for label in classes.tolist()]))
    if test_share <= top:
        ax.plot(
            test_share, values.mean(), "s", color=VERMILION, ms=7, label="the test set as it is"
        )
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
    study: Mapping[str, Any], n: int, share: float, *, ax: Axes | None = None
) -> Axes:
    """Draw the width of intervals from human labels and a judge's, and write their coverage.

    Parameters
    ----------
    study : mapping
        What ``errlab_book.studies.load("elsewhere")`` returns.
    n : int
        True labels, one of the study's numbers.
    share : float
        Fraction of labels that the judge has wrong, one of the study's.

    Raises
    ------
    ValueError
        If the study has no such setting.

    Examples
    --------
    >>> from errlab_book import studies
    >>> ax = plot_machine_labels(studies.load("elsewhere"), 100, 0.3)
    >>> ax.get_title("left").splitlines()[0]
    'The narrowest interval is never right'
    """
    ((_, cell),) = rows_of(study, "n", kind="machine", n=n, share=share)
    runs = next(
        row["repeats"]
        for row in study["settings"]
        if row["setting"] == {"kind": "machine", "n": n, "share": share}
    )
    keys = sorted(_MACHINE, key=lambda key: cell[f"{key} width"])
    edge = 1.35 * 100 * cell[f"{keys[-1]} width"]
    ax = ax or paper(350, 300)
    for place, key in enumerate(keys):
        width, right = 100 * cell[f"{key} width"], cell[key]
        bad = right < 0.9
        bar: dict[str, Any] = (
            {"color": ACCENT, "hatch": "///"} if bad else {"color": INK, "alpha": BODY}
        )
        ax.barh(place, width, 0.42, edgecolor="#ffffff", lw=0, **bar)
        weight = "bold" if bad else "normal"
        write(ax, _MACHINE[key], (0, place), (0, 17), weight=weight)
        write(ax, f"{width:.1f}", (width, place), (5, 0), weight=weight)
        write(ax, f"{right * runs:,.0f}", (edge, place), (0, 0), ha="right", weight=weight)
    write(ax, f"right, of {runs:,}", (edge, -0.62), (0, 0), ha="right", alpha=SOFT)
    ax.set(xlim=(0, edge), ylim=(len(keys) - 0.6, -0.85), xticks=[], yticks=[])
    ax.spines["bottom"].set_visible(False)
    narrowest = cell[keys[0]]
    often = f"right {narrowest:.0%} of the time" if narrowest else "never right"
    headline(
        ax, f"The narrowest interval is {often}",
        "Mean width of 95% intervals, in percentage points",
    )  # fmt: skip
    return ax
