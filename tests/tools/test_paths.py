"""The order of the book: numbers, times, ways through it, and no term before its explanation."""

import ast
import re
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from house import ORIGINAL, ours  # noqa: E402

import book  # noqa: E402
import course  # noqa: E402
import editions  # noqa: E402
import pages  # noqa: E402
import paths  # noqa: E402

CHAPTERS = paths.chapters()
OWN = {int(path.name[:2]): path for path in ours()}  # by the number of the file
FILES = {int(stem[:2]): ROOT / "notebooks" / f"{stem}.ipynb" for stem in ORIGINAL}
INTRO = book.followed(
    (ROOT / "book" / "intro.md").read_text("utf-8"), paths.titles(CHAPTERS.values())
)
BODY = (
    (ROOT / "book" / "glossary.md").read_text("utf-8").split("```{glossary}\n")[1].split("```")[0]
)
TERMS = dict(entry.split("\n", 1) for entry in BODY.strip("\n").split("\n\n"))
UNSAID = re.compile(
    r"```.*?```|`[^`]*`|\]\([^)]*\)|\$\$.*?\$\$|\$[^$]*\$|\{cite:\w+\}`[^`]*`", re.S
)


def explained_in(term):
    """Return the number of the chapter that the glossary gives for a term."""
    found = re.search(r"\[Chapter (\d+)\]\(\.\./notebooks/(\w+\.ipynb)\)", TERMS[term])
    assert found, f"{term}: book/glossary.md names no chapter"
    assert FILES[int(found.group(1))].name == found.group(2)
    return int(found.group(1))


def said(path):
    """Return the text of a chapter without code, formulas, and what it says of later chapters."""
    cells = nbformat.read(path, as_version=4).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return UNSAID.sub(" ", re.sub(r"\*\*Where next\..*", "", text, flags=re.S))


SPEAKS = ("say", "show", "explore", "guess", "table")


def spoken(path):
    """Return what the code of a chapter writes: sentences, captions, choices, names of columns."""
    written = []
    for cell in nbformat.read(path, as_version=4).cells:
        tags = {"audit", "install"} & set(cell.metadata.get("tags", []))
        if cell.cell_type == "code" and not tags:
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in SPEAKS:
                    written += [n.value for n in ast.walk(node) if isinstance(n, ast.Constant)]
    return "\n".join(word for word in written if isinstance(word, str))


def uses(text, term):
    words = r"\s+".join(map(re.escape, term.split()))
    return re.search(rf"(?<![\w-]){words}s?(?![\w-])", text, re.IGNORECASE)


@pytest.mark.parametrize("number", OWN)
def test_no_term_is_used_before_the_chapter_that_explains_it(number):
    text = said(OWN[number])
    early = [term for term in TERMS if explained_in(term) > number and uses(text, term)]
    assert early == []


@pytest.mark.parametrize("number", OWN)
def test_nor_does_the_code_of_a_chapter_write_one(number):
    text = spoken(OWN[number])
    everyday = {"level"}  # as in "the nominal level"
    early = [term for term in TERMS if explained_in(term) > number and uses(text, term)]
    assert set(early) <= everyday


@pytest.mark.parametrize("term", TERMS)
def test_the_chapter_of_a_term_speaks_of_it(term):
    path = FILES[explained_in(term)]
    if path not in ours():
        pytest.skip("its chapter is not in this book")
    text = path.read_text("utf-8").lower()
    assert any(word.lower() in text for word in term.split() if len(word) > 3)


@pytest.mark.parametrize("number", OWN)
def test_a_chapter_says_how_long_it_takes(number):
    path = OWN[number]
    assert abs(paths.stated(path) - paths.minutes(path)) <= 10


@pytest.mark.parametrize("number", OWN)
def test_what_comes_before_is_linked_and_stands_before(number):
    first = nbformat.read(OWN[number], as_version=4).cells[0].source
    before = first.partition("Before:")[2]
    named = [int(name) for name in re.findall(r"\]\((\d\d)_\w+\.ipynb\)", before)]
    assert all(other < number for other in named)
    assert named or "nothing" in before
    assert "chapter on" not in before
    assert "chapters on" not in before


@pytest.mark.parametrize("edition", editions.EDITIONS)
def test_the_title_has_its_number_wherever_it_is_shown(edition):
    titles = pages.chapters(list(CHAPTERS.values()))
    for path in CHAPTERS.values():
        notebook = nbformat.read(path, as_version=4)
        shown = editions.edit(notebook, path.stem, edition).cells[0].source.splitlines()[0]
        assert shown == f"# {paths.title(path)}"
        assert titles[path.name][0] == paths.title(path)


def test_deeper_chapters_are_marked_on_the_map_and_in_themselves():
    for path in ours():
        deep = course.number(path.stem) in course.deeper()
        assert ("Deeper than the rest" in said(path)) == deep
        assert f"[{paths.title(path)}](../notebooks/{path.name})" in INTRO
        assert (f"[{paths.title(path)}](../notebooks/{path.name}) (deeper)" in INTRO) == deep


def test_the_ways_through_the_book_are_in_order_and_lead_somewhere():
    table = paths.table()
    assert INTRO.count(table) == 1
    order = list(CHAPTERS.values())
    for name, way in paths.ways().items():
        assert way == sorted(way, key=order.index)
        total = sum(paths.time(path) for path in way)
        assert f"| {name} |" in table
        assert f"| {paths.hours(total)} |" in table
    assert all(f"(../notebooks/{path.name})" in table for path in CHAPTERS.values())


def test_a_chapter_without_a_time_is_refused(tmp_path):
    path = tmp_path / "01_x.ipynb"
    cell = nbformat.v4.new_markdown_cell("# X\n\nNo time.")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    with pytest.raises(ValueError, match=r"path must be that of a chapter.*got 01_x\.ipynb"):
        paths.stated(path)
    assert paths.time(path) == 5  # computed instead, in steps of five minutes


def test_the_blank_checklist_asks_what_the_last_chapter_asks():
    page = (ROOT / "book" / "checklist.md").read_text("utf-8")
    asked = re.findall(r"^\| ([^|]+\?) \|", page, re.M)
    source = "\n".join(cell.source for cell in nbformat.read(FILES[14], as_version=4).cells)
    answered = source.partition("## The checklist")[2].partition("Before you print a claim")[0]
    assert asked == re.findall(r'"([A-Z][^"\n]*\?)"', answered)
    assert len(asked) > 8


def test_a_term_used_too_early_would_be_seen():
    assert uses("Their p-values are small.", "p-value")
    assert not uses("leave-one-out", "leave")
