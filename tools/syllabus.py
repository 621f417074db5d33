"""The weeks of a course and its marks, for `book/syllabus.md`.

Weeks and chapters are those of `_course.toml`, minutes in class those of the teaching notes, time
at home is what the chapters state. What is handed in stands in `teaching/syllabus.toml`: it is due
in the week after the chapters that it asks for, wherever these are.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import assignments
import course
import editions
import paths

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "teaching" / "syllabus.toml"
WEEKS = "% the syllabus\n"  # where the tables go, in book/syllabus.md
MARKS = "% the marks\n"


def taught() -> dict[int, list[str]]:
    """Return the chapters of each week; weeks are counted without gaps."""
    lines = course.chapters(course.read())
    known = sorted({line["week"] for line in lines if "week" in line})
    return {
        place: [line["name"] for line in lines if line.get("week") == week]
        for place, week in enumerate(known, 1)
    }


def works() -> list[dict[str, Any]]:
    """Return what is handed in, each with the week it is due, 0 for every week."""
    with WORK.open("rb") as stream:
        listed: list[dict[str, Any]] = tomllib.load(stream)["work"]
    return [{**work, "due": due(work)} for work in listed]


def due(work: Mapping[str, Any]) -> int:
    """Return the week after that of the chapters that a work asks for; 0 is every week."""
    if "assignment" in work:
        tasks = assignments.assignments()[work["assignment"]]["task"]
        asked = max(int(task["exercise"].split(".")[0]) for task in tasks)
    elif "after" in work:
        asked = work["after"]
    else:
        return 0
    before = [w for w, names in taught().items() for name in names if int(name[:2]) <= asked]
    return max(before, default=0) + work.get("weeks", 1)


def weeks(titles: Mapping[str, str]) -> str:
    """Return the table of weeks: chapters, time in class and at home, what is due."""
    with editions.NOTES.open("rb") as stream:
        notes = tomllib.load(stream)
    every = works()
    rows = taught()
    lines = ["| Week | Chapters | In class | At home | Due |", "| --- | --- | --- | --- | --- |"]
    for week in range(1, max([*rows, *(work["due"] for work in every)], default=0) + 1):
        inside = [name for name in rows.get(week, []) if name in titles]
        links = ", ".join(f"[{titles[name]}](../notebooks/{name}.ipynb)" for name in inside)
        plans = [notes[name]["plan"] for name in inside if name in notes]
        lecture = sum(step["minutes"] for plan in plans for step in plan)
        home = sum(paths.time(ROOT / "notebooks" / f"{name}.ipynb") for name in inside)
        what = ", ".join(work["what"] for work in every if work["due"] == week)
        times = f"{lecture} minutes | {paths.hours(home)}" if inside else " | "
        lines.append(f"| {week} | {links} | {times} | {what} |")
    return "\n".join([*lines, ""])


def marks() -> str:
    """Return the table of marks."""
    lines = ["| What | Marks | Due | How |", "| --- | --- | --- | --- |"]
    for work in works():
        when = f"week {work['due']}" if work["due"] else "every week"
        lines.append(f"| {work['what']} | {work['marks']} | {when} | {work['how']} |")
    return "\n".join([*lines, ""])
