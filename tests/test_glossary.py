"""The glossary: each entry links to a page or section that contains the term."""

import re
from pathlib import Path

import nbformat

BOOK = Path(__file__).parent.parent / "book"
OTHER = re.compile(r"(?:Also|Such as): ([^.]*)\.|See \*(.*)\*\.")


def slug(title):
    """Return the anchor of a heading."""
    return re.sub(r"[^\w-]", "", title.strip().lower().replace(" ", "-"))


def lesson(page, anchor):
    """Return the text of a page without its exercises, or of the section at the anchor."""
    text = (BOOK / page).read_text("utf-8")
    if page.endswith(".ipynb"):
        cells = nbformat.reads(text, 4).cells
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    if not anchor:
        return text.split("\n## Exercises")[0]
    sections = re.split(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return dict(zip(map(slug, sections[1::2]), sections[2::2], strict=True))[anchor]


def test_entries_stand_in_order_and_lead_to_a_page_that_contains_the_term():
    listed = (BOOK / "glossary.md").read_text("utf-8").split("```{glossary}\n")[1].split("```")[0]
    entries = [entry.partition("\n")[::2] for entry in listed.strip().split("\n\n")]
    terms = [term.lower() for term, _ in entries]
    assert terms == sorted(terms)
    for term, words in entries:
        page, _, anchor = re.search(r"\]\((\S+)\)\.$", words)[1].partition("#")
        if (BOOK / page).exists():  # or else a fork has taken it out
            other = OTHER.search(" ".join(words.split()))
            names = [term, *((other[1] or other[2]).split(", ") if other else [])]
            text = " ".join(lesson(page, anchor).split())
            pattern = rf"(?<![\w-])({'|'.join(map(re.escape, names))})"
            assert re.search(pattern, text, re.IGNORECASE), term
