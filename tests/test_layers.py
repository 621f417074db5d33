"""A module imports only from lower layers, or its own; heavy libraries come late."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "errlab"

LAYER = {
    "_checks": 0,
    "_interval": 0,
    "_public": 0,
    "_numerics": 0,
    "_registry": 0,
    "_style": 0,
    "losses": 1,
    "_fit": 1,
    "_linear": 1,
    "datasets": 1,
    "bounds": 2,
    "bootstrap": 3,
    "crossval": 3,
    "metrics": 3,
    "compare": 4,
    "coverage": 4,
    "generalization": 4,
    "holdout": 4,
    "intervals": 4,
    "_report": 5,
    "__main__": 6,
    "__init__": 7,
    "book": 8,  # the upper storey: it may use all of the library, and nothing there uses it
}


def modules():
    return sorted(PACKAGE.rglob("*.py"))


def family(path):
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path):
    """Every module name that a file imports, anywhere in it, but for the type checker only."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_module_imports_only_from_lower_layers_or_its_own(path):
    own = family(path)
    assert own in LAYER, f"{own} has no layer in test_layers.py"
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "errlab" and len(parts) > 1 and parts[1] in LAYER:
            other = parts[1]
            # report imports compare lazily and so on: the layer counts wherever it stands
            assert other == own or LAYER[other] < LAYER[own], f"{own} imports {other}"
        if parts[0] == "matplotlib":
            assert own in ("_style", "_report", "book"), f"{own} imports matplotlib"
        if parts[0] in ("ipywidgets", "IPython"):
            assert own == "book", f"{own} imports {name}"
        assert parts[0] != "pandas", f"{own} imports pandas, which is for notebooks"


def test_importing_errlab_is_quick_and_light():
    code = "import errlab, sys; print(*sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert not loaded & {"matplotlib.pyplot", "matplotlib", "sklearn", "ipywidgets", "IPython"}
