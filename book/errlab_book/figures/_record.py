"""Describe a figure in text, in words and numbers that can be compared."""

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.colors import to_hex, to_rgba
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.transforms import Transform

from errlab.checks import FloatArray
from errlab_book.figures._drawn import drawn, svg, with_panels
from errlab_book.figures._table import NUMERAL, places, table


def figure_of(picture: Any) -> Figure:
    """Return the figure of a Figure, an Axes or a list of Axes.

    Raises
    ------
    TypeError
        If `shown` is none of these.
    """
    first = picture
    while isinstance(first, (list, tuple, np.ndarray)) and len(first):
        first = first[0]
    figure = first.get_figure(root=True) if isinstance(first, Artist) else first
    if not isinstance(figure, Figure):
        raise TypeError(f"a draw function must return a Figure or Axes, got {type(picture)}")
    return figure


_CHECKSUM = re.compile(r", [0-9a-f]{6}$", re.MULTILINE)


@dataclass(frozen=True)
class Drawing:
    """A figure that was drawn once: its SVG for a page, its description, and its numbers."""

    svg: str
    words: str
    table: str = ""

    @property
    def record(self) -> str:
        """The description, and a checksum of everything that was drawn."""
        return f"{self.words}\ndrawn: {drawn(self.svg)}"

    @property
    def description(self) -> str:
        """The description without checksums, for people to read."""
        return _CHECKSUM.sub("", self.words)


def drawing(fig: Any) -> Drawing:
    """Draw a figure once, for its record and for the page."""
    figure = figure_of(fig)
    # computes automatic limits and the layout
    picture = with_panels(svg(figure), places(figure))
    return Drawing(picture, "\n".join(_describe(figure)), table(figure))


def record(fig: Any) -> str:
    """Describe a figure in text on which two machines agree.

    For the figure: size, titles, labels, limits and scales. For each artist: its label, its look,
    the number of its points, the first, last, smallest and largest values to four significant
    digits, and a checksum of the points' positions to a ten thousandth of the panel. The last line
    is a checksum of the drawing to a hundredth of a point. It changes with every visible change,
    and the lines before it show what has changed.

    Parameters
    ----------
    fig : Figure or Axes
        The figure, or any axes of it.

    Returns
    -------
    str
        One line for the figure, one for each panel, one for each artist, one for the drawing.

    Raises
    ------
    TypeError
        If `fig` isn't a figure.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure(figsize=(4, 3)).subplots()
    >>> _ = ax.plot([1, 2, 3], [0.5, 0.4, 0.3], label="CP")
    >>> print(record(ax))
    Figure, 4 x 3 in, 1 panel
    Panel 1: x 0.9 to 3.1, y 0.29 to 0.51
      line "CP" (solid, #1f77b4): 3 points, x 1 to 3 in 1..3, y 0.5 to 0.3 in 0.3..0.5, ...
    drawn: ...
    """
    return drawing(fig).record


def _describe(figure: Figure) -> Iterator[str]:
    """Yield the lines that describe a figure that has already been drawn; see `record`."""
    panels = [ax for ax in figure.axes if ax.get_visible()]
    width, height = figure.get_size_inches()
    title = f": {figure.get_suptitle()}" if figure.get_suptitle() else ""
    many = "s" if len(panels) != 1 else ""
    yield f"Figure, {width:g} x {height:g} in, {len(panels)} panel{many}{title}"
    for text in figure.texts:
        if text.get_text():
            yield f"  text {text.get_text()!r}"
    for legend in figure.legends:
        yield from _legend(legend)
    for number, ax in enumerate(panels, 1):
        yield from _panel(ax, f"Panel {number}")


