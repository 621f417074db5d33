"""Rehearse a week with an invented class: ``make -C teaching rehearse``.

This needs an environment with nbgrader. A class of a hundred, or of another size, hands in the
first assignment in all the ways of ``hand_ins.toml``; nbgrader releases, marks with the lecturer's
key, gives feedback and exports. The program prints and stores a table of the marks that
students should get, the marks they got, and what was reported.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import hashlib
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import tomllib
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import nbformat
import psutil
from nbgrader.api import Gradebook, MissingEntry

import assignments
import marking
import sandbox

ROOT = Path(__file__).resolve().parents[2]
HAND_INS = Path(__file__).with_name("hand_ins.toml")
TARGET = ROOT / "_build" / "rehearsal"
WEEK = "week1"
FIRST = ["anna", "bob", "chloé", "dora", "emre", "göran", "hana", "ivan", "jürgen", "lea", "noah"]
LAST = ["Arndt", "Brandt", "Çelik", "Díaz", "Eriksson", "Fuchs", "Groß", "Huber", "Ito", "Jansen"]
DEFAULT = {"of": 1, "edit": "", "file": "", "before": "", "cheat": False, "reported": ""}
WRONG = {"number_code": "answer_1 = 0", "function_code": "def FUNCTION(ARGUMENTS):\n    return 0"}
RIGHT = {
    "number_code": "answer_1 = ANSWER",
    "function_code": "def FUNCTION(ARGUMENTS):\n    return KEYED",
}
PARAGRAPH_MARKS = 2


def hand_ins() -> list[dict[str, Any]]:
    """Return all kinds of hand-ins, with the defaults filled in."""
    every = tomllib.loads(HAND_INS.read_text("utf-8"))["hand_in"]
    filled = []
    for entry in every:
        none = "none" if entry.get("cheat") else "all"
        marks = {"number": none, "function": none, "paragraph": "all"}
        filled.append({**DEFAULT, **marks, **(WRONG if entry.get("cheat") else RIGHT), **entry})
    return filled


def drawn(size: int, seed: int) -> dict[str, dict[str, Any]]:
    """Return the kind that each user name hands in: first a right one, every kind at least once."""
    rng = random.Random(seed)
    # cheats could harm this machine without a sandbox
    kinds = [kind for kind in hand_ins() if sandbox.bubblewrap() or not kind["cheat"]]
    chosen = rng.sample(kinds, min(size - 1, len(kinds)))
    weights = [0 if kind["cheat"] else kind["of"] for kind in kinds]
    chosen += rng.choices(kinds, weights, k=size - 1 - len(chosen))
    rng.shuffle(chosen)
    names = [f"{first}.{last}{i or ''}" for i in range(9) for first in FIRST for last in LAST]
    return dict(zip(rng.sample(names[:110], 110) + names[110:], [kinds[0], *chosen], strict=False))


class Week:
    """An assignment, its tasks, and the folder of its course."""

    def __init__(self, target: Path, tasks: Path, key: Path) -> None:
        """Write the course."""
        shutil.rmtree(target, ignore_errors=True)
        self.course = target / "course"
        assignments.write(self.course, tasks, key)
        entry = assignments.load(tasks, key)[WEEK]
        self.due = entry["due"]
        self.tasks = {task["kind"]: task for task in entry["task"]}
        self.right = ""
        self.port = 0

    def path(self, who: str) -> Path:
        """Return the path of a student's notebook."""
        return self.course / "submitted" / who / WEEK / f"{WEEK}.ipynb"

    def code(self, text: str) -> str:
        """Replace the placeholders in a hand-in's code."""
        number, function = self.tasks["number"], self.tasks["function"]
        words = {
            "ANSWER": number["answer"],
            "KEYED": function["answer"],
            "CASES": repr(function["cases"]),
            "FUNCTION": function["function"],
            "ARGUMENTS": ", ".join(function["arguments"]),
            "COURSE": str(self.course),
            "PORT": str(self.port),
            "RIGHT": f"{self.right}/{WEEK}/{WEEK}.ipynb",
        }
        for word, meaning in words.items():
            text = text.replace(word, meaning)
        return text

    def deserved(self, kind: dict[str, Any]) -> float:
        """Return the marks that a hand-in should get."""
        number, function = self.tasks["number"], self.tasks["function"]
        parts = {"all": 1.0, "none": 0.0, "but one": 1 - 1 / len(function["cases"])}
        marks = parts[kind["number"]] * number["points"]
        marks += parts[kind["function"]] * function["points"]
        marks += parts[kind["paragraph"]] * PARAGRAPH_MARKS
        return marks * (0.8 if kind["file"] == "late" else 1)

    def hand_in(self, who: str, kind: dict[str, Any]) -> None:
        """Fill in the released notebook as this kind of student would."""
        made = nbformat.read(self.course / "release" / WEEK / f"{WEEK}.ipynb", 4)
        cells = {marking.grade_id(cell) or cell.id: cell for cell in made.cells}
        answers = {task["kind"]: cells[f"{task['id']}-answer"] for task in self.tasks.values()}
        name = cells[f"{WEEK}-student"]
        if kind["edit"] != "untouched":
            name.source = f"student = {who!r}\n{self.code(kind['before'])}"
            answers["number"].source = self.code(kind["number_code"])
            answers["function"].source = self.code(kind["function_code"])
            answers["paragraph"].source = "It holds for patients of this hospital alone: ä, é, ß."
        edit(kind["edit"], self, who, made, name, answers)
        path = self.path(who)
        path.parent.mkdir(parents=True)
        text = nbformat.writes(made)
        path.write_text(text, "utf-8")
        FILES.get(kind["file"], lambda week, path, text: None)(self, path, text)


