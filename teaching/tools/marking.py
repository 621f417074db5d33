"""How the assignments are marked: ``python marking.py week1 [NAME ...]``, in a course of nbgrader.

Each submission is read as what it may be, a file by anybody: a fresh notebook is made of it, with
the locked cells as they were given out, and put into ``accepted/``, which nbgrader marks. What
cannot be read is named with the reason. The code runs in a sandbox (``sandbox.py``), which knows
neither the key nor the other submissions. Of what comes out only numbers count, and they are
compared here, in a process that runs no code of students.
"""

from __future__ import annotations

import copy
import csv
import json
import math
import os
import stat
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.preprocessors import ClearMetadataPreprocessor, CSSHTMLHeaderPreprocessor
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGraderAPI
from nbgrader.apps.baseapp import NbGrader
from nbgrader.plugins import LateSubmissionPlugin
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    GetGrades,
    LimitOutput,
    SaveAutoGrades,
)
from nbgrader.utils import parse_utc
from sqlalchemy.exc import SAWarning
from traitlets import Unicode

import sandbox
from assignments import load, right
from attempt import Attempt, attempt, grade_id
from harmless import harmless, pictures

LARGEST = 20 * 2**20  # bytes of a notebook
DAY = 24 * 60 * 60
UNSAFE = """WARNING: bubblewrap is missing, older than 0.8, or may not make a sandbox here.
Submissions run as programs of yours: they can read and change what you can, this key and all
marks included. Edited cells and numbers of neighbours earn nothing; against code you are not
protected."""


class Refused(Exception):
    """A submission that cannot be read, and why."""


READY: dict[tuple[str, str], Attempt] = {}  # what has run, and waits to be marked
NOTES: dict[tuple[str, str], list[str]] = {}


def handed_in(course: Path, name: str, who: str) -> tuple[bytes, list[str]]:
    """Return the notebook of a submission: a file of its own, not too large."""
    folder = course.resolve() / "submitted" / who / name
    path, notes = folder / f"{name}.ipynb", []
    if not os.path.lexists(path):
        found = sorted(folder.glob("*.ipynb"))
        if len(found) != 1:
            raise Refused(f"there are {len(found)} notebooks, and none is called {name}.ipynb")
        path = found[0]
        notes = [f"the file is called {path.name}"]
    if path.resolve() != path:
        raise Refused("it is a link to another place")
    facts = path.lstat()
    if not stat.S_ISREG(facts.st_mode):
        raise Refused("it is not a file")
    if facts.st_size > LARGEST:
        raise Refused(f"it has {facts.st_size / 2**20:.0f} MB, more than {LARGEST / 2**20:.0f}")
    if facts.st_size == 0:
        raise Refused("it is empty")
    return path.read_bytes(), notes


def parsed(content: bytes) -> Any:
    """Return the cells of a notebook of any version, in any encoding that JSON or Windows knows."""
    try:
        try:
            tree = json.loads(content)
        except UnicodeDecodeError:
            tree = json.loads(content.decode("cp1252", "replace"))
        return nbformat.reads(json.dumps(tree), 4).cells
    except (Exception, RecursionError) as error:
        raise Refused(
            f"it is not a notebook ({type(error).__name__}: {str(error)[:80]})"
        ) from error


def rebuilt(handed: Sequence[Any], source: Any) -> tuple[Any, list[str]]:
    """Return a fresh notebook: the source's cells with the answers, and the student's own cells."""
    known = {grade_id(cell): cell for cell in source.cells if grade_id(cell)}
    cells: list[Any] = []
    seen: dict[str, Any] = {}
    notes: list[str] = []
    for cell in handed:
        text, identity = str(cell.get("source", "")), grade_id(cell)
        known_type = known[identity].cell_type if identity in known else cell.cell_type
        if known_type != "code":
            text, reasons = harmless(text, pictures(cell.get("attachments")))
            if reasons:
                notes.append(f"a text is shown as it was typed, for its {reasons[0]!r}")
        if identity in known and identity not in seen:
            made = copy.deepcopy(known[identity])
            if not made.metadata.nbgrader.locked:
                made.source = text
            seen[identity] = made
        elif cell.cell_type == "code":
            made = nbformat.v4.new_code_cell(text)
        else:
            made = nbformat.v4.new_markdown_cell(text)
        if made.cell_type == "markdown" and (attached := pictures(cell.get("attachments"))):
            made.attachments = nbformat.from_dict(attached)
        cells.append(made)
    place, missing = 0, 0
    for identity, cell in known.items():  # in the source's order: each after the one before it
        if identity not in seen:
            cells.insert(place, copy.deepcopy(cell))
            seen[identity] = cells[place]
            missing += 1
        place = next(i for i, each in enumerate(cells) if each is seen[identity]) + 1
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"
    if missing:
        notes.append(f"{missing} cells of ours were missing, and were put back")
    return nbformat.v4.new_notebook(cells=cells, metadata=source.metadata), notes


