"""An exercise: a question, two hints, known mistakes, and a function that computes the answer.

The same object checks an answer in Python (`check`) and on the built page, where `Exercise.html`
adds an input field. `errlab_book.answers` reads and compares the answers.
"""

import html
import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from errlab import checks
from errlab.results import Registry
from errlab_book import answers
from errlab_book.figures import mode

ASKS = ("share", "number", "count", "choice")
FORMS = {
    "share": "as 0.035, 3.5%, 7/200 or 1-0.05^0.01",
    "number": "a number or a formula such as sqrt(2)",
    "count": "a whole number",
}
WORDS = answers.WORDS


@dataclass(frozen=True)
class Exercise:
    """One exercise: its key such as "3.1", two hints, the right answer and known wrong ones.

    In the students' edition `known` contains digests, and there is no answer.
    """

    key: str
    hints: tuple[str, str]
    asks: str
    tolerance: float
    parts: tuple[str, ...]
    choices: tuple[str, ...]
    code: bool
    answer: Callable[[], object]
    mistakes: Mapping[str, object]
    known: tuple[dict[str, Any], ...] = ()
    reading: Callable[[], float] | None = None

    @cached_property
    def wrong(self) -> dict[str, object]:
        """The value of each mistake, by its message."""
        return {text: v() if callable(v) else v for text, v in self.mistakes.items()}

    @cached_property
    def rules(self) -> list[dict[str, Any]]:
        """For each part, the digests of the right answer, and of each mistake with its message."""
        if self.known:
            return list(self.known)
        names = self.parts or ("answer",)
        # a mistake given as one number applies to every part
        right, *wrong = (
            np.broadcast_to(np.asarray(value), len(names))
            for value in (self.answer(), *self.wrong.values())
        )
        return [
            {
                "name": f"part{i}",
                "label": name,
                "right": sorted({*self._digests(i, right[i]), *self._read_off(i)}),
                "wrong": [
                    [self._digests(i, values[i]), text]
                    for text, values in zip(self.wrong, wrong, strict=True)
                ],
            }
            for i, name in enumerate(names)
        ]

    def sealed(self) -> dict[str, Any]:
        """Return the exercise for the students' edition, with digests instead of the answer."""
        fields = ("key", "hints", "asks", "tolerance", "parts", "choices", "code")
        return {**{name: getattr(self, name) for name in fields}, "known": self.rules}

    def _digests(self, part: int, value: Any) -> list[str]:
        if self.asks == "choice":
            return [self._digest(part, str(value).lower())]
        right = answers.places(float(value), self.tolerance)
        return sorted(self._digest(part, place) for place in right)

    def _read_off(self, part: int) -> list[str]:
        """Return the digest of the value that an instrument displays, with its rounding."""
        if self.reading is None:
            return []
        return [self._digest(part, answers.place(self.reading(), self.tolerance / 4))]

    def _digest(self, part: int, what: object) -> str:
        return answers.digest(f"{self.key} part{part} {what}")

    def fault(self, part: int, given: Any) -> str | None:
        """Explain a wrong part of an answer; "" if the mistake is unknown, None if it is right."""
        rule = self.rules[part]
        if self.asks == "choice":
            mark = self._digest(part, str(given).strip().lower())
            return None if mark in rule["right"] else _message(rule, mark)
        value, percent = _read(given, self.asks == "count")
        if not math.isfinite(value):
            return WORDS["unread"]
        if percent and self.asks != "share":
            return WORDS["no_share"]

        def mark_of(v: float) -> str:
            # compare places on the grid, because the page can compare nothing else
            return self._digest(part, answers.place(v, self.tolerance / 4))

        def right(v: float) -> bool:
            return mark_of(v) in rule["right"]

        if right(value):
            return None
        share, count = self.asks == "share", self.asks == "count"
        message = _message(rule, mark_of(value))
        # explanations from the most certain to the vaguest; use the first that applies
        tries = (
            (share and percent and right(value * 100), WORDS["doubled"]),
            (bool(message), message),
            (share and not percent and right(value / 100), WORDS["percent"]),
            (share and right(1 - value), WORDS["complement"]),
            (count and (right(value - 1) or right(value + 1)), WORDS["off_by_one"]),
            (right(-value), WORDS["sign"]),
            (any(right(value + i * self.tolerance) for i in (-3, -1.5, 1.5, 3)), WORDS["near"]),
            (share and abs(value) > 1, WORDS["share"]),
        )
        return next((text for applies, text in tries if applies), "")

    def html(self) -> str:
        """Return the field, its button and the hints as HTML that needs no kernel."""
        name = f"check-{self.key.replace('.', '-')}"
        data = {"key": self.key, "asks": self.asks, "step": self.tolerance / 4, "parts": self.rules}
        first, second = (html.escape(hint) for hint in self.hints)
        return (
            f'<form class="errlab-check" id="{name}" data-answer="{self.key}" novalidate '
            f'data-check="{html.escape(json.dumps(data, separators=(",", ":")))}">'
            f'<div class="errlab-answer">{self._fields(name)}'
            f'<button type="submit">Check<span class="errlab-said"> answer {self.key}</span>'
            '</button></div><p class="errlab-feedback" aria-live="polite"></p>'
            f'<p class="errlab-form" id="{name}-form">{self._form()}</p>'
            '<details class="errlab-hint"><summary>Hint</summary>'
            f"<p>{first}</p><details><summary>Second hint</summary>"
            f"<p>{second}</p></details></details>"
            f"{answers.script()}</form>"
        )

    def _fields(self, name: str) -> str:
        """Return the form's fields: a choice, or a number for each part."""
        yours = f"Your answer to {self.key}"
        if self.asks == "choice":
            buttons = "".join(
                f'<label><input type="radio" name="part0" value="{html.escape(choice)}" '
                f'autocomplete="off"> {html.escape(choice)}</label>'
                for choice in self.choices
            )
            return f"<fieldset><legend>{yours}</legend>{buttons}</fieldset>"
        labels = self.parts or (yours,)
        return "".join(
            f'<label>{html.escape(label[0].upper() + label[1:])} <input type="text" '
            f'name="part{i}" size="9" autocomplete="off" spellcheck="false" '
            f'aria-describedby="{name}-form"></label>'
            for i, label in enumerate(labels)
        )

    def _form(self) -> str:
        """Say in which form to type the answer, and how to check it in a notebook."""
        pieces = []
        if self.code:
            pieces.append("This one needs code: run it where you like, and type what comes out.")
        if self.asks != "choice":
            digits = math.ceil(-math.log10(2 * self.tolerance))
            exact = self.asks == "count" or digits > 5
            pieces.append(f"Write it {FORMS[self.asks]}".replace("it a ", "a "))
            pieces[-1] += "." if exact else f", right to about {digits} decimals."
        dots = ", ".join(["..."] * max(len(self.parts), 1))
        dots = f"[{dots}]" if self.parts else dots
        call = f"<code>exercises.check(&quot;{self.key}&quot;, {dots})</code>"
        return " ".join([*pieces, f"In a notebook: {call}"])


