"""What all claims can do: say themselves as text, as HTML and as JSON."""

from __future__ import annotations

import html
import json
from dataclasses import asdict, dataclass
from typing import ClassVar


@dataclass(frozen=True, repr=False)
class Statement:
    """Sentences, and the conditions under which they hold."""

    _between: ClassVar[str] = " "  # what stands between two sentences in HTML

    def sentences(self) -> list[str]:
        """Return the claim as sentences."""
        raise NotImplementedError

    def conditions(self) -> list[str]:
        """Return the conditions under which the claim holds."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """Return the claim as a paragraph, with the conditions under which it holds."""
        held = [f"  - {condition}" for condition in self.conditions()]
        return "\n".join([*self.sentences(), "This holds if", *held])

    def _repr_html_(self) -> str:
        first, *rest = (html.escape(sentence) for sentence in self.sentences())
        held = "".join(f"<li>{html.escape(condition)}</li>" for condition in self.conditions())
        more = self._between.join(rest)
        return (
            f'<div class="errlab-report"><p><strong>{first}</strong></p><p>{more}</p>'
            f"<p>This holds if</p><ul>{held}</ul></div>"
        )

    def to_json(self) -> str:
        """Return every number, the verdict where there is one, and the claim in words, as JSON."""
        named = self._numbers()
        if hasattr(self, "verdict"):
            named["verdict"] = self.verdict
        return json.dumps({**named, "claim": " ".join(self.sentences())}, indent=2)

    def _numbers(self) -> dict[str, object]:
        """Return what stands in the JSON."""
        return asdict(self)