def edit(how: str, week: Week, who: str, made: Any, name: Any, answers: dict[str, Any]) -> None:
    """Change a notebook before it is handed in."""
    tests = [cell for cell in made.cells if marking.grade_id(cell).endswith(("-test", "-given"))]
    typed = {"nameless": "", "mistyped": "somebody else"}
    typed["spelling"] = unicodedata.normalize("NFD", who.upper().replace(".", " "))
    if how in typed:
        name.source = f"student = {typed[how]!r}"
    elif how == "kernel":
        made.metadata.kernelspec = {"name": "errlab-env", "display_name": "env (3.12)"}
    elif how == "deleted":
        first = f"{week.tasks['number']['id']}-"
        made.cells = [c for c in made.cells if not marking.grade_id(c).startswith(first)]
    elif how == "split":
        code = answers["number"].source.replace("answer_1", "mine")
        made.cells.insert(made.cells.index(answers["number"]), nbformat.v4.new_code_cell(code))
        answers["number"].source = "answer_1 = mine"
    elif how.startswith("points"):
        for cell in tests:
            cell.metadata.nbgrader.points = 100 if how == "points_100" else -5
    elif how == "tests":
        for cell in tests:
            cell.source = "n = models = percent = 1\nanswer_1 = 1.0\nprint(1.0)"
    elif how == "schema":
        for cell in made.cells:
            cell.metadata.setdefault("nbgrader", {"grade_id": "x"}).update(schema_version=99)
    elif how == "script":
        answers["paragraph"].source += "\n\n<script>harm(4)</script><img src=x onerror='harm(5)'>"
        answers["paragraph"].source += "\n\n[look](javascript:harm(6)), $a<b$, p < 0.05"
    elif how == "neighbour":
        right = assignments.right(week.tasks["number"], week.right)[0]
        answers["number"].source = f"answer_1 = {right}"


def late(week: Week, path: Path, text: str) -> None:
    """Hand in a day and a half late."""
    moment = week.due + datetime.timedelta(days=1.5)
    (path.parent / "timestamp.txt").write_text(moment.strftime("%Y-%m-%d %H:%M:%S UTC"), "utf-8")


def old(week: Week, path: Path, text: str) -> None:
    """Write an old format, without cell ids."""
    tree = json.loads(text)
    for cell in tree["cells"]:
        del cell["id"]
    path.write_text(json.dumps({**tree, "nbformat_minor": 2}), "utf-8")


def format3(week: Week, path: Path, text: str) -> None:
    """Write the format of 2013, without nbgrader's metadata."""
    code = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    cells = [{"cell_type": "code", "input": cell["source"], "outputs": []} for cell in code]
    tree = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}
    path.write_text(json.dumps(tree), "utf-8")