def _panel(ax: Any, name: str) -> Iterator[str]:
    """Yield a line for the panel, one for each artist in it, and those of its insets."""
    # without line breaks
    title = " ".join(" ".join(map(ax.get_title, ("left", "center", "right"))).split())
    parts = [f'"{title}"'] if title else []
    for letter, axis in (("x", ax.xaxis), ("y", ax.yaxis)):
        label = f' "{axis.get_label_text()}"' if axis.get_label_text() else ""
        scale = f" ({axis.get_scale()})" if axis.get_scale() != "linear" else ""
        low, high = getattr(ax, f"get_{letter}lim")()
        # tiny numbers are rounded to 0 on a linear axis, but matter on a logarithmic one
        largest = 0.0 if scale else max(abs(low), abs(high))
        ends = f"{_number(low, largest)} to {_number(high, largest)}"
        parts.append(f"{letter}{label}{scale} {ends}")
        # the limits determine numeric ticks; words name a row or group
        words = [tick.get_text() for tick in axis.get_ticklabels()]
        if any(letter.isalpha() for word in words for letter in NUMERAL.sub("", word)):
            parts.append(f"{letter} ticks {', '.join(words)}")
    yield f"{name}: {', '.join(parts)}"
    logs = [axis.get_scale() == "log" for axis in (ax.xaxis, ax.yaxis)]
    for artist, points, transform in _artists(ax):
        what = f"{_kind(artist)} {_label(artist)}({_look(artist)})"
        places = _places(points, transform - ax.transAxes)
        yield f"  {what}: {_points(points, logs)}, {places}"
    for text in ax.texts:
        if text.get_text():
            # an annotation points at its xy
            at = getattr(text, "xy", text.get_position())
            places = ", ".join(v if isinstance(v, str) else _number(float(v)) for v in at)
            yield f"  text {text.get_text()!r} at {places}"
    if ax.get_legend() is not None:
        yield from _legend(ax.get_legend())
    # insets and twin axes are panels inside this one
    for child in ax.child_axes:
        kind = "Second axis" if type(child).__name__ == "SecondaryAxis" else "Inset"
        yield from _panel(child, f"{kind} in {name[0].lower()}{name[1:]}")


def _artists(ax: Axes) -> Iterator[tuple[Any, FloatArray, Transform]]:
    """Yield each artist that shows data, its points, and their transform to the page."""
    for line in ax.lines:
        yield line, np.column_stack(line.get_data(orig=False)), line.get_transform()
    for collection in ax.collections:
        offsets = np.ma.filled(np.asarray(collection.get_offsets(), float), np.nan)
        # paths of markers
        if len(offsets) and np.any(offsets):
            yield collection, offsets, collection.get_offset_transform()
        else:
            paths = [path.vertices for path in collection.get_paths()]
            corners = np.concatenate([np.empty((0, 2)), *paths])
            yield collection, corners, collection.get_transform()
    bars = [container for container in ax.containers if isinstance(container, BarContainer)]
    for container in bars:
        boxes = [bar.get_bbox() for bar in container]
        corners = np.array([corner for box in boxes for corner in (box.min, box.max)])
        yield container, corners, ax.transData
    # a bar is also a patch, so don't list it twice
    barred = {bar for container in bars for bar in container}
    for patch in ax.patches:
        if patch not in barred:
            path = patch.get_path().transformed(patch.get_patch_transform())
            yield patch, np.asarray(path.vertices, float), patch.get_data_transform()


def _legend(legend: Any) -> Iterator[str]:
    """Yield the entries of a legend, each with the look of its handle."""
    title = f" {legend.get_title().get_text()!r}" if legend.get_title().get_text() else ""
    words = [text.get_text() for text in legend.get_texts()]
    yield f"  legend{title}: {', '.join(words)}"
    for word, handle in zip(words, legend.legend_handles, strict=True):
        yield f"    {word}: {_look(handle) if handle is not None else 'no handle'}"


def _kind(artist: Any) -> str:
    """Return the record's name for an artist."""
    name = type(artist).__name__.lower()
    # short names for frequent kinds; a collection is named by the first word of its class
    return {"line2d": "line", "barcontainer": "bars"}.get(name, name).removesuffix("collection")


