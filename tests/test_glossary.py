"""The glossary: each entry links to a page or section that contains the term."""

import json
import re
from pathlib import Path

import pytest

BOOK = Path(__file__).parent.parent / "book"
LIST = (BOOK / "glossary.md").read_text("utf-8").split("```{glossary}\n")[1].split("```")[0]
ENTRIES = [entry.partition("\n") for entry in LIST.strip().split("\n\n")]
OTHER = re.compile(r"(?:Also|Such as): ([^.]*)\.|See \*(.*)\*\.")


def slug(title):
    """Return the anchor of a heading."""
    return re.sub(r"[^\w-]", "", title.strip().lower().replace(" ", "-"))


def lesson(page, anchor):
    """Return the text of a page without its exercises, or of the section at the anchor."""
    text = (BOOK / page).read_text("utf-8")
    if page.endswith(".ipynb"):
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells)
    if not anchor:
        return text.split("\n## Exercises")[0]
    sections = re.split(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return dict(zip(map(slug, sections[1::2]), sections[2::2], strict=True))[anchor]


@pytest.mark.parametrize(
    ("term", "words"), [(e[0], e[2]) for e in ENTRIES], ids=[e[0] for e in ENTRIES]
)
def test_the_page_that_an_entry_leads_to_contains_the_term(term, words):
    page, _, anchor = re.search(r"\]\((\S+)\)\.$", words)[1].partition("#")
    if not (BOOK / page).exists():
        pytest.skip("a fork has taken it out")
    message = OTHER.search(" ".join(words.split()))
    names = [term, *((message[1] or message[2]).split(", ") if message else [])]
    text = " ".join(lesson(page, anchor).split())
    assert any(re.search(rf"(?<![\w-]){re.escape(name)}", text, re.IGNORECASE) for name in names)


def test_entries_stand_in_order():
    terms = [entry[0].lower() for entry in ENTRIES]
    assert terms == sorted(terms)
