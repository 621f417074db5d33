"""The parts of each chapter: a module, and a file with its guesses.

A notebook begins with ``from errlab_book.chapters import comparing_two as chapter``, which also
prepares it for figures. ``chapter.discordant??`` shows how a picture is drawn.
"""

import re
from typing import Any

from IPython.display import display

from errlab_book import setup

setup()

# words for small counts and places in sentences
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINALS = (
    *("zeroth", "first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)


def in_words(*reports: Any) -> None:
    """Display reports as Markdown, so that a narrow page breaks lines only between words."""
    # in Markdown, a list needs an empty line before it, and a line break two spaces
    text = "\n\n".join(map(str, reports)).replace(":\n  - ", ":\n\n- ")
    text = re.sub(r"(?<!\n)\n  - ", "\n\n- ", text, count=1).replace("\n  - ", "\n- ")
    text = "\n".join(f"> {line}  " if line else ">" for line in text.splitlines())
    display({"text/plain": "\n\n".join(map(str, reports)), "text/markdown": text}, raw=True)
