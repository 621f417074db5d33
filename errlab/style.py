"""The style of all plots: style file, new axes, colours, dashes and markers."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from errlab._core import extras
from errlab._core.registry import docstring, sections

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    Points = Sequence[float] | NDArray[Any]

__all__ = [
    "BLUE",
    "GREEN",
    "PALETTE",
    "VERMILION",
    "Look",
    "curve",
    "look",
    "new_axes",
    "new_panels",
    "styled",
]


def __dir__() -> list[str]:
    return __all__


Look = dict[str, Any]  # keywords of matplotlib: colour, line style, marker

P = ParamSpec("P")
R = TypeVar("R")

# Visible on white and on near-black paper, and different in line style and marker for readers with
# colour blindness. The book's style sheet lightens the colours in dark mode.
PALETTE = (
    "#0072b2",  # blue
    "#d55e00",  # vermilion
    "#007d5b",  # green
    "#a63d8f",  # purple
    "#8a6d00",  # ochre
    "#3d6fd9",  # azure
    "#b0413e",  # red
    "#4d7a2e",  # moss
    "#6e5aa8",  # violet
    "#7a5c45",  # brown
)
BLUE, VERMILION, GREEN, *_ = PALETTE
_DASHES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (3, 1)))
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")


_AX = """ax : Axes, optional
    Where to draw; new axes where it is not given."""


def styled(draw: Callable[P, R]) -> Callable[P, R]:
    """Draw in errlab's style, and restore the caller's style afterwards.

    The decorator also documents the parameter `ax` and the returned Axes, which all plots have.
    """

    @functools.wraps(draw)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        plt = extras.load("matplotlib.pyplot")
        with plt.style.context("errlab.errlab"):
            return draw(*args, **kwargs)

    if "ax" in inspect.signature(draw).parameters:
        parts = {"Returns": "Axes"} | sections(draw)
        parts["Parameters"] = f"{parts.get('Parameters', '')}\n{_AX}".strip()
        wrapper.__doc__ = docstring(parts)
    return wrapper


def new_axes(ax: Axes | None = None, *, figsize: tuple[float, float] | None = None) -> Axes:
    """Return `ax`, or new axes if it is None."""
    return ax if ax is not None else new_panels(1, figsize=figsize)[0]


def new_panels(
    panels: int, *, ncols: int = 1, figsize: tuple[float, float] | None = None, **kwargs: object
) -> list[Axes]:
    """Return new axes in rows or columns (``kwargs`` go to ``pyplot.subplots``)."""
    plt = extras.load("matplotlib.pyplot")
    _, axes = plt.subplots(panels // ncols, ncols, figsize=figsize, squeeze=False, **kwargs)
    return list(axes.flat)


def look(index: int) -> Look:
    """Return colour, line style and marker number `index`, which all identify the curve."""
    # when a colour repeats, dash and marker differ
    again, colour = divmod(index, len(PALETTE))
    return {
        "color": PALETTE[colour],
        "linestyle": _DASHES[(index + again) % len(_DASHES)],
        "marker": _MARKERS[(index + 3 * again) % len(_MARKERS)],
    }


def curve(ax: Axes, x: Points, y: Points, *, label: str, look: Look, **kwargs: Any) -> None:
    """Draw a line with about eight markers, which identify it without its colour."""
    every = max(1, len(x) // 8)
    ax.plot(x, y, label=label, markevery=every, **{**look, **kwargs})