@dataclass(frozen=True)
class Verdict:
    """The result of `check`: whether the answer is right, and a message."""

    key: str
    right: bool | None
    message: str

    def __repr__(self) -> str:
        """Return one line: the exercise and the next step."""
        return f"Exercise {self.key}: {self.message}"

    def _repr_html_(self) -> str | None:
        """Return the field for the page, in the book or if there is no answer yet."""
        return EXERCISES[self.key].html() if self.right is None and mode() == "book" else None


EXERCISES: Registry[Exercise] = Registry("exercise")


def exercise(
    key: str,
    hint: str,
    second: str,
    *,
    asks: str = "share",
    tolerance: float = 1e-3,
    parts: tuple[str, ...] = (),
    choices: tuple[str, ...] = (),
    code: bool = False,
    mistakes: Mapping[str, object] = {},
    reading: Callable[[], float] | None = None,
) -> Callable[[Callable[[], object]], Callable[[], object]]:
    """Register an exercise; the function computes its right answer.

    Parameters
    ----------
    key : str
        Its number in the book, such as "3.1".
    hint, second : str
        What to think of; then how to go about it. Neither holds the answer.
    asks : {"share", "number", "count", "choice"}
        A share between 0 and 1, for which percent are understood; any number; a whole number; one
        of `choices`.
    tolerance : float
        How far a share or a number may be off.
    parts : tuple of str
        What each number is called, where the answer is several of them.
    choices : tuple of str
        What to choose from.
    code : bool
        Whether the answer takes a program to find.
    mistakes : mapping of str to object
        What went wrong, in words, and the wrong answer that is often given; or a function that
        computes it, and is called only when somebody answers.
    reading : callable, optional
        What a lab or picture shows of the answer where that, rounded, is off by more than
        `tolerance`: it is right as well.

    Returns
    -------
    callable
        The decorator, which leaves the function as it is.

    Raises
    ------
    ValueError
        If `asks` is none of the four, or choices are asked and there are none.
    """
    checks.choice(asks, "asks", ASKS)
    if (asks == "choice") != bool(choices):
        raise ValueError(f"choices must be given where one is asked, got {asks}, {choices!r}")
    # a count is an integer, so its grid only needs steps below one
    within = 1e-3 if asks == "count" else tolerance

    def decorate(answer: Callable[[], object]) -> Callable[[], object]:
        # cached, because some answers take seconds and the page needs them more than once
        options = (asks, within, parts, choices, code, cache(answer), mistakes)
        EXERCISES.add(key, Exercise(key, (hint, second), *options, reading=reading))
        return answer

    return decorate


