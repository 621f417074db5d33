"""Every number in a chapter's prose is computed by its module or listed there as given."""

import importlib
import pkgutil
import re
from pathlib import Path

import nbformat
import pytest

from errlab.book import chapters, guesses

ROOT = Path(__file__).parents[1]
CHAPTERS = [module.name for module in pkgutil.iter_modules(chapters.__path__)]
# 60, 1,000 and 12.5%, but no part of a name; and words, of which one and two are rarely numbers
NUMBER = re.compile(
    r"(?<![\w.])\d+(?:[.,]\d+)*%?(?!\w)|\b(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\b",
    re.IGNORECASE,
)
# Formulas, targets of links, keys of citations, and the number in a title
NO_PROSE = re.compile(r"\$+[^$]+\$+|(?<=\])\([^)]*\)|`[^`]*\d{4}[^`]*`|^# \d+\.", re.MULTILINE)


def prose(name):
    """Return the Markdown of a chapter and the words of its guesses, in one line."""
    (path,) = ROOT.glob(f"notebooks/[0-9][0-9]_{name}.ipynb")
    cells = nbformat.read(path, as_version=4).cells
    parts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    for guess in guesses.load(str(ROOT / "errlab/book/chapters" / name)).values():
        parts += [guess.question, *guess.choices, *guess.choices.values()]
    return " ".join(NO_PROSE.sub("", "\n\n".join(parts)).split())


def problems(text, module):
    """Say which phrases stand otherwise in the text, and which numbers stand in no phrase."""
    bound = set()
    for phrase in [*module.numbers(), *module.GIVEN]:
        places = list(re.finditer(re.escape(phrase), text))
        if not places:
            like = r"\S+".join(map(re.escape, NUMBER.split(phrase)))
            near = list(re.finditer(like, text))
            places = near if len(near) == 1 else []
            yield f"{phrase!r} stands in the text as {[place[0] for place in near]}"
        bound |= {i for place in places for i in range(*place.span())}
    for number in NUMBER.finditer(text):
        if number.start() not in bound:
            around = text[max(0, number.start() - 30) : number.end() + 30]
            yield f"{number[0]!r} is neither computed nor given, in {around!r}"


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_number_in_prose_is_computed_or_given(name):
    module = importlib.import_module(f"errlab.book.chapters.{name}")
    found = list(problems(prose(name), module))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", CHAPTERS)
def test_any_number_that_is_changed_is_named(name):
    module, text = importlib.import_module(f"errlab.book.chapters.{name}"), prose(name)
    for number in NUMBER.finditer(text):
        other = re.sub(r"\d", lambda d: str((int(d[0]) + 1) % 10), number[0])
        other = "eleven" if other == number[0] else other
        changed = text[: number.start()] + other + text[number.end() :]
        assert other in " ".join(problems(changed, module)), f"{number[0]} became {other}"
