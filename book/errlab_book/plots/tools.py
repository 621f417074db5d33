"""Plots of the coverage of evaluation tools' intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from errlab.style import Look, new_axes, styled
from errlab_book.plots.paper import ACCENT, BODY, INK, headline, write

LOW = 0.9  # below this coverage a mark is an orange square
# Short names of the situation in which a default's coverage is lowest.
_WHERE = {
    "A50": "90% of 50 right", "A100": "97% of 100 right", "A board": "CIFAR-10",
    "A enemy": "99% of 100 right", "U10": "area, 10 positive", "U20": "area, 20 positive",
    "U enemy": "area, 10 odd positives", "F": "F1", "F enemy": "F1, 5 positive", "P": "a pair",
    "P board": "a pair, ImageNet", "P enemy": "a pair, 3 disagree", "G": "12 groups",
    "G board": "LiveCodeBench", "G enemy": "one bad group",
}  # fmt: skip


@styled
def plot_tools(study: Mapping[str, Any], *, ax: Axes | None = None) -> Axes:
    """Draw the coverage of each tool's intervals, a mark for each situation.

    Parameters
    ----------
    study : mapping
        What ``errlab_book.studies.load("tools")`` returns. The best of several candidates is left
        out, because no tool's interval is made for it.

    Examples
    --------
    >>> from errlab_book import studies
    >>> float(plot_tools(studies.load("tools")).get_xlim()[1])
    1.01
    """
    marks: dict[str, dict[str, dict[str, float]]] = {}
    for row in study["settings"]:
        one = study["calls"][row["call"]]
        if study["situations"][row["situation"]]["kind"] != "winner":
            roles = marks.setdefault(one["tool"], {"default": {}, "named": {}})
            # a tool's best method is the named one with the highest coverage
            now = float(np.average(row["coverage"], weights=row["sets"]))
            before = roles[one["role"]].get(row["situation"], 0.0)
            roles[one["role"]][row["situation"]] = max(before, now)
    lowest = {tool: min(roles["default"].values()) for tool, roles in marks.items()}
    tools = sorted(lowest, key=lambda tool: -lowest[tool])
    ax = new_axes(ax, figsize=(4.86, 1.4 + 0.36 * len(tools)))
    ax.axvline(0.95, color=INK, alpha=BODY, lw=1)
    for place, tool in enumerate(tools):
        default, named = marks[tool]["default"], list(marks[tool]["named"].values())
        shares = np.array(list(default.values()))
        sufficient, missed = shares[shares >= LOW], shares[shares < LOW]
        hollow: Look = {"color": INK, "alpha": BODY, "mfc": "none", "ms": 3.5}
        ax.plot(named, np.full(len(named), place + 0.24), "o", **hollow)
        ax.plot(
            sufficient, np.full(len(sufficient), place - 0.08), "o", color=INK, alpha=BODY, ms=5
        )
        ax.plot(missed, np.full(len(missed), place - 0.08), "s", color=ACCENT, ms=6)
        if len(missed):
            where = _WHERE[min(default, key=lambda key: default[key])]
            write(ax, where, (lowest[tool], place - 0.08), (-7, 0), ha="right", size=11)
    below = sum(share < LOW for share in lowest.values())
    ticks = np.arange(0.6, 1.01, 0.2)
    ax.set(xlim=(min(0.6, *lowest.values()) - 0.38, 1.01), ylim=(len(tools) - 0.4, -0.9))
    ax.set_xticks([*ticks, 0.95], [*(f"{tick:.0%}" for tick in ticks), ""])
    ax.set_yticks(range(len(tools)), tools)
    headline(
        ax,
        f"The defaults of {below} in {len(tools)} tools fall below {LOW:.0%}",
        "how often a 95% interval is right, on each kind of test set; words: the worst kind; "
        "rings: the best it offers by name; line: 95%",
        left=115,
    )
    return ax
