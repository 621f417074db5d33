"""Matplotlib's writer of SVG, which measures each word and each font once, not in every figure."""

from __future__ import annotations

import collections
import contextlib
import functools
import io
from collections.abc import Callable, Iterator
from typing import Any

import matplotlib as mpl
from matplotlib.backends.backend_mixed import MixedModeRenderer
from matplotlib.backends.backend_svg import FigureCanvasSVG, RendererSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager, get_font
from matplotlib.textpath import text_to_path

from errlab.book.figures._drawn import panels

_DPI = 72  # of SVG: a unit is a point
_FONTS = [name for name in mpl.rcParams if name.startswith(("font.", "mathtext."))]


class Canvas(FigureCanvasSVG):
    """The canvas of a figure while it is drawn as SVG."""

    def write(self, file: io.StringIO) -> None:
        """Draw the figure into a file, as ``print_svg`` does. It has 72 dots an inch then."""
        resolution = self.figure.dpi
        self.figure.dpi = _DPI
        renderer = _renderer(self.figure, file, resolution)
        with _ticks_kept(self.figure):
            self.figure.draw(renderer)
        renderer.finalize()

    @functools.cached_property
    def _measuring(self) -> Any:
        return _renderer(self.figure, io.StringIO(), _DPI)

    def get_renderer(self) -> Any:
        """Return the writer that the layout asks for the sizes of words."""
        return self._measuring


class _Writer(RendererSVG):
    """Writes SVG, and remembers how large words are, for as long as the fonts stay the same."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[no-untyped-call]
        self._text2path = text_to_path  # shared, as it remembers the formulas it has parsed
        self._fonts = str([mpl.rcParams[name] for name in _FONTS])

    def get_text_width_height_descent(
        self, s: str, prop: FontProperties, ismath: Any
    ) -> tuple[float, float, float]:
        found: tuple[float, float, float] = _size(s, prop.copy(), ismath, self._fonts)
        return found

    def _get_font_height_metrics(self, prop: FontProperties) -> tuple[Any, Any, Any]:
        """Answer what Matplotlib's layout of text asks of a renderer that knows it."""
        return _height(prop.copy(), self._fonts)


def _renderer(figure: Figure, file: io.StringIO, resolution: float) -> Any:
    """Return Matplotlib's mixed renderer around our writer."""
    width, height = figure.get_size_inches()
    writer = _Writer(
        width * _DPI, height * _DPI, file, image_dpi=resolution, metadata={"Date": None}
    )
    mixed: Any = MixedModeRenderer
    return mixed(figure, width, height, resolution, writer)


@functools.lru_cache(maxsize=4096)
def _size(words: str, prop: FontProperties, math: Any, fonts: str) -> Any:
    """Return width, height and depth of a line in points."""
    return text_to_path.get_text_width_height_descent(words, prop, math)


@functools.lru_cache(maxsize=256)
def _height(prop: FontProperties, fonts: str) -> tuple[Any, Any, Any]:
    """Return ascent, descent and gap of a font in points, as ``Text._get_layout`` works them out.

    Three times None where the font does not say: then Matplotlib goes on by itself.
    """
    font = get_font(fontManager._find_fonts_by_props(prop))
    table = font.get_sfnt_table("OS/2")
    head = font.get_sfnt_table("head")
    if table is None or head is None:
        return None, None, None
    scale = 1 / head["unitsPerEm"] * prop.get_size_in_points() * _DPI / 72
    return (
        table["sTypoAscender"] * scale,
        -table["sTypoDescender"] * scale,
        table["sTypoLineGap"] * scale,
    )


@contextlib.contextmanager
def _ticks_kept(figure: Figure) -> Iterator[None]:
    """Let each axis work out its ticks once while it stays where it is, not nine times a drawing.

    The layout, the spines, the label, the title and the drawing itself all ask for them, and the
    axis moves only twice. Axes that share their ticks with others are left alone.
    """
    axes = [axis for ax in panels(figure.axes) for axis in ax._axis_map.values()]
    shared = collections.Counter(id(axis.major) for axis in axes)
    kept = [axis for axis in axes if shared[id(axis.major)] == 1]
    for axis in kept:
        axis._update_ticks = _once(axis, axis._update_ticks)
        axis._get_ticklabel_bboxes = _once(axis, axis._get_ticklabel_bboxes)
    try:
        yield
    finally:
        for axis in kept:
            del axis._update_ticks, axis._get_ticklabel_bboxes


def _once(axis: Any, ask: Callable[..., Any]) -> Callable[..., Any]:
    """Answer again what was answered last, until the axis moves or its limits change."""
    known: list[Any] = [None, None]

    def asked(*args: Any) -> Any:
        state = (*axis.get_view_interval(), *axis.axes.bbox.bounds)
        if known[0] != state:
            known[:] = state, ask(*args)
        return known[1]

    return asked
