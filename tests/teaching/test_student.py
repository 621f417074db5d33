"""The students' zip: no line of a solution, no key, and it runs wherever it is unpacked."""

import functools
import html
import io
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
import numpy as np
import pytest
import yaml
from browser import ROOT, SITE
from our_chapters import CHAPTERS
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from words import whole

import errlab
import lms
import student
from errlab_book import exercises, guesses, handout, quiz

API = sorted((SITE / "book" / "api").glob("*.html"))
LONG = 24  # characters that make a line unlikely to occur elsewhere by chance


def squeezed(text):
    return re.sub(r"\s+", "", text)


@functools.cache
def secrets():
    """Lines that are only in solutions, names of answers, explanations, and the bank."""
    solutions, public = set(), ""
    for path in CHAPTERS:
        for cell in nbformat.read(path, as_version=4).cells:
            if "solution" in cell.metadata.get("tags", []):
                solutions |= {squeezed(line) for line in cell.source.splitlines()[1:]}
            else:
                public += squeezed(cell.source)
    for path in (*ROOT.glob("errlab/**/*.py"), *ROOT.glob("book/errlab_book/**/*.py")):
        if not path.name.startswith("chapter"):
            public += squeezed(path.read_text("utf-8"))
    bank = [question for item in lms.quizzes(lms.BANK) for question in item.questions]
    every = [question for item in lms.quizzes() for question in item.questions] + bank
    whys = {squeezed(choice.why) for question in every for choice in question.choices}
    for path in (ROOT / "book" / "errlab_book" / "chapters").glob("*.toml"):
        for guess in guesses.load(str(path)).values():
            whys |= set(map(squeezed, guess.choices.values()))
    lines, whys = (
        {text for text in some if len(text) >= LONG and text not in public}
        for some in (solutions, whys)
    )
    names = {f"def{entry.answer.__name__}(" for entry in exercises.EXERCISES.values()}
    assert min(len(lines), len(names), len(whys)) > 50
    return (
        lines | names | whys | {squeezed(question.text) for question in bank} | {"right=truewhy="}
    )


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


def contents(paths):
    """Return the names and the contents of all files among paths."""
    return [(path.name, path.read_bytes()) for path in paths if path.is_file()]


def leaks(files, unwanted, at_least=100):
    """Return the texts among the files that hold anything unwanted; so many must be searched."""
    bodies = [text for file in files for text in texts(*file)]
    assert len(bodies) > at_least
    tight = [(name, squeezed(text)) for name, text in bodies]
    return [(name, what) for name, text in tight for what in unwanted if what in text]


def tells(paths, at_least=100):
    """Return what files tell of answers."""
    return leaks(contents(paths), secrets(), at_least)


TWO = [path for path in CHAPTERS if path.stem in ("03_binary_bounds", "12_watching")]


@pytest.fixture(scope="module", params=["some", pytest.param("all", marks=pytest.mark.nightly)])
def sealed(request, tmp_path_factory):
    """What the zip for two chapters is made of; by day with few exercises.

    To seal an exercise is to compute its answer.
    """
    folder = tmp_path_factory.mktemp("sealed")
    sealed = exercises.EXERCISES
    if request.param == "some":
        sealed = {key: one for key, one in sealed.items() if key.startswith(("3.", "10.1"))}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(student, "EXERCISES", sealed)
        student.sealed_tree(folder)
    for path in TWO:
        handout.write(path, folder / path.name, student=True)
    return folder


@pytest.fixture(scope="module")
def handed(tmp_path_factory):
    """The zip for two chapters, unpacked."""
    build = tmp_path_factory.mktemp("student")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(student, "listed", lambda: TWO)
        archive = student.write(build)
    shutil.unpack_archive(archive, build / "unpacked")
    return archive, build / "unpacked" / "notebooks"


