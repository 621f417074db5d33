"""A registry of methods: a dictionary that fills itself where the methods are defined."""

from __future__ import annotations

from typing import Any, TypeVar

V = TypeVar("V")


class Registry(dict[str, V]):
    """A dictionary from short names to methods; an unknown name lists the choices.

    Examples
    --------
    >>> registry = Registry("bound", {"HOE": 1, "CP": 2})
    >>> registry["XYZ"]
    Traceback (most recent call last):
    ...
    ValueError: unknown bound 'XYZ'; choose one of HOE, CP
    """

    def __init__(self, what: str, *args: Any) -> None:
        super().__init__(*args)
        self.what = what

    def __missing__(self, key: object) -> V:
        raise ValueError(f"unknown {self.what} {key!r}; choose one of {', '.join(self)}")

    def add(self, key: str, value: V) -> V:
        """Register `value` under `key`, once."""
        if key in self:
            raise ValueError(f"{self.what} {key!r} is registered already")
        self[key] = value
        return value
