"""Editions of the book: what a reader, a student and an instructor get from one set of notebooks.

``reader``      solutions are folded under each exercise (the published site)
``student``     no solutions at all
``instructor``  solutions open, teaching notes after each chapter, slides
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import nbformat

EDITIONS = ("reader", "student", "instructor")
NOTES = Path(__file__).resolve().parent.parent / "book" / "teaching.toml"


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

[Slides of this chapter](../slides/{stem}.html)
"""


def edit(notebook: nbformat.NotebookNode, stem: str, edition: str) -> nbformat.NotebookNode:
    """Return the executed notebook as this edition shows it."""
    cells = []
    for cell in notebook.cells:
        tags = cell.metadata.get("tags", [])
        if "solution" in tags:
            if edition == "student":
                continue
            if edition == "instructor":
                cell.metadata["tags"] = [tag for tag in tags if tag != "hide-cell"]
        cells.append(cell)
    if edition == "instructor" and (text := notes(stem)):
        cell = nbformat.v4.new_markdown_cell(text)
        cell.id = "teaching-notes"
        cells.append(cell)
    notebook.cells = cells
    return notebook
