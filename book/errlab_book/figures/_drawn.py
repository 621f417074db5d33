"""Draw a figure as inline SVG for a page, with a checksum on which machines agree."""

import html
import io
import math
import re
import zlib

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from errlab.style import PALETTE

_BODY = re.compile(r"<svg.*</svg>", re.DOTALL)
_HEAD = re.compile(r'^<svg[^>]*?viewBox="([^"]+)"[^>]*>')
# The white background of a figure and of each panel, which isn't needed on a page.
_PAPER = re.compile(
    r'(<g id="(?:figure|axes)_\d+">\s*)'
    r'<g id="patch_\d+">\s*<path d="[^"]*" style="fill: #ffffff"/>\s*</g>'
)
# Links, and white space between tags that contains no text.
_JUNK = re.compile(r"<metadata>.*?</metadata>|<!--.*?-->|</?a\b[^>]*>|(?<=>)\s+(?=<)", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
# Numbers with three decimals or more inside tags, but not in a colour, a name or a fraction.
_LONG = re.compile(r"(?<![\w#.])-?\d+\.\d{3,}(?![\w%])")
_FONT = re.compile(r"font:\s*(?:[\w-]+\s+)*([\d.]+)px[^;\"]*")
# Black and the style's dark greys: the colours of text, axes and grid.
_BLACK = re.compile(r"#000000|#333333|#4[cd]4[cd]4[cd]|(?<=fill: )black")
_OWN = re.compile("|".join(PALETTE))
_ID = re.compile(r""" id=("[^"]*"|'[^']*')""")
_USED = re.compile(r"(?<=[\"(]#)[\w.-]+(?=[\")])")
# Identifiers, and references to them.
_NAME = re.compile(r"(?<= id=\")[^\"]*|(?<=[\"(]#)[\w.-]+(?=[\")])")
_PANELS = re.compile(r" data-panels='[^']*'")
# Offset of the rounding steps: values are often round, or cut to Matplotlib's six decimals, and
# their last bit mustn't decide in which step they are.
_OFF_THE_EDGE = 0.51371839


def checksum(text: str) -> str:
    """Return a short checksum of a text, eight hexadecimal digits.

    Examples
    --------
    >>> checksum("errlab")
    '35488c24'
    """
    return f"{zlib.crc32(text.encode()):08x}"


def svg(figure: Figure) -> str:
    """Draw a figure as an ``<svg>`` element for a page that sets colours by variables.

    Drawing settles the figure's limits and layout, from the same start however often it was drawn
    before. Text stays text. Black becomes the page's text colour, white its background, and each
    palette colour a variable ``--errlab-0`` and so on (with the colour as the fallback).
    Coordinates keep two decimals. Links are removed, and identifiers that nothing refers to.
    """
    text = _JUNK.sub("", _PAPER.sub(r"\1", _matplotlib_svg(figure)))
    text = _TAG.sub(lambda tag: _LONG.sub(_two_decimals, tag[0]), text)
    # nearly every element has an identifier, but only few are used: dropping the others makes a
    # page a third smaller
    used = set(_USED.findall(text))
    text = _ID.sub(lambda match: match[0] if match[1][1:-1] in used else "", text)
    # use the page's font, so that words in a figure look like the text around it
    text = _FONT.sub(r"font-size: \1px", text)
    text = _BLACK.sub("currentColor", text).replace("#ffffff", "var(--errlab-paper, #ffffff)")
    text = _OWN.sub(lambda match: f"var(--errlab-{PALETTE.index(match[0])}, {match[0]})", text)
    # In SVG a text without a colour is black instead of the page's colour.
    text = text.replace("<text ", '<text fill="currentColor" ')
    return _HEAD.sub(
        r'<svg class="errlab-svg" viewBox="\1" xmlns="http://www.w3.org/2000/svg" '
        r'xmlns:xlink="http://www.w3.org/1999/xlink" aria-hidden="true">',
        text,
    )


def with_panels(picture: str, places: str) -> str:
    """Add the positions of a drawing's panels, so that the page can compute a mark's value."""
    attribute = html.escape(places, quote=False).replace("'", "&#x27;")
    return picture.replace("<svg ", f"<svg data-panels='{attribute}' ", 1)


def _matplotlib_svg(figure: Figure) -> str:
    """Return the ``<svg>`` element that Matplotlib writes for a figure."""
    for line in figure.findobj(Line2D):
        # without path simplification, because it depends on the last bit of the values
        line.get_path().should_simplify = False
    if figure.get_layout_engine() is not None:
        for ax in figure.axes:
            place = ax.get_subplotspec()
            if place is not None:
                # restore the panel's original position before the layout engine runs
                ax.set_subplotspec(place)
    buffer = io.StringIO()
    # text stays text, for screen readers and searches; a fixed salt keeps identifiers the same
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "errlab", "path.simplify": False}):
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    match = _BODY.search(buffer.getvalue())
    assert match is not None  # Matplotlib always writes an svg element
    return match[0]


def _two_decimals(number: re.Match[str]) -> str:
    """Round a coordinate to two decimals, with halves slightly shifted."""
    return f"{math.floor(float(number[0]) * 100 + _OFF_THE_EDGE) / 100:.2f}".rstrip("0").rstrip(".")


def drawn(picture: str) -> str:
    """Return the checksum of a drawing on a page.

    It covers everything that is drawn, to a hundredth of a point. Identifiers only count by their
    order, because Matplotlib makes them from the last bits of the contents. The places of the
    panels follow from the drawing.
    """
    picture = _PANELS.sub("", picture, count=1)
    names: dict[str, str] = {}
    return checksum(_NAME.sub(lambda match: names.setdefault(match[0], f"n{len(names)}"), picture))
