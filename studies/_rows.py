"""Store the repetitions of a study: one line each, below a first line that says what made them.

Rows of another seed, task or version are never mixed with these. If the last line was cut because
the process was killed, it is dropped; any other line that can't be read is an error that names it.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import inspect
import json
import os
import platform
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None

# by digest of the setting, then by number of the repetition
Rows = dict[tuple[str, int], dict[str, Any]]


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that a result may depend on."""
    modules = ("numpy", "scipy", "sklearn", "errlab")
    packages = {key: str(importlib.import_module(key).__version__) for key in modules}
    return {"python": platform.python_version(), **packages}


def head(seed: int, task: Callable[..., Any]) -> dict[str, Any]:
    """Return what all rows of a study share: its seed, versions and task."""
    return {"seed": seed, "versions": versions(), "task": fingerprint(task)}


def fingerprint(task: Callable[..., Any]) -> str:
    """Return a digest of a task's code and of everything in its module that it uses.

    Comments, docstrings and the place in the file don't change it.
    """
    parts: list[str] = []
    visited_ids: set[int] = set()

    def walk(item: Any) -> None:
        if id(item) in visited_ids:
            return
        visited_ids.add(id(item))
        if isinstance(item, partial):
            for part in (item.func, item.args, item.keywords):
                walk(part)
        elif isinstance(item, Mapping):
            for key, value in item.items():
                parts.append(repr(key))
                walk(value)
        elif isinstance(item, (tuple, list)):
            for value in item:
                walk(value)
        elif isinstance(item, (set, frozenset)):
            parts.append(repr(sorted(map(repr, item))))
        elif item is None or isinstance(item, (int, float, str)):
            parts.append(repr(item))
        elif inspect.isroutine(item) and isinstance(inspect.unwrap(item), types.FunctionType):
            walk_function(inspect.unwrap(item))

    def walk_function(function: types.FunctionType) -> None:
        if function.__module__ != module:
            parts.append(f"{function.__module__}.{function.__qualname__}")
            return
        walk(function.__defaults__)
        walk(function.__kwdefaults__)
        for code in _codes(function.__code__):
            parts.append(code.co_code.hex())
            for constant in code.co_consts[_has_docstring(code) :]:
                if not isinstance(constant, types.CodeType):
                    walk(constant)
            for name in code.co_names:
                parts.append(name)
                walk(function.__globals__.get(name))

    inner = task.func if isinstance(task, partial) else inspect.unwrap(task)
    module = inner.__module__
    walk(task)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _has_docstring(code: types.CodeType) -> bool:
    """Return whether the first constant is the docstring, as it always was before Python 3.14."""
    flagged = sys.version_info < (3, 14) or bool(code.co_flags & 0x4000000)
    return flagged and bool(code.co_consts) and isinstance(code.co_consts[0], str)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code object and those inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


@contextlib.contextmanager
def _locked(file: BinaryIO) -> Iterator[None]:
    """Keep other processes from writing to the file, if the system can lock files."""
    if fcntl is None:
        yield
        return
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def append(file: BinaryIO, row: list[Any]) -> None:
    """Append one complete line to the file."""
    line = (json.dumps(row, allow_nan=False) + "\n").encode()
    with _locked(file):
        file.write(line)
        file.flush()


def load(path: Path, wanted: Mapping[str, Any]) -> Rows:
    """Read the stored rows; write the first line if the file is new.

    Raises
    ------
    ValueError
        If the rows were made by another seed, task or version, or a line cannot be read.
    """
    with path.open("ab+") as file, _locked(file):
        file.seek(0)
        content = file.read()
        # the last line may be cut if the process was killed
        whole = content[: content.rfind(b"\n") + 1]
        if whole != content:
            os.ftruncate(file.fileno(), len(whole))
        if not whole:
            file.write((json.dumps(wanted) + "\n").encode())
            return {}
    first, *rest = whole.decode("utf-8", errors="replace").splitlines()
    _same_head(path, first, wanted)
    return dict(_row(path, number, line) for number, line in enumerate(rest, 2))


def _same_head(path: Path, first: str, wanted: Mapping[str, Any]) -> None:
    """Refuse rows of another seed, task or version, and name the difference."""
    try:
        head = json.loads(first)
    except json.JSONDecodeError:
        head = None
    if not isinstance(head, dict):
        raise ValueError(f"{path}, line 1 must say what made the rows, got {first[:60]!r}")
    for key, value in wanted.items():
        if head.get(key) != value:
            raise ValueError(
                f"{path} must hold rows of {key} {value}, got rows of {head.get(key)}; "
                "move it away to start anew"
            )


def _row(path: Path, number: int, line: str) -> tuple[tuple[str, int], dict[str, Any]]:
    """Read one line."""
    try:
        key, repetition, result = json.loads(line)
    except (json.JSONDecodeError, ValueError, TypeError):
        key = repetition = result = None
    if not (isinstance(key, str) and isinstance(repetition, int) and isinstance(result, dict)):
        raise ValueError(
            f"{path}, line {number} must be [setting, number, result], got {line[:60]!r}; "
            "without that line the study makes the repetition again"
        )
    return (key, repetition), result
