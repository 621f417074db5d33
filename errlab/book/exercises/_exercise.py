"""What an exercise is: a key, a hint, and a function that computes the right answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from errlab._registry import Registry


@dataclass(frozen=True)
class Exercise:
    """One exercise: its key such as "3.1", a hint, the right answer and how close one must be."""

    key: str
    hint: str
    tolerance: float
    answer: Callable[[], Any]


@dataclass(frozen=True)
class Verdict:
    """What `check` says: whether the answer is right, and a sentence."""

    key: str
    right: bool | None
    message: str

    def __repr__(self) -> str:
        """One line: the exercise and what to do next."""
        return f"Exercise {self.key}: {self.message}"


EXERCISES: Registry[Exercise] = Registry("exercise")


def exercise(
    key: str, *, hint: str, tolerance: float = 1e-3
) -> Callable[[Callable[[], Any]], Callable[[], Any]]:
    """Register an exercise; the function computes its right answer.

    A number is right within `tolerance`, an array where all of it is, a word, a truth value or a
    set where it is the same.
    """

    def decorate(answer: Callable[[], Any]) -> Callable[[], Any]:
        EXERCISES.add(key, Exercise(key, hint, tolerance, answer))
        return answer

    return decorate


def check(key: str, answer: Any) -> Verdict:
    """Check an answer: right or wrong, with a hint, never with the answer itself.

    Parameters
    ----------
    key : str
        The exercise, such as "3.1".
    answer : object
        Your answer: a number, a word, an array, a set. ``...`` means that there is none yet.

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
        return Verdict(key, None, "no answer yet. Replace the three dots, then run the cell.")
    if _same(answer, entry.answer(), entry.tolerance):
        return Verdict(key, True, "right.")
    return Verdict(key, False, f"not yet. {entry.hint}")


def _same(answer: Any, right: Any, tolerance: float) -> bool:
    if isinstance(right, (str, bool, set, frozenset)):
        if isinstance(right, str) and isinstance(answer, str):
            return answer.strip().lower() == right.lower()
        return type(answer) in (type(right), np.bool_) and bool(answer == right)
    try:
        given, wanted = np.asarray(answer, dtype=float), np.asarray(right, dtype=float)
    except (TypeError, ValueError):
        return False
    return given.shape == wanted.shape and bool(np.all(np.abs(given - wanted) <= tolerance))