def accept(course: Path, name: str, who: str) -> tuple[Any, bool]:
    """Read a submission, write what is to be marked; return it, and whether it is new."""
    content, notes = handed_in(course, name, who)
    source = nbformat.read(course / "release" / name / f"{name}.ipynb", 4)
    notebook, more = rebuilt(parsed(content), source)
    target = course / "accepted" / who / name
    text = nbformat.writes(notebook)
    path = target / f"{name}.ipynb"
    new = not path.exists() or path.read_text("utf-8") != text
    target.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    when = course / "submitted" / who / name / "timestamp.txt"
    (target / "timestamp.txt").unlink(missing_ok=True)
    if os.path.lexists(when):
        try:
            if not stat.S_ISREG(when.lstat().st_mode) or when.lstat().st_size > 100:
                raise ValueError("it is not a short file")
            moment = when.read_text("utf-8").strip()
            parse_utc(moment)
            (target / "timestamp.txt").write_text(moment, "utf-8")
        except (ValueError, OverflowError) as error:
            more.append(f"timestamp.txt says no time: {error}")
    NOTES[name, who] = [*notes, *more]
    return notebook, new


def agrees(text: str | None, wanted: float, tolerance: float) -> bool:
    """Return whether a text is the number that is wanted."""
    with suppress(ValueError, TypeError):
        return math.isclose(float(text or ""), wanted, rel_tol=tolerance, abs_tol=1e-6)
    return False


class Marks(SaveAutoGrades):
    """Put marks in place of the outputs of tests, for nbgrader to save."""

    course = Unicode(help="folder of the course").tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Mark one submission; it runs now unless it has run before."""
        facts, course = resources["nbgrader"], Path(self.course)
        name, who = facts["assignment"], facts["student"]
        told = READY.pop((name, who), None)
        if told is None:
            if not sandbox.bubblewrap():
                self.log.warning(UNSAFE)
            told = attempt(course, name, who, nb)
        tasks = load(course / "tasks.toml", course / "key.toml")[name]["task"]
        tests = {f"{task['id']}-test": task for task in tasks if task["kind"] != "paragraph"}
        for cell, outputs in zip(nb.cells, told.outputs, strict=True):
            if cell.cell_type == "code":
                cell.outputs = [nbformat.from_dict(output) for output in outputs]
            if grade_id(cell) in tests:
                self.mark(cell, tests[grade_id(cell)], who, told)
        for note in told.notes:
            self.log.warning("%s/%s: %s", name, who, note)
        NOTES.setdefault((name, who), []).extend(told.notes)
        return super().preprocess(nb, resources)

    def mark(self, cell: Any, task: Any, who: str, told: Attempt) -> None:
        """Write into a test cell which part is right, and the marks for it."""
        wanted = right(task, who)
        said = told.answers.get(grade_id(cell)) or [(None, "left out")] * len(wanted)
        pairs = zip(said, wanted, strict=True)
        ok = [agrees(text, want, task["tolerance"]) for (text, _), want in pairs]
        words = "right" if task["kind"] == "number" else f"{sum(ok)} of {len(ok)} tries right"
        words = words if any(ok) else "not right for your numbers"
        ends = [end for _, end in said]
        for end, text in (("error", "ended with an error"), ("late", "did not end in time")):
            words += f"; {ends.count(end)} {text}" if end in ends else ""
        lines = [f"{line[0].upper()}{line[1:]}.\n" for line in (words, *told.notes)]
        cell.outputs = [o for o in cell.outputs if o.get("name") == "stdout"]
        cell.outputs.append(nbformat.v4.new_output("stream", text="".join(lines)))
        mark = str(sum(ok) / len(ok) * cell.metadata.nbgrader.points)
        cell.outputs.append(nbformat.v4.new_output("execute_result", {"text/plain": mark}))


class TenthADay(LateSubmissionPlugin):
    """A tenth of the marks is lost for each day that has begun."""

    def late_submission_penalty(self, student_id: str, score: float, late: float) -> float:
        """Return what is lost."""
        return min(1.0, 0.1 * math.ceil(late / DAY)) * score


STEPS = [ClearMetadataPreprocessor, Marks, LimitOutput, AssignLatePenalties, CheckCellMetadata]
# Once more when the paragraphs have their marks, since these are late as well.
FEEDBACK = [AssignLatePenalties, GetGrades, CSSHTMLHeaderPreprocessor]


@contextmanager
def opened(course: Path) -> Iterator[NbGraderAPI]:
    """Open nbgrader in the folder of the course, with its configuration."""
    before = Path.cwd()
    os.chdir(course)
    try:
        app = NbGrader()
        app.load_config_file()
        app.config.CourseDirectory.submitted_directory = "accepted"
        app.config.CourseDirectory.root = str(course)
        api = NbGraderAPI(config=app.config)
        api.log_level = "ERROR"
        yield api
    finally:
        os.chdir(before)


def mark(course: Path, name: str, only: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Mark what is new, or those who are named; return a row for each."""
    every = sorted(p.parent.name for p in course.glob(f"submitted/*/{name}"))
    rows: dict[str, dict[str, Any]] = {who: {"student": who} for who in only or every}
    waiting = {}
    for who in rows:
        try:
            notebook, new = accept(course, name, who)
            if only or new or not (course / "autograded" / who / name).exists():
                waiting[who] = notebook
        except (Refused, OSError) as error:
            rows[who]["notes"] = f"NOT READ: {error}"
    with opened(course) as api, Gradebook(api.coursedir.db_url, "errlab") as book:
        due = load(course / "tasks.toml", course / "key.toml")[name]["due"]
        book.update_or_create_assignment(name, duedate=due and parse_utc(due))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            todo = {who: pool.submit(attempt, course, name, who, n) for who, n in waiting.items()}
        for who, row in rows.items():
            book.update_or_create_student(who)
            if who in todo:
                note(row, api, name, who, todo[who])
            with suppress(MissingEntry):
                book.db.expire_all()
                found = book.find_submission(name, who)
                penalty = found.late_submission_penalty
                row["score"] = round(found.score - penalty, 3)
                if who in todo and found.total_seconds_late > 0:
                    row["notes"] = "; ".join(filter(None, (row["notes"], f"late, -{penalty:g}")))
    return list(rows.values())


