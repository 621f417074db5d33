"""What type checkers and editors see: numbers in, a number out; where Any is left.

mypy is asked as a user asks it, of a package that is installed: there aliases were lost that are
seen in a checkout.
"""

import ast
import importlib
import inspect
import os
import re
import shutil
import sysconfig
import venv
from pathlib import Path

import numpy as np
import pytest
from mypy import api
from tables import entries, sections

import errlab
from errlab import bounds
from errlab.bounds import BOUNDS

PACKAGE = Path(errlab.__file__).parent
TABLE = dict(sections("types.txt"))["types"]
CALLS = [(call, kind) for call, _, (kind,) in entries(TABLE, {})]
HEAD = f"""
from typing import assert_type
import numpy as np
import numpy.typing as npt
import errlab
from errlab import {", ".join(errlab._MODULES)}
from errlab.compare._result import ComparisonResult
from errlab.results import Interval, PairReport, Report
from errlab.statements.watch import Watch
Array = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
class Model:
    def fit(self, X: object, y: object) -> object: ...
    def predict(self, X: object) -> object: ...
def calls(y: list[int], rates: Array) -> None:
"""


@pytest.mark.nightly  # slow, because mypy reads numpy again
def test_an_editor_is_told_what_comes_back(tmp_path):
    """In a copy at the place where pip would install it."""
    venv.create(tmp_path / "venv")
    scheme = "nt_venv" if os.name == "nt" else "posix_venv"
    paths = sysconfig.get_paths(scheme, {"base": str(tmp_path / "venv")})
    site = Path(paths["purelib"])
    shutil.copytree(PACKAGE, site / "errlab", ignore=shutil.ignore_patterns("book", "__pycache__"))
    (site / "peers.pth").write_text(str(Path(np.__file__).parents[1]), encoding="utf-8")
    python = next(Path(paths["scripts"]).glob("python*"))
    calls = tmp_path / "calls.py"
    body = "".join(f"    assert_type({call}, {kind})\n" for call, kind in CALLS)
    calls.write_text(HEAD + body, "utf-8")
    text, errors, status = api.run(
        [
            "--config-file=", "--ignore-missing-imports", f"--cache-dir={tmp_path / 'cache'}",
            f"--python-executable={python}", str(calls),
        ]
    )  # fmt: skip
    assert status == 0, text + errors


def test_whatever_returns_a_number_or_an_array_is_asked_for_both():
    """As the docstring says; `losses` accepts only arrays."""
    either = {"float | Array", "int | Integers"}
    for module in set(errlab._MODULES) - {"losses"}:
        package = importlib.import_module(f"errlab.{module}")
        for name in package.__all__:
            doc = inspect.getdoc(getattr(package, name)) or ""
            if re.search(r"^Returns\n-+\n(float|int) or (nd)?array", doc, re.MULTILINE):
                types = {kind for call, kind in CALLS if call.startswith(f"{module}.{name}(")}
                assert types & {"float", "int", *either}, name
                assert types & {"Array", *either}, name
    asked = {call.split("(")[0] for call, _ in CALLS}
    for entry in BOUNDS.values():
        name = entry.function.__name__
        assert entry.needs == "losses" or name not in bounds.__all__ or f"bounds.{name}" in asked


def annotations(node):
    """The annotations of a function or an attribute, as text."""
    if isinstance(node, ast.FunctionDef):
        nodes = [arg.annotation for arg in ast.walk(node.args) if isinstance(arg, ast.arg)]
        nodes.append(node.returns)
    else:
        nodes = [node.annotation] if isinstance(node, ast.AnnAssign) else []
    return [ast.unparse(annotation) for annotation in nodes if annotation is not None]


def any_within(node, name, aliases):
    """Qualified names of annotations that are Any, alone, in a union, or by an alias."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.Assign) and ast.unparse(part.value) == "Any":
            aliases |= {ast.unparse(target) for target in part.targets}
            yield from (f"{name}.{ast.unparse(target)}" for target in part.targets)
        inside = name
        if isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            inside = f"{name}.{part.name}"
        if any(aliases & set(text.split(" | ")) for text in annotations(part)):
            yield inside
        yield from any_within(part, inside, aliases)


@pytest.mark.slow
def test_nothing_in_the_library_is_any_but_what_must_be():
    """Public or private, parameter, return value or attribute."""
    result = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        tree = ast.parse(path.read_text("utf-8"))
        result |= {*any_within(tree, module.removesuffix(".__init__"), {"Any"})}
    ((_, lines),) = sections("any.txt")
    assert result == {line.split(":")[0] for line in lines}
