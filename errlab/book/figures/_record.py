"""The text record of a figure: what it shows, in words and numbers that can be compared."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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


def record(fig: Any) -> str:
    """Write down what a figure shows, in text that two machines agree on.

    Size, titles, labels, limits and scales; for each artist its label, its look, its number of
    points, the first, last, smallest and largest values to four significant digits, and a
    checksum of all its points to four digits of each column's own scale.

    Parameters
    ----------
    fig : Figure or Axes
        The figure, or any axes of it.

    Returns
    -------
    str
        One line for the figure, one for each panel, one for each artist.

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
    """
    figure = figure_of(fig)
    figure.draw_without_rendering()  # settles autoscaled limits and the layout
    return describe(figure)


def describe(figure: Figure) -> str:
    """Write down a figure that has been drawn already; see `record`."""
    panels = [ax for ax in figure.axes if ax.get_visible()]
    width, height = figure.get_size_inches()
    count = f"{len(panels)} panel{'s' if len(panels) != 1 else ''}"
    lines = [f"Figure, {width:g} x {height:g} in, {count}"]
    if figure.get_suptitle():
        lines[0] += f": {figure.get_suptitle()}"
    lines += [f"  text {text.get_text()!r}" for text in figure.texts if text.get_text()]
    for legend in figure.legends:
        lines.append(f"  {_legend(legend)}")
    for number, ax in enumerate(panels, 1):
        lines.append(f"Panel {number}: {_panel(ax)}")
        lines += [f"  {line}" for line in _artists(ax)]
    return "\n".join(lines)


def checksum(text: str) -> str:
    """Return a short checksum of a text, eight hexadecimal digits.

    Examples
    --------
    >>> checksum("errlab")
    '35488c24'
    """
    return f"{zlib.crc32(text.encode()):08x}"


def _number(value: float) -> str:
    """Four significant digits. The factor keeps round numbers off the edge of rounding."""
    return f"{value * (1 + 2.137e-7):.4g}" if np.isfinite(value) else "none"


def _coordinate(value: Any) -> str:
    return value if isinstance(value, str) else _number(float(value))


def _panel(ax: Axes) -> str:
    parts = [f'"{ax.get_title()}"'] if ax.get_title() else []
    for name, axis, limits in (
        ("x", ax.xaxis, ax.get_xlim()),
        ("y", ax.yaxis, ax.get_ylim()),
    ):
        label = f' "{axis.get_label_text()}"' if axis.get_label_text() else ""
        scale = f" ({axis.get_scale()})" if axis.get_scale() != "linear" else ""
        parts.append(f"{name}{label}{scale} {_number(limits[0])} to {_number(limits[1])}")
        words = [t.get_text() for t in axis.get_ticklabels()]
        if any(word and not _is_number(word) for word in words):
            parts.append(f"{name} ticks {', '.join(words)}")
    return ", ".join(parts)


def _is_number(word: str) -> bool:
    try:
        float(word.replace("\u2212", "-").strip("$%"))
    except ValueError:
        return "mathdefault" in word or "times" in word
    return True


def _artists(ax: Axes) -> Iterator[str]:
    from matplotlib.container import BarContainer

    for line in ax.lines:
        look = f"{_dash(line)}, {_colour(line.get_color())}"
        if line.get_marker() not in ("None", "", " ", None):
            look += f", marker {line.get_marker()}"
        points = np.column_stack([np.asarray(d, float) for d in line.get_data(orig=False)])
        yield f"line {_label(line)}({look}): {_points(points)}"
    for collection in ax.collections:
        kind = type(collection).__name__.removesuffix("Collection").lower()
        colours = collection.get_facecolor() if kind == "path" else collection.get_edgecolor()
        look = _colours(colours if len(colours) else collection.get_facecolor())
        yield f"{kind} {_label(collection)}({look}): {_points(_vertices(collection))}"
    bars = [c for c in ax.containers if isinstance(c, BarContainer)]
    for container in bars:
        boxes = np.array([bar.get_bbox().extents for bar in container])
        look = _colours([bar.get_facecolor() for bar in container])
        yield f"bars {_label(container)}({look}): {_points(np.roll(boxes, -2, axis=1))}"
    barred = {bar for container in bars for bar in container}
    for patch in [patch for patch in ax.patches if patch not in barred]:
        path = patch.get_path().transformed(patch.get_patch_transform())
        corners = np.asarray(path.vertices, float)
        yield f"patch {_label(patch)}({_colour(patch.get_facecolor())}): {_points(corners)}"
    for image in ax.images:
        values = np.asarray(image.get_array(), float)
        yield f"image {values.shape}: {_points(values.reshape(-1, 1))}"
    for text in ax.texts:
        if text.get_text():
            at = getattr(text, "xy", text.get_position())  # an annotation points at its xy
            yield f"text {text.get_text()!r} at {', '.join(_coordinate(v) for v in at)}"
    if ax.get_legend() is not None:
        yield _legend(ax.get_legend())


def _legend(legend: Any) -> str:
    title = f" {legend.get_title().get_text()!r}" if legend.get_title().get_text() else ""
    return f"legend{title}: {', '.join(text.get_text() for text in legend.get_texts())}"


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


def _points(points: np.ndarray) -> str:
    if not len(points):
        return "no points"
    parts = [f"{len(points)} point{'s' if len(points) != 1 else ''}"]
    for name, column in zip("xyst", points.T, strict=False):
        finite = column[np.isfinite(column)]
        if len(finite) == 0:
            parts.append(f"{name} none")
        elif name in "xy":
            ends = f"{_number(column[0])} to {_number(column[-1])}"
            parts.append(f"{name} {ends} in {_number(finite.min())}..{_number(finite.max())}")
    return ", ".join(parts) + f", {_checksum(points)}"


def _checksum(points: np.ndarray) -> str:
    finite = np.where(np.isfinite(points), points, 0.0)
    scale = np.abs(finite).max(axis=0)
    # The offset keeps round values off the edge of rounding, where the last bit would decide.
    steps = np.floor(finite / np.where(scale > 0, scale, 1) * 1e4 + 0.2137).astype("<i8")
    gaps = np.isfinite(points).astype("u1")
    return f"{zlib.crc32(gaps.tobytes(), zlib.crc32(steps.tobytes())) & 0xFFFFFF:06x}"


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