def note(row: dict[str, Any], api: NbGraderAPI, name: str, who: str, ran: Any) -> None:
    """Let nbgrader mark what has run, and note what is to be said of it."""
    try:
        READY[name, who] = told = ran.result()
        row |= {"seconds": round(told.ran.seconds, 1), "megabytes": told.ran.memory >> 20}
        result = api.autograde(name, who)
        notes = NOTES.pop((name, who), [])
        if not result["success"]:
            notes.insert(0, f"NOT MARKED: {result.get('error', '').strip().splitlines()[-1:]}")
            lines = [line for line in result.get("log", "").splitlines() if "Error" in line]
            notes += lines[-1:]
        row["notes"] = "; ".join(notes)
    except Exception as error:  # whatever it is, the others are marked
        row["notes"] = f"NOT MARKED: {type(error).__name__}: {error}"


def main(words: Sequence[str]) -> None:
    """Mark an assignment, and print whom to look at."""
    if not words:
        raise SystemExit("usage: python marking.py ASSIGNMENT [NAME ...]")
    course, (name, *only) = Path(__file__).resolve().parent, words
    for who in only:
        if not os.path.lexists(course / "submitted" / who / name):
            raise SystemExit(f"there is no submitted/{who}/{name}")
    if not sandbox.bubblewrap():
        print(UNSAFE, file=sys.stderr)
    warnings.simplefilter("ignore", SAWarning)  # nbgrader's own
    begin = time.monotonic()
    rows = mark(course, name, only)
    target = course / f"marked_{name}.csv"
    known = {}
    if target.exists():
        with target.open(encoding="utf-8", newline="") as stream:
            known = {row["student"]: row for row in csv.DictReader(stream)}
    for row in rows:  # of who was not marked now, what was said before
        said = {} if "notes" in row else known.get(row["student"], {})
        known[row["student"]] = {"score": 0.0, "notes": "", **said, **row}
    with target.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, ["student", "score", "notes", "seconds", "megabytes"])
        writer.writeheader()
        writer.writerows(known[who] for who in sorted(known))
    for row in rows:
        if known[row["student"]]["notes"]:
            print(f"{row['student']}: {known[row['student']]['notes']}")
    minutes, ran = (time.monotonic() - begin) / 60, sum("seconds" in row for row in rows)
    print(f"{ran} of {len(rows)} submissions ran, {minutes:.1f} minutes: {target}")


if __name__ == "__main__":
    import marking  # once, under the name by which nbgrader's configuration knows it

    marking.main(sys.argv[1:])
