"""Quizzes with feedback at once, alive on the static page, from one TOML file per chapter.

A file holds a list of questions::

    [[question]]
    text = "Seven errors in 200 cases. Which bound is exact?"
    [[question.choice]]
    text = "Clopper-Pearson"
    right = true
    why = "It inverts the binomial distribution itself."
    [[question.choice]]
    text = "Wilson"
    why = "It rests on a normal approximation."
"""

from __future__ import annotations

import html
import tomllib
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from errlab.book.figures._record import checksum
from errlab.book.figures._show import mode

_SCRIPT = """
(function(){var q=document.getElementById("%s");
q.addEventListener("change",function(e){var i=e.target;
var said=i.closest("fieldset").querySelector("[aria-live]");
said.textContent=(i.dataset.right==="1"?"\\u2713 Right. ":"\\u2717 Not quite. ")+i.dataset.why;
said.className="errlab-feedback "+(i.dataset.right==="1"?"errlab-right":"errlab-wrong");});})();
"""


@dataclass(frozen=True)
class Choice:
    """An answer to choose, whether it is right, and why."""

    text: str
    why: str
    right: bool = False


@dataclass(frozen=True)
class Question:
    """A question with one right choice."""

    text: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Quiz:
    """The questions of a chapter; displays itself as the last line of a cell."""

    name: str
    questions: tuple[Question, ...]

    def __repr__(self) -> str:
        """List the questions, the right choices marked."""
        lines = [f"Quiz {self.name}"]
        for number, question in enumerate(self.questions, 1):
            lines.append(f"{number}. {question.text}")
            lines += [f"   ({'x' if c.right else ' '}) {c.text}" for c in question.choices]
        return "\n".join(lines)

    def html(self) -> str:
        """Return the quiz as HTML that needs no kernel."""
        name = f"q{checksum(repr(self))}"
        body = "".join(
            _question_html(f"{name}-{number}", number, question)
            for number, question in enumerate(self.questions, 1)
        )
        script = f"<script>{_SCRIPT.strip() % name}</script>"
        return f'<div class="errlab-quiz" id="{name}">{body}{script}</div>'

    def _ipython_display_(self) -> None:
        from IPython.display import display

        output = {"text/plain": repr(self)}
        if mode() != "record":
            output["text/html"] = self.html()
        display(output, raw=True)


def _question_html(name: str, number: int, question: Question) -> str:
    choices = "".join(
        f'<label><input type="radio" name="{name}" autocomplete="off" '
        f'data-right="{int(choice.right)}" data-why="{html.escape(choice.why)}"> '
        f"<span>{html.escape(choice.text)}</span></label>"
        for choice in question.choices
    )
    legend = f"<legend>{number}. {html.escape(question.text)}</legend>"
    return (
        f'<fieldset>{legend}{choices}<p class="errlab-feedback" aria-live="polite"></p></fieldset>'
    )


def load(path: str | PathLike[str]) -> Quiz:
    """Load the quiz of a chapter from its TOML file.

    Parameters
    ----------
    path : str or path
        The file; see the module's docstring for its form.

    Returns
    -------
    Quiz

    Raises
    ------
    ValueError
        If a question has not exactly one right choice, or a part is missing.
    FileNotFoundError
        If there is no such file.
    """
    file = Path(path)
    with file.open("rb") as stream:
        content = tomllib.load(stream)
    questions = tuple(_question(entry, file.name) for entry in content.get("question", []))
    if not questions:
        raise ValueError(f"{file.name} must hold at least one [[question]], got none")
    return Quiz(file.stem, questions)


def _question(entry: dict[str, Any], file: str) -> Question:
    try:
        choices = tuple(Choice(**choice) for choice in entry["choice"])
        question = Question(entry["text"], choices)
    except (KeyError, TypeError) as error:
        raise ValueError(f"{file}: a question lacks a part or has one too many: {error}") from None
    right = sum(choice.right for choice in choices)
    if right != 1:
        raise ValueError(f"{file}: {question.text!r} must have one right choice, got {right}")
    return question
