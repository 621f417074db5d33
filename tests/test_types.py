"""What type checkers and editors see: numbers in, a number out; where Any is left.

`typed_calls` holds the calls. In the checkout `make style` checks them; here mypy is asked as a
user asks it, of a package that is installed: there aliases were lost that are seen in a checkout.
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
import typed_calls
from mypy import api

import errlab
from errlab import bounds
from errlab.bounds import BOUNDS

PACKAGE = Path(errlab.__file__).parent
FILE = Path(typed_calls.__file__)
# bounds that the loop calls as `bound`
IN_LOOP = re.findall(r"bounds\.(\w+),", FILE.read_text("utf-8"))
CALLS = [
    tuple(map(ast.unparse, node.args))
    for node in ast.walk(ast.parse(FILE.read_text("utf-8")))
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "assert_type"
]


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
    calls = shutil.copy(FILE, tmp_path)
    text, errors, status = api.run(
        [
            "--config-file=", "--ignore-missing-imports", f"--cache-dir={tmp_path / 'cache'}",
            f"--python-executable={python}", str(calls),
        ]
    )  # fmt: skip
    assert status == 0, text + errors


@pytest.mark.parametrize("module", [name for name in errlab._MODULES if name != "losses"])
def test_whatever_returns_a_number_or_an_array_is_asked_for_both(module):
    """As the docstring says; `losses` accepts only arrays."""
    package = importlib.import_module(f"errlab.{module}")
    for name in package.__all__:
        doc = inspect.getdoc(getattr(package, name)) or ""
        if re.search(r"^Returns\n-+\n(float|int) or (nd)?array", doc, re.MULTILINE):
            types = {form for call, form in CALLS if call.startswith(f"{module}.{name}(")}
            if module == "bounds" and name in IN_LOOP:
                types = {form for call, form in CALLS if call.startswith("bound(")}
            either = {"float | Array", "int | Integers"}
            assert types & {"float", "int", *either}, name
            assert types & {"Array", *either}, name


def test_each_bound_is_asked_for_both():
    names = {entry.function.__name__ for entry in BOUNDS.values() if entry.needs != "losses"}
    assert set(IN_LOOP) == names & set(bounds.__all__)


ANY = {  # the only annotations with Any in the library, and why
    "errlab._core.extras.load": "a module of a package that may be missing",
    "errlab.statements.metric._asked._scored": "a scorer of scikit-learn, which is optional",
    "errlab.__getattr__": "a module, or one of the functions at the door",
    "errlab._core.training.Estimator.fit": "what a model of the user's takes is narrower",
    "errlab._core.training.Estimator.predict": "as fit",
    "errlab._core.training.Rows.__getitem__": "frames and sparse matrices index in their own way",
    "errlab._numerics.least_squares.ridge_classifier": "its class is looked at, then its options",
    "errlab.style.curve": "keywords of matplotlib",
    "errlab.bounds._bound.Side.__call__": "one or several, as the losses have axes; see there",
    "errlab.compare._result.ComparisonResult": "MaybeNone, as for re.Match.group",
    "errlab.compare._result.MaybeNone": "None for a few methods only",
    "errlab.cli.files._member": "JSON of somebody's log",
    "errlab.cli.pairing.plainly": "a value of somebody's log",
    "errlab._core.public.delta_of": "what a caller gave; it is checked there",
    "errlab.crossval._pooling.copies": "a frame, a sparse matrix or an array",
    "errlab.cli.harnesses._within": "as files._member",
    "errlab.cli.text.parse": "JSON of somebody's file",
    "errlab.cli.formats._columns_of": "an array of numpy of any type",
}


def any_of(tree, module):
    """Qualified names of annotations that are Any, alone, in a union, or by an alias."""
    aliases = {"Any"}
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.value) == "Any":
            aliases |= {ast.unparse(target) for target in node.targets}
    yield from (f"{module}.{name}" for name in aliases - {"Any"})
    yield from _any_within(tree, module, aliases)


def _any_within(tree, name, aliases):
    for node in ast.iter_child_nodes(tree):
        inside = name
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            inside = f"{name}.{node.name}"
        text = []
        if isinstance(node, ast.FunctionDef):
            text = [arg.annotation for arg in ast.walk(node.args) if isinstance(arg, ast.arg)]
            text.append(node.returns)
        if isinstance(node, ast.AnnAssign):
            text = [node.annotation]
        if any(aliases & set(ast.unparse(a).split(" | ")) for a in text if a is not None):
            yield inside
        yield from _any_within(node, inside, aliases)


def test_nothing_in_the_library_is_any_but_what_must_be():
    """Public or private, parameter, return value or attribute, but not in `errlab_book`."""
    result = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        if "book" not in parts:
            module = ".".join(parts).removesuffix(".__init__")
            result |= set(any_of(ast.parse(path.read_text("utf-8")), module))
    assert result == set(ANY)
