"""Build a JupyterLite site with the notebooks and errlab's wheel in it: ``python tools/lite.py``.

The site ends in ``_build/lite``, and in the ``lite`` folder of the book where that is built, where
the buttons of the chapters look for it. Where `make student` has been run, the students' book gets
one of its own, without answers. The build needs no network. In the reader's browser the
numerical packages (numpy, scipy, matplotlib, scikit-learn) load from the host that Pyodide names.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

import handout
from notebooks import NOTEBOOKS, ROOT, every

BUILD = ROOT / "_build"
INSTALL = "%pip install -q errlab anywidget ipywidgets matplotlib scikit-learn"


def contents(folder: Path, edition: str) -> Path:
    """Lay out the notebooks of an edition, each with a first cell that installs errlab."""
    shutil.rmtree(folder, ignore_errors=True)
    for path in every():
        notebook = handout.handout(nbformat.read(path, as_version=4), edition)
        cells = [c for c in notebook.cells if "install" not in c.metadata.get("tags", [])]
        cell = nbformat.v4.new_code_cell(INSTALL)
        cell.id = "install"
        notebook.cells = [cell, *cells]
        target = folder / "notebooks" / path.relative_to(NOTEBOOKS)
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, target)
    return folder


def build(edition: str, place: Path, book: Path) -> int:
    """Build the site of an edition, and put a copy into its book where that is built."""
    if edition == "student":
        built = next((place / "notebooks").glob("*.whl"))  # the one that holds no answers
    else:
        built = handout.wheel(ROOT, place / "wheel")
    files = contents(place / "lite-contents", edition)
    output = place / "lite"
    shutil.rmtree(output, ignore_errors=True)
    program = Path(sys.executable).parent / "jupyter"
    command = [str(program), "lite", "build", "--contents", str(files), "--output-dir", str(output)]
    command += ["--piplite-wheels", str(built)]
    run = subprocess.run(command, check=False, cwd=place, capture_output=True, text=True)
    if run.returncode:
        print(run.stdout[-3000:], run.stderr[-3000:], sep="\n", file=sys.stderr)
        return run.returncode
    if book.exists():
        shutil.copytree(output, book / "lite", dirs_exist_ok=True)
    print(f"built with {built.name}: {output / 'index.html'}")
    return 0


def main() -> int:
    """Build the site of the readers and, where the students' book is built, theirs."""
    code = build("reader", BUILD, BUILD / "html")
    student = BUILD / "student"
    if code == 0 and (student / "notebooks").exists():
        code = build("student", student, student / "_build" / "html")
    return code


if __name__ == "__main__":
    sys.exit(main())
