"""What reaches the renderer: a figure as SVG, and a checksum of it that machines agree on."""

from __future__ import annotations

import base64
import contextlib
import io
import math
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TAG = re.compile(r"(<[^>]*>)")
_BETWEEN = "\0"  # two tags, where they are taken together: no drawing holds it
_ID = re.compile(r'( id="|#)([A-Za-z][\w.-]*)(?=["\)])')
_MATRIX = re.compile(r"(?:matrix|scale)\(([^)]*)\)")
# A number, its first character first, which is what a search is quick at: what stands before it
# is looked at afterwards.
_NUMBER = re.compile(
    r"([-0-9](?<![\w#.].)(?<!opacity: .)(?<!opacity=\".)"
    r"(?:(?<=-)\d+|(?<=\d)\d*)(?:\.\d+)?(?:e-?\d+)?)"
)
_PIXELS = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=\s]*)")
_JUNK = re.compile(r"<metadata>.*?</metadata>|<!--.*?-->", re.DOTALL)
# Edges between two steps of rounding lie where neither round values nor Matplotlib's six decimals
# fall, so that the last bit of a value does not decide.
_OFF_THE_EDGE = 0.21371839


def checksum(text: str) -> str:
    """Return a short checksum of a text, eight hexadecimal digits.

    Examples
    --------
    >>> checksum("errlab")
    '35488c24'
    """
    return f"{zlib.crc32(text.encode()):08x}"


def draw(figure: Figure) -> str:
    """Draw a figure once, and return the SVG as Matplotlib writes it.

    The figure settles its limits and its layout on the way, from the same start however often it
    was drawn before. White paper is left out: the page has its own.
    """
    import matplotlib as mpl

    from errlab.book.figures._writer import Canvas

    for lines in (figure.lines, *(ax.lines for ax in panels(figure.axes))):
        for line in lines:  # those of ticks and legends are too short to be simplified
            line.get_path().should_simplify = False  # which points may go: the last bit decides
    if figure.get_layout_engine() is not None:
        for ax in figure.axes:
            place = ax.get_subplotspec()
            if place is not None:
                ax.set_subplotspec(place)
    canvas = figure.canvas
    dpi = figure.dpi
    buffer = io.StringIO()
    settings = mpl.rc_context(
        {"svg.fonttype": "none", "svg.hashsalt": "errlab", "path.simplify": False}
    )
    try:
        with settings, _without_paper(figure):
            Canvas(figure).write(buffer)
    finally:
        figure.set_canvas(canvas)
        figure.dpi = dpi
    return buffer.getvalue()


def panels(axes: Sequence[Any]) -> Iterator[Any]:
    """Yield the axes with their insets and second axes."""
    for ax in axes:
        yield ax
        yield from panels(ax.child_axes)


@contextlib.contextmanager
def _without_paper(figure: Figure) -> Iterator[None]:
    """Leave backgrounds out for a while that are white and nothing else."""
    papers = [figure.patch, *(ax.patch for ax in figure.axes)]
    papers = [
        paper
        for paper in papers
        if paper.get_visible()
        and paper.get_facecolor() == (1.0, 1.0, 1.0, 1.0)
        and not paper.get_linewidth()
        and not paper.get_hatch()
    ]
    for paper in papers:
        paper.set_visible(False)
    try:
        yield
    finally:
        for paper in papers:
            paper.set_visible(True)


def drawn(svg: str) -> str:
    """Return the checksum of a drawing, the same on every machine that draws the same picture.

    Identifiers that are made from contents are named by their order; coordinates and lengths are
    rounded to a tenth of a point, the factors of a transformation to a thousandth; an image counts
    by its pixels, not by how they are packed.
    """
    return checksum(rounded(svg))


def rounded(svg: str) -> str:
    """Return the text whose checksum `drawn` is."""
    names: dict[str, str] = {}

    def named(match: re.Match[str]) -> str:
        return match[1] + names.setdefault(match[2], f"n{len(names)}")

    text = _JUNK.sub("", svg[svg.index("<svg") :])
    text = _PIXELS.sub(lambda match: f"pixels {_pixels(match[1])}", text)
    return in_tags(_ID.sub(named, text), _rounded)


def in_tags(text: str, change: Callable[[str], str]) -> str:
    """Change what stands within tags, all of it at once, and not the words between them."""
    parts = _TAG.split(text)  # every second one is a tag
    parts[1::2] = change(_BETWEEN.join(parts[1::2])).split(_BETWEEN)
    return "".join(parts)


def _rounded(tags: str) -> str:
    text = _MATRIX.sub(lambda match: _NUMBER.sub(_thousandth, match[0]), tags)
    return every(_NUMBER, lambda x: str(math.floor(float(x) * 10 + _OFF_THE_EDGE)), text)


def every(pattern: re.Pattern[str], change: Callable[[str], str], text: str) -> str:
    """Change whatever a pattern of one group finds: `re.sub` with fewer steps for each."""
    parts = pattern.split(text)  # every second one is what was found
    parts[1::2] = map(change, parts[1::2])
    return "".join(parts)


def _thousandth(match: re.Match[str]) -> str:
    # a letter in front keeps the result from being rounded again
    return f"m{math.floor(float(match[0]) * 1000 + _OFF_THE_EDGE)}"


def _pixels(packed: str) -> str:
    """Return the size of a packed picture, and a checksum of its colours."""
    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(base64.b64decode(packed))) as image:
        colours = np.asarray(image.convert("RGBA"), dtype=np.uint8)
    # the letter keeps a checksum such as 98e06874 from being taken for a number
    return f"{colours.shape[1]} x {colours.shape[0]}: x{zlib.crc32((colours >> 2).tobytes()):08x}"
