"""One file says title, author, addresses, language and chapters, and all else follows."""

import json
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
sys.path.insert(0, str(ROOT / "tools"))
from house import ORIGINAL  # noqa: E402

import book  # noqa: E402
import course  # noqa: E402
import new_chapter  # noqa: E402

TOC, CONFIG, COURSE = "_toc.yml", "_config.yml", course.NAME
BESIDE = (".git", ".venv", "_build", "__pycache__", ".*_cache", "*.egg-info")
# What a fork must pass: the rules that hold for every chapter, ours or not.
STRUCTURE = ["tests/book/test_quiz.py"]
STRUCTURE += [f"tests/tools/test_{name}.py" for name in ("book", "paths", "course")]


def written(folder, text):
    """A checkout that holds a course file and what is made from it."""
    (folder / COURSE).write_text(text, "utf-8")
    shutil.copy(ROOT / CONFIG, folder)
    (folder / "notebooks").mkdir()
    return folder


SMALL = """
title = "Fair play"
author = "Ada Love"
language = "de"
repository = "https://github.com/ada/play"
site = "https://ada.github.io/play/"
description = "A course."

[[part]]
title = "First: one"
chapters = [
  { name = "03_three", asks = "Three?", week = 2, also = ["de"] },
  { name = "01_one", asks = "One?", week = 5, deeper = true },
]
pages = ["review1"]

[weeks]
1 = "nothing"
2 = "count to three"
5 = "count"
"""


def test_what_is_made_from_the_course_file_is_up_to_date():
    known = course.read()
    made = "run: python tools/course.py"
    assert (ROOT / TOC).read_text("utf-8") == course.contents(known), made
    config = (ROOT / CONFIG).read_text("utf-8")
    assert config == course.configured(config, known), made


def test_settings_and_contents_follow(tmp_path):
    folder = written(tmp_path, SMALL)
    before = (folder / CONFIG).read_text("utf-8")
    assert course.write(folder) == [CONFIG, TOC]
    assert course.write(folder) == []
    text = (folder / CONFIG).read_text("utf-8")
    known = yaml.safe_load(text)
    assert (known["title"], known["author"]) == ("Fair play", "Ada Love")
    assert known["repository"] == {"url": "https://github.com/ada/play", "branch": "main"}
    assert known["html"]["baseurl"] == "https://ada.github.io/play/"
    assert known["sphinx"]["config"]["language"] == "de"
    assert known["course"]["description"] == "A course."
    kept = {"title", "author", "repository", "html", "sphinx", "course"}
    old = yaml.safe_load(before)
    assert {k: v for k, v in known.items() if k not in kept} == {
        k: v for k, v in old.items() if k not in kept
    }
    assert re.findall(r" # .*", text) == re.findall(r" # .*", before), "comments stay"
    assert yaml.safe_load((folder / TOC).read_text("utf-8")) == {
        "format": "jb-book",
        "root": "book/intro",
        "parts": [
            {
                "caption": "First: one",
                "chapters": [
                    {
                        "file": "notebooks/03_three",
                        "sections": [{"file": "notebooks/de/03_three_de"}],
                    },
                    {"file": "notebooks/01_one"},
                    {"file": "book/review1"},
                ],
            }
        ],
    }


def test_map_weeks_and_numbers_follow(tmp_path, monkeypatch):
    folder = written(tmp_path, SMALL)
    for stem in ("01_one", "02_two_left_out", "03_three"):
        (folder / "notebooks" / f"{stem}.ipynb").touch()
    assert course.numbers(folder) == {"03_three": 1, "01_one": 2}
    known = course.read(folder)
    monkeypatch.setattr(course, "read", lambda *_: known)
    titles = {"03_three": "1. Three", "01_one": "2. One"}
    assert course.course_map(titles) == (
        "| Three? | [1. Three](../notebooks/03_three.ipynb) |\n"
        "| One? | [2. One](../notebooks/01_one.ipynb) (deeper) |\n"
    )
    assert course.course_map({"01_one": "2. One"}).count("\n") == 1
    assert course.weeks(titles).splitlines()[2:] == [
        "| 1 | [1](../notebooks/03_three.ipynb) | count to three |",
        "| 2 | [2](../notebooks/01_one.ipynb) | count |",
    ]
    assert course.deeper_words(course.deeper()) == "Chapter 2 goes deeper and can wait."


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("See [chapter 3](03_three.ipynb#top).", "See [chapter 1](03_three.ipynb#top)."),
        ("[3](../notebooks/03_three.ipynb)", "[1](../notebooks/03_three.ipynb)"),
        ("[2. One](01_one.ipynb)", "[2. One](01_one.ipynb)"),  # it has its new number
        ("as in chapters 1 and 3,", "as in chapters 2 and 1,"),
        ("Chapter 2 says", "Chapter \u201ctwo left out\u201d says"),
        ("across chapters 1 to 3.", "across chapters 2 to 1."),
        ("chapter 4 of their book", "chapter 4 of their book"),
        ("**3.1** 3.1% Exercises 3.1 and 3.2", "**1.1** 3.1% Exercises 1.1 and 1.2"),
        ('check("3.1", 3.14)', 'check("3.1", 3.14)'),
    ],
)
def test_a_text_names_chapters_by_their_place(tmp_path, text, new):
    folder = written(tmp_path, SMALL)
    for stem in ("01_one", "02_two_left_out", "03_three"):
        (folder / "notebooks" / f"{stem}.ipynb").touch()
    assert course.renumbered(text, "03_three", folder) == new


