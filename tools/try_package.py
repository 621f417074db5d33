"""Test the files of ``make dist`` in empty environments of each Python that is installed here.

``python tools/try_package.py dist`` installs errlab's wheel and then its sdist, and reports on a
file. It adds the extras and runs the docstrings' examples. Finally it installs the book's wheel and
executes a chapter in an empty folder.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
CHAPTER = "03_binary_bounds.ipynb"
ROWS = "\n".join(["y_true,y_pred", *(f"0,{int(i < 7)}" for i in range(200))])
OPTIONS = "doctest_optionflags=NORMALIZE_WHITESPACE ELLIPSIS NUMBER"


def attempt(python: str, package: Path, book: Path) -> bool:
    """Return whether the package works with that Python."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        venv_python = str(home / "env" / "bin" / "python")
        (home / "predictions.csv").write_text(ROWS, "utf-8")
        shutil.copy(ROOT / "notebooks" / CHAPTER, home)
        install = [venv_python, "-m", "pip", "install", "--quiet"]
        examples = [venv_python, "-m", "pytest", "-q", "--doctest-modules", "-o", OPTIONS]
        execute = [
            venv_python,
            "-m",
            "jupyter",
            "nbconvert",
            "--to",
            "notebook",
            "--execute",
            CHAPTER,
        ]
        steps = [
            [python, "-m", "venv", str(home / "env")],
            [*install, str(package)],
            [venv_python, "-m", "errlab", "report", "predictions.csv"],
            [*install, "pytest", "pandas", f"{package}[ml,plot]"],
            [*examples, "--pyargs", "errlab"],
            [*install, "nbconvert", "ipykernel", str(book)],
            [*execute, "--output", "executed"],
        ]
        return all(subprocess.run(step, cwd=home).returncode == 0 for step in steps)


def found(version: str) -> str | None:
    """Return the path of that Python if it runs: a shim of pyenv may exist and only fail."""
    path = shutil.which(f"python{version}")
    runs = path and subprocess.run([path, "-c", ""], capture_output=True).returncode == 0
    return path if runs else None


def main(folder: Path) -> int:
    """Try each Python, and list those that aren't installed."""
    (book,) = folder.glob("errlab_book-*.whl")
    failed = []
    for version in VERSIONS:
        python = found(version)
        if python is None:
            print(f"Python {version} is not here")
            continue
        for package in (*folder.glob("errlab-*.whl"), *folder.glob("errlab-*.tar.gz")):
            print(f"Python {version}, {package.name}", flush=True)
            failed += [] if attempt(python, package, book) else [f"{package.name}, {version}"]
    print(f"fails: {'; '.join(failed)}" if failed else "works with all")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
