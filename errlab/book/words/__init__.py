"""What the book's machinery says to a reader, in the language of the chapter.

A table such as ``de.toml`` gives for each English sentence the one that takes its place; ``{}``
stands for what changes, such as a number. English is what the code says, and needs no table. What
a chapter itself says is in its notebook; what labs and reports say is English.
"""

from __future__ import annotations

import os
import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from errlab import _checks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["figure", "language", "languages", "said", "use"]

_state = {"language": "en"}


@cache
def languages() -> tuple[str, ...]:
    """Return the languages that there are tables for, English first.

    Examples
    --------
    >>> languages()
    ('en', 'de')
    """
    tables = (path.name for path in files(__package__).iterdir())
    return ("en", *sorted(name[:-5] for name in tables if name.endswith(".toml")))


def language() -> str:
    """Return the language in use."""
    return _state["language"]


def use(code: str | None = None) -> str:
    """Choose the language; return it.

    Parameters
    ----------
    code : str, optional
        Such as ``"de"``; where it is not given, what the environment variable ``ERRLAB_LANGUAGE``
        says, or English.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If there is no table for it.

    Examples
    --------
    >>> use("de"), said("Check"), use("en")
    ('de', 'Prüfen', 'en')
    """
    wanted = os.environ.get("ERRLAB_LANGUAGE", "en") if code is None else code
    _state["language"] = _checks.choice(wanted, "language", languages())
    return language()


def said(text: str, code: str | None = None) -> str:
    """Return a sentence in the language in use; in English where the table does not have it.

    Parameters
    ----------
    text : str
        What the machinery says in English.
    code : str, optional
        Another language than the one in use.

    Returns
    -------
    str
    """
    wanted = code or language()
    if wanted == "en" or not text.strip():
        return text
    exact, patterns = _table(wanted)
    if text in exact:
        return exact[text]
    for pattern, into in patterns:
        if found := pattern.fullmatch(text):
            return into.format(*(said(part, wanted) for part in found.groups()))
    return text


def figure(drawn: Figure) -> None:
    """Put the words of a figure into the language in use: labels, titles, ticks, legends."""
    if language() == "en":
        return
    from matplotlib.artist import Artist
    from matplotlib.text import Text
    from matplotlib.ticker import FixedLocator

    for ax in drawn.axes:
        for axis in (ax.xaxis, ax.yaxis):
            ticks = [tick.get_text() for tick in axis.get_ticklabels()]
            words = [said(tick) for tick in ticks]
            if isinstance(axis.get_major_locator(), FixedLocator) and words != ticks:
                axis.set_ticklabels(words)
        labelled: list[Artist] = [*ax.lines, *ax.patches, *ax.collections]
        for artist in labelled:
            artist.set_label(said(str(artist.get_label())))
        for container in ax.containers:
            container.set_label(said(str(container.get_label())))
    for text in drawn.findobj(Text):
        text.set_text(said(text.get_text()))


@cache
def _table(code: str) -> tuple[dict[str, str], list[tuple[re.Pattern[str], str]]]:
    """Return the sentences without gaps, and those with gaps as patterns."""
    parts = tomllib.loads((files(__package__) / f"{code}.toml").read_text("utf-8"))
    every = {english: into for part in parts.values() for english, into in part.items()}
    exact = {english: into for english, into in every.items() if "{}" not in english}
    gaps = {english: into for english, into in every.items() if "{}" in english}
    return exact, [
        (re.compile(re.escape(english).replace(r"\{\}", "(.+?)"), re.DOTALL), into)
        for english, into in gaps.items()
    ]
