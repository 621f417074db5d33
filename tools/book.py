"""Build the book: execute what changed, stage the pages, run Jupyter Book with warnings as errors.

The notebooks are executed side by side in book mode into ``_build/executed``; each is executed
again only where it, or something that it depends on (see `depends`), has changed, once for all
editions. The pages are staged in ``_build/stage``, so that nothing is written beside the sources.
The site ends in ``_build/html``. With ``--to FOLDER`` all this lies in ``FOLDER/_build``.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import made

if __name__ == "__main__" and (known := made.unchanged(sys.argv[1:])):
    print(f"nothing has changed since this was built: {known}")
    sys.exit()

sys.modules.setdefault("rfc3987_syntax", None)  # see notebooks.py
import nbformat
import yaml

import cheatsheet
import course
import depends
import editions
import handout
import notebooks
import pages
import paths as ways
import publish
import slides
import sources
import syllabus
import tasks
from errlab.book import words

ROOT = notebooks.ROOT
MARK = ".made-by-tools-book"  # in a folder of ours


def listed() -> list[Path]:
    """Return the notebooks in `_course.toml`, in its order: only those are in the book."""
    if not (ROOT / course.NAME).exists():
        return sorted(notebooks.NOTEBOOKS.glob("*.ipynb"))
    paths = [notebooks.NOTEBOOKS / f"{stem}.ipynb" for stem in course.stems(ROOT)]
    missing = [path.stem for path in paths if not path.exists()]
    if missing:
        raise SystemExit(f"{course.NAME} lists {', '.join(missing)}: no such file in notebooks/")
    return paths


def chapters(only: list[str]) -> list[Path]:
    """Return the notebooks to build: those named, or all that the table of contents lists."""
    paths = listed()
    known = [path.stem for path in paths]
    unknown = [name for name in only if name not in known]
    if unknown or not paths:
        raise SystemExit(f"no notebook {', '.join(unknown)}; choose from {', '.join(known)}")
    return [path for path in paths if not only or path.stem in only]


def translated(paths: Sequence[Path]) -> dict[Path, tuple[Path, str]]:
    """Return the translations of chapters, each with its chapter and its language."""
    if not (ROOT / course.NAME).exists():
        return {}
    known = {path.stem: path for path in paths}
    return {
        notebooks.NOTEBOOKS / code / f"{name}.ipynb": (known[stem], code)
        for stem, code, name in course.translations(ROOT)
        if stem in known
    }


def claim(folder: Path) -> None:
    """Make `folder` ours to write and clear, unless it holds what somebody else has put there."""
    inside = ROOT / "_build" in (folder, *folder.parents)
    if not inside and folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise SystemExit(f"{folder} holds files of somebody else; name another folder with --to")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()


def executed_folder(build: Path, root: Path = ROOT) -> Path:
    """Return where executed notebooks are kept: beside the sources, or where these are read-only.

    They are shared by all editions.
    """
    shared = root / "_build" / "executed"
    try:
        shared.mkdir(parents=True, exist_ok=True)
    except OSError:
        return build / "executed"
    return shared if os.access(shared, os.W_OK) else build / "executed"


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def fresh(notebook: Path, stamp: Path, wanted: str) -> bool:
    """Say whether the stamp vouches for these sources and for this executed notebook."""
    if not (notebook.is_file() and stamp.is_file()):
        return False
    return stamp.read_text("utf-8") == f"{wanted} {_checksum(notebook)}"


def execute(folder: Path, paths: list[Path]) -> None:
    """Execute the notebooks that changed since they were last executed.

    A stamp goes before its notebook is executed and comes back when that is done, if nothing
    has changed meanwhile: it never vouches for what another state of the sources has shown.
    """
    everything = notebooks.every()
    stamps = {path: folder / f"{path.stem}.stamp" for path in paths}
    wanted = {path: depends.digest(path, everything) for path in paths}
    stale = [p for p in paths if not fresh(folder / p.name, stamps[p], wanted[p])]
    if not stale:
        return

    def done(path: Path) -> None:
        if depends.digest(path, everything) == wanted[path]:
            stamps[path].write_text(f"{wanted[path]} {_checksum(folder / path.name)}", "utf-8")

    for path in stale:
        stamps[path].unlink(missing_ok=True)
    print(f"executing {len(stale)} notebooks", flush=True)
    notebooks.execute(stale, folder, "book", done=done)


def stage(
    folder: Path, executed: Path, paths: list[Path], edition: str, with_api: bool = True
) -> None:
    """Lay out the book's sources in `folder`, touching only what changed."""
    written = {p.relative_to(ROOT): p for p in (ROOT / "book").rglob("*") if p.is_file()}
    written.pop(editions.NOTES.relative_to(ROOT), None)  # for the instructor's pages only
    written.pop(sources.LIST.relative_to(ROOT), None)  # its page is made below
    wanted = {path: source.read_bytes() for path, source in written.items()}
    for path, source in written.items():
        if path.suffix == ".toml":
            text = course.renumbered(source.read_text("utf-8"))
            sealed = edition == "student"
            wanted[path] = (handout.sealed_quiz(text, source.stem) if sealed else text).encode()
    style = ROOT / "errlab" / "book" / "parts.css"  # what notebooks with a kernel use, too
    wanted[Path("book/_static/parts.css")] = style.read_bytes()
    others = translated(paths)
    for path in [*paths, *others]:
        notebook = nbformat.read(executed / path.name, as_version=4)
        text = nbformat.writes(editions.edit(notebook, path.stem, edition, languages(path, others)))
        wanted[path.relative_to(notebooks.NOTEBOOKS.parent)] = text.encode()
    known = publish.addresses(publish.settings(), edition)
    api = pages.api_pages(paths) if with_api else {}
    wanted[Path("_toc.yml")] = contents({p.stem for p in paths}, api).encode()
    about = publish.config(edition)
    if about["html"]["baseurl"]:  # where links to the book can show a picture
        import card  # draws it

        wanted[Path("book/_static/card.png")] = card.picture(about["title"], about["author"])
    wanted[Path("_config.yml")] = yaml.safe_dump(about).encode()
    wanted[Path("book/cheatsheet.md")] = cheatsheet.page().encode()
    wanted[Path("book/tasks.md")] = tasks.page().encode()
    wanted[Path("book/sources.md")] = sources.page().encode()
    wanted |= {Path(f"book/{name}.md"): text.encode() for name, text in sources.audits().items()}
    wanted |= {path: text.encode() for path, text in api.items()}
    titles = ways.titles(paths)
    for path, content in wanted.items():
        if path.suffix in (".md", ".ipynb"):
            text = course.renumbered(followed(content.decode(), titles), path.stem)
            text = unlink(text, {p.name for p in paths})
            wanted[path] = publish.conditional(text, known).encode()
    for path, content in wanted.items():
        target = folder / path
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    for target in [p for p in folder.rglob("*") if p.is_file()]:
        if target.relative_to(folder) not in wanted:
            target.unlink()


