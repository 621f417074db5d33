"""Plots of grouped examples: intervals that use the groups, and intervals that ignore them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from errlab import bounds, checks, metrics
from errlab.results import Interval
from errlab.style import BLUE, VERMILION, new_axes, styled
from errlab_book.plots._shared import rows_of
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, headline, paper, spread, write

ERROR = 0.15  # the true error
_TESTS = 50  # test sets in one picture
_GROUPS = 40  # in each test set


@functools.lru_cache(maxsize=64)
def grouped_tests(size: int, correlation: float) -> tuple[tuple[float, Interval, Interval], ...]:
    """Return error rate, naive and grouped interval of each simulated test set of groups.

    Examples
    --------
    >>> rate, naive, grouped = grouped_tests(10, 1.0)[0]
    >>> grouped.high - grouped.low > 2 * (naive.high - naive.low)
    True
    """
    wrong, names = grouped_losses(size, correlation)
    naive = bounds.interval("CP", errors=wrong.sum(axis=1).astype(int), n=_GROUPS * size)
    bets = [metrics.grouped_betting(test, groups=names) for test in wrong]
    return tuple(
        (float(rate), Interval(float(low), float(high)), Interval(bet.low, bet.high))
        for rate, low, high, bet in zip(wrong.mean(axis=1), *naive, bets, strict=True)
    )


def grouped_losses(size: int, correlation: float) -> tuple[Any, Any]:
    """Return simulated losses, tests x rows, and the group of each row."""
    rng = np.random.default_rng(15)
    tests = []
    for _ in range(_TESTS):
        # each example is wrong independently
        independent = rng.random((_GROUPS, size)) < ERROR
        # one answer that the whole group shares
        shared = rng.random((_GROUPS, 1)) < ERROR
        # a pair of a group copies the group's answer with the product of the two probabilities
        copies = rng.random((_GROUPS, size)) < np.sqrt(correlation)
        tests.append(np.where(copies, shared, independent).ravel().astype(float))
    return np.array(tests), np.repeat(np.arange(_GROUPS), size)


@styled
def plot_grouped_tests(
    size: int, correlation: float, *, grouped: bool = False, ax: Axes | None = None
) -> Axes:
    """Draw fifty tests of 40 groups each: which intervals contain the true error.

    Parameters
    ----------
    size : int
        Examples in each group, at least 1.
    correlation : float
        Correlation of two examples of one group, in [0, 1].
    grouped : bool
        Whether the interval is that of the bets on the groups, or Clopper-Pearson's for all rows.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> plot_grouped_tests(10, 1.0).get_title("left")
    '24 of 50 intervals miss the true error'
    """
    cases = checks.one_count(size, "size")
    together = float(checks.within(correlation, "correlation", 0, 1, ndim=0))
    ax = new_axes(ax, figsize=(4.8, 3.4))
    tests = grouped_tests(cases, together)
    ends = [test[2] if grouped else test[1] for test in tests]
    holds = np.array([low <= ERROR <= high for low, high in ends])
    place = np.arange(len(tests))
    low, high = np.array(ends).T
    for right, colour, style, mark, name in (
        (True, BLUE, "-", "o", "contains it"),
        (False, VERMILION, "--", "x", "misses it"),
    ):
        chosen = holds == right
        ax.vlines(
            place[chosen], low[chosen], high[chosen], color=colour, linestyle=style, lw=1.6,
            label=name,
        )  # fmt: skip
        # the observed rate, a mark inside its interval
        rates = np.array([test[0] for test in tests])[chosen]
        ax.plot(place[chosen], rates, mark, color=colour, ms=3)
    ax.axhline(ERROR, color="0.3", lw=1, linestyle=":", label="true error")
    ax.set(
        xlabel="one test set after the other",
        ylabel="error rate and interval",
        ylim=(0, 0.5),
        xticks=[],
        title=f"{(~holds).sum()} of {len(tests)} intervals miss the true error",
    )
    ax.legend(loc="upper right", ncols=3)
    return ax


NAMES = {
    "naive": "row by row",
    "korn": "Korn-Graubard",
    "robust": "cluster-robust t",
    "proven": "proven",
}


@styled
def plot_grouped_coverage(
    study: Mapping[str, Any], groups: int, *, kind: str = "mixed", ax: Axes | None = None
) -> Axes:
    """Draw the coverage of four intervals against the design effect, from the stored study.

    Parameters
    ----------
    study : mapping
        What ``errlab_book.studies.load("groups")`` returns.
    groups : int
        Number of groups, one of the study's.
    kind : {"ten", "mixed"}
        Whether all groups have ten examples, or 1 to 20.

    Raises
    ------
    ValueError
        If the study has no such setting.

    Examples
    --------
    >>> from errlab_book import studies
    >>> plot_grouped_coverage(studies.load("groups"), 60).get_xlabel()
    'design effect: rows that tell as much as one'
    """
    rows = rows_of(study, "effect", groups=groups, kind=kind)
    places = np.log2([effect for effect, _ in rows])
    values = {key: 100 * np.array([row[key] for _, row in rows]) for key in NAMES}
    ends = spread([coverages[-1] for coverages in values.values()], 4.6)
    ax = ax or paper(350, 300)
    ax.axhline(95, color=INK, lw=1, alpha=FAINT)
    bad: list[str] = []
    for (key, coverages), end in zip(values.items(), ends, strict=True):
        # the accent marks an interval with too little coverage
        low = coverages < 90
        line: dict[str, Any] = {"color": INK, "alpha": BODY}
        if low.any():
            line = {"color": ACCENT, "lw": 2.5}
        ax.plot(places, coverages, clip_on=False, **line)
        if low.any():
            ax.plot(places[low], coverages[low], "s", color=ACCENT, ms=7, clip_on=False)
            bad.append(f"{NAMES[key]} {'is right ' * (not bad)}{coverages.min():.0f}%")
        weight = "bold" if low.any() else "normal"
        write(ax, NAMES[key], (places[-1], end), (10, 0), weight=weight)
    ax.set(
        xlabel="design effect: rows that tell as much as one",
        ylim=(40, 103),
        yticks=[40, 60, 80, 95],
    )
    ax.set(xlim=(places[0], places[-1]))
    ax.set_xticks(places, [f"{effect:g}" for effect, _ in rows])
    ax.yaxis.set_major_formatter("{x:g}%")
    worst = f"At worst, {' and '.join(bad)} of the time" if bad else "All are right in 90% or more"
    headline(ax, worst, f"How often the 95% interval of {groups} groups is right")
    return ax
