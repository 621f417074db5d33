"""Redraw pictures when a cell changes their functions.

If a picture calls functions of the notebook, it must change when the reader edits such a function,
one of its helpers, or a number that either reads from the notebook.
"""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from IPython import get_ipython

Function = Callable[..., Any]
# a function that redraws a picture, given the current functions
Redraw = Callable[[tuple[Function, ...]], None]


@dataclass
class Follower:
    """A displayed picture: its functions, their names in the notebook, and the objects they use."""

    functions: tuple[Function, ...]
    names: tuple[str, ...]
    redraw: Redraw
    seen: dict[str, Any] = field(default_factory=dict)

    def look(self, space: Mapping[str, Any]) -> None:
        """Redraw the picture if an object that its functions use has been replaced."""
        pairs = zip(self.names, self.functions, strict=True)
        self.functions = tuple(space.get(name, function) for name, function in pairs)
        now = used(self.functions, space)
        # by identity, because comparing arrays doesn't give a single True or False
        same = now.keys() == self.seen.keys() and all(now[k] is self.seen[k] for k in now)
        self.seen = now
        if not same:
            self.redraw(self.functions)


@dataclass
class Run:
    """A run of a cell, and the pictures that it displayed."""

    number: str
    followers: list[Follower] = field(default_factory=list)


# the last run of each cell
_RUNS: dict[str, Run] = {}


def is_readers(function: Any) -> bool:
    """Return whether a function was written in the notebook."""
    return callable(function) and getattr(_bare(function), "__module__", "") == "__main__"


def follow(functions: tuple[Function, ...], redraw: Redraw) -> None:
    """Call `redraw` after each cell that changes these functions or objects that they use.

    When a cell runs again it shows new pictures; those of its previous run are no longer updated.
    """
    shell = get_ipython()
    if shell is None or not any(map(is_readers, functions)):
        return
    space = shell.user_ns
    names = tuple(_name(function, space) for function in functions)
    cell, number = _running(shell)
    if cell not in _RUNS or _RUNS[cell].number != number:
        _RUNS[cell] = Run(number)
    _RUNS[cell].followers.append(Follower(functions, names, redraw, used(functions, space)))
    if _after_cell not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _after_cell)


def used(functions: tuple[Function, ...], space: Mapping[str, Any]) -> dict[str, Any]:
    """Return the notebook's objects that functions and their helpers use, by name."""
    by_name = {f"function {i}": function for i, function in enumerate(functions)}
    unread = list(functions)
    while unread:
        for name in _names_in(_bare(unread.pop())):
            if name in space and name not in by_name:
                by_name[name] = space[name]
                if is_readers(by_name[name]):
                    unread.append(by_name[name])
    return by_name


def _after_cell(result: Any) -> None:
    """Check all pictures after a cell has run."""
    shell = get_ipython()
    cell, number = _running(shell)
    if cell in _RUNS and _RUNS[cell].number != number:
        del _RUNS[cell]
    for run in list(_RUNS.values()):
        for follower in run.followers:
            follower.look(shell.user_ns)


def _running(shell: Any) -> tuple[str, str]:
    """Return the id of the running cell, and the number of its run."""
    # a terminal sends no messages, so count each input as a cell
    message = shell.get_parent() if hasattr(shell, "get_parent") else {}
    number = str(message.get("header", {}).get("msg_id", shell.execution_count))
    # JupyterLab sends the cell's id; with other clients cells are identified by their code
    code = message.get("content", {}).get("code", number)
    return str(message.get("metadata", {}).get("cellId", code)), number


def _bare(function: Any) -> Any:
    """Return the function inside a partial or a decorator."""
    while isinstance(function, functools.partial):
        function = function.func
    return inspect.unwrap(function) if callable(function) else function


def _name(function: Function, space: Mapping[str, Any]) -> str:
    """Return a function's name in the notebook; None for a lambda in place."""
    names = [name for name, value in space.items() if value is function and name[0] != "_"]
    return names[0] if names else ""


def _names_in(function: Any) -> Iterator[str]:
    """Yield each name that a function, or code defined inside it, looks up."""
    if inspect.isclass(function):
        for member in vars(function).values():
            yield from _names_in(_bare(member))
    codes = [code for code in [getattr(function, "__code__", None)] if code]
    while codes:
        code = codes.pop()
        yield from code.co_names
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
