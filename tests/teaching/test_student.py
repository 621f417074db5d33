"""The students' zip: no line of a solution, no key, and it runs wherever it is unpacked."""

import html
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
import yaml
from browser import ROOT, SITE
from our_chapters import CHAPTERS

import lms
import student
from errlab_book import exercises, guesses, handout, quiz

API = sorted((SITE / "book" / "api").glob("*.html"))
LONG = 24  # characters that make a line unlikely to occur elsewhere by chance


def squeezed(text):
    return re.sub(r"\s+", "", text)


def secrets():
    """Lines that are only in solutions, names of answers, explanations, and the bank."""
    text, open_ = set(), ""
    for path in CHAPTERS:
        for cell in nbformat.read(path, as_version=4).cells:
            if "solution" in cell.metadata.get("tags", []):
                text |= {squeezed(line) for line in cell.source.splitlines()[1:]}
            else:
                open_ += squeezed(cell.source)
    for path in (*ROOT.glob("errlab/**/*.py"), *ROOT.glob("book/errlab_book/**/*.py")):
        if not path.name.startswith("chapter"):
            open_ += squeezed(path.read_text("utf-8"))
    lines = {line for line in text if len(line) >= LONG and line not in open_}
    names = {f"def{entry.answer.__name__}(" for entry in exercises.EXERCISES.values()}
    bank = [question for item in lms.quizzes(lms.BANK) for question in item.questions]
    every = [question for item in lms.quizzes() for question in item.questions] + bank
    whys = {squeezed(choice.why) for question in every for choice in question.choices}
    files = (ROOT / "book" / "errlab_book" / "chapters").glob("*.toml")
    calls = [guess for path in files for guess in guesses.load(str(path)).values()]
    whys |= {squeezed(why) for guess in calls for why in guess.choices.values()}
    whys = {why for why in whys if len(why) >= LONG and why not in open_}
    return lines, names, whys | {squeezed(question.text) for question in bank}


def texts(name, content):
    """Yield every text in a file, including those in archives inside it."""
    if zipfile.is_zipfile(io.BytesIO(content)):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for inner in archive.namelist():
                yield from texts(f"{name}/{inner}", archive.read(inner))
        return
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return
    if name.endswith(".ipynb"):
        text = "\n".join(cell.source for cell in nbformat.reads(text, 4).cells) + text
    elif name.endswith(".html"):
        text += html.unescape(re.sub(r"<[^>]*>", "", text))
    yield name, text


def leaks(files):
    lines, names, whys = secrets()
    assert min(len(lines), len(names), len(whys)) > 50
    results, searched = [], 0
    for path in files:
        for name, text in texts(path.name, path.read_bytes()):
            searched += 1
            tight = squeezed(text)
            results += [(name, what) for what in (*lines, *names, *whys) if what in tight]
            marked = name.endswith(".toml") and re.search(r"^right = true$", text, re.MULTILINE)
            results += [(name, "right = true")] if marked else []
    return results, searched


