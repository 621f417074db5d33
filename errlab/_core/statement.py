"""A result that is a list of sentences: as two lines of text, and as HTML with the rest folded."""

from __future__ import annotations

import html
from typing import ClassVar

from errlab._core.exports import Result


class Statement(Result):
    """A result that is a list of sentences, of which the first two are printed."""

    _between: ClassVar[str] = " "  # what stands between two sentences of the details in HTML

    def __repr__(self) -> str:
        """Return what is printed."""
        return self._printed()

    def _printed(self) -> str:
        """Return the two lines; a notebook asks whoever has a `__repr__` of its own for no more."""
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        first, *second = map(html.escape, self._lines())
        lines = f"<p><strong>{first}</strong></p><p>{' '.join(second)}</p>"
        lines += self._folded(self._between)
        return f'<div class="errlab-report">{lines}</div>'
