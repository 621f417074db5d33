"""Every number in the book's prose is computed by its module or listed there as given."""

import ast
import importlib
import pkgutil
import re
from pathlib import Path

import nbformat
import pytest
from tables import sections

from errlab_book import chapters, guesses, pages

ROOT = Path(__file__).parents[1]
MODULES = [
    f"{room.__name__}.{module.name}"
    for room in (chapters, pages)
    for module in pkgutil.iter_modules(room.__path__)
]
# audits quote the numbers of their sources, and decks offer theirs in polls: only what they bind
# is checked
STRICT = [name for name in MODULES if not name.split(".")[-1].startswith(("audit_", "decks"))]
# 60, 1,000 and 12.5%, but not parts of names; and number words, except one and two
NUMBER = re.compile(
    r"(?<![\w.])\d+(?:[.,]\d+)*%?(?!\w)|\b(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)\b",
    re.IGNORECASE,
)
# Numbers that need no computation: small ones in words; settings such as n = 30; numbers of
# figures, chapters and the like; years; parts of names such as CIFAR-10.
EXEMPT = re.compile(
    r"\b(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|\b[a-z]\w* = \S+|"
    r"\b(?:figure|table|section|theorem|equation|chapter|exercise|appendix|page|week|step)s? "
    r"\d[\d.]*(?:(?:, | and | to |–)\d[\d.]*)*|\b(?:19|20)\d\d\b|\b[A-Z]\w*-\d+",
    re.IGNORECASE,
)
# Formulas, link targets, code in backticks, and the number in a title
NO_PROSE = re.compile(r"\$+[^$]+\$+|(?<=\])\([^)]*\)|`[^`]*`|^# \d+\.", re.MULTILINE)
# what long trainings gave: by module and name, the results by call
TRAINED = {
    title: dict(line.split(": ", 1) for line in lines) for title, lines in sections("trained.txt")
}


def notebooks(module):
    """Return the notebooks of a module: a chapter, a page, a case, an audit, or all decks."""
    room, name = module.split(".")[-2:]
    if room == "chapters":
        (path,) = ROOT.glob(f"notebooks/[0-9][0-9]_{name}.ipynb")
        return [path]
    if name == "decks":
        return sorted(ROOT.glob("teaching/decks/*.ipynb"))
    return [ROOT / "book" / re.sub("^(case|audit)_", r"\1s/", f"{name}.ipynb")]


def kept(part):
    """Keep code, because its numbers are stated, too, unless it is a key that contains a year."""
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


def phrases(module):
    """Return what a module computes or gives; what a changed cell gives is for test_breaks.py."""
    return [*module.numbers(), *module.GIVEN, *getattr(module, "BREAKS", {})]


def covered(spans):
    return {i for start, end in spans for i in range(start, end)}


def problems(text, phrases, strict=True):
    """Return the phrases that the text lacks, and the numbers that are in no phrase."""
    bound = covered(match.span() for match in EXEMPT.finditer(text))
    for phrase in phrases:
        places = [match.span() for match in re.finditer(re.escape(phrase), text)]
        if not places:
            like = r"\S+".join(map(re.escape, NUMBER.split(phrase)))
            near = list(re.finditer(like, text))
            places = [near[0].span()] if len(near) == 1 else []
            yield f"{phrase!r} stands in the text as {[place[0] for place in near]}"
        if len(phrase) == 1 and not phrase.isdigit():  # a string was listed where a tuple belongs
            yield f"{phrase!r} is no phrase"
        bound |= covered(places)
    for number in NUMBER.finditer(text) if strict else ():
        if number.start() not in bound:
            around = text[max(0, number.start() - 30) : number.end() + 30]
            yield f"{number[0]!r} is neither computed nor given, in {around!r}"


def another(number):
    """Return a number with every digit changed, or another word."""
    other = re.sub(r"\d", lambda d: str((int(d[0]) + 1) % 10), number)
    return other if other != number else "twelve" if number.lower() == "eleven" else "eleven"


def unnoticed(text, phrases):
    """Change each number in turn, and return the changes after which every phrase is still there.

    It is noticed where a phrase is gone, or where the number stands in no phrase any more and no
    rule exempts it.
    """
    exempt = covered(match.span() for match in EXEMPT.finditer(text))
    for number in NUMBER.finditer(text):
        start, end = number.span()
        changed = text[:start] + another(number[0]) + text[end:]
        if start in exempt or any(phrase in text and phrase not in changed for phrase in phrases):
            continue
        spans = (m.span() for phrase in phrases for m in re.finditer(re.escape(phrase), changed))
        if any(first <= start < last for first, last in spans):
            around = text[max(0, start - 30) : end + 30]
            yield f"{number[0]} became {another(number[0])}, in {around!r}"


def test_a_changed_number_is_named_and_what_is_exempt_is_not():
    text = "In 12 of 40 cases, with n = 30, three of Figure 2 (2019) were wrong on CIFAR-10."
    assert [*problems(text, ["12 of 40 cases"])] == []
    (message,) = problems(text.replace("12 of", "13 of"), ["12 of 40 cases"])
    assert message == "'12 of 40 cases' stands in the text as ['13 of 40 cases']"
    *_, last = problems(text.replace("wrong", "wrong 7 times"), ["12 of 40 cases"])
    assert last.startswith("'7' is neither computed nor given, in ")
    changes = unnoticed("Of 12 and 12, or of 23.", ["12", "23"])
    assert [*changes] == ["12 became 23, in 'Of 12 and 12, or of 23.'"] * 2


def reading(function, results):
    """Return a function that reads its results, and still computes that of the first argument."""
    first = next(call for call in results if call.startswith(f"{function.__name__}("))

    def read(*arguments):
        call = f"{function.__name__}({', '.join(map(str, arguments))})"
        result = ast.literal_eval(results[call])
        if arguments and call == first:
            assert function(*arguments) == pytest.approx(result), f"{call} in data/trained.txt"
        return result

    return read


@pytest.fixture
def trained(name, monkeypatch):
    """Let a module read what its long trainings gave."""
    module, results = importlib.import_module(name), TRAINED.get(name, {})
    for function in {call.split("(")[0] for call in results}:
        monkeypatch.setattr(module, function, reading(getattr(module, function), results))


@pytest.mark.slow
@pytest.mark.parametrize("name", MODULES)
@pytest.mark.usefixtures("trained")
def test_every_number_in_prose_is_computed_or_given(name):
    check_prose(name)


@pytest.mark.nightly
@pytest.mark.parametrize("name", TRAINED)
def test_numbers_of_long_trainings_are_those_in_prose(name):
    """Without what the test by day has read, because it may have been kept."""
    for value in vars(importlib.import_module(name)).values():
        getattr(value, "cache_clear", list)()
    check_prose(name)


def check_prose(name):
    """Every number that is changed must be reported."""
    module, text = importlib.import_module(name), prose(name)
    stated = phrases(module)
    assert "\n".join(problems(text, stated, strict=name in STRICT)) == ""
    if name in STRICT:
        assert "\n".join(unnoticed(text, stated)) == ""
