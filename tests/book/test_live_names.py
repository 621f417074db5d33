"""Variables that an explorer reads keep their meaning, because it draws again when it is moved."""

import dis
from types import CodeType

import nbformat
import pytest
from our_chapters import CHAPTERS


def names(code, operation):
    """Return the names that code stores or loads, including the functions inside it."""
    inner = [result for result in code.co_consts if isinstance(result, CodeType)]
    other = {step.argval for step in dis.get_instructions(code) if step.opname == operation}
    return other.union(*(names(result, operation) for result in inner))


def rebound(sources):
    """Yield the names that an explorer reads and a later cell redefines."""
    cells = [compile(source, "cell", "exec") for source in sources]
    functions = {f.co_name: f for cell in cells for f in cell.co_consts if isinstance(f, CodeType)}
    for place, (source, cell) in enumerate(zip(sources, cells, strict=True)):
        if "explore(" in source:
            read, more = set(), names(cell, "LOAD_GLOBAL") | set(cell.co_names) & functions.keys()
            while more - read:
                read |= more
                more = set().union(
                    *(names(functions[f], "LOAD_GLOBAL") for f in read if f in functions)
                )
            for later in cells[place + 1 :]:
                yield from read & names(later, "STORE_NAME")


@pytest.mark.slow
def test_no_later_cell_changes_what_an_explorer_reads():
    for path in CHAPTERS:
        cells = nbformat.read(path, as_version=4).cells
        sources = [cell.source for cell in cells if cell.cell_type == "code"]
        assert [*rebound([s for s in sources if not s.startswith("%")])] == [], path.stem


def test_a_name_that_changes_is_found():
    draw = "real = 1\ndef draw(k):\n    return helper(k)\nexplore(draw, k=[1, 2])"
    cells = ["def helper(k):\n    return real + k", draw, "real = 2"]
    assert set(rebound(cells)) == {"real"}
    assert not set(rebound(cells[:-1]))
