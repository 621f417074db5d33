"""Change the library in small ways, and see whether its tests notice.

    python tools/mutate.py                    every mutant of errlab, the book apart: hours
    python tools/mutate.py compare bounds     those of two parts
    python tools/mutate.py --sample 200       two hundred of them, the same each time
    python tools/mutate.py --only bca         those that have this word in their description

A mutant swaps one operator, bends one number or turns one condition. It takes the place of its
module in a forked process, so no file changes and NumPy is imported once. First come the tests that
run its line, as coverage has noted them; a mutant that passes these meets all quick tests of its
part, and at last the slow ones. Whatever survives must stand in `tools/survivors.txt` with a
reason, or the run fails.

Two known tools were tried. mutmut 3 leaves decorated functions out, and most formulas here stand
under a decorator. Cosmic Ray edits the working tree, starts an interpreter for each mutant and has
no samples.
"""

from __future__ import annotations

import argparse
import ast
import collections
import contextlib
import importlib
import importlib.machinery
import importlib.util
import json
import os
import resource
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
JUDGED = ROOT / "tools" / "survivors.txt"
PARTS = {  # the parts of the library, and tests that stand elsewhere than in the part's own folder
    "bounds": [],
    "bootstrap": [],
    "compare": [],
    "coverage": ["watch"],
    "crossval": [],
    "datasets": [],
    "generalization": [],
    "holdout": [],
    "intervals": [],
    "metrics": ["holdout", "groups", "digits", "metric"],
    "_report": ["watch"],
    "": [
        "bootstrap",
        "crossval",
        "losses",
        "numerics",
        "registry",
        "labels",
        "digits",
        "command_line",
        "command_line_files",
        "plan",
        "metric",
        "work",
    ],
}
EVERYWHERE = ["defaults", "registry"]
SLOW = 900  # CPU seconds that the slow tests of a part may take
NO_TESTS = 5  # what pytest says where there are none
PRELOAD = "scipy.stats scipy.optimize sklearn.linear_model sklearn.model_selection sklearn.datasets"
PRELOAD += " sklearn.neighbors sklearn.tree sklearn.pipeline mpmath matplotlib.pyplot pandas pytest"
SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
PAIRS = [("min", "max"), ("minimum", "maximum"), ("floor", "ceil"), ("any", "all"), ("cdf", "sf")]
NAMES = dict(PAIRS) | {other: name for name, other in PAIRS} | {"ppf": "isf", "isf": "ppf"}


class Mutant(NamedTuple):
    """A change: its module, the line, which of the module's changes it is, and what it does."""

    module: str
    line: int
    number: int
    text: str

    @property
    def key(self) -> str:
        """What it is called in the list of survivors, wherever its line has gone."""
        return f"{self.module}: {self.text}"


def part(module: str) -> str:
    first = module.removeprefix("errlab/").split("/")[0]
    return first if first in PARTS else ""


def modules() -> list[str]:
    paths = [p.relative_to(ROOT).as_posix() for p in sorted((ROOT / "errlab").rglob("*.py"))]
    return [path for path in paths if not path.startswith("errlab/book/")]


# ---- what can be changed ------------------------------------------------------------------------


def changes(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """Yield each attribute of a node that can have another value, and that value."""
    match node:
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                yield "ops", [*ops[:i], SWAPS[type(op)](), *ops[i + 1 :]]
        case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op) if type(op) in SWAPS:
            yield "op", SWAPS[type(op)]()
        case ast.UnaryOp(op=ast.USub()):
            yield "op", ast.UAdd()
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield "test", ast.UnaryOp(ast.Not(), test)
        case ast.Constant(value=bool(value)):
            yield "value", not value
        case ast.Constant(value=int(value)):
            yield "value", value + 1
        case ast.Constant(value=float(value)):
            yield "value", (value * (1.01 if abs(value) > 1e-3 else 1000) or 0.01)
        case ast.Attribute(attr=name) if name in NAMES:
            yield "attr", NAMES[name]
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield "id", NAMES[name]


def silent(tree: ast.AST) -> set[int]:
    """Return the nodes that only speak: types, the words of errors and of other texts."""
    found: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(body=[ast.Expr(value=ast.Constant(value=value))]) if value is ...:
                only = node  # an overload, for type checkers
            case ast.FunctionDef(returns=only) | ast.arg(annotation=only):
                pass
            case ast.AnnAssign(annotation=only):
                pass
            case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.Raise() | ast.JoinedStr():
                only = node
            case ast.keyword(arg="stacklevel" | "equations" | "eq"):
                only = node
            case _:
                continue
        if only is not None:
            found.update(id(inner) for inner in ast.walk(only))
    return found


