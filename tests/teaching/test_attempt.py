"""What is evaluated in a submission, and which of its outputs are shown."""

import nbformat
import pytest

import assignments
import sandbox
from attempt import WITHHELD, attempt, grade_id

TASKS = """
[week1]
title = "Week 1"
[[week1.task]]
title = "A function"
kind = "function"
points = 5
function = "f"
arguments = ["n"]
example = [9]
question = "Write `f(n)`, n + 1."
[[week1.task]]
title = "A number"
kind = "number"
points = 5
question = "Set `answer_2` to 2."
"""
KEY = """
[week1.1]
answer = "n + 1"
cases = [[41], [305]]
[week1.2]
answer = "2"
"""
CODE = {
    "week1-1-answer": "SEEN = []\ndef f(n):\n    SEEN.append(n)\n    return n + 1",
    "week1-2-answer": "answer_2 = 2\nprint(SEEN)",
}


@pytest.fixture
def handed_in(tmp_path):
    """A course, and a submission whose function stores its arguments for a later cell to print."""
    (tmp_path / "tasks.toml").write_text(TASKS, "utf-8")
    (tmp_path / "key.toml").write_text(KEY, "utf-8")
    week = assignments.load(tmp_path / "tasks.toml", tmp_path / "key.toml")["week1"]
    made = assignments.notebook("week1", week)
    for cell in made.cells:
        cell.source = CODE.get(grade_id(cell), cell.source)
    made.cells.append(nbformat.v4.new_code_cell("print(SEEN)"))
    return tmp_path, made


def judge(course, made):
    """Check marks and outputs of an attempt."""
    done = attempt(course, "week1", "anna", made)
    assert done.answers["week1-1-test"] == [("42.0", ""), ("306.0", "")]
    assert done.answers["week1-2-test"] == [("2.0", "")]
    output = {grade_id(cell) or i: str(out) for i, (cell, out) in
             enumerate(zip(made.cells, done.outputs, strict=True))}  # fmt: skip
    assert "10" in output["week1-1-test"], "the example that is printed before is shown"
    assert [name for name, text in output.items() if "41" in text or "305" in text] == []
    later = [name for name, text in output.items() if WITHHELD.strip() in text]
    assert later == ["week1-2-answer", "week1-2-test", len(made.cells) - 1]


def test_what_runs_after_hidden_inputs_is_not_shown(handed_in, monkeypatch):
    """Run the code here instead of in a kernel: each step prints, and evaluates its expression."""

    def run(steps, secret):
        import contextlib
        import io

        names, ran = {"_errlab_b": __import__("builtins")}, []
        for step in steps:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(step.code, names)
                text = eval(step.asks.strip(), names) if step.asks else None
            ran.append(([{"name": "stdout", "text": printed.getvalue()}], text))
        outputs, texts = zip(*ran, strict=True)
        return sandbox.Ran([*outputs], [*texts], [""] * len(ran))

    monkeypatch.setattr(sandbox, "run", run)
    made = handed_in[1]
    setup = next(cell for cell in made.cells if grade_id(cell) == "week1-setup")
    setup.source = "student = globals().get('student', 'anna')"
    judge(*handed_in)


@pytest.mark.nightly
@pytest.mark.skipif(sandbox.bubblewrap() is None, reason="needs bubblewrap")
def test_the_same_in_the_sandbox(handed_in):
    judge(*handed_in)
