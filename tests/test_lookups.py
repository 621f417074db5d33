"""What a reader looks for has a file that says so, and the public call is defined there."""

import ast
from pathlib import Path

import pytest

import errlab

ROOT = Path(errlab.__file__).parent
# What is looked for: the file, what it defines, and how it is called.
LOOKED_FOR = {
    "Agresti-Coull": ("bounds/agresti_coull.py", "agresti_coull", "bounds.agresti_coull"),
    "DeLong": ("metrics/delong.py", "delong", "metrics.delong"),
    "F1 interval": ("metrics/f1.py", "f1_interval", "metrics.f1_interval"),
    "Nadeau-Bengio": (
        "compare/nadeau_bengio.py",
        "corrected_resampled_t",
        "compare.corrected_resampled_t",
    ),
    "quantile bootstrap": (
        "training_set/quantile_bootstrap.py",
        "quantile_bootstrap",
        "training_set.quantile_bootstrap",
    ),
    "Wilcoxon": ("compare/wilcoxon.py", "wilcoxon", "compare.wilcoxon"),
    "Bentkus": ("bounds/bentkus.py", "bentkus", "bounds.bentkus"),
    "Guttman": ("bounds/guttman.py", "guttman", "bounds.guttman"),
    ".632+": ("bootstrap/point632.py", "combine632", "bootstrap.combine632"),
    "one standard error": (
        "crossval/one_standard_error.py",
        "one_standard_error",
        "crossval.one_standard_error",
    ),
    "Ladder": ("holdout/ladder.py", "ladder", "holdout.ladder"),
    "selection bias": ("holdout/selection_bias.py", "selection_bias", "holdout.selection_bias"),
    "FPE": ("generalization/fpe.py", "fpe", "generalization.fpe"),
    "equal error rate": (
        "metrics/equal_error_rate.py",
        "equal_error_rate",
        "metrics.equal_error_rate",
    ),
    "exact McNemar": ("compare/mcnemar.py", "mcnemar", "compare.mcnemar"),
}


@pytest.mark.parametrize("sought", LOOKED_FOR)
def test_what_is_looked_for_is_where_the_name_says(sought):
    file, name, call = LOOKED_FOR[sought]
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    family, public = call.split(".")
    function = getattr(getattr(errlab, family), public)
    assert callable(function), "a module must not hide the function of its name"
    assert function.__module__ == f"errlab.{file.removesuffix('.py').replace('/', '.')}"


def test_a_package_exports_functions_registries_and_what_a_user_constructs():
    """Classes of results are looked up where the function that returns them stands."""
    classes = {
        f"{family}.{name}"
        for family in errlab._MODULES
        for name in getattr(errlab, family).__all__
        if isinstance(getattr(getattr(errlab, family), name), type)
    }
    assert classes == {"crossval.CVLosses", "metrics.Confusion", "training_set.LeastSquares"}
