"""Assignments: numbers of one's own, and marks that a submission cannot change.

Tried with nbgrader, which `make others` puts where ERRLAB_OTHERS may say.
"""

import csv
import os
import re
import subprocess
from pathlib import Path

import nbformat
import pytest

import assignments

ROOT = Path(__file__).parents[2]
OTHERS = Path(os.environ.get("ERRLAB_OTHERS", ROOT / "_build" / "others")).resolve()
NBGRADER = OTHERS / "bin" / "nbgrader"
WEEKS = assignments.load(assignments.TASKS, assignments.KEY)
TASKS = [task for entry in WEEKS.values() for task in entry["task"]]
KEYED = [task for task in TASKS if task["kind"] != "paragraph"]


def test_eight_assignments_have_a_number_a_function_and_a_paragraph_each():
    assert len(WEEKS) == 8
    for entry in WEEKS.values():
        assert {task["kind"] for task in entry["task"]} == {"number", "function", "paragraph"}
        assert sum(task["points"] for task in entry["task"]) == 10


def test_the_repository_holds_no_answer():
    text = assignments.TASKS.read_text("utf-8")
    assert re.findall(r"^(?:answer|solution|cases) *=.*", text, re.MULTILINE) == []
    ignored = ["git", "check-ignore", "--quiet", str(assignments.KEY)]
    if (ROOT / ".git").exists():
        assert subprocess.run(ignored, cwd=ROOT, check=False).returncode == 0


@pytest.mark.parametrize("task", KEYED, ids=lambda task: task["id"])
def test_a_task_says_what_it_is_about(task):
    for name in (*task.get("draw", {}), *task.get("arguments", [])):
        assert f"`{name}`" in task["question"] or name in task.get("data", ""), name
    assert f"`answer_{task['id'][-1]}`" in task["question"] or task["kind"] == "function"
    assert len(task.get("example", [])) == len(task.get("arguments", []))
    assert len(task["check"]) == 8


@pytest.mark.skipif(not assignments.KEY.exists(), reason="the key is the lecturer's own")
@pytest.mark.parametrize("task", KEYED, ids=lambda task: task["id"])
def test_the_lecturers_key_agrees_and_tells_students_apart(task):
    assert assignments.agrees(task) == "agrees"
    if task["kind"] == "number":
        assert len({assignments.right(task, f"student{i}")[0] for i in range(20)}) >= 10
    else:
        assert len(task["cases"]) >= 3


OWN = """
[week1]
title = "A trial"
[[week1.task]]
kind = "number"
title = "A number"
points = 2
draw = { n = [60, 400] }
question = "`n` cases: put four times as many into `answer_1`."
[[week1.task]]
kind = "function"
title = "A function"
points = 3
function = "bound"
arguments = ["n"]
example = [10]
question = "The exact bound after no error in `n` cases."
[[week1.task]]
kind = "paragraph"
title = "A paragraph"
points = 5
question = "Say what it means."
"""
OWN_KEY = """
[week1.1]
answer = "4 * n"
[week1.2]
answer = "bounds.clopper_pearson(0, n)"
cases = [[20], [50], [100]]
"""
RIGHT = {1: "answer_1 = 4 * n", 2: "def bound(n):\n    return 1 - 0.05 ** (1 / n)"}
WRONG = {1: "answer_1 = n", 2: "def bound(n):\n    return 1 - 0.05 ** (1 / n) if n == 50 else 1"}
ALWAYS = """class E(float):
    __module__ = "numpy"
    __sub__ = __rsub__ = lambda self, other: 0.0
    __eq__ = __le__ = __ge__ = lambda self, other: True
    __float__ = lambda self: self
    __hash__ = float.__hash__
"""
REPLACED = """import builtins, subprocess, sys
subprocess.run = subprocess.check_output = lambda *a, **k: "right"
builtins.float = lambda value: "100% right"
sys.modules["errlab"] = sys.modules["nbgrader"] = sys
"""
REWRITTEN = """from pathlib import Path
course = Path(COURSE)
key = (course / "key.toml").exists()
for path in course.rglob("*"):
    if path.name in ("tasks.toml", "key.toml"):
        text = path.read_text().replace("4 * n", "0").replace("bounds.clopper_pearson", "min")
        path.write_text(text)
    if path.suffix == ".ipynb" and "zoe" in str(path):
        path.write_text("{}")
import sqlite3
with sqlite3.connect(course / "gradebook.db") as book:
    book.execute("update grade set manual_score = 3")
"""


