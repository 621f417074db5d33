"""A figure as inline SVG: small, with real text, following the page's colours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from errlab._style import PALETTE
from errlab.book.figures._drawn import draw, every, in_tags

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FONT = re.compile(r"font:\s*(?:[\w-]+\s+)*([\d.]+)px[^;\"]*")
_LONG = re.compile(r"([-0-9](?<![\w#].)(?:(?<=-)\d+|(?<=\d)\d*)\.\d{3,}(?![\w%]))")
_OWN = re.compile("|".join(PALETTE))
_BODY = re.compile(r"<svg.*</svg>", re.DOTALL)


def svg(figure: Figure) -> str:
    """Draw a figure for a page; see `page`."""
    return page(draw(figure))


def page(drawn: str) -> str:
    """Turn Matplotlib's SVG into an ``<svg>`` element for a page that sets colours by variables.

    Text stays text, black becomes the page's text colour, white its background, each palette
    colour a variable ``--errlab-0`` and so on (with itself as the fallback), coordinates keep
    two decimals, and neither a link nor an identifier is left that nothing refers to.
    """
    match = _BODY.search(drawn)
    assert match is not None  # matplotlib wrote an svg element
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", match.group(), flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->\s*", "", text, flags=re.DOTALL)
    text = re.sub(r"</?a\b[^>]*>\s*", "", text)
    text = in_tags(text, _short)
    text = re.sub(r" id='[^']*'", "", text)  # nothing that Matplotlib names itself
    used = set(re.findall(r"#([\w-]+)[\")]", text))
    text = re.sub(r' id="([^"]*)"', lambda m: m.group() if m.group(1) in used else "", text)
    text = _FONT.sub(lambda m: f"font-size: {m.group(1)}px", text)
    text = _colours(text)
    text = re.sub(r">\s+<", "><", text)
    return re.sub(
        r'^<svg[^>]*?viewBox="([^"]+)"[^>]*>',
        r'<svg class="errlab-svg" viewBox="\1" xmlns="http://www.w3.org/2000/svg" '
        r'xmlns:xlink="http://www.w3.org/1999/xlink" aria-hidden="true">',
        text,
    )


def _short(tags: str) -> str:
    return every(_LONG, lambda x: f"{float(x):.2f}".rstrip("0").rstrip("."), tags)


def _colours(text: str) -> str:
    """Return the drawing with the page's colours in place of its own."""
    text = re.sub(r"#000000|#333333|#4[cd]4[cd]4[cd]", "currentColor", text)
    text = text.replace("fill: black", "fill: currentColor")
    text = text.replace("#ffffff", "var(--errlab-paper, #ffffff)")
    text = _OWN.sub(lambda m: f"var(--errlab-{PALETTE.index(m[0])}, {m[0]})", text)
    # a text without a colour of its own takes black in SVG, not the page's colour
    return re.sub(r"<text\b", '<text fill="currentColor"', text)
