"""Guess, then see: the reader commits to an answer before the explanation opens.

It stands in the same cell as an explorer or a lab. On the page the explanation, which is the next
cell, stays folded until there is a guess, or until "Show anyway"; on paper and without scripts it
is open. What is right, and what is said to each choice, stands on the page as digests and veiled.
"""

import ast
import html
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from errlab._core import checks
from errlab.book import answers
from errlab.book.figures._show import publish

VEILED = "veiled:"


@dataclass(frozen=True)
class Guess:
    """A question to commit to, and what is said afterwards. See `guess`."""

    question: str
    choices: Mapping[str, str]
    answer: str
    value: float
    within: float

    def __repr__(self) -> str:
        """Return the question with its choices, without the answer."""
        lines = [f"Guess: {self.question}", *(f"  ( ) {choice}" for choice in self.choices)]
        return "\n".join(lines)

    def html(self) -> str:
        """Return the question as HTML that needs no kernel."""
        # from the question and choices, so that a guess keeps its place when cells move
        name = f"g{answers.digest(repr(self))}"
        return (
            f'<form class="errlab-guess" id="{name}" data-answer="{name}" novalidate '
            f"{self._key(name)}><fieldset><legend>{_inline(self.question)}</legend>"
            f'{self._fields(name)}<p class="errlab-answer">'
            '<button type="submit">Guess</button> '
            '<button type="button" data-show>Show anyway</button></p>'
            '<p class="errlab-feedback" aria-live="polite"></p></fieldset>'
            f"{answers.script()}</form>"
        )

    def _key(self, name: str) -> str:
        """Return the attributes by which the page knows what is right, without saying it."""
        if self.choices:
            return f'data-right="{answers.digest(f"{name} {self.answer}")}"'
        right = answers.places(self.value, self.within)
        marks = " ".join(sorted(answers.digest(f"{name} {place}") for place in right))
        # neither the places that are right nor the sentence can be read in the source
        told = answers.veil(self.answer, name)
        return f'data-right="{marks}" data-step="{self.within / 4!r}" data-told="{told}"'

    def _fields(self, name: str) -> str:
        """Return the fields of the form: a text, or one of several choices."""
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

    Returns
    -------
    Guess

    Raises
    ------
    ValueError
        If the answer is none of the choices, something is not said to a choice, or there is not
        exactly one of choices and a number, or a number may not be off at all.

    Examples
    --------
    >>> guess("Heads or tails?", answer="heads", choices={"heads": "So it was.", "tails": "No."})
    Guess: Heads or tails?
      ( ) heads
      ( ) tails
    """
    answer = _opened(answer)
    said = {choice: _opened(why) for choice, why in (choices or {}).items()}
    value = float(_opened(value)) if isinstance(value, str) else value
    if bool(said) == (value is not None):
        raise ValueError(f"a guess needs choices or a value, not both, got {choices!r}, {value!r}")
    rule = "be above 0 where a number is asked"
    checks.require(value is None or within > 0, "within", rule, within)
    checks.require(not said or answer in said, "answer", "be one of the choices", answer)
    empty = [choice for choice, why in said.items() if not why.strip()]
    checks.require(not empty, "choices", "say something to each choice", empty)
    return Guess(question, said, answer, math.nan if value is None else float(value), within)


def sealed(source: str) -> str:
    """Return the code of a cell with what its guesses reveal veiled, as students are handed it.

    Examples
    --------
    >>> code = 'guess("Heads?", answer="46%", value=0.46, within=0.02)'
    >>> print(sealed(code))
    guess("Heads?", answer='veiled:BVdD', value='veiled:AU9SVw==', within=0.02)
    >>> eval(sealed(code), {"guess": guess}).value
    0.46
    """
    # columns of the tree count bytes
    lines = source.encode().splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]
    text, told = source.encode(), []
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "guess":
            for keyword in call.keywords:
                kept = keyword.value
                if keyword.arg in ("answer", "value"):
                    told.append(kept)
                elif keyword.arg == "choices" and isinstance(kept, ast.Dict):
                    told += kept.values
    # from the end, so that what was replaced does not move what is still to come
    for node in sorted(told, key=lambda node: (-node.lineno, -node.col_offset)):
        # what is computed cannot be veiled, and is not plain to read either
        if isinstance(node, ast.Constant) and node.end_lineno and node.end_col_offset is not None:
            veiled = repr(VEILED + answers.veil(str(node.value), VEILED)).encode()
            begin = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            text = text[:begin] + veiled + text[end:]
    return text.decode()


def _opened(text: Any) -> Any:
    """Return what `sealed` has veiled, and anything else as it is."""
    veiled = isinstance(text, str) and text.startswith(VEILED)
    return answers.unveil(text.removeprefix(VEILED), VEILED) if veiled else text


def _inline(text: str) -> str:
    """Return a text with emphasis and code as HTML."""
    # escaped first: what a question says can bring no tags of its own
    safe = html.escape(text)
    safe = re.sub(r"`([^`]+)`", r"<code>\1</code>", safe)
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", safe)
