"""Results of single methods, which print one or two sentences."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np


class Spoken:
    """Mixin of a result: printed as its claim, with all its parts in `details` and `to_dict`.

    A named tuple keeps its `repr`, unless arrays would fill the screen.
    """

    def claim(self) -> str:
        """Return at most three lines: the result, and what is proven about it."""
        raise NotImplementedError

    def __str__(self) -> str:
        """Return the claim."""
        return self.claim()

    def conditions(self) -> list[str]:
        """Return the conditions under which the claim holds."""
        return []

    @property
    def details(self) -> str:
        """Every part of the result, one per line, and the conditions."""
        parts = self.to_dict()
        parts.pop("conditions", None)
        lines = [f"{name}: {shorten(part)}" for name, part in parts.items()]
        return "\n".join([*lines, *(f"if {condition}" for condition in self.conditions())])

    def to_dict(self) -> dict[str, Any]:
        """Return every part of the result by its name."""
        names = getattr(self, "_fields", None)
        if names is None:
            names = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]
        return {name: getattr(self, name) for name in names}


def shorten(part: object) -> str:
    """Format a part on one line: a long array by its range and shape."""
    if isinstance(part, np.ndarray) and part.size > 6:
        if part.dtype.kind not in "fiu":
            return f"shape {part.shape}"
        return f"{part.min():.4g} to {part.max():.4g}, shape {part.shape}"
    if isinstance(part, float):
        return f"{part:.6g}"
    return " ".join(str(part).split())
