"""What a picture has computed is kept for the sentence about it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def kept(compute: Callable[P, R]) -> Callable[P, R]:
    """Keep the last 64 results of a function, however its arguments are given.

    Examples
    --------
    >>> @kept
    ... def pair(a, b=2):
    ...     return [a, b]
    >>> pair(1) is pair(a=1, b=2)
    True
    """
    signature = inspect.signature(compute)
    found = functools.lru_cache(maxsize=64)(compute)

    @functools.wraps(compute)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        return found(*given.args, **given.kwargs)

    return wrapper
