"""Guess, then see: the reader commits to an answer before the explanation opens.

A guess stands above an explorer or a lab. On the page the explanation, which is the next paragraph
or as many blocks as `folds` says, stays folded until the reader has guessed or pressed "Show
anyway"; on paper and without scripts it is open. The page stores the right answer as digests, and
the reply to each choice encoded.
"""

import html
import json
import math
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from errlab import checks
from errlab_book import answers
from errlab_book.figures import checksum
from errlab_book.figures._show import publish

VEILED = "veiled:"


@dataclass(frozen=True)
class Guess:
    """A question, and the replies to its answers. See `guess`."""

    question: str
    choices: Mapping[str, str]
    answer: str
    value: float
    within: float
    folds: int = 1

    def __repr__(self) -> str:
        """Return the question with its choices, and a checksum of its answer and feedback."""
        lines = [f"Guess: {self.question}", *(f"  ( ) {choice}" for choice in self.choices)]
        key = checksum(repr((self.answer, self.value, self.within, [*self.choices.values()])))
        return "\n".join([*lines, f"key: {key}"])

    def markdown(self) -> str:
        """Return the question with its choices for readers of the stored notebook."""
        choices = "".join(f"\n> - {choice}" for choice in self.choices)
        return f"> **Guess first.** {self.question}\n>{choices}"

    def html(self) -> str:
        """Return the question as HTML that needs no kernel."""
        # from question and choices, so that a guess keeps its id when cells move
        name = f"g{answers.digest(repr(self))}"
        return (
            f'<form class="errlab-guess" id="{name}" data-answer="{name}" novalidate '
            'data-lm-suppress-shortcuts="true" '
            f'data-folds="{self.folds}" '
            f"{self._key(name)}><fieldset><legend>{_inline(self.question)}</legend>"
            f'{self._fields(name)}<p class="errlab-answer">'
            '<button type="submit">Guess</button> '
            '<button type="button" data-show>Show anyway</button></p>'
            '<p class="errlab-feedback" aria-live="polite"></p></fieldset>'
            f"{answers.script()}</form>"
        )

    def _key(self, name: str) -> str:
        """Return the attributes by which the page recognises the right answer."""
        if self.choices:
            return f'data-right="{answers.digest(f"{name} {self.answer}")}"'
        right = answers.places(self.value, self.within)
        marks = " ".join(sorted(answers.digest(f"{name} {place}") for place in right))
        # the source of the page doesn't show the right places or the reply in plain text
        veiled = answers.veil(self.answer, name)
        return f'data-right="{marks}" data-step="{self.within / 4!r}" data-told="{veiled}"'

    def _fields(self, name: str) -> str:
        """Return the form's fields: a number, or one of several choices."""
        if not self.choices:
            return (
                '<p class="errlab-answer"><label>Your guess '
                '<input type="text" name="guess" '
                'size="9" autocomplete="off" spellcheck="false"></label></p>'
            )
        return "".join(
            f'<label><input type="radio" name="guess" value="{html.escape(choice)}" '
            f'data-why="{answers.veil(why, f"{name} {choice}")}" autocomplete="off"> '
            f"<span>{_inline(choice)}</span></label>"
            for choice, why in self.choices.items()
        )

    def _ipython_display_(self) -> None:
        publish(self)


