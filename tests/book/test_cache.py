"""Executed notebooks are stale if their modules, data or versions have changed."""

import tomllib
from pathlib import Path

import nbformat
import pytest

import errlab_cache

SMALL = tomllib.loads((Path(__file__).parents[1] / "data" / "cache.toml").read_text("utf-8"))
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
