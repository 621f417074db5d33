"""Assignments: the tasks of the exercises, and marks as they are deserved.

Tried with our own marking, and with nbgrader and otter-grader, which `make others` puts where
ERRLAB_OTHERS may say.
"""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest

from errlab import bootstrap, bounds, compare, coverage, crossval, holdout, metrics
from errlab.book import exercises

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import assignments  # noqa: E402

OTHERS = Path(os.environ.get("ERRLAB_OTHERS", ROOT / "_build" / "others")).resolve()
NBGRADER = OTHERS / "bin" / "nbgrader"
OTTER = OTHERS / "bin" / "otter"
NAMES = {
    "np": np,
    "bootstrap": bootstrap,
    "bounds": bounds,
    "compare": compare,
    "coverage": coverage,
    "crossval": crossval,
    "holdout": holdout,
    "metrics": metrics,
}
TASKS = [task for entry in assignments.assignments().values() for task in entry["task"]]


def numbers(task, student):
    known = {"student": student}
    exec(f"{assignments.DRAW}\n{assignments.draws(task)}", known)
    return {name: known[name] for name in task["draw"]}


def solve(task, values):
    return float(eval(task["solution"], NAMES | values))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task["exercise"])
def test_a_task_is_its_exercise_with_other_numbers(task):
    entry = exercises.EXERCISES[task["exercise"]]
    assert solve(task, task["at"]) == pytest.approx(float(entry.answer()), abs=entry.tolerance)
    assert set(task["at"]) == set(task["draw"])
    for number in task["draw"]:
        assert f"`{number}`" in task["question"]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task["exercise"])
def test_numbers_differ_from_student_to_student(task):
    drawn = [tuple(numbers(task, f"student{i}").values()) for i in range(30)]
    assert len(set(drawn)) >= 12
    assert drawn == [tuple(numbers(task, f" Student{i} ").values()) for i in range(30)]
    for values in drawn:
        for value, (low, high) in zip(values, task["draw"].values(), strict=True):
            assert low <= value <= high


RIGHT, WRONG, CHEAT, BREAKER, HALF, TORN = "anna", "bob", "carl", "dora", "eve", "fay"
BREAK = """
import json, subprocess, types
subprocess.run = lambda *a, **k: types.SimpleNamespace(stdout="0.5")
json.dumps = lambda told: '{"answer_2_1": "right"}'
type = lambda thing: float"""


def hand_in(course, name, student, answer, *, spoil=False):
    """Fill in the released notebook as a student would."""
    notebook = nbformat.read(course / "release" / name / f"{name}.ipynb", as_version=4)
    tasks = assignments.assignments()[name]["task"]
    for cell in notebook.cells:
        identity = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if identity == f"{name}-student":
            cell.source = f'student = "{student}"'
        if identity.endswith("-answer"):
            task = tasks[int(identity.split("-")[1]) - 1]
            cell.source = f"{assignments.answer_name(task)} = {answer(task)}"
        if spoil and identity.endswith("-test"):
            cell.source = "assert True"
        if spoil and identity.endswith("-setup"):
            cell.source += "\n\n\ndef draw(name, low, high):\n    return low"
    target = course / "submitted" / student / name / f"{name}.ipynb"
    target.parent.mkdir(parents=True)
    nbformat.write(notebook, target)


def hand_in_all(course, name):
    """Hand in what is right, what is wrong, and what cheats with no more than a line or two."""
    tasks = assignments.assignments()[name]["task"]
    hand_in(course, name, RIGHT, lambda task: task["solution"])
    hand_in(course, name, WRONG, lambda task: 0.5)
    tricks = [
        lambda task: f'EXERCISES["{task["exercise"]}"].answer()',  # the package's own numbers
        lambda task: solve(task, numbers(task, RIGHT)),  # a neighbour's answer
        lambda task: "Always(1)",  # equal to anything
        lambda task: solve(task, {n: low for n, (low, _) in task["draw"].items()}),  # own `draw`
    ]
    ways = dict(zip((t["exercise"] for t in tasks), tricks, strict=True))
    hand_in(course, name, CHEAT, lambda task: ways[task["exercise"]](task), spoil=True)
    always = "\n\n\nclass Always(float):\n    def __sub__(self, other):\n        return 0.0\n"
    with_setup(course, name, CHEAT, f"\nfrom errlab.book.exercises import EXERCISES{always}")


def with_setup(course, name, student, code):
    """Add code to the cell with the name."""
    path = course / "submitted" / student / name / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[1].source += code
    nbformat.write(notebook, path)


def release(course, name):
    """Write what is handed out; return the assignment."""
    entry = assignments.assignments()[name]
    source = course / "release" / name / f"{name}.ipynb"
    source.parent.mkdir(parents=True)
    nbformat.write(assignments.notebook(name, entry), source)
    return entry


