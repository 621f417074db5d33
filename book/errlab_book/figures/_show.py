"""Show figures in a notebook, in the book and in a test."""

import hashlib
import html
import inspect
import io
import os
import re
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import matplotlib.pyplot as plt
from IPython import display, get_ipython
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from errlab import checks, results
from errlab_book.figures._drawn import checksum
from errlab_book.figures._record import Drawing, drawing, figure_of, record

MODES = ("live", "book", "record")
WIDTH = 600  # width of a stored picture, in pixels


def mode() -> str:
    """Return the output mode, from the environment variable ``ERRLAB_OUTPUT``.

    ``live`` (the default)
        pictures and ipywidgets, for work in a notebook;

    Raises
    ------
    ValueError
        If the variable is none of live, book, record.

    Examples
    --------
    >>> mode() in MODES
    True
    """
    return checks.choice(os.environ.get("ERRLAB_OUTPUT", "live"), "ERRLAB_OUTPUT", MODES)


@dataclass(frozen=True)
class Shown:
    """A figure with its caption and its description; `show` returns it."""

    figure: Figure
    caption: str
    alt: str
    source: str = ""

    @cached_property
    def drawn(self) -> Drawing:
        """The figure, drawn once for the record and for the page."""
        return drawing(self.figure)

    def __repr__(self) -> str:
        """Return the text record: caption, description and data."""
        head = [f"Caption: {self.caption}"] if self.caption else []
        return "\n".join([*head, f"What to see: {self.alt}", self.drawn.record])

    def html(self) -> str:
        """Return the figure as HTML: SVG, caption, and its data behind a disclosure."""
        image = picture(self.drawn.svg, self.alt)
        below = data_html(self.drawn.table) + source_html(self.source)
        return figure_html(image, self.caption, below)

    def _ipython_display_(self) -> None:
        if mode() == "record":
            store(repr(self), self.figure, f"*{self.caption}*" if self.caption else "", self.alt)
            return
        publish(self)
        # otherwise the notebook would show it again at the end of the cell
        plt.close(self.figure)


def publish(shown: Any, **place: Any) -> None:
    """Display an object that has a text record and a method `html`, in the current mode.

    `place` may name another display, as `display_id` and `update` of IPython's `display` do.
    """
    output = {"text/plain": repr(shown)}
    if mode() != "record":
        output["text/html"] = (live_html() if mode() == "live" else "") + shown.html()
    elif hasattr(shown, "markdown"):
        output["text/markdown"] = shown.markdown()
    # in all formats, from which the reader's program takes the best one that it supports
    display.display(output, raw=True, **place)


def store(words: str, drawn: Any, caption: str = "", alt: str = "", **metadata: Any) -> None:
    """Display a record, with a picture and its caption for readers of the stored notebook.

    A page shows the picture, the richest kind that it supports; nbval compares the text.
    """
    # the picture stores the checksum of its record
    figure = figure_of(drawn)
    image = png(figure, belongs_to=checksum(words))
    # otherwise the notebook would show it again at the end of the cell
    plt.close(figure)
    metadata["image/png"] = {"alt": alt, "width": WIDTH}
    display.display({"text/plain": words, "image/png": image}, raw=True, metadata=metadata)
    if caption:
        output = {"text/plain": caption, "text/markdown": caption}
        display.display(output, raw=True, metadata={"caption": True})


def png(figure: Figure, belongs_to: str) -> bytes:
    """Return a figure as a small picture on white paper, with `belongs_to` in its header."""
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=WIDTH / figure.get_figwidth(), facecolor="white", transparent=False)
    # 64 colours are enough for curves, and halve the size. K-means keeps two orange squares, which
    # would otherwise be averaged with many grey ones.
    drawn = Image.open(buffer).convert("RGB")
    small = drawn.quantize(64, kmeans=2, dither=Image.Dither.NONE)
    header = PngInfo()
    header.add_text("record", belongs_to)
    header.add_text("pixels", pixels(small))
    small.save(buffer := io.BytesIO(), "png", optimize=True, pnginfo=header)
    return buffer.getvalue()


def pixels(image: Image.Image) -> str:
    """Return a checksum of a picture's pixels, which reveals a picture that was edited."""
    return hashlib.sha256(image.convert("RGB").tobytes()).hexdigest()[:12]


def show(drawn: Any, caption: str = "", *, alt: str) -> Shown:
    """Show a figure with a caption and a description, as the last line of a cell.

    Parameters
    ----------
    drawn : Figure, Axes or sequence of Axes
        The return value of a plot function.
    caption : str
        The caption, with the figure's number in the source if it has one.
    alt : str
        A description for a reader who can't see the figure; not empty.

    Returns
    -------
    Shown
        Displays itself according to `mode`.

    Raises
    ------
    ValueError
        If `alt` is empty.
    TypeError
        If `drawn` isn't a figure.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure(figsize=(4, 3)).subplots()
    >>> show(ax, "An empty figure", alt="Nothing is drawn yet.")
    Caption: An empty figure
    What to see: Nothing is drawn yet.
    Figure, 4 x 3 in, 1 panel
    Panel 1: x 0 to 1, y 0 to 1
    drawn: ...
    """
    if not isinstance(alt, str) or not alt.strip():
        raise ValueError(f"alt must say what is to be seen, got {alt!r}")
    return Shown(figure_of(drawn), caption, alt, drawn_by())