def _label(artist: Any) -> str:
    label = str(artist.get_label())
    # Matplotlib keeps a label with this prefix out of legends
    return "" if label.startswith("_") or not label else f'"{label}" '


_DASHES = {"-": "solid", "--": "dashed", "-.": "dash-dot", ":": "dotted", "None": "no line"}


def _look(artist: Any) -> str:
    """Return the look of an artist: line style, colours, marker, steps, opacity."""
    if isinstance(artist, BarContainer):
        # bars of one kind usually look alike, so record their look once
        return ", ".join(dict.fromkeys(map(_look, artist)))
    parts = [] if artist.get_visible() else ["hidden"]
    if isinstance(artist, Line2D):
        dashes = _DASHES.get(str(artist.get_linestyle()), "dashed")
        parts += [dashes, _colours([artist.get_color()])]
        if artist.get_marker() not in ("None", "", " ", None):
            parts.append(f"marker {artist.get_marker()}")
        if artist.get_drawstyle() != "default":
            parts.append(artist.get_drawstyle())
        if artist.get_alpha() not in (None, 1):
            parts.append(f"at {artist.get_alpha():.0%}")
        return ", ".join(parts)
    # Collections and patches have their alpha in their colours.
    many = isinstance(artist, Collection)
    edges, faces = artist.get_edgecolor(), artist.get_facecolor()
    parts.append(_colours(faces if many else [faces]))
    edge = _colours(edges if many else [edges])
    # an edge of the same colour as the face is invisible
    if edge and edge not in parts:
        parts.append(f"edge {edge}")
    return ", ".join(part for part in parts if part)


def _colours(colours: Any) -> str:
    """Return the first four colours; an invisible one is "none"."""
    names = []
    for colour in colours:
        alpha = to_rgba(colour)[3]
        if alpha:
            names.append(to_hex(colour) if alpha == 1 else f"{to_hex(colour)} at {alpha:.0%}")
    different = list(dict.fromkeys(names))
    return ", ".join(different[:4]) + (" and more" if len(different) > 4 else "")


def _number(value: float, largest: float = 0.0) -> str:
    """Format a number with four digits, or as zero if it is a rounding error of the largest.

    The factor keeps round numbers away from the edges of rounding.
    """
    if not np.isfinite(value):
        return "none"
    return "0" if abs(value) < 1e-13 * largest else f"{value * (1 + 2.137e-7):.4g}"


def _points(points: FloatArray, logs: Sequence[bool]) -> str:
    """Return number of points, first, last and extreme values; a log axis has no zero."""
    parts = [f"{len(points)} point{'s' if len(points) != 1 else ''}"]
    points = points.reshape(-1, 2)  # a group of bars can be without bars
    for name, column, on_log in zip("xy", points.T, logs, strict=True):
        finite = column[np.isfinite(column)]
        if len(finite):
            values = (column[0], column[-1], finite.min(), finite.max())
            largest = 0.0 if on_log else float(np.abs(finite).max())
            # the ends would reveal a reversed line, and the extremes a truncated one
            first, last, low, high = (_number(float(value), largest) for value in values)
            parts.append(f"{name} {first} to {last} in {low}..{high}")
    return ", ".join(parts)


_STEPS = 1e4  # steps along the length of a panel
# an offset, so that at round values the last bit doesn't decide
_OFF_THE_EDGE = 0.21371839


def _places(points: FloatArray, on_panel: Transform) -> str:
    """Return a checksum of the points' positions on a panel; those far outside count alike."""
    shares = np.asarray(on_panel.transform(np.asarray(points, float).reshape(-1, 2)))
    # clip at one panel length outside of the panel: farther points are invisible, and may be
    # infinite
    steps = np.floor(np.clip(shares, -1, 2) * _STEPS + _OFF_THE_EDGE)
    # a gap has a code of its own
    numbers = np.nan_to_num(steps, nan=-9e9).astype("<i8")
    return f"{zlib.crc32(numbers.tobytes()) & 0xFFFFFF:06x}"
