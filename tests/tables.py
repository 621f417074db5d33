"""Read the tables of tests/data: sections with a title, lines, and comments."""

import re
from pathlib import Path

DATA = Path(__file__).with_name("data")


def sections(name):
    """Yield the title of each section of a table, and its lines without comments."""
    text = (DATA / name).read_text("utf-8")
    titles_and_texts = re.split(r"^\[(.+)\]$", text, flags=re.MULTILINE)[1:]
    for title, lines in zip(titles_and_texts[::2], titles_and_texts[1::2], strict=True):
        yield title, [line for line in lines.splitlines() if line and not line.startswith("#")]


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
        if re.match(r"\w+ = ", line):
            exec(line, names)
        else:
            call = line


def pattern(words):
    """Return the regular expression of words in which ... stands for any text."""
    return ".*".join(map(re.escape, words.split("...")))