def test_where_the_book_is_whole_no_text_changes(tmp_path):
    folder = written(tmp_path, '[[part]]\ntitle = "A"\nchapters = [{ name = "01_one" }]\n')
    (folder / "notebooks" / "01_one.ipynb").touch()
    text = "Chapter 1, [chapter 1](01_one.ipynb), chapter 7 and **1.1**"
    assert course.renumbered(text, "01_one", folder) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('titel = "X"\npart = []', r"settings that are known, got \['titel'\]"),
        ('[[part]]\nchapters = [{ name = "one" }]', "a chapter's name must be like 07_name"),
        ('[[part]]\nchapters = [{ name = "01_a" }, { name = "01_a" }]', "'01_a' twice"),
    ],
)
def test_a_course_file_with_a_mistake_is_refused(tmp_path, text, words):
    with pytest.raises(ValueError, match=words):
        course.read(written(tmp_path, text))


def test_a_setting_that_has_no_line_is_refused():
    with pytest.raises(ValueError, match=r"must have a line for html\.baseurl, got none"):
        course.configured("title: A\n", {"title": "B", "site": "x"})


def test_a_chapter_without_a_file_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(book, "ROOT", written(tmp_path, SMALL))
    monkeypatch.setattr(book.notebooks, "NOTEBOOKS", tmp_path / "notebooks")
    with pytest.raises(SystemExit, match=r"_course\.toml lists 03_three, 01_one: no such file"):
        book.listed()


def test_a_line_for_a_new_chapter():
    text = (ROOT / COURSE).read_text("utf-8")
    new = new_chapter.line(text, "99_mine", 'Is "it" so?', "06_which_bound")
    stems = [c["name"] for c in course.chapters(tomllib.loads(new))]
    assert stems[stems.index("06_which_bound") + 1] == "99_mine"
    assert len(new.splitlines()) == len(text.splitlines()) + 1
    with pytest.raises(ValueError, match=r"after must be one of .*, got '98_nothing'"):
        new_chapter.line(text, "99_mine", "?", "98_nothing")


@pytest.mark.parametrize("name", ["My chapter", "../x", "", "1x"])
def test_a_new_chapter_with_a_name_that_cannot_be_is_refused(name):
    with pytest.raises(ValueError, match="name must be small letters"):
        new_chapter.write(name, "X", "X?")


def test_a_new_chapter_takes_no_name_that_is_taken():
    with pytest.raises(FileExistsError, match="name must be new, got 'coverage'"):
        new_chapter.write("coverage", "X", "X?")


@pytest.fixture(scope="module")
def fork(tmp_path_factory):
    """A checkout in which two chapters are dropped and one is added by the guide."""
    folder = tmp_path_factory.mktemp("fork") / "errlab"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*BESIDE))
    file = folder / COURSE
    lines = file.read_text("utf-8").splitlines(keepends=True)
    dropped = [line for line in lines if re.search(r'"(09_error|10_small)', line)]
    text = "".join(line for line in lines if line not in dropped)
    mine = {"title": "Fair play", "author": "Ada Love"}
    for name, value in mine.items():
        text = re.sub(f'^{name} = ".*"$', f'{name} = "{value}"', text, count=1, flags=re.MULTILINE)
    file.write_text(text, "utf-8")
    run = called(folder, "tools/new_chapter.py", "fairness", "--after", "06_which_bound")
    assert run.returncode == 0, run.stderr
    return folder, len(dropped) + len(mine)


def called(folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(folder), "ERRLAB_OUTPUT": "record"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.skipif(set(course.stems()) != set(ORIGINAL), reason="this is a fork")
def test_two_chapters_dropped_and_one_added_by_the_guide(fork):
    """Four lines of one file and one command: contents, map, weeks and numbers follow."""
    folder, edits = fork
    assert edits == 4
    stems = course.stems(folder)
    assert len(stems) == len(ORIGINAL) - 1
    assert stems[6] == "17_fairness"
    assert course.numbers(folder)["11_comparing_two"] == 10
    toc = (folder / TOC).read_text("utf-8")
    assert "17_fairness" in toc
    assert "09_error" not in toc
    assert yaml.safe_load((folder / CONFIG).read_text("utf-8"))["title"] == "Fair play"
    notebook = nbformat.read(folder / "notebooks" / "17_fairness.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert any("Exercise 17.1: right." in json.dumps(c) for c in notebook.cells)
    code = "import course, book, paths; t = paths.titles(book.listed()); print(book.followed(open("
    code += "'book/intro.md').read(), t)); print(course.weeks(t))"
    said = called(folder, "-c", f"import sys; sys.path.insert(0, 'tools'); {code}")
    assert "| [7. Fairness](../notebooks/17_fairness.ipynb) |" in said.stdout, said.stderr
    assert "[10. Is A really better than B?](../notebooks/11_comparing_two.ipynb)" in said.stdout
    assert "A course of six weeks" in said.stdout
    assert "Two chapters go deeper and can wait: 5 and 6." in said.stdout
    assert "| 6 | [12](../notebooks/13" in said.stdout
    assert not re.search("09_error|10_small", said.stdout.partition("## How to read it")[0])


@pytest.mark.slow
@pytest.mark.skipif(set(course.stems()) != set(ORIGINAL), reason="this is a fork")
def test_the_rules_of_every_chapter_hold_in_a_fork(fork):
    folder, _edits = fork
    options = ["-q", "-x", "-p", "no:nbval", "-p", "no:cacheprovider", "-m", "not slow"]
    run = called(folder, "-m", "pytest", *options, *STRUCTURE)
    assert run.returncode == 0, run.stdout[-3000:]
