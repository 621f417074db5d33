"""If a reader edits a cell as a chapter proposes, what the chapter predicts must happen."""

import importlib

import nbformat
import pytest
from test_numbers import MODULES, notebooks, prose

CHANGED = [
    (name, phrase)
    for name in MODULES
    for phrase in getattr(importlib.import_module(name), "BREAKS", {})
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "phrase"), CHANGED)
def test_a_changed_cell_does_what_the_chapter_says(name, phrase):
    old, new, text = importlib.import_module(name).BREAKS[phrase]
    (path,) = notebooks(name)
    cells = [c for c in nbformat.read(path, 4).cells if c.cell_type == "code"]
    output = [
        c.source for c in cells if not {"solution", "remove-cell"} & {*c.metadata.get("tags", [])}
    ]
    assert sum(source.count(old) for source in output) == 1, f"{old!r} is no place in {path.name}"
    book = {"__name__": "__main__"}
    for source in output:
        exec(source.replace(old, new), book)
    assert text(book) == phrase
    assert phrase in prose(name)