def guess(
    question: str,
    *,
    answer: str,
    choices: Mapping[str, str] | None = None,
    value: float | None = None,
    within: float = 0.0,
    folds: int = 1,
) -> Guess:
    """Ask for a guess before something is shown: ``display(guess(...))`` before an explorer.

    Parameters
    ----------
    question : str
        What to guess. Words between asterisks are emphasised, those between backticks are code.
    answer : str
        The right choice, or the right number as it is told: "46%".
    choices : dict, optional
        What to choose from, and what is said to each choice.
    value : float, optional
        The right number, where a number is asked instead of a choice.
    within : float
        How far a number may be off to count as a good guess; above 0 where one is asked.
    folds : int, default 1
        How many blocks after the cell (paragraphs, outputs of cells) tell the answer, at least 1.

    Returns
    -------
    Guess

    Raises
    ------
    ValueError
        If the answer is none of the choices, something is not said to a choice, or there is not
        exactly one of choices and a number, a number may not be off at all, or nothing folds.

    Examples
    --------
    >>> guess("Heads or tails?", answer="heads", choices={"heads": "So it was.", "tails": "No."})
    Guess: Heads or tails?
      ( ) heads
      ( ) tails
    key: ...
    """
    answer = _opened(answer)
    replies = {choice: _opened(why) for choice, why in (choices or {}).items()}
    value = float(_opened(value)) if isinstance(value, str) else value
    if bool(replies) == (value is not None):
        raise ValueError(f"a guess needs choices or a value, not both, got {choices!r}, {value!r}")
    rule = "be above 0 where a number is asked"
    checks.require(value is None or within > 0, "within", rule, within)
    checks.require(not replies or answer in replies, "answer", "be one of the choices", answer)
    empty = [choice for choice, why in replies.items() if not why.strip()]
    checks.require(not empty, "choices", "say something to each choice", empty)
    number = math.nan if value is None else float(value)
    folds = checks.one_count(folds, "folds")
    return Guess(question, replies, answer, number, within, folds)


def load(module: str) -> dict[str, Guess]:
    """Return the guesses of a chapter or page by name, from the TOML file beside its module.

    Each table of the file is a guess, and its keys are the arguments of `guess`::

        [discordant]
        question = "How many errors must the two filters share?"
        answer = "more than 45"
        [discordant.choices]
        "about 15" = "With 81 coins still in the air, a difference of nine is common."
        "more than 45" = "Yes. Nine is a lot only when hardly any coins are left."

    A module calls it as ``GUESSES = guesses.load(__file__)``.
    """
    entries = tomllib.loads(Path(module).with_suffix(".toml").read_text("utf-8"))
    return {name: guess(**entry) for name, entry in entries.items()}


def sealed(text: str) -> str:
    """Return a file of guesses for the students' edition, with answers encoded.

    Examples
    --------
    >>> print(sealed('toss = {question = "Heads?", answer = "46%", value = 0.46, within = 0.02}'))
    [toss]
    question = "Heads?"
    answer = "veiled:BVdD"
    value = "veiled:AU9SVw=="
    within = 0.02
    """
    lines = []
    for name, entry in tomllib.loads(text).items():
        choices = entry.pop("choices", {})
        key_fields = {key: _veiled(entry[key]) for key in ("answer", "value") if key in entry}
        lines += [f"[{name}]", *_assigned(entry | key_fields)]
        if choices:
            replies = {choice: _veiled(why) for choice, why in choices.items()}
            lines += [f"[{name}.choices]", *_assigned(replies)]
    return "\n".join(lines)


def _assigned(values: Mapping[str, Any]) -> list[str]:
    # JSON's strings and numbers are valid TOML
    quoted = {json.dumps(key, ensure_ascii=False): value for key, value in values.items()}
    bare = {key[1:-1] if key[1:-1].isidentifier() else key: v for key, v in quoted.items()}
    return [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in bare.items()]


def _veiled(value: Any) -> str:
    return VEILED + answers.veil(str(value), VEILED)


def _opened(text: Any) -> Any:
    """Decode what `sealed` encoded; return anything else unchanged."""
    veiled = isinstance(text, str) and text.startswith(VEILED)
    return answers.unveil(text.removeprefix(VEILED), VEILED) if veiled else text


def _inline(text: str) -> str:
    """Return a text with emphasis and code as HTML."""
    # escape first, so that a question can't contain tags
    safe = html.escape(text)
    safe = re.sub(r"`([^`]+)`", r"<code>\1</code>", safe)
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", safe)
