"""Write the pages about the five sources: where each section is treated, and the audit of each.

The map is made from `book/sources.toml`. An audit holds what a source claims, in its own order,
with what we find: rows that the last cells of the chapters compute (tag ``audit``,
`tables.claims`). A place such as ``3#clopper-pearson-cp`` is a heading of a chapter,
``errata#the-survey`` one of a page.
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
import notebooks

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "book" / "sources.toml"
KINDS = "Algorithm|Definition|Eq|Fig|Footnote|Illustration|Proposition|Table|Theorem"
HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*$")

SHOWN = re.compile(r"(Algorithm|Definition|Fig|Illustration|Proposition|Table|Theorem)s?\b")
HEAD = """# Where the sources are

Section by section, in the order of each text: where this book treats what it says, or why not.
What is numbered there keeps its number here. A place is a link; "not here" gives the reason.
What a text says and we found otherwise is on the page of [errata](errata.md). All that we checked
is in the audits: {audits}.
"""
AUDIT = """# Audit: {name}

What {{cite:t}}`{cite}` says, in its own order, beside what the chapters of this book find: {found}.
Every number in the third column is computed where the lesson is. A figure or table of the source is
made again there, too. [Errata](errata.md) has the slips alone, and [the map](sources.md) all
sections.
"""
OTHERS = """# Audit: other papers, and what people say

