"""With a kernel an explorer draws again when it is moved: what it reads must still be there."""

import dis
import json
from pathlib import Path
from types import CodeType

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").rglob("*.ipynb"))


def stored(code):
    """Return the names that a cell sets."""
    return {step.argval for step in dis.get_instructions(code) if step.opname == "STORE_NAME"}


def inner(code):
    """Return the functions that a piece of code makes, those inside them too."""
    for found in code.co_consts:
        if isinstance(found, CodeType):
            yield found
            yield from inner(found)


def read(functions):
    """Return the names of the notebook that functions read when they are called."""
    return {
        step.argval
        for function in functions
        for step in dis.get_instructions(function)
        if step.opname == "LOAD_GLOBAL"
    }


def rebound(sources):
    """Yield the names that an explorer reads and that a later cell gives another meaning."""
    cells = [compile(source, "cell", "exec") for source in sources]
    functions = {f.co_name: f for cell in cells for f in inner(cell)}
    for place, (source, cell) in enumerate(zip(sources, cells, strict=True)):
        if "explore(" not in source:
            continue
        names = read(inner(cell)) | (set(cell.co_names) & functions.keys())
        while True:
            more = read([functions[name] for name in names & functions.keys()])
            if more <= names:
                break
            names |= more
        for later in cells[place + 1 :]:
            yield from names & stored(later)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_later_cell_changes_what_an_explorer_reads(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert set(rebound([s for s in sources if not s.startswith("%")])) == set()


def test_a_name_that_changes_is_found():
    draw = "real = 1\ndef draw(k):\n    return helper(k)\nexplore(draw, k=[1, 2])"
    cells = ["def helper(k):\n    return real + k", draw, "real = 2"]
    assert set(rebound(cells)) == {"real"}
    assert not set(rebound(cells[:-1]))
