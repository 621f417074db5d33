"""Try a wheel or an sdist in an empty environment of each Python that is found here.

``python tools/try_package.py dist/*.whl`` installs it alone and reports on a file, then adds what
its extras bring and runs the examples of its docstrings.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
ROWS = "\n".join(["y_true,y_pred", *(f"0,{int(i < 7)}" for i in range(200))])
OPTIONS = "doctest_optionflags=NORMALIZE_WHITESPACE ELLIPSIS NUMBER"


def attempt(python: str, package: Path) -> bool:
    """Return whether the package works with that Python."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        own = str(home / "env" / "bin" / "python")
        (home / "predictions.csv").write_text(ROWS, "utf-8")
        install = [own, "-m", "pip", "install", "--quiet"]
        examples = [own, "-m", "pytest", "-q", "--doctest-modules", "-o", OPTIONS]
        examples += ["--pyargs", "errlab", "--ignore-glob=*/book/errlab_book/*"]
        steps = [
            [python, "-m", "venv", str(home / "env")],
            [*install, str(package)],
            [own, "-m", "errlab", "report", "predictions.csv"],
            [*install, "pytest", "pandas", f"{package}[ml,plot]"],
            examples,
        ]
        return all(subprocess.run(step, cwd=home).returncode == 0 for step in steps)


def found(version: str) -> str | None:
    """Return the path of that Python, if it is here and runs: a shim of pyenv may only say no."""
    path = shutil.which(f"python{version}")
    runs = path and subprocess.run([path, "-c", ""], capture_output=True).returncode == 0
    return path if runs else None


def main(package: Path) -> int:
    """Try each Python; say which are not here."""
    failed = []
    for version in VERSIONS:
        python = found(version)
        if python is None:
            print(f"Python {version} is not here")
        else:
            print(f"Python {version}", flush=True)
            failed += [] if attempt(python, package) else [version]
    print(f"{package.name} fails with Python {', '.join(failed)}" if failed else "works with all")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
