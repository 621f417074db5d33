"""Plots of the measured coverage of each method."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from errlab import checks
from errlab.results import NEAR, Evidence, measured
from errlab.style import Look, new_axes, styled
from errlab_book.plots.paper import ACCENT, BODY, FAINT, INK, balanced, headline, paper, write

LOW = 0.9  # below this coverage, a mark is a square in the accent
_WHAT = {"effective groups": "Groups", "examples of the rarer class": "Rare classes"}
# height of a method's band for its coverages, and the coverage at its bottom
BAND, FLOOR = 1.0, 0.45


@styled
def plot_guarantees(unit: str, *, ax: Axes | None = None) -> Axes:
    """Draw the coverage of 95% intervals against the size that it depends on, method by method.

    Parameters
    ----------
    unit : str
        What the size counts: "examples", "examples of the rarer class" or "effective groups".

    Raises
    ------
    ValueError
        If no coverage depends on that.

    Examples
    --------
    >>> plot_guarantees("effective groups").get_xlabel()
    'effective groups'
    """
    checks.choice(unit, "unit", sorted({row["unit"] for row in measured()}))
    rows = [row for row in measured() if row["unit"] == unit and row["kind"] == "interval"]
    coverages: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        coverages.setdefault(row["method"], []).append((row["size"], row["coverage"]))
    hard = {row["method"] for row in rows if "where" in row}
    methods = sorted(coverages, key=lambda method: min(share for _, share in coverages[method]))
    ax = new_axes(ax, figsize=(4.86, 1.2 + 0.95 * len(methods)))
    every = [size for row in coverages.values() for size, _ in row]
    smallest = min(every)
    for place, method in enumerate(methods):
        # each method has a band from 45% to 100%, since many settings have the same size
        size, share = np.transpose(sorted(coverages[method]))
        level, low = place - BAND * (0.95 - FLOOR), share < LOW
        up = place - BAND * (share - FLOOR)
        ax.axhline(level, color=INK, alpha=FAINT, lw=1)
        ax.plot(size[~low], up[~low], "o", color=INK, alpha=BODY, ms=3.5, mew=0)
        ax.plot(size[low], up[low], "s", color=ACCENT, ms=6)
        k = int(np.argmin(share))
        words = "\n".join(balanced(f"{share[k]:.1%} or more: {method}", 38))
        words += "" if method in hard else ",\nkind settings only"
        look: Look = {
            "weight": "bold" if low.any() else "normal",
            "va": "bottom",
            "in_layout": False,
        }
        write(ax, words, (smallest, level), (0, 6), **look)
    lowest = [min(share for _, share in row) for row in coverages.values()]
    below = sum(share < LOW for share in lowest)
    ax.set(xscale="log", xlabel=unit, yticks=[])
    ax.set_ylim(len(methods) - 1 + BAND * 0.02, -BAND * (1 - FLOOR) - 0.5)
    ax.set_xticks(ticks := [x for x in (3, 10, 30, 100, 1000) if x < 1.1 * max(every)])
    ax.set_xticks([], minor=True)
    ax.set_xticklabels([f"{x:,}" for x in ticks])
    headline(
        ax,
        f"{_WHAT.get(unit, unit.capitalize())}: {below} of {len(methods)} methods "
        f"{'falls' if below == 1 else 'fall'} below 90%, down to {min(lowest):.1%}",
        "a mark for each setting, by how often the interval contains the truth; lines: 95%",
    )
    return ax


@styled
def plot_window(found: Evidence, asked: str, *, ax: Axes | None = None) -> Axes:
    """Draw the measured coverage of a report's claims, and mark what applies to a number of groups.

    Parameters
    ----------
    found : Evidence
        What `errlab.results.evidence` found for a report.
    asked : str
        What the report is on: "one model", with a bound and an interval, or "two models".

    Examples
    --------
    >>> from errlab.results import evidence
    >>> groups = "effective groups"
    >>> told = evidence("asymptotic", "cluster-robust t test", 8, groups, door="report")
    >>> print(plot_window(told, "two models").get_title("left"))
    Two models, 8 groups: the lowest
    we found is 47%
    """
    rows = [
        row for row in measured()
        if (row["method"], row["unit"], row["door"]) == (found.method, found.unit, "report")
        and row["kind"] in ("interval", found.kind)
    ]  # fmt: skip
    size, share = (np.array([row[key] for row in rows]) for key in ("size", "coverage"))
    near = (found.sizes[0] <= size) & (size <= found.sizes[1])
    low = near & (share == found.coverage)
    claims = "bounds and intervals keep to"
    if found.kind == "interval":
        claims = "intervals of their difference contain"
    ax = ax or paper(350, 250)
    ax.axvspan(found.size / NEAR, found.size * NEAR, color=INK, alpha=0.12, lw=0)
    ax.axhline(95, color=INK, alpha=BODY, lw=1, ls="--")
    ax.plot(size[~near], 100 * share[~near], "o", color=INK, alpha=FAINT, ms=4, mew=0)
    ax.plot(size[near & ~low], 100 * share[near & ~low], "o", color=INK, alpha=BODY, ms=5, mew=0)
    ax.plot(size[low], 100 * share[low], "s", color=ACCENT, ms=9)
    ax.plot(found.size, 40, "^", color=INK, ms=8, clip_on=False)
    ax.set(xscale="log", xlim=(1.8, 220), ylim=(40, 101), xlabel=found.unit)
    ax.set_xticks(ticks := [2, 5, 10, 20, 50, 100, 200], [str(x) for x in ticks])
    ax.set_xticks([], minor=True)
    ax.set_yticks([50, 75, 95], ["50", "75", "95%"])
    headline(
        ax,
        f"{asked.capitalize()}, {found.size:g} groups: the lowest we found is {found.percent}",
        f"how often 95% {claims} the truth; square: the lowest that counts",
    )
    return ax
