"""A function pasted from a chapter earns no marks: assignments ask for the next step."""

import ast
import math

import nbformat
import numpy as np
import pytest
from our_chapters import CHAPTERS

import assignments
from errlab.bounds import clopper_pearson

HIDDEN = {"hide-input", "hide-cell", "remove-input", "remove-cell", "solution"}
WEEKS = assignments.load(assignments.TASKS, assignments.KEY)
TASKS = [t for week in WEEKS.values() for t in week["task"] if t["kind"] == "function"]


def built():
    """Return the functions in the chapters' visible cells, each with those that it calls."""
    functions = {}
    for path in CHAPTERS:
        names = {"np": np}
        for cell in nbformat.read(path, 4).cells:
            if cell.cell_type != "code":
                continue
            unseen = HIDDEN & {*cell.metadata.get("tags", [])}
            for node in ast.parse(cell.source).body:
                imported = isinstance(node, (ast.Import, ast.ImportFrom))
                if imported and "errlab" in ast.unparse(node):
                    continue
                if imported or (isinstance(node, ast.FunctionDef) and not unseen):
                    try:
                        exec(ast.unparse(node), names)
                    except NameError:  # the default is computed by the chapter
                        continue
                if isinstance(node, ast.FunctionDef) and not unseen:
                    functions[path.stem, node.name] = names[node.name]
    return functions


def numbers(function, arguments):
    """Return a function's numbers for the arguments, or for the first ones that it takes."""
    options = {}
    values = [np.array(v) if isinstance(v, list) else v for v in arguments]
    for count in range(1, len(values) + 1):
        try:
            with np.errstate(all="ignore"):
                result = np.ravel(np.asarray(function(*values[:count]), float))
        except Exception:  # the function doesn't accept these arguments
            continue
        options |= {(count, place): float(value) for place, value in enumerate(result[:20])}
    return options


def marks(functions, task):
    """Return, for each function, the largest fraction of right answers over all ways to call it.

    Inputs with the answer 0 or 1 are left out, because many functions return these.
    """
    pairs = zip(task["cases"], assignments.right(task, "anna"), strict=True)
    cases, wanted = zip(*[pair for pair in pairs if pair[1] not in (0, 1)], strict=True)
    shares = {}
    for name, function in functions.items():
        ways = [numbers(function, case) for case in cases]
        shares[name] = max(
            (
                np.mean([
                    math.isclose(form.get(key, math.nan), want, rel_tol=1e-3, abs_tol=1e-6)
                    for form, want in zip(ways, wanted, strict=True)
                ])
                for key in set().union(*ways)
            ),
            default=0.0,
        )  # fmt: skip
    return shares


@pytest.mark.slow
def test_a_task_that_a_chapter_answers_would_be_noticed():
    """The upper end, as the chapter on exact bounds builds it."""
    task = {"id": "week1-2", "kind": "function", "function": "upper", "arguments": ["k", "n"]}
    task |= {"answer": "bounds.clopper_pearson(k / n, n)", "cases": [[3, 40], [7, 90]]}
    functions = built()
    assert len(functions) > 40
    result = marks(functions, task)
    assert result["03_binary_bounds", "exact_bound"] == 1
    assert clopper_pearson(3 / 40, 40) == pytest.approx(assignments.right(task, "anna")[0])


@pytest.mark.slow
@pytest.mark.skipif(not assignments.KEY.exists(), reason="the key is the lecturer's own")
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task["id"])
def test_what_the_chapters_build_earns_no_mark(task):
    earned = {name: share for name, share in marks(built(), task).items() if share}
    assert earned == {}
