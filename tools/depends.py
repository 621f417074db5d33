"""What a chapter depends on: the files whose change may change what its notebook shows.

The library, the style and most of the book's storey belong to every chapter. A quiz, a study's
results, the answers to exercises and a module of plots belong to the chapters that use them; where
no chapter does, to all, so that nothing is ever missed.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path

import notebooks

ROOT = Path(__file__).resolve().parent.parent
CODE = (".py", ".js", ".css", ".mplstyle", ".toml", ".json", ".csv")
NAMED = ("errlab/book/quizzes/*.toml", "errlab/book/studies/*.json")  # a chapter says their names
EXERCISES = "errlab/book/exercises/chapter*.py"
PLOTS = "errlab/book/plots/[a-z]*.py"
ALWAYS = ("requirements.txt", "tools/keep.py", "tools/kernels.py", "tools/notebooks.py")


def source(notebook: Path) -> str:
    """Return what counts of a notebook: its cells and their tags, not the stored outputs."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    kept = [
        [cell["cell_type"], "".join(cell["source"]), cell["metadata"].get("tags", [])]
        for cell in cells
    ]
    return json.dumps(kept)


def code(notebook: Path) -> str:
    """Return the code of a notebook."""
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    return "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")


def files(notebook: Path, chapters: Iterable[Path], root: Path = ROOT) -> set[Path]:
    """Return every file, but the notebook itself, that may change what the notebook shows.

    Parameters
    ----------
    notebook : path
        The chapter.
    chapters : iterable of paths
        All chapters: a file that none of them uses belongs to each.
    root : path
        The checkout.
    """
    texts = {path: code(path) for path in {*chapters, notebook}}
    package = {path for path in (root / "errlab").rglob("*") if path.suffix in CODE}
    named = {path for pattern in NAMED for path in root.glob(pattern)}
    plots = set(root.glob(PLOTS))
    answers = set(root.glob(EXERCISES))
    found = package - plots - answers - named
    found |= {root / name for name in ALWAYS}
    for path in named:
        users = {chapter for chapter, text in texts.items() if path.stem in text}
        if notebook in users or not users:
            found.add(path)
    for path in answers:
        users = {chapter for chapter in texts if path.stem == f"chapter{chapter.stem[:2]}"}
        if notebook in users or not users:
            found.add(path)
    uses = {chapter: plots_used(text, frozenset(plots)) for chapter, text in texts.items()}
    unused = plots - set().union(*uses.values())
    return found | uses[notebook] | unused


def plots_used(text: str, plots: frozenset[Path]) -> set[Path]:
    """Return the modules of plots that a chapter's code calls, with those that they import."""
    defined, imported = _contents(plots)
    words = set(re.findall(r"\w+", text))
    used = {path for path in plots if words & defined[path]}
    while True:
        more = set().union(used, *(imported[path] for path in used))
        if more == used:
            return used
        used = more


@functools.cache
def _contents(plots: frozenset[Path]) -> tuple[dict[Path, set[str]], dict[Path, set[Path]]]:
    """Return the public names that each module of plots defines, and the modules it imports."""
    defined: dict[Path, set[str]] = {}
    imported: dict[Path, set[Path]] = {}
    by_name = {path.stem: path for path in plots}
    for path in plots:
        tree = ast.parse(path.read_text("utf-8"))
        bodies = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        defined[path] = {node.name for node in bodies if not node.name.startswith("_")}
        names = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                names |= {*(node.module or "").split("."), *(alias.name for alias in node.names)}
        imported[path] = {by_name[name] for name in names if name in by_name}
    return defined, imported


def digest(notebook: Path, chapters: Iterable[Path], root: Path = ROOT) -> str:
    """Return one digest of the notebook's source and of all that it depends on."""
    total = hashlib.sha256(f"{notebooks.language()}{source(notebook)}".encode())
    for path in sorted(files(notebook, chapters, root)):
        total.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return total.hexdigest()
