"""What is evaluated in a submission, and which of its outputs are shown."""

import builtins
import contextlib
import io

import nbformat
import pytest
from tables import DATA

import assignments
import sandbox
from attempt import WITHHELD, attempt, grade_id

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