@pytest.mark.slow
def test_a_handed_out_chapter_holds_no_output_and_for_students_no_solution(tmp_path):
    for path, edition in itertools.product(CHAPTERS, (True, False)):
        handout.write(path, tmp_path / path.name, student=edition)
        notebook = nbformat.read(tmp_path / path.name, 4)
        nbformat.validate(notebook)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert "errlab*.whl" in code[0].source
        # pictures and words are kept, records for tests aren't
        rest = [output for cell in code for output in cell.outputs]
        assert any("image/png" in output.get("data", {}) for output in rest), path
        assert not any("drawn: " in str(output) or "key: " in str(output) for output in rest), path
        assert not any(cell.execution_count for cell in code), path
        solved = any("solution" in cell.metadata.get("tags", []) for cell in code)
        assert solved == (not edition and '"solution"' in path.read_text("utf-8")), path
        prose = " ".join("\n".join(cell.source for cell in notebook.cells).split())
        unwanted = ("{cite", "guess(", *(["solution is folded"] if edition else []))
        assert [words for words in unwanted if words in prose] == [], path


@pytest.mark.slow
def test_a_copy_to_work_in_keeps_what_was_changed(tmp_path):
    path = tmp_path / CHAPTERS[0].name
    path.write_text("mine")
    handout.main([str(ROOT / "notebooks"), str(tmp_path)])
    assert path.read_text() == "mine"
    assert len(list(tmp_path.glob("*.ipynb"))) >= len(CHAPTERS)


@pytest.mark.slow
def test_nothing_in_what_students_get_tells_an_answer(sealed):
    assert tells([*(sealed / "book").rglob("*"), *sealed.glob("*.ipynb")]) == []


@pytest.mark.slow
def test_the_search_finds_what_it_looks_for():
    """The search finds its texts where they are allowed: in the author's notebook and quiz."""
    quizzes = ("errlab_book/quizzes/03_binary_bounds", "../teaching/bank/bank_03_binary_bounds")
    for name in ("../notebooks/03_binary_bounds.ipynb", *(f"{name}.toml" for name in quizzes)):
        assert tells([ROOT / "book" / name], 0), name
    question = html.escape(lms.quizzes(lms.BANK)[0].questions[0].text)
    for page in ('<i>exercises</i>.check(<b>"3.4"</b>,\n high <i>-</i> low)', question):
        assert leaks([("page.html", page.encode())], secrets(), 0), page


def run(*command, returns=0, **options):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, **options)
    assert done.returncode == returns, done.stderr[-3000:]
    return done


SEALED = """
import json, sys
from errlab_book import exercises, quiz
told = [exercises.check(key, value).right for key, value in json.loads(sys.argv[1])]
print(json.dumps([told, quiz.load("03_binary_bounds").html()]))
"""


@pytest.mark.slow
def test_the_sealed_package_knows_right_from_wrong(sealed):
    """As in the whole package, but with digests only."""
    keys = ["3.1", "3.2", "3.3", "3.4", "10.1"]
    right = [(key, exercises.EXERCISES[key].answer()) for key in keys]
    tried = json.dumps([*right, *((key, 0.123) for key in keys)], default=float)
    path = f"{sealed}{os.pathsep}{sealed / 'book'}"
    environment = {**os.environ, "PYTHONPATH": path, "ERRLAB_OUTPUT": "record"}
    printed = run(sys.executable, "-c", SEALED, tried, cwd=sealed, env=environment).stdout
    verdicts, page = json.loads(printed)
    assert verdicts == [True] * len(keys) + [False] * len(keys)
    assert page == quiz.load("03_binary_bounds").html()


EXECUTE = """
import nbclient, nbformat, sys
notebook = nbformat.read(sys.argv[1], 4)
nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
print(sum(len(cell.get("outputs", [])) for cell in notebook.cells))
"""
WHERE = "import errlab_book; print(errlab_book.__file__)"


