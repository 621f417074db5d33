"""Assignments for nbgrader and otter: ``python tools/assignments.py``, to ``_build/assignments``.

The tasks are those of exercises (``assignments/tasks.toml``), with numbers that follow from the
student's name, so that neither a neighbour's answer nor the package's own fits. The hidden tests
take the name from the folder of the submission, draw the numbers again, and compute the answer in a
process of their own: nothing that a notebook defines anew changes what is right. ::

    cd _build/assignments
    nbgrader generate_assignment week1       # to release/, with no solution and no hidden test
    nbgrader autograde week1                 # of submitted/NAME/week1/week1.ipynb
    nbgrader export                          # the marks, as grades.csv

The same for otter-grader, which does not know who hands in, and takes the name in the notebook::

    otter assign otter/week1.ipynb otter/week1 --no-pdfs
    otter run -a otter/week1/autograder/week1-autograder_*.zip submission.ipynb

In both a submission runs in one kernel with its tests, so who breaks Python itself there deceives
them. ``python tools/assignments.py mark week1`` trusts nothing in that kernel: it runs what is in
``submitted/NAME/week1`` without tests, takes the numbers that come out, and compares them here. It
needs neither of the two programs, and writes ``marks_week1.csv``. It does run what students wrote,
as both do: use an account, or a container, that holds nothing of value.
"""

from __future__ import annotations

import asyncio
import csv
import json
import math
import os
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbformat

from errlab.book.exercises import EXERCISES

ROOT = Path(__file__).resolve().parent.parent
TASKS = ROOT / "assignments" / "tasks.toml"
TARGET = ROOT / "_build" / "assignments"
LIMIT = 120  # seconds that a cell of a submission may take
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
OTTER = '''""" # BEGIN TEST CONFIG
hidden: true
points: {points}
""" # END TEST CONFIG
def test_{answer}({answer}, student):
    import subprocess
    import sys

    code = {code!r}.replace("OWNER", repr(student))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert type({answer}) in (int, float) or type({answer}).__module__ == "numpy"
    assert abs({answer} - float(run.stdout)) <= {tolerance!r}, "not right for your numbers"'''
TELL = """import json

_told = {{}}
for _name in {names}:
    try:
        _told[_name] = float(globals()[_name])
    except (KeyError, TypeError, ValueError):
        _told[_name] = float("nan")
print(json.dumps(_told))"""
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


def otter(name: str, entry: Mapping[str, Any]) -> nbformat.NotebookNode:
    """Return the source of an assignment, with solutions and hidden tests, for otter assign."""
    raw, code, markdown = (
        nbformat.v4.new_raw_cell,
        nbformat.v4.new_code_cell,
        nbformat.v4.new_markdown_cell,
    )
    cells = [
        raw(f"# ASSIGNMENT CONFIG\nname: {name}\nexport_cell: false\ntests:\n  ok_format: false"),
        markdown(f"# {entry['title']}\n\n{HOW}"),
        code('student = "nobody"  # your user name'),
        code(f"{IMPORTS}\n\n\n{DRAW}"),
    ]
    for number, task in enumerate(entry["task"], 1):
        answer = answer_name(task)
        numbers = f"{draws(task)}\n{', '.join(task['draw'])}"
        test = OTTER.format(
            points=task["points"], answer=answer, code=expected(task), tolerance=tolerance(task)
        )
        cells += [
            raw(f"# BEGIN QUESTION\nname: task{number}\npoints: {task['points']}"),
            markdown(f"## Task {number}\n\n{task['question']}\n\nPut it into `{answer}`."),
            code(numbers),
            raw("# BEGIN SOLUTION"),
            code(f"{answer} = {task['solution']}  # SOLUTION"),
            raw("# END SOLUTION"),
            raw("# BEGIN TESTS"),
            code(test),
            raw("# END TESTS"),
            raw("# END QUESTION"),
        ]
    return _python(cells)


def right_answers(name: str, student: str) -> dict[str, float]:
    """Return the answers of a student's tasks by the names of their variables."""
    found = {}
    for task in assignments()[name]["task"]:
        known: dict[str, Any] = {"student": student}
        exec(f"{IMPORTS}\n{DRAW}\n{draws(task)}", known)
        found[answer_name(task)] = float(eval(task["solution"], known))
    return found


def given_answers(path: Path, names: Sequence[str], limit: int = LIMIT) -> dict[str, float]:
    """Run what was handed in, without its tests; return the numbers that come out.

    Nothing that is right is in that process. What is no number counts as none, and so does all of
    a notebook with a cell that is silent for more than `limit` seconds.
    """
    from nbclient import NotebookClient
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    try:
        submission = nbformat.read(path, as_version=4)
    except (ValueError, nbformat.ValidationError):  # what cannot be read is no notebook
        return {}
    cells = [c for c in submission.cells if not c.metadata.get("nbgrader", {}).get("grade")]
    submission.cells = [*cells, nbformat.v4.new_code_cell(TELL.format(names=list(names)))]
    with tempfile.TemporaryDirectory() as empty:
        place = {"metadata": {"path": empty}}
        run = NotebookClient(
            submission, timeout=limit, allow_errors=True, resources=place, kernel_name="python3"
        )
        try:
            asyncio.run(run.async_execute())  # its own loop, closed at the end
        except (CellTimeoutError, DeadKernelError):
            return {}
    printed = [o.get("text", "") for o in submission.cells[-1].outputs if o.get("name") == "stdout"]
    try:
        told = json.loads("".join(printed))
        return {name: float(told[name]) for name in names}
    except (ValueError, TypeError, KeyError):
        return {}


def mark(folder: Path, name: str, limit: int = LIMIT) -> dict[str, float]:
    """Mark all that was handed in of an assignment; return the points by student.

    Also written, task by task, to ``marks_NAME.csv``. The notebooks run side by side, and no cell
    for more than `limit` seconds.
    """
    tasks = assignments()[name]["task"]
    names = [answer_name(task) for task in tasks]
    paths = sorted(folder.glob(f"submitted/*/{name}/{name}.ipynb"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        every = list(pool.map(lambda path: given_answers(path, names, limit), paths))
    rows = []
    for path, given in zip(paths, every, strict=True):
        student = path.parent.parent.name
        right = right_answers(name, student)
        points = [
            task["points"] * (abs(given.get(each, math.nan) - right[each]) <= tolerance(task))
            for task, each in zip(tasks, names, strict=True)
        ]
        rows.append([student, *points, sum(points)])
    with (folder / f"marks_{name}.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([["student", *names, "sum"], *rows])
    return {row[0]: row[-1] for row in rows}


def write(target: Path) -> list[str]:
    """Write all assignments, as a course of nbgrader and for otter; return their names."""
    target.mkdir(parents=True, exist_ok=True)
    (target / "nbgrader_config.py").write_text(CONFIG, "utf-8")
    every = assignments()
    for name, entry in every.items():
        path = target / "source" / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook(name, entry), path)
        path = target / "otter" / f"{name}.ipynb"
        path.parent.mkdir(exist_ok=True)
        nbformat.write(otter(name, entry), path)
    return list(every)


def main(words: Sequence[str]) -> int:
    """Write them and say where they are; or mark one."""
    match list(words):
        case []:
            print(f"{', '.join(write(TARGET))}: {TARGET}")
        case ["mark", name] if name in assignments():
            for student, points in mark(TARGET, name).items():
                print(f"{student}: {points}")
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
