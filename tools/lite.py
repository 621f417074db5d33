"""Build a JupyterLite site with the notebooks and errlab's wheel in it: ``python tools/lite.py``.

The site ends in ``_build/lite``, and in the ``lite`` folder of the book where that is built, where
the buttons of the chapters look for it. The build needs no network. In the reader's browser the
numerical packages (numpy, scipy, matplotlib, scikit-learn) load from the host that Pyodide names.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

from notebooks import NOTEBOOKS, ROOT

BUILD = ROOT / "_build"
INSTALL = "%pip install -q errlab anywidget ipywidgets matplotlib scikit-learn"


def wheel() -> Path:
    """Build errlab's wheel without asking the network for anything."""
    folder = BUILD / "wheel"
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*command, str(ROOT)], check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.whl"))


def contents() -> Path:
    """Lay out the notebooks, each with a first cell that installs errlab."""
    folder = BUILD / "lite-contents"
    shutil.rmtree(folder, ignore_errors=True)
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs = []
        cell = nbformat.v4.new_code_cell(INSTALL)
        cell.id = "install"
        notebook.cells.insert(0, cell)
        target = folder / "notebooks" / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, target)
    return folder


def main() -> int:
    """Build the wheel and the site, and print where it is."""
    built, files, output = wheel(), contents(), BUILD / "lite"
    shutil.rmtree(output, ignore_errors=True)
    program = Path(sys.executable).parent / "jupyter"
    command = [str(program), "lite", "build", "--contents", str(files), "--output-dir", str(output)]
    command += ["--piplite-wheels", str(built)]
    run = subprocess.run(command, check=False, cwd=BUILD, capture_output=True, text=True)
    if run.returncode:
        print(run.stdout[-3000:], run.stderr[-3000:], sep="\n", file=sys.stderr)
        return run.returncode
    book = BUILD / "html"
    if book.exists():
        shutil.copytree(output, book / "lite", dirs_exist_ok=True)
    print(f"built with {built.name}: {output / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
