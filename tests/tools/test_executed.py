"""Notebooks that nbval has executed are compared with what is stored, and given to the build."""

import re
from itertools import pairwise
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from nbval.plugin import IPyNbCell, nocolors
from tables import ROOT, sections, toml

import errlab_cache
import executed
from errlab_book import guesses, quiz

PRINTED = new_output("stream", name="stdout", text="7 8\n")
KINDS = {"plain": "text/plain", "html": "text/html", "markdown": "text/markdown"}


def output_of(words):
    """Return an output of a cell, from the text of each of its formats."""
    texts = dict(part.split(": ") for part in words.split(", "))
    if "printed" in texts:
        return new_output("stream", name="stdout", text=texts["printed"])
    caption = {"caption": True} if texts.pop("metadata", "") else {}
    data = {KINDS[name]: text for name, text in texts.items()}
    return new_output("display_data", data=data, metadata=caption)


@pytest.mark.parametrize(("title", "lines"), sections("outputs.txt"))
def test_text_and_common_formats_are_compared(title, lines):
    cell = SimpleNamespace(
        parent=SimpleNamespace(skip_compare=("metadata", "output_type", "name")),
        colors=nocolors,
        sanitize=str,
        format_output_compare=lambda *values: None,
    )

    def compare(*outputs):
        return IPyNbCell.compare_outputs(cell, *outputs)

    for line in lines:
        sides = [side.split(" and ") for side in line.split(" | ")]
        ran, stored = ([output_of(words) for words in side if words != "none"] for side in sides)
        assert executed.comparing_stored(compare)(ran, stored) == (title == "same"), line


@pytest.fixture
def chapter(tmp_path, monkeypatch):
    monkeypatch.setattr(errlab_cache, "ROOT", tmp_path)
    monkeypatch.setattr(errlab_cache, "BOOK", tmp_path)
    monkeypatch.setattr(errlab_cache, "common", lambda: "the library")
    path = tmp_path / "notebooks" / "17_own.ipynb"
    path.parent.mkdir()
    nbformat.write(new_notebook(cells=[new_code_cell("print(7, 8)"), new_code_cell("9")]), path)
    return path


def passing(chapter, *outputs, says=""):
    """Report a notebook's cells with these outputs (None: it fails); return whether it is kept."""
    plugin = executed.Executed()
    notebook = SimpleNamespace(nb=nbformat.read(chapter, as_version=4))
    for shown in outputs:
        item = SimpleNamespace(path=chapter, parent=notebook, test_outputs=shown)
        hook = plugin.pytest_runtest_makereport(item, SimpleNamespace(when="call"))
        next(hook)
        with pytest.raises(StopIteration):
            hook.send(SimpleNamespace(passed=shown is not None, capstdout=says))
    return errlab_cache.executed(chapter) is not None


def test_what_was_executed_is_used_until_code_or_library_change(chapter, monkeypatch):
    result = new_output("execute_result", data={"text/plain": "9"}, execution_count=1)
    widget = new_output("display_data", data={executed.WIDGET: {}})
    assert not passing(chapter, [PRINTED])
    assert not passing(chapter, [PRINTED], None)
    assert not passing(chapter, [PRINTED], [widget])
    assert not passing(chapter, [PRINTED], [result], says=executed.CHANGED)
    assert passing(chapter, [PRINTED], [result])
    first, second = errlab_cache.executed(chapter).cells
    assert [output.text for output in first.outputs] == ["7 8\n"]
    assert (second.execution_count, second.outputs[0].execution_count) == (2, 2)

    with monkeypatch.context() as changed:
        changed.setattr(errlab_cache, "common", lambda: "another library")
        assert errlab_cache.executed(chapter) is None
    assert errlab_cache.executed(chapter) is not None
    nbformat.write(new_notebook(cells=[new_code_cell("print(7, 9)"), new_code_cell("9")]), chapter)
    assert errlab_cache.executed(chapter) is None


@pytest.mark.nightly
def test_text_that_is_printed_in_parts_is_one_output_of_the_build(chapter):
    code = "import time\nprint(7, end='', flush=True)\ntime.sleep(1)\nprint(' 8')"
    project = SimpleNamespace(nb=new_notebook(cells=[new_code_cell(code)]), uri=str(chapter))
    data = SimpleNamespace(timeout=600, allow_errors=False)
    (cell,) = errlab_cache.Worker.execute(project, data).nb.cells
    assert [output.text for output in cell.outputs] == ["7 8\n"]


def test_markdown_that_only_stored_notebooks_have_is_what_is_computed():
    """Captions, guesses and quizzes: on a page they are HTML, so nbval compares their text alone.

    Any other Markdown is on the page too, where nbval compares it.
    """
    book = ROOT / "book" / "errlab_book"
    asked = [quiz.load(path.stem) for path in book.glob("quizzes/*.toml")]
    for path in (*book.glob("chapters/*.toml"), *book.glob("pages/*.toml")):
        asked += guesses.load(str(path)).values()
    known = {repr(question): question.markdown() for question in asked}
    found = set()
    for path in (*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("book/**/*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            outputs = [out for out in cell.get("outputs", []) if "data" in out]
            for before, output in pairwise([None, *outputs]):
                plain = output.data["text/plain"]
                words = output.data.get("text/markdown", plain)
                if output.metadata.get("caption"):
                    found.add("caption")
                    title = re.findall(r"^Caption: (.*)", before.data["text/plain"], re.MULTILINE)
                    title = title[:1] or [words]
                    assert words == plain
                    assert words.strip("*").startswith(title[0]), path
                elif words != plain and (kind := re.match("Guess: |Quiz ", plain)):
                    found.add(kind[0])
                    assert words == known[plain], (path, plain)
    assert found == {"caption", "Guess: ", "Quiz "}


# --- Executed notebooks are stale if their modules, data or versions have changed.


SMALL = toml("cache.toml")
FILES = SMALL["used"] | SMALL["others"]


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.setattr(errlab_cache, "ROOT", tmp_path)
    monkeypatch.setattr(errlab_cache, "BOOK", tmp_path / "book" / "errlab_book")
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    cells = [nbformat.v4.new_code_cell(SMALL["code"])]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "chapter.ipynb")
    return tmp_path


def mark(tree):
    errlab_cache.common.cache_clear()
    return errlab_cache.fingerprint(tree / "chapter.ipynb")


def test_a_notebook_is_stale_when_what_it_uses_has_changed_and_only_then(tree):
    before = mark(tree)
    assert mark(tree) == before
    for name, text in FILES.items():
        (tree / name).write_text(text + "\n# changed")
        assert (mark(tree) != before) == (name in SMALL["used"]), name
        (tree / name).write_text(text)


def test_a_board_makes_the_pages_stale_that_show_boards_and_a_version_all(tree, monkeypatch):
    (tree / "book/errlab_book/chapters/holdout.py").write_text("load_board('imagenet')")
    marks = [mark(tree)]
    (tree / "book/data/boards/imagenet.npz").write_text("another")
    marks.append(mark(tree))
    monkeypatch.setattr(errlab_cache, "version", lambda package: "0")
    assert len({*marks, mark(tree)}) == 3
