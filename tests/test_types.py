"""What a type checker, and so an editor, is told: numbers in, a number out; where Any is left.

It is asked as a user asks it: of a package that is installed. There aliases were lost that are
seen in a checkout.
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
from mypy import api

import errlab
from errlab import bounds
from errlab.bounds import BOUNDS

PACKAGE = Path(errlab.__file__).parent

CALLS = """
import numpy as np
import errlab
from errlab import bootstrap, bounds, compare, coverage, crossval, generalization, holdout, metrics

rates = np.array([0.1, 0.2])
y = [0, 1]


class Model:
    def fit(self, X: object, y: object) -> object: ...
    def predict(self, X: object) -> object: ...
"""
FLOAT = "float"
PAIR = f"tuple[{FLOAT}, {FLOAT}, fallback=Interval[{FLOAT}]]"
ARRAY = "ndarray[tuple[Any, ...], dtype[float64]]"
EITHER = f"{FLOAT} | {ARRAY}"
INTEGERS = "ndarray[tuple[Any, ...], dtype[signedinteger[_64Bit]]]"
RETURNS = {
    "errlab.report(y, y)": "Report",
    "errlab.report(y, y, y, margin=0.1)": "PairReport",
    "errlab.report(scores=[1, 0])": "Report",
    "errlab.report(scores=y, scores_b=y, names=('old', 'new'))": "PairReport",
    "errlab.metric(y, y, metric='accuracy').low": FLOAT,
    "errlab.plan(error=0.1, half_width=0.02).n": "int",
    "errlab.watch()": "Watch",
    "errlab.models(y, {'a': y, 'b': y}).models[0].estimate": FLOAT,
    "crossval.estimate(Model(), [[0.0], [1.0]], y).low": FLOAT,
    "bounds.clopper_pearson(np.float64(0.1), np.int64(50))": FLOAT,
    "bounds.upper('CP', 0.1, 50)": FLOAT,
    "bounds.upper('CP', errors=7, n=200)": FLOAT,
    "bounds.lower('CP', errors=[7, 8], n=200)": ARRAY,
    "bounds.upper('BET', losses=[0.0, 0.5])": FLOAT,
    "bounds.interval('CP', errors=7, n=200)": PAIR,
    "bounds.interval('CP', rates, 200)": f"tuple[{ARRAY}, {ARRAY}, fallback=Interval[{ARRAY}]]",
    "metrics.equal_error_rate([0, 1], [0, 1])": FLOAT,
    "metrics.rate_interval(metrics.Confusion(1, 2, 3, 4), 'TPR').low": FLOAT,
    "holdout.gap_bound(200)": EITHER,
    "holdout.sample_size(0.05)": f"int | {INTEGERS}",
    "coverage.expected_width('CP', rates, 50)": EITHER,
    "bootstrap.combine632(0.1, 0.2)": EITHER,
    "compare.mcnemar_size(5)": EITHER,
    "compare.mcnemar_power(200, rates, 0.05)": EITHER,
    "compare.mcnemar(7, 15)": f"ComparisonResult[{FLOAT}]",
    "compare.mcnemar([7, 8], 15).statistic": ARRAY,
    "compare.two_proportions(7, 100, 9, 100).statistic": FLOAT,
    "compare.two_proportions([7], 100, 9, 100).statistic": ARRAY,
    "compare.paired_t([0.0, 1.0], [0.0, 0.0]).statistic": EITHER,
    "coverage.exact('CP', rates, 50)": EITHER,
    "generalization.fpe(1.5, 20, 3)": EITHER,
    "generalization.log_fpe(1.5, 20, 3)": EITHER,
    "generalization.location([0.1, 0.2]).median": EITHER,
    "generalization.dispersion([0.1, 0.2]).mad": EITHER,
    "holdout.failure_probability(100, 0.1)": EITHER,
    "holdout.gap_coverage(0.1, 100, 0.05)": EITHER,
    "holdout.ladder_bound(100, 10, step=0.1)": EITHER,
    "metrics.area([0, 1], rates)": EITHER,
    "metrics.delong([0, 1], rates).covariance": EITHER,
    "metrics.precision_at(rates, 0.05, 0.01)": EITHER,
    "bounds.lower('CP', 0.1, 50)": FLOAT,
    "bounds.upper('CP', errors=[7, 8], n=200)": ARRAY,
    "bounds.betting(rates)": EITHER,
    "crossval.one_standard_error([0.1], [0.1], [1])": "int",
    "holdout.sample_size_for('CP', target=0.1, mean=0.05)": "int",
}
for entry in BOUNDS.values():
    if entry.needs != "losses" and entry.function.__name__ in bounds.__all__:
        RETURNS[f"bounds.{entry.function.__name__}(0.1, 50)"] = FLOAT
        RETURNS[f"bounds.{entry.function.__name__}(0.1, [50, 60])"] = ARRAY


@pytest.fixture(scope="module")
def revealed(tmp_path_factory):
    """Ask mypy once for all of them, of a copy that stands where pip would put it."""
    home = tmp_path_factory.mktemp("types")
    venv.create(home / "venv")
    scheme = "nt_venv" if os.name == "nt" else "posix_venv"
    paths = sysconfig.get_paths(scheme, {"base": str(home / "venv")})
    site = Path(paths["purelib"])
    shutil.copytree(PACKAGE, site / "errlab", ignore=shutil.ignore_patterns("book", "__pycache__"))
    (site / "peers.pth").write_text(str(Path(np.__file__).parents[1]), encoding="utf-8")
    python = next(Path(paths["scripts"]).glob("python*"))
    file = home / "calls.py"
    calls = "".join(f"reveal_type({call})\n" for call in RETURNS)
    file.write_text(CALLS + calls, encoding="utf-8")
    cache = tmp_path_factory.mktemp("cache")
    text, wrong, status = api.run(
        [
            "--config-file=", "--ignore-missing-imports", f"--cache-dir={cache}",
            f"--python-executable={python}", str(file),
        ]
    )  # fmt: skip
    assert status == 0, text + wrong
    first = CALLS.count("\n") + 1
    lines = dict(enumerate(RETURNS, start=first))
    said_of = re.findall(r':(\d+): note: Revealed type is "(.*)"', text)
    return {lines[int(number)]: re.sub(r"\b[\w.]+\.", "", what) for number, what in said_of}


@pytest.mark.slow  # mypy reads numpy anew
@pytest.mark.parametrize("call", RETURNS)
def test_an_editor_is_told_what_comes_back(revealed, call):
    assert revealed[call] == RETURNS[call]


@pytest.mark.parametrize("module", [name for name in errlab._MODULES if name != "losses"])
def test_whatever_returns_a_number_or_an_array_is_asked_for_both(module):
    """What its docstring says; `losses` takes arrays alone."""
    package = importlib.import_module(f"errlab.{module}")
    for name in package.__all__:
        doc = inspect.getdoc(getattr(package, name)) or ""
        if re.search(r"^Returns\n-+\n(float|int) or (nd)?array", doc, re.MULTILINE):
            text = {
                message for call, message in RETURNS.items() if call.startswith(f"{module}.{name}(")
            }
            assert text & {FLOAT, "int", EITHER, f"int | {INTEGERS}"}, name
            assert text & {ARRAY, EITHER, f"int | {INTEGERS}"}, name


ANY = {  # the only annotations of the library that are Any, and why
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
}


def any_of(tree, module):
    """Where an annotation is Any, alone or in a union, or an alias of that; by qualified name."""
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
    """Public or private, parameter, return or attribute; `errlab_book` is not the library."""
    result = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        if "book" not in parts:
            module = ".".join(parts).removesuffix(".__init__")
            result |= set(any_of(ast.parse(path.read_text("utf-8")), module))
    assert result == set(ANY)