def submissions(course):
    """Return who hands in what: name typed, code beside the name, answers, test cells."""
    neighbour = assignments.load(course / "tasks.toml", course / "key.toml")["week1"]["task"][0]
    number = assignments.right(neighbour, "anna")[0]
    zero = {1: "answer_1 = 0", 2: "def bound(n):\n    return 0"}
    reads = {**zero, 1: "answer_1 = 4 * n if key else 0"}
    return {
        "anna": ("anna", "", RIGHT, None),
        "anke": ("Anke Meyer", "", RIGHT, None),  # mistyped
        "bob": ("bob", "", WRONG, None),
        "cheat_float": ("cheat_float", ALWAYS, {**zero, 1: "answer_1 = E(1)"}, None),
        "cheat_module": ("cheat_module", REPLACED, zero, None),
        "cheat_files": ("cheat_files", REWRITTEN.replace("COURSE", repr(str(course))), reads, None),
        "cheat_number": ("cheat_number", "", {**zero, 1: f"answer_1 = {number}"}, None),
        "cheat_cells": ("cheat_cells", "", zero, "print(1.0)"),
        "zoe": ("zoe", "", RIGHT, None),
    }


def hand_in(course, who, typed, code, answers, test):
    """Fill in the released notebook as a student would."""
    notebook = nbformat.read(course / "release" / "week1" / "week1.ipynb", as_version=4)
    for cell in notebook.cells:
        identity = cell.metadata["nbgrader"]["grade_id"]
        if identity == "week1-student":
            cell.source = f"student = {typed!r}\n{code}"
        elif identity.endswith("-answer"):
            cell.source = answers.get(int(identity.split("-")[1]), "It means much.")
        elif test and identity.endswith(("-test", "-given")):
            cell.source = f"n = 1\n{test}"
    target = course / "submitted" / who / "week1" / "week1.ipynb"
    target.parent.mkdir(parents=True)
    nbformat.write(notebook, target)


@pytest.mark.slow
@pytest.mark.skipif(not NBGRADER.exists(), reason="needs nbgrader; see `make others`")
def test_right_wrong_and_cheating_are_marked_as_they_deserve(tmp_path):
    course = tmp_path / "course"
    for name, text in (("tasks.toml", OWN), ("key.toml", OWN_KEY)):
        (tmp_path / name).write_text(text, "utf-8")
    assignments.write(course, tmp_path / "tasks.toml", tmp_path / "key.toml")
    path = f"{NBGRADER.parent}{os.pathsep}{os.environ['PATH']}"  # it calls its own helpers
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)}

    def grader(*words):
        run = subprocess.run(
            [NBGRADER, *words], cwd=course, env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr[-3000:]
        return run.stderr

    grader("generate_assignment", "week1")
    released = (course / "release" / "week1" / "week1.ipynb").read_text("utf-8")
    assert [word for word in ("4 * n", "[[20], [50]", "clopper_pearson") if word in released] == []
    every = submissions(course)
    for who, what in every.items():
        hand_in(course, who, *what)
    said = grader("autograde", "week1")
    grader("generate_feedback", "week1")
    grader("export")
    with (course / "grades.csv").open(encoding="utf-8") as stream:
        rows = {row["student_id"]: row for row in csv.DictReader(stream)}
    marks = {who: float(row["score"]) for who, row in rows.items()}
    # A right function needs no name; a number does. Bob is right in one case of three.
    expected = dict.fromkeys(every, 0.0) | {"anna": 5.0, "zoe": 5.0, "anke": 3.0, "bob": 1.0}
    assert marks == pytest.approx(expected, abs=1e-9)
    assert "The name in the notebook, 'Anke Meyer', is not that of the folder, 'anke'." in said
    # Who breaks the cell that prints the name is reported as well.
    assert re.findall(r"week1/(\w+): The name", said) == ["anke", "cheat_module"]
    for who, text in (("anke", "Anke Meyer"), ("zoe", "100% right for your numbers")):
        assert text in (course / "feedback" / who / "week1" / "week1.html").read_text("utf-8")
    assert all(float(row["max_score"]) == 10 for row in rows.values())
