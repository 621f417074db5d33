"""Mark assignments: ``python marking.py week1 [NAME ...]``, in the folder of an nbgrader course.

A submission is treated as an untrusted file. A new notebook is made from it, with the locked cells
as they were handed out, and written to ``accepted/``, which nbgrader marks. If a submission can't
be read, the report says why. The code runs in a sandbox (``sandbox.py``) without access to the key
or to other submissions. Only the numbers that come out count, and they are compared here, in a
process that runs no students' code.
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

LARGEST = 20 * 2**20  # largest notebook in bytes
DAY = 24 * 60 * 60
UNSAFE = """WARNING: bubblewrap is missing, older than 0.8, or not allowed to make a sandbox here.
Submissions run with your rights: they can read and change whatever you can, including the key and
all marks. Edited cells and a classmate's numbers still earn nothing, but nothing protects you from
harmful code."""


class Refused(Exception):
    """A submission can't be read; the message says why."""


READY: dict[tuple[str, str], Attempt] = {}  # submissions that ran and must still be marked
NOTES: dict[tuple[str, str], list[str]] = {}


def handed_in(course: Path, name: str, who: str) -> tuple[bytes, list[str]]:
    """Return the content of a submitted notebook, and notes; refuse links and large files."""
    folder = course.resolve() / "submitted" / who / name
    path, notes = folder / f"{name}.ipynb", []
    if not os.path.lexists(path):
        notebooks = sorted(folder.glob("*.ipynb"))
        if len(notebooks) != 1:
            raise Refused(f"there are {len(notebooks)} notebooks, and none is called {name}.ipynb")
        path = notebooks[0]
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
    """Return the cells of a notebook of any version, in any encoding of JSON or Windows."""
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
    """Return a new notebook: the source's cells with the answers, and cells that were added."""
    originals = {grade_id(cell): cell for cell in source.cells if grade_id(cell)}
    cells: list[Any] = []
    placed: dict[str, Any] = {}
    notes: list[str] = []
    for cell in handed:
        text, identity = str(cell.get("source", "")), grade_id(cell)
        cell_type = originals.get(identity, cell).cell_type
        if cell_type != "code":
            text, reasons = harmless(text, pictures(cell.get("attachments")))
            if reasons:
                notes.append(f"a text is shown as it was typed, for its {reasons[0]!r}")
        if identity in originals and identity not in placed:
            made = copy.deepcopy(originals[identity])
            if not made.metadata.nbgrader.locked:
                made.source = text
            placed[identity] = made
        elif cell.cell_type == "code":
            made = nbformat.v4.new_code_cell(text)
        else:
            made = nbformat.v4.new_markdown_cell(text)
        if made.cell_type == "markdown" and (attached := pictures(cell.get("attachments"))):
            made.attachments = nbformat.from_dict(attached)
        cells.append(made)
    place, missing = 0, 0
    # place it after the cell that precedes it in the source
    for identity, original in originals.items():
        if identity not in placed:
            cells.insert(place, copy.deepcopy(original))
            placed[identity] = cells[place]
            missing += 1
        place = next(i for i, cell in enumerate(cells) if cell is placed[identity]) + 1
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"
    if missing:
        notes.append(f"{missing} cells of ours were missing, and were put back")
    return nbformat.v4.new_notebook(cells=cells, metadata=source.metadata), notes


def accept(course: Path, name: str, who: str) -> tuple[Any, bool]:
    """Read a submission and write the notebook to be marked; return it, and whether it is new."""
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
    """Return whether a text is the right number."""
    with suppress(ValueError, TypeError):
        return math.isclose(float(text or ""), wanted, rel_tol=tolerance, abs_tol=1e-6)
    return False


