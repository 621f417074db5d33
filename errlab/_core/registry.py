"""A registry of methods, filled by decorators in the modules that define them.

Text that many docstrings share is written once and inserted into each.
"""

import functools
import inspect
import re
import textwrap
from collections.abc import Callable
from typing import TypeVar

from errlab._core import checks

V = TypeVar("V")
Function = TypeVar("Function", bound=Callable[..., object])
# the sections of numpydoc that we use, in order; the summary has no title
ORDER = ("", "Parameters", "Options", "Returns", "Raises", "Notes", "References", "Examples")
_TITLE = re.compile(rf"^({'|'.join(ORDER[1:])})\n-+\n", re.MULTILINE)


def _plain(name: str) -> str:
    """Normalise a name for comparison: "Clopper-Pearson" and "clopper_pearson" are equal."""
    return re.sub(r"[-_\s]+", " ", name.casefold()).strip()


def _names(entry: object) -> list[str]:
    """Return the normalised full names of an entry, and the name of its function."""
    function = getattr(getattr(entry, "function", None), "__name__", None)
    names = (getattr(entry, "name", None), function, *getattr(entry, "names", ()))
    return [_plain(name) for name in names if name]


class Registry(dict[str, V]):
    """A dictionary from short names to methods that also accepts full names.

    A method is found by its key, its full name (``name``, or each of ``names``) or the name of
    its function, in upper or lower case. An unknown name lists the choices.

    Examples
    --------
    >>> registry = Registry("bound")
    >>> registry.add("HOE", 1), registry.add("T_HOE", 2)
    (1, 2)
    >>> registry["t-hoe"]
    2
    >>> registry["XYZ"]
    Traceback (most recent call last):
    ...
    ValueError: unknown bound 'XYZ'; choose one of HOE, T_HOE
    """

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def find(self, name: str) -> str:
        """Return the key of the method with this name.

        Raises
        ------
        ValueError
            If no entry has that name, or more than one.
        TypeError
            If it is not a string.
        """
        if not isinstance(name, str):
            raise TypeError(f"a {self.what} is named by a string, got {checks.show(name)}")
        if dict.__contains__(self, name):
            return name
        wanted = _plain(name)
        # a key takes precedence over a full name, because papers and tables use the keys
        keys = [key for key in self if _plain(key) == wanted]
        keys = keys or [key for key, entry in self.items() if wanted in _names(entry)]
        if len(keys) == 1:
            return keys[0]
        if keys:
            raise ValueError(
                f"{self.what} must be one of {', '.join(keys)}, got {checks.show(name)}, which "
                "is a name of each"
            )
        raise ValueError(
            f"unknown {self.what} {checks.show(name)}; choose one of {', '.join(self)}"
        )

    def __getitem__(self, name: str) -> V:
        return super().__getitem__(self.find(name))

    def __contains__(self, name: object) -> bool:
        return self.get(name) is not None  # type: ignore[arg-type]

    def get(self, name: str, default: V | None = None) -> V | None:  # type: ignore[override]
        """Return the entry with that name, or `default` if there is none."""
        try:
            return self[name]
        except (ValueError, TypeError):
            return default

    def add(self, key: str, value: V) -> V:
        """Register `value` under a new `key`; the entries are sorted by ``place``, each its own.

        So the order of the entries, and the look of each in figures, doesn't depend on the order of
        imports.
        """
        if _plain(key) in map(_plain, self):
            raise ValueError(f"{self.what} {key!r} is registered already")
        places = {getattr(entry, "place", None): other for other, entry in self.items()}
        place = getattr(value, "place", None)
        if place is not None and place in places:
            free = max(other for other in places if other is not None) + 1
            raise ValueError(
                f"place must be free, got {place} for {self.what} {key!r}, "
                f"but {places[place]!r} has it; use place={free}"
            )
        # a dictionary keeps the order of insertion, so insert all entries again
        entries = [*self.items(), (key, value)]
        self.clear()
        self.update(sorted(entries, key=lambda entry: getattr(entry[1], "place", 0)))
        return value


def named_as(formula: Callable[..., object], function: Function) -> Function:
    """Give a public function the name and source of its formula, and a docstring from both.

    The function has the sections that all formulas of a registry share. The summary, the references
    and the examples come from the formula, and its "Options" are added to the parameters.
    """
    signature = inspect.signature(function)
    *shared, last = signature.parameters.values()
    if last.kind is last.VAR_KEYWORD:  # `**options` stands for the keywords of the formula
        options = inspect.signature(formula).parameters.values()
        by_name = [option for option in options if option.kind is option.KEYWORD_ONLY]
        signature = signature.replace(parameters=[*shared, *by_name])
    # `inspect.getsource` follows __wrapped__ to the formula; `inspect.signature` uses this
    # signature
    functools.update_wrapper(function, formula, ("__module__", "__name__", "__qualname__"), ())
    function.__signature__ = signature  # type: ignore[attr-defined]
    parts = sections(function) | sections(formula)
    if "Options" in parts:
        parts["Parameters"] += "\n" + parts.pop("Options")
    function.__doc__ = docstring(parts)
    return function


def sections(function: Callable[..., object]) -> dict[str, str]:
    """Return the sections of a docstring by their titles; the summary has an empty title.

    >>> [*sections(sections)]
    ['']
    """
    parts = ["", *_TITLE.split(inspect.getdoc(function) or "")]
    return {title: part.strip() for title, part in zip(parts[::2], parts[1::2], strict=True)}


def docstring(parts: dict[str, str]) -> str:
    """Join sections to a docstring, indented like that of a function."""
    titled = [
        f"{title}\n{'-' * len(title)}\n{parts[title]}" for title in ORDER[1:] if title in parts
    ]
    return textwrap.indent("\n\n".join([parts[""], *titled]), "    ").strip() + "\n"
