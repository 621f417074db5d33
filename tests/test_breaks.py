"""If a reader edits a cell as a chapter proposes, what the chapter predicts must happen."""

import ast
import importlib

import nbformat
import pytest
from test_builds_mutated import follows, stored
from test_chapters import CHAPTERS, code, scope
from test_numbers import MODULES, notebooks, prose

CHANGED = [
    (name, phrase)
    for name in MODULES
    for phrase in getattr(importlib.import_module(name), "BREAKS", {})
]


def to_run(sources, first):
    """Return the cells to run if one is changed, without those that only show something.

    These are all before it, and of those behind it the ones that use what has changed, with what
    they need.
    """
    binds = [stored(ast.parse(source)) for source in sources]
    changed, needed = binds[first], set()
    run = [i <= first and bool(names) for i, names in enumerate(binds)]
    for i in range(first + 1, len(sources)):
        run[i] = bool(binds[i] and changed & scope(sources[i])[0])
        changed = follows(sources[i], changed)
    for i in reversed(range(first, len(sources))):
        run[i] |= i == first or bool(needed & binds[i])
        needed |= scope(sources[i])[0] if run[i] else set()
    return [
        s for s, runs in zip(sources, run, strict=True) if runs or s.startswith(("import", "from"))
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "phrase"), CHANGED)
def test_a_changed_cell_does_what_the_chapter_says(name, phrase):
    old, new, text = importlib.import_module(name).BREAKS[phrase]
    (path,) = notebooks(name)
    cells = code(nbformat.read(path, 4), {"solution", "remove-cell"})
    sources = [cell.source for cell in cells]
    assert sum(source.count(old) for source in sources) == 1, f"{old!r} is no place in {path.name}"
    (first,) = (i for i, source in enumerate(sources) if old in source)
    book = {"__name__": "__main__"}
    for source in to_run(sources, first):
        exec(source.replace(old, new), book)
    assert text(book) == phrase
    assert phrase in prose(name)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_each_prompt_has_an_executed_answer(path):
    """Each “Change it.” folds one phrase of `BREAKS`."""
    breaks = importlib.import_module(f"errlab_book.chapters.{path.stem[3:]}").BREAKS
    cells = [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "markdown"]
    prompts = [block for cell in cells for block in cell.split("**Change it.**")[1:]]
    assert prompts
    for prompt in prompts:
        answer = prompt.split("</summary>")[1].split("</details>")[0].replace(">", "")
        folded = " ".join(answer.split())
        assert sum(phrase in folded for phrase in breaks) == 1, folded
