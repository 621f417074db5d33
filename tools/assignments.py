"""Assignments for nbgrader: ``python tools/assignments.py`` writes to ``_build/assignments``.

The tasks are those of exercises (``assignments/tasks.toml``), with numbers that follow from the
student's name, so that neither a neighbour's answer nor the package's own fits. The hidden tests
take the name from the folder of the submission, draw the numbers again, and compute the answer in a
process of their own: nothing that a notebook defines anew changes what is right. ::

    cd _build/assignments
    nbgrader generate_assignment week1       # to release/, with no solution and no hidden test
    nbgrader autograde week1                 # of submitted/NAME/week1/week1.ipynb
    nbgrader export                          # the marks, as grades.csv

A submission runs in one kernel with its tests, so who breaks Python itself there deceives them:
look at what was handed in before you count on marks. It also runs as you: mark on a machine, or in
a container, that holds nothing of value.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat

from errlab.book.exercises import EXERCISES

ROOT = Path(__file__).resolve().parent.parent
TASKS = ROOT / "assignments" / "tasks.toml"
TARGET = ROOT / "_build" / "assignments"
IMPORTS = """import numpy as np

from errlab import bootstrap, bounds, compare, coverage, crossval, holdout, metrics"""
DRAW = '''def draw(name, low, high):
    """Draw a whole number that belongs to a student and a task."""
    import hashlib

    digest = hashlib.sha256(f"{student.strip().lower()} {name}".encode()).digest()
    return low + int.from_bytes(digest[:8], "big") % (high - low + 1)'''
HOW = """Write your user name, as you hand in with it, into the next code cell. Your numbers follow
from it. Then answer each task: replace the three dots in its cell by code for the answer, a number.
Hand in the notebook when *Restart Kernel and Run All Cells* works."""
HIDDEN = """plain = type({answer}) in (int, float) or type({answer}).__module__ == "numpy"
assert plain, "the answer is a number"
### BEGIN HIDDEN TESTS
def _hidden():
    import subprocess
    import sys
    from pathlib import Path

    here = Path.cwd()
    owner = here.parent.name if here.parent.parent.name == "autograded" else student
    code = {code!r}.replace("OWNER", repr(owner))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return eval(run.stdout, {{"__builtins__": {{}}}})


assert -{tolerance!r} <= {answer} - _hidden() <= {tolerance!r}, "not right for your numbers"
### END HIDDEN TESTS"""
CONFIG = """c = get_config()
c.CourseDirectory.course_id = "errlab"
c.ExecutePreprocessor.timeout = 120
c.ClearSolutions.code_stub = {"python": ""}
"""


def assignments() -> dict[str, Any]:
    """Return every assignment with its tasks."""
    with TASKS.open("rb") as stream:
        return tomllib.load(stream)


def tolerance(task: Mapping[str, Any]) -> float:
    """Return by how much an answer may be off: that of the exercise."""
    return EXERCISES[task["exercise"]].tolerance


def answer_name(task: Mapping[str, Any]) -> str:
    """Return the variable that takes the answer."""
    return f"answer_{task['exercise'].replace('.', '_')}"


def draws(task: Mapping[str, Any]) -> str:
    """Return the lines that draw the numbers of a task."""
    return "\n".join(
        f'{name} = draw("{task["exercise"]} {name}", {low}, {high})'
        for name, (low, high) in task["draw"].items()
    )


def expected(task: Mapping[str, Any]) -> str:
    """Return the program that prints the answer for the student called OWNER."""
    lines = [IMPORTS, "student = OWNER", DRAW, draws(task), f"print(float({task['solution']}))"]
    return "\n".join(lines)


def _cell(kind: str, source: str, name: str, **settings: Any) -> nbformat.NotebookNode:
    """Return a cell with what nbgrader wants to know of it."""
    make = nbformat.v4.new_markdown_cell if kind == "markdown" else nbformat.v4.new_code_cell
    known = {"schema_version": 3, "grade_id": name, "grade": False, "solution": False}
    cell = make(source, metadata={"nbgrader": {**known, "locked": True, "task": False, **settings}})
    cell.id = name
    return cell


def notebook(name: str, entry: Mapping[str, Any]) -> nbformat.NotebookNode:
    """Return the source of an assignment, with solutions and hidden tests, for nbgrader."""
    own = (
        'student = ""  # your user name\n### BEGIN SOLUTION\nstudent = "teacher"\n### END SOLUTION'
    )
    cells = [
        _cell("markdown", f"# {entry['title']}\n\n{HOW}", f"{name}-how"),
        _cell("code", own, f"{name}-student", solution=True, locked=False),
        _cell("code", f"{IMPORTS}\n\n\n{DRAW}", f"{name}-setup"),
    ]
    for number, task in enumerate(entry["task"], 1):
        identity = f"{name}-{number}"
        answer = answer_name(task)
        points = f"{task['points']} point{'s' if task['points'] > 1 else ''}"
        text = f"## Task {number} ({points})\n\n{task['question']}\n\nPut it into `{answer}`."
        numbers = f"{draws(task)}\n{', '.join(task['draw'])}"
        solution = f"### BEGIN SOLUTION\n{answer} = {task['solution']}\n### END SOLUTION"
        solved = f"{answer} = ...\n{solution}"
        hidden = HIDDEN.format(
            answer=answer,
            code=expected(task),
            tolerance=tolerance(task),
        )
        cells += [
            _cell("markdown", text, f"{identity}-task"),
            _cell("code", numbers, f"{identity}-numbers"),
            _cell("code", solved, f"{identity}-answer", solution=True, locked=False),
            _cell("code", hidden, f"{identity}-test", grade=True, points=task["points"]),
        ]
    return _python(cells)


def _python(cells: list[nbformat.NotebookNode]) -> nbformat.NotebookNode:
    """Return a notebook for Python with these cells."""
    made = nbformat.v4.new_notebook(cells=cells)
    made.metadata.kernelspec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return made


def write(target: Path) -> list[str]:
    """Write all assignments as a course of nbgrader; return their names."""
    target.mkdir(parents=True, exist_ok=True)
    (target / "nbgrader_config.py").write_text(CONFIG, "utf-8")
    every = assignments()
    for name, entry in every.items():
        path = target / "source" / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook(name, entry), path)
    return list(every)


if __name__ == "__main__":
    print(f"{', '.join(write(TARGET))}: {TARGET}")