class Marks(SaveAutoGrades):
    """Replace the outputs of test cells by marks, which nbgrader saves."""

    course = Unicode(help="folder of the course").tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Mark one submission, and run it first unless it has run already."""
        facts, course = resources["nbgrader"], Path(self.course)
        name, who = facts["assignment"], facts["student"]
        result = READY.pop((name, who), None)
        if result is None:
            if not sandbox.bubblewrap():
                self.log.warning(UNSAFE)
            result = attempt(course, name, who, nb)
        tasks = load(course / "tasks.toml", course / "key.toml")[name]["task"]
        tests = {f"{task['id']}-test": task for task in tasks if task["kind"] != "paragraph"}
        for cell, outputs in zip(nb.cells, result.outputs, strict=True):
            if cell.cell_type == "code":
                cell.outputs = [nbformat.from_dict(output) for output in outputs]
            if grade_id(cell) in tests:
                self.mark(cell, tests[grade_id(cell)], who, result)
        for note in result.notes:
            self.log.warning("%s/%s: %s", name, who, note)
        NOTES.setdefault((name, who), []).extend(result.notes)
        return super().preprocess(nb, resources)

    def mark(self, cell: Any, task: Any, who: str, result: Attempt) -> None:
        """Write into a test cell how many answers are right, and the marks for them."""
        wanted = right(task, who)
        answers = result.answers.get(grade_id(cell)) or [(None, "left out")] * len(wanted)
        pairs = zip(answers, wanted, strict=True)
        ok = [agrees(text, want, task["tolerance"]) for (text, _), want in pairs]
        words = "right" if task["kind"] == "number" else f"{sum(ok)} of {len(ok)} tries right"
        words = words if any(ok) else "not right for your numbers"
        ends = [end for _, end in answers]
        for end, text in (("error", "ended with an error"), ("late", "did not end in time")):
            words += f"; {ends.count(end)} {text}" if end in ends else ""
        lines = [f"{line[0].upper()}{line[1:]}.\n" for line in (words, *result.notes)]
        cell.outputs = [o for o in cell.outputs if o.get("name") == "stdout"]
        cell.outputs.append(nbformat.v4.new_output("stream", text="".join(lines)))
        mark = str(sum(ok) / len(ok) * cell.metadata.nbgrader.points)
        cell.outputs.append(nbformat.v4.new_output("execute_result", {"text/plain": mark}))


class TenthADay(LateSubmissionPlugin):
    """Late work loses a tenth of its marks for each day or part of a day."""

    def late_submission_penalty(self, student_id: str, score: float, late: float) -> float:
        """Return the lost marks."""
        return min(1.0, 0.1 * math.ceil(late / DAY)) * score


STEPS = [ClearMetadataPreprocessor, Marks, LimitOutput, AssignLatePenalties, CheckCellMetadata]
# Mark again once the paragraphs have marks, because the penalty applies to these, too.
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
    """Mark new submissions, or those of `only`; return a row for each student."""
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
                submission = book.find_submission(name, who)
                penalty = submission.late_submission_penalty
                row["score"] = round(submission.score - penalty, 3)
                if who in todo and submission.total_seconds_late > 0:
                    row["notes"] = "; ".join(filter(None, (row["notes"], f"late, -{penalty:g}")))
    return list(rows.values())


def note(row: dict[str, Any], api: NbGraderAPI, name: str, who: str, ran: Any) -> None:
    """Let nbgrader mark a submission that ran, and add notes to its row."""
    try:
        READY[name, who] = done = ran.result()
        row |= {"seconds": round(done.ran.seconds, 1), "megabytes": done.ran.memory >> 20}
        result = api.autograde(name, who)
        notes = NOTES.pop((name, who), [])
        if not result["success"]:
            notes.insert(0, f"NOT MARKED: {result.get('error', '').strip().splitlines()[-1:]}")
            lines = [line for line in result.get("log", "").splitlines() if "Error" in line]
            notes += lines[-1:]
        row["notes"] = "; ".join(notes)
    except Exception as error:  # any error must not stop the marking of others
        row["notes"] = f"NOT MARKED: {type(error).__name__}: {error}"


def main(words: Sequence[str]) -> None:
    """Mark an assignment, and print the students whose work needs a look."""
    if not words:
        raise SystemExit("usage: python marking.py ASSIGNMENT [NAME ...]")
    course, (name, *only) = Path(__file__).resolve().parent, words
    for who in only:
        if not os.path.lexists(course / "submitted" / who / name):
            raise SystemExit(f"there is no submitted/{who}/{name}")
    if not sandbox.bubblewrap():
        print(UNSAFE, file=sys.stderr)
    warnings.simplefilter("ignore", SAWarning)  # a warning of nbgrader itself
    begin = time.monotonic()
    rows = mark(course, name, only)
    target = course / f"marked_{name}.csv"
    table = {}
    if target.exists():
        with target.open(encoding="utf-8", newline="") as stream:
            table = {row["student"]: row for row in csv.DictReader(stream)}
    for row in rows:  # keep the earlier row of a student who was not marked now
        earlier = {} if "notes" in row else table.get(row["student"], {})
        table[row["student"]] = {"score": 0.0, "notes": "", **earlier, **row}
    with target.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, ["student", "score", "notes", "seconds", "megabytes"])
        writer.writeheader()
        writer.writerows(table[who] for who in sorted(table))
    for row in rows:
        if table[row["student"]]["notes"]:
            print(f"{row['student']}: {table[row['student']]['notes']}")
    minutes, ran = (time.monotonic() - begin) / 60, sum("seconds" in row for row in rows)
    print(f"{ran} of {len(rows)} submissions ran, {minutes:.1f} minutes: {target}")


if __name__ == "__main__":
    import marking  # nbgrader's configuration imports it by this name

    marking.main(sys.argv[1:])
