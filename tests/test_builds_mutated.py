"""A mutant of a build (wrong sign, comparison or number) must print or draw something else.

The cells of a chapter run up to the build and go on with a mutant to the next comparison with
errlab. What escapes there must change the picture that the build drives, or be listed as the same.
Of those that are caught there some are drawn as well: the picture must change with them, too.
"""

import ast
import contextlib
import importlib
import io
import itertools
import re
import signal
import warnings

import nbformat
import numpy as np
import pytest
from test_chapters import CHAPTERS, UNSEEN, names

from errlab_book.widgets import Explorer

ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
EDGE = {  # comparisons that differ only if both sides are equal
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}  # fmt: skip
TURNED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
PICTURE = re.compile(r"^chapter\.\w+\(.*\)$", re.MULTILINE)
SECONDS = 40  # a mutant may never end
FRAMES = 30  # a picture with more states is drawn at the ends of its controls
DRAWN = 3  # number of a build's mutants that are drawn although its cell has caught them

HALVED = {"60 -> 61": "halves once more", "tail >= delta -> tail > delta": "never equal"}
NO_ONE = {"1 -> 2": "no count above n has a chance", "n + 1 -> n - 1": "the last are too rare"}
# Mutants that compute the same for all data, or for the chapter's data, and why
SAME = {
    "sample_size": {
        "1 -> 2": "no gap is as wide as that of one example",
        "gap_bound(n, delta) > gap -> gap_bound(n, delta) >= gap": "never equal",
    },
    "exact_bound": HALVED,
    "covers": {"1 -> 2": NO_ONE["1 -> 2"], "bound(k, n) >= error -> bound(k, n) > error": "a jump"},
    "worst": {
        "1e-12 -> 5e-13": "a hair is a hair",
        "jump < 1 -> jump <= 1": "Wilson's bound is below 1",
        "1 -> 2": "Wilson's bound is below 1",
    },
    "mean_width": NO_ONE,
    "betting_bound": HALVED
    | {
        "1.0 -> 0.5": "lower than a half",
        "path.max() >= 1 / delta -> path.max() > 1 / delta": "never equal",
    },
    "bentkus": HALVED
    | NO_ONE
    | {"1.0 -> 0.5": "lower than a half", "1 -> 2": "lines from above n, never the lowest"},
    "design_effect": {"group == g -> group != g": "the deviations of the others add up to minus"},
    "korn_graubard": {
        "1 -> 2": "a design effect of 3 is above either",
        "n - 1 -> n + 1": "of 960 degrees of freedom two more or less",
    },
    "least_squares": {"new @ weights > 0 -> new @ weights >= 0": "never equal"},
    "best_columns": {"1 -> 2": "the last of 1,000 columns is none of the best"},
    "majority": {"y.mean() > 0.5 -> y.mean() >= 0.5": "39 coins are never even"},
    "one_standard_error": {
        "means <= means[best] + errors[best] -> means < means[best] + errors[best]": "never equal",
    },
    "percentile_ends": NO_ONE,
    "for k": NO_ONE,
    "mcnemar": {"1 -> 2": NO_ONE["1 -> 2"]},
    "power": NO_ONE
    | {
        "often > 1e-12 -> often >= 1e-12": "never equal",
        "1e-12 -> 5e-13": "too rare to be seen, either way",
        "p <= 0.05 -> p < 0.05": "never equal",
    },
    "rank_range": {"pair.adjusted <= 0.05 -> pair.adjusted < 0.05": "never equal"},
    "signed_ranks": {
        "d > 0 -> d >= 0": "zeros are left out before",
        "d > 0 -> d < 0": "the ranks of the other sign lie as far from the middle",
    },
    "peeking": {
        "error < low -> error <= low": "never equal",
        "error > high -> error >= high": "never equal",
    },
    "for t": {"1 -> 2": "three decimals do not move from one example to the next"},
    "ladder": {"error < shown - step -> error <= shown - step": "never equal"},
    "ladder_without_step": {"a > b -> a >= b": "if equal, 0 is not above a + b"},
    "thresholdout": {
        "gap > cut + 4 * shake[i] -> gap >= cut + 4 * shake[i]": "never equal",
        "1 -> 2": "any negative number leaves the size open",
    },
    "for classes": {"4 -> 5": "no fifth decimal"},
    "roc": {"1 -> 2": "any threshold below 0"},
    "bins": {"9 -> 10": "no neighbour says 90%: those of 100% have a bin to themselves"},
    "discoveries": {"mean_doubt <= rate -> mean_doubt < rate": "never equal"},
    "for moved": {
        "score > 0 -> score >= 0": "never equal",
        "y12 > 0 -> y12 >= 0": "labels are -1 and +1",
    },
    "normal": {"1 -> 2": "no end above 1"},
    "half_splits": {
        "500 -> 501": "one split more moves no decimal",
        "design[~half] @ weights > 1e-09 -> design[~half] @ weights >= 1e-09": "never equal",
        "1e-09 -> 5e-10": "a hair is a hair",
        "y[~half] > 0 -> y[~half] >= 0": "labels are -1 and +1",
    },
    "lines_near": {"1e-09 -> 5e-10": "a hair is a hair"},
    "gaps": {
        "1.0 -> 0.5": "the half width is a whole number of patients, and stays",
        "score > 0 -> score >= 0": "never equal",
        "y > 0 -> y >= 0": "labels are -1 and +1",
    }
    # right and wrong swapped everywhere: the gap between the two rates stays the same
    | dict.fromkeys(
        [
            "(score > 0) != (y > 0) -> (score > 0) == (y > 0)",
            "score > 0 -> score < 0",
            "y > 0 -> y < 0",
        ],
        "as many are right as were wrong",
    ),
    "verdict": {"low >= -margin -> low > -margin": "never equal"},
}
# Mutants that the cell catches but the picture doesn't show, and why
STILL = {
    "exact_bound": {"0.05 -> 0.025": "the picture gives delta"},
    "normal_bound": {"0.05 -> 0.025": "the picture gives z"},
    "holm": {
        "np.minimum(1, rising)[np.argsort(order)] -> np.minimum(1, rising)": "only the least",
        "1 -> 2": "only the least",
    },
    "four_counts": {"0.5 -> 0.25": "the picture gives the threshold"},
}


