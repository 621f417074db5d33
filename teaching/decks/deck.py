"""What the decks share: the shape of a picture that fills a slide."""

from typing import Any

from errlab.book.figures import figure_of


def wide(drawn: Any, width: float = 5.6, height: float = 2.6) -> Any:
    """Give a figure the shape of a slide, in inches: small, so that its words become large."""
    figure_of(drawn).set_size_inches(width, height)
    return drawn
