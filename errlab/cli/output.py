"""Results as text, JSON, Markdown, LaTeX or HTML, short or in full, and as a plot."""

import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from errlab._core import extras
from errlab._core.exports import Result
from errlab._core.tables import latex_text, markdown_text
from errlab.cli.gate import Gate
from errlab.statements.many_models import Models
from errlab.statements.report import PairReport, Report


class Answer(NamedTuple):
    """The output of a command: a result, notes on the files, and the gate's verdict."""

    result: Result
    notes: Sequence[str] = ()
    gate: Gate | None = None
    beside: Sequence[str] = ()

    @property
    def head(self) -> list[str]:
        """The lines before the result: the gate's reason, and the notes."""
        return [self.gate.reason, *self.notes] if self.gate else list(self.notes)

    @property
    def lines(self) -> list[str]:
        """The printed lines: the head and the result's two lines, or for a gate only the first."""
        lines = str(self.result).splitlines()
        return [*self.head, *(lines[:1] if self.gate else lines)]


def written(answer: Answer, form: str, full: bool, warnings: Sequence[str]) -> str:
    """Return the output in one of the formats; JSON and HTML are always in full."""
    result = answer.result
    if form == "json":
        content = json.loads(result.to_json())
        content["claim"] = " ".join(answer.lines)
        content["notes"] = answer.notes
        content["beside"] = list(answer.beside)
        content["warnings"] += warnings
        if answer.gate:
            content["gate"] = answer.gate._asdict()
        return json.dumps(content, indent=2)
    if form == "html":
        # as in a notebook
        paragraphs = [f"<p>{html.escape(line)}</p>" for line in answer.head]
        return "\n".join([*paragraphs, result._repr_html_()])
    details = [*answer.beside, *result.details.splitlines()] if full else []
    if form == "text":
        return "\n".join([*answer.lines, *details])
    tables = list(result._rows())
    if form == "md":
        first, *rest = map(markdown_text, answer.lines)
        rest += [result.to_markdown(table) for table in tables]
        # a dash makes each condition an item of a list
        return "\n\n".join([f"**{first}**", *rest, *map(markdown_text, details)])
    parts = list(map(latex_text, answer.lines))
    parts += [result.to_latex(table) for table in tables]
    if details:
        conditions = result.conditions()
        parts += map(latex_text, details[: -len(conditions)])
        items = "\n".join(rf"\item {latex_text(condition)}" for condition in conditions)
        parts.append(f"\\begin{{itemize}}\n{items}\n\\end{{itemize}}")
    return "\n\n".join(parts)


def draw(result: Result, path: str) -> None:
    """Save the plot of a result."""
    if Path(path).is_dir():  # a directory, such as "." or the empty path
        raise ValueError(f"--plot must name a file, such as picture.svg, got {path or 'none'}")
    pyplot = extras.load("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    if not isinstance(result, (Report, PairReport, Models)):
        raise ValueError("--plot is for reports and comparisons, not for --metric or several tasks")
    result.plot()
    try:
        pyplot.savefig(path, bbox_inches="tight")
    except ValueError as error:
        raise ValueError(f"--plot {path}: {str(error).splitlines()[0]}") from None
    except OSError as error:  # the operating system's message may lack the file's name
        raise OSError(error.errno, error.strerror or str(error), path) from None
