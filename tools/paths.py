"""Ways through the book, and how long they take: computed from the chapters."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from errlab.book import quiz

ROOT = Path(__file__).resolve().parent.parent
MARK = "% reading paths\n"  # in book/intro.md, where the table goes
DEEPER = (5, 6, 9, 10)
PATHS = (
    ("I am in a hurry", (1, 3, 11, 14)),
    ("I have one data set for everything", (1, 3, 7, 8)),
    ("I work with language models", (1, 2, 3, 11, 12, 14, 15)),
    ("First time through, without what goes deeper", (1, 2, 3, 4, 7, 8, 11, 12, 13, 14)),
    ("A course of seven weeks, two chapters each", tuple(range(1, 15))),
    ("All of it", tuple(range(1, 17))),
)
WORDS, FIGURE, EXPLORER, EXERCISE, QUESTION = 150, 1, 3, 6, 1  # a minute; minutes each
NOT_PROSE = re.compile(r"```.*?```|\$\$.*?\$\$|\$[^$]*\$|\{cite:\w+\}`[^`]*`|^\|.*$", re.S | re.M)


def chapters() -> dict[int, Path]:
    """Return the notebooks by their number."""
    return {int(path.name[:2]): path for path in sorted((ROOT / "notebooks").glob("??_*.ipynb"))}


def _cells(path: Path) -> list[tuple[str, str, list[str]]]:
    """Return kind, source and tags of each cell."""
    cells: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    return [
        (c["cell_type"], "".join(c["source"]), c.get("metadata", {}).get("tags", [])) for c in cells
    ]


def minutes(path: Path) -> float:
    """Return how long a chapter takes: words, figures, explorers and labs, exercises, quiz."""
    time = float(QUESTION * len(quiz.load(path.stem).questions))
    for kind, source, tags in _cells(path):
        if kind == "markdown":
            time += len(NOT_PROSE.sub(" ", source).split()) / WORDS
        elif "solution" not in tags:
            time += FIGURE * len(re.findall(r"^show\(", source, re.M))
            time += EXPLORER * len(re.findall(r"^explore\(|^labs\.[A-Z]\w+\(", source, re.M))
            time += EXERCISE * len(re.findall(r"^exercises\.check\(", source, re.M))
            for said in re.findall(r"say\((.*)\)\s*\Z", source, re.S):
                time += len(re.sub(r"\{[^{}]*\}", "1", said).split()) / WORDS
    return time


def stated(path: Path) -> int:
    """Return the minutes that a chapter says it takes."""
    found = re.search(r"\*Time: (\d+) minutes", _cells(path)[0][1])
    if found is None:
        raise ValueError(f"path must be that of a chapter that says its time, got {path.name}")
    return int(found.group(1))


def title(path: Path) -> str:
    """Return the title of a chapter, with its number."""
    return f"{int(path.name[:2])}. {_cells(path)[0][1].splitlines()[0].removeprefix('# ')}"


def hours(total: int) -> str:
    """Return a time in words.

    Examples
    --------
    >>> hours(45), hours(200)
    ('45 minutes', '3½ hours')
    """
    if total < 60:
        return f"{total} minutes"
    whole, half = divmod(round(total / 30), 2)
    return f"{whole}{'½' if half else ''} hours"


def table() -> str:
    """Return the table of paths as Markdown."""
    known = chapters()
    rows = ["| You | Chapters | Time |", "| --- | --- | --- |"]
    for name, numbers in PATHS:
        links = ", ".join(f"[{n}](../notebooks/{known[n].name})" for n in numbers)
        rows.append(f"| {name} | {links} | {hours(sum(stated(known[n]) for n in numbers))} |")
    return "\n".join(rows) + "\n"
