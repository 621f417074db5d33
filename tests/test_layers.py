"""A module imports only from lower layers, or its own; heavy libraries come late."""

import ast
import functools
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from errlab._core import extras

PACKAGE = Path(__file__).parent.parent / "errlab"

LAYER = {
    "_core": 0,
    "_numerics": 1,
    "_style": 1,
    "losses": 1,
    "bounds": 2,
    "datasets": 2,
    "bootstrap": 3,
    "crossval": 3,
    "metrics": 3,
    "compare": 4,
    "coverage": 4,
    "generalization": 4,
    "holdout": 4,
    "training_set": 4,
    "statements": 5,
    "cli": 6,
    "__main__": 7,
    "__init__": 8,
    "book": 9,  # the upper storey: it may use all of the library, and nothing there uses it
}


ROOT = PACKAGE.parent
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")


def test_floors_are_whole_and_each_family_has_one():
    assert all(isinstance(floor, int) for floor in LAYER.values())
    assert {family(path) for path in modules()} == set(LAYER)


def test_the_architecture_page_has_these_floors():
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", ARCHITECTURE, re.MULTILINE)
    listed = {name: int(floor) for floor, names in rows for name in re.findall("`(\\w+)`", names)}
    assert listed == LAYER


def test_what_the_architecture_page_names_is_there():
    """Functions by their dotted names below errlab, and files by their paths."""
    for name in re.findall(r"`((?:_?[a-z]\w*\.)+\w+)`", ARCHITECTURE):
        if name.startswith("errlab.") or name.split(".")[0] in LAYER:
            place, _, last = name.removeprefix("errlab.").rpartition(".")
            assert hasattr(importlib.import_module(f"errlab.{place}".rstrip(".")), last), name
    for path in re.findall(r"`([\w/]+/(?:[\w.]+)?)`", ARCHITECTURE):
        assert (ROOT / path).exists() or (PACKAGE / path).exists(), path


def modules():
    return sorted(PACKAGE.rglob("*.py"))


def family(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@functools.cache
def imports(path):
    """Every module name that a file imports, anywhere in it, but for the type checker only."""
    found = []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append(node.module)
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def may_import(own, name):
    root, _, rest = name.partition(".")
    other = rest.partition(".")[0]
    if root == "errlab" and other in LAYER:
        # report imports compare lazily and so on: the layer counts wherever it stands
        return other == own or LAYER[other] < LAYER[own]
    if root == "matplotlib":
        return own in ("_style", "statements", "book")
    if root in ("ipywidgets", "IPython"):
        return own == "book"
    return root != "pandas"  # it is for notebooks


@pytest.mark.parametrize("own", sorted({family(path) for path in modules()}))
def test_modules_import_only_from_lower_layers_or_their_own(own):
    assert own in LAYER, f"{own} has no layer in test_layers.py"
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in modules()
        if family(path) == own
        for name in imports(path)
        if not may_import(own, name)
    ]
    assert wrong == []


HEAVY = {"scipy.stats", "scipy.optimize", "matplotlib", "sklearn", "pandas", "joblib", "IPython"}
STARTS = {
    "import errlab": {"numpy", "scipy", *HEAVY},
    "main(['--help'])": {"numpy", "scipy", *HEAVY},
    "main(['report', '--help'])": {"numpy", "scipy", *HEAVY},
    "main(['--version'])": {"numpy", "scipy", *HEAVY},
    "main(['plan', '--error', '0.1', '--half-width', '0.05'])": HEAVY,
    "main(['report', 'one.csv', '--score', 'y_pred'])": HEAVY,
    "main(['report', 'one.csv'])": HEAVY,
    "main(['report', 'two.csv', '--json'])": HEAVY,
    "import errlab.bounds, errlab.compare, errlab.metrics, errlab.crossval, errlab.holdout": HEAVY,
    "from errlab import datasets, generalization, training_set, bootstrap, coverage, losses": HEAVY,
}
LOADED = """
import sys
from contextlib import redirect_stdout, suppress
from io import StringIO
with redirect_stdout(StringIO()), suppress(SystemExit):
    {head}
    {code}
print(*sys.modules)
"""


@pytest.mark.slow
@pytest.mark.parametrize("code", STARTS)
def test_nothing_is_loaded_that_is_not_needed(code, tmp_path):
    (tmp_path / "one.csv").write_text("y_true,y_pred\n0,0\n1,0\n1,1\n")
    (tmp_path / "two.csv").write_text("y_true,pred_a,pred_b\n0,0,1\n1,0,1\n1,1,1\n")
    head = "from errlab.__main__ import main" if "main(" in code else "pass"
    run = subprocess.run(
        [sys.executable, "-c", LOADED.format(head=head, code=code)],
        capture_output=True, text=True, check=True, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
    )  # fmt: skip
    assert set(run.stdout.split()) & STARTS[code] == set()


def test_nothing_outside_the_book_imports_it():
    for path in modules():
        if family(path) != "book":
            named = {name for name in imports(path) if name and name.startswith("errlab.book")}
            assert not named, f"{path} imports {named}"


def test_every_package_that_may_be_missing_is_loaded_by_the_helper_that_names_its_extra():
    """Outside the book, which asks for all of them at its door."""
    for path in modules():
        if family(path) not in ("book", "_core"):
            roots = {(name or "").split(".")[0] for name in imports(path)}
            assert not roots & {*extras.EXTRA}, f"{path} imports {roots & {*extras.EXTRA}}"
