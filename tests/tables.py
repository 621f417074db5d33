"""Read the tables of tests/data: sections with a title, lines, and comments."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"


def sections(name):
    """Return the title of each section of a table, and its lines without comments.

    A title begins with a letter, or has a word and no other bracket; a comment begins with # and a
    blank.
    """
    text = (DATA / name).read_text("utf-8")
    parts = re.split(r"^\[([A-Za-z].*|[^][]*[a-z]{2}[^][]*)\]$", text, flags=re.MULTILINE)[1:]
    return [
        (title, [line for line in lines.splitlines() if not re.match("(#( |$)|$)", line)])
        for title, lines in zip(parts[::2], parts[1::2], strict=True)
    ]


def entries(lines, names):
    """Yield each call of a section, the names defined before it, and the lines below it.

    A line `name = value` defines a name for its section.
    """
    names, call, below = dict(names), "", []
    for line in [*lines, ""]:
        if line.startswith("    "):
            assert call, f"{line}: of which call?"
            below.append(line.strip())
            continue
        if call:
            assert below, f"{call}: what does it give?"
            yield call, names, below
        call, below = "", []
        if re.match(r"\w+(, \w+)* = ", line):
            exec(line, names)
        else:
            call = line


def toml(name):
    """Return what a file of tests/data in TOML holds."""
    return tomllib.loads((DATA / name).read_text("utf-8"))


def pattern(words):
    """Return the regular expression of words in which ... stands for any text."""
    return ".*".join(map(re.escape, words.split("...")))
