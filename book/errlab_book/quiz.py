r"""Quizzes with immediate feedback on the static page, from one TOML file per chapter.

A file holds a list of questions::

A question or a choice may contain a formula between dollars, ``$\sqrt{n}$``; an explanation may
not, because it is shown as plain text.

The students' edition contains no readable key: a question of a sealed file has a `key`, which is a
digest of its right choice, and each `why` is encoded with its choice (`errlab_book.answers`).

What students are handed holds no key that could be read: a question of a sealed file has a `key`, a
digest of its right choice, and each `why` is veiled with its choice (`errlab_book.answers`).
"""

from __future__ import annotations

import html
import json
import tomllib
from dataclasses import dataclass, field
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

from errlab import checks
from errlab_book import answers
from errlab_book.figures import checksum
from errlab_book.figures._show import publish


@dataclass(frozen=True)
class Choice:
    """An answer to choose, whether it is right, and why."""

    text: str
    why: str
    right: bool = False


@dataclass(frozen=True)
class Question:
    """A question with one right choice; a sealed question only has its digest, `key`."""

    text: str
    choices: tuple[Choice, ...]
    key: str = field(default="", repr=False)

    def sealed(self, name: str) -> Question:
        """Return the question, called `name`, without anything that reveals the right choice."""
        if self.key:
            return self
        right = next(choice.text for choice in self.choices if choice.right)
        choices = [Choice(c.text, answers.veil(c.why, f"{name} {c.text}")) for c in self.shown()]
        return Question(self.text, tuple(choices), answers.digest(f"{name} {right}"))

    def shown(self) -> list[Choice]:
        """Return the choices in the page's order: random, but the same each time."""
        # otherwise readers would learn that the right choice is often the first in the file
        return sorted(self.choices, key=lambda c: answers.digest(f"{self.text} {c.text}"))


@dataclass(frozen=True)
class Quiz:
    """The questions of a chapter; displays itself as the last line of a cell."""

    name: str
    questions: tuple[Question, ...]

    def __repr__(self) -> str:
        """List the questions and their choices, with one checksum of them and of the key."""
        number = len(self.questions)
        lines = [f"Quiz {self.name}: {number} question{'s' if number != 1 else ''}"]
        for number, question in enumerate(self.questions, 1):
            lines.append(f"{number}. {question.text}")
            lines += [f"   ( ) {choice.text}" for choice in question.choices]
        return "\n".join([*lines, f"key: {self.checksum()}"])

    def checksum(self) -> str:
        """Return a checksum of all texts and of the right choices."""
        return checksum(repr(self.questions))

    def sealed(self) -> Quiz:
        """Return the quiz for the students' edition, without a readable key."""
        numbered = enumerate(self.questions, 1)
        return Quiz(self.name, tuple(q.sealed(f"{self.name} {i}") for i, q in numbered))

    def toml(self) -> str:
        """Return the quiz as the text of its file."""
        lines = []
        for question in self.questions:
            lines += ["[[question]]", f"text = {_quoted(question.text)}"]
            lines += [f"key = {_quoted(question.key)}"] if question.key else []
            for choice in question.choices:
                lines += ["[[question.choice]]", f"text = {_quoted(choice.text)}"]
                lines += ["right = true"] if choice.right else []
                lines += [f"why = {_quoted(choice.why)}"]
        return "\n".join([*lines, ""])

    def markdown(self) -> str:
        """Return the questions with their choices for readers of the stored notebook."""
        lines = []
        for number, question in enumerate(self.questions, 1):
            lines.append(f"{number}. {question.text}")
            lines += [f"   - {choice.text}" for choice in question.shown()]
        return "\n".join(lines)

    def html(self) -> str:
        """Return the quiz as HTML that needs no kernel."""
        body = "".join(
            _question_html(f"{self.name} {number}", number, question)
            for number, question in enumerate(self.sealed().questions, 1)
        )
        return f'<div class="errlab-quiz">{body}{answers.script()}</div>'

    def _ipython_display_(self) -> None:
        publish(self)


def _question_html(name: str, number: int, question: Question) -> str:
    """Return a question as a form, with its choices in the page's order."""
    choices = "".join(
        f'<label><input type="radio" name="choice" value="{html.escape(choice.text)}" '
        f'autocomplete="off" data-why="{html.escape(choice.why)}"> '
        f"<span>{html.escape(choice.text)}</span></label>"
        for choice in question.shown()
    )
    return (
        f'<form class="errlab-question" data-answer="{html.escape(name)}" '
        f'data-lm-suppress-shortcuts="true" data-key="{question.key}"><fieldset>'
        f"<legend>{number}. {html.escape(question.text)}</legend>{choices}"
        '<p class="errlab-answer"><button type="submit">Check'
        f'<span class="errlab-said"> question {number}</span></button></p>'
        '<p class="errlab-feedback" aria-live="polite"></p></fieldset></form>'
    )


def _quoted(text: str) -> str:
    # a JSON string is a valid TOML string
    return json.dumps(text, ensure_ascii=False)


def load(path: str | PathLike[str]) -> Quiz:
    """Load the quiz of a chapter from its TOML file.

    Parameters
    ----------
    path : str or path
        The file; see the module's docstring for its form. Or the name of a quiz that comes with
        the package, such as ``"03_binary_bounds"``.

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
    packaged = files("errlab_book") / "quizzes" / f"{file.stem}.toml"
    # a reader's own file takes precedence over the package's file of that name
    source = file if file.exists() or not packaged.is_file() else packaged
    return parse(source.read_text("utf-8"), file.stem)


def parse(text: str, name: str) -> Quiz:
    """Parse a quiz from a text in TOML; `load` lists the possible errors."""
    entries = tomllib.loads(text).get("question", [])
    questions = tuple(_question(entry, f"{name}.toml") for entry in entries)
    checks.require(questions, f"{name}.toml", "hold at least one [[question]]", entries)
    return Quiz(name, questions)


def _question(entry: dict[str, Any], file: str) -> Question:
    """Return a question of the file, and check that exactly one choice is right."""
    try:
        choices = tuple(Choice(**choice) for choice in entry["choice"])
        question = Question(entry["text"], choices, entry.get("key", ""))
    except (KeyError, TypeError) as error:
        raise ValueError(f"{file}: a question lacks a part or has one too many: {error}") from None
    # a sealed question has a digest instead of a marked choice
    right = sum(choice.right for choice in choices)
    if right != (0 if question.key else 1):
        raise ValueError(f"{file}: {question.text!r} must have one right choice, got {right}")
    return question
