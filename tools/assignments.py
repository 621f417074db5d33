"""Assignments for nbgrader: ``python tools/assignments.py`` writes to ``_build/assignments``.

``assignments/tasks.toml`` has the tasks, without answers: it is public. What is right stands in the
lecturer's key, ``assignments/private/key.toml``, which git ignores. ``--key`` writes an empty one,
and says of each entry of a key whether it gives what the authors' own gives. ::

    cd _build/assignments
    nbgrader generate_assignment week1       # to release/
    nbgrader autograde week1                 # of submitted/NAME/week1/week1.ipynb; see marking.py
    nbgrader export                          # the marks, as grades.csv
"""

from __future__ import annotations

import json
import shutil
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parent.parent
TASKS = ROOT / "assignments" / "tasks.toml"
KEY = ROOT / "assignments" / "private" / "key.toml"
TARGET = ROOT / "_build" / "assignments"
CHECK = """try:
    import scipy

    import errlab
except ModuleNotFoundError as error:
    raise SystemExit(f"{error.name} is missing. What to install is in the README of the notebooks.")
print(f"errlab {errlab.__version__} is installed: go on.")"""
IMPORTS = """import math

import numpy as np

from errlab import bootstrap, bounds, compare, coverage, crossval, datasets, holdout, metrics
from errlab import training_set"""
DRAW = '''def draw(name, low, high):
    """Draw a whole number that belongs to a student and a task."""
    import hashlib

    digest = hashlib.sha256(f"{student.strip().lower()} {name}".encode()).digest()
    return low + int.from_bytes(digest[:8], "big") % (high - low + 1)'''
HOW = """Write your user name, exactly as you log in with it, into the second code cell: your
numbers follow from it. Then answer each task below its text. A number is computed by code, never
typed; a function uses numpy and scipy alone, not errlab. Hand in the notebook when *Restart Kernel
and Run All Cells* works. Only what a cell prints counts, and your lecturer reads the code."""
CONFIG = """import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from marking import STEPS

c = get_config()
c.CourseDirectory.course_id = "errlab"
c.Autograde.autograde_preprocessors = STEPS
c.Marks.course = str(Path(__file__).resolve().parent)
"""


def load(tasks: Path, key: Path) -> dict[str, Any]:
    """Return every assignment; where the key has one, with the answer of each task."""
    every = tomllib.loads(tasks.read_text("utf-8"))
    known = tomllib.loads(key.read_text("utf-8")) if key.exists() else {}
    for name, entry in every.items():
        for number, task in enumerate(entry["task"], 1):
            found = known.get(name, {}).get(str(number), {})
            task |= {"id": f"{name}-{number}", "answer": "", "cases": []} | found
    return every


def given(task: Mapping[str, Any]) -> str:
    """Return the lines that draw a student's numbers and data."""
    lines = [
        f'{name} = draw("{task["id"]} {name}", {low}, {high})'
        for name, (low, high) in task.get("draw", {}).items()
    ]
    return "\n".join([*lines, task.get("data", "").strip()]).strip()


def right(task: Mapping[str, Any], student: str) -> list[float]:
    """Return what is right for a student: a number, or what a function returns for each case."""
    known: dict[str, Any] = {"student": student}
    exec(f"{IMPORTS}\n{DRAW}\n{given(task)}", known)
    names = task.get("arguments", [])
    cases = task["cases"] if names else [[]]
    arguments = [dict(zip(names, case, strict=True)) for case in cases]
    return [float(eval(task["answer"], known | each)) for each in arguments]


def agrees(task: Mapping[str, Any]) -> str:
    """Say whether the key of a task gives what the authors' own gives."""
    from errlab.book.answers import digest

    if not task["answer"]:
        return "empty"
    tried = {**task, "cases": [task.get("example", [])]}
    found = digest(" ".join(f"{value:.4g}" for value in right(tried, "teacher")))
    return "agrees" if found == task["check"] else f"differs ({found})"


def empty_key(every: Mapping[str, Any]) -> str:
    """Return a key to be filled in: expressions in the task's numbers, data and arguments."""
    lines = []
    for task in (task for entry in every.values() for task in entry["task"]):
        name, number = task["id"].split("-")
        if task["kind"] != "paragraph":
            lines += [f"# {task['question'].strip()}".replace("\n", "\n# "), f"[{name}.{number}]"]
            lines += ['answer = ""']
        if task["kind"] == "function":
            lines += [f"cases = {json.dumps([task['example']])}  # hidden from students: add more"]
    return "\n".join([*lines, ""])


