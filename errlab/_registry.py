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
        """Register `value` under `key`, once; by its ``place`` where it has one.

        The order of the entries, and so the look of each in the figures, does not depend on
        which module is imported first.
        """
        if key in self:
            raise ValueError(f"{self.what} {key!r} is registered already")
        self[key] = value
        entries = sorted(self.items(), key=lambda entry: getattr(entry[1], "place", 0))
        if [k for k, _ in entries] != list(self):
            self.clear()
            self.update(entries)
        return value
