"""The map of the five sources is complete, and each row links to an existing section."""

import re
from functools import cache
from pathlib import Path

import nbformat

ROOT = Path(__file__).parents[1]
BOOK = ROOT / "book"
# numbered items of each text, and those without a number; "Eq 51" stands for Eqs. 1 to 51
ITEMS = {
    "anguita2012survey": "Eq 51, Fig 20, Table 1, Footnote 4",
    "larsen1995empirical": "Eq 9, Fig 1, Table 1, Footnote 14",
    "laber2008small": "Proposition 1, Fig 1, Table 5, Footnote 4",
    "lecturenotes": "Definition 1.3, Table 5.2, Table 5.3, Table 5.4, Fig 5.15, Algorithm 1.1, "
    "Theorem 6.5.1",
    "hardt2025holdout": "Proposition 2, Illustration 4",
}


def rows():
    """Source, section and cells of each row of the map."""
    source = section = ""
    for line in (BOOK / "sources.md").read_text("utf-8").splitlines():
        source = line[9:-1] if line.startswith("{cite:p}") else source
        section = line[4:] if line.startswith("### ") else section
        if line.startswith("|") and not line.startswith(("| Number", "| ---")):
            yield source, section, [cell.strip() for cell in line[1:-1].split(" | ")]


@cache
def sections(page):
    """The anchors of a page's headings."""
    text = page.read_text("utf-8")
    if page.suffix == ".ipynb":
        cells = nbformat.reads(text, as_version=4).cells
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    heads = re.findall(r"^#+ +(.+?) *$", re.sub(r"```.*?```", "", text, flags=re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in heads}


def test_each_row_of_the_map_has_a_place_that_is_there_or_a_reason():
    for source, section, (_, subject, where, out) in rows():
        places = re.findall(r"\]\(([^)#]+)#?([^)]*)\)", where)
        assert places or len(out) > 15, f"{source}, {section}: {subject}"
        for path, anchor in places:
            page = (BOOK / path).resolve()
            assert anchor in sections(page) if anchor else page.exists(), f"{path}#{anchor}"


def test_each_numbered_item_of_a_source_has_one_row():
    for source, items in ITEMS.items():
        listed, kind = [], ""
        for word in " ".join(c[0] for s, _, c in rows() if s == source).replace(",", " ").split():
            if word[0].isalpha():
                kind = word.rstrip("s.")
            else:
                listed.append((kind, word))
        wanted = []
        for kind, last in (item.split() for item in items.split(", ")):
            numbers = [last] if "." in last else map(str, range(1, int(last) + 1))
            wanted += [(kind, number) for number in numbers]
        assert sorted(listed) == sorted(wanted), source
