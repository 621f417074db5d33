"""What `_course.toml` says, and all that follows from it.

``python tools/course.py`` writes title, author, addresses and language into `_config.yml`, and the
contents into `_toc.yml`; `tools/book.py` does so before it builds. The map, the weeks and the
numbers of the chapters are made when the pages are laid out. A chapter has the number of its place
in the course; the two figures before its name only tell its files, and its exercises in Python.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NAME = "_course.toml"
MAP = "% the map\n"
WEEKS = "% the weeks\n"  # where the tables go, in book/
DEEPER = "{{deeper}}"
STEM = re.compile(r"(\d\d)_\w+")
PLACES = {  # where a setting stands in _config.yml
    "title": ("title",),
    "author": ("author",),
    "copyright": ("copyright",),
    "language": ("sphinx", "config", "language"),
    "description": ("course", "description"),
    "repository": ("repository", "url"),
    "branch": ("repository", "branch"),
    "site": ("html", "baseurl"),
    "install": ("course", "install"),
    "student_repository": ("course", "student_repository"),
}
FIRST = "# Made from _course.toml by tools/course.py: change it there.\n"
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
LINK = r"\[([^\[\]]*)\]\(((?:[./]*(?:notebooks/)?)(\d\d)_\w+\.ipynb(?:#[\w-]*)?)\)"
SAID = r"\b([Cc]hapters?)\s+(\d+(?:(?:,\s+|\s+and\s+|,\s+and\s+|\s+to\s+|\s+or\s+)\d+)*)"


def read(root: Path = ROOT) -> dict[str, Any]:
    """Return what the course file says.

    Raises
    ------
    ValueError
        If a setting is unknown, a chapter is listed twice, or its name is none.
    """
    return _parsed((root / NAME).read_text("utf-8"))


@cache
def _parsed(text: str) -> dict[str, Any]:
    """Return what the text of a course file says, checked; nobody changes it."""
    known = tomllib.loads(text)
    unknown = set(known) - {*PLACES, "part", "way", "weeks"}
    if unknown:
        raise ValueError(f"{NAME} must hold settings that are known, got {sorted(unknown)}")
    listed = [chapter["name"] for chapter in chapters(known)]
    for stem in listed:
        if not STEM.fullmatch(stem):
            raise ValueError(f"{NAME}: a chapter's name must be like 07_name, got {stem!r}")
        if listed.count(stem) > 1:
            raise ValueError(f"{NAME} must list each chapter once, got {stem!r} twice")
    return known


def chapters(known: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the lines of the chapters, in order."""
    return [chapter for part in known["part"] for chapter in part.get("chapters", [])]


def stems(root: Path = ROOT) -> list[str]:
    """Return the names of the chapters in the book, in order."""
    return [chapter["name"] for chapter in chapters(read(root))]


def numbers(root: Path = ROOT) -> dict[str, int]:
    """Return the number of each chapter by its name."""
    return {stem: place for place, stem in enumerate(stems(root), 1)}


def number(stem: str) -> int:
    """Return the number of a chapter; of one that is not in the book, that of its file."""
    return numbers().get(original(stem), int(stem[:2]))


def original(stem: str, root: Path = ROOT) -> str:
    """Return the chapter that a translation is one of; any other name as it is."""
    return next((one for one, _, other in translations(root) if other == stem), stem)


def translations(root: Path = ROOT) -> list[tuple[str, str, str]]:
    """Return chapter, language and the translation's own name, of each translation."""
    return [
        (chapter["name"], code, f"{chapter['name']}_{code}")
        for chapter in chapters(read(root))
        for code in chapter.get("also", [])
    ]


def deeper() -> list[int]:
    """Return the numbers of the chapters that go deeper than the rest."""
    return [number(chapter["name"]) for chapter in chapters(read()) if chapter.get("deeper")]


def contents(known: Mapping[str, Any]) -> str:
    """Return `_toc.yml`."""
    lines = [FIRST + "format: jb-book", "root: book/intro", "parts:"]
    for part in known["part"]:
        files = []
        for chapter in part.get("chapters", []):
            name = chapter["name"]
            files.append(f"      - file: notebooks/{name}")
            also = [f"          - file: notebooks/{c}/{name}_{c}" for c in chapter.get("also", [])]
            files += ["        sections:", *also] if also else []
        files += [f"      - file: book/{page}" for page in part.get("pages", [])]
        if files:
            lines += [f"  - caption: {_quoted(part['title'])}", "    chapters:", *files]
    return "\n".join([*lines, ""])


def configured(text: str, known: Mapping[str, Any]) -> str:
    """Return the text of `_config.yml` with what the course file sets; the rest stays.

    Raises
    ------
    ValueError
        If there is no such line in `_config.yml`.
    """
    for name, place in PLACES.items():
        if name in known:
            text = _put(text, place, str(known[name]))
    return text


def _put(text: str, place: tuple[str, ...], value: str) -> str:
    """Set one value in a text of YAML; comments and all other lines stay."""
    lines = text.splitlines()
    path = []
    found = -1
    for i, line in enumerate(lines):
        match = re.match(r"( *)(\w+):", line)
        if match:
            depth = len(match.group(1)) // 2
            path = [*path[:depth], match.group(2)]
            if tuple(path) == place:
                found = i
                break
    if found < 0:
        raise ValueError(f"_config.yml must have a line for {'.'.join(place)}, got none")
    head = re.match(r" *\w+:", lines[found])
    comment = re.search(r"\s+#[^\"]*$", lines[found])
    indent = len(lines[found]) - len(lines[found].lstrip())
    after = found + 1
    while after < len(lines) and len(lines[after]) - len(lines[after].lstrip()) > indent:
        after += 1  # the further lines of a folded text
    new = f"{head.group() if head else ''} {_quoted(value)}{comment.group() if comment else ''}"
    return "\n".join([*lines[:found], new, *lines[after:], ""])


