"""The commands of the command line: from options to what is printed, and the exit code."""

from __future__ import annotations

import warnings
from argparse import Namespace
from typing import cast

from errlab.cli import output
from errlab.cli.claims import level, question
from errlab.cli.gate import gate
from errlab.statements.plan import plan
from errlab.statements.report import PairReport

_QUESTION = ("error", "half_width", "difference", "disagree", "margin", "power", "design_effect")


def run(options: Namespace) -> tuple[str, list[str], int]:
    """Run a command; return what it prints, warnings to the user, and the exit code."""
    with warnings.catch_warnings(record=True) as caught:
        # they go to the user, not to a programmer
        warnings.simplefilter("always")
        if options.command == "plan":
            numbers = {name: getattr(options, name) for name in _QUESTION}
            answer = output.Answer(plan(**numbers, delta=level(options)))
        else:
            answer = _of_files(options)
    messages = [str(warning.message) for warning in caught]
    form = "json" if options.json else options.format
    text = output.written(answer, form, options.full, messages)
    return text, messages, answer.gate.exit_code if answer.gate else 0


def _of_files(options: Namespace) -> output.Answer:
    """Compute what the command asks of files."""
    ask, arguments, notes = question(options)
    result = ask(**arguments)
    if options.plot is not None:
        output.draw(result, options.plot)
    judged = None
    if isinstance(result, PairReport) and options.command == "gate":
        judged = gate(result, lambda: cast(PairReport, ask(**{**arguments, "method": "t"})))
    return output.Answer(result, notes, judged)
