"""Numbers and switches that a caller gets unless he asks for others.

What the book, the docstrings and old results suppose is not changed in passing: another default
is another answer. New functions need no line here; `python tests/test_defaults.py` writes them all.
"""

import importlib
import inspect
import json
from pathlib import Path

RECORD = Path(__file__).parent / "defaults.json"
PARTS = [
    "bootstrap",
    "bounds",
    "compare",
    "coverage",
    "crossval",
    "datasets",
    "generalization",
    "holdout",
    "intervals",
]
PARTS += ["losses", "metrics"]


def functions():
    """Every public function of the library by name."""
    found = {}
    for part in PARTS:
        module = importlib.import_module(f"errlab.{part}")
        for name in getattr(module, "__all__", None) or dir(module):
            one = getattr(module, name)
            if inspect.isfunction(one) and not name.startswith("_"):
                found[f"{part}.{name}"] = one
    return found


def defaults(function):
    """Its defaults that are numbers or switches."""
    given = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in given if isinstance(p.default, (bool, int, float))}


FUNCTIONS = functions()
STORED = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}


def test_delta_is_five_percent_unless_it_is_asked_for():
    deltas = {name: defaults(one).get("delta", 0.05) for name, one in FUNCTIONS.items()}
    assert {name: delta for name, delta in deltas.items() if delta != 0.05} == {}


def test_defaults_are_those_that_are_known():
    assert {name: defaults(FUNCTIONS[name]) for name in STORED} == STORED


if __name__ == "__main__":
    known = {name: defaults(one) for name, one in FUNCTIONS.items() if defaults(one)}
    RECORD.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
