"""Code that plots share: the look of a bound, rows with names, lines of stored studies."""

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes

from errlab import checks
from errlab.bounds import BOUNDS
from errlab.style import BLUE, VERMILION, Look, look

# Two kinds of bars that also differ without colour: the usual ones, and rare or wrong ones.
PLAIN: Look = {"color": BLUE}
HATCHED: Look = {"color": VERMILION, "hatch": "//", "edgecolor": "white"}

# A setting's position on the axis, and its result.
Rows = list[tuple[Any, Mapping[str, float]]]


def bound_look(key: str) -> Look:
    """Return the look of a bound, the same in every figure of the book."""
    return look(BOUNDS[key].look)


def say_beside(ax: Axes, words: str, end: tuple[float, float], **other: Any) -> None:
    """Write words to the right of a line's end, a few points from its marker."""
    where: Look = {"xytext": (6, 0), "textcoords": "offset points", "va": "center", "fontsize": 8.5}
    ax.annotate(words, end, **where | other)


def rows_of(study: Mapping[str, Any], along: str, **fixed: Any) -> Rows:
    """Return a study's results by the setting `along`, where other settings equal `fixed`."""
    rows = [
        (entry["setting"][along], entry["summary"])
        for entry in study["settings"]
        if all(entry["setting"][key] == value for key, value in fixed.items())
    ]
    checks.require(rows, " and ".join(fixed), "be of the study", tuple(fixed.values()))
    return rows
