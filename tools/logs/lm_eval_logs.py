"""Make samples of lm-evaluation-harness for the tests, with a function as the model.

In an empty directory, ``python lm_eval_logs.py NAME`` runs a model on two tasks of `lm_eval_tasks`
and logs the results; behind NAME others may be named, as in ``labels,likelihood``.
"""

import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

import lm_eval
from lm_eval.__main__ import cli_evaluate
from lm_eval.api.model import LM
from lm_eval.api.registry import register_model

TASKS = Path(__file__).parents[2] / "tests" / "data" / "logs" / "lm_eval_tasks"
MODELS = {"small": (2, 3), "large": (2,)}  # the sums that a model gets wrong


@register_model("adder")
class Adder(LM):
    """A model that adds, and gets some sums wrong."""

    def __init__(self, pretrained, **options):
        super().__init__()
        self.wrong = MODELS[pretrained.removeprefix("toy/")]

    def answer(self, text):
        first, second = map(int, text.rstrip(" =").split(" + "))
        return first + second + (first in self.wrong)

    def generate_until(self, requests, disable_tqdm=False):
        sums = {request.args[0]: self.answer(request.args[0]) for request in requests}
        # the right answer is the first number of these sentences, or the last
        return [f"{text} {n}" if n % 2 else f"{n}, as {text}" for text, n in sums.items()]

    def loglikelihood(self, requests, disable_tqdm=False):
        pairs = [request.args for request in requests]
        return [(-abs(int(choice) - self.answer(text)) - 0.5, False) for text, choice in pairs]

    def loglikelihood_rolling(self, requests, disable_tqdm=False):
        raise NotImplementedError


if __name__ == "__main__":
    rows = [{"a": i, "b": 3, "sum": str(i + 3)} for i in range(1, 9)]
    Path("sums.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    # its bootstrap of F1 takes an hour
    # as Any, because mypy would take the folder of that name for the package
    package: Any = lm_eval
    package.simple_evaluate = partial(package.simple_evaluate, bootstrap_iters=0)
    asked = sys.argv[2] if len(sys.argv) > 2 else "sums,choice"
    sys.argv[1:] = [
        "run", "--model", "adder", "--model_args", f"pretrained=toy/{sys.argv[1]}",
        "--tasks", asked, "--include_path", str(TASKS), "--output_path", "results",
        "--log_samples",
    ]  # fmt: skip
    cli_evaluate()