@pytest.fixture(scope="module")
def handed(tmp_path_factory):
    """The zip for two chapters, unpacked."""
    build = tmp_path_factory.mktemp("student")
    smaller = [p for p in CHAPTERS if p.stem in ("03_binary_bounds", "12_watching")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(student, "listed", lambda: smaller)
        archive = student.write(build)
    with zipfile.ZipFile(archive) as files:
        files.extractall(build / "unpacked")
    return archive, build / "unpacked" / "notebooks"


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_handed_out_chapter_holds_no_output_and_for_students_no_solution(path, tmp_path):
    for edition in (True, False):
        handout.write(path, tmp_path / path.name, student=edition)
        notebook = nbformat.read(tmp_path / path.name, 4)
        nbformat.validate(notebook)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert "errlab*.whl" in code[0].source
        # pictures and words are kept, records for tests aren't
        rest = [output for cell in code for output in cell.outputs]
        assert any("image/png" in output.get("data", {}) for output in rest)
        assert not any("drawn: " in str(output) or "key: " in str(output) for output in rest)
        assert not any(cell.execution_count for cell in code)
        solved = [cell for cell in code if "solution" in cell.metadata.get("tags", [])]
        stored = path.read_text("utf-8")
        prose = "\n".join(cell.source for cell in notebook.cells)
        assert bool(solved) == (not edition and '"solution"' in stored)
        assert not (edition and "solution is folded" in " ".join(prose.split()))
        assert "{cite" not in prose
        assert "guess(" not in prose


def test_a_copy_to_work_in_keeps_what_was_changed(tmp_path):
    handout.main([str(ROOT / "notebooks"), str(tmp_path / "lab")])
    path = tmp_path / "lab" / CHAPTERS[0].name
    path.write_text("mine")
    handout.main([str(ROOT / "notebooks"), str(tmp_path / "lab")])
    assert path.read_text() == "mine"


@pytest.mark.slow
def test_nothing_in_the_zip_tells_an_answer(handed):
    result, searched = leaks([handed[0]])
    assert result == []
    assert searched > 100, "the modules of the wheel are searched, too"


def test_the_search_finds_what_it_looks_for(tmp_path):
    """The search finds its texts where they are allowed: in the author's notebook and quiz."""
    quizzes = (
        "book/errlab_book/quizzes/03_binary_bounds.toml",
        "teaching/bank/bank_03_binary_bounds.toml",
    )
    for name in ("notebooks/03_binary_bounds.ipynb", *quizzes):
        assert leaks([ROOT / name])[0], name
    page = tmp_path / "page.html"
    page.write_text('<span>exercises</span>.check(<b>"3.4"</b>,\n high <i>-</i> low)', "utf-8")
    assert leaks([page])[0]


SEALED = """
import json, sys
from errlab_book import exercises, quiz
told = [exercises.check(key, value).right for key, value in json.loads(sys.argv[1])]
print(json.dumps([told, quiz.load("03_binary_bounds").html()]))
"""


@pytest.mark.slow
def test_the_sealed_package_knows_right_from_wrong(handed):
    """As in the whole package, but with digests only."""
    keys = ["3.1", "3.2", "3.3", "3.4", "10.1"]
    right = [(key, exercises.EXERCISES[key].answer()) for key in keys]
    tried = json.dumps([*right, *((key, 0.123) for key in keys)], default=float)
    wheels = os.pathsep.join(map(str, handed[1].glob("*.whl")))
    run = subprocess.run(
        [sys.executable, "-c", SEALED, tried], capture_output=True, text=True, cwd=handed[1],
        check=True, env={**os.environ, "PYTHONPATH": wheels, "ERRLAB_OUTPUT": "record"},
    )  # fmt: skip
    text, page = json.loads(run.stdout)
    assert text == [True] * len(keys) + [False] * len(keys)
    assert page == quiz.load("03_binary_bounds").html()


RUN = """
import nbclient, nbformat, sys
notebook = nbformat.read(sys.argv[1], 4)
nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
said = [o for c in notebook.cells for o in c.get("outputs", [])]
print(len(said), "outputs")
"""


@pytest.mark.nightly
def test_a_notebook_runs_from_an_empty_folder(handed, tmp_path, environment):
    """A new environment with pip and everything else, except errlab: the first cell installs it."""
    chapter = "12_watching.ipynb"  # the chapter shows a study's results
    python = environment(lambda name: "errlab" not in name.lower() and not name.endswith(".pth"))
    for path in (*handed[1].glob("*.whl"), handed[1] / chapter):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    alone = {"PATH": path, "HOME": str(tmp_path), "PIP_NO_INDEX": "1", "JUPYTER_PATH": ""}

    def run(*code):
        return subprocess.run(
            [python, "-c", *code], env=alone, cwd=tmp_path, capture_output=True, text=True
        )

    where = "import errlab_book; print(errlab_book.__file__)"
    assert run(where).returncode == 1
    ran = run(RUN, chapter)
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert int(ran.stdout.split()[-2]) > 10
    assert Path(run(where).stdout.strip()).is_relative_to(python.parents[1])


@pytest.mark.nightly
def test_nothing_under_the_students_site_tells_an_answer(tmp_path):
    """The students' book with one chapter, built: pages, scripts, sources, downloads."""
    book = tmp_path / "book"
    book.mkdir()
    for name in ("_config.yml", "book", "errlab"):
        (book / name).symlink_to(ROOT / name)
    (book / "notebooks").mkdir()
    chapter = "03_binary_bounds.ipynb"
    (book / "notebooks" / chapter).write_bytes((ROOT / "notebooks" / chapter).read_bytes())
    toc = {"format": "jb-book", "root": "notebooks/03_binary_bounds"}
    (book / "_toc.yml").write_text(yaml.safe_dump(toc))
    environment = {**os.environ, "ERRLAB_EDITION": "student", "ERRLAB_OUTPUT": "book"}
    command = [Path(sys.executable).with_name("jupyter-book"), "build", str(book)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert run.returncode == 0, run.stderr[-3000:]
    site = book / "_build" / "html"
    files = [path for path in site.rglob("*") if path.is_file() and path.stat().st_size < 2e7]
    result, searched = leaks(files)
    assert result == []
    assert searched > 30
    page = (site / "notebooks" / "03_binary_bounds.html").read_text("utf-8")
    assert "errlab-check" in page
    assert "solution is folded" not in page


@pytest.mark.site
def test_no_page_of_the_api_tells_an_answer():
    result, searched = leaks(API)
    assert result == []
    assert searched == len(API) > 10