def mutations(node):
    """Return changes of a node, each a function of a copy of it that returns what replaces it."""
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        yield lambda n: ast.BinOp(n.left, ARITHMETIC[type(n.op)](), n.right)
    elif isinstance(node, ast.UnaryOp) or (
        isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
    ):
        yield lambda n: n.operand if isinstance(n, ast.UnaryOp) else n.value
    elif isinstance(node, ast.Compare):
        for swaps in (EDGE, TURNED):
            if type(node.ops[0]) in swaps:
                yield lambda n, s=swaps: ast.Compare(n.left, [s[type(n.ops[0])]()], n.comparators)
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield lambda n: ast.Constant(n.value + 1 if type(n.value) is int else n.value / 2 or 0.5)


class At(ast.NodeTransformer):
    """Replace one node by another."""

    def __init__(self, node, other):
        self.node, self.other = node, other

    def visit(self, node):
        return self.other if node is self.node else self.generic_visit(node)


def mutants(source, place):
    """Yield each mutant of a statement: what it changes, and the whole cell."""
    for number, node in enumerate(ast.walk(ast.parse(source).body[place])):
        for change in mutations(node):
            tree = ast.parse(source)
            same = [*ast.walk(tree.body[place])][number]
            before, other = ast.unparse(same), change(same)
            At(same, other).visit(tree)
            yield f"{before} -> {ast.unparse(other)}", ast.unparse(ast.fix_missing_locations(tree))


def too_slow(*_):
    raise TimeoutError


@contextlib.contextmanager
def limited():
    """Stop any computation after `SECONDS` of CPU time."""
    usual = signal.signal(signal.SIGVTALRM, too_slow)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, usual)


def printed(sources, book):
    """Run cells; return what each prints, or the error with which they end."""
    texts = []
    try:
        with limited():
            for source in sources:
                with contextlib.redirect_stdout(io.StringIO()) as out:
                    exec(compile(source, "<cell>", "exec"), book)
                texts.append(out.getvalue())
    except Exception as error:
        texts.append(repr(error))
    return texts


def records_of(call, book):
    """Return the records of a picture at the ends of its controls, or the error that stops it."""
    try:
        with limited():
            picture = eval(call, book)
            if not isinstance(picture, Explorer):
                return repr(picture)
            values = [control.values for control in picture.controls.values()]
            many = np.prod([len(steps) for steps in values]) > FRAMES
            ends = [(steps[0], steps[-1]) if many else steps for steps in values]
            places = {*itertools.product(*ends), (*picture.start().values(),)}
            return [picture.frame(*place).record for place in sorted(places, key=repr)]
    except Exception as error:
        return repr(error)


def used(tree):
    """Return the names of the notebook that a piece of code uses."""
    nodes = [*ast.walk(tree)]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    own = {
        argument.arg for node in nodes if isinstance(node, ast.arguments) for argument in node.args
    }
    for function in functions:
        own |= {n.id for n in ast.walk(function) if isinstance(getattr(n, "ctx", 0), ast.Store)
                and isinstance(n, ast.Name)}  # fmt: skip
    return names(tree) - own


def stored(tree):
    """Return the names that a piece of code gives to something outside of its functions."""
    if isinstance(tree, ast.FunctionDef):
        return {tree.name}
    if isinstance(tree, ast.Name):
        return {tree.id} if isinstance(tree.ctx, ast.Store) else set()
    if isinstance(tree, ast.comprehension):
        return set()
    if isinstance(tree, ast.Attribute) and tree.attr == "append":
        return names(tree)
    return set().union(*map(stored, ast.iter_child_nodes(tree)))


def follows(source, changed):
    """Return `changed` together with the names that depend on them in a cell."""
    for node in ast.parse(source).body:
        if changed & used(node):
            changed = changed | stored(node)
    return changed


def taking(changed, source):
    """Return the pictures in a cell that take one of these names."""
    return [call for call in PICTURE.findall(source) if changed & names(ast.parse(call))]


