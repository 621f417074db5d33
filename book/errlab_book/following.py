"""Pictures that follow: drawn anew when a cell has changed what their functions use.

A picture that a notebook's function drives has to change when the reader edits that function, a
helper of it, or a number that either takes from the notebook.
"""

import functools
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from IPython import get_ipython

Function = Callable[..., Any]
# what redraws a picture, given the functions as they are now
Redraw = Callable[[tuple[Function, ...]], None]


@dataclass
class Follower:
    """A picture on the screen: its functions, their names in the notebook, and what they use."""

    functions: tuple[Function, ...]
    names: tuple[str, ...]
    redraw: Redraw
    seen: dict[str, Any] = field(default_factory=dict)

    def look(self, space: Mapping[str, Any]) -> None:
        """Redraw the picture if anything that its functions use is another object now."""
        pairs = zip(self.names, self.functions, strict=True)
        self.functions = tuple(space.get(name, function) for name, function in pairs)
        now = used(self.functions, space)
        # by identity: two arrays have no single answer to whether they are equal
        same = now.keys() == self.seen.keys() and all(now[k] is self.seen[k] for k in now)
        self.seen = now
        if not same:
            self.redraw(self.functions)


@dataclass
class Run:
    """One run of a cell, and the pictures that it has shown."""

    number: str
    followers: list[Follower] = field(default_factory=list)


# the last run of each cell
_RUNS: dict[str, Run] = {}


def is_readers(function: Any) -> bool:
    """Whether a function was written in the notebook."""
    return callable(function) and getattr(_bare(function), "__module__", "") == "__main__"


def follow(functions: tuple[Function, ...], redraw: Redraw) -> None:
    """Call `redraw` after each cell that has changed what these functions are or use.

    A cell that runs again shows other pictures; those of the run before are followed no more.
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
    """Return what functions take from the notebook, by name; what their helpers take as well."""
    found = {f"function {i}": function for i, function in enumerate(functions)}
    unread = list(functions)
    while unread:
        for name in _names_in(_bare(unread.pop())):
            if name in space and name not in found:
                found[name] = space[name]
                if is_readers(found[name]):
                    unread.append(found[name])
    return found


def _after_cell(result: Any) -> None:
    """Look whether the cell that has just run has changed a picture of any cell."""
    shell = get_ipython()
    cell, number = _running(shell)
    if cell in _RUNS and _RUNS[cell].number != number:
        del _RUNS[cell]
    for run in list(_RUNS.values()):
        for follower in run.followers:
            follower.look(shell.user_ns)


def _running(shell: Any) -> tuple[str, str]:
    """Return which cell runs, and which of its runs it is."""
    # a terminal has no messages: there each input is a cell of its own
    message = shell.get_parent() if hasattr(shell, "get_parent") else {}
    number = str(message.get("header", {}).get("msg_id", shell.execution_count))
    # JupyterLab names the cell; of another client two cells are one where their code is
    code = message.get("content", {}).get("code", number)
    return str(message.get("metadata", {}).get("cellId", code)), number


def _bare(function: Any) -> Any:
    """Return the function that a partial or a decorator stands around."""
    while isinstance(function, functools.partial):
        function = function.func
    return inspect.unwrap(function) if callable(function) else function


def _name(function: Function, space: Mapping[str, Any]) -> str:
    """Return the name by which the notebook knows a function; a lambda in place has none."""
    own = [name for name, value in space.items() if value is function and name[0] != "_"]
    return own[0] if own else ""


def _names_in(function: Any) -> Iterator[str]:
    """Yield each name that a function, or what is defined inside of it, looks up."""
    if inspect.isclass(function):
        for member in vars(function).values():
            yield from _names_in(_bare(member))
    codes = [code for code in [getattr(function, "__code__", None)] if code]
    while codes:
        code = codes.pop()
        yield from code.co_names
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