@pytest.mark.nightly
def test_the_zip_tells_no_answer_and_its_notebook_runs_from_an_empty_folder(
    handed, tmp_path, environment
):
    """A new environment with pip and everything else, except errlab: the first cell installs it."""
    # nothing in the zip tells an answer; the modules of the wheel are searched, too
    assert tells([handed[0]]) == []
    chapter = "12_watching.ipynb"  # the chapter shows a study's results
    python = environment(lambda name: "errlab" not in name.lower() and not name.endswith(".pth"))
    for path in (*handed[1].glob("*.whl"), handed[1] / chapter):
        shutil.copy(path, tmp_path)
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    alone = {"PATH": path, "HOME": str(tmp_path), "PIP_NO_INDEX": "1", "JUPYTER_PATH": ""}
    options = {"env": alone, "cwd": tmp_path}
    run(python, "-c", WHERE, returns=1, **options)
    assert int(run(python, "-c", EXECUTE, chapter, **options).stdout.split()[-1]) > 10
    installed = Path(run(python, "-c", WHERE, **options).stdout.strip())
    assert installed.is_relative_to(python.parents[1])


@pytest.mark.nightly
def test_nothing_under_the_students_site_tells_an_answer(tmp_path):
    """The students' book with one chapter, built: pages, scripts, sources, downloads."""
    book, chapter = tmp_path / "book", "notebooks/03_binary_bounds"
    (book / "notebooks").mkdir(parents=True)
    for name in ("_config.yml", "book", "errlab"):
        (book / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / f"{chapter}.ipynb", book / "notebooks")
    (book / "_toc.yml").write_text(yaml.safe_dump({"format": "jb-book", "root": chapter}))
    environment = {**os.environ, "ERRLAB_EDITION": "student", "ERRLAB_OUTPUT": "book"}
    run(Path(sys.executable).with_name("jupyter-book"), "build", book, env=environment)
    site = book / "_build" / "html"
    files = [path for path in site.rglob("*") if path.stat().st_size < 2e7]
    assert tells(files, 30) == []
    page = (site / f"{chapter}.html").read_text("utf-8")
    assert "errlab-check" in page
    assert "solution is folded" not in page


@pytest.mark.site
def test_no_page_of_the_api_tells_an_answer(site):
    assert tells(API, 10) == []


# --- The questions that students don't have: right numbers, and no copy that they could read.


FILES = sorted((ROOT / "teaching" / "bank").glob("*.toml"))
ENTRIES = [e for path in FILES for e in tomllib.loads(path.read_text("utf-8"))["question"]]
NAMES = {name: getattr(errlab, name) for name in errlab.__all__} | {"np": np}
NUMBER = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?:\.\d+)?")


def test_forty_questions_two_to_seven_for_each_chapter_and_none_is_asked_twice():
    assert all(2 <= len(quiz.load(path).questions) <= 7 for path in FILES)
    assert all(choice["why"] for entry in ENTRIES for choice in entry["choice"])
    names = {question.text for item in lms.quizzes() for question in item.questions}
    calls = [entry["text"] for entry in ENTRIES]
    assert len({*names, *calls}) == len(names) + len(calls)


def test_every_number_is_computed():
    """A number in an explanation or a right choice is in the question, or computed here."""
    for entry in ENTRIES:
        message = [choice["why"] for choice in entry["choice"]]
        message += [choice["text"] for choice in entry["choice"] if choice.get("right")]
        names = entry.get("numbers", {})
        words = {number for text in message for number in NUMBER.findall(text)}
        # 0 and 1 are values of a loss, not answers
        options = {*NUMBER.findall(entry["text"]), "0", "1"}
        assert words - options <= set(names), (entry["text"], "neither given nor computed")
        assert set(names) <= words | options, (entry["text"], "computed and not said")
        for number, expression in names.items():
            decimals = len(number.partition(".")[2])
            value = float(eval(expression, NAMES))
            assert f"{value:,.{decimals}f}" == number, (entry["text"], value)


