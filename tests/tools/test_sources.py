"""The map of the sources: complete against the texts, and every place in it exists."""

import hashlib
import re
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
import book
import sources

LISTED = sources.listed()
ITEMS: dict[
    str, dict[str, int | list[str]]
] = {  # what each text numbers, or shows without a number (illustrations, propositions)
    "survey": {"Eq": 51, "Fig": 20, "Table": 1, "Footnote": 4},
    "larsen": {"Eq": 9, "Fig": 1, "Table": 1, "Footnote": 14},
    "laber": {"Proposition": 1, "Fig": 1, "Table": 5, "Footnote": 4},
    "lecture": {
        "Definition": ["1.3"],
        "Table": ["5.2", "5.3", "5.4"],
        "Fig": ["5.15"],
        "Algorithm": ["1.1"],
        "Theorem": ["6.5.1"],
    },
    "hardt": {"Proposition": 2, "Illustration": 4},
}
FOLDERS = [parent / "shared" / "sources" for parent in ROOT.parents]
TEXTS = {
    hashlib.sha256(path.read_bytes()).hexdigest(): path.read_text("utf-8")
    for folder in FOLDERS
    if folder.is_dir()
    for path in sorted(folder.glob("*.txt"))
}
SHORT = r"^(?:- \*\*)?((?:[A-Z]|k-)[^\t$\\_^|]{4,99}?[^:])\s*\**$"  # a line that may be a heading
HEADINGS = {
    "survey": r"^(Abstract|References|(?:\d(?:\.\d)?|A) [A-Z][a-z].*)$",
    "larsen": r"^(?:<\|[^|]*\|>)?(Abstract(?=\.)|[A-Z][A-Z ]{7,}?)(?:\s*$|\.)",
    "laber": r"^#+ (.*)$",
    "lecture": SHORT,
    "hardt": SHORT,
}
FOUND = {  # how the texts, as we have them, show what they number
    "survey": {
        "Eq": r"\((\d+)\)(?:\s*\$\$)?\s*$|\\tag\{(\d+)\}",
        "Fig": r"^Figure (\d+)\.",
        "Table": r"^Table (\d+)\.",
    },
    "larsen": {"Eq": r"Eq\. \((\d)\)", "Fig": r"^Figure (\d):", "Table": r"^Table (\d):"},
    "laber": {
        "Proposition": r"\*\*Proposition (\d)\.",
        "Fig": r"^Figure (\d):",
        "Table": r"^Table (\d):",
    },
    "lecture": {
        "Definition": r"^Definition ([\d.]+)",
        "Table": r"^Table (\d\.\d)",
        "Fig": r"^Figure (\d\.\d+)",
        "Algorithm": r"^Algorithm (\d\.\d)",
        "Theorem": r"^Theorem (\d\.\d\.\d)",
    },
}


def rows(key):
    return [row for section in LISTED[key]["sections"] for row in section["rows"]]


def plain(title):
    """Return a heading of a text as a label: no emphasis, no formula but its first letter."""
    title = re.sub(r"\$([A-Za-z]).*?\$", r"\1", title.replace("*", ""))
    return title.strip()


@pytest.fixture(params=LISTED)
def key(request):
    return request.param


@pytest.fixture
def text(key):
    if not TEXTS:
        pytest.skip("the texts are not beside this checkout")
    return TEXTS[LISTED[key]["sha256"]]


def test_every_row_is_treated_or_left_out_with_a_reason(key):
    for row in rows(key):
        assert set(row) <= {"n", "what", "at", "says", "out"}, row
        assert row["what"]
        assert row.get("at") or len(row.get("out", "")) > 15, row
        assert ("at" in row) == ("says" in row), row


def test_every_place_exists_and_says_what_it_should(key):
    for row in rows(key):
        for number, written in enumerate(row.get("at", "").split()):
            page, anchor = sources.place(written)
            known = sources.read(page)
            if anchor:
                assert anchor in known, f"{written}: no such heading; book/sources.toml names it"
            under = known[anchor].text if anchor else (ROOT / page).read_text("utf-8")
            assert number or row["says"] in under, f"{written} does not say {row['says']!r}"


def test_every_numbered_item_has_one_row(key):
    found = Counter(item for row in rows(key) for item in sources.numbered(row))
    wanted = [
        f"{kind} {number}"
        for kind, known in ITEMS[key].items()
        for number in (known if isinstance(known, list) else range(1, known + 1))
    ]
    assert found == Counter(wanted)


def test_the_headings_are_those_of_the_text(key, text):
    body = text.split("\nReferences\n")[0] if key == "hardt" else text
    shown = [plain(m.group(1)) for m in re.finditer(HEADINGS[key], body, re.MULTILINE)]
    listed = [section["heading"] for section in LISTED[key]["sections"]]
    if key == "hardt":
        listed.remove("References")
    if key == "laber":
        shown = shown[2:]  # title and authors
    if HEADINGS[key] != SHORT:
        assert shown == listed
        return
    places = [shown.index(heading) for heading in listed]  # all are there, and in this order
    assert all(a < b for a, b in pairwise(places))
    assert len(shown) - len(listed) == LISTED[key]["plain"]  # other short lines; none is new


