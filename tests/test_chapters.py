"""The chapters in _toc.yml: what the build, the records and readers rely on."""

import ast
import fnmatch
import re
import symtable
import tomllib
from pathlib import Path

import nbformat
import pytest
import yaml
from docutils import nodes
from docutils.utils import new_document
from our_chapters import is_ours
from tables import sections

import errlab_site
import student
from errlab_book import exercises, quiz

ROOT = Path(__file__).parents[1]
CHAPTERS = [path for path in student.listed() if is_ours(path)]
QUIZZES = sorted((ROOT / "book" / "errlab_book" / "quizzes").glob("*.toml"))
WRITTEN = dict(sections("site.txt"))
# tags of cells that readers don't see, which draw, load or contain solutions
UNSEEN = {"hide-input", "hide-cell", "remove-input", "remove-cell", "solution"}
# functions without an equivalent in errlab, so there is nothing to compare
ALONE = {
    "capital": "one gambler; errlab's confidence sequence sends fifty",
    "look_up": "a list of the training examples, to show that training errors are no evidence",
}
LIBRARY = re.compile(r"^(by hand|errlab|chapter|scipy|scikit-learn): +(.*)$", re.MULTILINE)


@pytest.fixture(params=CHAPTERS, ids=lambda p: p.stem)
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return nbformat.read(path, as_version=4)