def _quoted(text: str) -> str:
    plain = re.fullmatch(r"[A-Za-z][A-Za-z ?]*", text)
    return text if plain else json.dumps(text, ensure_ascii=False)  # which YAML reads as well


def write(root: Path = ROOT) -> list[str]:
    """Write what follows from the course file; return the names of the files that changed."""
    known = read(root)
    config = root / "_config.yml"
    wanted = {
        config: configured(config.read_text("utf-8"), known),
        root / "_toc.yml": contents(known),
    }
    changed = [p for p, text in wanted.items() if not p.exists() or p.read_text("utf-8") != text]
    for path in changed:
        path.write_text(wanted[path], "utf-8")
    return [path.name for path in changed]


def course_map(titles: Mapping[str, str]) -> str:
    """Return the rows of the map: each question, and where it is answered.

    Parameters
    ----------
    titles : dict
        Title of each chapter, with its number, by its name.
    """
    rows: dict[str, list[str]] = {}
    for chapter in chapters(read()):
        if chapter["name"] in titles and chapter.get("asks"):
            link = f"[{titles[chapter['name']]}](../notebooks/{chapter['name']}.ipynb)"
            mark = " (deeper)" if chapter.get("deeper") else ""
            rows.setdefault(chapter["asks"], []).append(link + mark)
    return "".join(f"| {asks} | {', '.join(links)} |\n" for asks, links in rows.items())


def weeks(titles: Mapping[str, str]) -> str:
    """Return the table of weeks; a week without a chapter is none."""
    known = read()
    lines = ["| Week | Chapters | Students can afterwards |", "| --- | --- | --- |"]
    for week, can in known.get("weeks", {}).items():
        inside = [c["name"] for c in chapters(known) if str(c.get("week")) == week]
        links = [f"[{number(s)}](../notebooks/{s}.ipynb)" for s in inside if s in titles]
        if links:
            lines.append(f"| {len(lines) - 1} | {', '.join(links)} | {can} |")
    return "\n".join(lines) + "\n" if len(lines) > 2 else ""


def deeper_words(of: Iterable[int]) -> str:
    """Say which chapters can wait.

    Examples
    --------
    >>> deeper_words([5, 6, 9])
    'Three chapters go deeper and can wait: 5, 6 and 9.'
    >>> deeper_words([])
    ''
    """
    found = [str(n) for n in of]
    if not found:
        return ""
    if len(found) == 1:
        return f"Chapter {found[0]} goes deeper and can wait."
    some = COUNTS[len(found)].capitalize() if len(found) < len(COUNTS) else str(len(found))
    return f"{some} chapters go deeper and can wait: {', '.join(found[:-1])} and {found[-1]}."


def renumbered(text: str, stem: str = "", root: Path = ROOT) -> str:
    """Give each chapter that a text names, by the number of its file, the number of its place.

    Where the book is whole nothing changes. A chapter that is not in the book is named by what its
    file is called.

    Parameters
    ----------
    text : str
        A page, or the text of a notebook.
    stem : str
        The chapter itself: its exercises are named by its number, too.
    """
    found = numbers(root)
    known = {int(name[:2]): str(place) for name, place in found.items()}
    if all(str(own) == place for own, place in known.items()) and _consecutive(root, known):
        return text
    files = {int(path.name[:2]): path.stem for path in (root / "notebooks").glob("??_*.ipynb")}

    def place(own: str) -> str:
        n = int(own)
        if n in known:
            return known[n]
        return f"\u201c{files[n][3:].replace('_', ' ')}\u201d" if n in files else own

    def between(match: re.Match[str]) -> str:
        first = int(match.group(1))
        last = int(match.group(2))
        inside = [known[n] for n in range(first, last + 1) if n in known]
        return f"{inside[0]} to {inside[-1]}" if inside else match.group()

    def placed(listed: str) -> str:
        if " to " in listed:
            return re.sub(r"(\d+)\s+to\s+(\d+)", between, listed)
        return re.sub(r"\d+", lambda m: place(m.group()), listed)

    def replaced(match: re.Match[str]) -> str:
        label, target, own, said, listed = match.groups()
        if target is None:
            return f"{said} {placed(listed)}"
        n = str(int(own))
        new = re.sub(rf"^((?:[Cc]hapter )?){n}(?=\.|$)", lambda m: m.group(1) + place(n), label)
        return f"[{new}]({target})"

    text = re.sub(f"{LINK}|{SAID}", replaced, text)
    stem = original(stem, root)
    if stem in found and found[stem] != int(stem[:2]):
        before = r"\*\*|[Ee]xercises? |answer (?:to )?|(?<=\.\d) and "
        text = re.sub(rf"({before}){int(stem[:2])}\.(?=\d)", rf"\g<1>{found[stem]}.", text)
    return text


def _consecutive(root: Path, known: Mapping[int, str]) -> bool:
    """Say whether the book holds every chapter that there is a file of."""
    return {int(path.name[:2]) for path in (root / "notebooks").glob("??_*.ipynb")} == set(known)


def main() -> int:
    """Write what follows, and say what has changed."""
    print(", ".join(write()) or "nothing to change")
    return 0


if __name__ == "__main__":
    sys.exit(main())
