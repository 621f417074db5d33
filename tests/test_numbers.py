"""Every number in the book's prose is computed by its module or listed there as given."""

import importlib
import pkgutil
import re
from pathlib import Path

import nbformat
import pytest
from marks import slow

from errlab_book import chapters, guesses, pages

ROOT = Path(__file__).parents[1]
MODULES = [
    f"{room.__name__}.{module.name}"
    for room in (chapters, pages)
    for module in pkgutil.iter_modules(room.__path__)
]
LONG = ["errlab_book.chapters.cross_validation"]  # its numbers are a thousand trainings
# audits quote the numbers of their sources, and decks offer theirs in polls: only what they bind
# is checked
STRICT = [name for name in MODULES if not name.split(".")[-1].startswith(("audit_", "decks"))]
# 60, 1,000 and 12.5%, but no part of a name; and words, of which one and two are rarely numbers
NUMBER = re.compile(
    r"(?<![\w.])\d+(?:[.,]\d+)*%?(?!\w)|\b(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\b",
    re.IGNORECASE,
)
# Formulas, targets of links, code in its pair of backticks, and the number in a title
NO_PROSE = re.compile(r"\$+[^$]+\$+|(?<=\])\([^)]*\)|`[^`]*`|^# \d+\.", re.MULTILINE)


def notebooks(module):
    """Return what a module serves: a chapter, a page, one of the cases or audits, or all decks."""
    room, name = module.split(".")[-2:]
    if room == "chapters":
        (path,) = ROOT.glob(f"notebooks/[0-9][0-9]_{name}.ipynb")
        return [path]
    if name == "decks":
        return sorted(ROOT.glob("teaching/decks/*.ipynb"))
    return [ROOT / "book" / re.sub("^(case|audit)_", r"\1s/", f"{name}.ipynb")]


def kept(part):
    """Keep code, for its numbers are stated, too, unless it is a key, which holds a year."""
    return part[0] if part[0][0] == "`" and not re.search(r"\d{4}", part[0]) else ""


def prose(name):
    """Return the Markdown of a notebook and the words of its guesses, in one line."""
    cells = [cell for path in notebooks(name) for cell in nbformat.read(path, 4).cells]
    parts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    module = Path(importlib.import_module(name).__file__)
    if module.with_suffix(".toml").exists():
        for guess in guesses.load(str(module)).values():
            parts += [guess.question, *guess.choices, *guess.choices.values()]
    return " ".join(NO_PROSE.sub(kept, "\n\n".join(parts)).split())


def problems(text, module, strict=True):
    """Say which phrases stand otherwise in the text, and which numbers stand in no phrase."""
    bound = set()
    # what a changed cell gives is computed by test_breaks.py
    for phrase in [*module.numbers(), *module.GIVEN, *getattr(module, "BREAKS", {})]:
        places = list(re.finditer(re.escape(phrase), text))
        if not places:
            like = r"\S+".join(map(re.escape, NUMBER.split(phrase)))
            near = list(re.finditer(like, text))
            places = near if len(near) == 1 else []
            yield f"{phrase!r} stands in the text as {[place[0] for place in near]}"
        if len(phrase) == 1 and not phrase.isdigit():  # of a phrase that was listed by its letters
            yield f"{phrase!r} is no phrase"
        bound |= {i for place in places for i in range(*place.span())}
    for number in NUMBER.finditer(text) if strict else ():
        if number.start() not in bound:
            around = text[max(0, number.start() - 30) : number.end() + 30]
            yield f"{number[0]!r} is neither computed nor given, in {around!r}"


@pytest.mark.parametrize("name", slow(MODULES, *LONG))
def test_every_number_in_prose_is_computed_or_given(name):
    module = importlib.import_module(name)
    found = list(problems(prose(name), module, strict=name in STRICT))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", slow(STRICT, *LONG))
def test_any_number_that_is_changed_is_named(name):
    module, text = importlib.import_module(name), prose(name)
    for number in NUMBER.finditer(text):
        other = re.sub(r"\d", lambda d: str((int(d[0]) + 1) % 10), number[0])
        if other == number[0]:
            other = "twelve" if other.lower() == "eleven" else "eleven"
        changed = text[: number.start()] + other + text[number.end() :]
        assert other in " ".join(problems(changed, module)), f"{number[0]} became {other}"
