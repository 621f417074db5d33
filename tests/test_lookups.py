"""What readers look for is in a file with that name, and the public function is defined there."""

import subprocess
import sys
from pathlib import Path

import pytest
from marks import nightly

import errlab

ROOT = Path(errlab.__file__).parent
# What readers look for: the room, and the function in the file of its name.
LOOKED_FOR = (
    "bounds.agresti_coull bounds.bentkus bounds.guttman compare.mcnemar compare.wilcoxon "
    "crossval.one_standard_error generalization.fpe holdout.ladder holdout.selection_bias "
    "metrics.delong metrics.equal_error_rate training_set.quantile_bootstrap"
)
ELSEWHERE = {  # in the file of another name
    "bootstrap.combine632": "_point632", "compare.corrected_resampled_t": "_nadeau_bengio",
    "metrics.f1_interval": "_f1",
}  # fmt: skip


def test_what_is_looked_for_is_where_the_name_says():
    for path in (*LOOKED_FOR.split(), *ELSEWHERE):
        room, name = path.split(".")
        function = getattr(getattr(errlab, room), name)
        assert callable(function), "a module must not hide the function of its name"
        assert function.__module__ == f"errlab.{room}.{ELSEWHERE.get(path, f'_{name}')}"


def test_a_package_exports_functions_registries_and_what_a_user_constructs():
    """Classes of results are looked up in the module of the function that returns them."""
    classes = {
        f"{family}.{name}"
        for family in set(errlab._MODULES) - {"checks", "results", "rounding", "style"}
        for name, value in vars(getattr(errlab, family)).items()
        if isinstance(value, type) and name in getattr(errlab, family).__all__
    }
    users = "crossval.CVLosses holdout.RunningLadder metrics.Confusion training_set.LeastSquares"
    assert classes == set(users.split())


EVERY_MODULE = [
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)
    for path in sorted(ROOT.rglob("*.py"))
    if path.stem not in ("__init__", "__main__")
]
NAMES = Path(__file__).with_name("data") / "names.txt"


@pytest.mark.slow
@pytest.mark.parametrize("step", nightly([1, -1, 0], -1, 0))
def test_natural_names_are_functions_whatever_was_imported_before(step):
    """All modules in the order of their names, in the reverse order, and none."""
    imports = [f"import {name}" for name in EVERY_MODULE[::step]] if step else []
    test = f"import doctest, sys\nsys.exit(doctest.testfile({str(NAMES)!r}, False)[0])"
    code = "\n".join([*imports, test])
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT.parent)
