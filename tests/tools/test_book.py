"""The book's sources: every chapter is complete, and every edition shows what it should."""

import ast
import copy
import functools
import re
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
import yaml

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from house import ours  # noqa: E402

import book  # noqa: E402
import course  # noqa: E402
import editions  # noqa: E402
import handout  # noqa: E402
import notebooks  # noqa: E402
import paths as ways  # noqa: E402
import slides  # noqa: E402
from errlab.book import exercises, quiz  # noqa: E402

NOTEBOOKS = book.listed()
PARTS = ("exercises", "quiz", "what to remember")


@functools.cache
def valid(path):
    return nbformat.read(path, as_version=4)


def read(path):
    return copy.deepcopy(valid(path))


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def tags(cell):
    return cell.metadata.get("tags", [])


@pytest.fixture(params=NOTEBOOKS, ids=lambda p: p.stem)
def path(request):
    return request.param


@pytest.fixture(params=ours(), ids=lambda p: p.stem)
def own(request):
    return request.param


def test_the_table_of_contents_names_every_chapter_once():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    files = [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    listed = [name.removeprefix("notebooks/") for name in files if name.startswith("notebooks/")]
    assert len(set(listed)) == len(listed)
    assert [path.stem for path in book.listed()] == listed


def test_the_map_leads_to_every_chapter():
    intro = book.followed((ROOT / "book" / "intro.md").read_text(), ways.titles(NOTEBOOKS))
    asked = {c["name"] for c in course.chapters(course.read()) if c.get("asks")}
    assert {p.stem for p in NOTEBOOKS if p.name in intro} >= asked
    assert {p.stem for p in ours()} <= asked


def test_a_chapter_has_all_its_parts(own):
    notebook = read(own)
    text = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown").lower()
    source = "\n".join(c.source for c in code(notebook))
    assert "you will be able to" in text
    assert re.search(r"minutes", text), "how long it takes"
    assert "?" in text.split("you will be able to")[0], "it opens with a question"
    assert "explore(" in source
    assert "before you" in text, "questions before the explorer"
    assert "quiz.load(" in source
    assert all(re.search(rf"^#+ .*{part}", text, re.MULTILINE) for part in PARTS)
    assert "where next" in text
    assert "{cite" in text


@pytest.mark.parametrize("path", ours()[1:], ids=lambda p: p.stem)
def test_a_chapter_begins_with_a_question_about_an_earlier_one(path):
    first = next(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    asked = re.findall(r"<summary>(.+\?.*)</summary>\n\n\S", first)
    assert asked or "*From [chapter" in first


def test_the_audit_stands_last_and_out_of_sight(own):
    """What the sources say is judged where the numbers are, and read on the page of the source."""
    notebook = read(own)
    audit = [cell for cell in notebook.cells if notebooks.AUDIT in tags(cell)]
    judging = [cell for cell in code(notebook) if "tables.claims(" in cell.source]
    assert judging
    assert all(cell in audit for cell in judging)
    assert audit == notebook.cells[-len(audit) :]
    for edition in editions.EDITIONS:
        shown = editions.edit(read(own), own.stem, edition)
        handed_out = handout.handout(read(own), edition)
        assert not any("tables.claims(" in c.source for c in [*shown.cells, *handed_out.cells])


def test_only_text_is_stored(path):
    for cell in code(read(path)):
        assert cell.execution_count, "nbval compares no cell without a number"
        for output in cell.outputs:
            assert output.output_type in ("display_data", "execute_result", "stream")
            assert set(output.get("data", {"text/plain": 0})) == {"text/plain"}


def test_jupyterlab_folds_what_the_book_folds(path):
    """It shows the first line of a folded cell: that of a solution says nothing."""
    for cell in code(read(path)):
        folded = bool({"hide-input", "hide-cell", "remove-input"} & set(tags(cell)))
        assert cell.metadata.get("jupyter", {}).get("source_hidden", False) == folded, cell.source
        for tag in notebooks.SAYS_NOTHING.keys() & set(tags(cell)):
            assert cell.metadata.jupyter.outputs_hidden
            said = cell.source.splitlines()[0]
            assert said == notebooks.SAYS_NOTHING[tag], "run: python tools/notebooks.py fold"


def test_notebooks_define_draw_functions_only_and_use_the_public_api(path):
    tree = ast.parse("\n".join(cell.source for cell in code(read(path))))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("errlab"):
            assert not any(part.startswith("_") for part in node.module.split("."))
            assert not any(alias.name.startswith("_") for alias in node.names)
        if isinstance(node, ast.FunctionDef):
            assert len(node.body) <= 25, f"{node.name} belongs into the package"


def test_every_exercise_has_a_check_and_a_solution(path):
    number = str(int(path.stem[:2]))
    notebook = code(read(path))
    asked = {k for c in notebook for k in re.findall(r'check\("([\d.]+)", \.\.\.\)', c.source)}
    solved = {
        key
        for cell in notebook
        if "solution" in tags(cell)
        for key in re.findall(r'check\(\s*"([\d.]+)"', cell.source)
    }
    known = {key for key in exercises.EXERCISES if key.split(".")[0] == number}
    assert asked == solved == known
    assert path not in ours() or len(known) >= 3


def test_every_solution_is_right(path):
    for cell in code(read(path)):
        if "solution" in tags(cell) and "check(" in cell.source:
            said = "".join(o.get("data", {}).get("text/plain", "") for o in cell.outputs)
            assert said.rstrip().endswith("right."), cell.source


def test_the_quiz_has_three_to_five_questions(own):
    loaded = quiz.load(own.stem)
    assert 3 <= len(loaded.questions) <= 6
    assert all(len(q.choices) >= 2 for q in loaded.questions)
    assert all(choice.why for q in loaded.questions for choice in q.choices)


def test_editions(path):
    student = editions.edit(read(path), path.stem, "student")
    assert not any("solution" in tags(cell) for cell in student.cells)
    instructor = editions.edit(read(path), path.stem, "instructor")
    shown = [cell for cell in instructor.cells if "solution" in tags(cell)]
    assert shown or path not in ours()
    assert not any("hide-cell" in tags(cell) for cell in shown)
    assert ("Teaching notes" in instructor.cells[-1].source) == bool(editions.notes(path.stem))
    reader = editions.edit(read(path), path.stem, "reader")
    assert all("hide-cell" in tags(c) for c in reader.cells if "solution" in tags(c))


def test_slides_hold_no_solution(path):
    made = "".join(slides.slides(read(path)))
    assert made.count("<h") > 3 or path not in ours()
    assert "Exercise" not in made


def test_every_chapter_has_teaching_notes():
    with (ROOT / "book" / "teaching.toml").open("rb") as stream:
        notes = tomllib.load(stream)
    assert {path.stem for path in ours()} <= set(notes)
    assert all(entry["plan"] and entry["traps"] and entry["discuss"] for entry in notes.values())


def test_terms_are_linked_once_and_never_inside_code():
    terms = ["coverage", "union bound"]
    text = "# Coverage\n\nThe `coverage` call, the coverage and the coverage. A union bound."
    linked = editions.link_terms(text, terms)
    assert linked.count("{term}") == 2
    assert "# Coverage\n\nThe `coverage` call, the {term}`coverage <coverage>` and" in linked
    assert terms == []


def test_citations_are_known():
    keys = set(re.findall(r"@\w+\{([^,]+),", (ROOT / "book" / "references.bib").read_text()))
    used = set()
    for path in NOTEBOOKS:
        text = "\n".join(cell.source for cell in read(path).cells)
        for group in re.findall(r"\{cite:\w+\}`([^`]+)`", text):
            used |= {key.strip() for key in group.split(",")}
    assert used <= keys


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
    assert part in slides.mathml(latex, "block")
