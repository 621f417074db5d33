"""The chapters in _toc.yml: what the build, the records and readers rely on."""

import ast
import fnmatch
import re
import tomllib
from pathlib import Path

import nbformat
import pytest
import yaml
from docutils import nodes
from docutils.utils import new_document
from our_chapters import is_ours

import errlab_site
import student
from errlab_book import exercises, quiz

ROOT = Path(__file__).parents[1]
CHAPTERS = [path for path in student.listed() if is_ours(path)]
QUIZZES = sorted((ROOT / "book" / "errlab_book" / "quizzes").glob("*.toml"))


@pytest.fixture(params=CHAPTERS, ids=lambda p: p.stem)
def notebook(request):
    return nbformat.read(request.param, as_version=4)


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def tags(cell):
    return cell.metadata.get("tags", [])


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda p: p.stem)
def test_a_chapter_has_its_number_in_file_name_and_title(path):
    first = nbformat.read(path, as_version=4).cells[0].source
    assert first.startswith(f"# {int(path.stem[:2])}. ")


def test_only_words_and_pictures_are_stored(notebook):
    for cell in code(notebook):
        assert cell.execution_count, "nbval compares no cell without a number"
        for output in cell.outputs:
            assert output.output_type in ("display_data", "execute_result", "stream")
            kinds = set(output.get("data", {"text/plain": 0}))
            assert "text/plain" in kinds  # nbval compares this format
            assert kinds <= {"text/plain", "text/markdown", "image/png"}


def test_notebooks_use_the_public_api(notebook):
    tree = ast.parse("\n".join(cell.source for cell in code(notebook)))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("errlab"):
            names = [*node.module.split("."), *(alias.name for alias in node.names)]
            assert not any(name.startswith("_") for name in names)


# tags of cells that readers don't see, which draw, load or contain solutions
UNSEEN = {"hide-input", "hide-cell", "remove-input", "remove-cell", "solution"}
# functions without an equivalent in errlab, so there is nothing to compare
ALONE = {
    "capital": "one gambler; errlab's confidence sequence sends fifty",
    "look_up": "a list of the training examples, to show that training errors are no evidence",
}
LIBRARY = re.compile(r"^(by hand|errlab|chapter|scipy|scikit-learn): +(.*)$", re.MULTILINE)


def teaching(notebook):
    """Return the code cells that a reader sees."""
    return [cell for cell in code(notebook) if not UNSEEN & {*tags(cell)}]


def builds(notebook):
    """Return what the notebook builds by hand: the functions of its visible cells, by name."""
    trees = [ast.parse(cell.source) for cell in teaching(notebook)]
    return {n.name: n for tree in trees for n in tree.body if isinstance(n, ast.FunctionDef)}


