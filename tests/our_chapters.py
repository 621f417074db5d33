"""Which chapters are ours: a fork may list others, which need not keep the rules of ours."""

from pathlib import Path

ROOT = Path(__file__).parents[1]


def is_ours(path):
    """Return whether a notebook outside of `notebooks/`, or a chapter with a module, is ours."""
    module = ROOT / "book" / "errlab_book" / "chapters" / f"{path.stem[3:]}.py"
    return path.parent.name != "notebooks" or module.exists()


CHAPTERS = sorted(filter(is_ours, (ROOT / "notebooks").glob("*.ipynb")))
