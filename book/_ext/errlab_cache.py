"""Find executed notebooks that are stale, and execute the missing ones in parallel.

jupyter-cache identifies a notebook by its code. Its outputs also depend on the modules of its page,
the library, data and versions. If any of these has changed, the notebook is dropped from the cache.
Notebooks that aren't in the cache are executed by jupyter-cache's parallel executor before Sphinx
reads them.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import nbformat
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.basic import ExecutionWorkerLocalMProc, JupyterExecutorLocalMproc
from jupyter_cache.executors.utils import single_nb_execution
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book" / "errlab_book"
VERSIONS = ("numpy", "scipy", "matplotlib", "scikit-learn", "pandas", "ipywidgets", "anywidget")
# each of these modules is named after a page, but other pages may import it, too
OWN = re.compile(r"errlab_book\.(chapters|pages) import ([\w, ]+)")
ASKED = re.compile(r"""check\(\s*["'](\d+)\.""")
QUIZ = re.compile(r"""quiz\.load\(["']([\w.]+)["']\)""")
LIMIT = 600  # seconds for a cell


def shared() -> list[Path]:
    """Return the files that every notebook depends on: the library and the shared modules."""
    still = ROOT / "tools" / "still.py"  # IPython runs this first in each kernel
    paths = [*(ROOT / "errlab").rglob("*"), *BOOK.rglob("*"), still]
    return [path for path in paths if path.is_file() and not _of_a_page(path)]


def _of_a_page(path: Path) -> bool:
    """Return whether a file belongs to single pages."""
    if "__pycache__" in path.parts:
        return True
    if path.is_relative_to(BOOK):
        folder, name = path.parent.name, path.name
        if folder in ("chapters", "pages", "exercises"):
            return not name.startswith("_")
        return folder == "quizzes"
    return False


def own(code: str) -> set[Path]:
    """Return the files of single pages that these lines of code use."""
    paths: set[Path] = set()
    unread = [code]
    while unread:
        text = unread.pop()
        for folder, names in OWN.findall(text):
            for name in re.findall(r"\w+", names.partition(" as ")[0]):
                module = BOOK / folder / f"{name}.py"
                if module.exists() and module not in paths:
                    paths |= {module, module.with_suffix(".toml")}
                    unread.append(module.read_text("utf-8"))
        paths |= {BOOK / "exercises" / f"chapter{int(key):02d}.py" for key in ASKED.findall(text)}
        paths |= {BOOK / "quizzes" / f"{Path(name).stem}.toml" for name in QUIZ.findall(text)}
        if re.search("board", text, re.IGNORECASE):
            paths |= set((ROOT / "book" / "data" / "boards").glob("*.npz"))
    return {path for path in paths if path.exists()}


def digest(paths: Iterable[Path]) -> str:
    """Return a checksum of some files' names and contents."""
    whole = hashlib.sha256()
    for path in sorted(paths):
        whole.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return whole.hexdigest()


@cache
def common() -> str:
    """Return a checksum of everything that all notebooks depend on, including versions."""
    versions = [platform.python_version(), *map(version, VERSIONS)]
    return f"{digest(shared())} {versions}"


def fingerprint(path: Path) -> str:
    """Return a checksum of everything that a notebook's outputs depend on."""
    cells = nbformat.read(path, as_version=4).cells
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    return hashlib.sha256(f"{common()} {digest(own(code))} {code}".encode()).hexdigest()


def keep(path: Path, outputs: list[list[Any]]) -> None:
    """Store a notebook with the outputs of its code cells, so that a build can use them."""
    from ipykernel.ipkernel import IPythonKernel

    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, (cell, shown) in enumerate(zip(cells, outputs, strict=True), start=1):
        cell.outputs, cell.execution_count = nbformat.from_dict(shown), number
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = number
    notebook.metadata.language_info = IPythonKernel.language_info
    notebook.metadata.errlab = fingerprint(path)
    _kept(path).parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, _kept(path))


def executed(path: Path) -> nbformat.NotebookNode | None:
    """Return the notebook as nbval has executed it, or None if anything has changed since then."""
    if not _kept(path).exists():
        return None
    notebook = nbformat.read(_kept(path), as_version=4)
    return notebook if notebook.metadata.pop("errlab") == fingerprint(path) else None


def _kept(path: Path) -> Path:
    return ROOT / "_build" / "executed" / path.relative_to(ROOT)


class Worker(ExecutionWorkerLocalMProc):
    """jupyter-cache's worker, which joins what a cell prints.

    A kernel may send a line in parts, and MyST-NB would begin a new line at each part.
    """

    @staticmethod
    def execute(project_nb: Any, data: Any) -> Any:
        """Execute a notebook in its folder."""
        return single_nb_execution(
            project_nb.nb,
            cwd=str(Path(project_nb.uri).parent),
            timeout=data.timeout,
            allow_errors=data.allow_errors,
            coalesce_streams=True,
        )


class Executor(JupyterExecutorLocalMproc):
    """jupyter-cache's parallel executor, with this worker."""

    _EXECUTION_WORKER = Worker


def forget_stale(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Drop notebooks whose modules, data or versions have changed, so that they are read again."""
    ledger = Path(_cache_of(env), "used.json")
    before = json.loads(ledger.read_text("utf-8")) if ledger.exists() else {}
    now = {name: fingerprint(path) for name in sorted(env.found_docs) if (path := _notebook(name))}
    stale = [name for name, mark in now.items() if before.get(name) != mark]
    records = get_cache(_cache_of(env))
    for name in stale:
        try:
            record = records.match_cache_file(str(_notebook(name)))
        except KeyError:
            continue  # the notebook has never been executed
        records.remove_cache(record.pk)
    ledger.parent.mkdir(parents=True, exist_ok=True)
    ledger.write_text(json.dumps(now), "utf-8")
    return [name for name in stale if name not in added]


def execute_missing(app: Sphinx, env: BuildEnvironment, names: list[str]) -> None:
    """Execute all notebooks that will be read and aren't in the cache, on all cores."""
    records = get_cache(_cache_of(env))
    missing = []
    for path in filter(None, map(_notebook, names)):
        try:
            records.match_cache_file(str(path))
        except KeyError:
            if (notebook := executed(path)) is not None:
                records.cache_notebook_bundle(CacheBundleIn(notebook, str(path)))
                continue
            records.add_nb_to_project(str(path))
            missing.append(str(path))
    if missing:
        # a notebook that fails here is executed again when it is read, and reports the error then
        Executor(records).run_and_cache(filter_uris=missing, timeout=LIMIT)


def _cache_of(env: BuildEnvironment) -> str:
    config: Any = env
    return str(config.mystnb_config.execution_cache_path)


def _notebook(name: str) -> Path | None:
    path = ROOT / f"{name}.ipynb"
    return path if path.exists() else None


def setup(app: Sphinx) -> dict[str, Any]:
    """Register both hooks."""
    app.connect("env-get-outdated", forget_stale)
    app.connect("env-before-read-docs", execute_missing)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