def languages(path: Path, others: Mapping[Path, tuple[Path, str]]) -> str:
    """Return the line that leads from a chapter to its translations, or from one of these back."""
    if path in others:
        return f"*[In English](../{others[path][0].name})*"
    found = [(other, code) for other, (chapter, code) in others.items() if chapter == path]
    links = [f"[{words.said('In English', code)}]({code}/{other.name})" for other, code in found]
    return f"*{', '.join(links)}*" if links else ""


def followed(text: str, titles: Mapping[str, str]) -> str:
    """Put what follows from `_course.toml` into a page: the map, the ways, the weeks, the marks."""
    if "%" not in text and "{{" not in text:
        return text
    marks = {
        course.MAP: lambda: course.course_map(titles),
        ways.MARK: ways.table,
        course.WEEKS: lambda: course.weeks(titles),
        syllabus.WEEKS: lambda: syllabus.weeks(titles),
        syllabus.MARKS: syllabus.marks,
        course.DEEPER: lambda: course.deeper_words(course.deeper()),
    }
    for mark, make in marks.items():
        if mark in text:
            text = text.replace(mark, make())
    return text


def unlink(text: str, built: set[str]) -> str:
    """Turn links to chapters that are not built into plain words.

    A row of a table, on a page of text, that was about such chapters alone goes.
    """
    link = re.compile(r"\[([^\[\]]*)\]\((?:[./]*(?:notebooks/)?)(\d\d_\w+\.ipynb)(?:#[\w-]*)?\)")

    def plain(line: str) -> str:
        return link.sub(lambda m: m.group() if m.group(2) in built else m.group(1), line)

    def kept(line: str) -> bool:
        return not (line.startswith("|") and plain(line) != line and "](" not in plain(line))

    return "".join(plain(line) for line in text.splitlines(keepends=True) if kept(line))


