"""Build the book: execute what changed, stage the pages, run Jupyter Book with warnings as errors.

The notebooks are executed side by side in book mode into ``_build/executed``; each is executed
again only where it, the package or the pins changed, once for all editions. The pages are staged
in ``_build/stage``, so that nothing is written beside the sources. The site ends in
``_build/html``.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import nbformat
import yaml

import cheatsheet
import editions
import notebooks
import pages
import slides

ROOT = notebooks.ROOT


def digest(*paths: Path) -> str:
    """Return one digest of the contents of all the files."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return total.hexdigest()


def package_files() -> list[Path]:
    """Return every file that may change what a notebook shows."""
    kinds = (".py", ".js", ".css", ".mplstyle")
    files = [p for p in (ROOT / "errlab").rglob("*") if p.suffix in kinds]
    results = (ROOT / "studies" / "results").glob("*.json")
    quizzes = (ROOT / "notebooks" / "quizzes").glob("*.toml")
    return [*files, *results, *quizzes, ROOT / "requirements.txt", Path(notebooks.__file__)]


def chapters(only: list[str]) -> list[Path]:
    """Return the notebooks to build: those named, or all."""
    paths = sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
    return [path for path in paths if not only or path.stem in only]


def execute(folder: Path, paths: list[Path]) -> None:
    """Execute the notebooks that changed since they were last executed."""
    shared = digest(*package_files())
    stale, stamps = [], {}
    for path in paths:
        stamp = folder / f"{path.stem}.stamp"
        stamps[path] = (stamp, shared + digest(path))
        if not stamp.exists() or stamp.read_text() != stamps[path][1]:
            stale.append(path)
    if stale:
        print(f"executing {len(stale)} notebooks", flush=True)
        notebooks.execute(stale, folder, "book")
        for path in stale:
            stamps[path][0].write_text(stamps[path][1])


def stage(folder: Path, executed: Path, paths: list[Path], edition: str) -> None:
    """Lay out the book's sources in `folder`, touching only what changed."""
    sources = {p.relative_to(ROOT): p for p in (ROOT / "book").rglob("*") if p.is_file()}
    wanted = {path: source.read_bytes() for path, source in sources.items()}
    for path in paths:
        notebook = nbformat.read(executed / path.name, as_version=4)
        text = nbformat.writes(editions.edit(notebook, path.stem, edition))
        wanted[Path("notebooks") / path.name] = text.encode()
    wanted[Path("_toc.yml")] = contents({p.stem for p in paths}).encode()
    wanted[Path("_config.yml")] = config().encode()
    wanted[Path("book/cheatsheet.md")] = cheatsheet.page().encode()
    wanted |= {path: text.encode() for path, text in pages.api_pages(paths).items()}
    for path, content in wanted.items():
        if path.suffix in (".md", ".ipynb"):
            wanted[path] = unlink(content.decode(), {p.name for p in paths}).encode()
    for path, content in wanted.items():
        target = folder / path
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    for target in [p for p in folder.rglob("*") if p.is_file()]:
        if target.relative_to(folder) not in wanted:
            target.unlink()


def unlink(text: str, built: set[str]) -> str:
    """Turn links to chapters that are not built into plain words (in a partial build)."""
    link = re.compile(r"\[([^\[\]]*)\]\((?:[./]*notebooks/)?(\d\d_\w+\.ipynb)(?:#[\w-]*)?\)")
    return link.sub(lambda m: m.group() if m.group(2) in built else m.group(1), text)


def contents(built: set[str]) -> str:
    """Return the table of contents with the notebooks that are built."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    for part in toc["parts"]:
        part["chapters"] = [
            chapter
            for chapter in part["chapters"]
            if not chapter["file"].startswith("notebooks/") or Path(chapter["file"]).name in built
        ]
    toc["parts"] = [part for part in toc["parts"] if part["chapters"]]
    return yaml.safe_dump(toc, sort_keys=False)


def config() -> str:
    """Return the book's settings, with the execution that has been done already turned off."""
    settings = yaml.safe_load((ROOT / "_config.yml").read_text())
    settings["execute"] = {"execute_notebooks": "off"}
    return yaml.safe_dump(settings)


LITE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>JupyterLite is not built</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
</head><body><main><h1>JupyterLite is not built</h1>
<p>This copy of the book was made without it. <code>make lite</code> puts it here.
<a href="../../book/launch.html">Other ways to run the notebooks</a></p></main></body></html>
"""


def lite(html: Path) -> None:
    """Say where the JupyterLite button leads that ``make lite`` has not been run."""
    target = html / "lite" / "lab" / "index.html"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(LITE)


def main() -> int:
    """Build the site and print where it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], help="names of notebooks, such as 03_...")
    parser.add_argument("--to", type=Path, default=ROOT / "_build", help="the folder to build in")
    parser.add_argument("--edition", choices=editions.EDITIONS, default="reader")
    options = parser.parse_args()
    start, build = time.perf_counter(), options.to.resolve()
    program = shutil.which("jupyter-book", path=os.fspath(Path(sys.executable).parent))
    if program is None:
        raise SystemExit("jupyter-book is not installed; run `make book`")
    paths = chapters(options.only)
    executed = ROOT / "_build" / "executed"
    execute(executed, paths)
    stage(build / "stage", executed, paths, options.edition)
    command = [program, "build", str(build / "stage"), "--path-output", str(build.parent)]
    command += ["-W", "--keep-going", "--quiet"]
    code = subprocess.run(command, check=False).returncode
    if code == 0 and options.edition == "instructor":
        for path in paths:
            target = build / "html" / "slides" / f"{path.stem}.html"
            print(f"  {slides.write(executed / path.name, target)} slides: {target.name}")
    if code == 0:
        lite(build / "html")
        print(f"built in {time.perf_counter() - start:.0f} s: {build / 'html' / 'index.html'}")
    return code


if __name__ == "__main__":
    sys.exit(main())
