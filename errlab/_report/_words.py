"""The words that all reports share."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

CONDITIONS = (
    "the cases are independent draws from the population that the claim is about",
    "none of them was used to train, tune or choose the classifier",
    "the test set was used for this one claim",
)


def percent(value: float, outward: Callable[[float], float] = round) -> str:
    """Give a percentage; the end of an interval is rounded outward, so the claim stays true."""
    if value in (0, 1):
        return f"{value:.0%}"
    digits = 1 if 0.001 <= value <= 0.999 else 3
    scale = 10**digits
    steps = value * 100 * scale
    whole = round(steps)
    if abs(steps - whole) > 1e-10 * whole:  # less is the rounding of a number such as 0.025
        whole = int(outward(steps))
    return f"{whole / scale:.{digits}f}%"


def sure(delta: float) -> str:
    """Give the confidence as a percentage."""
    return f"{100 * (1 - delta):.6g}%"


def count(number: int, noun: str) -> str:
    """Count something in words."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def errors(number: int) -> str:
    """Count errors in words."""
    return count(number, "error")


def as_text(sentences: Sequence[str], conditions: Sequence[str]) -> str:
    """Return a claim as lines of text, with the conditions under which it holds."""
    return "\n".join([*sentences, "This holds if", *(f"  - {c}" for c in conditions)])


def as_html(sentences: Sequence[str], conditions: Sequence[str]) -> str:
    """Return a claim as HTML, with the conditions under which it holds."""
    first, *rest = (html.escape(sentence) for sentence in sentences)
    listed = "".join(f"<li>{html.escape(condition)}</li>" for condition in conditions)
    return (
        f'<div class="errlab-report"><p><strong>{first}</strong></p><p>{" ".join(rest)}</p>'
        f"<p>This holds if</p><ul>{listed}</ul></div>"
    )
