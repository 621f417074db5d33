"""A function pasted from a chapter earns no marks: assignments ask for the next step."""

import ast
import contextlib

import nbformat
import numpy as np
import pytest
from our_chapters import CHAPTERS

import assignments
from errlab.bounds import clopper_pearson

pytestmark = pytest.mark.slow

HIDDEN = {"hide-input", "hide-cell", "remove-input", "remove-cell", "solution"}
WEEKS = assignments.load(assignments.TASKS, assignments.KEY)
TASKS = [t for week in WEEKS.values() for t in week["task"] if t["kind"] == "function"]


@pytest.fixture(scope="module")
def functions():
    """Return the functions in the chapters' visible cells, each with those that it calls."""
    functions = {}
    for path in CHAPTERS:
        names = {"np": np}
        for cell in nbformat.read(path, 4).cells:
            unseen = HIDDEN & {*cell.metadata.get("tags", [])}
            for node in ast.parse(cell.source if cell.cell_type == "code" else "").body:
                if isinstance(node, ast.FunctionDef) and not unseen:
                    with contextlib.suppress(NameError):  # the default is computed by the chapter
                        exec(ast.unparse(node), names)
                        functions[path.stem, node.name] = names[node.name]
                elif isinstance(node, (ast.Import, ast.ImportFrom)):
                    code = ast.unparse(node)
                    exec(code if "errlab" not in code else "", names)
    return functions


def numbers(function, arguments):
    """Return a function's numbers for the arguments, or for the first ones that it takes."""
    options = {}
    values = [np.array(v) if isinstance(v, list) else v for v in arguments]
    for count in range(1, len(values) + 1):
        # a function that doesn't accept these arguments raises any exception
        with np.errstate(all="ignore"), contextlib.suppress(Exception):
            result = np.ravel(np.asarray(function(*values[:count]), float))
            options |= {(count, place): value for place, value in enumerate(result[:20])}
    return options


def marks(function, task):
    """Return the largest fraction of right answers over all ways to call a function.

    Inputs with the answer 0 or 1 are left out, because many functions return these.
    """
    pairs = zip(task["cases"], assignments.right(task, "anna"), strict=True)
    cases, answers = zip(*[pair for pair in pairs if pair[1] not in (0, 1)], strict=True)
    ways = [numbers(function, case) for case in cases]

    def share(key):
        results = [form.get(key, np.nan) for form in ways]
        return np.isclose(results, answers, rtol=1e-3, atol=1e-6).mean()

    return max(map(share, set().union(*ways)), default=0.0)


def test_a_task_that_a_chapter_answers_would_be_noticed(functions):
    """The upper end, as the chapter on exact bounds builds it."""
    task = {"id": "week1-2", "kind": "function", "function": "upper", "arguments": ["k", "n"]}
    task |= {"answer": "bounds.clopper_pearson(k / n, n)", "cases": [[3, 40], [7, 90]]}
    assert len(functions) > 40
    assert marks(functions["03_binary_bounds", "exact_bound"], task) == 1
    assert clopper_pearson(3 / 40, 40) == pytest.approx(assignments.right(task, "anna")[0])


@pytest.mark.skipif(not assignments.KEY.exists(), reason="the key is the lecturer's own")
def test_what_the_chapters_build_earns_no_mark(functions):
    for task in TASKS:
        assert [name for name in functions if marks(functions[name], task)] == [], task["id"]
