"""What the notebooks have stored is what their execution for the book has shown.

The book's execution gives each output as a page shows it and as text; the texts are compared with
the stored ones, which saves a second execution (``pytest --nbval notebooks`` makes one). Needs the
executed notebooks (``make book``); without them it is skipped, loudly.
"""

import sys
import warnings
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import book  # noqa: E402
import depends  # noqa: E402
import notebooks  # noqa: E402

EXECUTED = ROOT / "_build" / "executed"
CHAPTERS = notebooks.every()

pytestmark = pytest.mark.site
if not all((EXECUTED / path.name).exists() for path in CHAPTERS):
    warnings.simplefilter("default")
    pytest.skip("NOTEBOOKS SKIPPED: build the book first (make book)", allow_module_level=True)


def said(cell):
    """The texts of a cell in their order, each with what kind it is; streams are joined."""
    texts = []
    for output in cell.outputs:
        kind = output.get("name", output.output_type)
        text = output.get("text") or output.get("data", {}).get("text/plain", "")
        if texts and output.output_type == "stream" and texts[-1][0] == kind:
            texts[-1] = (kind, texts[-1][1] + text)
        else:
            texts.append((kind, text))
    return texts


def code(path):
    return [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_the_book_shows_what_is_stored(path):
    executed, stamp = EXECUTED / path.name, EXECUTED / f"{path.stem}.stamp"
    fresh = book.fresh(executed, stamp, depends.digest(path, CHAPTERS))
    assert fresh, "it has changed since the book was built; run make book"
    shown, stored = code(executed), code(path)
    assert [cell.source for cell in shown] == [cell.source for cell in stored]
    for ours, theirs in zip(stored, shown, strict=True):
        assert said(ours) == said(theirs), f"run make notebooks and read the diff:\n{ours.source}"
    assert sum(len(said(cell)) for cell in stored) > 10


def test_a_changed_number_is_noticed():
    cell = next(c for c in code(CHAPTERS[0]) if said(c))
    before = said(cell)
    output = cell.outputs[0]
    if "text" in output:
        output.text += "1"
    else:
        output.data["text/plain"] += "1"
    assert said(cell) != before
