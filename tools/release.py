"""Write a version and today's date where they are stated: ``python tools/release.py 0.3.0``."""

from __future__ import annotations

import datetime
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = r"\d+\.\d+\.\d+"
PLACES = {  # a pattern for each place that states the version; its group is replaced
    "errlab/__init__.py": [rf'(?<=__version__ = "){VERSION}'],
    "CITATION.cff": [rf"(?<=\nversion: ){VERSION}", r"(?<=\ndate-released: )\d{4}-\d\d-\d\d"],
    "book/contents.md": [rf"(?<=\nVersion ){VERSION}", rf"(?<=version = {{){VERSION}"],
}


def stated(root: Path = ROOT) -> list[str]:
    """Return the version or the date that each place states."""
    return [
        version_or_date
        for name, patterns in PLACES.items()
        for pattern in patterns
        for version_or_date in re.findall(pattern, (root / name).read_text("utf-8"))
    ]


def write(version: str, date: str, root: Path = ROOT) -> None:
    """Write both into each place, and rename the changelog's section of unreleased changes."""
    for name, patterns in PLACES.items():
        text = (root / name).read_text("utf-8")
        for pattern in patterns:
            text = re.sub(pattern, date if r"\d{4}-" in pattern else version, text)
        (root / name).write_text(text, "utf-8")
    changes = root / "CHANGELOG.md"
    text = changes.read_text("utf-8")
    if f"\n## {version}, " in text:
        text = re.sub(rf"(?<=\n## {re.escape(version)}, ).*", date, text)
    else:
        text = text.replace("\n## Unreleased\n", f"\n## {version}, {date}\n", 1)
    changes.write_text(text, "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not re.fullmatch(VERSION, sys.argv[1]):
        sys.exit(f"the version must be like 0.3.0, got {sys.argv[1:]}")
    write(sys.argv[1], datetime.date.today().isoformat())
