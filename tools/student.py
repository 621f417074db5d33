"""Write what students are handed: notebooks without solutions, with a wheel of errlab, as a zip.

The wheel holds digests in place of answers, and veiled explanations: exercises and quizzes check
themselves, but nothing in it can be read or searched for an answer. It can be tried, though, and
somebody who can program tries fast: these answers are for learning, and worth no marks.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from errlab.book import handout, quiz
from errlab.book.exercises import EXERCISES

ROOT = Path(__file__).resolve().parent.parent


def listed() -> list[Path]:
    """Return the chapters that `_toc.yml` lists."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))
    files = [chapter["file"] for part in toc["parts"] for chapter in part["chapters"]]
    return [ROOT / f"{name}.ipynb" for name in files if name.startswith("notebooks/")]


def sealed_tree(folder: Path) -> None:
    """Write errlab's sources to a folder, with digests in place of every answer."""
    ignored = shutil.ignore_patterns("__pycache__", "chapter*.py")
    shutil.copytree(ROOT / "errlab", folder / "errlab", ignore=ignored)
    for name in ("pyproject.toml", "PACKAGE.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for path in (folder / "errlab" / "book" / "quizzes").glob("*.toml"):
        text = quiz.parse(path.read_text("utf-8"), path.stem).sealed().toml()
        path.write_text(text, "utf-8")
    sealed = [entry.sealed() for entry in EXERCISES.values()]
    target = folder / "errlab" / "book" / "exercises" / "sealed.json"
    target.write_text(json.dumps(sealed, indent=0, ensure_ascii=False), "utf-8")


def write(build: Path) -> Path:
    """Write the notebooks, their wheel and the zip of both; return the zip."""
    folder = build / "notebooks"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as source:
        sealed_tree(Path(source))
        wheel = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
        offline = ["--no-build-isolation", "--no-index", "--wheel-dir", str(folder)]
        subprocess.run([*wheel, *offline, source], check=True)
    for path in listed():
        handout.write(path, folder / path.name, student=True)
    return Path(shutil.make_archive(str(folder), "zip", build, "notebooks"))


if __name__ == "__main__":
    print(f"the students' notebooks: {write(ROOT / '_build' / 'student')}")