def sites(tree: ast.Module) -> Iterator[tuple[ast.AST, str, Any]]:
    """Yield every change of a module, always in the same order."""
    skip = silent(tree)
    for node in ast.walk(tree):
        if id(node) not in skip:
            for name, value in changes(node):
                yield node, name, value


def said(old: str, new: str) -> str:
    """Return the first line that differs, before and after, cut to what matters."""
    pairs = zip(old.split("\n"), new.split("\n"), strict=False)
    before, after = next((a.strip(), b.strip()) for a, b in pairs if a != b)
    same = (a == b for a, b in zip(before, after, strict=False))
    start = next((i for i, one in enumerate(same) if not one), min(len(before), len(after)))
    low = max(0, start - 50)
    high = start + 40
    return f"{before[low:high].strip()} -> {after[low:high].strip()}"


def mutants(module: str, source: str | None = None) -> list[Mutant]:
    """Return every mutant of a module."""
    tree = ast.parse((ROOT / module).read_text("utf-8") if source is None else source)
    where: dict[int, str] = {}
    statement: dict[int, ast.AST] = {}
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            outer = where.get(id(node), "")
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                where[id(child)] = f"{outer}.{child.name}".lstrip(".")
            else:
                where[id(child)] = outer
            statement[id(child)] = (
                child if isinstance(child, ast.stmt) else statement.get(id(node), child)
            )
    found: list[Mutant] = []
    seen: collections.Counter[str] = collections.Counter()
    for number, (node, name, value) in enumerate(sites(tree)):
        old = ast.unparse(statement[id(node)])
        present = getattr(node, name)
        line = getattr(node, "lineno", 0)
        setattr(node, name, value)
        text = f"{where[id(node)]}: {said(old, ast.unparse(statement[id(node)]))}"
        setattr(node, name, present)
        seen[text] += 1
        again = f" ({seen[text]})" if seen[text] > 1 else ""
        found.append(Mutant(module, line, number, f"{text}{again}"))
    return found


def changed(mutant: Mutant) -> Any:
    """Return the code of the module with the mutant in it."""
    tree = ast.parse((ROOT / mutant.module).read_text("utf-8"))
    for number, (node, name, value) in enumerate(sites(tree)):
        if number == mutant.number:
            setattr(node, name, value)
            break
    return compile(ast.fix_missing_locations(tree), ROOT / mutant.module, "exec")


# ---- the tests in a forked process --------------------------------------------------------------


class Changed(importlib.machinery.SourceFileLoader):
    """A finder and loader of one module, with other code in it."""

    def __init__(self, module: str, code: Any) -> None:
        inner = module.removesuffix(".py").removesuffix("/__init__")
        super().__init__(inner.replace("/", "."), str(ROOT / module))
        self.code = code

    def get_code(self, fullname: str) -> Any:
        return self.code

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        if fullname != self.name:
            return None
        return importlib.util.spec_from_file_location(fullname, self.path, loader=self)


