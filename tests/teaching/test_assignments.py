"""Assignments: a student's own numbers, names in any spelling, and the marks that work deserves.

Marks are tried with nbgrader, which `make -C teaching others` puts where ERRLAB_OTHERS may say: a
class hands in right and wrong, broken and malicious work, see `teaching/rehearsal`.
"""

import csv
import datetime
import os
import re
import shutil
import subprocess
import tomllib
import unicodedata
from pathlib import Path

import nbformat
import pytest

import assignments
import sandbox

ROOT = Path(__file__).parents[2]
OTHERS = Path(os.environ.get("ERRLAB_OTHERS", ROOT / "_build" / "others")).resolve()
NBGRADER = OTHERS / "bin" / "nbgrader"
WEEKS = assignments.load(assignments.TASKS, assignments.KEY)
TASKS = [task for entry in WEEKS.values() for task in entry["task"]]
KEYED = [task for task in TASKS if task["kind"] != "paragraph"]
needs_nbgrader = pytest.mark.skipif(
    not NBGRADER.exists(), reason="needs nbgrader: `make -C teaching others`"
)


def test_eight_assignments_have_a_number_a_function_and_a_paragraph_each():
    assert len(WEEKS) == 8
    for entry in WEEKS.values():
        assert {task["kind"] for task in entry["task"]} == {"number", "function", "paragraph"}
        assert sum(task["points"] for task in entry["task"]) == 10


def test_the_repository_holds_no_answer_and_nothing_to_try_one_against():
    text = assignments.TASKS.read_text("utf-8")
    assert re.findall(r"^(?:answer|solution|cases|check) *=.*", text, re.MULTILINE) == []
    assert re.findall(r"\b[0-9a-f]{8,}\b", text) == []
    # from the file itself, because git may be missing, or refuse a folder of another user
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert f"/{assignments.KEY.parent.relative_to(ROOT).as_posix()}/" in ignored


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("anna.müller", "Anna Müller"),
        ("anna.müller", unicodedata.normalize("NFD", "ANNA_MÜLLER")),
        ("groß", "GROSS"),
        ("o'neil-smith", "O'Neil Smith "),
        ("Ｃｈｅｎ", "chen"),
    ],
)
def test_a_name_is_the_same_however_it_is_spelled(one, other):
    assert assignments.spelled(one) == assignments.spelled(other)
    assert assignments.draw(one, "week1-1 n", 1, 10**6) == assignments.draw(
        other, "week1-1 n", 1, 10**6
    )


def test_names_that_differ_stay_apart():
    names = ["anna", "anne", "änna", "hanna", "anna1", "安娜", "आना", "आनी"]
    assert len({assignments.spelled(name) for name in names}) == len(names)


def test_the_notebook_asks_for_the_name_in_a_cell_that_stays():
    made = assignments.notebook("week1", WEEKS["week1"])
    cells = {cell.id: cell for cell in made.cells}
    assert "nbgrader" not in cells["week1-student"].metadata  # otherwise nbgrader would clear it
    assert [c.id for c in made.cells[:3]] == ["week1-how", "week1-student", "week1-setup"]
    setup = cells["week1-setup"].source
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
    empty = assignments.load(assignments.TASKS, tmp_path / "key.toml")
    days = [entry["due"].date().isoformat() for entry in empty.values()]
    assert days[0] == "2026-10-12"
    assert days[-1] == "2026-11-30"
    answers = {assignments.key_values(task) for e in empty.values() for task in e["task"]}
    assert answers == {"no answer yet"}


@pytest.mark.parametrize("task", KEYED, ids=lambda task: task["id"])
def test_a_task_says_what_it_is_about(task):
    for name in (*task.get("draw", {}), *task.get("arguments", [])):
        assert f"`{name}`" in task["question"] or name in task.get("data", ""), name
    assert f"`answer_{task['id'][-1]}`" in task["question"] or task["kind"] == "function"
    assert len(task.get("example", [])) == len(task.get("arguments", []))


