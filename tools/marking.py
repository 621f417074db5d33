"""How nbgrader marks the assignments: outside of the kernels, after the last of them has ended.

At the first submission everything is read: tasks, key, all that was handed in, the gradebook. What
is right is computed. Then all submissions run, each in a kernel of its own; files that they have
changed are put back. Of each graded cell only the numbers that it printed are kept, and compared
here, in nbgrader's process. A submission still runs as the marker's user: mark in a container.
"""

from __future__ import annotations

import math
import re
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbgrader.api import Gradebook
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    LimitOutput,
    SaveAutoGrades,
)
from traitlets import Unicode

from assignments import load, right

NUMBER = re.compile(r"[-+]?\d+(\.\d*)?(e[-+]?\d+)?")


def grade_id(cell: Any) -> str:
    """Return nbgrader's name of a cell."""
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def printed(cell: Any) -> str:
    """Return what a cell wrote to the standard output."""
    outputs = [o for o in cell.get("outputs", []) if o.get("name") == "stdout"]
    return "".join(output.text for output in outputs).strip()


def run(source: Any, handed: Any) -> Any:
    """Run a submission, its locked cells as they were given out; return it with its outputs."""
    locked = {grade_id(c): c.source for c in source.cells if c.metadata.nbgrader.locked}
    for cell in handed.cells:
        cell.source = locked.get(grade_id(cell), cell.source)
        if cell.cell_type == "code":
            cell.outputs = []
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            handed,
            timeout=60,
            allow_errors=True,
            kernel_manager_class=AsyncKernelManager,
            resources={"metadata": {"path": folder}},
        )
        with suppress(CellTimeoutError, DeadKernelError):  # what was printed before counts
            client.execute()
    return handed


def put_back(path: Path, content: bytes) -> None:
    """Make a file what it was, also one that nbgrader has made read-only."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_bytes(content)


@cache
def everyone(course: Path, name: str) -> dict[str, tuple[Any, dict[str, list[float]]]]:
    """Return, for each student, the executed notebook and what is right; nothing is marked yet."""
    tasks = load(course / "tasks.toml", course / "key.toml")[name]["task"]
    graded = [task for task in tasks if task["kind"] != "paragraph"]
    source = nbformat.read(course / "source" / name / f"{name}.ipynb", 4)
    paths = {p.parts[-3]: p for p in sorted(course.glob(f"submitted/*/{name}/{name}.ipynb"))}
    kept = {p: p.read_bytes() for p in course.rglob("*") if p.is_file()}
    answers = {who: {f"{t['id']}-test": right(t, who) for t in graded} for who in paths}
    handed = {who: nbformat.reads(kept[path].decode(), 4) for who, path in paths.items()}
    (course / "key.toml").unlink()  # so that no submission can read it
    try:
        said = {who: run(source, notebook) for who, notebook in handed.items()}
    finally:
        for path, content in kept.items():
            put_back(path, content)
    return {who: (said[who], answers[who]) for who in paths}


def share(text: str, wanted: list[float]) -> float:
    """Return which share of the numbers in a text are right; the example's number comes first."""
    found = text.split()[-len(wanted) :]
    if len(found) < len(wanted) or not all(NUMBER.fullmatch(word) for word in found):
        return 0.0
    pairs = zip(map(float, found), wanted, strict=True)
    return sum(math.isclose(*pair, rel_tol=1e-3, abs_tol=1e-6) for pair in pairs) / len(wanted)


class Marks(SaveAutoGrades):
    """Put marks in place of outputs, for nbgrader to save; report a name that is not the folder."""

    course = Unicode(help="folder of the course").tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Mark one submission."""
        facts = resources["nbgrader"]
        name, who = facts["assignment"], facts["student"]
        said, wanted = everyone(Path(self.course), name)[who]
        texts = {grade_id(cell): printed(cell) for cell in said.cells}
        typed = texts.get(f"{name}-setup", "")
        strange = typed.lower() != who.lower()
        shown = {cell.id: cell.outputs for cell in said.cells if cell.cell_type == "code"}
        report = f"The name in the notebook, {typed!r}, is not that of the folder, {who!r}."
        for cell in nb.cells:
            identity = grade_id(cell)
            if cell.cell_type == "code":
                cell.outputs = shown.get(cell.id, [])
            if identity in wanted:
                part = share(texts.get(identity, ""), wanted[identity])
                told = f"{part:.0%} right for your numbers." + (f" {report}" if strange else "")
                mark = str(part * cell.metadata.nbgrader.points)
                cell.outputs = [
                    nbformat.v4.new_output("stream", text=f"{told}\n"),
                    nbformat.v4.new_output("execute_result", {"text/plain": mark}),
                ]
        saved = super().preprocess(nb, resources)
        if strange:
            self.log.warning("%s/%s: %s Marks wait for you.", name, who, report)
            with Gradebook(facts["db_url"]) as book:
                for identity in wanted:
                    grade = book.find_grade(identity, facts["notebook"], name, who)
                    grade.needs_manual_grade = True
                book.db.commit()
        return saved


STEPS = [ClearMetadataPreprocessor, Marks, LimitOutput, AssignLatePenalties, CheckCellMetadata]