class Chosen:
    """Keep some tests only, the quick ones first; note who ran which line, and how long."""

    def __init__(self, only: dict[str, float] | None = None, cover: Any = None) -> None:
        self.only = only
        self.cover = cover
        self.seconds: dict[str, float] = {}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        if self.only is not None:
            kept = [item for item in items if item.nodeid in self.only]
            items[:] = sorted(kept, key=lambda item: self.only[item.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if self.cover is not None:
            self.cover.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration


def forked(work: Any, limit: float) -> int:
    """Run work in a forked process; return its code, or -1 where it was ended."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 3))
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        code = 99
        with contextlib.suppress(BaseException):
            code = int(work())
        os._exit(code)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else -1


def run(files: list[str], plugin: Chosen, which: str = "not slow") -> int:
    import pytest

    options = ["-x", "-q", "-m", f"{which} and not site", "--doctest-modules"]
    options += ["-p", "no:nbval", "-p", "no:xdist", "-p", "no:cacheprovider", "-o", "addopts="]
    return pytest.main([*options, *files], plugins=[plugin])


def test_file(name: str) -> str:
    """Return where the tests of that name are."""
    (found,) = (ROOT / "tests").rglob(f"test_{name}.py")
    return found.relative_to(ROOT).as_posix()


def test_files(name: str) -> list[str]:
    """Return the tests of a part: those of its folder, those named above, those of everything."""
    own = (ROOT / "tests" / name.removeprefix("_")).glob("test_*.py") if name else ()
    beside = [test_file(one) for one in PARTS[name] + EVERYWHERE]
    return sorted({*beside, *(path.relative_to(ROOT).as_posix() for path in own)})


class Tests:
    """The tests of a part of the library, and what they run."""

    def __init__(self, name: str, quick: bool = False) -> None:
        self.files = test_files(name)
        if name:
            self.files += [f"errlab/{name}"]
        else:
            self.files += [one for one in modules() if part(one) == ""]
        self.seconds: dict[str, float] = {}
        self.who: dict[str, dict[str, list[str]]] = {}
        self.limit = 300.0
        if quick:
            return
        with tempfile.TemporaryDirectory() as folder:
            notes = Path(folder) / "notes.json"
            start = time.perf_counter()
            code = forked(lambda: self.note(notes), 1800)
            if code:
                raise SystemExit(f"{name or 'errlab'}: the tests fail as they are ({code})")
            self.seconds, self.who = json.loads(notes.read_text("utf-8"))
        self.limit = 20 + 5 * (time.perf_counter() - start)

    def note(self, target: Path) -> int:
        import coverage

        cover = coverage.Coverage(data_file=None, include=[str(ROOT / "errlab" / "*")])
        plugin = Chosen(cover=cover)
        cover.start()
        code = run(self.files, plugin)
        cover.stop()
        data = cover.get_data()
        who: dict[str, dict[int, list[str]]] = {}
        for file in data.measured_files():
            who[Path(file).relative_to(ROOT).as_posix()] = data.contexts_by_lineno(file)
        target.write_text(json.dumps([plugin.seconds, who]), "utf-8")
        return code

    def survives(self, mutant: Mutant) -> bool:
        """Whether no test fails with the mutant."""
        finder = Changed(mutant.module, changed(mutant))
        lines = self.who.get(mutant.module, {})
        first = {one: self.seconds[one] for one in lines.get(str(mutant.line), []) if one}
        rounds = [(first, "not slow")] if first else []
        for only, which in [*rounds, (None, "not slow"), (None, "slow")]:

            def work(only: Any = only, which: str = which) -> int:
                sys.meta_path.insert(0, finder)
                importlib.import_module(finder.name)  # before pytest puts its own finder first
                return run(self.files, Chosen(only), which)

            if forked(work, self.limit if which == "not slow" else SLOW) not in (0, NO_TESTS):
                return False
        return True


# ---- the run ------------------------------------------------------------------------------------


def judged() -> dict[str, str]:
    """Return the survivors that somebody has looked at, and why each may live."""
    found = {}
    for line in JUDGED.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            key, reason = line.rsplit(" | ", 1)
            found[key] = reason
    return found


def chosen(found: list[Mutant], sample: int) -> list[Mutant]:
    """Return a sample that stays the same where other mutants come and go."""
    return sorted(found, key=lambda one: (zlib.crc32(one.key.encode()), one))[: sample or None]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="part", help=f"of: {' '.join(PARTS)}")
    parser.add_argument("--sample", type=int, default=0, help="how many (all)")
    parser.add_argument("--only", default="", help="a word of the description")
    parser.add_argument("--quick", action="store_true", help="do not look which test runs what")
    parser.add_argument("--list", action="store_true", help="name them, and try none")
    options = parser.parse_args(arguments)
    parts = ["" if name == "errlab" else name for name in options.parts] or list(PARTS)
    found = [one for path in modules() if part(path) in parts for one in mutants(path)]
    todo = chosen([one for one in found if options.only in one.key], options.sample)
    if options.list:
        print("\n".join(one.key for one in sorted(todo)))
        return 0
    known = judged()
    fates: collections.Counter[str] = collections.Counter()
    for name in parts:
        own = [one for one in todo if part(one.module) == name]
        tests = Tests(name, options.quick) if own else None
        for one in sorted(own):
            fate = "killed"
            if tests.survives(one):
                fate = "judged" if one.key in known else "alive"
                print(f"{fate}: {one.key} | line {one.line}", flush=True)
            fates[fate] += 1
        print(f"{name or 'errlab'}: {len(own)} tried; so far {dict(fates)}", flush=True)
    print(f"{len(todo)} of {len(found)} mutants tried: {dict(fates)}")
    names = {one.key for one in found}
    gone = [key for key in known if part(key.split(":")[0]) in parts and key not in names]
    for key in gone:
        print(f"no longer there: {key}")
    return int(fates["alive"] > 0 or bool(gone))


if __name__ == "__main__":
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    os.environ["PYTHONPATH"] = str(ROOT)
    sys.path.insert(0, str(ROOT))
    os.chdir(ROOT)
    for heavy in PRELOAD.split():
        importlib.import_module(heavy)
    raise SystemExit(main())
