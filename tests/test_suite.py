"""What holds for the tests themselves."""

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
FILES = {
    path.relative_to(HERE).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(HERE.rglob("test_*.py"))
}


def slow():
    """The patterns of slow cases in the conftest of the project."""
    tree = ast.parse((HERE.parent / "conftest.py").read_text(encoding="utf-8"))
    (made,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "SLOW"
    )
    return ast.literal_eval(made)


def is_of_a_test(pattern):
    file, _, case = pattern.partition("::")
    source = FILES.get(file.removeprefix("tests/"), "")
    name = re.match(r"\w*", case).group()
    return re.search(rf"^def {name or 'test_'}\w*\(", source, re.MULTILINE)


def test_make_test_finds_whatever_needs_the_site():
    asked = [file for file, text in FILES.items() if "pytest.mark." + "site" in text]
    assert asked
    assert [file for file in asked if not file.startswith(("site/", "tools/"))] == []


def test_a_slow_case_is_a_case_of_a_test():
    """A test that moves or gets another name would be quick without being so."""
    assert [pattern for pattern in slow() if not is_of_a_test(pattern)] == []


def drawn_from(file):
    """Each function with each generator of the module that it draws from."""
    if "default_rng" not in FILES[file]:
        return set()
    tree = ast.parse(FILES[file])
    generators = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in node.targets
        if isinstance(target, ast.Name) and ast.unparse(node.value.func) == "np.random.default_rng"
    }
    if not generators:
        return set()
    return {
        (function.name, name.id)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for statement in function.body
        for name in ast.walk(statement)
        if isinstance(name, ast.Name) and name.id in generators
    }


def test_no_test_draws_from_a_generator_of_its_module():
    """What it draws would depend on the tests before it, and so on the order and the worker."""
    drawn = {file: drawn_from(file) for file in FILES}
    assert {file: found for file, found in drawn.items() if found} == {}
