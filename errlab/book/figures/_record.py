"""The text record of a figure: what it shows, in words and numbers that can be compared."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from errlab.book.figures._drawn import checksum, draw, drawn
from errlab.book.figures._svg import page
from errlab.book.words import figure as translated

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Drawing", "checksum", "describe", "drawing", "figure_of", "record"]


def figure_of(drawn: Any) -> Figure:
    """Return the figure that a draw function returned as Figure, Axes or a list of Axes.

    Raises
    ------
    TypeError
        If `drawn` is none of these.
    """
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

    first = drawn
    while isinstance(first, (list, tuple, np.ndarray)) and len(first):
        first = first[0]
    figure = first.get_figure(root=True) if isinstance(first, Artist) else first
    if not isinstance(figure, Figure):
        raise TypeError(f"a draw function must return a Figure or Axes, got {type(drawn)}")
    return figure


_CHECKSUM = re.compile(r", [0-9a-f]{6}$|\n    small values: [0-9a-f]{6}$", re.MULTILINE)


@dataclass(frozen=True)
class Drawing:
    """A figure that was drawn once: its SVG, and what it shows in words."""

    svg: str
    words: str

    @property
    def record(self) -> str:
        """The words, and a checksum of everything that was drawn."""
        return f"{self.words}\ndrawn: {drawn(self.svg)}"

    @property
    def data(self) -> str:
        """The words without checksums, for people to read."""
        return _CHECKSUM.sub("", self.words)

    @property
    def page(self) -> str:
        """The SVG for a page that sets colours by variables."""
        return page(self.svg)


def drawing(fig: Any) -> Drawing:
    """Draw a figure, given as `figure_of` takes it, once for its record and for the page."""
    figure = figure_of(fig)
    translated(figure)
    svg = draw(figure)  # settles autoscaled limits and the layout
    return Drawing(svg, describe(figure))


def record(fig: Any) -> str:
    """Write down what a figure shows, in text that two machines agree on.

    Size, titles, labels, limits and scales; for each artist its label, its look, its number of
    points, the first, last, smallest and largest values to four significant digits, and a
    checksum of all its points to four digits of each column's own scale, with another one of
    small values to a part of themselves. The last line is a checksum of everything that is
    drawn, to a tenth of a point.

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
        If `fig` is no figure.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure(figsize=(4, 3)).subplots()
    >>> _ = ax.plot([1, 2, 3], [0.5, 0.4, 0.3], label="CP")
    >>> print(record(ax))
    Figure, 4 x 3 in, 1 panel
    Panel 1: x 0.9 to 3.1, y 0.29 to 0.51
      line "CP" (solid, #1f77b4): 3 points, x 1 to 3 in 1..3, y 0.5 to 0.3 in 0.3..0.5, 9ccdb9
    drawn: ...
    """
    return drawing(fig).record


def describe(figure: Figure) -> str:
    """Say in words what a figure shows that has been drawn already; see `record`."""
    panels = [ax for ax in figure.axes if ax.get_visible()]
    width, height = figure.get_size_inches()
    count = f"{len(panels)} panel{'s' if len(panels) != 1 else ''}"
    lines = [f"Figure, {width:g} x {height:g} in, {count}"]
    if figure.get_suptitle():
        lines[0] += f": {figure.get_suptitle()}"
    lines += [f"  text {text.get_text()!r}" for text in figure.texts if text.get_text()]
    for legend in figure.legends:
        lines += _legend(legend)
    loose = [*figure.lines, *figure.patches, *figure.images, *figure.artists]
    lines += [f"  {_kind(artist)} over the panels" for artist in loose]
    for number, ax in enumerate(panels, 1):
        lines += _panel(ax, f"Panel {number}")
    return "\n".join(lines)


def _number(value: float, largest: float = 0.0) -> str:
    """Four significant digits, and zero for what beside the largest is a rounding error.

    The factor keeps round numbers off the edge of rounding.
    """
    if not np.isfinite(value):
        return "none"
    return "0" if abs(value) < 1e-13 * largest else f"{value * (1 + 2.137e-7):.4g}"


def _coordinate(value: Any) -> str:
    return value if isinstance(value, str) else _number(float(value))


def _panel(ax: Any, name: str) -> Iterator[str]:
    """Yield a line for the panel, one for each artist in it, and those of its insets."""
    parts = [f'"{ax.get_title()}"'] if ax.get_title() else []
    ticks = {axis: _ticks(ax, axis) for axis in (ax.xaxis, ax.yaxis)}
    for letter, axis, limits in (
        ("x", ax.xaxis, ax.get_xlim()),
        ("y", ax.yaxis, ax.get_ylim()),
    ):
        label = f' "{axis.get_label_text()}"' if axis.get_label_text() else ""
        scale = f" ({axis.get_scale()})" if axis.get_scale() != "linear" else ""
        ends = [_number(limit, 0.0 if scale else np.abs(limits).max()) for limit in limits]
        parts.append(f"{letter}{label}{scale} {' to '.join(ends)}")
        labels = [t.label1 for t in ticks[axis]] + [t.label2 for t in ticks[axis]]
        words = [label.get_text() for label in labels if label.get_visible()]
        if any(word and not _is_number(word) for word in words):
            parts.append(f"{letter} ticks {', '.join(words)}")
    yield f"{name}: {', '.join(parts)}"
    yield from _axes(ax, ticks)
    logs = [axis.get_scale() == "log" for axis in (ax.xaxis, ax.yaxis)]
    for line, points, looks in _artists(ax):
        yield f"  {line}: {_points(points, logs)}"
        if looks:
            yield f"    {looks}"
        if _has_small(points, logs):
            yield f"    small values: {_fine(points, logs)}"
    yield from _words(ax)
    for child in ax.child_axes:
        kind = "Second axis" if _kind(child) == "secondaryaxis" else "Inset"
        yield from _panel(child, f"{kind} in {name[0].lower()}{name[1:]}")


def _ticks(ax: Any, axis: Any) -> list[Any]:
    """Return the large ticks of an axis as they were drawn; of one that was not, as they are."""
    if not (ax.axison and axis.get_visible()):
        axis.get_ticklabels()  # lets it work them out
    ticks: list[Any] = axis.get_major_ticks()
    return ticks


def _axes(ax: Any, large: Mapping[Any, Sequence[Any]]) -> Iterator[str]:
    """Yield what is unusual about the axes: a side title, no ticks or wrong ones, the aspect."""
    for side in ("left", "right"):
        if ax.get_title(side):
            yield f'  title on the {side}: "{ax.get_title(side)}"'
    if not ax.axison:
        yield "  no axes"
    if ax.get_aspect() != "auto":
        yield f"  one unit of y is as long as {ax.get_aspect():g} of x"
    for name, axis in (("x", ax.xaxis), ("y", ax.yaxis)):
        low, high = sorted(axis.get_view_interval())
        rim = 1e-9 * (high - low)
        ticks = [t for t in large[axis] if low - rim <= t.get_loc() <= high + rim]
        words = [(t.get_loc(), t.label1.get_text()) for t in ticks if t.label1.get_visible()]
        if not axis.get_visible():
            yield f"  {name} hidden"
        elif ax.axison and not ticks:
            yield f"  {name} without ticks"
        elif any(_is_number(word) and not _says(word, at, rim) for at, word in words):
            yield f"  {name} ticks {', '.join(f'{word} at {_number(at)}' for at, word in words)}"


def _is_number(word: str) -> bool:
    return not math.isnan(_value(word))


def _says(word: str, at: float, rim: float) -> bool:
    """Whether a tick says the number at which it stands."""
    return math.isclose(_value(word), at, rel_tol=0.01, abs_tol=rim)


def _value(word: str) -> float:
    """Return the number that a tick says, as 0.05 or 5% or 10 to the power -3, or else nan."""
    text = word.replace("\N{MINUS SIGN}", "-").replace("$", "").removeprefix(r"\mathdefault{")
    text = text.replace(r"\times10^{", "e").replace("10^{", "1e").replace("}", "")
    try:
        return float(text.rstrip("%\\")) / (100 if "%" in text else 1)
    except ValueError:
        return math.nan


def _artists(ax: Axes) -> Iterator[tuple[str, np.ndarray, str]]:
    """Yield each artist that shows data: what it is, its points, and what else is to be seen."""
    from matplotlib.container import BarContainer

    for line in ax.lines:
        points = np.column_stack([np.asarray(d, float) for d in line.get_data(orig=False)])
        yield f"line {_label(line)}({_look(line)})", points, _more(line)
    for collection in ax.collections:
        kind = _kind(collection).removesuffix("collection")
        look = f"{kind} {_label(collection)}({_look(collection)})"
        yield look, _vertices(collection), _more(collection)
    bars = [c for c in ax.containers if isinstance(c, BarContainer)]
    for container in bars:
        boxes = np.array([bar.get_bbox().extents for bar in container])
        look = f"bars {_label(container)}({_colours(bar.get_facecolor() for bar in container)})"
        more = ", ".join(dict.fromkeys(_more(bar) for bar in container))
        yield look, np.roll(boxes, -2, axis=1), more
    barred = {bar for container in bars for bar in container}
    for patch in [patch for patch in ax.patches if patch not in barred]:
        path = patch.get_path().transformed(patch.get_patch_transform())
        kind = "arrow" if "arrow" in _kind(patch) else "patch"
        look = f"{kind} {_label(patch)}({_look(patch)})"
        yield look, np.asarray(path.vertices, float), _more(patch)
    for image in ax.images:
        values = np.asarray(image.get_array(), float)
        yield f"image {values.shape}", values.reshape(-1, 1), _more(image)


def _words(ax: Axes) -> Iterator[str]:
    """Yield what stands in a panel beside the data: texts, arrows, tables, a legend."""
    for text in ax.texts:
        if text.get_text():
            at = getattr(text, "xy", text.get_position())  # an annotation points at its xy
            yield f"  text {text.get_text()!r} at {', '.join(_coordinate(v) for v in at)}"
            if getattr(text, "arrow_patch", None) is not None:
                start = ", ".join(_coordinate(v) for v in text.get_position())
                yield f"    an arrow from {start}"
            if _more(text):
                yield f"    {_more(text)}"
    for table in ax.tables:
        cells = [cell.get_text().get_text() for _, cell in sorted(table.get_celld().items())]
        yield f"  table: {', '.join(cells)}"
    for other in ax.artists:
        yield f"  {_kind(other)}"
    if ax.get_legend() is not None:
        yield from _legend(ax.get_legend())


def _legend(legend: Any) -> Iterator[str]:
    """Yield a legend's words, and for each of them the look of its handle."""
    title = f" {legend.get_title().get_text()!r}" if legend.get_title().get_text() else ""
    words = [text.get_text() for text in legend.get_texts()]
    yield f"  legend{title}: {', '.join(words)}"
    if _more(legend):
        yield f"    {_more(legend)}"
    for word, handle in zip(words, legend.legend_handles, strict=True):
        looks = [] if handle is None else [_look(handle), _more(handle)]
        yield f"    {word}: {', '.join(look for look in looks if look)}"


def _look(artist: Any) -> str:
    """Return how an artist looks: line style, colours and marker."""
    from matplotlib.collections import Collection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    if isinstance(artist, Line2D):
        look = f"{_dash(artist)}, {_colour(artist.get_color())}"
        has_marker = artist.get_marker() not in ("None", "", " ", None)
        return f"{look}, marker {artist.get_marker()}" if has_marker else look
    if isinstance(artist, Collection):
        edges = artist.get_edgecolor()
        filling = artist.get_facecolor()
        scatter = _kind(artist) == "pathcollection"
        return _colours(filling if scatter or not len(edges) else edges)
    return _colour(artist.get_facecolor()) if isinstance(artist, Patch) else ""


def _more(artist: Any) -> str:
    """Return what else is to be seen of an artist: steps, filling, hatch, a map of colours."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.collections import Collection
    from matplotlib.image import AxesImage
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    parts = []
    if not artist.get_visible():
        parts.append("hidden")
    if isinstance(artist, Line2D) and artist.get_drawstyle() != "default":
        parts.append(artist.get_drawstyle())
    if isinstance(artist, Collection) and len(artist.get_edgecolor()):
        filling = np.asarray(artist.get_facecolor())
        if np.any(filling[:, -1:]):
            parts.append(f"filled {_colours(filling)}")
    if isinstance(artist, Patch) and _transparent(artist.get_facecolor()):
        parts.append(f"edge {_colour(artist.get_edgecolor())}")
    if isinstance(artist, (Patch, Collection)) and artist.get_hatch():
        parts.append(f"hatch {artist.get_hatch()}")
    if isinstance(artist, ScalarMappable) and artist.get_array() is not None:
        low, high = (_number(limit) for limit in artist.get_clim())
        parts.append(f"colours {artist.get_cmap().name} from {low} to {high}")
    if isinstance(artist, AxesImage):
        parts.append(f"origin {artist.origin}")
    alpha = artist.get_alpha()
    in_colours = isinstance(artist, (Patch, Collection))
    if isinstance(alpha, (int, float)) and alpha != 1 and not in_colours:
        parts.append(f"at {alpha:.0%}")
    return ", ".join(parts)


def _transparent(colour: Any) -> bool:
    from matplotlib.colors import to_rgba

    return to_rgba(colour)[3] == 0


def _kind(artist: Any) -> str:
    return type(artist).__name__.lower()


def _vertices(collection: Any) -> np.ndarray:
    """Return every point of a collection: the offsets of a scatter, the corners of the rest."""
    offsets = np.ma.filled(np.asarray(collection.get_offsets(), float), np.nan)
    if len(offsets) and np.any(offsets):
        sizes = getattr(collection, "get_sizes", lambda: np.ones(1))()
        extra = collection.get_array()
        size = np.resize(np.asarray(sizes, float), len(offsets))
        shade = np.zeros(len(offsets)) if extra is None else np.asarray(extra, float).ravel()
        return np.column_stack([offsets, size, np.resize(shade, len(offsets))])
    paths = [path.vertices for path in collection.get_paths()]
    return np.concatenate(paths) if paths else np.empty((0, 2))


def _points(points: np.ndarray, logs: Sequence[bool]) -> str:
    """Return the number of the points, their ends and extremes, and their checksum."""
    if not len(points):
        return "no points"
    parts = [f"{len(points)} point{'s' if len(points) != 1 else ''}"]
    for name, column, on_log in zip("xy", points.T, [*logs, False], strict=False):
        finite = column[np.isfinite(column)]
        largest = 0.0 if on_log or not len(finite) else float(np.abs(finite).max())
        if len(finite) == 0:
            parts.append(f"{name} none")
        else:
            values = (column[0], column[-1], finite.min(), finite.max())
            first, last, low, high = (_number(value, largest) for value in values)
            parts.append(f"{name} {first} to {last} in {low}..{high}")
    return ", ".join(parts) + f", {_checksum(points)}"


def _checksum(points: np.ndarray) -> str:
    """Return a checksum of points at four digits."""
    finite = np.where(np.isfinite(points), points, 0.0)
    scale = np.abs(finite).max(axis=0)
    # The offset keeps round values off the edge of rounding, where the last bit would decide.
    steps = np.floor(finite / np.where(scale > 0, scale, 1) * 1e4 + 0.2137).astype("<i8")
    gaps = np.isfinite(points).astype("u1")
    return f"{zlib.crc32(gaps.tobytes(), zlib.crc32(steps.tobytes())) & 0xFFFFFF:06x}"


_STEP = 2.5e-4  # how finely small values are guarded, as a part of themselves
_SMALL = 0.21371839  # of the largest value; no round number, which would stand on the edge
_NOTHING = 1e-7  # of the largest value; what is much smaller may be nothing but rounding errors
_TINY = 1e-250  # on a logarithmic axis nothing is too small to be seen


def _floors(points: np.ndarray, logs: Sequence[bool]) -> np.ndarray:
    """Return for each column the value under which numbers are as good as zero."""
    largest = np.abs(np.where(np.isfinite(points), points, 0.0)).max(axis=0)
    on_log = np.resize(logs, points.shape[1])
    return np.where(on_log, _TINY, np.where(largest > 0, largest, 1.0) * _NOTHING)


def _has_small(points: np.ndarray, logs: Sequence[bool]) -> bool:
    """Whether a column has values that its checksum, made to its largest one, cannot guard."""
    if not len(points):
        return False
    sizes = np.abs(np.where(np.isfinite(points), points, 0.0))
    small = (sizes > _floors(points, logs)) & (sizes < sizes.max(axis=0) * _SMALL)
    return bool(small.any())


def _fine(points: np.ndarray, logs: Sequence[bool]) -> str:
    """Checksum of values, each to a part of itself, and nearly nothing the same as nothing.

    The inverse hyperbolic sine is a logarithm for values well above the floor, and flat below.
    """
    finite = np.where(np.isfinite(points), points, 0.0)
    steps = np.floor(np.arcsinh(finite / _floors(points, logs)) / _STEP + 0.2137).astype("<i8")
    return f"{zlib.crc32(steps.tobytes()) & 0xFFFFFF:06x}"


def _label(artist: Any) -> str:
    label = str(artist.get_label())
    return "" if label.startswith("_") or not label else f'"{label}" '


def _dash(line: Any) -> str:
    names = {"-": "solid", "--": "dashed", "-.": "dash-dot", ":": "dotted", "None": "no line"}
    _, pattern = line._unscaled_dash_pattern
    style = names.get(line.get_linestyle(), "dashed")
    return style if style != "dashed" or pattern is None else f"dashed {len(pattern)}"


def _colour(colour: Any) -> str:
    from matplotlib.colors import to_hex, to_rgba

    alpha = to_rgba(colour)[3]
    return to_hex(colour) if alpha == 1 else f"{to_hex(colour)} at {alpha:.0%}"


def _colours(colours: Any) -> str:
    names = list(dict.fromkeys(_colour(colour) for colour in colours))
    return ", ".join(names[:4]) + (" and more" if len(names) > 4 else "")
