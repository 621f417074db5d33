"""The commands of the command line: from options to what is printed, and the exit code."""

from __future__ import annotations

import warnings
from argparse import Namespace
from dataclasses import dataclass
from typing import cast

from errlab.cli import output
from errlab.cli.claims import level, question
from errlab.cli.gate import gate
from errlab.statements.plan import plan
from errlab.statements.report import PairReport

_QUESTION = ("error", "half_width", "difference", "disagree", "margin", "power", "design_effect")


@dataclass(frozen=True)
class Output:
    """What a command prints: a text, and warnings to the user; and its exit code."""

    text: str
    warnings: list[str]
    exit_code: int


def run(options: Namespace) -> Output:
    """Run a command."""
    with warnings.catch_warnings(record=True) as caught:
        # they go to the user, not to a programmer
        warnings.simplefilter("always")
        answer = _answer(options)
    messages = [str(warning.message) for warning in caught]
    form = "json" if options.json else options.format
    text = output.written(answer, form, options.full, messages)
    return Output(text, messages, answer.gate.exit_code if answer.gate else 0)


def _answer(options: Namespace) -> output.Answer:
    """Compute what the command asks for."""
    if options.command == "plan":
        numbers = {name: getattr(options, name) for name in _QUESTION}
        return output.Answer(plan(**numbers, delta=level(options)))
    task = question(options)
    result = task.answer()
    if options.plot is not None:
        output.draw(result, options.plot)
    judged = None
    if isinstance(result, PairReport) and options.command == "gate":
        judged = gate(result, lambda: cast(PairReport, task.answer(method="t")))
    return output.Answer(result, task.notes, judged)
