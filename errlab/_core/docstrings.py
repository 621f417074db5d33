"""What many functions have in common stands once: it is put into the docstring of each."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable

# the sections of numpydoc that we use, in its order; the summary comes first and has no title
ORDER = ("", "Parameters", "Options", "Returns", "Raises", "Notes", "References", "Examples")
_TITLE = re.compile(rf"^({'|'.join(ORDER[1:])})\n-+\n", re.MULTILINE)


def sections(documented: Callable[..., object] | str) -> dict[str, str]:
    r"""Return the sections of a docstring by their titles; that of the summary is empty.

    >>> sections("Sum it up.\n\nReturns\n-------\nfloat")
    {'': 'Sum it up.', 'Returns': 'float'}
    """
    text = documented if isinstance(documented, str) else inspect.getdoc(documented) or ""
    summary, *titled = _TITLE.split(text)
    parts = dict(zip(titled[::2], titled[1::2], strict=True))
    return {title: part.strip() for title, part in {"": summary, **parts}.items()}


def docstring(parts: dict[str, str]) -> str:
    """Make a docstring of its sections, indented as that of a function is."""
    titled = [
        f"{title}\n{'-' * len(title)}\n{parts[title]}" for title in ORDER[1:] if title in parts
    ]
    return textwrap.indent("\n\n".join([parts[""], *titled]), "    ").strip() + "\n"