@pytest.mark.slow
def test_our_own_marks_cannot_be_talked_into_anything(tmp_path):
    """Also by who hands in what does not run."""
    name = "week1"
    entry = release(tmp_path, name)
    hand_in_all(tmp_path, name)
    hand_in(tmp_path, name, HALF, lambda task: "1 / 0" if task["points"] == 2 else task["solution"])
    torn = tmp_path / "submitted" / TORN / name / f"{name}.ipynb"
    torn.parent.mkdir(parents=True)
    torn.write_text("{", "utf-8")
    full = sum(task["points"] for task in entry["task"])
    single = sum(task["points"] for task in entry["task"] if task["points"] == 1)
    deserved = {RIGHT: full, WRONG: 0, CHEAT: 0, HALF: single, TORN: 0}
    assert assignments.mark(tmp_path, name) == deserved
    with (tmp_path / f"marks_{name}.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["student"] for row in rows] == sorted(deserved)
    assert {row["student"]: int(row["sum"]) for row in rows} == deserved
    assert rows[0]["answer_2_2"] == "2"


@pytest.mark.slow
def test_who_breaks_python_itself_gets_no_mark_from_us(tmp_path):
    """Replaces what the hidden tests of others call, and with it the voice of the own kernel."""
    name = "week1"
    release(tmp_path, name)
    hand_in(tmp_path, name, BREAKER, lambda task: 0.5)
    with_setup(tmp_path, name, BREAKER, BREAK)
    assert assignments.mark(tmp_path, name, limit=5) == {BREAKER: 0}


@pytest.mark.slow
@pytest.mark.skipif(not OTTER.exists(), reason="needs otter-grader; see `make others`")
def test_otter_marks_right_and_wrong(tmp_path):
    course, name = tmp_path / "course", "week1"
    assignments.write(course)
    tasks = assignments.assignments()[name]["task"]
    path = f"{OTTER.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}

    def otter(*words):
        run = subprocess.run(
            [OTTER, *words], cwd=course / "otter", env=environment, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr[-3000:]

    otter("assign", f"{name}.ipynb", name, "--no-pdfs")
    released = course / "otter" / name / "student" / f"{name}.ipynb"
    text = released.read_text("utf-8")
    assert [task["solution"] for task in tasks if task["solution"] in text] == []
    assert "not right for your numbers" not in text
    (archive,) = (course / "otter" / name / "autograder").glob("*.zip")
    neighbour = {answer: repr(v) for answer, v in assignments.right_answers(name, RIGHT).items()}
    every = {
        RIGHT: {assignments.answer_name(task): task["solution"] for task in tasks},
        WRONG: dict.fromkeys(neighbour, "0.5"),
        CHEAT: neighbour,
    }
    for student, answers in every.items():
        notebook = nbformat.read(released, as_version=4)
        for cell in notebook.cells:
            variable = cell.source.partition(" =")[0]
            if variable == "student":
                cell.source = f'student = "{student}"'
            elif variable in answers:
                cell.source = f"{variable} = {answers[variable]}"
        out = tmp_path / student
        out.mkdir()
        nbformat.write(notebook, out / f"{name}.ipynb")
        otter("run", "-a", str(archive), "-o", str(out), str(out / f"{name}.ipynb"))
        marked = json.loads((out / "results.json").read_text("utf-8"))["tests"]
        scores = {t["name"]: t["score"] for t in marked if t["name"].startswith("task")}
        wanted = [task["points"] * (student == RIGHT) for task in tasks]
        assert list(scores.values()) == wanted, student


@pytest.mark.slow
@pytest.mark.skipif(not NBGRADER.exists(), reason="needs nbgrader; see `make others`")
def test_right_wrong_and_cheating_are_marked_as_they_deserve(tmp_path):
    course, name = tmp_path / "course", "week1"
    assignments.write(course)
    path = f"{NBGRADER.parent}{os.pathsep}{os.environ['PATH']}"  # it calls its own helpers
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}

    def grader(*words):
        run = subprocess.run(
            [NBGRADER, *words], cwd=course, env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr[-3000:]

    grader("generate_assignment", name)
    released = (course / "release" / name / f"{name}.ipynb").read_text("utf-8")
    tasks = assignments.assignments()[name]["task"]
    assert [task["solution"] for task in tasks if task["solution"] in released] == []
    assert "_hidden" not in released

    hand_in_all(course, name)
    grader("autograde", name)
    grader("export")
    with (course / "grades.csv").open(encoding="utf-8") as stream:
        rows = {row["student_id"]: row for row in csv.DictReader(stream)}
    full = sum(task["points"] for task in tasks)
    assert {who: float(row["score"]) for who, row in rows.items()} == {
        RIGHT: full,
        WRONG: 0,
        CHEAT: 0,
    }
    assert all(float(row["max_score"]) == full for row in rows.values())