def _cell(kind: str, source: str, name: str, **settings: Any) -> nbformat.NotebookNode:
    """Return a cell with what nbgrader wants to know of it."""
    make = nbformat.v4.new_markdown_cell if kind == "markdown" else nbformat.v4.new_code_cell
    known = {"schema_version": 3, "grade_id": name, "grade": False, "solution": False}
    cell = make(source, metadata={"nbgrader": {**known, "locked": True, "task": False, **settings}})
    cell.id = name
    return cell


def _task(number: int, task: Mapping[str, Any]) -> list[nbformat.NotebookNode]:
    """Return the cells of a task; a graded one prints plain numbers, or is read by a person."""
    identity, points = task["id"], task["points"]
    text = f"## {number}. {task['title']} ({points} points)\n\n{task['question'].strip()}"
    cells = [_cell("markdown", text, f"{identity}-task")]
    if given(task):
        cells.append(_cell("code", given(task), f"{identity}-given"))
    own = {"solution": True, "locked": False}
    if task["kind"] == "paragraph":
        settings = {**own, "grade": True, "points": points}
        return [*cells, _cell("markdown", "Your answer:", f"{identity}-answer", **settings)]
    if task["kind"] == "number":
        stub, test = f"answer_{number} = ...", f"print(float(answer_{number}))"
    else:
        arguments = ", ".join(task["arguments"])
        stub = f"def {task['function']}({arguments}):\n    ..."
        printed = f"print(float({task['function']}(*case)))"
        tried = f"for case in {json.dumps(task['cases'])}:\n    {printed}"
        test = f"### BEGIN HIDDEN TESTS\n{tried}\n### END HIDDEN TESTS"
        test = f"print(float({task['function']}(*{task['example']})))\n{test}"
    stub = f"{stub}\n### BEGIN SOLUTION\n### END SOLUTION"
    return [
        *cells,
        _cell("code", stub, f"{identity}-answer", **own),
        _cell("code", test, f"{identity}-test", grade=True, points=points),
    ]


def notebook(name: str, entry: Mapping[str, Any]) -> nbformat.NotebookNode:
    """Return the source of an assignment for nbgrader; it holds no answer."""
    cells = [
        _cell("markdown", f"# {entry['title']}\n\n{HOW}", f"{name}-how"),
        _cell("code", CHECK, f"{name}-check"),
        _cell("code", 'student = ""', f"{name}-student", solution=True, locked=False),
        _cell("code", f"{IMPORTS}\n\n\n{DRAW}\n\n\nprint(student)", f"{name}-setup"),
    ]
    for number, task in enumerate(entry["task"], 1):
        cells += _task(number, task)
    made = nbformat.v4.new_notebook(cells=cells)
    made.metadata.kernelspec = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return made


def write(target: Path, tasks: Path = TASKS, key: Path = KEY) -> list[str]:
    """Write all assignments as a course of nbgrader; return their names."""
    every = load(tasks, key)
    target.mkdir(parents=True, exist_ok=True)
    for file, name in ((tasks, "tasks.toml"), (key, "key.toml")):
        shutil.copy(file, target / name)
    for name in ("assignments.py", "marking.py"):
        shutil.copy(Path(__file__).with_name(name), target)
    (target / "nbgrader_config.py").write_text(CONFIG, "utf-8")
    for name, entry in every.items():
        path = target / "source" / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook(name, entry), path)
    return list(every)


if __name__ == "__main__":
    if "--key" in sys.argv and not KEY.exists():
        KEY.parent.mkdir(parents=True, exist_ok=True)
        KEY.write_text(empty_key(load(TASKS, KEY)), "utf-8")
        print(f"an empty key, to be filled in: {KEY}")
    elif not KEY.exists():
        raise SystemExit("There is no key yet: run `python tools/assignments.py --key` first.")
    else:
        for entry in load(TASKS, KEY).values():
            for task in entry["task"]:
                if task["kind"] != "paragraph":
                    print(task["id"], agrees(task))
        print(f"{', '.join(write(TARGET))}: {TARGET}")