def tumours(test_size: int = 200, *, seed: int = 3) -> Any:
    """Return the chapters' split of the breast-cancer data: X_train, X_test, y_train, y_test."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import train_test_split

    X, y = load_breast_cancer(return_X_y=True)
    return train_test_split(X, y, test_size=test_size, random_state=seed)


def load_sealed(entries: Iterable[dict[str, Any]]) -> None:
    """Register exercises from their digests."""
    for entry in entries:
        options: dict[str, Any] = {
            name: tuple(v) if isinstance(v, list) else v for name, v in entry.items()
        }
        EXERCISES.add(entry["key"], Exercise(**options, mistakes={}, answer=_unknown))


def _unknown() -> object:
    raise LookupError("this copy of errlab was made for students: it holds no answers")


def check(key: str, answer: Any) -> Verdict:
    """Check an answer: right or wrong, with a hint, but without the right answer.

    Parameters
    ----------
    key : str
        The exercise, such as "3.1".
    answer : object
        Your answer: a number, a text such as "3.5%" or "7/200", a word, a list where several
        numbers are asked. ``...`` means that there is none yet.

    Returns
    -------
    Verdict

    Raises
    ------
    ValueError
        If there is no such exercise.

    Examples
    --------
    >>> check("3.1", ...)
    Exercise 3.1: no answer yet. Replace the three dots, then run the cell.
    >>> check("3.1", 0.5).right
    False
    """
    entry = EXERCISES[key]
    if answer is ...:
        none = "no answer yet. Replace the three dots, then run the cell."
        return Verdict(key, None, none)
    values = [answer] if not entry.parts else answer
    wanted = max(len(entry.parts), 1)
    if isinstance(values, str) or np.ndim(values) != 1 or len(values) != wanted:
        return Verdict(key, False, f"not yet. The answer is a list of {wanted} numbers.")
    for part, value in enumerate(values):
        wrong = entry.fault(part, value)
        if wrong is not None:
            where = f"{entry.parts[part]}: " if entry.parts else ""
            text = f"{where}{wrong or entry.hints[0]}"
            return Verdict(key, False, f"not yet. {text[0].upper()}{text[1:]}")
    return Verdict(key, True, WORDS["right"])


def hint(key: str, number: int = 1) -> str:
    """Return a hint: the first points to the idea, the second to the method.

    Parameters
    ----------
    key : str
        The exercise, such as "3.1".
    number : {1, 2}
        Which hint.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there is no such exercise or no such hint.
    """
    if number not in (1, 2):
        raise ValueError(f"number must be 1 or 2, got {number!r}")
    return EXERCISES[key].hints[number - 1]


def _message(rule: dict[str, Any], mark: str) -> str:
    return next((text for marks, text in rule["wrong"] if mark in marks), "")


def _read(value: Any, count: bool) -> tuple[float, bool]:
    """Return a number and whether it was a percentage; nan if it isn't a number."""
    if isinstance(value, str):
        return answers.read(value, count=count) or (math.nan, False)
    try:
        return float(value), False
    except (TypeError, ValueError):
        return math.nan, False
