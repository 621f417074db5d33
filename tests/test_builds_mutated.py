"""A mutant of a build (wrong sign, comparison or number) must print or draw something else.

The cells of a chapter run up to the build and go on with a mutant to the next comparison with
errlab. What escapes there must change the picture that the build drives, or be listed as the same
in data/mutants.txt. Of those that are caught there some are drawn as well: the picture must change
with them, too, or be listed.
"""

import ast
import contextlib
import io
import itertools
import re
import warnings

import nbformat
import numpy as np
import pytest
from fuzz import limited
from tables import sections
from test_chapters import CHAPTERS, UNSEEN, names, scope

from errlab_book.widgets import Explorer

PICTURE = re.compile(r"^chapter\.\w+\(.*\)$", re.MULTILINE)
SECONDS = 40  # a mutant may never end
FRAMES = 30  # a picture with more states is drawn at the ends of its controls
DRAWN = 3  # number of a build's mutants that are drawn although its cell has caught them
# swaps of operators, and by build: mutants that compute the same, and after "picture of", mutants
# that the picture doesn't show
TABLE = sections("mutants.txt")
ARITHMETIC, EDGE, TURNED = [
    {getattr(ast, a): getattr(ast, b) for a, b in map(str.split, lines)} for _, lines in TABLE[:3]
]
LISTED = {name: {line.rpartition(" | ")[0] for line in lines} for name, lines in TABLE[3:]}


def mutations(node):
    """Return changes of a node, each a function of a copy of it that returns what replaces it."""
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        yield lambda n: ast.BinOp(n.left, ARITHMETIC[type(n.op)](), n.right)
    elif isinstance(node, ast.UnaryOp):
        yield lambda n: n.operand
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield lambda n: n.value
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


def printed(sources, book):
    """Run cells; return what each prints, or the error with which they end."""
    texts = []
    try:
        with limited(SECONDS):
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
        with limited(SECONDS):
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


def stored(tree):
    """Return the names that a piece of code binds or appends to."""
    # a list's append is a statement; np.append changes nothing, and its result is used
    calls = [n.value for n in ast.walk(tree) if isinstance(n, ast.Expr)]
    alone = [call.func for call in calls if isinstance(call, ast.Call)]
    appends = [f for f in alone if isinstance(f, ast.Attribute) and f.attr == "append"]
    return scope(ast.unparse(tree))[1].union(*map(names, appends))


def follows(source, changed):
    """Return `changed` together with the names that depend on them in a cell."""
    for node in ast.parse(source).body:
        if changed & scope(ast.unparse(node))[0]:
            changed = changed | stored(node)
    return changed


def taking(changed, source):
    """Return the pictures in a cell that take one of these names."""
    return [call for call in PICTURE.findall(source) if changed & names(ast.parse(call))]


class Chapter:
    """The visible cells of a notebook, and the names defined before each of them."""

    def __init__(self, path):
        self.cells, self.before, book = [], [], {"__name__": "__main__"}
        for cell in nbformat.read(path, 4).cells:
            imports = cell.source.startswith(("import", "from"))
            hidden = UNSEEN & {*cell.metadata.get("tags", [])} and not imports
            skipped = hidden or "quiz.load" in cell.source or '"solution"' in cell.source
            if cell.cell_type == "code" and not skipped:
                self.cells.append(cell)
                self.before.append(dict(book))
                if self.works(cell):
                    with contextlib.redirect_stdout(io.StringIO()):
                        exec(compile(cell.source, "<cell>", "exec"), book)
        self.before.append(book)

    def text(self, number):
        return "".join(value.get("text", "") for value in self.cells[number].outputs)

    @staticmethod
    def works(cell):
        return not PICTURE.match(cell.source)

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
        later = [n for n in range(first + 1, len(self.cells)) if self.works(self.cells[n])]
        numbers = [first, *later]
        ends = [i for i, n in enumerate(numbers, 1) if "by hand:" in self.text(n)]
        return numbers[: ends[0] if ends else 1]

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
            if changed & scope(cell.source)[0] and self.works(cell):
                printed([cell.source], book)
            else:
                made = stored(ast.parse(cell.source))
                book |= {name: after[name] for name in made if name in after}
            changed = follows(cell.source, changed)
            calls += [(call, dict(book)) for call in taking(changed, cell.source)]
        return [records_of(call, book) for call, book in calls]

    def survivors(self, number, place):
        """Return a build's mutants that escape, and those that don't change its picture."""
        cells, own = self.until_compared(number), self.cells[number].source
        right = self.prints(cells, own)
        expected = [self.text(n) for n in cells if self.text(n)]
        # outside of a notebook, nothing else displays objects
        assert [*map(str.startswith, right, expected)] == [True] * len(expected), right
        same, caught = [], []
        for change, source in mutants(own, place):
            (same if self.prints(cells, source) == right else caught).append((change, source))
        picture = self.drawn(number, place, own)
        assert not [record for record in picture if "Error(" in record], picture
        some = caught[:: -(-len(caught) // DRAWN)] if picture and caught else []
        return [
            {change for change, source in those if self.drawn(number, place, source) == picture}
            for those in (same, some)
        ]


@pytest.mark.nightly
@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_a_mutant_of_a_build_shows(path):
    chapter = Chapter(path)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, number, place in chapter.builds():
            escaped, unmoved = chapter.survivors(number, place)
            assert escaped <= LISTED.get(name, set()), f"{name} in {path.name}"
            assert unmoved <= LISTED.get(f"picture of {name}", set()), f"the picture of {name}"
