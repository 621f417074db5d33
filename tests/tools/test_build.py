"""The build of the book: nothing stale is ever shown, and nothing foreign is ever touched."""

import functools
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from house import ours  # noqa: E402

import book  # noqa: E402
import depends  # noqa: E402
import made  # noqa: E402
import notebooks  # noqa: E402

CHAPTERS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def written(path, text):
    cells = [nbformat.v4.new_code_cell(text)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A checkout with two chapters, and an execution that copies a notebook and counts."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    for stem in ("01_one", "02_two"):
        written(folder / f"{stem}.ipynb", "version A")
    monkeypatch.setattr(notebooks, "NOTEBOOKS", folder)
    monkeypatch.setattr(book, "ROOT", tmp_path)
    monkeypatch.setattr(depends, "files", lambda *_: set())
    executed = []

    def execute(paths, target, mode, done):
        target.mkdir(parents=True, exist_ok=True)
        for path in paths:
            executed.append(path.stem)
            (target / path.name).write_bytes(path.read_bytes())
            done(path)

    monkeypatch.setattr(notebooks, "execute", execute)
    return folder, executed


def build(folder):
    """Execute what is stale; return where it went."""
    target = folder.parent / "_build" / "executed"
    book.execute(target, sorted(folder.glob("*.ipynb")))
    return target


def test_a_notebook_is_executed_again_only_where_it_changed(small):
    folder, executed = small
    build(folder)
    build(folder)
    assert executed == ["01_one", "02_two"]
    written(folder / "02_two.ipynb", "version B")
    build(folder)
    assert executed[2:] == ["02_two"]


def test_a_stamp_does_not_outlive_what_it_vouches_for(small, monkeypatch):
    """Build A, edit to B, die after the first notebook was rewritten, take the edit back."""
    folder, _executed = small
    target = build(folder)
    for path in folder.glob("*.ipynb"):
        written(path, "version B")
    whole = notebooks.execute

    def dies(paths, target, mode, done):
        (target / paths[0].name).write_bytes(paths[0].read_bytes())
        raise KeyboardInterrupt

    monkeypatch.setattr(notebooks, "execute", dies)
    with pytest.raises(KeyboardInterrupt):
        build(folder)
    monkeypatch.setattr(notebooks, "execute", whole)
    for path in folder.glob("*.ipynb"):
        written(path, "version A")
    build(folder)
    assert all("version B" not in path.read_text() for path in target.glob("*.ipynb"))


def test_what_changed_while_it_was_executed_is_executed_again(small, monkeypatch):
    folder, _executed = small
    whole = notebooks.execute

    def slow(paths, target, mode, done):
        written(folder / "01_one.ipynb", "version B")
        whole(paths, target, mode, done)

    monkeypatch.setattr(notebooks, "execute", slow)
    build(folder)
    written(folder / "01_one.ipynb", "version A")
    monkeypatch.setattr(notebooks, "execute", whole)
    target = build(folder)
    assert "version A" in (target / "01_one.ipynb").read_text()


@pytest.mark.parametrize("length", [0, 100])
def test_a_truncated_notebook_is_executed_again(small, length):
    folder, executed = small
    path = build(folder) / "01_one.ipynb"
    path.write_bytes(path.read_bytes()[:length])
    build(folder)
    assert executed[2:] == ["01_one"]
    nbformat.read(path, as_version=4)


@functools.cache
def needed():
    return {chapter.stem: depends.files(chapter, CHAPTERS) for chapter in CHAPTERS}


def users(path):
    return [stem for stem, files in needed().items() if path in files]


def test_a_quiz_and_the_answers_to_exercises_belong_to_their_chapter():
    for chapter in ours():
        assert users(ROOT / "errlab" / "book" / "quizzes" / f"{chapter.stem}.toml") == [
            chapter.stem
        ]
        answers = ROOT / "errlab" / "book" / "exercises" / f"chapter{chapter.stem[:2]}.py"
        assert users(answers) == [chapter.stem]


def test_plots_belong_to_the_chapters_that_call_them_or_call_what_imports_them():
    plots = ROOT / "errlab" / "book" / "plots"
    assert users(plots / "generalization.py") == ["02_holdout", "09_error_distribution"]
    assert "05_bounded_bounds" in users(plots / "coverage.py")  # through plots/bounded.py
    assert users(plots / "_style.py") == [c.stem for c in CHAPTERS]


def test_nothing_that_a_chapter_may_show_belongs_to_none():
    every = set().union(*needed().values())
    assert set((ROOT / "errlab").rglob("*.py")) <= every
    assert set((ROOT / "errlab" / "book" / "studies").glob("*.json")) <= every
    assert users(ROOT / "errlab" / "bounds" / "binary.py") == [c.stem for c in CHAPTERS]


def test_a_file_that_no_chapter_uses_belongs_to_all(tmp_path):
    stray = tmp_path / "errlab" / "book" / "quizzes" / "99_stray.toml"
    stray.parent.mkdir(parents=True)
    (tmp_path / "notebooks").mkdir()
    stray.touch()
    for stem in ("01_one", "02_two"):
        written(tmp_path / "notebooks" / f"{stem}.ipynb", "1 + 1")
    chapters = sorted((tmp_path / "notebooks").glob("*.ipynb"))
    assert all(stray in depends.files(path, chapters, tmp_path) for path in chapters)


def test_stored_outputs_are_no_source(tmp_path):
    path = tmp_path / "01_one.ipynb"
    written(path, "1 + 1")
    before = depends.source(path)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[0].outputs = [nbformat.v4.new_output("stream", text="2")]
    nbformat.write(notebook, path)
    assert depends.source(path) == before


@pytest.fixture
def pretend(small, monkeypatch):
    """In place of Jupyter Book: write one page where it would write the site."""
    folder, _ = small

    def run(command, check):
        html = Path(command[-1])
        html.mkdir(parents=True, exist_ok=True)
        (html / "index.html").write_text("the site")
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(book, "stage", lambda staged, *_: staged.mkdir(exist_ok=True))
    return folder


def test_the_path_that_is_printed_is_the_site(pretend, tmp_path, capsys):
    assert book.main(["--to", str(tmp_path / "elsewhere")]) == 0
    printed = Path(capsys.readouterr().out.rsplit(": ", 1)[1].strip())
    assert printed.read_text() == "the site"
    assert printed.is_relative_to(tmp_path / "elsewhere")


def test_nothing_is_built_again_unless_something_has_changed(pretend, monkeypatch):
    root = pretend.parent
    monkeypatch.setattr(made, "sysconfig", SimpleNamespace(get_path=lambda _: root / "packages"))
    (root / "packages").mkdir()
    assert made.unchanged([], root) is None
    assert book.main([]) == 0
    site = made.unchanged([], root)
    assert site.read_text() == "the site"
    assert made.unchanged(["--only", "01_one"], root) is None
    changes = {
        "a page": lambda: (root / "page.md").write_text("New."),
        "a chapter": lambda: written(pretend / "01_one.ipynb", "version B"),
        "the site": lambda: site.write_text("another"),
        "what was executed": (root / "_build" / "executed" / "01_one.stamp").unlink,
        "a package": (root / "packages" / "new").mkdir,
    }
    for change in changes.values():
        assert made.unchanged([], root) == site
        change()
        assert made.unchanged([], root) is None
        assert book.main([]) == 0


def test_a_build_that_fails_is_repeated(pretend, monkeypatch):
    root = pretend.parent
    assert book.main([]) == 0
    (root / "page.md").write_text("New.")
    failed = subprocess.CompletedProcess([], 1)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    assert book.main([]) == 1
    assert made.unchanged([], root) is None


def test_foreign_files_are_left_alone(pretend, tmp_path):
    folder = tmp_path / "elsewhere"
    for name in ("notes.txt", "stage/notes.txt", "html/index.html"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("mine")
    assert book.main(["--to", str(folder)]) == 0
    assert (folder / "stage" / "notes.txt").read_text() == "mine"
    assert (folder / "html" / "index.html").read_text() == "mine"
    other = tmp_path / "other"
    (other / "_build").mkdir(parents=True)
    (other / "_build" / "notes.txt").write_text("mine")
    with pytest.raises(SystemExit, match="somebody else"):
        book.main(["--to", str(other)])
    assert [p.name for p in (other / "_build").iterdir()] == ["notes.txt"]


def test_an_unknown_chapter_is_an_error(pretend):
    with pytest.raises(SystemExit, match="no notebook 99_nothing; choose from 01_one, 02_two"):
        book.main(["--only", "99_nothing"])


def test_a_chapter_is_dropped_by_its_line_in_the_course_file(small):
    folder, _executed = small
    lines = ["[[part]]", 'title = "One"', "chapters = [", '  { name = "02_two" },', "]", ""]
    (folder.parent / "_course.toml").write_text("\n".join(lines))
    assert book.chapters([]) == [folder / "02_two.ipynb"]
    page = "| Which? | [One](../notebooks/01_one.ipynb) |\n"
    page += "| Or? | [Two](../notebooks/02_two.ipynb) |\n"
    both = "| Both | [One](../notebooks/01_one.ipynb), [Two](../notebooks/02_two.ipynb) |\n"
    text = f"{page}{both}See [chapter 1](../notebooks/01_one.ipynb#top).\n"
    assert book.unlink(text, {"02_two.ipynb"}) == (
        "| Or? | [Two](../notebooks/02_two.ipynb) |\n"
        "| Both | One, [Two](../notebooks/02_two.ipynb) |\nSee chapter 1.\n"
    )


def test_sources_that_cannot_be_written_to_are_no_obstacle(tmp_path):
    (tmp_path / "_build").write_text("a file, in place of a folder")
    elsewhere = tmp_path / "elsewhere" / "_build"
    assert book.executed_folder(elsewhere, tmp_path) == elsewhere / "executed"


def test_the_pages_of_a_dropped_chapter_go(tmp_path):
    html, staged = tmp_path / "html", tmp_path / "stage"
    for name in ("03_kept", "04_gone"):
        for path in (f"_sources/notebooks/{name}.ipynb", f"notebooks/{name}.html"):
            (html / path).parent.mkdir(parents=True, exist_ok=True)
            (html / path).touch()
    (html / "index.html").touch()
    (staged / "notebooks").mkdir(parents=True)
    (staged / "notebooks" / "03_kept.ipynb").touch()
    assert book.prune(html, staged) == ["notebooks/04_gone.ipynb"]
    left = {p.name for p in html.rglob("*") if p.is_file()}
    assert left == {"03_kept.ipynb", "03_kept.html", "index.html"}


SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, {tools!r})
import notebooks
notebooks.execute([Path({path!r})], Path({folder!r}), "book")
"""
SLEEP = """
import os, time
from pathlib import Path
Path("pid").write_text(str(os.getpid()))
time.sleep(100)
"""


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_build_leaves_no_kernel(tmp_path):
    path = tmp_path / "01_one.ipynb"
    written(path, SLEEP)
    script = SCRIPT.format(
        tools=str(ROOT / "tools"), path=str(path), folder=str(tmp_path / "executed")
    )
    with subprocess.Popen([sys.executable, "-c", script]) as builder:
        pid, end = tmp_path / "pid", time.monotonic() + 60
        while not (pid.is_file() and pid.read_text()):
            assert time.monotonic() < end, "the kernel did not start"
            time.sleep(0.1)
        builder.kill()
    end = time.monotonic() + 20
    while alive(int(pid.read_text())):
        assert time.monotonic() < end, "the kernel is still there"
        time.sleep(0.1)
