"""What the commands of the command line compute, and the result as text."""

from __future__ import annotations

import html
import json
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

from errlab._core import extras
from errlab._core import tables as _tables
from errlab.cli.claims import Claim, claim, level
from errlab.statements import plan as _plan
from errlab.statements.report._reports import PairReport

Lines = Sequence[str]
_EXIT = {"better": 0, "not worse": 0, "worse": 1, "cannot tell": 3}  # of a gate
_POWER = 0.8
_WRITTEN: dict[str, Callable[[str], str]]
_WRITTEN = {"md": _tables.markdown_text, "latex": _tables.latex_text, "html": html.escape}


def run(options: Namespace) -> tuple[str, int]:
    """Run a command: return what is printed, and the exit code."""
    form = "json" if options.json else options.format
    if options.command == "plan":
        return text_of(plan(options), form), 0
    result, before = claim(options)
    code, after = gate(cast(PairReport, result)) if options.command == "gate" else (0, [])
    if options.plot is not None:
        draw(result, options.plot)
    return text_of(result, form, before, after), code


def plan(options: Namespace) -> _plan.Plan:
    """Say how many test cases are needed."""
    asked = ("error", "half_width", "difference", "disagree", "margin", "power", "design_effect")
    return _plan.plan(**{name: getattr(options, name) for name in asked}, delta=level(options))


def gate(result: PairReport) -> tuple[int, list[str]]:
    """Return the exit code, and about how many cases like these would tell if these do not.

    A difference that is proven may be within the margin.
    """
    code = 0 if result.within_margin else _EXIT[result.verdict]
    discordant = (result.n01 or 0) + (result.n10 or 0)
    # what is to be told: the margin, or a difference as large as the one that was seen
    distance = result.margin or abs(result.difference)
    if code < 3 or not discordant or not distance:
        return code, []
    try:  # the exact number takes `errlab plan` seconds
        guess = _plan._guess(distance, discordant / result.n, _POWER, result.delta)
        size = f"About {float(f'{guess:.2g}'):.0f}"
    except ValueError:
        size = "More than two million"
    truth = "tell, if the two are equally good," if result.margin else "show such a difference"
    return code, [f"{size} cases like these would {truth} with {_POWER:.0%} power."]


def text_of(result: Claim | _plan.Plan, form: str, before: Lines = (), after: Lines = ()) -> str:
    """Write a result, and what stands before and after, as text, JSON, Markdown, LaTeX or HTML."""
    if form == "text":
        return "\n".join([*before, repr(result), *after])
    if form == "json":
        found = json.loads(result.to_json())
        found["claim"] = " ".join([*before, found["claim"], *after])
        return json.dumps(found, indent=2)
    written = _WRITTEN[form]
    if isinstance(result, _plan.Plan):  # it is one sentence
        return written(repr(result))
    if form == "html":
        around = [[f"<p>{written(line)}</p>" for line in lines] for lines in (before, after)]
        return "\n".join([*around[0], str(result._repr_html_()), *around[1]])
    first, *rest = map(written, result.sentences())
    held = list(map(written, result.conditions()))
    if form == "md":
        first = f"**{first}**"
        table, items = result.to_markdown, "\n" + "\n".join(f"- {c}" for c in held)
    else:
        table = result.to_latex
        items = "\n".join([r"\begin{itemize}", *(rf"\item {c}" for c in held), r"\end{itemize}"])
    body = [table(), table("pairs"), rest[-1]] if result._tables else [" ".join(rest)]
    lines = [*map(written, before), first, *body, f"This holds if\n{items}", *map(written, after)]
    return "\n\n".join(lines)


def draw(result: Claim, path: str) -> None:
    """Save the picture of a result."""
    if Path(path).is_dir():  # which . is, and the empty path
        raise ValueError(f"--plot must name a file, such as picture.svg, got {path or 'none'}")
    pyplot = extras.load("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    result.plot()
    try:
        pyplot.savefig(path, bbox_inches="tight")
    except ValueError as error:
        raise ValueError(f"--plot {path}: {str(error).splitlines()[0]}") from None
    except OSError as error:  # a full disk does not say which file it has no room for
        raise OSError(error.errno, error.strerror or str(error), path) from None
