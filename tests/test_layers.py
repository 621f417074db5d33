"""A module imports only from lower layers, or its own; heavy libraries come late."""

import ast
import functools
import importlib
import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import nbformat
import pytest

from errlab._core import extras

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "errlab"
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
FLOORS = re.findall(r"^\| (\d+) \| ([^|]+) \|", ARCHITECTURE, re.MULTILINE)
LAYER = {name: int(floor) for floor, names in FLOORS for name in re.findall(r"`(\w+)`", names)}


def test_each_family_has_a_floor_and_the_book_the_highest():
    assert {family(path) for path in modules()} == set(LAYER)
    assert [name for name in LAYER if LAYER[name] == 0] == ["_core"]


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
    if path.suffix == ".ipynb":
        cells = nbformat.read(path, as_version=4).cells
        source = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    else:
        source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
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
        return own in ("style", "statements")
    if root in ("ipywidgets", "IPython"):
        return own == "book"
    return root != "pandas" or own == "book"  # it is for notebooks


def test_modules_import_only_from_lower_layers_or_their_own():
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in modules()
        for name in imports(path)
        if not may_import(family(path), name)
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
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert set(run.stdout.split()) & STARTS[code] == set()


def test_every_package_that_may_be_missing_is_loaded_by_the_helper_that_names_its_extra():
    """Outside the book, which asks for all of them at its door."""
    for path in modules():
        if family(path) not in ("book", "_core"):
            roots = {(name or "").split(".")[0] for name in imports(path)}
            assert not roots & {*extras.EXTRA}, f"{path} imports {roots & {*extras.EXTRA}}"


def test_make_book_installs_what_chapters_and_pages_import():
    """`make test` installs more, and would not miss it."""
    asked = re.findall(r"^[\w-]+", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE)
    known = {"errlab", "errlab_book", *sys.stdlib_module_names}
    known |= {m for m, of in metadata.packages_distributions().items() if {*of} & {*asked}}
    rooms = (ROOT / room for room in ("notebooks", "book", "teaching/decks"))
    for path in (path for room in rooms for path in room.rglob("*.ipynb")):
        assert {name.split(".")[0] for name in imports(path)} <= known, path