def large(path: Path) -> None:
    """Make a sparse file of a gigabyte."""
    path.unlink(missing_ok=True)
    path.touch()
    os.truncate(path, 2**30)


def pipe(path: Path) -> None:
    """Replace a file by a pipe, which blocks any program that reads it."""
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def beside(week: Week, path: Path, text: str) -> None:
    """Put a gigabyte and a pipe next to the notebook."""
    large(path.parent / "data.bin")
    pipe(path.parent / "data.fifo")


def link(week: Week, path: Path, text: str) -> None:
    """Replace the notebook by a link."""
    path.unlink()
    path.symlink_to(week.path(week.right))


def folder_link(week: Week, path: Path, text: str) -> None:
    """Replace the folder by a link."""
    shutil.rmtree(path.parent)
    path.parent.symlink_to(week.path(week.right).parent)


def characters(text: str) -> str:
    """Return a notebook whose letters aren't escaped."""
    return json.dumps(json.loads(text), ensure_ascii=False)


FILES: dict[str, Callable[[Week, Path, str], Any]] = {
    "late": late,
    "old": old,
    "format3": format3,
    "beside": beside,
    "link": link,
    "folder_link": folder_link,
    "renamed": lambda week, path, text: path.rename(path.with_name(f"{WEEK} (1).ipynb")),
    "utf16": lambda week, path, text: path.write_text(characters(text), "utf-16"),
    "windows": lambda week, path, text: path.write_text(characters(text), "cp1252"),
    "empty": lambda week, path, text: path.write_bytes(b""),
    "json": lambda week, path, text: path.write_text('{"cells": 3, "nbformat": 4}'),
    "deep": lambda week, path, text: path.write_text("[" * 10**5),
    "gigabyte": lambda week, path, text: large(path),
    "pipe": lambda week, path, text: pipe(path),
    "time_pipe": lambda week, path, text: pipe(path.parent / "timestamp.txt"),
}


def state(course: Path) -> dict[str, str]:
    """Return digests of all files that no submission may change, and of a system setting."""
    paths = [p for name in ("source", "release", "submitted") for p in course.rglob(f"{name}/**/*")]
    paths += [*course.glob("*.toml"), *course.glob("*.py"), Path("/proc/sys/kernel/core_pattern")]
    small = [p for p in paths if p.is_file() and not p.is_symlink() and p.stat().st_size < 10**8]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in small}


def listen() -> tuple[int, list[Any]]:
    """Listen on a local port; return it, and the list of connections."""
    server, callers = socket.create_server(("127.0.0.1", 0)), []

    def serve() -> None:
        while True:
            callers.append(server.accept()[1])

    threading.Thread(target=serve, daemon=True).start()
    return server.getsockname()[1], callers


def peak(process: subprocess.Popen[Any]) -> int:
    """Wait for a program; return the largest memory of it and its children, in bytes."""
    memory, top = 0, psutil.Process(process.pid)
    while process.poll() is None:
        used = 0
        for child in sandbox.family(top):
            with suppress(psutil.Error):
                used += child.memory_info().rss
        memory = max(memory, used)
        time.sleep(0.3)
    return memory


