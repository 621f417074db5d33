"""Write the students' zip: notebooks without solutions, and two wheels.

The wheel of the book stores digests instead of answers, and obscured explanations. So exercises and
quizzes can check themselves, but nobody can read or search for an answer. A program can still try
many answers quickly, so these exercises are for learning and should earn no marks.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import yaml

from errlab_book import guesses, handout, quiz
from errlab_book.exercises import EXERCISES

ROOT = Path(__file__).resolve().parents[2]
README = """# How well will it do? Notebooks to work in

Unpack the whole folder: the notebooks install errlab from the two files errlab*.whl next to them.

1. You need Python {python} or newer (python.org). `python --version` prints yours.
2. In a terminal, in this folder:

       python -m venv env
       source env/bin/activate          (on Windows: env\\Scripts\\activate)
       pip install jupyterlab
       jupyter lab

3. Open `{first}` and choose Run > Run All Cells. The first run installs errlab and its
   dependencies, which takes a minute or two. Then move a slider.

If something fails:

- *errlab-book is missing*: the notebook was moved out of this folder. Put it back.
- *No module named ...* after an installation: Kernel > Restart Kernel, then run all cells again.
- *no matching distribution*: the computer is offline, or Python is too old; see 1.
- A slider doesn't move, or a figure is missing: reload the page in the browser.
- On Colab or another server: upload both wheels into the notebook's folder.

Exercises check themselves and give hints. Guesses, exercises and quizzes in these notebooks are for
learning; they earn no marks.
"""


def listed() -> list[Path]:
    """Return the chapters that `_toc.yml` lists."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    files = [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    return [ROOT / f"{name}.ipynb" for name in files if name.startswith("notebooks/")]


def sources(folder: Path) -> None:
    """Copy to a folder only what both packages are built from."""
    unwanted = shutil.ignore_patterns("__pycache__")
    for name in ("pyproject.toml", "LICENSE", "MANIFEST.in", "CITATION.cff", "CHANGELOG.md"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "errlab", folder / "errlab", ignore=unwanted)
    book = folder / "book"
    book.mkdir()
    for name in ("pyproject.toml", "setup.py", "LICENSE", "README.md"):
        shutil.copy(ROOT / "book" / name, book)
    shutil.copytree(ROOT / "book" / "errlab_book", book / "errlab_book", ignore=unwanted)


def sealed_tree(folder: Path) -> None:
    """Copy the sources of both packages to a folder, with digests instead of answers."""
    sources(folder)
    book = folder / "book" / "errlab_book"
    for path in (book / "exercises").glob("chapter*.py"):
        path.unlink()
    for path in (book / "quizzes").glob("*.toml"):
        text = quiz.parse(path.read_text("utf-8"), path.stem).sealed().toml()
        path.write_text(text, "utf-8")
    for place in ("chapters", "pages"):
        for path in (book / place).glob("*.toml"):
            path.write_text(guesses.sealed(path.read_text("utf-8")), "utf-8")
    sealed = [entry.sealed() for entry in EXERCISES.values()]
    target = book / "exercises" / "sealed.json"
    target.write_text(json.dumps(sealed, indent=0, ensure_ascii=False), "utf-8")


def write(build: Path) -> Path:
    """Write the notebooks, the wheels and the zip of both; return the zip's path."""
    folder = build / "notebooks"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as source:
        sealed_tree(Path(source))
        wheel = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
        offline = ["--no-build-isolation", "--no-index", "--wheel-dir", str(folder)]
        subprocess.run([*wheel, *offline, source, f"{source}/book"], check=True)
    for path in listed():
        handout.write(path, folder / path.name, student=True)
    first = min(path.name for path in folder.glob("*.ipynb"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    readme = README.format(python=project["requires-python"].lstrip(">="), first=first)
    (folder / "README.md").write_text(readme, "utf-8")
    return Path(shutil.make_archive(str(folder), "zip", build, "notebooks"))


if __name__ == "__main__":
    print(f"the students' notebooks: {write(ROOT / '_build' / 'student')}")
