"""Execute a deck for `make -C teaching slides`, unless nbval has just executed it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbconvert.preprocessors import ExecutePreprocessor
from nbformat import NotebookNode

from errlab_cache import executed


class Execute(ExecutePreprocessor):
    """Take the outputs of nbval's run if nothing has changed since then; else execute."""

    def preprocess(
        self, nb: NotebookNode, resources: Any = None, km: Any = None
    ) -> tuple[NotebookNode, dict[str, Any]]:
        """Return the deck with its outputs."""
        deck = Path(resources["metadata"]["path"], f"{resources['metadata']['name']}.ipynb")
        ran = executed(deck.resolve())
        return super().preprocess(nb, resources, km) if ran is None else (ran, resources)
