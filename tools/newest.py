"""Test errlab with the newest version of everything; report newer versions, and what fails.

``python tools/newest.py PYTHON`` makes an environment without pins in ``_build/newest``, runs the
quick tests there, and builds the book with plain Sphinx. The report is ``_build/newest.md``.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / "_build" / "newest"
REPORT = ROOT / "_build" / "newest.md"
MARKERS = "not slow and not site and not nightly"
STEPS = {
    "tests": ["pytest", "-q", "-n", "2", "-m", MARKERS],
    "book": ["sphinx", "--fail-on-warning", "-c", "book/_plain", ".", "_build/sphinx_newest"],
}


def unpinned() -> list[str]:
    """Return the requirements of requirements.txt and of pyproject.toml's groups, without pins."""
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    requirements = [line.partition(" #")[0].strip() for line in lines]
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    requirements += groups["test"] + groups["sphinx"]
    return [line for line in requirements if line and not line.startswith(("#", "-"))]


def pins() -> dict[str, set[str]]:
    """Return the versions of each package that the constraints allow, for any Python."""
    versions: dict[str, set[str]] = {}
    for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines():
        if match := re.match(r"([\w.-]+)==([^\s;]+)", line):
            versions.setdefault(match[1].lower().replace("_", "-"), set()).add(match[2])
    return versions


def differences(installed: list[dict[str, str]], pinned: dict[str, set[str]]) -> list[str]:
    """Return a line for each installed package whose version is not pinned.

    Examples
    --------
    >>> differences([{"name": "NumPy", "version": "3.0"}], {"numpy": {"2.4"}})
    ['NumPy 3.0 (pinned: 2.4)']
    """
    return [
        f"{package['name']} {package['version']} (pinned: {', '.join(sorted(versions))})"
        for package in installed
        if (versions := pinned.get(package["name"].lower().replace("_", "-")))
        and package["version"] not in versions
    ]


def main(python: str) -> int:
    """Install, run every step even if one fails, and report."""
    REPORT.parent.mkdir(exist_ok=True)
    venv_python = str(HOME / "bin" / "python")
    subprocess.run([python, "-m", "venv", "--clear", str(HOME)], check=True)
    install = [venv_python, "-m", "pip", "install", "--quiet"]
    subprocess.run([*install, *sorted({*unpinned()})], check=True, cwd=ROOT)
    subprocess.run([*install, "--no-deps", "-e", ".", "-e", "./book"], check=True, cwd=ROOT)
    listed = subprocess.check_output(
        [venv_python, "-m", "pip", "list", "--format", "json"], text=True
    )
    newer = differences(json.loads(listed), pins())
    report = ["# With the newest of everything", "", "Not as pinned:", ""]
    report += [f"- {line}" for line in newer] or ["- nothing"]
    failed = 0
    for name, step in STEPS.items():
        done = subprocess.run(
            [venv_python, "-m", *step],
            cwd=ROOT,
            text=True,
            capture_output=True,
            env=dict(os.environ),
        )
        failed += done.returncode != 0
        report += ["", f"## {name}: {'broken' if done.returncode else 'works'}"]
        if done.returncode:
            last = (done.stdout + done.stderr).splitlines()[-100:]
            report += ["", "```text", *last, "```"]
    REPORT.write_text("\n".join(report) + "\n", "utf-8")
    print("\n".join(report))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else sys.executable))
