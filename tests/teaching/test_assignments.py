"""Assignments: a student's own numbers, names in any spelling, and the marks that work deserves.

Marks are tried with nbgrader, which `make -C teaching others` puts where ERRLAB_OTHERS may say: a
class hands in right and wrong, broken and malicious work, see `teaching/rehearsal`.
"""

import builtins
import contextlib
import csv
import datetime
import io
import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import nbformat
import pytest
from tables import DATA, ROOT, sections

import assignments
import sandbox
from attempt import WITHHELD, attempt, grade_id

OTHERS = Path(os.environ.get("ERRLAB_OTHERS", ROOT / "_build" / "others")).resolve()
NBGRADER = OTHERS / "bin" / "nbgrader"
WEEKS = assignments.load(assignments.TASKS, assignments.KEY)
KEYED = [t for entry in WEEKS.values() for t in entry["task"] if t["kind"] != "paragraph"]
needs_nbgrader = pytest.mark.skipif(
    not NBGRADER.exists(), reason="needs nbgrader: `make -C teaching others`"
)


def test_eight_assignments_have_a_number_a_function_and_a_paragraph_each():
    assert len(WEEKS) == 8
    for entry in WEEKS.values():
        assert {task["kind"] for task in entry["task"]} == {"number", "function", "paragraph"}
        assert sum(task["points"] for task in entry["task"]) == 10
    for task in KEYED:
        for name in (*task.get("draw", {}), *task.get("arguments", [])):
            assert f"`{name}`" in task["question"] or name in task.get("data", ""), task["id"]
        assert f"`answer_{task['id'][-1]}`" in task["question"] or task["kind"] == "function"
        assert len(task.get("example", [])) == len(task.get("arguments", [])), task["id"]


def test_the_repository_holds_no_answer_and_nothing_to_try_one_against():
    text = assignments.TASKS.read_text("utf-8")
    assert re.findall(r"^(?:answer|solution|cases|check) *=.*", text, re.MULTILINE) == []
    assert re.findall(r"\b[0-9a-f]{8,}\b", text) == []
    # from the file itself, because git may be missing, or refuse a folder of another user
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert f"/{assignments.KEY.parent.relative_to(ROOT).as_posix()}/" in ignored


def test_a_name_is_the_same_however_it_is_spelled_and_names_that_differ_stay_apart():
    for line in dict(sections("spellings.txt"))["the same name"]:
        one, other = line.split(" = ")
        numbers = {assignments.draw(name, "week1-1 n", 1, 10**6) for name in (one, eval(other))}
        assert len(numbers) == 1, line
    names = ["anna", "anne", "änna", "hanna", "anna1", "安娜", "आना", "आनी"]
    assert len({assignments.spelled(name) for name in names}) == len(names)


def test_the_notebook_asks_for_the_name_in_a_cell_that_stays():
    cells = assignments.notebook("week1", WEEKS["week1"]).cells
    assert [cell.id for cell in cells[:3]] == ["week1-how", "week1-student", "week1-setup"]
    assert "nbgrader" not in cells[1].metadata  # otherwise nbgrader would clear it
    setup = cells[2].source
    for typed in ("", "student = ''", "student = '  '"):
        with pytest.raises(SystemExit, match="between the quotes"):
            exec(f"{typed}\n{setup}", {})
    namespace = {}
    data = assignments.data_code(WEEKS["week1"]["task"][0])
    exec(f"student = 'Zoe Groß'\n{setup}\n{data}", namespace)
    assert namespace["n"] == assignments.draw("zoe.gross", "week1-1 n", 120, 600)


def test_what_a_notebook_asks_of_a_right_answer_is_what_the_key_says():
    task = {"id": "week1-2", "kind": "function", "function": "f", "arguments": ["a", "b"]}
    task |= {"cases": [[1, [2.5]], [0, [1]]], "answer": "a + b[0]"}
    calls = [eval(call, {"f": lambda a, b: a + b[0]}) for call in assignments.calls(task)]
    assert calls == assignments.right(task, "anna") == [3.5, 1]
    with pytest.raises(ValueError, match=r"the key of week1-2 for 'bob': name 'c' is not defined"):
        assignments.right({**task, "answer": "c"}, "bob")


def test_an_empty_key_has_a_day_for_each_assignment_and_is_the_lecturers_to_fill(tmp_path):
    text = assignments.empty_key(WEEKS, datetime.date(2026, 10, 5))
    (tmp_path / "key.toml").write_text(text, "utf-8")
    empty = assignments.load(assignments.TASKS, tmp_path / "key.toml").values()
    days = [entry["due"].date().isoformat() for entry in empty]
    assert days[::7] == ["2026-10-12", "2026-11-30"]
    answers = {assignments.key_values(task) for entry in empty for task in entry["task"]}
    assert answers == {"no answer yet"}


@pytest.mark.skipif(not assignments.KEY.exists(), reason="the key is the lecturer's own")
def test_the_lecturers_key_tells_students_apart():
    for task in KEYED:
        if task["kind"] == "number":
            numbers = {assignments.right(task, f"student{i}")[0] for i in range(20)}
            assert len(numbers) >= 10, task["id"]
        else:
            assert len(task["cases"]) >= 3, task["id"]


