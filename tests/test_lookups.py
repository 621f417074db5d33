"""What readers look for is in a file with that name, and the public function is defined there."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import errlab

ROOT = Path(errlab.__file__).parent
# Names that readers look for: the file, and the function in it.
LOOKED_FOR = [
    ("bounds/_agresti_coull", "agresti_coull"), ("bounds/_bentkus", "bentkus"),
    ("bounds/_guttman", "guttman"), ("bootstrap/_point632", "combine632"),
    ("compare/_mcnemar", "mcnemar"), ("compare/_nadeau_bengio", "corrected_resampled_t"),
    ("compare/_wilcoxon", "wilcoxon"), ("crossval/_one_standard_error", "one_standard_error"),
    ("generalization/_fpe", "fpe"), ("holdout/_ladder", "ladder"),
    ("holdout/_selection_bias", "selection_bias"), ("metrics/_delong", "delong"),
    ("metrics/_equal_error_rate", "equal_error_rate"), ("metrics/_f1", "f1_interval"),
    ("training_set/_quantile_bootstrap", "quantile_bootstrap"),
]  # fmt: skip


def test_what_is_looked_for_is_where_the_name_says():
    for file, name in LOOKED_FOR:
        tree = ast.parse((ROOT / f"{file}.py").read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        function = getattr(getattr(errlab, file.split("/")[0]), name)
        assert callable(function), "a module must not hide the function of its name"
        assert function.__module__ == f"errlab.{file.replace('/', '.')}"


def test_a_package_exports_functions_registries_and_what_a_user_constructs():
    """Classes of results are looked up in the module of the function that returns them."""
    classes = {
        f"{family}.{name}"
        for family in set(errlab._MODULES) - {"checks", "results", "rounding", "style"}
        for name in getattr(errlab, family).__all__
        if isinstance(getattr(getattr(errlab, family), name), type)
    }
    assert classes == {
        "crossval.CVLosses",
        "holdout.RunningLadder",
        "metrics.Confusion",
        "training_set.LeastSquares",
    }


EVERY_MODULE = [
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
    for path in sorted(ROOT.rglob("*.py"))
    if path.stem not in ("__init__", "__main__")
]
NATURAL = """
import errlab
from errlab import bootstrap, compare, metrics
assert metrics.f1([1, 1, 1, 0, 0], [1, 1, 0, 1, 0]) == 2 / 3
assert metrics.fdr([0.75, 0.5, 0.25], 0.4).rate == 0.375
assert compare.power(500, 0.08, 0.04) == compare.mcnemar_power(500, 0.08, 0.04)
assert 0.8 < compare.power(1000, 0.05, 0.05, margin=0.03) < 0.9
X, y = [[0.0], [1.0], [2.0], [3.0]] * 5, [0, 0, 1, 1] * 5
learner = errlab.training_set.LeastSquares()
estimate = bootstrap.point632(learner, X, y, resamples=20)
assert estimate == bootstrap.loo_bootstrap(learner, X, y, resamples=20).point632
for room in errlab._MODULES:
    module = getattr(errlab, room)
    public = {name for name in dir(module) if not name.startswith("_")}
    assert public == set(module.__all__), (room, public ^ set(module.__all__))
    for name in vars(module):  # a submodule has an underscore, or is hidden by its function
        inside = getattr(getattr(module, name), "__name__", "").startswith(f"errlab.{room}.")
        assert name.startswith("_") or not inside, (room, name)
"""


@pytest.mark.parametrize("step", [1, -1, 0])
def test_natural_names_are_functions_whatever_was_imported_before(step):
    """All modules in the order of their names, in the reverse order, and none."""
    before = EVERY_MODULE[::step] if step else []
    code = "\n".join(f"import {name}" for name in before) + NATURAL
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT.parent)