What chapters of this book say beyond the five sources, beside what they find: {found}. Every number
in the third column is computed where the lesson is.
"""
COLUMNS = "| No. | It says | We find | Verdict | Lesson |\n| --- | --- | --- | --- | --- |"


class Section(NamedTuple):
    """A heading of a chapter or page, and all that stands under it."""

    title: str
    text: str


class Judged(NamedTuple):
    """A claim of a source as a chapter has judged it; the number is what it has in the source."""

    source: str
    section: str
    number: str
    claim: str
    found: str
    verdict: str
    lesson: str


class Beside(NamedTuple):
    """A table of a source beside ours, under a section of it."""

    source: str
    section: str
    caption: str
    columns: list[str]
    rows: list[list[str]]


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
    if path.stem.startswith("audit_"):  # made here
        return sections(audit(path.stem.removeprefix("audit_")).splitlines())
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


def cells(text: str) -> tuple[str, list[str], list[list[str]]]:
    """Return caption, columns and rows of a table as it is stored.

    Examples
    --------
    >>> cells("A table\\na    b c\\n---  ---\\n1    2 3\\n     x")
    ('A table', ['a', 'b c'], [['1', '2 3'], ['', 'x']])
    """
    lines = text.splitlines()
    ruler = next(number for number, line in enumerate(lines) if re.fullmatch(r"-[- ]*", line))
    spans = [match.span() for match in re.finditer("-+", lines[ruler])]
    columns, *rows = (
        [line[slice(*span)].strip() for span in spans]
        for line in [lines[ruler - 1], *lines[ruler + 1 :]]
    )
    return "\n".join(lines[: ruler - 1]), columns, rows


@functools.cache
def audited() -> tuple[list[Judged], list[Beside]]:
    """Return what the last cells of the chapters have stored: claims, and tables beside ours.

    The caption of a table begins with the source, a section of it, and a colon.
    """
    claims, tables = [], []
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if notebooks.AUDIT not in cell.metadata.get("tags", []):
                continue
            for output in cell.outputs:
                caption, columns, rows = cells(output.data["text/plain"])
                if caption:
                    where, _, words = caption.partition(": ")
                    source, _, section = where.partition(", ")
                    tables.append(Beside(source, section, words, columns, rows))
                for source, where, *rest in [] if caption else rows:
                    section, _, number = where.partition(", ")
                    claims.append(Judged(source, section, number, *rest))
    return claims, tables


def judged() -> list[Judged]:
    """Return every claim that a chapter has judged."""
    return audited()[0]


def verdicts(rows: Iterable[Judged]) -> str:
    """Say how many claims hold and how many do not.

    Examples
    --------
    >>> row = Judged("survey", "5", "", "x", "y", "holds", "3")
    >>> verdicts([row, row, row._replace(verdict="only there")])
    'of 3 claims 2 hold, 0 fail, and 1 hold in part'
    """
    said = [row.verdict for row in rows]
    holds, fails = said.count("holds"), said.count("fails")
    part = len(said) - holds - fails
    return f"of {len(said)} claims {holds} hold, {fails} fail, and {part} hold in part"


def plain(words: Iterable[str]) -> list[str]:
    """Return words as Markdown that shows them as they are."""
    return [re.sub(r"([\\`*_$|<>\[\]~])", r"\\\1", word) for word in words]


def entry(*parts: str) -> str:
    """Return a row of an audit: words as they are, the last part a place."""
    *words, lesson = parts
    return f"| {' | '.join([*plain(words), link(lesson)])} |"


def beside(table: Beside) -> str:
    """Return a table of a source beside ours, folded."""
    lines = [table.columns, ["---"] * len(table.columns), *map(plain, table.rows)]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    caption = f"{table.caption[0].upper()}{table.caption[1:]}"
    return f"::::{{dropdown}} {caption}\n:::{{table}}\n\n{body}\n:::\n::::\n"


def begins(heading: str, words: str) -> bool:
    """Say whether a heading of a source begins with these words.

    Examples
    --------
    >>> begins("A Extension", "A"), begins("Abstract", "A"), begins("Validity.", "Validity")
    (True, False, True)
    """
    return f"{heading.rstrip('.')} ".startswith(f"{words} ")


def shown(row: dict[str, str]) -> str:
    """Return the row of an audit for a figure or table that a lesson makes again."""
    lesson = next(place for place in row["at"].split() if not place.startswith("audit_"))
    return entry(row["n"], row["what"], "", "", lesson)


def boxed(head: str, rows: Iterable[str], style: str) -> str:
    """Return a table of the site."""
    return "\n".join([":::{table}", f":class: {style}", "", head, *rows, ":::", ""])


def audit(key: str) -> str:
    """Return the audit of one source as Markdown; ``others`` is what else the chapters judge."""
    rows = [row for row in judged() if row.source == key]
    count = verdicts(rows)
    sections_: dict[str, list[str]] = {}
    folded: dict[str, list[str]] = {}
    if key == "others":
        for row in rows:
            made = sections_.setdefault(row.section, [])
            made.append(entry(row.number, row.claim, row.found, row.verdict, row.lesson))
        parts = [OTHERS.format(found=count)]
    else:
        source = listed()[key]
        for section in source["sections"]:
            made = sections_.setdefault(titled(section["heading"]), [])
            for item in section["rows"]:
                if SHOWN.match(item.get("n", "")) and "at" in item:
                    made.append(shown(item))
            for row in rows:
                if begins(section["heading"], row.section):
                    made.append(entry(row.number, row.claim, row.found, row.verdict, row.lesson))
            for table in audited()[1]:
                if table.source == key and begins(section["heading"], table.section):
                    folded.setdefault(titled(section["heading"]), []).append(beside(table))
        parts = [AUDIT.format(name=source["name"], cite=source["cite"], found=count)]
    for title, made in sections_.items():
        if made:
            parts.append(f"## {title}\n\n{boxed(COLUMNS, made, 'errlab-audit')}")
            parts += folded.get(title, [])
    return "\n".join(parts)


def audit_names() -> list[str]:
    """Return the names of the pages that audit a source; the last is for what else is judged."""
    return [f"audit_{key}" for key in [*listed(), "others"]]


def audits() -> dict[str, str]:
    """Return every audit by the name of its page."""
    return {name: audit(name.removeprefix("audit_")) for name in audit_names()}


def titled(heading: str) -> str:
    """Return a heading of a source as one of ours.

    Examples
    --------
    >>> titled("NUMERICAL EXAMPLES"), titled("2.1 Normal Approximation")
    ('Numerical examples', '2.1 Normal Approximation')
    """
    title = heading.rstrip(".")
    return title.capitalize() if title.isupper() else title


def page() -> str:
    """Return the map as Markdown."""
    known = {key: source["name"] for key, source in listed().items()} | {"others": "other papers"}
    names = ", ".join(f"[{name}](audit_{key}.md)" for key, name in known.items())
    parts = [HEAD.format(audits=names)]
    for source in listed().values():
        parts.append(f"## {source['name']}\n\n{{cite:p}}`{source['cite']}`\n")
        for section in source["sections"]:
            rows = [line(row) for row in section["rows"]]
            head = "| Number | Subject | Where |\n| --- | --- | --- |"
            parts.append(
                f"### {titled(section['heading'])}\n\n{boxed(head, rows, 'errlab-sources')}"
            )
    return "\n".join(parts)


if __name__ == "__main__":
    print(page(), *audits().values(), sep="\n")
