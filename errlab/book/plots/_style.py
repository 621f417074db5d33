"""What every plot of the book shares: the style of the library, and the look of each bound."""

from __future__ import annotations

from typing import Any

from errlab._style import (
    BLUE,
    GREEN,
    OCHRE,
    PALETTE,
    PURPLE,
    VERMILION,
    curve,
    look,
    new_axes,
    new_panels,
    styled,
)
from errlab.bounds import BOUNDS

__all__ = [
    "BLUE",
    "GREEN",
    "OCHRE",
    "PALETTE",
    "PURPLE",
    "VERMILION",
    "bound_look",
    "curve",
    "look",
    "new_axes",
    "new_panels",
    "styled",
]


def bound_look(key: str) -> dict[str, Any]:
    """Return the look of a bound, the same in every figure of the book."""
    return look(BOUNDS[key].look)