def names(tree):
    """Return the names that are used in a piece of code."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def needs_and_binds(cell):
    """Return the names that a cell takes from other cells, and those that it binds."""
    needed, bound = set(), set()
    for node in ast.parse(cell.source).body:
        if isinstance(node, ast.FunctionDef):
            bound.add(node.name)
            continue
        inner = {name for part in ast.walk(node) for name in inside(part)}
        stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and bind(n)} - inner
        # a loop binds before its body reads
        first = stored if isinstance(node, (ast.For, ast.While)) else set()
        needed |= names(node) - inner - bound - (stored - names_read(node)) - first
        bound |= stored
    return needed, bound


def bind(node):
    return isinstance(node.ctx, ast.Store)


def names_read(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not bind(n)}


def inside(node):
    """Return the names that only a comprehension or a lambda binds."""
    if isinstance(node, ast.comprehension):
        return names(node.target)
    return {arg.arg for arg in node.args.args} if isinstance(node, ast.Lambda) else set()


def test_a_cell_runs_again_after_all_others(notebook):
    """A reader runs all cells, then changes one: no later cell may have taken its names."""
    cells = [cell for cell in code(notebook) if not {"solution", "remove-cell"} & {*tags(cell)}]
    parts = [needs_and_binds(cell) for cell in cells]
    for i, (needed, _) in enumerate(parts):
        for cell, (_, bound) in zip(cells[i + 1 :], parts[i + 1 :], strict=True):
            assert not needed & bound, f"{needed & bound} of {cells[i].source!r}: {cell.source!r}"


def test_a_build_has_ten_lines_and_nothing_of_errlab(notebook):
    ours = set()
    for node in ast.walk(ast.parse("\n".join(cell.source for cell in code(notebook)))):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            inside = (getattr(node, "module", "") or "").startswith("errlab")
            some = [alias for alias in node.names if inside or alias.name.startswith("errlab")]
            ours |= {(alias.asname or alias.name).split(".")[0] for alias in some}
    assert "chapter" in ours
    for name, function in builds(notebook).items():
        # without comments, docstrings and blank lines
        body = [node for node in function.body if not isinstance(node, ast.Expr)]
        lines = "\n".join(map(ast.unparse, body)).splitlines()
        assert len(lines) <= 10, f"{name} has {len(lines)} lines"
        assert not names(function) & ours, f"{name} is not built by hand"


def test_a_visible_line_fits_its_column(notebook):
    lines = [line for cell in teaching(notebook) for line in cell.source.splitlines()]
    assert [line for line in lines if len(line) > 79] == []


def test_a_build_is_followed_by_its_equal(notebook):
    compared = set(ALONE)
    for cell in teaching(notebook):
        rows = LIBRARY.findall("".join(output.get("text", "") for output in cell.outputs))
        ours = [text for who, text in rows if who == "by hand"]
        if ours:
            assert ours == [text for who, text in rows if who != "by hand"], cell.source
            compared |= names(ast.parse(cell.source))
    made = builds(notebook)
    for name in reversed(made):  # functions called by a compared function are compared with it
        compared |= names(made[name]) if name in compared else set()
    assert set(made) <= compared, f"nothing is compared with {set(made) - compared}"


def test_every_exercise_has_a_check_and_a_solution_that_is_right(notebook):
    source = "\n".join(cell.source for cell in code(notebook) if "solution" not in tags(cell))
    calls = set(re.findall(r'check\("([\d.]+)", \.\.\.\)', source))
    solved = set()
    for cell in code(notebook):
        if "solution" in tags(cell) and "check(" in cell.source:
            solved |= set(re.findall(r'check\(\s*"([\d.]+)"', cell.source))
            text = "".join(o.get("data", {}).get("text/plain", "") for o in cell.outputs)
            assert text.rstrip().endswith("right."), cell.source
    assert calls == solved
    assert calls <= set(exercises.EXERCISES)


@pytest.mark.parametrize("path", QUIZZES, ids=lambda p: p.stem)
def test_a_quiz_has_three_to_six_questions_and_explains_each_choice(path):
    questions = quiz.load(path).questions
    assert 3 <= len(questions) <= 6
    assert all(len(q.choices) >= 2 for q in questions)
    assert all(choice.why for q in questions for choice in q.choices)


def test_prose_names_a_chapter_by_its_title_never_by_a_number():
    pages = [*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("book/**/*.md"), *QUIZZES]
    # pages of the paper excepted, which have the width of a journal
    pages = [path for path in pages if path.parent.name != "paper"]
    number = re.compile(r"\b[Cc]hapters? \d")
    assert [path.name for path in pages if number.search(path.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    ("latex", "part"),
    [
        (r"\hat y", "<mi>y</mi><mo>&#x002C6;</mo></mover>"),
        (r"\tilde p", '<mover accent="true"><mi>p</mi><mo stretchy="false">&#x002DC;</mo>'),
        (r"\hat p \pm 2", "<mo>&#x000B1;</mo>"),
        (r"K \sim B", "<mo>&#x0223C;</mo>"),
        (r"\log 40", '<mi>log</mi><mspace width="0.167em"/><mn>40</mn>'),
        (r"(1 - L) \log(2)", '&#x00029;</mo><mspace width="0.167em"/><mi>log</mi><mo'),
        (r"|x| = 1", '<mo form="postfix" stretchy="false">&#x0007C;</mo><mo>&#x0003D;</mo>'),
        (r"a &= \frac{1}{2}", '<mtable displaystyle="true"'),
    ],
)
def test_a_formula_has_the_accents_and_spaces_of_tex(latex, part):
    assert part in errlab_site.mathml(latex, "block")


def test_the_contents_are_those_of_the_toc_and_its_notebooks():
    listed = errlab_site.chapters(ROOT)
    assert [chapter.name for chapter in listed] == [path.stem for path in student.listed()]
    page = errlab_site.contents(listed, {})
    assert [
        c.name
        for c in listed
        if f"- [{int(c.name[:2])}. {c.title}](../notebooks/{c.name}.ipynb)" not in page
    ] == []


def test_make_style_checks_each_of_our_chapters():
    """A new one has a number that was a lecturer's: see "Add a chapter" in CONTRIBUTING.md."""
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    globs = [*tools["ruff"]["extend-exclude"], *tools["codespell"]["skip"].split(",")]
    (grep,) = re.findall(r"@grep .*?;", (ROOT / "Makefile").read_text("utf-8"), re.DOTALL)
    globs += [f"notebooks/{name}" for name in re.findall(r"--exclude='(.*?)'", grep)]
    names = [path.relative_to(ROOT).as_posix() for path in CHAPTERS]
    excluded = [n for n in names for g in globs if fnmatch.fnmatch(n, g.removeprefix("./"))]
    assert excluded == []
    others = [g for g in globs if fnmatch.fnmatch("notebooks/17_own.ipynb", g.removeprefix("./"))]
    assert len(others) == 3  # of ruff, codespell and grep


