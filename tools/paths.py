"""Ways through the book, from `_course.toml`, and how long they take, from the chapters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import course
from errlab.book import quiz

ROOT = Path(__file__).resolve().parent.parent
MARK = "% reading paths\n"  # in book/intro.md, where the table goes
WORDS = 150  # a minute
FIGURE = 1  # minutes each, as those below
EXPLORER = 3
EXERCISE = 6
QUESTION = 1
NOT_PROSE = re.compile(r"```.*?```|\$\$.*?\$\$|\$[^$]*\$|\{cite:\w+\}`[^`]*`|^\|.*$", re.S | re.M)


def chapters() -> dict[int, Path]:
    """Return the notebooks of the book by their number."""
    return {n: ROOT / "notebooks" / f"{stem}.ipynb" for stem, n in course.numbers().items()}


def _cells(path: Path) -> list[tuple[str, str, list[str]]]:
    """Return kind, source and tags of each cell."""
    cells: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    return [
        (c["cell_type"], "".join(c["source"]), c.get("metadata", {}).get("tags", [])) for c in cells
    ]


def minutes(path: Path) -> float:
    """Return how long a chapter takes: words, figures, explorers and labs, exercises, quiz."""
    total = 0.0
    for kind, source, tags in _cells(path):
        if kind == "markdown":
            total += len(NOT_PROSE.sub(" ", source).split()) / WORDS
        elif "solution" not in tags:
            total += FIGURE * len(re.findall(r"^show\(", source, re.M))
            total += EXPLORER * len(re.findall(r"^explore\(|^labs\.[A-Z]\w+\(", source, re.M))
            total += EXERCISE * len(re.findall(r"^exercises\.check\(", source, re.M))
            for name in re.findall(r'quiz\.load\("(\w+)"\)', source):
                total += QUESTION * len(quiz.load(name).questions)
            for said in re.findall(r"say\((.*)\)\s*\Z", source, re.S):
                total += len(re.sub(r"\{[^{}]*\}", "1", said).split()) / WORDS
    return total


def stated(path: Path) -> int:
    """Return the minutes that a chapter says it takes."""
    found = re.search(r"\*Time: (\d+) minutes", "\n".join(cell[1] for cell in _cells(path)))
    if found is None:
        raise ValueError(f"path must be that of a chapter that says its time, got {path.name}")
    return int(found.group(1))


def time(path: Path) -> int:
    """Return the minutes that a chapter says it takes; where it says none, those computed."""
    try:
        return stated(path)
    except ValueError:
        return max(5, 5 * round(minutes(path) / 5))


def title(path: Path) -> str:
    """Return the title of a chapter, with its number."""
    first = next(source for kind, source, _ in _cells(path) if kind == "markdown")
    return f"{course.number(path.stem)}. {first.splitlines()[0].removeprefix('# ')}"


def titles(paths: Iterable[Path]) -> dict[str, str]:
    """Return the titles of chapters by their names."""
    return {path.stem: title(path) for path in paths}


def ways() -> dict[str, list[Path]]:
    """Return the chapters of each way, of those that are in the book."""
    known = course.read()
    lines = course.chapters(known)
    found = {}
    taught = len({str(c["week"]) for c in lines if "week" in c} & set(known.get("weeks", {})))
    words = course.COUNTS[taught] if taught < len(course.COUNTS) else str(taught)
    for way in known.get("way", []):
        wanted = way["chapters"]
        stems = [
            c["name"]
            for c in lines
            if wanted == "all"
            or (wanted == "weeks" and "week" in c)
            or (isinstance(wanted, list) and int(c["name"][:2]) in wanted)
        ]
        if stems:
            name = way["you"].format(weeks=words)
            found[name] = [ROOT / "notebooks" / f"{stem}.ipynb" for stem in stems]
    return found


def hours(total: int) -> str:
    """Return a time in words.

    Examples
    --------
    >>> hours(45), hours(60), hours(200)
    ('45 minutes', '1 hour', '3½ hours')
    """
    if total < 60:
        return f"{total} minutes"
    whole, half = divmod(round(total / 30), 2)
    return "1 hour" if (whole, half) == (1, 0) else f"{whole}{'½' if half else ''} hours"


def table() -> str:
    """Return the table of paths as Markdown."""
    rows = ["| You | Chapters | Time |", "| --- | --- | --- |"]
    for name, way in ways().items():
        links = ", ".join(f"[{course.number(p.stem)}](../notebooks/{p.name})" for p in way)
        rows.append(f"| {name} | {links} | {hours(sum(map(time, way)))} |")
    return "\n".join(rows) + "\n"
