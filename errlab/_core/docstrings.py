"""What many functions have in common stands once: it is put into the docstring of each."""

import inspect
import re
import textwrap
from collections.abc import Callable

# the sections of numpydoc that we use, in its order; the summary comes first and has no title
ORDER = ("", "Parameters", "Options", "Returns", "Raises", "Notes", "References", "Examples")
_TITLE = re.compile(rf"^({'|'.join(ORDER[1:])})\n-+\n", re.MULTILINE)


def sections(function: Callable[..., object]) -> dict[str, str]:
    """Return the sections of a docstring by their titles; that of the summary is empty.

    >>> [*sections(sections)]
    ['']
    """
    parts = ["", *_TITLE.split(inspect.getdoc(function) or "")]
    return {title: part.strip() for title, part in zip(parts[::2], parts[1::2], strict=True)}


def docstring(parts: dict[str, str]) -> str:
    """Make a docstring of its sections, indented as that of a function is."""
    titled = [
        f"{title}\n{'-' * len(title)}\n{parts[title]}" for title in ORDER[1:] if title in parts
    ]
    return textwrap.indent("\n\n".join([parts[""], *titled]), "    ").strip() + "\n"
