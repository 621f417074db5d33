"""Build the book: execute what changed, stage the pages, run Jupyter Book with warnings as errors.

The notebooks are executed side by side in book mode into ``_build/executed``; each is executed
again only where it, the package or the pins changed. The pages are staged in ``_build/stage``,
so that nothing is written beside the sources. The site ends in ``_build/html``.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import yaml

import cheatsheet
import notebooks

ROOT = notebooks.ROOT
BUILD = ROOT / "_build"


def digest(*paths: Path) -> str:
    """Return one digest of the contents of all the files."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return total.hexdigest()


def package_files() -> list[Path]:
    """Return every file that may change what a notebook shows."""
    files = [p for p in (ROOT / "errlab").rglob("*") if p.suffix in (".py", ".js", ".mplstyle")]
    results = (ROOT / "studies" / "results").glob("*.json")
    quizzes = (ROOT / "notebooks" / "quizzes").glob("*.toml")
    return [*files, *results, *quizzes, ROOT / "requirements.txt", Path(notebooks.__file__)]


def execute() -> None:
    """Execute the notebooks that changed since they were last executed."""
    folder, shared = BUILD / "executed", digest(*package_files())
    stale, stamps = [], {}
    for path in sorted(notebooks.NOTEBOOKS.glob("*.ipynb")):
        stamp = folder / f"{path.stem}.stamp"
        stamps[path] = (stamp, shared + digest(path))
        if not stamp.exists() or stamp.read_text() != stamps[path][1]:
            stale.append(path)
    if stale:
        print(f"executing {len(stale)} notebooks", flush=True)
        notebooks.execute(stale, folder, "book")
        for path in stale:
            stamps[path][0].write_text(stamps[path][1])


def stage(folder: Path) -> None:
    """Lay out the book's sources in `folder`, touching only what changed."""
    sources = {Path(name): ROOT / name for name in ("_toc.yml",)}
    sources |= {p.relative_to(ROOT): p for p in (ROOT / "book").rglob("*") if p.is_file()}
    executed = BUILD / "executed"
    sources |= {Path("notebooks") / p.name: p for p in executed.glob("*.ipynb")}
    wanted = {path: source.read_bytes() for path, source in sources.items()}
    wanted[Path("_config.yml")] = config().encode()
    wanted[Path("book/cheatsheet.md")] = cheatsheet.page().encode()
    for path, content in wanted.items():
        target = folder / path
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    for target in [p for p in folder.rglob("*") if p.is_file()]:
        if target.relative_to(folder) not in wanted:
            target.unlink()


def config() -> str:
    """Return the book's settings, with the execution that has been done already turned off."""
    settings = yaml.safe_load((ROOT / "_config.yml").read_text())
    settings["execute"] = {"execute_notebooks": "off"}
    return yaml.safe_dump(settings)


def main() -> int:
    """Build the site and print where it is."""
    start = time.perf_counter()
    program = shutil.which("jupyter-book", path=os.fspath(Path(sys.executable).parent))
    if program is None:
        raise SystemExit("jupyter-book is not installed; run `make book`")
    execute()
    folder = BUILD / "stage"
    stage(folder)
    command = [program, "build", str(folder)]
    command += ["--path-output", str(ROOT), "-W", "--keep-going", "--quiet"]
    code = subprocess.run(command, check=False).returncode
    if code == 0:
        print(f"built in {time.perf_counter() - start:.0f} s: {BUILD / 'html' / 'index.html'}")
    return code


if __name__ == "__main__":
    sys.exit(main())
