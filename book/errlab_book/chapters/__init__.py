"""What the chapters are made of: for each one a module, and a file with its guesses.

A notebook begins with ``from errlab_book.chapters import comparing_two as chapter``, which also
prepares it for its figures. ``chapter.discordant??`` shows how a picture is drawn.
"""

import re
from typing import Any

from IPython.display import display

from errlab_book import setup

setup()

# for sentences that say small counts, and places, in words
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINALS = (
    *("zeroth", "first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)


def in_words(*reports: Any) -> None:
    """Display reports as Markdown, whose lines a narrow page breaks between words only."""
    # in Markdown, a list needs an empty line before it, and a line break two spaces
    text = "\n\n".join(map(str, reports)).replace(":\n  - ", ":\n\n- ")
    text = re.sub(r"(?<!\n)\n  - ", "\n\n- ", text, count=1).replace("\n  - ", "\n- ")
    text = "\n".join(f"> {line}  " if line else ">" for line in text.splitlines())
    display({"text/plain": "\n\n".join(map(str, reports)), "text/markdown": text}, raw=True)
