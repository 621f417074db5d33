"""What plots of the book share: the look of a bound, rows with names, lines of stored studies."""

from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes

from errlab import checks
from errlab.bounds import BOUNDS
from errlab.style import BLUE, VERMILION, Look, look

# Bars of two kinds, told apart without their colour: what is meant, and what is rare or wrong.
PLAIN: Look = {"color": BLUE}
HATCHED: Look = {"color": VERMILION, "hatch": "//", "edgecolor": "white"}

# A setting's place on the axis, and what was found there.
Rows = list[tuple[Any, Mapping[str, float]]]


def bound_look(key: str) -> Look:
    """Return the look of a bound, the same in every figure of the book."""
    return look(BOUNDS[key].look)


def say_beside(ax: Axes, words: str, end: tuple[float, float], **other: Any) -> None:
    """Write words to the right of where a line ends, a few points apart from its marker."""
    where: Look = {"xytext": (6, 0), "textcoords": "offset points", "va": "center", "fontsize": 8.5}
    ax.annotate(words, end, **where | other)


def rows_of(study: Mapping[str, Any], along: str, **fixed: Any) -> Rows:
    """Return what a study found where its settings are as `fixed` says, by the setting `along`."""
    rows = [
        (entry["setting"][along], entry["summary"])
        for entry in study["settings"]
        if all(entry["setting"][key] == value for key, value in fixed.items())
    ]
    checks.require(rows, " and ".join(fixed), "be of the study", tuple(fixed.values()))
    return rows
