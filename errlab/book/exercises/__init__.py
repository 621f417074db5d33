"""Checks for the exercises of the book: `check` says right or wrong and what went wrong."""

import importlib
import pkgutil

from errlab.book.exercises._exercise import EXERCISES, Exercise, Verdict, check, hint

for _module in pkgutil.iter_modules(__path__):
    if _module.name.startswith("chapter"):
        importlib.import_module(f"{__name__}.{_module.name}")

__all__ = ["EXERCISES", "Exercise", "Verdict", "check", "hint"]