@pytest.mark.skipif(not assignments.KEY.exists(), reason="the key is the lecturer's own")
@pytest.mark.parametrize("task", KEYED, ids=lambda task: task["id"])
def test_the_lecturers_key_tells_students_apart(task):
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
points = 3
draw = { n = [60, 400] }
question = "`n` cases: put four times as many into `answer_1`."
[[week1.task]]
kind = "function"
title = "A function"
points = 4
function = "bound"
arguments = ["n"]
example = [10]
question = "The exact bound after no error in `n` cases."
[[week1.task]]
kind = "paragraph"
title = "A paragraph"
points = 3
question = "Say what it means."
"""
OWN_KEY = """
[week1]
due = 2026-10-12T10:00:00+00:00
[week1.1]
answer = "4 * n"
[week1.2]
answer = "bounds.clopper_pearson(0, n)"
cases = [[20], [50], [100]]
"""


@pytest.fixture(scope="module")
def rehearse(tmp_path_factory):
    """Return a function that rehearses a week with a class of some size, and its course."""
    folder = tmp_path_factory.mktemp("rehearsal")
    for name, text in (("tasks.toml", OWN), ("key.toml", OWN_KEY)):
        (folder / name).write_text(text, "utf-8")

    def run(size):
        command = [
            NBGRADER.with_name("python"),
            ROOT / "teaching" / "rehearsal" / "rehearse.py",
            str(size),
        ]
        command += ["--tasks", folder / "tasks.toml", "--key", folder / "key.toml"]
        command += ["--target", folder / f"of{size}"]
        path = os.pathsep.join((str(ROOT), str(ROOT / "teaching" / "tools")))
        environment = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        return done, folder / f"of{size}" / "course"

    return run


def test_the_rehearsal_that_is_shown_has_all_kinds_and_everybody_got_what_they_should():
    folder = ROOT / "teaching" / "rehearsal"
    text = (folder / "table.md").read_text("utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    kinds = tomllib.loads((folder / "hand_ins.toml").read_text("utf-8"))["hand_in"]
    assert [row[0] for row in rows[2:]] == [kind["words"] for kind in kinds]
    assert sum(int(row[1]) for row in rows[2:]) == 100
    assert [row for row in rows[2:] if row[2] != row[3]] == []
    cheats = sum(kind.get("cheat", False) for kind in kinds)
    page = " ".join((ROOT / "book" / "instructors.md").read_text("utf-8").split())
    assert f"{len(kinds) - cheats} kinds of ordinary work and {cheats} ways to cheat" in page


@pytest.mark.slow
@needs_nbgrader
def test_every_kind_of_hand_in_gets_what_it_deserves_and_harms_nobody(rehearse):
    done, course = rehearse(60)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split(" | ") for line in done.stdout.splitlines() if line.startswith("| ")][2:]
    cheats = sum(row[0].startswith("| cheat: ") for row in rows)
    assert len(rows) - cheats == 26
    assert cheats == (27 if sandbox.bubblewrap() else 0)
    released = (course / "release" / "week1" / "week1.ipynb").read_text("utf-8")
    assert [word for word in ("4 * n", "[[20], [50]", "clopper_pearson") if word in released] == []
    assert 'student = \\"\\"' in released


@pytest.mark.slow
@needs_nbgrader
def test_a_class_of_twelve_and_one_who_is_marked_again(rehearse):
    done, course = rehearse(12)
    assert done.returncode == 0, done.stdout + done.stderr
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(course)}
    path = f"{NBGRADER.parent}{os.pathsep}{os.environ['PATH']}"

    def python(*words):
        run = subprocess.run(
            [*map(str, words)], cwd=course, env=environment | {"PATH": path},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert run.returncode == 0, run.stderr[-3000:]
        return run.stdout

    def marked():
        with (course / "marked_week1.csv").open(encoding="utf-8") as stream:
            return {row["student"]: row for row in csv.DictReader(stream)}

    before = marked()
    assert len(before) == 12
    printed = python(NBGRADER.with_name("python"), "marking.py", "week1")
    assert "0 of 12 submissions ran" in printed
    assert marked().keys() == before.keys()
    assert [row["notes"] for row in marked().values()] == [row["notes"] for row in before.values()]
    who = next(path.parts[-3] for path in course.glob("submitted/*/week1/week1.ipynb"))
    file = course / "submitted" / who / "week1" / "week1.ipynb"
    tasks = assignments.load(course / "tasks.toml", course / "key.toml")["week1"]["task"]
    notebook = nbformat.read(course / "release" / "week1" / "week1.ipynb", 4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "week1-1-answer":
            cell.source = f"answer_1 = {assignments.right(tasks[0], who)[0]}"
    shutil.rmtree(file.parent)
    file.parent.mkdir()
    nbformat.write(notebook, file)
    printed = python(NBGRADER.with_name("python"), "marking.py", "week1", who)
    assert "1 of 1 submissions ran" in printed
    assert marked().keys() == before.keys()
    assert float(marked()[who]["score"]) in (3, 5)  # an earlier paragraph keeps its marks
    assert f"{who}: the name in the notebook is ''" in printed
    # nbgrader's own command, and so its button, uses the sandbox, too
    python(NBGRADER, "autograde", "week1", "--force", f"--student={who}")
    with (course / "grades.csv").open(encoding="utf-8") as stream:
        assert len(list(csv.DictReader(stream))) == 12
