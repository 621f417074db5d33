"""Which chapters are ours. A fork may list others, to which our rules don't apply."""

from pathlib import Path

ROOT = Path(__file__).parents[1]


def is_ours(path):
    """Return whether a notebook outside of `notebooks/`, or a chapter with a module, is ours."""
    module = ROOT / "book" / "errlab_book" / "chapters" / f"{path.stem[3:]}.py"
    return path.parent.name != "notebooks" or module.exists()


CHAPTERS = sorted(filter(is_ours, (ROOT / "notebooks").glob("*.ipynb")))
