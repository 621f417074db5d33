"""Numbers and switches that a caller gets unless he asks for others.

What the book, the docstrings and old results suppose is not changed in passing: another default
is another answer. New functions need no line here; `python tests/test_defaults.py` writes them all.
"""

import importlib
import inspect
import json
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("name", FUNCTIONS)
def test_delta_is_five_percent_unless_it_is_asked_for(name):
    assert defaults(FUNCTIONS[name]).get("delta", 0.05) == 0.05


@pytest.mark.parametrize("name", STORED)
def test_defaults_are_those_that_are_known(name):
    assert defaults(FUNCTIONS[name]) == STORED[name]


if __name__ == "__main__":
    known = {name: defaults(one) for name, one in FUNCTIONS.items() if defaults(one)}
    RECORD.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
