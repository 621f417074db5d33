"""Draw the two pictures of README and of the paper, each stored with a record of its contents.

``python tools/pictures.py`` writes ``book/paper/claim.png`` and ``book/paper/ranks.png``.
"""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes

import errlab
from errlab_book import labs
from errlab_book.figures import record

PAPER = Path(__file__).resolve().parent.parent / "book" / "paper"


def drawn() -> dict[str, Axes]:
    """Return the axes of each picture, by its name."""
    claim = errlab.report([0] * 200, [1] * 7 + [0] * 193).plot()
    return {"claim": claim, "ranks": labs.Ranks().plot()}


def main() -> None:
    """Draw both."""
    for name, axes in drawn().items():
        axes.figure.savefig(
            PAPER / f"{name}.png",
            dpi=110,
            metadata={"Description": record(axes), "Software": None},
        )


if __name__ == "__main__":
    main()
