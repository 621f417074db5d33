"""Results that consist of sentences, as two lines of text or as HTML with the details folded."""

from __future__ import annotations

import html
from typing import ClassVar

from errlab._core.exports import Result


class Statement(Result):
    """A result that consists of sentences, of which the first two are printed."""

    _between: ClassVar[str] = " "  # separates the sentences of the details in HTML

    def __repr__(self) -> str:
        """Return the printed text."""
        return self._printed()

    def _printed(self) -> str:
        """Return the two printed lines; in a notebook a subclass's own `__repr__` replaces them."""
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        first, *second = map(html.escape, self._lines())
        lines = f"<p><strong>{first}</strong></p><p>{' '.join(second)}</p>"
        lines += self._folded(self._between)
        return f'<div class="errlab-report">{lines}</div>'
