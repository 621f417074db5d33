"""Assignments: the tasks of the exercises, and marks as they are deserved.

Tried with nbgrader, which `make others` puts where ERRLAB_OTHERS may say.
"""

import csv
import os
import subprocess
from pathlib import Path

import nbformat
import numpy as np
import pytest

import assignments
from errlab import bootstrap, bounds, compare, coverage, crossval, holdout, metrics
from errlab.book import exercises

ROOT = Path(__file__).parents[2]

OTHERS = Path(os.environ.get("ERRLAB_OTHERS", ROOT / "_build" / "others")).resolve()
NBGRADER = OTHERS / "bin" / "nbgrader"
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


RIGHT, WRONG, CHEAT = "anna", "bob", "carl"


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
