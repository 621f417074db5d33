"""The page "errlab by task": each job of practice in three lines at most, with what they print.

The lines are run when the page is made, so that what stands below them is what they say.
"""

from __future__ import annotations

import ast
import contextlib
import io
import textwrap
from typing import Any, NamedTuple


class Task(NamedTuple):
    """A job: its title, what the reader has, and the lines that do it."""

    title: str
    have: str
    lines: str


SETUP = """
import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import errlab

_X, _y = load_digits(return_X_y=True)
_train, _test, _y_train, y_test = train_test_split(_X, _y, test_size=400, random_state=0)
knn, bayes, tree = (
    model.fit(_train, _y_train).predict(_test)
    for model in (
        KNeighborsClassifier(), GaussianNB(), DecisionTreeClassifier(max_depth=9, random_state=0)
    )
)
resolved = (tree == y_test).astype(int)
X, y = load_breast_cancer(return_X_y=True)
y = 1 - y
score_a, score_b = X[:, 0], X[:, 1]
patient = np.arange(len(y)) // 3
_rng = np.random.default_rng(0)
marks = _rng.choice([1, 2, 3, 4, 5], 805, p=[0.05, 0.1, 0.2, 0.35, 0.3])
prompt = np.repeat(np.arange(60), 10)
solved = _rng.random(600) < np.repeat(_rng.beta(1, 1, 60), 10)
labels, judged = resolved[:100], resolved[:100] ^ (_rng.random(100) < 0.1)
judged_more = (_rng.random(3000) < judged.mean()).astype(int)
"""

TASKS = (
    Task(
        "One system, one column of 0 and 1",
        "`resolved`, one 0 or 1 for each task, as a benchmark's harness writes it.",
        "errlab.report(scores=resolved)",
    ),
    Task(
        "Two classifiers on the same cases",
        "`y_test`, and the predictions `knn` and `tree`.",
        'errlab.report(y_test, tree, knn, names=("tree", "neighbours"))',
    ),
    Task(
        "Five classifiers, or fifty, in one call",
        "`y_test`, and the predictions of each by its name.",
        'found = errlab.compare.models(y_test, {"knn": knn, "bayes": bayes, "tree": tree})\n'
        "print(found.to_markdown())\n"
        'print(found.to_markdown("pairs"))',
    ),
    Task(
        "An interval for a cross-validation",
        "A model, `X` and `y`; the question is how well this way of training does.",
        "model = make_pipeline(StandardScaler(), LogisticRegression())\n"
        "errlab.crossval.estimate(model, X, y, cv=5, rng=0)",
    ),
    Task(
        "One area under the curve, and two",
        "`y`, and the scores of two markers.",
        'print(errlab.metric(y, score_a, metric="roc_auc"))\n'
        'errlab.metric(y, score_a, score_b, metric="roc_auc")',
    ),
    Task(
        "F1, precision, recall, and any other metric",
        "`y`, and predictions that are 1 where `score_a` is above 15.",
        'for name in ("f1", "precision", "recall"):\n'
        "    print(errlab.metric(y, (score_a > 15).astype(int), metric=name))",
    ),
    Task(
        "Marks of a judge",
        "`marks` from 1 to 5, where 5 is best.",
        "errlab.report(scores=marks, range=(1, 5))",
    ),
    Task(
        "Several cases of one patient, or several answers to one prompt",
        "`solved`, and the `prompt` of each answer.",
        "errlab.report(scores=solved, groups=prompt)",
    ),
    Task(
        "How many test cases",
        "What you expect: an error rate, or how often two models disagree.",
        "print(errlab.plan(error=0.258, half_width=0.02))\n"
        "print(errlab.plan(difference=0.02, disagree=0.1, power=0.8, design_effect=3.4))\n"
        "print(errlab.plan(margin=0.03, disagree=0.1))",
    ),
    Task(
        "A look while it runs",
        "The tasks come in one after the other.",
        "test = errlab.watch()\n"
        "for x in resolved: test.update(1 - x)\n"
        "test.interval",
    ),
    Task(
        "Few labels, many judgements of a machine",
        "`labels` and `judged` of 100 cases, and `judged_more` of 3,000 others.",
        "errlab.metrics.prediction_powered(labels, judged, judged_more)",
    ),
    Task(
        "An enriched test set",
        "More of these cases are ill (`y` is 1) than in the clinic, where one in a hundred is.",
        "wrong = (score_a > 15).astype(int) != y\n"
        "errlab.metrics.error_at_shares(wrong, y, {0: 0.99, 1: 0.01})",
    ),
)  # fmt: skip

WIDTH = 72  # letters of a line of output

HEAD = """# errlab by task

Find your job, put your own columns in, and read what it prints. Every output on this page comes
from running the lines above it when the book is built. What each answer rests on is in the
chapters; {doc}`beside` says how errlab goes with the tools that you have.

```python
import errlab
```
"""

SHELL = """## From the shell, and in continuous integration

```bash
errlab report run.jsonl --score resolved --id instance_id --group repo
errlab compare old/samples_gsm8k.jsonl new/samples_gsm8k.jsonl --format latex
errlab gate old.csv new.csv --margin 0.01
```

`gate` speaks by its exit code: 0 where the new system is better, or not worse by more than the
margin, though it be shown to be worse; 1 where it is worse otherwise; 3 where the test cannot tell,
with about the number of cases that would; 2 where a file cannot be used. Files are aligned by the
identifiers of their cases, never by the order of their rows.
"""


def run(task: Task, names: dict[str, Any]) -> str:
    """Run the lines of a task, and return what they print, the last value too."""
    tree = ast.parse(task.lines)
    out = io.StringIO()
    last = None
    with contextlib.redirect_stdout(out):
        *before, end = tree.body
        if isinstance(end, ast.Expr):
            exec(compile(ast.Module(before, []), task.title, "exec"), names)
            last = eval(compile(ast.Expression(end.value), task.title, "eval"), names)
        else:
            exec(compile(tree, task.title, "exec"), names)
    text = out.getvalue()
    return (text if last is None else f"{text}{last!r}").strip()


def wrapped(text: str) -> str:
    """Break long lines of prose, so that nobody scrolls sideways; rows of tables stay whole."""
    lines = []
    for line in text.splitlines():
        indent = "    " if line.startswith("  - ") else ""
        whole = line.startswith("|") or len(line) <= WIDTH
        lines += [line] if whole else textwrap.wrap(line, WIDTH, subsequent_indent=indent)
    return "\n".join(lines)


def names() -> dict[str, Any]:
    """Return what the reader has, by name."""
    found: dict[str, Any] = {}
    exec(SETUP, found)
    return found


def page() -> str:
    """Return the page."""
    given = names()
    parts = [
        f"## {task.title}\n\n{task.have}\n\n```python\n{task.lines}\n```\n\n"
        f"```text\n{wrapped(run(task, given))}\n```\n"
        for task in TASKS
    ]
    return "\n".join([HEAD, *parts, SHELL])


if __name__ == "__main__":
    print(page())
