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
from pathlib import Path

import nbformat
import pytest
import yaml

ROOT = Path(__file__).parents[2]
STRANGERS = sorted((ROOT / "tests" / "data" / "strangers").glob("*.ipynb"))
SEEN = {  # texts that a page must contain for readers without a kernel
    "17_fairness": ["7 errors in 200 test examples", "errors = 7", "0.252747", "<img"],
    "18_drop_out": ["0.666667", "<img"],
    "19_play": ["<strong>3 of 100</strong>", "wrong = 3", "2 + 5 = 7"],
    "20_notes": [
        "only eight examples",
        "<th>right</th>",
        "to the log",
        ">50%</td>",
        "data:image/png;base64,iVBOR",
    ],
}


@pytest.fixture
def fork(tmp_path):
    """A copy of the project with a book of one page, to which chapters are added."""
    for name in ("errlab", "book", "teaching"):
        (tmp_path / name).symlink_to(ROOT / name)
    for name in ("conftest.py", "pyproject.toml", "_config.yml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    for name in ("notebooks", "tests/records"):
        (tmp_path / name).mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "sanitize.cfg", tmp_path / "tests")
    (tmp_path / "notebooks" / "README.md").write_text("# Chapters\n", "utf-8")
    (tmp_path / "first.md").write_text("# A book\n", "utf-8")
    return tmp_path


def list_chapters(fork, paths):
    chapters = [{"file": f"notebooks/{path.stem}"} for path in paths]
    toc = {
        "format": "jb-book",
        "root": "first",
        "parts": [{"caption": "Own", "chapters": chapters}],
    }
    (fork / "_toc.yml").write_text(yaml.safe_dump(toc), "utf-8")


def run(fork, *words, **variables):
    place = {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "book", ROOT / "tests")))}
    program = Path(sys.executable).with_name(words[0])
    done = subprocess.run([program, *words[1:]], cwd=fork, capture_output=True, text=True,
                          env={**os.environ, **place, **variables})  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def store(fork, paths):
    for path in paths:
        shutil.copy(path, fork / "notebooks")
    list_chapters(fork, paths)
    stored = [str(fork / "notebooks" / path.name) for path in paths]
    run(fork, "python", "tools/notebooks.py", *stored)
    for path in map(Path, stored):
        cells = nbformat.read(path, 4).cells
        assert all(cell.execution_count for cell in cells if cell.cell_type == "code")
    overview = (fork / "notebooks" / "README.md").read_text("utf-8")
    assert [path.name for path in paths if f"]({path.name})" not in overview] == []


def store_and_compare(fork, paths):
    store(fork, paths)
    run(fork, "pytest", "-q", "-o", "addopts=", "--nbval", "notebooks", ERRLAB_OUTPUT="record")


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["codespell"]]
)
def test_make_style_judges_no_chapter_from_number_17_on(tmp_path, command):
    """In our own chapters it finds the same faults."""
    cells = [nbformat.v4.new_code_cell("import os;x = 1 # t" + "eh")]
    (tmp_path / "notebooks").mkdir()
    for name in ("pyproject.toml", "notebooks/ruff.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    for number in ("16", "17", "29", "30"):
        path = tmp_path / "notebooks" / f"{number}_name.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    program = Path(sys.executable).with_name(command[0])
    done = subprocess.run([program, *command[1:]], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0
    assert {*re.findall(r"(\d\d)_name", done.stdout)} == {"16"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('<td id="T_4a26c_row0_col1" >62%', '<td id="T_07a75_row0_col1" >62%'),
        ("CPU times: user 178 ms, total: 178 ms\nWall time: 543 ms\n",
         "CPU times: user 1.2 s, total: 1.3 s\nWall time: 2 s\n"),
        ("<Axes at 0x7fcb3d98ca50>", "<Axes at 0x7fcb3d98cb60>"),
    ],
)  # fmt: skip
def test_ids_times_and_addresses_are_not_compared(first, second):
    """Other digits are."""
    rules = configparser.RawConfigParser()
    rules.read(ROOT / "tests" / "sanitize.cfg", "utf-8")

    def sanitized(text):
        for section in rules.sections():
            text = re.sub(rules[section]["regex"], rules[section]["replace"], text)
        return text

    assert sanitized(first) == sanitized(second)
    assert sanitized(f"62 {first}") != sanitized(f"63 {second}")


@pytest.mark.slow
def test_a_notebook_with_interact_is_stored(fork):
    (play,) = [path for path in STRANGERS if path.stem == "19_play"]
    store(fork, [play])
    text = (fork / "notebooks" / play.name).read_text("utf-8")
    assert "**3 of 100** are wrong: 3%" in text
    assert "2 + 5 = 7" in text


@pytest.mark.nightly
def test_a_changed_output_of_interact_is_noticed(fork):
    (play,) = [path for path in STRANGERS if path.stem == "19_play"]
    store_and_compare(fork, [play])
    stored = (fork / "notebooks" / play.name).read_text("utf-8")
    assert "2 + 5 = 7" in stored
    changed = stored.replace("2 + 5 = 7", "2 + 5 = 8")
    (fork / "notebooks" / play.name).write_text(changed, "utf-8")
    with pytest.raises(AssertionError, match="2 \\+ 5 = 8"):
        run(fork, "pytest", "-o", "addopts=", "--nbval", "notebooks", ERRLAB_OUTPUT="record")


@pytest.mark.nightly
def test_strangers_notebooks_are_stored_compared_built_and_taken_out(fork):
    store_and_compare(fork, STRANGERS)
    build = ("jupyter-book", "build", "--warningiserror", "--keep-going", ".")
    run(fork, *build, ERRLAB_OUTPUT="book")
    site = fork / "_build" / "html"
    for path in STRANGERS:
        page = (site / "notebooks" / f"{path.stem}.html").read_text("utf-8")
        body = re.sub(r"<(script|style)\b.*?</\1>", "", page.split("<article")[1], flags=re.DOTALL)
        assert [text for text in SEEN[path.stem] if text not in body] == [], path.stem
    list_chapters(fork, STRANGERS[1:])
    gone = STRANGERS[0]
    (fork / "notebooks" / gone.name).unlink()
    run(fork, "python", "tools/notebooks.py", f"notebooks/{gone.name}")
    left = [path.name for path in (fork / "notebooks").rglob("*") if gone.stem in path.name]
    assert left == []
    assert gone.stem not in (fork / "notebooks" / "README.md").read_text("utf-8")
    shutil.rmtree(fork / "_build")  # make clean
    run(fork, *build, ERRLAB_OUTPUT="book")
    assert not (site / "notebooks" / f"{gone.stem}.html").exists()
    assert gone.stem not in (site / "first.html").read_text("utf-8")
