"""Every way to make a figure look otherwise, found by walking over its artists.

A mutant changes one thing of one figure. Most kinds come from Matplotlib itself: each artist of a
figure has setters, and for each of them there is another value here (`VALUES`) or the reason why
none is needed (`UNSEEN`). The rest are changes that no setter makes: data bent or dropped, words
and handles exchanged, things added, panels moved.
"""

from __future__ import annotations

import functools
import pickle
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import cloudpickle
import matplotlib.patheffects
import numpy as np
from matplotlib.artist import Artist, ArtistInspector
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import Collection, LineCollection, PolyCollection
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Rectangle, StepPatch
from matplotlib.path import Path
from matplotlib.spines import Spine
from matplotlib.text import Annotation, Text
from matplotlib.ticker import FixedLocator, FuncFormatter
from matplotlib.transforms import Affine2D, Bbox, IdentityTransform

from errlab.book.figures._drawn import draw, drawn
from errlab.book.figures._record import Drawing, describe

COLOUR = "#12ab34"


class Mutant(NamedTuple):
    """A kind of change, and what makes it in a figure; `number` counts the figure's artists."""

    kind: str
    number: int
    make: Callable[[Figure, Any], object]


class Several(NamedTuple):
    """Arguments for a setter that takes several."""

    arguments: tuple[Any, ...] = ()
    keywords: dict[str, Any] = {}  # noqa: RUF012


class Same(Exception):
    """There is nothing to change here: no array to map to colours, no text to turn."""


# ---- another value for every property that can be set -------------------------------------------


def among(*values: Any) -> Callable[[Any, Any], Any]:
    """Return a maker of the first of the values that is not the present one."""
    return lambda artist, old: next(value for value in values if value != old)


def opposite(artist: Any, old: Any) -> bool:
    return not old


def more(factor: float, plus: float) -> Callable[[Any, Any], Any]:
    """Return a maker of a greater number, or of numbers."""
    return lambda artist, old: np.asarray(old, dtype=float) * factor + plus


def number(factor: float, plus: float) -> Callable[[Any, Any], float]:
    return lambda artist, old: float(old or 0) * factor + plus


def word(artist: Any, old: Any) -> str:
    return f"{old or ''}x"


def step(artist: Any) -> float:
    """Return how far to move an artist: far enough to be seen, in data or in pixels."""
    transform, ax = artist.get_transform(), artist.axes
    shares = [artist.get_figure(root=True).transSubfigure]
    shares += [ax.transData, ax.transAxes] if ax is not None else []
    return 0.07 if any(transform.contains_branch(one) for one in shares) else 7.0


def beside(artist: Any, old: Any) -> Any:
    """Return a place, or one coordinate of it, a bit farther."""
    if isinstance(old, str):
        return old
    if np.ndim(old) == 0:
        return float(old) * 1.1 + step(artist)
    if np.ndim(old) == 1:
        return tuple(beside(artist, v) for v in old)
    return np.asarray(old) * 1.1 + step(artist)


def wider(artist: Any, old: Any) -> tuple[float, float]:
    low, high = old
    return low, high + 0.002 * (high - low)


def faint(artist: Any, old: Any) -> float:
    return 0.4 if old is None or old == 1 or not np.isscalar(old) else float(old) / 2


def colour(artist: Any, old: Any) -> str:
    return COLOUR


def label_of(artist: Any, old: Any) -> str:
    if isinstance(artist, Axis):
        raise Same  # see label_text
    return word(artist, old)


def moved(artist: Any, old: Any) -> Any:
    if isinstance(artist, Axis):
        raise Same  # its transform is its scale
    return (old or IdentityTransform()) + Affine2D().translate(9, -7)


def scaled(values: Any) -> np.ndarray:
    """One part in a thousand more; where nothing is left to scale, one thousandth added."""
    array = np.asarray(values, dtype=float)
    return array * 1.001 if np.any(array[np.isfinite(array)]) else array + 0.001


def data_of(artist: Any, old: Any) -> Any:
    if isinstance(artist, Line2D):
        return Several(tuple(scaled(values) for values in artist.get_data(orig=False)))
    if isinstance(artist, StepPatch):
        return scaled(artist.get_data().values)  # type: ignore[attr-defined]
    raise Same  # the filling between two curves: see its vertices


