"""A lecturer's own notebook works as a chapter, as `instructors.md` ("With one of your own") says.

The notebooks in `tests/data/strangers` are written as other people write them: plain Matplotlib and
a data frame; `interact` and Markdown; saved by JupyterLab, with warnings and cells that never ran.
"""

import configparser
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
import yaml

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data" / "strangers"
SHOWN = tomllib.loads((DATA / "shown.toml").read_text("utf-8"))


def run(folder, program, *words, fails=False, **variables):
    """Run a program of this environment in a folder; return what it prints."""
    place = {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "book", ROOT / "tests")))}
    command = [Path(sys.executable).with_name(program), *words]
    environment = {**os.environ, **place, **variables}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    assert (done.returncode != 0) == fails, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture
def fork(tmp_path):
    """A copy of the project with a book of one page, to which chapters are added."""
    for name in ("notebooks", "tests/records", "book"):
        (tmp_path / name).mkdir(parents=True)
    for path in (ROOT / "errlab", ROOT / "teaching", *(ROOT / "book").iterdir()):
        if path.name != "_ext":  # which finds the project that it belongs to
            (tmp_path / path.relative_to(ROOT)).symlink_to(path)
    for name in ("conftest.py", "pyproject.toml", "_config.yml", "tests/sanitize.cfg"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name in ("tools", "book/_ext"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "notebooks" / "README.md").write_text("# Chapters\n", "utf-8")
    (tmp_path / "first.md").write_text("# A book\n", "utf-8")
    return tmp_path


def list_chapters(fork, names):
    chapters = [{"file": f"notebooks/{name}"} for name in names]
    parts = [{"caption": "Own", "chapters": chapters}]
    toc = {"format": "jb-book", "root": "first", "parts": parts}
    (fork / "_toc.yml").write_text(yaml.safe_dump(toc), "utf-8")


def store(fork, *names):
    for name in names:
        shutil.copy(DATA / f"{name}.ipynb", fork / "notebooks")
    list_chapters(fork, names)
    run(fork, "python", "tools/notebooks.py", *(f"notebooks/{name}.ipynb" for name in names))
    for name in names:
        cells = nbformat.read(fork / "notebooks" / f"{name}.ipynb", 4).cells
        assert all(cell.execution_count for cell in cells if cell.cell_type == "code")
    overview = (fork / "notebooks" / "README.md").read_text("utf-8")
    assert [name for name in names if f"]({name}.ipynb)" not in overview] == []


@pytest.mark.slow
def test_make_style_judges_no_chapter_from_number_17_on(tmp_path):
    """In our own chapters it finds the same faults."""
    cells = [nbformat.v4.new_code_cell("import os;x = 1 # t" + "eh")]
    (tmp_path / "notebooks").mkdir()
    for name in ("pyproject.toml", "notebooks/ruff.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    for number in ("16", "17", "29", "30"):
        path = tmp_path / "notebooks" / f"{number}_name.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    for command in ("ruff check .", "ruff format --check .", "codespell"):
        faults = run(tmp_path, *command.split(), fails=True)
        assert {*re.findall(r"(\d\d)_name", faults)} == {"16"}, command


def test_ids_times_and_addresses_are_not_compared():
    """Other digits are."""
    rules = configparser.RawConfigParser()
    rules.read(ROOT / "tests" / "sanitize.cfg", "utf-8")

    def sanitized(text):
        for section in rules.sections():
            text = re.sub(rules[section]["regex"], rules[section]["replace"], text)
        return text

    pairs = (DATA.parent / "sanitized.txt").read_text("utf-8").split("\n\n")[1:]
    for first, second in map(str.splitlines, pairs):
        assert sanitized(first) == sanitized(second)
        assert sanitized(f"62 {first}") != sanitized(f"63 {second}")


@pytest.mark.slow
def test_a_notebook_with_interact_is_stored(fork):
    store(fork, "19_play")
    text = (fork / "notebooks" / "19_play.ipynb").read_text("utf-8")
    assert "**3 of 100** are wrong: 3%" in text
    assert "2 + 5 = 7" in text


@pytest.mark.nightly
def test_strangers_notebooks_are_stored_compared_built_and_taken_out(fork):
    build = ("jupyter-book", "build", "--warningiserror", "--keep-going", ".")
    compare = ("pytest", "-q", "-o", "addopts=", "--nbval")
    play = fork / "notebooks" / "19_play.ipynb"
    store(fork, *SHOWN)
    run(fork, *compare, "notebooks", ERRLAB_OUTPUT="record")
    run(fork, *compare, "notebooks", ERRLAB_OUTPUT="book")
    kept = [path.stem for path in (fork / "_build" / "executed" / "notebooks").iterdir()]
    assert sorted(kept) == sorted(SHOWN)
    run(fork, *build, ERRLAB_OUTPUT="book")
    site = fork / "_build" / "html"
    for name, texts in SHOWN.items():
        page = (site / "notebooks" / f"{name}.html").read_text("utf-8")
        body = re.sub(r"<(script|style)\b.*?</\1>", "", page.split("<article")[1], flags=re.DOTALL)
        assert [text for text in texts if text not in body] == [], name

    # a changed output of interact is noticed
    stored = play.read_text("utf-8")
    play.write_text(stored.replace("2 + 5 = 7", "2 + 5 = 8"), "utf-8")
    assert "2 + 5 = 8" in run(fork, *compare, play, ERRLAB_OUTPUT="record", fails=True)
    play.write_text(stored, "utf-8")

    gone, *others = SHOWN
    list_chapters(fork, others)
    (fork / "notebooks" / f"{gone}.ipynb").unlink()
    run(fork, "python", "tools/notebooks.py", f"notebooks/{gone}.ipynb")
    assert [path.name for path in (fork / "notebooks").rglob(f"*{gone}*")] == []
    assert gone not in (fork / "notebooks" / "README.md").read_text("utf-8")
    for built in ("html", ".doctrees"):  # as make clean does, but with the outputs
        shutil.rmtree(fork / "_build" / built)
    run(fork, *build, ERRLAB_OUTPUT="book")
    assert not (site / "notebooks" / f"{gone}.html").exists()
    assert gone not in (site / "first.html").read_text("utf-8")
