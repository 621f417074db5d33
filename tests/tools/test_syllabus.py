"""The syllabus: marks that make 100, nothing due before it is taught, all of it from the data."""

import re
import sys
from pathlib import Path

import pytest
from house import ORIGINAL

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import assignments  # noqa: E402
import course  # noqa: E402
import paths  # noqa: E402
import syllabus  # noqa: E402


def week_of(number):
    lines = course.chapters(course.read())
    return next((c["week"] for c in lines if int(c["name"][:2]) == number and "week" in c), 0)


def rows(table):
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]


def test_marks_make_100():
    assert sum(work["marks"] for work in syllabus.works()) == 100
    assert sum(int(row[1]) for row in rows(syllabus.marks())) == 100


def test_every_assignment_is_due_in_the_week_after_its_last_chapter():
    every = {w["assignment"]: w["due"] for w in syllabus.works() if "assignment" in w}
    assert set(every) == set(assignments.assignments())
    for name, entry in assignments.assignments().items():
        asked = {int(task["exercise"].split(".")[0]) for task in entry["task"]}
        assert every[name] == max(map(week_of, asked)) + 1


@pytest.mark.skipif(set(course.stems()) != set(ORIGINAL), reason="this is a fork")
def test_the_weeks_hold_the_chapters_and_all_that_is_due():
    titles = paths.titles(paths.chapters().values())
    table = rows(syllabus.weeks(titles))
    assert [row[0] for row in table] == [str(i) for i in range(1, len(table) + 1)]
    for line in course.chapters(course.read()):
        if "week" in line:
            assert line["name"] in table[line["week"] - 1][1]
    said = [(int(row[0]), what) for row in table for what in row[4].split(", ") if what]
    wanted = {(work["due"], work["what"]) for work in syllabus.works() if work["due"]}
    assert set(said) == wanted
    assert len(said) == len(wanted)
    first = paths.chapters()[1], paths.chapters()[2]
    assert table[0][2] == "100 minutes"  # 45 and 55 in the teaching notes
    assert table[0][3] == paths.hours(sum(map(paths.time, first)))


def test_a_course_of_fewer_chapters_moves_what_is_due(monkeypatch):
    known = course.read()
    kept = (("02_holdout", 4), ("03_binary_bounds", 6), ("05_bounded_bounds", 6))
    part = {"title": "Short", "chapters": [{"name": name, "week": week} for name, week in kept]}
    monkeypatch.setattr(course, "read", lambda *_: {**known, "part": [part]})
    assert syllabus.taught() == {1: ["02_holdout"], 2: ["03_binary_bounds", "05_bounded_bounds"]}
    found = {work["what"]: work["due"] for work in syllabus.works()}
    assert found["Quizzes"] == 0
    assert found["Project: plan"] == 2
    assert found["Assignment 1"] == found["Assignment 3"] == 3
    assert found["Test"] == 4
    table = rows(syllabus.weeks({"02_holdout": "1. Holdout", "03_binary_bounds": "2. Bounds"}))
    assert table[0][1] == "[1. Holdout](../notebooks/02_holdout.ipynb)"
    assert len(table) == 4


@pytest.mark.parametrize(("page", "work"), [("project.md", "Project")])
def test_the_rubric_gives_the_marks_of_the_syllabus(page, work):
    text = (ROOT / "book" / page).read_text("utf-8")
    given = [int(n) for n in re.findall(r"^\| [\w ]+ \| (\d+) \|", text, re.MULTILINE)]
    wanted = [w["marks"] for w in syllabus.works() if w["what"].startswith(work)]
    assert sum(given) == sum(wanted)
    assert {given[0], given[-1]} <= set(wanted), "plan and reviews"


def test_the_marks_of_the_task_make_100():
    text = (ROOT / "teaching" / "messy" / "task.md").read_text("utf-8")
    assert sum(int(n) for n in re.findall(r"\((\d+) marks\)", text)) == 100
