"""Check the book's exercises: `check` says whether an answer is right, and explains mistakes.

The answers are in the modules ``chapterNN``. The students' edition replaces them by
``sealed.json``, which contains digests.
"""

import importlib
import json
import pkgutil
from importlib.resources import files

from errlab_book.exercises._exercise import EXERCISES, Exercise, Verdict, check, hint, load_sealed

for _module in pkgutil.iter_modules(__path__):
    if _module.name.startswith("chapter"):
        importlib.import_module(f"{__name__}.{_module.name}")

_sealed = files(__name__) / "sealed.json"
if _sealed.is_file():
    load_sealed(json.loads(_sealed.read_text("utf-8")))

__all__ = ["EXERCISES", "Exercise", "Verdict", "check", "hint"]
