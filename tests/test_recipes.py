"""CONTRIBUTING's recipes, followed to the letter in a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from errlab.bounds._bound import Measured
from errlab.training_set._method import Task

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
SECTIONS = {part.partition("\n")[0]: part for part in TEXT.split("\n## ")}


def block(section):
    """Return the code of a recipe."""
    return re.search(r"```(?:python|toml)\n(.*?)```", SECTIONS[section], re.DOTALL)[1]


@pytest.mark.slow
def test_the_recipes_for_bound_comparison_interval_and_rate_work(tmp_path):
    library = tmp_path / "errlab"
    shutil.copytree(ROOT / "errlab", library, ignore=shutil.ignore_patterns("__pycache__"))
    for section, place in (
        ("Add a bound", "bounds._my_bound"),
        ("Add a comparison", "compare._sign_test"),
        ("Add an interval", "training_set._half_quantiles"),
    ):
        room, _, module = place.partition(".")
        assert f"`errlab/{room}/" in SECTIONS[section]
        (library / room / f"{module}.py").write_text(block(section), "utf-8")
        with (library / room / "__init__.py").open("a", encoding="utf-8") as stream:
            stream.write(f"from errlab.{place} import {module[1:]} as {module[1:]}\n")
    (rates,) = re.findall(r"`(errlab/metrics/\S+)`", SECTIONS["Add a rate"].split("```")[0])
    with (tmp_path / rates).open("a", encoding="utf-8") as stream:
        stream.write(f"\n{block('Add a rate')}")
    run = subprocess.run(
        [sys.executable, "-m", "doctest", Path(__file__).with_name("data") / "recipes.txt"],
        cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr


def test_each_file_that_a_recipe_names_is_there():
    """Except for files that the recipe creates: they have `my_`, `NN` or a name of the example."""
    example = re.compile(r"my_|NN|name\.|half_quantiles|sign_test|17_fairness")
    paths = re.findall(r"`((?:errlab|book|tests|tools|studies|notebooks|teaching)/[\w./]+)`", TEXT)
    assert len(paths) > 10
    for section in (name for name in SECTIONS if name.startswith("Add ")):
        for path in re.findall(r"`([\w]+/[\w./]+)`", SECTIONS[section]):
            assert example.search(path) or (ROOT / path).exists(), path


def test_a_recipe_names_only_attributes_that_its_argument_has():
    for section, name, kind in (
        ("Add a bound", "sample", Measured), ("Add an interval", "task", Task),
    ):  # fmt: skip
        (sentence,) = re.findall(rf"^- `{name}` holds (.*?)\.", SECTIONS[section], re.M | re.S)
        names = re.findall(r"`([\w.]+)", sentence)
        names += re.findall(rf"`{name}\.(\w+)", SECTIONS[section])
        assert len(names) > 3
        assert {*names} <= {*dir(kind), *kind.__annotations__}