def started(*words, **options):
    run = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, **options)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def rehearse(size, target):
    """Rehearse a week with a class of this size; return what is printed, and its course."""
    course = DATA / "courses" / "trial"
    path = os.pathsep.join((str(ROOT), str(ROOT / "teaching" / "tools")))
    printed = started(
        NBGRADER.with_name("python"), ROOT / "teaching" / "rehearsal" / "rehearse.py", size,
        "--tasks", course / "tasks.toml", "--key", course / "key.toml", "--target", target,
        env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    return printed, target / "course"


def test_the_rehearsal_that_is_shown_has_all_kinds_and_everybody_got_what_they_should():
    folder = ROOT / "teaching" / "rehearsal"
    text = (folder / "table.md").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    words, numbers, deserved, got = zip(*(row[:4] for row in rows[2:]), strict=True)
    kinds = tomllib.loads((folder / "hand_ins.toml").read_text("utf-8"))["hand_in"]
    assert [*words] == [kind["words"] for kind in kinds]
    assert sum(map(int, numbers)) == 100
    assert deserved == got
    cheats = sum(kind.get("cheat", False) for kind in kinds)
    page = " ".join((ROOT / "book" / "instructors.md").read_text("utf-8").split())
    assert f"{len(kinds) - cheats} kinds of ordinary work and {cheats} ways to cheat" in page


@pytest.mark.slow
@needs_nbgrader
def test_every_kind_of_hand_in_gets_what_it_deserves_and_harms_nobody(tmp_path):
    printed, course = rehearse(60, tmp_path)
    rows = [line for line in printed.splitlines() if line.startswith("| ")][2:]
    cheats = sum(row.startswith("| cheat: ") for row in rows)
    assert len(rows) - cheats == 26
    assert cheats == (27 if sandbox.bubblewrap() else 0)
    released = (course / "release" / "week1" / "week1.ipynb").read_text("utf-8")
    assert [word for word in ("4 * n", "[[20], [50]", "clopper_pearson") if word in released] == []
    assert 'student = \\"\\"' in released


def rows_of(path):
    with path.open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.slow
@needs_nbgrader
def test_a_class_of_twelve_and_one_who_is_marked_again(tmp_path):
    course = rehearse(12, tmp_path)[1]
    path = f"{NBGRADER.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(course), "PATH": path}

    def mark(*words):
        python = NBGRADER.with_name("python")
        return started(python, "marking.py", "week1", *words, cwd=course, env=environment)

    def notes():
        return [(row["student"], row["notes"]) for row in rows_of(course / "marked_week1.csv")]

    before = notes()
    assert len(before) == 12
    assert "0 of 12 submissions ran" in mark()
    assert notes() == before
    who = next(path.parts[-3] for path in course.glob("submitted/*/week1/week1.ipynb"))
    file = course / "submitted" / who / "week1" / "week1.ipynb"
    tasks = assignments.load(course / "tasks.toml", course / "key.toml")["week1"]["task"]
    notebook = nbformat.read(course / "release" / "week1" / "week1.ipynb", 4)
    for cell in notebook.cells:
        if grade_id(cell) == "week1-1-answer":
            cell.source = f"answer_1 = {assignments.right(tasks[0], who)[0]}"
    shutil.rmtree(file.parent)
    file.parent.mkdir()
    nbformat.write(notebook, file)
    printed = mark(who)
    assert "1 of 1 submissions ran" in printed
    assert f"{who}: the name in the notebook is ''" in printed
    scores = {row["student"]: row["score"] for row in rows_of(course / "marked_week1.csv")}
    assert scores.keys() == dict(before).keys()
    assert float(scores[who]) in (3, 5)  # an earlier paragraph keeps its marks
    # nbgrader's own command, and so its button, uses the sandbox, too
    command = [NBGRADER, "autograde", "week1", "--force", f"--student={who}"]
    started(*command, cwd=course, env=environment)
    assert len(rows_of(course / "grades.csv")) == 12


# --- What is evaluated in a submission, and which of its outputs are shown.


COURSE = DATA / "courses" / "hidden"
# the function stores its arguments for later cells to print
CODE = {
    "week1-1-answer": "SEEN = []\ndef f(n):\n    SEEN.append(n)\n    return n + 1",
    "week1-2-answer": "answer_2 = 2\nprint(SEEN)",
}


def run_here(steps, secret):
    """Run the code here instead of in a kernel: each step prints, and evaluates its expression."""
    names, outputs, texts = {"_errlab_b": builtins, "student": "anna"}, [], []
    for step in steps:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(step.code, names)
            texts.append(eval(step.asks.strip(), names) if step.asks else None)
        outputs.append([{"name": "stdout", "text": printed.getvalue()}])
    return sandbox.Ran(outputs, texts, [""] * len(steps))


needs_bubblewrap = pytest.mark.skipif(sandbox.bubblewrap() is None, reason="needs bubblewrap")
in_sandbox = pytest.param(sandbox.run, marks=[pytest.mark.nightly, needs_bubblewrap])


@pytest.mark.parametrize("run", [run_here, in_sandbox])
def test_what_runs_after_hidden_inputs_is_not_shown(run, monkeypatch):
    monkeypatch.setattr(sandbox, "run", run)
    week = assignments.load(COURSE / "tasks.toml", COURSE / "key.toml")["week1"]
    made = assignments.notebook("week1", week)
    for cell in made.cells:
        cell.source = CODE.get(grade_id(cell), cell.source)
    made.cells.append(nbformat.v4.new_code_cell("print(SEEN)"))
    done = attempt(COURSE, "week1", "anna", made)
    assert done.answers["week1-1-test"] == [("42.0", ""), ("306.0", "")]
    assert done.answers["week1-2-test"] == [("2.0", "")]
    names = [grade_id(cell) or i for i, cell in enumerate(made.cells)]
    output = dict(zip(names, map(str, done.outputs), strict=True))
    assert "10" in output["week1-1-test"], "the example that is printed before is shown"
    assert [name for name, text in output.items() if "41" in text or "305" in text] == []
    later = [name for name, text in output.items() if WITHHELD.strip() in text]
    assert later == ["week1-2-answer", "week1-2-test", len(made.cells) - 1]
