"""The numbers of a figure as a table, and the positions of its panels, for a mark's value."""

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import StepPatch

from errlab.checks import FloatArray

# letters that occur in numeric tick labels, such as 1e-3 or 10 to a power
NUMERAL = re.compile(r"mathdefault|times|(?<=\d)e(?=[-+\d])")
_KINDS = {Line2D: "line", LineCollection: "lines", PathCollection: "dots", BarContainer: "bars"}
_UNMARKED = (None, "None", "none", " ", "")
_CURVE = 60  # rows of the table for a curve without marks
_POINTS = 72  # per inch: the unit of Matplotlib's SVG


def panels(figure: Figure) -> Iterator[Axes]:
    """Yield the visible panels, each before its insets."""
    waiting = [ax for ax in figure.axes if ax.get_visible()]
    while waiting:
        ax = waiting.pop(0)
        yield ax
        waiting = [child for child in ax.child_axes if isinstance(child, Axes)] + waiting


def table(figure: Figure) -> str:
    """Return the numbers of a figure as CSV, a row for a point, to five significant digits.

    The columns are the series and its x and y, with the names of the axes; with several panels, the
    panel's number comes first. A line across a whole panel has no coordinate along itself. A long
    curve without marks is reduced to 60 points, evenly spaced.

    Examples
    --------
    >>> ax = Figure().subplots()
    >>> _ = ax.plot([1, 2], [0.5, 0.25], label="CP")
    >>> _ = ax.set_xlabel("n")
    >>> print(table(ax.get_figure()))
    series,n,y
    CP,1,0.5
    CP,2,0.25
    """
    visible = list(panels(figure))
    names = [_common({words(axis) for axis in _axes(visible, letter)}) or letter for letter in "xy"]
    several = len(visible) > 1
    writer = csv.writer(text := io.StringIO(), lineterminator="\n")
    writer.writerow([*["panel"] * several, "series", *names])
    for number, ax in enumerate(visible, 1):
        ticks = [_tick_words(axis) for axis in (ax.xaxis, ax.yaxis)]
        for name, points in _series(ax):
            largest = _largest(points)
            for point in points:
                cells = [
                    named.get(float(value), _written(float(value), limit))
                    for value, named, limit in zip(point, ticks, largest, strict=True)
                ]
                writer.writerow([*[number] * several, name, *cells])
    return text.getvalue().rstrip("\n")


def places(figure: Figure) -> str:
    """Return as JSON the position of each panel on the drawing, and the limits of its axes."""
    width, height = figure.get_size_inches() * _POINTS
    entries = []
    for ax in panels(figure):
        box = ax.get_position()
        ends = (box.x0 * width, box.x1 * width, (1 - box.y0) * height, (1 - box.y1) * height)
        entry: dict[str, Any] = {"box": [round(end, 2) for end in ends]}
        for letter, axis in (("x", ax.xaxis), ("y", ax.yaxis)):
            low, high = getattr(ax, f"get_{letter}lim")()
            entry[letter] = {"from": float(f"{low:.7g}"), "to": float(f"{high:.7g}")}
            entry[letter] |= {"scale": axis.get_scale(), "name": words(axis)}
            if named := _tick_words(axis):
                entry[letter]["words"] = {word: at for at, word in named.items()}
            if _in_percent(axis):
                entry[letter]["percent"] = True
        entries.append(entry)
    return json.dumps(entries, separators=(",", ":"), ensure_ascii=False)


def words(axis: Any) -> str:
    """Return the label of an axis in one line, without the dollars of formulas."""
    return " ".join(re.sub(r"[$\\{}]", "", axis.get_label_text()).split())


def _axes(visible: list[Axes], letter: str) -> list[Any]:
    return [getattr(ax, f"{letter}axis") for ax in visible]


def _common(names: set[str]) -> str:
    return names.pop() if len(names) == 1 else ""


