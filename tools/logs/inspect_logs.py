"""Make Inspect's logs for the tests, with a function as the model.

Run in an empty directory: ``python inspect_logs.py NAME`` writes the log of that name.
"""

import asyncio
import os
import signal
import sys

from inspect_ai import Task, eval
from inspect_ai._util import zipfile as inspect_zip
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, accuracy, match, mean, scorer
from inspect_ai.solver import generate, solver


def answers(wrong):
    """A model of the mock provider that gets these samples wrong."""

    def answer(messages, tools, choice, config):
        first, second = map(int, messages[-1].text.rstrip(" =").split(" + "))
        text = str(first + second + (first in wrong))
        output = ModelOutput.from_content("mockllm/model", text)
        output.usage = ModelUsage(input_tokens=5, output_tokens=1, total_tokens=6)
        return output

    return answer


def graded(name, wrong):
    """A scorer whose name is also that of a field of a sample."""

    @scorer(metrics=[accuracy()], name=name)
    def make():
        async def score(state, target):
            return Score(value="C" if state.output.completion == target.text else wrong)

        return score

    return make()


@scorer(metrics=[accuracy()])
def grade():
    """Grade samples as correct, incorrect, partly correct and without an answer, in turn."""

    async def score(state, target):
        return Score(value="CIPN"[int(state.sample_id) % 4])

    return score


@scorer(metrics={"style": [mean()], "facts": [mean()]})
def judge():
    async def score(state, target):
        number = int(state.sample_id)
        return Score(value={"style": number % 3 / 2, "facts": float(number % 2)})

    return score


@solver
def breaks(*samples, how=None):
    """Fail at these samples, or send the process a signal there."""

    async def solve(state, generate):
        if state.sample_id in samples:
            if how is None:
                raise RuntimeError("the tool did not answer")
            os.kill(os.getpid(), how)
            await asyncio.sleep(5)
        return state

    return solve


def run(name, wrong=(2, 3), scorers=None, size=8, model="mockllm/small", before=(), **options):
    data = [Sample(id=i, input=f"{i} + 3 =", target=str(i + 3)) for i in range(1, size + 1)]
    solvers = [*before, generate()]
    task = Task(name=name, dataset=data, solver=solvers, scorer=scorers or match())
    made = get_model(model, custom_outputs=answers(wrong), memoize=False)
    options = {"log_dir": f"logs/{name}", "log_model_api": False, "display": "none"} | options
    eval(task, model=made, **options)


LOGS = {
    "frames": {},
    "small": {},
    "large": {"wrong": (2,), "model": "mockllm/large"},
    "epochs": {"size": 5, "epochs": 3},
    "scorers": {"scorers": [grade(), judge(), graded("id", "I"), graded("epoch", "P")]},
    "failed": {"before": [breaks(4)], "fail_on_error": False},
    "error": {"before": [breaks(6)], "max_samples": 1},
    "cancelled": {"before": [breaks(6, how=signal.SIGINT)], "max_samples": 1},
    "killed": {"before": [breaks(6, how=signal.SIGKILL)], "max_samples": 1, "log_buffer": 1},
    "unlogged": {"log_samples": False},
    "text": {"size": 3, "wrong": (2,), "log_format": "json"},
}

if __name__ == "__main__":
    if sys.argv[1] == "frames":  # Inspect writes such frames for members above 200 MiB
        inspect_zip._MAX_INPUT_PER_FRAME = 1000
    run(sys.argv[1], **LOGS[sys.argv[1]])