def contents(built: set[str], api: Collection[Path]) -> str:
    """Return the contents with the notebooks that are built, the pages of the API, the audits."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    for part in toc["parts"]:
        part["chapters"] = [
            chapter
            for chapter in part["chapters"] or []
            if not chapter["file"].startswith("notebooks/") or Path(chapter["file"]).name in built
            if api or chapter["file"] != "book/api/index"
        ]
        for chapter in part["chapters"]:
            if chapter["file"] == "book/api/index":
                files = sorted(path.with_suffix("").as_posix() for path in api)
                chapter["sections"] = [{"file": f} for f in files if f != chapter["file"]]
            elif chapter["file"] == "book/sources":
                chapter["sections"] = [{"file": f"book/{name}"} for name in sources.audit_names()]
    toc["parts"] = [part for part in toc["parts"] if part["chapters"]]
    return yaml.safe_dump(toc, sort_keys=False)


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


def prune(html: Path, staged: Path) -> list[str]:
    """Remove the pages of sources that are not staged any more; return their names."""
    gone = []
    for source in (html / "_sources").rglob("*"):
        place = source.relative_to(html / "_sources")
        if source.is_file() and not (staged / place).exists():
            source.unlink()
            (html / place).with_suffix(".html").unlink(missing_ok=True)
            (html / "slides" / f"{place.stem}.html").unlink(missing_ok=True)
            gone.append(place.as_posix())
    return gone


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the site and print where it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], help="names of notebooks, such as 03_...")
    parser.add_argument("--to", type=Path, default=ROOT, help="the site goes to TO/_build/html")
    parser.add_argument("--no-api", action="store_true", help="leave out the pages of the API")
    parser.add_argument("--edition", choices=editions.EDITIONS, default="reader")
    given = sys.argv[1:] if arguments is None else arguments
    options = parser.parse_args(given)
    start = time.perf_counter()
    paths = chapters(options.only)
    if importlib.util.find_spec("jupyter_book") is None:
        raise SystemExit("jupyter-book is not installed; run `make book`")
    build = options.to.resolve() / "_build"
    staged = build / "stage"
    html = build / "html"
    claim(build)
    if (ROOT / course.NAME).exists():
        course.write(ROOT)
    before = made.state(given, ROOT)
    executed = executed_folder(build, ROOT)
    every = [*paths, *translated(paths)]
    execute(executed, every)
    stage(staged, executed, paths, options.edition, not options.no_api)
    command = [sys.executable, str(Path(__file__).with_name("lay_out.py")), str(staged), str(html)]
    code = subprocess.run(command, check=False).returncode
    if code == 0:
        prune(html, staged)
        handout.downloads(html, every, options.edition)
        lite(html)
    if code == 0 and options.edition == "student":
        archive = handout.students(paths, build.parent)
        shutil.copy(archive, html / archive.name)
        print(f"the students' notebooks: {archive}")
    if code == 0 and options.edition == "instructor":
        for path in paths:
            target = html / "slides" / f"{path.stem}.html"
            print(f"  {slides.write(executed / path.name, target)} topics on slides: {target.name}")
    if code == 0:
        if made.state(given, ROOT) == before:
            kept = [file for path in every for file in executed.glob(f"{path.stem}.*")]
            own = [path for path in html.rglob("*") if html / "lite" not in path.parents]
            made.keep(build, before, [*kept, *own, *build.parent.glob("notebooks.zip")])
        print(f"built in {time.perf_counter() - start:.0f} s: {html / 'index.html'}")
    return code


if __name__ == "__main__":
    sys.exit(main())