class Chapter:
    """The visible cells of a notebook, and the names defined before each of them."""

    def __init__(self, path):
        cells = [c for c in nbformat.read(path, 4).cells if c.cell_type == "code"]
        self.cells, self.before, book = [], [], {"__name__": "__main__"}
        for cell in cells:
            imports = cell.source.startswith(("import", "from"))
            hidden = UNSEEN & {*cell.metadata.get("tags", [])} and not imports
            if hidden or "quiz.load" in cell.source or '"solution"' in cell.source:
                continue
            self.cells.append(cell)
            self.before.append(dict(book))
            if not PICTURE.match(cell.source):
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(compile(cell.source, "<cell>", "exec"), book)
        self.before.append(book)

    def text(self, number):
        return "".join(value.get("text", "") for value in self.cells[number].outputs)

    def builds(self):
        """Return each function and loop that doesn't call errlab, with its cell and position."""
        for number, cell in enumerate(self.cells):
            for place, node in enumerate(ast.parse(cell.source).body):
                used = [self.before[number].get(name) for name in names(node)]
                ours = any(getattr(u, "__name__", "").startswith("errlab") for u in used)
                if isinstance(node, (ast.FunctionDef, ast.For)) and not ours:
                    name = getattr(node, "name", "") or f"for {ast.unparse(node.target)}"
                    yield name, number, place

    def until_compared(self, first):
        """Return the cells from `first` to the next comparison with errlab, without pictures."""
        numbers = [n for n in range(first, len(self.cells)) if n == first or self.works(n)]
        for end, number in enumerate(numbers):
            if "by hand:" in self.text(number):
                return numbers[: end + 1]
        return numbers[:1]

    def works(self, number):
        return not PICTURE.match(self.cells[number].source)

    def prints(self, numbers, source):
        """Return what the cells with stored outputs print, if the first is replaced by `source`."""
        book = dict(self.before[numbers[0]])
        texts = printed([source, *(self.cells[n].source for n in numbers[1:])], book)
        if len(texts) < len(numbers):  # the run ended with an error
            return texts
        return [text for n, text in zip(numbers, texts, strict=True) if self.text(n)]

    def drawn(self, number, place, source):
        """Return the records of the pictures that use a build, if its cell is `source`.

        Of the cells behind it those run anew that use what has changed.
        """
        changed = follows(source, stored(ast.parse(source).body[place]))
        book = dict(self.before[number])
        printed([source], book)
        calls = [(call, dict(book)) for call in taking(changed, source)]
        for cell, after in zip(self.cells[number + 1 :], self.before[number + 2 :], strict=True):
            made = stored(ast.parse(cell.source))
            if changed & used(ast.parse(cell.source)) and not PICTURE.match(cell.source):
                printed([cell.source], book)
            else:
                book |= {name: after[name] for name in made if name in after}
            changed = follows(cell.source, changed)
            calls += [(call, dict(book)) for call in taking(changed, cell.source)]
        return [records_of(call, book) for call, book in calls]

    def survivors(self, number, place):
        """Return how many mutants a build has, which escape, and which don't change its picture."""
        cells, own = self.until_compared(number), self.cells[number].source
        right = self.prints(cells, own)
        expected = [self.text(n) for n in cells if self.text(n)]
        # outside of a notebook, nothing else displays objects
        assert [*map(str.startswith, right, expected)] == [True] * len(expected), right
        count, same, caught = 0, [], []
        for change, source in mutants(own, place):
            count += 1
            (same if self.prints(cells, source) == right else caught).append((change, source))
        picture = self.drawn(number, place, own)
        assert not [record for record in picture if "Error(" in record], picture
        escaped = [c for c, source in same if self.drawn(number, place, source) == picture]
        some = caught[:: -(-len(caught) // DRAWN)] if picture and caught else []
        unmoved = [c for c, source in some if self.drawn(number, place, source) == picture]
        return count, escaped, unmoved


@pytest.mark.nightly
@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_a_mutant_of_a_build_shows(path):
    chapter = Chapter(path)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, number, place in chapter.builds():
            count, escaped, unmoved = chapter.survivors(number, place)
            print(f"{path.stem} {name}: {count} mutants, {count - len(escaped)} caught")
            assert not {*escaped} - {*SAME.get(name, {})}, f"{name} in {path.name}"
            assert not {*unmoved} - {*STILL.get(name, {})}, f"the picture of {name} in {path.name}"


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_each_prompt_has_an_executed_answer(path):
    """Each “Change it.” folds one phrase of `BREAKS`, which test_breaks.py computes."""
    breaks = importlib.import_module(f"errlab_book.chapters.{path.stem[3:]}").BREAKS
    cells = [cell.source for cell in nbformat.read(path, 4).cells if cell.cell_type == "markdown"]
    prompts = [block for cell in cells for block in cell.split("**Change it.**")[1:]]
    assert prompts
    for prompt in prompts:
        folded = " ".join(
            prompt.split("</summary>")[1].split("</details>")[0].replace(">", "").split()
        )
        assert sum(phrase in folded for phrase in breaks) == 1, folded
