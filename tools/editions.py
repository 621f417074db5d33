"""Editions of the book: what a reader, a student and an instructor get from one set of notebooks.

``reader``      solutions are folded under each exercise (the published site)
``student``     no solutions at all, and notebooks to hand out (`handout`)
``instructor``  solutions open, teaching notes after each chapter, slides
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import nbformat

import course
import handout
import notebooks
from errlab.book import words

EDITIONS = ("reader", "student", "instructor")
BOOK = Path(__file__).resolve().parent.parent / "book"
NOTES = BOOK / "teaching.toml"
GLOSSARY = BOOK / "glossary.md"


UNANSWERED = re.compile(r'exercises\.check\("[\d.]+", \.\.\.\)')
SOURCE = {
    "code_prompt_show": "Show code cell source",
    "code_prompt_hide": "Hide code cell source",
}
SOLUTION = {"code_prompt_show": "Solution", "code_prompt_hide": "Hide the solution"}


def prompts(of: dict[str, str], code: str) -> dict[str, str]:
    """Return what opens and closes a folded cell, in a language."""
    return {name: words.said(text, code) for name, text in of.items()}


def notes(stem: str) -> str:
    """Return the teaching notes of a chapter as Markdown, or nothing."""
    with NOTES.open("rb") as stream:
        entry = tomllib.load(stream).get(stem)
    if entry is None:
        return ""
    plan = "\n".join(f"| {step['minutes']} | {step['what']} |" for step in entry["plan"])
    total = sum(step["minutes"] for step in entry["plan"])
    traps = "\n".join(f"- {trap}" for trap in entry["traps"])
    return f"""## Teaching notes

**In class, {total} minutes**

| Minutes | What |
| --- | --- |
{plan}

**What students get wrong**

{traps}

**To discuss.** {entry["discuss"]}

<a href="../slides/{stem}.html">Slides of this chapter</a>
"""


PROTECTED = re.compile(
    r"```.*?```|\$\$.*?\$\$|\$[^$\n]*\$|\{[\w:]+\}`[^`]*`|`[^`]*`|\[[^\]]*\]\([^)]*\)"
    r"|^#.*?$|^\|.*?$|<summary>.*?</summary>|<[^>]*>",
    re.DOTALL | re.MULTILINE,
)


def glossary() -> list[str]:
    """Return the terms of the glossary, the longest first."""
    body = GLOSSARY.read_text("utf-8").split("```{glossary}\n")[1].split("```")[0]
    terms = [line for line in body.splitlines() if line and not line.startswith(" ")]
    return sorted(terms, key=len, reverse=True)


def link_terms(text: str, terms: list[str]) -> str:
    """Link the first use of each term to the glossary, and take it from `terms`."""
    for term in list(terms):
        spans = [match.span() for match in PROTECTED.finditer(text)]
        for match in re.finditer(rf"(?<![\w-]){re.escape(term)}(?![\w-])", text, re.IGNORECASE):
            start, end = match.span()
            if not any(a < end and start < b for a, b in spans):
                text = f"{text[:start]}{{term}}`{match.group()} <{term}>`{text[end:]}"
                terms.remove(term)
                break
    return text


def edit(
    notebook: nbformat.NotebookNode, stem: str, edition: str, languages: str = ""
) -> nbformat.NotebookNode:
    """Return the executed notebook as this edition shows it.

    Under its title stands the line that leads to its other languages, where there are any.
    """
    cells = []
    code = next((code for _, code, other in course.translations() if other == stem), "en")
    terms = glossary() if code == "en" else []
    if course.STEM.fullmatch(stem):  # in the title, and so in the sidebar and in bare links
        first = next(cell for cell in notebook.cells if cell.cell_type == "markdown")
        first.source = re.sub(r"^# ", f"# {course.number(stem)}. ", first.source)
        if languages:
            first.source = first.source.replace("\n", f"\n\n{languages}\n", 1)
    for cell in notebooks.lesson(notebook):
        if cell.cell_type == "markdown":
            if edition == "student":
                cell.source = handout.FOLDED.sub("There are two hints for each.", cell.source)
            cell.source = link_terms(cell.source, terms)
        tags = cell.metadata.get("tags", [])
        if code != "en" and "hide-input" in tags:
            cell.metadata["mystnb"] = prompts(SOURCE, code)
        if UNANSWERED.fullmatch(cell.source):
            cell.metadata["tags"] = [*tags, "remove-input"]  # the field says it
        if "solution" in tags:
            if edition == "student":
                continue
            cell.metadata["mystnb"] = prompts(SOLUTION, code)
            if edition == "instructor":
                cell.metadata["tags"] = [tag for tag in tags if tag != "hide-cell"]
        cells.append(cell)
    if edition == "instructor" and (text := notes(stem)):
        cell = nbformat.v4.new_markdown_cell(text)
        cell.id = "teaching-notes"
        cells.append(cell)
    notebook.cells = cells
    return notebook
