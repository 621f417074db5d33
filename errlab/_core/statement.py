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
        # the details, folded, if there are any
        evidence = self._between.join(map(html.escape, self._evidence()))
        items = "".join(f"<li>{html.escape(condition)}</li>" for condition in self.conditions())
        parts = f"<p>{evidence}</p>" if evidence else ""
        if items:
            parts += f"<p>This holds if</p><ul>{items}</ul>"
        if parts:
            lines += f"<details><summary>Evidence and conditions</summary>{parts}</details>"
        return f'<div class="errlab-report">{lines}</div>'
