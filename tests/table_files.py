"""Read the tables of tests/data: sections with a title, lines, and comments."""

import re
from pathlib import Path

DATA = Path(__file__).with_name("data")


def sections(name):
    """Return the title of each section of a table, and its lines without comments."""
    text = (DATA / name).read_text("utf-8")
    parts = re.split(r"^\[([A-Za-z].*)\]$", text, flags=re.MULTILINE)[1:]
    return [
        (title, [line for line in lines.splitlines() if not re.match("(#( |$)|$)", line)])
        for title, lines in zip(parts[::2], parts[1::2], strict=True)
    ]