@dataclass(frozen=True)
class Prose:
    """Markdown that contains computed numbers; `say` returns it."""

    text: str

    def __repr__(self) -> str:
        """Return the text itself."""
        return self.text

    def _repr_markdown_(self) -> str:
        return self.text


def say(text: str) -> Prose:
    """Say something with computed numbers, as Markdown in the last line of a cell.

    nbval compares stored numbers like any output, so no sentence of the book can drift from what
    the code computes.

    Parameters
    ----------
    text : str
        Markdown, usually an f-string.

    Returns
    -------
    Prose

    Raises
    ------
    TypeError
        If `text` isn't a string.
    ValueError
        If it is empty.

    Examples
    --------
    >>> say(f"One third is **{1 / 3:.3f}**.")
    One third is **0.333**.
    """
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, got {text!r}")
    if not text.strip():
        raise ValueError("text must not be empty, got ''")
    return Prose(text)


def picture(picture_svg: str, alt: str) -> str:
    """Wrap an SVG as one image with one description."""
    label = html.escape(alt)
    match = re.search(r'viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"', picture_svg)
    # Known proportions let the browser lay out a new frame without the rest of the page. Figures
    # are drawn at the size of a phone, because enlarged words would be larger than the text.
    max_width = round(1.35 * float(match[1])) if match else 0
    shape = (
        f' style="aspect-ratio: {match[1]} / {match[2]}; max-width: {max_width}px"' if match else ""
    )
    return f'<div class="errlab-picture" role="img" aria-label="{label}"{shape}>{picture_svg}</div>'


def figure_html(content: str, caption: str, data: str = "") -> str:
    """Return a ``<figure>`` with a caption."""
    text = f"<figcaption>{html.escape(caption)}</figcaption>" if caption else ""
    return f'<figure class="errlab-figure">{content}{text}{data}</figure>'


def data_html(table: str) -> str:
    """Return the numbers of a figure as CSV behind a disclosure; ``marks.js`` makes it a table."""
    return (
        '<details class="errlab-data"><summary>Data of this figure</summary>'
        f"{words_html(table)}</details>"
    )


def drawn_by() -> str:
    """Return the source of the chapter's function that calls `show` or `explore`."""
    caller = inspect.currentframe()
    for _ in range(2):
        caller = caller.f_back if caller else None
    if caller is None or not caller.f_globals.get("__name__", "").startswith("errlab_book."):
        return ""  # the caller is a notebook cell, so its code is already above the figure
    return inspect.getsource(caller.f_code)


def source_html(source: str) -> str:
    """Return the code that draws a figure, which the page's "Code" switch reveals."""
    if not source:
        return ""
    return (
        '<details class="errlab-source"><summary>How this is drawn</summary>'
        f"{words_html(source)}</details>"
    )


def words_html(words: str) -> str:
    """Return a figure's description as preformatted text that the keyboard can scroll."""
    return f'<pre tabindex="0">{html.escape(words)}</pre>'


@cache
def style_html() -> str:
    """Return the style of figures, tables and answers, for an output in a notebook.

    Every output includes it, because cells run in any order and outputs may be isolated.
    """
    style = files("errlab_book").joinpath("parts.css").read_text("utf-8")
    style = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    return f"<style>{' '.join(style.split())}</style>"


@cache
def live_html() -> str:
    """Return what a figure needs in a notebook: its style, and the script for marks' values."""
    script = files("errlab_book").joinpath("marks.js").read_text("utf-8")
    return f"{style_html()}<script>{script}</script>"


def setup() -> None:
    """Prepare a notebook to show and record figures in the current `mode`.

    Call it once, in the first cell. In book and record mode each figure is shown only once and
    closed after its cell; in record mode a cell outputs its record, with a picture beside it.
    """
    shell = get_ipython()
    if shell is None or mode() == "live":
        return
    # open no window, and keep IPython from sending the picture itself
    plt.switch_backend("agg")
    formatter = shell.display_formatter
    plain = formatter.formatters["text/plain"]
    for kind in (Axes, Figure):
        plain.for_type(kind, lambda drawn, printer, cycle: printer.text(record(drawn)))
    # also record the text that the page folds below a result
    for name in results.__all__:
        answer = getattr(results, name)
        if hasattr(answer, "details") and hasattr(answer, "_repr_html_"):
            plain.for_type(answer, lambda result, printer, cycle: printer.text(_in_full(result)))
    if mode() == "record":
        # text only, for readable diffs; `store` adds the pictures
        formatter.active_types = ["text/plain"]
    else:
        rich = formatter.formatters["text/html"]
        for kind in (Axes, Figure):
            rich.for_type(kind, _bare_html)
    shell.events.register("post_run_cell", _close_all)


def _in_full(result: Any) -> str:
    """Return a result's two lines, and the text that its HTML folds."""
    folded = f"\n\nEvidence and conditions\n{result.details}" if result.details else ""
    return f"{result!r}{folded}"


def _bare_html(fig: Any) -> str:
    drawn = drawing(fig)
    return figure_html(picture(drawn.svg, drawn.description), "", data_html(drawn.table))


def _close_all(result: Any) -> None:
    plt.close("all")