@pytest.fixture(scope="module")
def bank():
    """Everything that mustn't be published: questions and explanations."""
    secret = {e["text"] for e in ENTRIES} | {c["why"] for e in ENTRIES for c in e["choice"]}
    return {squeezed(text) for text in secret}


@pytest.mark.slow
def test_nothing_of_the_bank_is_in_what_packages_are_built_from(sources, bank):
    assert leaks(contents(sources.rglob("*")), bank) == []


@pytest.mark.nightly
def test_nothing_of_the_bank_is_in_the_packages(built, bank):
    assert leaks(contents(built.glob("*.whl")), bank) == []
    for path in built.glob("*.tar.gz"):
        with tarfile.open(path) as sdist:
            # file by file, because Python 3.11.2 and 3.12 need different arguments for `extractall`
            members = [member for member in sdist if member.isfile()]
            files = [(one.name, sdist.extractfile(one).read()) for one in members]
            assert leaks(files, bank) == []


# --- What `make lab` hands out: a folder of chapters in which each link leads somewhere.


def test_no_link_of_a_copy_is_dead(tmp_path):
    handout.main([str(ROOT / "notebooks"), str(tmp_path)])
    copies = sorted(tmp_path.glob("*.ipynb"))
    links = [
        link
        for path in copies
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "markdown"
        for link in re.findall(r"\]\(([^)\s]+)\)", cell.source)
        if not urlsplit(link).scheme
    ]
    assert len(copies) >= 16
    assert len(links) > 50
    assert [link for link in links if not (tmp_path / (urlsplit(link).path or ".")).exists()] == []


# --- The lecturers' pages: the sections and questions that they name exist, the numbers are right.


def page(name):
    return (ROOT / "book" / f"{name}.md").read_text("utf-8")


def test_notes_name_sections_and_questions_that_exist():
    chapters = 0
    for notes in page("teaching").split("\n## "):
        named = re.search(r"^\[The chapter\].*/(\w+)\.ipynb", notes, re.MULTILINE)
        notebook = ROOT / "notebooks" / f"{named[1] if named else None}.ipynb"
        if not notebook.exists():  # a page's beginning, or a fork has taken the chapter out
            continue
        chapters += 1
        text = "\n".join(cell.source for cell in nbformat.read(notebook, 4).cells)
        plan = re.findall(r"^\| (\d+) \| (.+?) \|", notes, re.MULTILINE)
        assert [name for _, name in plan if f"\n## {name}\n" not in f"\n{text}\n"] == [], named
        minutes = int(re.search(r"(\d+) minutes in class", notes)[1])
        assert minutes == sum(int(number) for number, _ in plan) <= 45, named
        calls = [int(number) for number in re.findall(r"Ask question (\d)", notes)]
        assert 1 <= max(calls) <= len(quiz.load(named[1]).questions), named
    assert chapters > 0


def test_the_syllabus_gives_a_hundred_marks():
    marks = r"^\| [^|]+ \| (\d+) \| (?:every week|weeks? [\d to]+) \|"
    assert sum(map(int, re.findall(marks, page("syllabus"), re.MULTILINE))) == 100


@pytest.mark.slow
def test_the_numbers_of_the_model_project():
    text = " ".join(page("project").replace("> ", "").split())
    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, test_size=600, random_state=1)
    a = SVC(gamma=0.001).fit(X, y).predict(X_test)
    b = KNeighborsClassifier(1).fit(X, y).predict(X_test)
    message = whole(errlab.report(y_test, a, b))
    for shared in ("8 errors in 600", "at most 2.4%", "on 7 ", "-1.0 to +1.4"):
        assert shared in message
    for words in ("8 errors on 600", "at most 2.4%", "right on 7 digits", "-1.0 to +1.4"):
        assert words in text
    assert (b != y_test).sum() == 7
    assert "753" in str(errlab.plan(error=0.01, half_width=0.01))
    marks = re.findall(r"\| (\d) of (\d) \|", text)
    assert [sum(map(int, column)) for column in zip(*marks, strict=True)] == [25, 30]
