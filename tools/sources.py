"""Write the page that says, section by section, where each of the five sources is treated.

It is made from `book/sources.toml`. A place such as ``3#clopper-pearson-cp`` is a heading of a
chapter, ``errata#the-survey`` one of a page.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import nbformat

import course

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "book" / "sources.toml"
KINDS = "Algorithm|Definition|Eq|Fig|Footnote|Illustration|Proposition|Table|Theorem"
HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*$")

HEAD = """# Where the sources are

Section by section, in the order of each text: where this book treats what it says, or why not.
What is numbered there keeps its number here. A place is a link; "not here" gives the reason.
What a text says and we found otherwise is on the page of [errata](errata.md).
"""


class Section(NamedTuple):
    """A heading of a chapter or page, and all that stands under it."""

    title: str
    text: str


class Place(NamedTuple):
    """Where an item is treated: a page of the book and the anchor of a heading (or none)."""

    page: str
    anchor: str


def listed() -> dict[str, dict[str, Any]]:
    """Return the sources with their sections, as `book/sources.toml` lists them."""
    with LIST.open("rb") as stream:
        return tomllib.load(stream)


def anchor(title: str) -> str:
    """Return the anchor of a heading: what stands behind the # of a link to it.

    Examples
    --------
    >>> anchor("Wilson's score bound (WIL)")
    'wilsons-score-bound-wil'
    """
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def sections(lines: Iterable[str]) -> dict[str, Section]:
    """Return what stands under each heading of a page, by its anchor; inner headings included."""
    found: dict[str, tuple[int, str, list[str]]] = {}
    fenced = False
    for line in lines:
        fenced ^= line.lstrip().startswith("```")
        match = None if fenced else HEADING.match(line)
        if match:  # what is as deep, or deeper, ends here
            level = len(match.group(1))
            found = {n: (d if d < level else 0, t, x) for n, (d, t, x) in found.items()}
        for depth, _, text in found.values():
            if depth:
                text.append(line)
        if match:
            title = match.group(2)
            name = anchor(title)
            number = 1
            while name in found:
                name = f"{anchor(title)}-{number}"
                number = number + 1
            found[name] = (level, title, [])
    return {name: Section(title, "\n".join(text)) for name, (_, title, text) in found.items()}


def chapter(number: int) -> Path:
    """Return the notebook with this number."""
    paths = sorted((ROOT / "notebooks").glob(f"{number:02}_*.ipynb"))
    if len(paths) != 1:
        raise ValueError(f"number must be that of a chapter, got {number}")
    return paths[0]


def place(written: str) -> Place:
    """Return the page and the anchor of a place such as ``3#claim`` or ``errata``."""
    page, _, name = written.partition("#")
    path = chapter(int(page)) if page.isdigit() else ROOT / "book" / f"{page}.md"
    return Place(path.relative_to(ROOT).as_posix(), name)


@functools.cache
def read(page: str) -> dict[str, Section]:
    """Return the sections of a notebook (its text and its code) or of a page."""
    path = ROOT / page
    if path.suffix == ".md":
        return sections(path.read_text("utf-8").splitlines())
    lines: list[str] = []
    for cell in nbformat.read(path, as_version=4).cells:
        fence = [] if cell.cell_type == "markdown" else ["```"]
        lines += [*fence, *cell.source.splitlines(), *fence, ""]
    return sections(lines)


def numbered(row: dict[str, str]) -> list[str]:
    """Return the numbered items of a row, each with its kind.

    Examples
    --------
    >>> numbered({"n": "Eqs. 2, 4, Footnote 1"})
    ['Eq 2', 'Eq 4', 'Footnote 1']
    """
    found = []
    kind = ""
    for word in re.split(r",\s*|\s+", row.get("n", "")):
        name = re.fullmatch(rf"({KINDS})s?\.?", word)
        if name:
            kind = name.group(1)
        elif word:
            found.append(f"{kind} {word}")
    return found


def link(written: str) -> str:
    """Return the Markdown link to a place."""
    page, name = place(written)
    known = read(page)
    number = course.number(Path(page).stem) if page.startswith("notebooks/") else None
    title = known[name].title if name else next(iter(known.values())).title
    label = f"{number}. {title}" if number else title
    label = f"Errata: {title}" if page == "book/errata.md" else label
    return f"[{label}](../{page}{'#' if name else ''}{name})"


def line(row: dict[str, str]) -> str:
    """Return a row of the table."""
    where = "; ".join(link(p) for p in row.get("at", "").split())
    reason = row.get("out", "")
    without = ("; not here: " if where else "not here: ") + reason if reason else ""
    return f"| {row.get('n', '')} | {row['what']} | {where}{without} |"


def page() -> str:
    """Return the page as Markdown."""
    parts = [HEAD]
    for source in listed().values():
        parts.append(f"## {source['name']}\n\n{{cite:p}}`{source['cite']}`\n")
        for section in source["sections"]:
            rows = [line(row) for row in section["rows"]]
            title = section["heading"].rstrip(".")
            title = title.capitalize() if title.isupper() else title
            table = "\n".join(["| Number | Subject | Where |", "| --- | --- | --- |", *rows])
            options = ":class: errlab-sources"
            parts.append(f"### {title}\n\n:::{{table}}\n{options}\n\n{table}\n:::\n")
    return "\n".join(parts)


if __name__ == "__main__":
    print(page())
