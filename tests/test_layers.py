"""Imports obey the contracts in pyproject.toml; heavy libraries are imported on use."""

import importlib
import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import grimp
import nbformat
import pytest
from our_chapters import is_ours

from errlab._core import extras

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "errlab"
PATHS = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "book")))}
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")


def test_imports_keep_to_the_contracts_of_pyproject():
    """The layers, the border between methods and practice, and what the book may import."""
    run = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=PATHS,
    )
    assert run.returncode == 0, run.stdout


def test_what_the_architecture_page_names_is_there():
    """Functions by their dotted names below errlab, and files by their paths."""
    for name in re.findall(r"`((?:_?[a-z]\w*\.)+\w+)`", ARCHITECTURE):
        room = name.split(".")[0]
        if room == "errlab" or (PACKAGE / room).exists():
            place, _, last = name.removeprefix("errlab.").rpartition(".")
            assert hasattr(importlib.import_module(f"errlab.{place}".rstrip(".")), last), name
    for path in re.findall(r"`([\w/]+/(?:[\w.]+)?)`", ARCHITECTURE):
        assert (ROOT / path).exists() or (PACKAGE / path).exists(), path


HEAVY = {"scipy.stats", "scipy.optimize", "matplotlib", "sklearn", "pandas", "joblib", "IPython"}
STARTS = """
import contextlib, io, sys
import errlab.__main__
def run(*lines):
    for line in lines:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            errlab.__main__.main(line.split(" "))
    print(*sys.modules)
run("--help", "report --help", "--version")
[getattr(errlab, name) for name in errlab._MODULES if name != "style"]
run("plan --error 0.1 --half-width 0.05")
run("report one.csv --score y_pred", "report one.csv", "report two.csv --json")
"""


@pytest.mark.slow
def test_nothing_is_loaded_that_is_not_needed(tmp_path):
    (tmp_path / "one.csv").write_text("y_true,y_pred\n0,0\n1,0\n1,1\n")
    (tmp_path / "two.csv").write_text("y_true,pred_a,pred_b\n0,0,1\n1,0,1\n1,1,1\n")
    run = subprocess.run(
        [sys.executable, "-c", STARTS], capture_output=True, text=True, check=True, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    first, *others = map(set, map(str.split, run.stdout.splitlines()))
    assert first & {"numpy", "scipy", *HEAVY} == set()
    assert all("numpy" in modules and not modules & HEAVY for modules in others)


def test_every_package_that_may_be_missing_is_loaded_by_the_helper_that_names_its_extra():
    graph = grimp.build_graph(
        "errlab", include_external_packages=True, exclude_type_checking_imports=True, cache_dir=None
    )
    for package in graph.modules & {*extras.EXTRA}:
        importers = graph.find_modules_that_directly_import(package)
        assert all(module.startswith("errlab._core.") for module in importers), package


def test_make_book_installs_what_chapters_and_pages_import():
    """`make test` installs more packages, so it wouldn't notice a missing one."""
    calls = re.findall(r"^[\w-]+", (ROOT / "requirements.txt").read_text("utf-8"), re.MULTILINE)
    names = {"errlab", "errlab_book", *sys.stdlib_module_names}
    names |= {m for m, of in metadata.packages_distributions().items() if {*of} & {*calls}}
    for room in ("notebooks", "book", "teaching/decks"):
        for path in filter(is_ours, (ROOT / room).rglob("*.ipynb")):
            code = "\n".join(
                c.source for c in nbformat.read(path, 4).cells if c.cell_type == "code"
            )
            imports = re.findall(r"^ *(?:import|from) (\w+)", code, re.MULTILINE)
            assert {*imports} <= names, path
