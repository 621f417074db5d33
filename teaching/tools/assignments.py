"""Assignments for nbgrader: ``make -C teaching assignments`` writes to ``_build/assignments``.

``teaching/assignments/tasks.toml`` has the tasks, without answers: it is public. The answers and
the due dates are in the lecturer's key, ``private/key.toml`` next to it, which git ignores.
``--key`` writes an empty one. ::

    cd _build/assignments
    nbgrader generate_assignment week1       # to release/
    python marking.py week1                  # marks submitted/NAME/week1/week1.ipynb
    nbgrader generate_feedback week1         # after the paragraphs were read
    nbgrader export                          # the marks, as grades.csv
"""

from __future__ import annotations

import datetime
import inspect
import json
import shutil
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat

ROOT = Path(__file__).resolve().parents[2]
TASKS = ROOT / "teaching" / "assignments" / "tasks.toml"
KEY = TASKS.with_name("private") / "key.toml"
TARGET = ROOT / "_build" / "assignments"
NAME = 'student = ""  # your user name, between the quotes'
CHECK = """try:
    import scipy

    import errlab
except ModuleNotFoundError as error:
    raise SystemExit(f"{error.name} is missing; the README of the notebooks says how to install it")
if not str(globals().get("student", "")).strip():
    raise SystemExit("Write your user name between the quotes above, and run all cells again.")
print(f"errlab {errlab.__version__} is installed. These are the numbers of {student}.")"""
IMPORTS = """import math

import numpy as np

from errlab import bootstrap, bounds, compare, coverage, crossval, datasets, holdout, metrics
from errlab import training_set"""
HOW = """Write the user name with which you log in between the quotes of the next cell: your numbers
are drawn from it. Then answer each task below its text. Compute a number with code; never type it,
and don't round it. A function uses only numpy and scipy, not errlab, and may print anything. Hand
in the notebook when *Restart Kernel and Run All Cells* works. Your lecturer reads the code."""
CONFIG = """import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import marking

c = get_config()
c.CourseDirectory.course_id = "errlab"
c.Autograde.autograde_preprocessors = marking.STEPS
c.GenerateFeedback.preprocessors = marking.FEEDBACK
c.AssignLatePenalties.plugin_class = marking.TenthADay
c.Marks.course = str(Path(__file__).resolve().parent)
"""


def spelled(name):
    """Return a user name without its case, dots, spaces, and the form of its accents."""
    import unicodedata

    text = unicodedata.normalize("NFKC", name).casefold()
    return "".join(c for c in unicodedata.normalize("NFKC", text) if c not in " ._-\n\t")


def draw(student, name, low, high):
    """Draw a whole number that belongs to a student and a task."""
    import hashlib

    digest = hashlib.sha256(f"{spelled(student)} {name}".encode()).digest()
    return low + int.from_bytes(digest[:8], "big") % (high - low + 1)


DRAW = "\n\n".join(map(inspect.getsource, (spelled, draw))).strip()


def load(tasks: Path, key: Path) -> dict[str, Any]:
    """Return all assignments, with the due dates and answers that the key has."""
    every = tomllib.loads(tasks.read_text("utf-8"))
    keys = tomllib.loads(key.read_text("utf-8")) if key.exists() else {}
    for name, entry in every.items():
        entry["due"] = keys.get(name, {}).get("due")
        for number, task in enumerate(entry["task"], 1):
            solution = keys.get(name, {}).get(str(number), {})
            defaults = {"id": f"{name}-{number}", "answer": "", "cases": [], "tolerance": 1e-3}
            entry["task"][number - 1] = {**defaults, **task, **solution}
    return every


def data_code(task: Mapping[str, Any]) -> str:
    """Return the code that draws a student's numbers and data."""
    lines = [
        f'{name} = draw(student, "{task["id"]} {name}", {low}, {high})'
        for name, (low, high) in task.get("draw", {}).items()
    ]
    return "\n".join([*lines, task.get("data", "").strip()]).strip()


def right(task: Mapping[str, Any], student: str) -> list[float]:
    """Return a student's right answers: one number, or a function's value for each input."""
    variables: dict[str, Any] = {"student": student}
    names = task.get("arguments", [])
    cases = task["cases"] if names else [[]]
    try:
        exec(f"{IMPORTS}\n{DRAW}\n{data_code(task)}", variables)
        arguments = [dict(zip(names, case, strict=True)) for case in cases]
        return [float(eval(task["answer"], variables | values)) for values in arguments]
    except Exception as error:
        raise ValueError(f"the key of {task['id']} for {student!r}: {error}") from error


def calls(task: Mapping[str, Any]) -> list[str]:
    """Return the expressions to evaluate in a submission; `right` returns their right values."""
    if task["kind"] == "number":
        return [f"answer_{task['id'].split('-')[1]}"]
    return [f"{task['function']}(*{case!r})" for case in task["cases"]]