def paths_of(artist: Any, old: Any) -> list[Any]:
    """Return other paths; a collection of polygons takes their corners in place of paths."""
    if isinstance(artist, (LineCollection, PolyCollection)):
        return verts_of(artist, old)
    return [Path(scaled(path.vertices), path.codes) for path in artist.get_paths()]


def verts_of(artist: Any, old: Any) -> list[np.ndarray]:
    return [scaled(path.vertices) for path in artist.get_paths()]


def with_array(make: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return a maker for what matters only where numbers are mapped to colours."""

    def maker(artist: Any, old: Any) -> Any:
        if artist.get_array() is None:
            raise Same
        return make(artist, old)

    return maker


def with_offsets(artist: Any, old: Any) -> Any:
    if not np.any(old):
        raise Same
    return scaled(old)


def bounds_of(artist: Any, old: Any) -> Any:
    if not isinstance(artist, Spine):
        return tuple(float(v) * 1.2 + 0.01 for v in artist.get_bbox().bounds)
    sideways = artist.spine_type in ("top", "bottom")
    low, high = artist.axes.get_xlim() if sideways else artist.axes.get_ylim()
    return Several((low + 0.3 * (high - low), high))


def position_of(artist: Any, old: Any) -> Any:
    if isinstance(artist, Spine):
        return ("outward", 9)
    if isinstance(artist, Text):
        return beside(artist, old)
    return Bbox.from_bounds(old.x0, old.y0, 0.9 * old.width, 0.9 * old.height)  # a panel


def middles(axis: Any) -> list[float]:
    """Return places for ticks where none are now."""
    low, high = axis.get_view_interval()
    return [low + 0.29 * (high - low), low + 0.61 * (high - low)]


def other_format(artist: Any, old: Any) -> FuncFormatter:
    return FuncFormatter(doubled)


def doubled(value: float, position: int | None = None) -> str:
    return f"{2 * value + 1:g}"


def tick_words(axis: Any) -> list[str]:
    return [f"{tick.label1.get_text()}1" for tick in axis.get_major_ticks()]


VALUES: dict[str, Callable[[Any, Any], Any]] = {
    "adjustable": among("datalim", "box"),
    "alignment": among("left", "right"),
    "alpha": faint,
    "anchor": among("NW", "SE"),
    "angle": number(1, 20),
    "anncoords": among("axes fraction", "data"),
    "annotation_clip": opposite,
    "antialiased": lambda artist, old: not np.all(old),
    "array": with_array(lambda artist, old: scaled(old)),
    "arrowstyle": among("-|>", "->"),
    "aspect": among(2.0, "auto"),
    "axisbelow": among(False, True),
    "backgroundcolor": colour,
    "bbox": lambda artist, old: {"facecolor": COLOUR},
    "bbox_to_anchor": lambda artist, old: (0.31, 0.27),
    "bounds": bounds_of,
    "box_aspect": among(0.5, 0.7),
    "boxstyle": among("sawtooth", "round"),
    "capstyle": among("round", "butt"),
    "clim": with_array(lambda artist, old: Several((old[0] - 1, old[1] + 2))),
    "clip_box": lambda artist, old: Bbox.from_bounds(0, 0, 3, 3),
    "clip_on": opposite,
    "clip_path": lambda artist, old: Several((Path.unit_rectangle(), IdentityTransform())),
    "closed": opposite,
    "cmap": with_array(among("magma", "cividis")),
    "color": colour,
    "colors": colour,
    "connectionstyle": among("arc3,rad=0.6", "arc3"),
    "dash_capstyle": among("round", "butt"),
    "dash_joinstyle": among("bevel", "round"),
    "dashes": among((1.0, 3.0), (2.0, 5.0)),
    "data": data_of,
    "drawstyle": among("steps-post", "default"),
    "edgecolor": colour,
    "edgegapcolor": colour,
    "extent": lambda artist, old: tuple(float(v) * 1.1 + 0.3 for v in old),
    "facecolor": colour,
    "figheight": number(1.1, 0),
    "figwidth": number(1.1, 0),
    "fill": opposite,
    "fillstyle": among("left", "full"),
    "fontfamily": among("DejaVu Serif"),
    "fontproperties": lambda artist, old: {"size": 17, "family": "DejaVu Sans Mono"},
    "fontsize": number(1.4, 0),
    "fontstretch": among("condensed", "normal"),
    "fontstyle": among("italic", "normal"),
    "fontvariant": among("small-caps", "normal"),
    "fontweight": among("bold", "normal"),
    "frame_on": opposite,
    "frameon": opposite,
    "gapcolor": colour,
    "hatch": among("xx", ".."),
    "hatch_linewidth": number(3, 1),
    "hatchcolor": colour,
    "height": number(1.3, 0.2),
    "horizontalalignment": among("left", "right"),
    "in_layout": opposite,
    "interpolation": among("bilinear", "nearest"),
    "inverted": opposite,
    "joinstyle": among("bevel", "round"),
    "label": label_of,
    "label_coords": lambda artist, old: Several((0.37, -0.21)),
    "label_position": lambda artist, old: {
        "bottom": "top",
        "top": "bottom",
        "left": "right",
        "right": "left",
    }[old],
    "label_text": word,
    "layout_engine": among("tight"),
    "linespacing": among(3.0),
    "linestyle": among(":", "-"),
    "linewidth": lambda artist, old: float(np.max(old or 0)) * 2 + 1,
    "loc": among("lower left", "center"),
    "major_formatter": other_format,
    "major_locator": lambda artist, old: FixedLocator(middles(artist)),
    "marker": among("d", "p"),
    "markeredgecolor": colour,
    "markeredgewidth": number(2, 1),
    "markerfacecolor": colour,
    "markerfacecoloralt": colour,
    "markersize": number(2, 1),
    "markevery": among(3, 2),
    "math_fontfamily": among("stix", "cm"),
    "minor_formatter": other_format,
    "minor_locator": lambda artist, old: FixedLocator(middles(artist)),
    "multialignment": among("right", "left"),
    "multilinebaseline": opposite,
    "mutation_aspect": number(2, 1),
    "mutation_scale": number(2, 1),
    "ncols": lambda artist, old: artist._ncols + 1,
    "norm": with_array(lambda artist, old: "log"),
    "offset": lambda artist, old: (13.0, 11.0),
    "offset_position": among("right"),
    "offset_transform": moved,
    "offsets": with_offsets,
    "pad": number(1, 5),
    "parse_math": opposite,
    "patch_arc": lambda artist, old: Several(((0.5, 0.5), 0.3, 20, 200)),
    "patch_circle": lambda artist, old: Several(((0.5, 0.5), 0.3)),
    "path": lambda artist, old: Path(scaled(artist.get_path().vertices), artist.get_path().codes),
    "path_effects": lambda artist, old: [
        matplotlib.patheffects.withStroke(linewidth=7, foreground=COLOUR)
    ],
    "paths": paths_of,
    "position": position_of,
    "positions": lambda artist, old: Several(((0.1, 0.1), (0.7, 0.6))),
    "radius": number(1.3, 0.1),
    "rasterization_zorder": lambda artist, old: 50,
    "remove_overlapping_locs": opposite,
    "rotation": number(1, 25),
    "rotation_mode": among("anchor", "default"),
    "segments": verts_of,
    "size_inches": lambda artist, old: tuple(1.1 * v for v in old),
    "sizes": more(2, 3),
    "sketch_params": lambda artist, old: Several((3, 20, 4)),
    "solid_capstyle": among("round", "butt"),
    "solid_joinstyle": among("bevel", "round"),
    "text": word,
    "tick_params": lambda artist, old: Several(keywords={"length": 12, "direction": "inout"}),
    "ticklabels": lambda artist, old: tick_words(artist),
    "ticks": lambda artist, old: middles(artist),
    "ticks_position": lambda artist, old: "top" if artist.axis_name == "x" else "right",
    "title": lambda artist, old: word(artist, old if isinstance(old, str) else old.get_text()),
    "transform": moved,
    "transform_rotates_text": opposite,
    "verticalalignment": among("top", "bottom"),
    "verts": verts_of,
    "view_interval": lambda artist, old: Several((*wider(artist, old), True)),
    "visible": opposite,
    "width": number(1.3, 0.2),
    "wrap": opposite,
    "x": beside,
    "xbound": wider,
    "xdata": lambda artist, old: scaled(artist.get_xdata(orig=False)),
    "xinverted": opposite,
    "xlabel": word,
    "xlim": wider,
    "xmargin": among(0.3),
    "xscale": among("symlog", "linear"),
    "xticklabels": lambda artist, old: tick_words(artist.xaxis),
    "xticks": lambda artist, old: middles(artist.xaxis),
    "xy": beside,
    "y": beside,
    "ybound": wider,
    "ydata": lambda artist, old: scaled(artist.get_ydata(orig=False)),
    "yinverted": opposite,
    "ylabel": word,
    "ylim": wider,
    "ymargin": among(0.3),
    "yscale": among("symlog", "linear"),
    "yticklabels": lambda artist, old: tick_words(artist.yaxis),
    "yticks": lambda artist, old: middles(artist.yaxis),
    "zorder": lambda artist, old: old + 60,
}

UNSEEN = {
    "agg_filter": "works on pixels only",
    "animated": "for a picture that moves",
    "arrow_transmuter": "Matplotlib's own",
    "autoscale_on": "counts when data are added",
    "autoscalex_on": "counts when data are added",
    "autoscaley_on": "counts when data are added",
    "axes_locator": "see position",
    "canvas": "what a figure is drawn on",
    "constrained_layout": "the old name of layout_engine",
    "constrained_layout_pads": "the old name of layout_engine",
    "converter": "counts when data are added",
    "data_interval": "counts when limits are chosen",
    "dpi": "an SVG has no pixels",
    "draggable": "for a mouse",
    "figure": "to whom an artist belongs",
    "filternorm": "how pixels are made from an image",
    "filterrad": "how pixels are made from an image",
    "fontfeatures": "an SVG leaves it to the browser",
    "forward_navigation_events": "for a mouse",
    "gid": "a name",
    "interpolation_stage": "how pixels are made from an image",
    "language": "an SVG leaves it to the browser",
    "mouseover": "for a mouse",
    "navigate": "for a mouse",
    "navigate_mode": "for a mouse",
    "picker": "for a mouse",
    "pickradius": "for a mouse",
    "prop_cycle": "counts when curves are added",
    "rasterized": "how it is stored, not how it looks",
    "resample": "how pixels are made from an image",
    "snap": "an SVG has no pixels",
    "subplotspec": "see position",
    "tight_layout": "the old name of layout_engine",
    "units": "counts when data are added",
    "url": "a link, which the page drops",
    "urls": "links, which the page drops",
    "usetex": "wants a TeX installation",
    "verts_and_codes": "see verts",
}

GETTERS = {"xbound": "get_xlim", "ybound": "get_ylim"}


@functools.cache
def properties(kind: type[Artist]) -> tuple[str, ...]:
    """Return every property of a class of artists that can be set."""
    return tuple(ArtistInspector(kind).get_setters())


def unknown(figure: Figure) -> set[str]:
    """Return the properties for which there is neither a value nor a reason."""
    found = {name for artist in figure.findobj() for name in properties(type(artist))}
    return found - set(VALUES) - set(UNSEEN)


def set_another(name: str, figure: Figure, artist: Any) -> None:
    """Give one property of an artist another value."""
    old = None
    if isinstance(artist, Text) and name in ("x", "y"):
        old = artist.get_position()["xy".index(name)]
    elif name not in ("bounds", "offset"):
        old = getattr(artist, GETTERS.get(name, f"get_{name}"), lambda: None)()
    new = VALUES[name](artist, old)
    arguments = new if isinstance(new, Several) else Several((new,))
    getattr(artist, f"set_{name}")(*arguments.arguments, **arguments.keywords)


# ---- who is who in a figure ---------------------------------------------------------------------


def roles(figure: Figure) -> dict[int, str]:
    """Return what each artist is there for, by its identity."""
    found: dict[int, str] = {id(figure.patch): "paper"}

    def name(role: str, *artists: Any) -> None:
        found.update((id(artist), role) for artist in artists)

    for ax in figure.findobj(Axes):
        name("background", ax.patch)
        name("title", ax.title, ax._left_title, ax._right_title)  # type: ignore[attr-defined]
        name("spine", *ax.spines.values())
        name("curve", *ax.lines)
        name("text", *ax.texts)
        for axis in (ax.xaxis, ax.yaxis):
            name("axis label", axis.label)
            name("factor of an axis", axis.offsetText)
            for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
                name("tick mark", tick.tick1line)
                name("tick mark on the far side", tick.tick2line)
                name("tick label", tick.label1)
                name("tick label on the far side", tick.label2)
                name("grid line", tick.gridline)
        for container in ax.containers:
            if isinstance(container, BarContainer):
                name("bar", *container)
    for legend in figure.findobj(Legend):
        name("handle", *[handle for handle in legend.legend_handles if handle is not None])
        name("word of a legend", *legend.get_texts())
        name("title of a legend", legend.get_title())
        name("frame of a legend", legend.legendPatch)
    return found


def role(artist: Artist, known: dict[int, str]) -> str:
    """Return the class of an artist, and what it is there for where that is not the same."""
    own = type(artist).__name__
    return f"{own} ({known[id(artist)]})" if id(artist) in known else own


# ---- changes that no setter makes ---------------------------------------------------------------


def remove(figure: Figure, artist: Any) -> None:
    artist.remove()


def change_y(make: Callable[[np.ndarray], np.ndarray]) -> Callable[[Figure, Any], None]:
    """Return a change of the heights of a curve."""

    def change(figure: Figure, line: Line2D) -> None:
        y = np.array(line.get_ydata(orig=False), dtype=float)
        line.set_ydata(make(y))

    return change


def bend(which: str) -> Callable[[np.ndarray], np.ndarray]:
    """Return a move of one point of a curve by one part in a thousand of itself."""

    def make(y: np.ndarray) -> np.ndarray:
        at = np.flatnonzero(np.isfinite(y) & (np.abs(y) > 1e-6 * np.nanmax(np.abs(y))))
        if not len(at):
            raise Same
        order = at[np.argsort(np.abs(y[at]), kind="stable")]
        one = {"smallest": order[0], "middle": order[len(order) // 2], "largest": order[-1]}[which]
        y[one] *= 1.001
        return y

    return make


def gap(y: np.ndarray) -> np.ndarray:
    if len(y) < 2:
        raise Same
    y[len(y) // 2] = np.nan
    return y


def reverse(figure: Figure, line: Line2D) -> None:
    x, y = (np.asarray(values) for values in line.get_data(orig=False))
    if np.array_equal(y, y[::-1]):
        raise Same
    line.set_data(x, y[::-1])


def drop_point(figure: Figure, line: Line2D) -> None:
    x, y = (np.asarray(values) for values in line.get_data(orig=False))
    if len(x) < 3:
        raise Same
    line.set_data(x[:-1], y[:-1])


def shorten_bar(figure: Figure, bar: Rectangle) -> None:
    if not bar.get_height():
        raise Same
    bar.set_height(float(scaled(bar.get_height())))


def twin(artist: Any) -> Any:
    """Return the next artist of the same class in the same panel."""
    same = [other for other in artist.axes.get_children() if type(other) is type(artist)]
    after = same[same.index(artist) + 1 :] if artist in same else []
    if not after:
        raise Same
    return after[0]


def exchange(name: str) -> Callable[[Figure, Any], None]:
    """Return an exchange of one property between an artist and the next of its class."""

    def change(figure: Figure, artist: Any) -> None:
        other = twin(artist)
        mine, others = (getattr(one, f"get_{name}")() for one in (artist, other))
        if np.array_equal(np.asarray(mine, dtype=object), np.asarray(others, dtype=object)):
            raise Same
        getattr(artist, f"set_{name}")(others)
        getattr(other, f"set_{name}")(mine)

    return change


def legend_again(figure: Figure, legend: Legend, handles: list[Any], words: list[str]) -> None:
    """Put a legend in the place of another, with other handles or words."""
    if len(handles) < 2:
        raise Same
    place = {"loc": legend._loc, "ncols": legend._ncols}  # type: ignore[attr-defined]
    if legend.axes is None:
        figure.legends.remove(legend)
        figure.legend(handles, words, **place)
    else:
        legend.axes.legend(handles, words, **place)


def swap_handles(figure: Figure, legend: Legend) -> None:
    words = [text.get_text() for text in legend.get_texts()]
    legend_again(figure, legend, list(legend.legend_handles)[::-1], words)


def swap_words(figure: Figure, legend: Legend) -> None:
    texts = legend.get_texts()
    if len(texts) < 2:
        raise Same
    first, last = texts[0].get_text(), texts[-1].get_text()
    texts[0].set_text(last)
    texts[-1].set_text(first)


def exchange_panels(figure: Figure, ax: Any) -> None:
    others = [other for other in figure.axes if other is not ax and other.get_subplotspec()]
    if ax.get_subplotspec() is None or not others:
        raise Same
    mine, others_place = ax.get_subplotspec(), others[0].get_subplotspec()
    if mine == others_place:
        raise Same
    ax.set_subplotspec(others_place)
    others[0].set_subplotspec(mine)


def other_base(which: str) -> Callable[[Figure, Any], None]:
    def change(figure: Figure, ax: Any) -> None:
        if getattr(ax, f"get_{which}scale")() != "log":
            raise Same
        getattr(ax, f"set_{which}scale")("log", base=3)

    return change


def wrong_ticks(which: str) -> Callable[[Figure, Any], None]:
    """Return a change of numbers at the ticks while the ticks stay where they are."""

    def change(figure: Figure, ax: Any) -> None:
        axis = getattr(ax, f"{which}axis")
        labels = [tick.label1.get_text() for tick in axis.get_major_ticks()]
        if len(set(labels)) < 2:
            raise Same
        axis.set_ticks(axis.get_majorticklocs(), labels[::-1])

    return change


def fewer_ticks(which: str) -> Callable[[Figure, Any], None]:
    def change(figure: Figure, ax: Any) -> None:
        axis = getattr(ax, f"{which}axis")
        low, high = sorted(axis.get_view_interval())
        inside = [at for at in axis.get_majorticklocs() if low <= at <= high]
        if not inside:
            raise Same
        axis.set_ticks(inside[1:])

    return change


def inset(figure: Figure, ax: Any) -> None:
    ax.inset_axes((0.5, 0.5, 0.4, 0.4)).plot([0, 1], [1, 0])


def second_axis(figure: Figure, ax: Any) -> None:
    ax.secondary_xaxis("top")


def twin_axis(figure: Figure, ax: Any) -> None:
    ax.twinx().plot([0, 1], [3, 4])


def add_table(figure: Figure, ax: Any) -> None:
    ax.table([["1", "2"]], loc="center")


def left_title(figure: Figure, ax: Any) -> None:
    ax.set_title("left", loc="left")


def add_curve(figure: Figure, ax: Any) -> None:
    ax.plot(ax.get_xlim(), ax.get_ylim(), color="#777777")


def axis_off(figure: Figure, ax: Any) -> None:
    if not ax.axison:
        raise Same
    ax.axis("off")


def grid(figure: Figure, ax: Any) -> None:
    ax.grid()


def minor_ticks(figure: Figure, ax: Any) -> None:
    ax.minorticks_on()


def add_rectangle(figure: Figure, _: Any) -> None:
    figure.add_artist(Rectangle((0.4, 0.4), 0.1, 0.1, transform=figure.transFigure))


def add_line(figure: Figure, _: Any) -> None:
    figure.add_artist(Line2D([0.2, 0.8], [0.2, 0.8]))


def add_arrow(figure: Figure, _: Any) -> None:
    figure.add_artist(FancyArrowPatch((0.2, 0.2), (0.6, 0.7), mutation_scale=12))


def add_text(figure: Figure, _: Any) -> None:
    figure.text(0.5, 0.5, "new")


def add_image(figure: Figure, _: Any) -> None:
    figure.figimage(np.linspace(0, 1, 900).reshape(30, 30), 30, 30)


def add_panel(figure: Figure, _: Any) -> None:
    figure.add_axes((0.6, 0.6, 0.3, 0.3))


FURTHER: list[tuple[type, str, Callable[[Figure, Any], object]]] = [
    (Line2D, "heights by 1.001", change_y(scaled)),
    *((Line2D, f"{w} point bent by 1.001", change_y(bend(w))) for w in ("smallest", "middle")),
    (Line2D, "largest point bent by 1.001", change_y(bend("largest"))),
    (Line2D, "a gap", change_y(gap)),
    (Line2D, "reversed", reverse),
    (Line2D, "last point dropped", drop_point),
    (Line2D, "removed", remove),
    (Line2D, "label exchanged", exchange("label")),
    (Line2D, "colour exchanged", exchange("color")),
    (Line2D, "marker exchanged", exchange("marker")),
    (Line2D, "data exchanged", exchange("ydata")),
    (Collection, "removed", remove),
    (Collection, "label exchanged", exchange("label")),
    (Collection, "colour exchanged", exchange("facecolor")),
    (Rectangle, "height by 1.001", shorten_bar),
    (Rectangle, "height exchanged", exchange("height")),
    (Rectangle, "colour exchanged", exchange("facecolor")),
    (Rectangle, "removed", remove),
    (StepPatch, "removed", remove),
    (Annotation, "removed", remove),
    (Text, "removed", remove),
    (Legend, "removed", remove),
    (Legend, "handles exchanged, words kept", swap_handles),
    (Legend, "words exchanged, handles kept", swap_words),
]

PANELS: list[tuple[str, Callable[[Figure, Any], object]]] = [
    ("panels exchanged", exchange_panels),
    *((f"other base of the {w} logarithm", other_base(w)) for w in "xy"),
    *((f"{w} ticks with each other's numbers", wrong_ticks(w)) for w in "xy"),
    *((f"a tick of {w} missing", fewer_ticks(w)) for w in "xy"),
    ("inset added", inset),
    ("second axis added", second_axis),
    ("twin axis added", twin_axis),
    ("table added", add_table),
    ("left title added", left_title),
    ("curve added", add_curve),
    ("axis off", axis_off),
    ("grid switched", grid),
    ("minor ticks added", minor_ticks),
    ("removed", remove),
]

FIGURES: list[tuple[str, Callable[[Figure, Any], object]]] = [
    ("rectangle added", add_rectangle),
    ("line added", add_line),
    ("arrow added", add_arrow),
    ("text added", add_text),
    ("image added", add_image),
    ("panel added", add_panel),
]


def mutants(figure: Figure) -> Iterator[Mutant]:
    """Yield every mutant of a figure."""
    known = roles(figure)
    for i, artist in enumerate(figure.findobj()):
        own = role(artist, known)
        nothing = not artist.get_visible() or (isinstance(artist, Text) and not artist.get_text())
        for name in properties(type(artist)):
            # what is not there can change only by coming
            if name in VALUES and (not nothing or name in ("visible", "text")):
                yield Mutant(f"{own}: {name}", i, functools.partial(set_another, name))
        in_panel = artist.axes in figure.axes and artist in artist.axes.get_children()
        is_data = known.get(id(artist)) not in ("background", "spine", "title")
        if (in_panel and is_data and not nothing) or isinstance(artist, Legend):
            for kind, what, make in FURTHER:
                if isinstance(artist, kind):
                    yield Mutant(f"{own}: {what}", i, make)
    for i, artist in enumerate(figure.findobj()):
        if artist in figure.axes:
            for what, make in PANELS:
                yield Mutant(f"panel: {what}", i, make)
    for what, make in FIGURES:
        yield Mutant(f"figure: {what}", 0, make)


# ---- killed, equivalent or alive ----------------------------------------------------------------


def remembering(measure: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return `Text._get_layout` with a memory: a third of the time goes into texts seen before."""
    known: dict[Any, Any] = {}

    @functools.wraps(measure)
    def layout(text: Any, renderer: Any) -> Any:
        key = (
            type(getattr(renderer, "_renderer", renderer)),
            getattr(renderer, "dpi", None),
            text.get_figure(root=True).dpi,
            text._get_wrapped_text(),
            text.get_parse_math(),
            text.get_usetex(),
            text._fontproperties.copy(),
            text._linespacing,
            text._get_multialignment(),
            text._horizontalalignment,
            text._verticalalignment,
            text.get_rotation(),
            text.get_rotation_mode(),
        )
        if key not in known:
            known[key] = measure(text, renderer)
        return known[key]

    return layout


TOGETHER = 10  # mutants that should change nothing are drawn in one figure
WORTH = 50  # from so many mutants on it pays to settle the layout first


class Subject:
    """A figure to make mutants of: each is made in a fresh copy of it."""

    def __init__(self, packed: bytes) -> None:
        self.packed = packed
        figure = self.copy()
        self.words = describe(figure)
        self.svg = draw(figure)
        self.drawn = drawn(self.svg)
        self.record = Drawing(self.svg, describe(figure)).record
        self.mutants = list(mutants(figure))
        self.unknown = unknown(figure)
        self.framework = {
            i
            for i, artist in enumerate(figure.findobj())
            if isinstance(artist, (Figure, Axes, Axis, Legend))
        }

    def copy(self) -> Figure:
        """Return a fresh copy of the figure."""
        figure: Figure = pickle.loads(self.packed)
        return figure

    @functools.cached_property
    def pixels(self) -> np.ndarray:
        """The picture of the figure as it should be."""
        return pixels(self.copy())

    @functools.cached_property
    def settled(self) -> tuple[bytes, str] | None:
        """The figure with its layout done for good, which is half of the work, and its words."""
        figure = self.copy()
        draw(figure)
        figure._layout_engine = None  # type: ignore[attr-defined]
        words = describe(figure)
        packed = cloudpickle.dumps(figure)
        return (packed, words) if draw(pickle.loads(packed)) == self.svg else None

    def killed_at_once(self, mutant: Mutant) -> bool:
        """Whether a mutant differs already where no panel may move.

        What is drawn otherwise in the same panels is drawn otherwise where these make room for it.
        Mutants of the panels themselves are not asked: the layout has its word on them.
        """
        if mutant.number in self.framework or self.settled is None:
            return False
        packed, words = self.settled
        figure = pickle.loads(packed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                mutant.make(figure, figure.findobj()[mutant.number])
                return describe(figure) != words or drawn(draw(figure)) != self.drawn
            except Exception:
                return False

    def fate(self, mutant: Mutant) -> str:
        """Return "killed", "equivalent" or "alive".

        It is "" where there was nothing to change, and "broken" where the change itself failed.
        """
        figure = self.copy()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a mutant may well be a figure to be warned of
            try:
                mutant.make(figure, figure.findobj()[mutant.number])
            except Same:
                return ""
            except Exception:  # the mutant is at fault, not the record
                return "broken"
            try:
                if describe(figure) != self.words:
                    return "killed"
                svg = draw(figure)
            except Exception:  # what cannot be drawn is noticed
                return "killed"
            if svg == self.svg:
                return "equivalent"  # the renderer got the very same drawing
            if drawn(svg) != self.drawn:
                return "killed"
            return "equivalent" if same(pixels(figure), self.pixels) else "alive"

    def nothing_changes(self, together: list[Mutant]) -> bool:
        """Whether the very same drawing comes of all these mutants at once."""
        figure = self.copy()
        artists = figure.findobj()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                for mutant in together:
                    mutant.make(figure, artists[mutant.number])
                return describe(figure) == self.words and draw(figure) == self.svg
            except Exception:
                return False

    def fates(self, todo: list[Mutant], idle: set[str]) -> Iterator[tuple[Mutant, str]]:
        """Yield each mutant and its fate; `idle` learns the kinds that have changed nothing."""
        waiting: list[list[Mutant]] = []
        for mutant in todo:
            if mutant.kind in idle:
                free = (one for one in waiting if len(one) < TOGETHER and self.apart(mutant, one))
                group = next(free, None)
                if group is None:
                    waiting.append([mutant])
                else:
                    group.append(mutant)
            elif len(todo) > WORTH and self.killed_at_once(mutant):
                yield mutant, "killed"
            else:
                fate = self.fate(mutant)
                if fate == "equivalent":
                    idle.add(mutant.kind)
                yield mutant, fate
        for group in waiting:
            same = self.nothing_changes(group)
            for mutant in group:
                yield mutant, "equivalent" if same else self.fate(mutant)

    def apart(self, mutant: Mutant, group: list[Mutant]) -> bool:
        """Whether a mutant can hide none of a group: not the same artist, nor what frames it."""
        at = {one.number for one in group}
        both_frame = mutant.number in self.framework and bool(at & self.framework)
        return mutant.number not in at and not both_frame


def same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two pictures are one to the eye: each pixel to a sixteenth of its range.

    An edge from black to white that moves by half a tenth of a point changes as much; the record
    counts in tenths of a point.
    """
    return one.shape == other.shape and int(np.abs(one.astype(int) - other).max()) <= 255 // 16


def pixels(figure: Figure) -> np.ndarray:
    """Return a figure as pixels."""
    draw(figure)  # the layout of the drawing, not that of the pixels
    figure.set_layout_engine("none")
    for artist in figure.findobj():
        artist.set_snap(False)  # an SVG has no pixels that lines are moved to
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.array(canvas.buffer_rgba())
