"""Make a log of OpenAI evals for the tests, with a function as the model.

Run in an empty directory: ``OPENAI_API_KEY=none python openai_evals_log.py``.
"""

import json
from pathlib import Path

from evals.api import CompletionFn
from evals.base import RunSpec
from evals.elsuite.basic.match import Match
from evals.record import LocalRecorder

MODEL = "toy/small"
SUMS = [{"input": f"{i} + 3 =", "ideal": str(i + 3)} for i in range(1, 9)]


class Answer:
    def __init__(self, text):
        self.text = text

    def get_completions(self):
        return [self.text]


class Adder(CompletionFn):
    """A model that adds, and gets 2 + 3 and 3 + 3 wrong."""

    def __call__(self, prompt, **options):
        first, second = map(int, prompt.rstrip(" =").split(" + "))
        return Answer(str(first + second + (first in (2, 3))))


Path("sums.jsonl").write_text("".join(json.dumps(row) + "\n" for row in SUMS))
spec = RunSpec([MODEL], "sums.test.v0", "sums", "test", {}, "toy", created_at="2026-01-01 00:00:00")
recorder = LocalRecorder("openai_evals.jsonl", spec)
run = Match([Adder()], eval_registry_path=Path("."), samples_jsonl="sums.jsonl", seed=0)
recorder.record_final_report(run.run(recorder))