def test_the_contents_take_any_notebook(tmp_path):
    """A title may have no number, contain a full stop, follow a code cell, or be missing."""
    cells = {"17_a": "# 17. A. B", "18_b": "# Of A. B", "own": "# Own", "19_c": "no title"}
    (tmp_path / "notebooks").mkdir()
    for name, text in cells.items():
        both = [nbformat.v4.new_code_cell("1"), nbformat.v4.new_markdown_cell(text)]
        notebook = nbformat.v4.new_notebook(cells=both)
        nbformat.write(notebook, tmp_path / "notebooks" / f"{name}.ipynb")
    part = {"caption": "Own", "chapters": [{"file": f"notebooks/{name}"} for name in cells]}
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump({"parts": [part]}), "utf-8")
    assert errlab_site.contents(errlab_site.chapters(tmp_path), {}).splitlines()[3:] == [
        "- [17. A. B](../notebooks/17_a.ipynb)",
        "- [18. Of A. B](../notebooks/18_b.ipynb)",
        "- [Own](../notebooks/own.ipynb)",
        "- [19. 19_c](../notebooks/19_c.ipynb)",
    ]


def test_a_picture_without_a_description_is_called_by_its_number():
    """An empty description is kept: it says that a picture is decoration."""
    doctree = new_document("page")
    doctree += [nodes.image(**known) for known in ({"alt": "Two bars"}, {"alt": ""}, {})]
    errlab_site.number_pictures(None, doctree, "page")
    descriptions = [image["alt"] for image in doctree.findall(nodes.image)]
    assert descriptions == ["Two bars", "", "Picture 3 of this page, without a description"]


def test_the_contents_add_up_the_minutes_that_chapters_tell():
    """A path takes the sum of its chapters' minutes, rounded up to half an hour."""
    one, two, three = (
        errlab_site.Chapter("Part", f"{number:02d}_name", f"Title {number}", minutes)
        for number, minutes in ((1, 40), (2, None), (3, 30))
    )
    assert errlab_site.contents([one, two, three], {"01_name": ": why.", "07_out": ": gone."}) == (
        "\n## Part\n\n- [1. Title 1](../notebooks/01_name.ipynb): why. 40 minutes."
        "\n- [2. Title 2](../notebooks/02_name.ipynb)"
        "\n- [3. Title 3](../notebooks/03_name.ipynb). 30 minutes."
    )
    results = [errlab_site.hours(some) for some in ([one], [one, two, three], [two], [three], [])]
    assert results == ["1 hour", "1½ hours", "", "½ hour", ""]
    table = errlab_site.paths([one, two], {"You": "01_name 07_out"}, "in this order")
    assert table.splitlines()[2:] == [
        "| You | [1](../notebooks/01_name.ipynb) | 1 hour |",
        "| All of it | in this order | 1 hour |",
        "",
        "Exercises and quizzes take about as long again. With them, all of it takes 1½ hours.",
    ]
    assert errlab_site.paths([two], {}, "in this order").endswith(" |")