def key_values(task: Mapping[str, Any]) -> str:
    """Return the key's answers as text: for three students, or for all inputs of a function."""
    if not task["answer"]:
        return "no answer yet"
    try:
        if task["kind"] == "number":
            values = [right(task, name)[0] for name in ("anna", "bob", "zoe")]
        else:
            values = right({**task, "cases": [task["example"], *task["cases"]]}, "anna")
    except ValueError as error:
        return str(error)
    return ", ".join(f"{value:.6g}" for value in values)


def empty_key(every: Mapping[str, Any], start: datetime.date) -> str:
    """Return a key to fill in; an answer is an expression in the task's numbers and arguments."""
    lines = []
    for week, (name, entry) in enumerate(every.items(), 1):
        due = start + datetime.timedelta(weeks=week)
        lines += [f"[{name}]", f"due = {due}T10:00:00+00:00  # in the next week's class"]
        for task in entry["task"]:
            if task["kind"] != "paragraph":
                lines += [f"# {task['question'].strip()}".replace("\n", "\n# ")]
                lines += [f"[{name}.{task['id'].split('-')[1]}]", 'answer = ""']
            if task["kind"] == "function":
                example = json.dumps([task["example"]])
                lines += [f"cases = {example}  # hidden from students: at least three"]
        lines += [""]
    return "\n".join(lines)


def _cell(kind: str, source: str, name: str, **settings: Any) -> nbformat.NotebookNode:
    """Return a cell with nbgrader's metadata."""
    make = nbformat.v4.new_markdown_cell if kind == "markdown" else nbformat.v4.new_code_cell
    defaults = {"schema_version": 3, "grade_id": name, "grade": False, "solution": False}
    defaults |= {"locked": True, "task": False}
    cell = make(source, metadata={"nbgrader": {**defaults, **settings}})
    cell.id = name
    return cell


def _task(number: int, task: Mapping[str, Any]) -> list[nbformat.NotebookNode]:
    """Return the cells of a task; a test cell prints a number, a person reads a paragraph."""
    identity, points = task["id"], task["points"]
    text = f"## {number}. {task['title']} ({points} points)\n\n{task['question'].strip()}"
    cells = [_cell("markdown", text, f"{identity}-task")]
    if data_code(task):
        cells.append(_cell("code", data_code(task), f"{identity}-given"))
    editable = {"solution": True, "locked": False}
    if task["kind"] == "paragraph":
        settings = {**editable, "grade": True, "points": points}
        return [*cells, _cell("markdown", "Your answer:", f"{identity}-answer", **settings)]
    if task["kind"] == "number":
        stub, test = f"answer_{number} = ...", f"print(answer_{number})"
    else:
        stub = f"def {task['function']}({', '.join(task['arguments'])}):\n    ..."
        test = f"print({task['function']}(*{task['example']}))"
    stub = f"{stub}\n### BEGIN SOLUTION\n### END SOLUTION"
    return [
        *cells,
        _cell("code", stub, f"{identity}-answer", **editable),
        _cell("code", test, f"{identity}-test", grade=True, points=points),
    ]


def notebook(name: str, entry: Mapping[str, Any]) -> nbformat.NotebookNode:
    """Return the source of an assignment for nbgrader; it holds no answer."""
    # no metadata, because nbgrader would then clear the cell
    typed = nbformat.v4.new_code_cell(NAME)
    typed.id = f"{name}-student"
    cells = [
        _cell("markdown", f"# {entry['title']}\n\n{HOW}", f"{name}-how"),
        typed,
        _cell("code", f"{CHECK}\n\n{IMPORTS}\n\n\n{DRAW}", f"{name}-setup"),
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
    for name in ("assignments.py", "attempt.py", "harmless.py", "marking.py", "sandbox.py"):
        shutil.copy(Path(__file__).with_name(name), target)
    (target / "nbgrader_config.py").write_text(CONFIG, "utf-8")
    for name, entry in every.items():
        path = target / "source" / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook(name, entry), path)
    return list(every)


def main(words: list[str]) -> None:
    """Write an empty key, or the course; print the key's answers."""
    if words[:1] == ["--key"]:
        if KEY.exists():
            raise SystemExit(f"There is already a key: {KEY}")
        today = datetime.date.today()
        monday = today + datetime.timedelta(days=-today.weekday() % 7)
        start = datetime.date.fromisoformat(words[1]) if words[1:] else monday
        KEY.parent.mkdir(parents=True, exist_ok=True)
        KEY.write_text(empty_key(load(TASKS, KEY), start), "utf-8")
        print(f"wrote an empty key for a course that starts on {start}; fill it in: {KEY}")
    elif not KEY.exists():
        raise SystemExit("There is no key yet: run `make -C teaching key` first, and fill it in.")
    else:
        for name, entry in load(TASKS, KEY).items():
            print(f"{name}, due {entry['due']}")
            for task in entry["task"]:
                if task["kind"] != "paragraph":
                    print(f"  {task['id']}: {key_values(task)}")
        print(f"{', '.join(write(TARGET))}: {TARGET}")


if __name__ == "__main__":
    main(sys.argv[1:])