def test_the_numbered_items_are_those_of_the_text(key, text):
    for kind, pattern in FOUND.get(key, {}).items():
        shown = {
            next(filter(None, found.groups())) for found in re.finditer(pattern, text, re.MULTILINE)
        }
        listed = {
            item.split()[1]
            for row in rows(key)
            for item in sources.numbered(row)
            if item.split()[0] == kind
        }
        assert shown, kind
        assert shown <= listed if (key, kind) == ("larsen", "Eq") else shown == listed, kind


def test_hardt_shows_as_many_propositions_and_illustrations(text, key):
    if key == "hardt":
        counts = {
            "Proposition": r"^Proposition\.",
            "Illustration": r"^(?:Illustration|Comparison) of",
        }
        for kind, pattern in counts.items():
            assert len(re.findall(pattern, text, re.MULTILINE)) == ITEMS["hardt"][kind]


def test_the_page_links_every_place_and_gives_every_reason(key):
    page = sources.page()
    for row in rows(key):
        assert sources.line(row) in page
        for written in row.get("at", "").split():
            name, anchor = sources.place(written)
            assert f"(../{name}{'#' if anchor else ''}{anchor})" in page
    assert page.count(":::{table}") == sum(len(s["sections"]) for s in LISTED.values())


def test_every_claim_has_its_place_in_its_source_and_its_lesson():
    rows = sources.judged()
    assert {row.source for row in rows} == {*LISTED, "others"}
    for row in rows:
        if row.source != "others":
            headings = [section["heading"] for section in LISTED[row.source]["sections"]]
            assert sum(sources.begins(heading, row.section) for heading in headings) == 1, row
        page, anchor = sources.place(row.lesson)
        assert page.startswith("notebooks/")
        assert not anchor or anchor in sources.read(page), row


@pytest.mark.parametrize("name", sources.audit_names())
def test_an_audit_shows_each_claim_once_in_the_order_of_the_source(name):
    page = sources.audit(name.removeprefix("audit_"))
    rows = [row for row in sources.judged() if row.source == name.removeprefix("audit_")]
    shown = [sources.entry(*row[2:]) for row in rows]
    assert len(set(shown)) == len(shown)
    assert all(page.count(line) == 1 for line in shown)
    assert f"of {len(rows)} claims" in page
    titles = re.findall(r"^## (.*)$", page, re.MULTILINE)
    if name != "audit_others":
        listed = [sources.titled(s["heading"]) for s in LISTED[name[6:]]["sections"]]
        assert [title for title in listed if title in titles] == titles


@pytest.mark.parametrize("key", ["survey", "larsen", "laber", "lecture", "hardt"])
def test_an_audit_has_every_figure_and_table_that_is_treated(key):
    page = sources.audit(key)
    for row in rows(key):
        kinds = {item.split()[0] for item in sources.numbered(row)}
        if kinds & {"Fig", "Table", "Illustration"} and "at" in row:
            assert sources.shown(row) in page


def test_a_table_of_a_source_stands_beside_ours_on_its_page():
    tables = sources.audited()[1]
    assert {table.source for table in tables} <= set(LISTED)
    for table in tables:
        headings = [section["heading"] for section in LISTED[table.source]["sections"]]
        assert sum(sources.begins(heading, table.section) for heading in headings) == 1, table
        assert sources.audit(table.source).count(sources.beside(table)) == 1
        assert all(len(row) == len(table.columns) for row in table.rows)


def test_the_audits_are_in_the_contents_and_on_the_map():
    toc, page = book.contents(set(), []), sources.page()
    for name in sources.audit_names():
        assert f"file: book/{name}" in toc
        assert f"({name}.md)" in page


def test_words_of_a_claim_are_shown_as_they_are():
    line = sources.entry("", "|z| > T_HOE", "2^20 * [0, 1]", "holds", "3")
    assert r"\|z\| \> T\_HOE | 2^20 \* \[0, 1\] | holds" in line


def test_a_heading_that_is_gone_is_noticed():
    with pytest.raises(KeyError, match="no-such-heading"):
        sources.line({"what": "x", "at": "3#no-such-heading"})
    with pytest.raises(ValueError, match="number must be that of a chapter, got 99"):
        sources.line({"what": "x", "at": "99#x"})


def test_sections_nest_and_code_has_no_headings():
    lines = ["# A", "a", "## B", "b", "```", "# no heading", "```", "### C", "c", "## B", "d"]
    found = sources.sections(lines)
    assert list(found) == ["a", "b", "c", "b-1"]
    assert found["a"].text == "\n".join(lines[1:])
    assert found["b"].text == "\n".join(lines[3:9])
    assert found["c"].text == "c"
    assert found["b-1"].text == "d"