def _ticks(axis: Any) -> Iterator[tuple[float, str]]:
    for at, label in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=False):
        if label.get_text():
            yield float(at), " ".join(label.get_text().split())


def _tick_words(axis: Any) -> dict[float, str]:
    """Return the ticks whose label is a word, by position."""
    return {at: word for at, word in _ticks(axis) if re.search(r"[^\W\d_]", NUMERAL.sub("", word))}


def _in_percent(axis: Any) -> bool:
    """Whether an axis shows fractions in per cent."""
    shares = [(at, re.fullmatch(r"[-\u2212]?([\d.]+)%", word)) for at, word in _ticks(axis)]
    return any(m and at and abs(abs(at) * 100 - float(m[1])) < 0.051 for at, m in shares)


def _series(ax: Axes) -> Iterator[tuple[str, FloatArray]]:
    """Yield the data that a panel draws: a unique name and the points of each artist."""
    bars = [container for container in ax.containers if isinstance(container, BarContainer)]
    steps = [patch for patch in ax.patches if isinstance(patch, StepPatch)]
    counts: dict[str, int] = {}
    artists: list[Any] = [*ax.lines, *ax.collections, *bars, *steps]
    for artist in artists:
        points = _points(ax, artist)
        if not len(points) or not getattr(artist, "get_visible", lambda: True)():
            continue
        label = " ".join(str(artist.get_label()).split())
        if not label or label.startswith("_") or label == "None":
            label = _KINDS.get(type(artist), "area" if _is_area(artist) else "steps")
        counts[label] = counts.get(label, 0) + 1
        yield (f"{label} {counts[label]}" if counts[label] > 1 else label), points


def _is_area(artist: Any) -> bool:
    return isinstance(artist, PolyCollection)


def _points(ax: Axes, artist: Any) -> FloatArray:
    """Return an artist's points in its panel's data coordinates; none if it has other ones."""
    if isinstance(artist, BarContainer):
        upright = artist.orientation != "horizontal"
        ends = [(b.x0 + b.x1, 2 * b.y1) if upright else (2 * b.x1, b.y0 + b.y1)
                for b in (bar.get_bbox() for bar in artist)]  # fmt: skip
        return np.array(ends).reshape(-1, 2) / 2
    if isinstance(artist, StepPatch):
        values, edges, _ = artist.get_data()
        return np.column_stack([edges, np.append(values, values[-1])])
    if isinstance(artist, Line2D):
        points = np.column_stack([np.asarray(c, float) for c in artist.get_data(orig=False)])
        if artist.get_marker() in _UNMARKED and len(points) > _CURVE:
            points = points[np.linspace(0, len(points) - 1, _CURVE).round().astype(int)]
        return _along(points, artist.get_transform().contains_branch_seperately(ax.transData))
    offsets = np.ma.filled(np.asarray(artist.get_offsets(), float), np.nan)
    if isinstance(artist, PathCollection):
        in_data = artist.get_offset_transform().contains_branch_seperately(ax.transData)
        return _along(offsets, in_data)
    corners = [path.vertices for path in artist.get_paths()]
    in_data = artist.get_transform().contains_branch_seperately(ax.transData)
    return _along(np.concatenate([np.empty((0, 2)), *corners]), in_data)


def _along(points: FloatArray, in_data: Sequence[bool]) -> FloatArray:
    """Blank coordinates that aren't data; a line across the whole panel is one point."""
    if not any(in_data):
        return points[:0]
    points = np.where(in_data, points, np.nan)
    return points if all(in_data) else np.unique(points, axis=0, equal_nan=True)


def _largest(points: FloatArray) -> list[float]:
    sizes = np.abs(np.where(np.isfinite(points), points, 0))
    return [float(size) for size in sizes.max(axis=0)]


def _written(value: float, largest: float) -> str:
    """Format with five significant digits, an integer with all, a rounding error as zero."""
    if not np.isfinite(value):
        return ""
    if abs(value) < 1e-13 * largest:
        return "0"
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else f"{value:.5g}"
