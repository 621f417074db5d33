"""What holds for the tests themselves."""

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = {path.name: path.read_text(encoding="utf-8") for path in sorted(HERE.glob("test_*.py"))}


def slow():
    """The patterns of slow cases in the conftest of the project."""
    tree = ast.parse((HERE.parent / "conftest.py").read_text(encoding="utf-8"))
    (made,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SLOW"
    )
    return ast.literal_eval(made)


@pytest.mark.parametrize("pattern", slow())
def test_a_slow_case_is_a_case_of_a_test(pattern):
    """A test that moves or gets another name would be quick without being so."""
    file, _, case = pattern.partition("::")
    source = FILES[file.removeprefix("tests/")]
    name = re.match(r"\w*", case).group()
    assert not name or re.search(rf"^def {name}\w*\(", source, re.MULTILINE)


@pytest.mark.parametrize("file", FILES)
def test_no_test_draws_from_a_generator_of_its_module(file):
    """What it draws would depend on the tests before it, and so on the order and the worker."""
    tree = ast.parse(FILES[file])
    generators = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in node.targets
        if isinstance(target, ast.Name) and ast.unparse(node.value.func) == "np.random.default_rng"
    }
    drawn = {
        (function.name, name.id)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for statement in function.body
        for name in ast.walk(statement)
        if isinstance(name, ast.Name) and name.id in generators
    }
    assert drawn == set()