def code(notebook, without=frozenset()):
    """Return the code cells, except those with certain tags."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [cell for cell in cells if not without & {*cell.metadata.get("tags", [])}]


def builds(notebook):
    """Return what the notebook builds by hand: the functions of its visible cells, by name."""
    trees = [ast.parse(cell.source) for cell in code(notebook, UNSEEN)]
    return {n.name: n for tree in trees for n in tree.body if isinstance(n, ast.FunctionDef)}


def names(tree):
    """Return the names that are used in a piece of code."""
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def scope(source):
    """Return the names of the notebook that a piece of code reads, and those that it binds."""
    tables = [symtable.symtable(source, "<cell>", "exec")]
    read = set()
    for table in tables:
        tables += table.get_children()
        symbols = [s for s in table.get_symbols() if s.is_referenced()]
        read |= {s.get_name() for s in symbols if table is tables[0] or s.is_global()}
    return read, {s.get_name() for s in tables[0].get_symbols() if s.is_assigned()}


def needs_and_binds(source):
    """Return the names that a cell takes from other cells, and those that it binds."""
    needed, bound = set(), set()
    for node in ast.parse(source).body:
        read, stored = scope(ast.unparse(node))
        if isinstance(node, (ast.For, ast.While)):  # a loop binds before its body reads
            read -= stored
        needed |= set() if isinstance(node, ast.FunctionDef) else read - bound
        bound |= stored
    return needed, bound


def imported(notebook):
    """Return what a notebook imports from errlab and its book, by the name that it gives it."""
    tree = ast.parse("\n".join(cell.source for cell in code(notebook)))
    parts = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    whole = {
        (alias.asname or alias.name).split(".")[0]: f"{getattr(node, 'module', '')}.{alias.name}"
        for node in parts
        for alias in node.names
    }
    return {name: text for name, text in whole.items() if text.lstrip(".").startswith("errlab")}


def test_a_chapter_has_its_number_and_only_words_and_pictures_are_stored(path, notebook):
    assert notebook.cells[0].source.startswith(f"# {int(path.stem[:2])}. ")
    for cell in code(notebook):
        assert cell.execution_count, "nbval compares no cell without a number"
        for output in cell.outputs:
            assert output.output_type in ("display_data", "execute_result", "stream")
            kinds = set(output.get("data", {"text/plain": 0}))
            assert "text/plain" in kinds  # nbval compares this format
            assert kinds <= {"text/plain", "text/markdown", "image/png"}


def test_a_cell_runs_again_after_all_others(notebook):
    """A reader runs all cells, then changes one: no later cell may have taken its names."""
    cells = [cell.source for cell in code(notebook, {"solution", "remove-cell"})]
    parts = [needs_and_binds(cell) for cell in cells]
    for i, (needed, _) in enumerate(parts):
        for cell, (_, bound) in zip(cells[i + 1 :], parts[i + 1 :], strict=True):
            assert not needed & bound, f"{needed & bound} of {cells[i]!r}: {cell!r}"


def test_a_build_has_ten_lines_of_79_letters_and_nothing_of_errlab(notebook):
    ours = imported(notebook)
    assert "chapter" in ours
    assert not [text for text in ours.values() if "._" in text], "notebooks use the public API"
    for name, function in builds(notebook).items():
        # without comments, docstrings and blank lines
        body = [node for node in function.body if not isinstance(node, ast.Expr)]
        lines = "\n".join(map(ast.unparse, body)).splitlines()
        assert len(lines) <= 10, f"{name} has {len(lines)} lines"
        assert not names(function) & ours.keys(), f"{name} is not built by hand"
    lines = [line for cell in code(notebook, UNSEEN) for line in cell.source.splitlines()]
    assert [line for line in lines if len(line) > 79] == []


def test_a_build_is_followed_by_its_equal(notebook):
    compared = set(ALONE)
    for cell in code(notebook, UNSEEN):
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
    source = "\n".join(cell.source for cell in code(notebook, {"solution"}))
    calls = set(re.findall(r'check\("([\d.]+)", \.\.\.\)', source))
    solved = set()
    for cell in code(notebook):
        if "solution" in cell.metadata.get("tags", []) and "check(" in cell.source:
            solved |= set(re.findall(r'check\(\s*"([\d.]+)"', cell.source))
            text = "".join(o.get("data", {}).get("text/plain", "") for o in cell.outputs)
            assert text.rstrip().endswith("right."), cell.source
    assert calls == solved <= set(exercises.EXERCISES)


def test_a_quiz_has_three_to_six_questions_and_explains_each_choice():
    for path in QUIZZES:
        questions = quiz.load(path).questions
        assert 3 <= len(questions) <= 6, path
        assert all(len(q.choices) >= 2 for q in questions), path
        assert all(choice.why for q in questions for choice in q.choices), path


def test_prose_names_a_chapter_by_its_title_never_by_a_number():
    pages = [*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("book/**/*.md"), *QUIZZES]
    # pages of the paper excepted, which have the width of a journal
    pages = [path for path in pages if path.parent.name != "paper"]
    number = re.compile(r"\b[Cc]hapters? \d")
    assert [path.name for path in pages if number.search(path.read_text("utf-8"))] == []


def test_a_formula_has_the_accents_and_spaces_of_tex():
    for latex, part in (line.split(" | ") for line in WRITTEN["formulas"]):
        assert part in errlab_site.mathml(latex, "block"), latex


def test_the_contents_are_those_of_the_toc_and_its_notebooks():
    listed = errlab_site.chapters(ROOT)
    assert [chapter.name for chapter in listed] == [path.stem for path in student.listed()]
    page = errlab_site.contents(listed, {}).splitlines()
    links = [f"- [{int(c.name[:2])}. {c.title}](../notebooks/{c.name}.ipynb)" for c in listed]
    assert [link for link in links if not any(link in line for line in page)] == []


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


def test_a_picture_without_a_description_is_called_by_its_number():
    """An empty description is kept: it says that a picture is decoration."""
    doctree = new_document("page")
    doctree += [nodes.image(**known) for known in ({"alt": "Two bars"}, {"alt": ""}, {})]
    errlab_site.number_pictures(None, doctree, "page")
    descriptions = [image["alt"] for image in doctree.findall(nodes.image)]
    assert descriptions == ["Two bars", "", "Picture 3 of this page, without a description"]


def test_the_contents_take_any_notebook(tmp_path):
    """A title may have no number, contain a full stop, follow a code cell, or be missing.

    A path takes the sum of its chapters' minutes, rounded up to half an hour.
    """
    cells = {"01_a": "# 1. A. B", "18_b": "# Of A. B", "own": "# Own", "19_c": "no title"}
    minutes = {"01_a": "40 minutes", "own": "30 minutes"}
    (tmp_path / "notebooks").mkdir()
    for name, title in cells.items():
        words = nbformat.v4.new_markdown_cell(f"{title}\n\n{minutes.get(name, '')}")
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1"), words])
        nbformat.write(notebook, tmp_path / "notebooks" / f"{name}.ipynb")
    part = {"caption": "Part", "chapters": [{"file": f"notebooks/{name}"} for name in cells]}
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump({"parts": [part]}), "utf-8")
    listed = errlab_site.chapters(tmp_path)
    page = errlab_site.contents(listed, {"01_a": ": why.", "07_out": ": gone."})
    assert [line for line in page.splitlines() if line] == WRITTEN["contents"]
    one, two, three, _ = listed
    hours = [errlab_site.hours(some) for some in ([one], listed, [two], [three], [])]
    assert hours == ["1 hour", "1½ hours", "", "½ hour", ""]
    page = errlab_site.paths([one, two], {"You": "01_a 07_out"}, "in this order")
    assert [line for line in page.splitlines() if line] == WRITTEN["paths"]
    assert errlab_site.paths([two], {}, "in this order").endswith(" |")
