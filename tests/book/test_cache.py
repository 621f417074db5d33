"""Executed notebooks are stale if their modules, data or versions have changed."""

import nbformat
import pytest

import errlab_cache

CODE = """
from errlab_book import exercises, quiz
from errlab_book.chapters import coverage as chapter

exercises.check("4.1", ...)
quiz.load("04_coverage")
"""
FILES = {
    "errlab/bounds.py": "",
    "book/errlab_book/widgets.py": "",
    "book/errlab_book/chapters/__init__.py": "",
    "book/errlab_book/chapters/coverage.py": "from errlab_book.chapters import holdout",
    "book/errlab_book/chapters/coverage.toml": "",
    "book/errlab_book/chapters/holdout.py": "",
    "book/errlab_book/chapters/groups.py": "",
    "book/errlab_book/exercises/chapter04.py": "",
    "book/errlab_book/exercises/chapter05.py": "",
    "book/errlab_book/quizzes/04_coverage.toml": "",
    "book/errlab_book/quizzes/05_other.toml": "",
    "book/data/boards/imagenet.npz": "",
}
USED = {
    "errlab/bounds.py",
    "book/errlab_book/widgets.py",
    "book/errlab_book/chapters/__init__.py",
    "book/errlab_book/chapters/coverage.py",
    "book/errlab_book/chapters/coverage.toml",
    "book/errlab_book/chapters/holdout.py",
    "book/errlab_book/exercises/chapter04.py",
    "book/errlab_book/quizzes/04_coverage.toml",
}


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.setattr(errlab_cache, "ROOT", tmp_path)
    monkeypatch.setattr(errlab_cache, "BOOK", tmp_path / "book" / "errlab_book")
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    nbformat.write(notebook(CODE), tmp_path / "chapter.ipynb")
    return tmp_path


def notebook(code):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])


def mark(tree):
    errlab_cache.common.cache_clear()
    return errlab_cache.fingerprint(tree / "chapter.ipynb")


@pytest.mark.parametrize("name", FILES)
def test_a_notebook_is_stale_when_what_it_uses_has_changed_and_only_then(tree, name):
    before = mark(tree)
    assert mark(tree) == before
    (tree / name).write_text(FILES[name] + "\n# changed")
    assert (mark(tree) != before) == (name in USED)


def test_a_board_makes_the_pages_stale_that_show_boards(tree):
    (tree / "book/errlab_book/chapters/holdout.py").write_text("load_board('imagenet')")
    before = mark(tree)
    (tree / "book/data/boards/imagenet.npz").write_text("another")
    assert mark(tree) != before


def test_another_version_of_a_package_makes_all_stale(tree, monkeypatch):
    before = mark(tree)
    monkeypatch.setattr(errlab_cache, "version", lambda package: "0")
    assert mark(tree) != before
