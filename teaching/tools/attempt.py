"""Run a submission in the sandbox: its cells in order, and after each test cell its answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import sandbox
from assignments import calls, load, spelled

WITHHELD = "Not shown: this cell ran after the hidden inputs were tested.\n"


class Attempt(NamedTuple):
    """What a submission did: outputs of each cell, answers for each test, notes for the report."""

    outputs: list[list[Any]]
    answers: dict[str, list[tuple[str | None, str]]]
    notes: list[str]
    ran: sandbox.Ran


def grade_id(cell: Any) -> str:
    """Return nbgrader's name of a cell."""
    metadata = cell.metadata.get("nbgrader")
    return str(metadata.get("grade_id", "")) if isinstance(metadata, dict) else ""


def attempt(course: Path, name: str, who: str, notebook: Any) -> Attempt:
    """Run a submission under the student's name, and collect its outputs and answers."""
    tasks = load(course / "tasks.toml", course / "key.toml")[name]["task"]
    expressions = {f"{t['id']}-test": calls(t) for t in tasks if t["kind"] != "paragraph"}
    steps: list[sandbox.Step] = []
    step_of: dict[int, int] = {}  # cell to step
    answers: dict[str, range] = {}
    secret = {f"{task['id']}-test" for task in tasks if task["kind"] == "function"}
    # cells that ran after the hidden inputs were known, so they could print them
    withheld: set[int] = set()
    typed = 0
    for index, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        identity = grade_id(cell)
        if identity == f"{name}-setup":
            typed = len(steps)
            steps.append(sandbox.Step("", asks="_errlab_b.str(student)"))
            # the folder's name is the student's, whatever the cell says
            steps.append(sandbox.Step(f"student = {who!r}"))
        step_of[index] = len(steps)
        if secret & answers.keys():
            withheld.add(index)
        to_evaluate = expressions.get(identity, [])
        steps.append(sandbox.Step(cell.source, identity if to_evaluate else ""))
        numbers = [sandbox.NUMBER.format(expression=call) for call in to_evaluate]
        answers[identity] = range(len(steps), len(steps) + len(to_evaluate))
        steps += [sandbox.Step("", identity, number) for number in numbers]
    ran = sandbox.run(steps, course)
    name_typed = (ran.texts[typed] or "").strip()
    notes = [ran.trouble] if ran.trouble else []
    if spelled(name_typed) != spelled(who):
        notes.append(f"the name in the notebook is {name_typed[:60]!r}, that of the folder {who!r}")
    late = [i for i in range(len(steps)) if ran.ends[i] in ("late", "dead")]
    notes += [f"did not end in {sandbox.SECONDS} seconds: {len(late)} of its steps"] if late else []
    outputs = [ran.outputs[step_of[i]] if i in step_of else [] for i in range(len(notebook.cells))]
    note = {"output_type": "stream", "name": "stdout", "text": WITHHELD}
    outputs = [[note] if i in withheld else output for i, output in enumerate(outputs)]
    results = {
        key: [(ran.texts[i], ran.ends[i]) for i in answers[key]]
        for key in expressions & answers.keys()
    }
    return Attempt(outputs, results, notes, ran)
