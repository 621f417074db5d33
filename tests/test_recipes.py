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
TRIED = """
import numpy as np
import errlab
from errlab import bounds, compare, training_set

print(round(float(bounds.upper("XYZ", errors=7, n=200)), 4))
result = compare.COMPARISONS["sign_test"].function([0.1, 0.2, 0.1, 0.3, 0.2, -0.1])
print(round(float(result.pvalue), 6), result.guarantee)
X = np.random.default_rng(0).normal(size=(40, 2))
learner = training_set.LeastSquares()
print(training_set.INTERVALS["HS"].function(learner, X, (X[:, 0] > 0) * 1, rng=0).high < 1)
rates = errlab.metrics.confusion([0, 1, 1, 0], [1, 1, 0, 1]).rates()
print(*[rate for rate in rates if rate.key == "CPR"])
"""


def block(section):
    """Return the code of a recipe."""
    return re.search(r"```(?:python|toml)\n(.*?)```", SECTIONS[section], re.DOTALL)[1]


@pytest.mark.slow
def test_the_recipes_for_bound_comparison_interval_and_rate_work(tmp_path):
    library = tmp_path / "errlab"
    shutil.copytree(ROOT / "errlab", library, ignore=shutil.ignore_patterns("__pycache__"))
    for section, room, name in (
        ("Add a bound", "bounds", "my_bound"),
        ("Add a comparison", "compare", "sign_test"),
        ("Add an interval", "training_set", "half_quantiles"),
    ):
        assert f"`errlab/{room}/" in SECTIONS[section]
        (library / room / f"_{name}.py").write_text(block(section), "utf-8")
        entry = library / room / "__init__.py"
        line = f"from errlab.{room}._{name} import {name} as {name}\n"
        entry.write_text(entry.read_text("utf-8") + line, "utf-8")
    (rates,) = re.findall(r"`(errlab/metrics/\S+)`", SECTIONS["Add a rate"].split("```")[0])
    with (tmp_path / rates).open("a", encoding="utf-8") as stream:
        stream.write(f"\n{block('Add a rate')}")
    command = [sys.executable, "-c", TRIED]
    place = {**os.environ, "PYTHONPATH": str(tmp_path)}
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=place)
    assert run.returncode == 0, run.stderr[-2000:]
    # Hoeffding's inequality; a binomial tail, 2 (1 + 6) / 2**6; three of four predicted positive
    assert run.stdout.split("\n")[:-1] == [
        "0.1215",
        "0.21875 none proven",
        "True",
        "CPR: 3 of 4, 75.0%.",
    ]


@pytest.mark.parametrize("section", [name for name in SECTIONS if name.startswith("Add ")])
def test_each_file_that_a_recipe_names_is_there(section):
    """Except for files that the recipe creates: they have `my_`, `NN` or a name of the example."""
    example = re.compile(r"my_|NN|name\.|half_quantiles|sign_test|17_fairness")
    paths = re.findall(r"`((?:errlab|book|tests|tools|studies|notebooks|teaching)/[\w./]+)`", TEXT)
    assert len(paths) > 10
    named = re.findall(r"`([\w]+/[\w./]+)`", SECTIONS[section])
    missing = [p for p in named if not example.search(p) and not (ROOT / p).exists()]
    assert missing == []


@pytest.mark.parametrize(
    ("section", "name", "kind"),
    [("Add a bound", "sample", Measured), ("Add an interval", "task", Task)],
)
def test_a_recipe_names_only_attributes_that_its_argument_has(section, name, kind):
    (sentence,) = re.findall(rf"^- `{name}` holds (.*?)\.", SECTIONS[section], re.M | re.S)
    names = re.findall(r"`([\w.]+)", sentence)
    names += re.findall(rf"`{name}\.(\w+)", SECTIONS[section])
    known = {*dir(kind), *kind.__annotations__}
    assert len(names) > 3
    assert [word for word in names if word not in known] == []
