"""What a build was made of, and what it has made: where neither has changed, nothing is to do.

It needs little, so that this is known before anything large is imported.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "made.json"
NO_SOURCE = ("_build", "build", "dist", "__pycache__")


def sources(root: Path) -> Iterator[Path]:
    """Yield every file of a checkout that somebody has written, and no other one."""
    for folder, folders, files in os.walk(root):
        hidden = {name for name in folders if name.startswith(".") or name.endswith(".egg-info")}
        folders[:] = sorted({*folders} - hidden - {*NO_SOURCE})
        if "pyvenv.cfg" in files:  # an environment of any name
            folders.clear()
            continue
        yield from (Path(folder, name) for name in sorted(files))


def state(arguments: Sequence[str], root: Path = ROOT) -> str:
    """Return a digest of all that a site may be made of, and of how it is asked for."""
    packages = Path(sysconfig.get_path("purelib")).stat().st_mtime_ns  # moves when one is installed
    total = hashlib.sha256(json.dumps([*arguments, sys.version, packages]).encode())
    for path in sources(root):
        total.update(path.relative_to(root).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def seen(paths: Iterable[str]) -> dict[str, list[int]]:
    """Return the size and the time of each file that is there."""
    found = {path: Path(path).stat() for path in paths if Path(path).is_file()}
    return {path: [stat.st_size, stat.st_mtime_ns] for path, stat in found.items()}


def keep(build: Path, before: str, paths: Iterable[Path]) -> None:
    """Remember what was made in a folder, and of which state of the sources."""
    found = {"state": before, "files": seen(os.fspath(path) for path in paths)}
    (build / NAME).write_text(json.dumps(found), "utf-8")


def unchanged(arguments: Sequence[str], root: Path = ROOT) -> Path | None:
    """Return the first page of the site, if a build with these arguments would change nothing."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--to", type=Path, default=root)
    build = parser.parse_known_args(arguments)[0].to.resolve() / "_build"
    try:
        found = json.loads((build / NAME).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    if found["files"] != seen(found["files"]) or found["state"] != state(arguments, root):
        return None
    return Path(build / "html" / "index.html")