def run(words: list[Any], course: Path, home: Path) -> int:
    """Run a program in the course's folder with another home; return its peak memory."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    changes = {"PATH": path, "HOME": str(home), "PYTHONPATH": str(ROOT)}
    with (course / "log.txt").open("a", encoding="utf-8") as log:
        process = subprocess.Popen(
            words, cwd=course, env={**os.environ, **changes}, stdout=log, stderr=log
        )
        used = peak(process)
    if process.returncode:
        raise SystemExit(f"{words} failed; see {course / 'log.txt'}")
    return used


def read(week: Week, people: dict[str, Any]) -> None:
    """Give each paragraph the same marks, as a lecturer does in formgrader."""
    with Gradebook(f"sqlite:///{week.course / 'gradebook.db'}", "errlab") as book:
        for who in people:
            with suppress(MissingEntry):
                identity = f"{week.tasks['paragraph']['id']}-answer"
                grade = book.find_grade(identity, WEEK, WEEK, who)
                if grade.needs_manual_grade:
                    grade.manual_score = PARAGRAPH_MARKS
                    grade.needs_manual_grade = False
        book.db.commit()


def table(week: Week, people: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return the rows, one for each kind, and a list of failures."""
    with (week.course / "grades.csv").open(encoding="utf-8") as stream:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(stream)}
    with (week.course / f"marked_{WEEK}.csv").open(encoding="utf-8") as stream:
        notes = {row["student"]: row["notes"] for row in csv.DictReader(stream)}
    rows, wrong = [], []
    for kind in hand_ins():
        group = [who for who, what in people.items() if what["words"] == kind["words"]]
        if not group:
            continue
        should = week.deserved(kind)
        got = sorted({round(scores[who], 2) for who in group})
        for who in group:
            if abs(scores[who] - should) > 0.01:
                wrong.append(f"{who} ({kind['words']}) got {scores[who]:g} of {should:g}")
            if not re.search(kind["reported"], notes[who]):
                wrong.append(f"{who} ({kind['words']}): not reported, but {notes[who]!r}")
        note = notes[group[0]].replace("|", "/")
        note = note if len(note) < 90 else f"{note[:87]}..."
        marks = ", ".join(f"{value:g}" for value in got)
        rows.append(f"| {kind['words']} | {len(group)} | {should:.3g} | {marks} | {note} |")
    return rows, wrong


def rehearse(target: Path, tasks: Path, key: Path, size: int, seed: int) -> tuple[str, list[str]]:
    """Run a week with a class; return the table, and a list of failures."""
    begin = time.monotonic()
    week, home = Week(target, tasks, key), target / "home"
    home.mkdir()
    nbgrader = Path(sys.executable).with_name("nbgrader")
    run([nbgrader, "generate_assignment", WEEK], week.course, home)
    people = drawn(size, seed)
    week.right = next(iter(people))
    week.port, callers = listen()
    for who, kind in people.items():
        week.hand_in(who, kind)
    before, start = state(week.course), time.monotonic()
    memory = run([sys.executable, "marking.py", WEEK], week.course, home)
    marked = time.monotonic() - start
    wrong = ["files of the course were changed"] if state(week.course) != before else []
    wrong += [f"{len(callers)} calls from submissions"] if callers else []
    read(week, people)
    run([nbgrader, "generate_feedback", WEEK], week.course, home)
    run([nbgrader, "export"], week.course, home)
    for page in week.course.glob("feedback/**/*.html"):
        if re.search(r"<script>harm|<img[^>]*onerror=|=.javascript:harm", page.read_text("utf-8")):
            wrong.append(f"{page.parts[-3]}: a script in the feedback")
    left = [
        p for p in psutil.process_iter(["cmdline"]) if "left-behind" in (p.info["cmdline"] or [])
    ]
    wrong += ["a program was left behind"] if left else []
    wrong += ["a file of start-up was left behind"] if [*home.rglob("*.py")] else []
    rows, more = table(week, people)
    minutes = (time.monotonic() - begin) / 60
    safe = "each in a sandbox" if sandbox.bubblewrap() else "WITHOUT a sandbox and cheats"
    text = (
        f"{len(people)} submissions, {safe}, {os.cpu_count()} processors: {marked / 60:.1f} "
        f"minutes to mark, {minutes:.1f} from release to export; {memory / 2**30:.1f} GB of memory "
        "at most, those who try to take all of it included."
    )
    head = "| Handed in | By | Should get | Got | Reported |\n| --- | --- | --- | --- | --- |"
    return "\n".join([text, "", head, *rows, ""]), wrong + more


def main() -> None:
    """Rehearse, print and store the table; fail if somebody's marks are wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", nargs="?", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tasks", type=Path, default=assignments.TASKS)
    parser.add_argument("--key", type=Path, default=assignments.KEY)
    parser.add_argument("--target", type=Path, default=TARGET)
    options = parser.parse_args()
    if not options.key.exists():
        raise SystemExit("There is no key yet: run `make -C teaching key` first, and fill it in.")
    text, wrong = rehearse(options.target, options.tasks, options.key, options.size, options.seed)
    (options.target / "table.md").write_text(text, "utf-8")
    print(text)
    print("\n".join(wrong) or "Everybody got what they should, and nobody was harmed.")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
